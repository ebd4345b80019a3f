"""Groups of space mechanisms."""
