"""Limits of a driver: curves of configurations, where they turn back or cross, and the circuits they make."""
