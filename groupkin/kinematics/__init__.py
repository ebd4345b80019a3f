"""Program, solver and motion; the global formulation, and the check of one against the other."""
