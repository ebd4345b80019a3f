"""Expression graphs, the instruction lists that compute them, and their executors."""
