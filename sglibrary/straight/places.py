"""Rows of the working memory of a group whose equations are written out, of steps side by side."""

from typing import NamedTuple

from sglibrary.convention import formula
from sglibrary.iterative.tables import PLACES

LENGTH, SHARE, SINE, TIMES, SETTLED, HIGH, LEAST, CHANGE, SIGN, FARTHEST, LEADING = range(11)
"""Length of Newton's step; the conditioning; how far all rods are from where they may turn over; s; whether a step is
solved, 1 or 0; largest and smallest singular value, and by how much of them they have changed at last; sign of the
determinant; the scale of the Jacobian (`sglibrary.straight.equations.most_moved`); number of these."""

BENT = 8
"""Rows of a move along a curve: point, cosine and sine of the tangent, `bends` (`sglibrary.iterative.curves`)."""


class Places(NamedTuple):
    """First rows of the variables, those after Newton's step, that step, first and second derivatives of the unknowns,
    the singular vectors of the smallest and of the largest singular value at the knot before (the first has a number
    for each equation), tables and functions (`sglibrary.straight.prepared`), moves along curves, the Jacobian of a
    group with more equations than unknowns; and the number of rows.
    """

    x: int
    after: int
    step: int
    rate: int
    gain: int
    low: int
    high: int
    functions: int
    curves: int
    matrix: int
    rows: int


def first_rows(unknowns, variables, equations, functions, moves):
    """Places of a group."""
    n, m, step = unknowns, equations, LEADING + 2 * variables
    curves = step + 4 * n + m + functions
    matrix = curves + BENT * moves
    return Places(
        LEADING,
        LEADING + variables,
        step,
        step + n,
        step + 2 * n,
        step + 3 * n,
        step + 3 * n + m,
        step + 4 * n + m,
        curves,
        matrix,
        matrix + (m * n if m > n else 0),
    )


places = formula(first_rows)


@formula
def places_of(rows):
    """Places of a group with such tables (`sglibrary.iterative.tables`)."""
    return places(rows[PLACES], rows[PLACES + 1], rows[PLACES + 2], rows[PLACES + 3], rows[PLACES + 4])
