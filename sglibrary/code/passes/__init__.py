"""Passes over expression graphs, whose results are expressions of the same graph."""
