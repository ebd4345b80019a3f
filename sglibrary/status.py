"""What a kernel says of each step. Kernels never raise; they write NaN and one of these."""

SOLVED = 0
CANNOT_ASSEMBLE = 1
SINGULAR = 2
NOT_CONVERGED = 3
NO_INPUT = 4

MEANING = {
    SOLVED: "solved",
    CANNOT_ASSEMBLE: "cannot assemble",
    SINGULAR: "singular position",
    NOT_CONVERGED: "not converged",
    NO_INPUT: "a group it depends on failed",
}

SINGULAR_BELOW = 1e-6
"""Conditioning (1 at best, 0 at a singular position) under which velocities are not given. At a dead center it is the
square root of rounding errors, 1e-7 at most, and velocities are off by the rounding errors over its square."""
