"""Points given by construction, from lengths, angles and other points."""
