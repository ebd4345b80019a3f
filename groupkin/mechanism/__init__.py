"""What the user describes: bodies, joints and the table of pairs, motion laws of drivers, files."""
