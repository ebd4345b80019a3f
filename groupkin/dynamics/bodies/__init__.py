"""Masses and inertia of bodies, and where their points and joint axes are, along a motion; counterweights."""
