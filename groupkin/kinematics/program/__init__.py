"""From a structure to a program: rows of the state, calls of solvers, their constants and tables."""
