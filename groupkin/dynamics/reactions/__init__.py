"""Reactions and driving forces: loads carried back to drivers and joints, and the results, read, listed and saved."""
