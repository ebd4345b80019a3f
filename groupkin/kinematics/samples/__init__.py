"""Samples of a mechanism, many at a time: their geometry, constants, motions and quantities."""
