"""A program at given times: blocks of steps, following by knots, singular positions, failures."""
