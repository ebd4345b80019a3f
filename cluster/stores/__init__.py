"""Batches on disk: a Zarr store that survives a crash, and the run that fills it."""
