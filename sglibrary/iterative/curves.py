"""Curves in the plane of a frame, piece by piece polynomials of degree five, along which a move may lead.

A frame that a move along a curve c(u) leads to has its origin at c and its x axis along the tangent c'. With s = |c'|
and the angle θ of the tangent, its origin then goes at s u' along x, and it turns at θ' u' about z, where

    θ' = (x' y'' - y' x'') / s²,    s' = (x' x'' + y' y'') / s,    θ'' = (x' y''' - y' x''') / s² - 2 θ' s' / s

(primes on coordinates, s and θ are derivatives by u). Accelerations are continuous where c''' is; quintic splines have
one derivative more.

`curves` is a table (`sglibrary.iterative.tables`). Its rows (curves, 3) hold the first piece of each curve, the
one after its last, and 1 if it is closed; its data (pieces, 14) hold where u begins on a piece, how wide the piece is,
and its coefficients of x and of y in rising powers. `bends` (4, width) are s, s', θ' and θ'' of a move along a
curve, rows of working memory (`sglibrary.straight.prepared`).
"""

import math

from sglibrary.convention import kernel, merged
from sglibrary.tolerances import PIECE_SLACK

PIECE = 14
"""Numbers per piece."""

SPEED, SPEEDING, TURN, TURNING = 0, 1, 2, 3
"""Rows of `bends`: s, s', θ', θ''."""


@merged
def off_curve(u, curve, curves):
    """Whether a curve that is not closed ends before u."""
    rows, pieces = curves
    first, last = rows[curve, 0], rows[curve, 1] - 1
    end = pieces[last, 0] + pieces[last, 1]
    slack = PIECE_SLACK * (end - pieces[first, 0])
    return rows[curve, 2] == 0 and not (pieces[first, 0] - slack <= u <= end + slack)


@kernel
def follow_curve(u, curve, curves, prescribed, bends, out):
    """Points of a curve and directions of its tangent at u (width,), into `out` (4, width): x, y, cos θ, sin θ.

    A u that is prescribed must be on the curve; one that is sought may pass its end on the way. `bends` (4, width) are
    those of the move.
    """
    rows, pieces = curves
    first, stop, closed = rows[curve, 0], rows[curve, 1], rows[curve, 2]
    begin, length = pieces[first, 0], pieces[stop - 1, 0] + pieces[stop - 1, 1] - pieces[first, 0]
    for j in range(u.size):
        at = u[j]
        if not math.isfinite(at) or (prescribed and off_curve(at, curve, curves)):
            out[0, j] = out[1, j] = out[2, j] = out[3, j] = math.nan
            continue
        if closed:
            at -= length * math.floor((at - begin) / length)
        low, high = first, stop
        while high - low > 1:
            middle = (low + high) // 2
            if pieces[middle, 0] <= at:
                low = middle
            else:
                high = middle
        piece, h = pieces[low], at - pieces[low, 0]
        out[0, j], x1, x2, x3 = _derivatives(piece[2:8], h)
        out[1, j], y1, y2, y3 = _derivatives(piece[8:14], h)
        s = math.sqrt(x1 * x1 + y1 * y1)
        turn, speeding = (x1 * y2 - y1 * x2) / (s * s), (x1 * x2 + y1 * y2) / s
        out[2, j], out[3, j] = x1 / s, y1 / s
        bends[SPEED, j], bends[SPEEDING, j], bends[TURN, j] = s, speeding, turn
        bends[TURNING, j] = (x1 * y3 - y1 * x3) / (s * s) - 2.0 * turn * speeding / s


@merged
def _derivatives(piece, h):
    """Value and three derivatives of a polynomial with six coefficients."""
    a, b, c, d, e, f = piece[0], piece[1], piece[2], piece[3], piece[4], piece[5]
    return (
        a + h * (b + h * (c + h * (d + h * (e + h * f)))),
        b + h * (2.0 * c + h * (3.0 * d + h * (4.0 * e + h * 5.0 * f))),
        2.0 * c + h * (6.0 * d + h * (12.0 * e + h * 20.0 * f)),
        6.0 * d + h * (24.0 * e + h * 60.0 * f),
    )
