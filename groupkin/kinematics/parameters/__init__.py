"""Parameters: what can vary of a mechanism, where it is stored, and its nominal value and unit."""
