"""Solvers of structural groups: compiled kernels on plain arrays.

Nothing here knows what a mechanism is. A kernel fills rows of a state from rows that are already filled; see
`sglibrary.convention` for what all kernels share and `sglibrary.catalog` for the list of groups.
"""

from importlib.metadata import version

OLDEST, NEWEST = (0, 60), (0, 68)
"""Versions of numba, whose insides the kernels' compilation takes, between which it was tried."""


class UntriedNumbaError(ImportError):
    """Numba is older or newer than what the kernels were tried with."""


def check_numba(found: str) -> None:
    """Refuse a version of numba with which nothing was tried: it could compile something else without a word."""
    if not OLDEST <= tuple(int(number) for number in found.split(".")[:2]) <= NEWEST:
        (a, b), (c, d) = OLDEST, NEWEST
        raise UntriedNumbaError(
            f"groupkin was tried with numba {a}.{b} to {c}.{d}, and this is {found}: "
            f'pip install "numba>={a}.{b},<{c}.{d + 1}", or a version of groupkin that knows this one'
        )


check_numba(version("numba"))
