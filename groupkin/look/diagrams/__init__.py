"""Structural diagrams and graphs, and their layouts in levels."""
