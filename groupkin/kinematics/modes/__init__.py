"""Assembly modes: found, chosen, listed and drawn."""
