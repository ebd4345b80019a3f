"""The global formulation: all bodies at once in natural coordinates, an independent check."""
