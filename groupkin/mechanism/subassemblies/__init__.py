"""Mechanisms that are parts of others, moved to where they are."""
