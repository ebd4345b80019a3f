"""Frames, joint coordinates and closure of a mechanism in its reference configuration."""
