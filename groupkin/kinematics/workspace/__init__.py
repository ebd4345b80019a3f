"""Where a point can go."""
