"""Solvers of structural groups: compiled kernels on plain arrays.

Nothing here knows what a mechanism is. A kernel fills rows of a state from rows that are already filled; see
`sglibrary.convention` for what all kernels share and `sglibrary.catalog` for the list of groups.
"""
