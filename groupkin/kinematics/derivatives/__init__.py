"""Exact derivatives of motions by parameters of a design, forward and backward."""
