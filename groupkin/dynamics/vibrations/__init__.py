"""Positions of rest, small motions about them, periodic motions and frequency responses."""
