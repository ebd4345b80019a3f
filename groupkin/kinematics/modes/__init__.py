"""Assembly modes: found, chosen and listed."""
