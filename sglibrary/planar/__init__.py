"""Groups of plane mechanisms."""
