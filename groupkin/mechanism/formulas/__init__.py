"""Formulas of outputs: their text, what their operations do, and their values and derivatives."""
