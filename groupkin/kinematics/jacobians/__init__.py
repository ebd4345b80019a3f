"""Rates of quantities by the rates of drivers or of other freedoms, at all steps of a motion."""
