"""Dimensional synthesis: designs whose outputs meet targets."""
