"""Rates of all bodies as a linear function of the rates of the drivers, and loads carried back to the drivers."""
