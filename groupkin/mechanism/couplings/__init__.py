"""Couplings: equations of the user between joint coordinates, points and angles, as data and bound to a mechanism."""
