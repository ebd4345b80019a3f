"""Pages that show a mechanism in motion, each one file that needs no network."""
