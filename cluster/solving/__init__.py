"""From the number of a sample to its motion and what is kept of it."""
