"""Processes and MPI ranks: how they start, share work, wait for each other and end."""
