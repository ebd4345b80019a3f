"""Rows of the working memory of a group whose equations are written out, of steps side by side."""

from typing import NamedTuple

from sglibrary.convention import formula

LENGTH, SHARE, SINE, TIMES, HIGH, SETTLED, FARTHEST, LEADING = 0, 1, 2, 3, 4, 5, 6, 7
"""Length of Newton's step; the conditioning; how far all rods are from where they may
turn over; s; largest singular value at the knot before; whether a step is solved, 1 or 0; the most that an unknown
moves the second point of an equation; number of these."""

BENT = 8
"""Rows of a move along a curve: point, cosine and sine of the tangent, `bends` (`sglibrary.iterative.curves`)."""


class Places(NamedTuple):
    """First rows of the variables, those after Newton's step, that step, first and second derivatives of the unknowns,
    the left singular vector of the knot before, the Jacobian, moves along curves; and the number of rows.
    """

    x: int
    after: int
    step: int
    rate: int
    gain: int
    low: int
    matrix: int
    curves: int
    rows: int


def first_rows(unknowns, variables, moves):
    """Places of a group."""
    n, step = unknowns, LEADING + 2 * variables
    matrix = step + 4 * n
    curves = matrix + n * n
    return Places(
        LEADING,
        LEADING + variables,
        step,
        step + n,
        step + 2 * n,
        step + 3 * n,
        matrix,
        curves,
        curves + BENT * moves,
    )


places = formula(first_rows)
