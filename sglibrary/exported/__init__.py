"""What solves a mechanism without Python: compiled entries, and the kernels that they call, as object files."""
