"""Structural transformations: all ways to drive a mechanism, and the groups each of them leads to."""
