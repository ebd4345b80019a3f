"""Reports for a design review: one printable page of all that is known about a mechanism and its motion."""
