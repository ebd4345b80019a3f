"""Plots of quantities over time or over each other, paths and hodographs."""
