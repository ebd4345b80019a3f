"""Forces on mechanisms: what acts on the bodies, and the reactions and driving forces that answer it."""
