"""Equations of motion of free coordinates in columns of the state, and integrators of them."""
