"""The law of forces along a coordinate: springs, dampers, friction of a known size, and forces in joints.

A force along a coordinate x pulls it back by  k (x - x0) + c x' + s p + f x' / √(x'² + w²) + g(x) + h(x')  with the
stiffness k, the damping c, the preload p, the value s of a law of time, dry friction f that grows up to the speed w,
and piecewise cubics g and h. Where x is beyond an end of its range by δ, a stop of the stiffness k pushes it back by
k δ max(0, 1 + d δ')  with the damping d (Hunt and Crossley 1975). Simulations compile these formulas; along motions
NumPy computes the same ones for all steps at once (`sglibrary.convention.of_arrays`).

The numbers of a force are k, c, p and x0; four of its coordinate; f and w; where g begins among the curves and how many
pieces it has, none if there is no such function; the same of h; stiffness and damping of a stop, and both ends of the
range, of which one may be infinite. A curve is the ends of its pieces, then for each piece coefficients in falling
powers of the coordinate since the piece began.
"""

import math

import numpy as np

from sglibrary.convention import formula, kernel


@formula
def pull(numbers, curves, x, rate, share):
    """Force along a coordinate of the value x and a rate, with the value of a law of time."""
    found = -((numbers[0] * (x - numbers[3]) + numbers[1] * rate) + share * numbers[2])
    if numbers[8] != 0.0:
        found -= numbers[8] * (rate / math.sqrt(rate * rate + numbers[9] * numbers[9]))
    if numbers[11] > 0.0:
        found -= cubic(curves, int(numbers[10]), int(numbers[11]), x)
    if numbers[13] > 0.0:
        found -= cubic(curves, int(numbers[12]), int(numbers[13]), rate)
    if numbers[14] != 0.0:
        found += push(numbers[14] * max(0.0, numbers[16] - x), numbers[15], rate)
        found -= push(numbers[14] * max(0.0, x - numbers[17]), numbers[15], -rate)
    return found


@formula
def push(elastic, damping, apart):
    """A push by its elastic part and the rate at which what it pushes goes apart; it never pulls."""
    return elastic * max(0.0, 1.0 - damping * apart)


@kernel
def cubic(curves, place, count, x):
    """The value of a piecewise cubic."""
    ends = curves[place : place + count + 1]
    k = min(max(np.searchsorted(ends, x, side="right") - 1, 0), count - 1)
    t, first = x - ends[k], place + count + 1 + 4 * k
    return ((curves[first] * t + curves[first + 1]) * t + curves[first + 2]) * t + curves[first + 3]
