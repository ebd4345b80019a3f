"""Plane curves as pieces of polynomials, and their nearest points.

A curve is a part of an array: HEADER numbers, the ends of its pieces, at each of these the position and the unit
tangent, and for each piece coefficients of x and y in falling powers of the parameter since it began. The header is the
number of pieces, that of their coefficients, 1 of a closed curve, 1 if what touches it is free on its left as it runs,
else -1, the middle and the radius of a circle about it, the length of its longest piece, and how far a piece is at most
from the tangents at its ends.
"""

import math

import numpy as np

from sglibrary.convention import formula, kernel
from sglibrary.tolerances import CURVE_ROUNDING

HEADER = 9
COUNT, WIDTH, CLOSED, SIDE, MIDDLE_X, MIDDLE_Y, RADIUS, LONGEST, SAG = range(HEADER)

ITERATIONS = 20
"""Of Newton's method for the nearest point of a curve."""


@formula
def piece_end(curves, place, k):
    """End number k of the pieces of a curve: its parameter."""
    return curves[place + HEADER + k]


@formula
def node(curves, place, count, k):
    """Position at end number k of the pieces of a curve, and the unit tangent."""
    first = place + HEADER + count + 1 + 4 * k
    return curves[first], curves[first + 1], curves[first + 2], curves[first + 3]


@kernel
def on_piece(curves, place, k, u):
    """Position at a parameter on piece k of a curve, and its first and second derivatives."""
    count, width = int(curves[place + COUNT]), int(curves[place + WIDTH])
    t, first = u - piece_end(curves, place, k), place + HEADER + 5 * (count + 1) + 2 * width * k
    sx = sy = tx = ty = bx = by = 0.0
    for i in range(first, first + 2 * width, 2):
        bx, by = bx * t + 2.0 * tx, by * t + 2.0 * ty
        tx, ty = tx * t + sx, ty * t + sy
        sx, sy = sx * t + curves[i], sy * t + curves[i + 1]
    return sx, sy, tx, ty, bx, by


@kernel
def on_curve(curves, place, u):
    """Position on a curve, and its derivatives by the parameter."""
    count = int(curves[place + COUNT])
    ends = curves[place + HEADER : place + HEADER + count + 1]
    if curves[place + CLOSED] != 0.0:
        if u < ends[0]:
            u += ends[count] - ends[0]
        elif u >= ends[count]:
            u -= ends[count] - ends[0]
    k = min(max(np.searchsorted(ends, u, side="right") - 1, 0), count - 1)
    return on_piece(curves, place, k, u)


@kernel
def nearest_end(curves, place, low, high, x, y):
    """Number of the nearest end of pieces, of those from `low` to `high`, and the square of its distance."""
    nearest, least, count = low, math.inf, int(curves[place + COUNT])
    for k in range(low, high + 1):
        sx, sy, _, _ = node(curves, place, count, k)
        square = (x - sx) * (x - sx) + (y - sy) * (y - sy)
        if square < least:
            nearest, least = k, square
    return nearest, least


@kernel
def nearest_point(curves, place, nearest, x, y):
    """The point of a curve nearest to (x, y), near an end of its pieces.

    Returns
    -------
    float, float, float, float, float, float, float
        Its parameter and position, the normal to the side that is free, how far (x, y) is along it, and 1 at an end of
        the curve that is beyond, where the normal is toward (x, y).
    """
    count, closed = int(curves[place + COUNT]), curves[place + CLOSED] != 0.0
    first, last = piece_end(curves, place, 0), piece_end(curves, place, count)
    u = piece_end(curves, place, nearest)
    low = (
        piece_end(curves, place, nearest - 1) if nearest else u - closed * (last - piece_end(curves, place, count - 1))
    )
    high = (
        piece_end(curves, place, nearest + 1) if nearest < count else u + closed * (piece_end(curves, place, 1) - first)
    )
    for _ in range(ITERATIONS):
        sx, sy, tx, ty, bx, by = on_curve(curves, place, u)
        square = tx * tx + ty * ty
        falling = square + (sx - x) * bx + (sy - y) * by
        step = ((sx - x) * tx + (sy - y) * ty) / (falling if falling > 0.1 * square else square)
        after = min(max(u - step, low), high)
        still = math.fabs(after - u) <= CURVE_ROUNDING * (math.fabs(u) + high - low)
        u = after
        if still:
            break
    sx, sy, tx, ty, _, _ = on_curve(curves, place, u)
    share = curves[place + SIDE] / math.sqrt(tx * tx + ty * ty)
    nx, ny = -share * ty, share * tx
    far, beyond = math.sqrt((x - sx) * (x - sx) + (y - sy) * (y - sy)), 0.0
    if not closed and far > 0.0 and (u <= first or u >= last):  # its end is a corner
        nx, ny, beyond = (x - sx) / far, (y - sy) / far, 1.0
    return u, sx, sy, nx, ny, nx * (x - sx) + ny * (y - sy), beyond


@kernel
def foot(curves, place, x, y):
    """The point of a whole curve nearest to (x, y), as `nearest_point` gives it."""
    nearest, _ = nearest_end(curves, place, 0, int(curves[place + COUNT]), x, y)
    return nearest_point(curves, place, nearest, x, y)
