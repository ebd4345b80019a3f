"""Where steps between knots start from: polynomials through four knots, as long as these belong to one motion.

Between two knots, at z = 0 and z = 1, the start is x = P(z) + (z (1 - z))³ Q(z): the quintic P has the values and two
derivatives of both, and the quintic Q adds what makes x and its derivatives those of the next knot on either side
(Hermite's interpolation of degree 11). Where a knot is missing on one side, two on the other side are taken; if there
are none, or if they contradict the two in the middle, as where a law has a corner, Q is left out.
"""

import math

from sglibrary.convention import formula, inlined, kernel
from sglibrary.iterative.knots import GAP, LEADING, SIGN, TIME, quintic_between
from sglibrary.tolerances import SMOOTH_MIDDLE
from sglibrary.vectors import fma, read, write

COEFFICIENTS = 12
"""Of both quintics, for each variable."""

UNEVEN = 8.0
"""Largest ratio of the distances of knots up to which they are taken together."""


@kernel
def interval(knots, time, k):
    """The last knot at or before a time, which is not before knot k; -1 before the first."""
    count = knots.shape[0]
    if count == 0:
        return -1
    way = _way(knots)
    if way * (time - knots[0, TIME]) < 0.0:
        return -1
    low, high, width = max(k, 0), count, 1
    for ahead in range(low + 1, min(low + 3, count)):  # mostly the same one or the next
        if way * (time - knots[ahead, TIME]) < 0.0:
            return ahead - 1
    share = (time - knots[low, TIME]) / (knots[count - 1, TIME] - knots[low, TIME])
    if 0.0 <= share < 1.0:  # knots are about as dense everywhere
        guess = low + int(share * (count - 1 - low))
        if way * (time - knots[guess, TIME]) >= 0.0:
            low = guess
            while low + width < count and way * (time - knots[low + width, TIME]) >= 0.0:
                low, width = low + width, 2 * width
            high = min(low + width, count)
        else:
            high = guess
            while high - width > low and not way * (time - knots[high - width, TIME]) >= 0.0:
                high, width = high - width, 2 * width
            low = max(low, high - width)
    while high - low > 1:
        middle = (low + high) // 2
        if way * (time - knots[middle, TIME]) >= 0.0:
            low = middle
        else:
            high = middle
    return low


@inlined
def _way(knots):
    return 1.0 if knots[knots.shape[0] - 1, TIME] >= knots[0, TIME] else -1.0


@kernel
def followed(knots, k, time):
    """Whether the group was followed at a time after knot k."""
    return k >= 0 and (knots[k, GAP] == 0.0 or (time == knots[k, TIME] and knots[k, SIGN] != 0.0))


@kernel
def after(knots, k, times, j):
    """The first step after step j, which follows knot k, that does not."""
    if k + 1 == knots.shape[0]:
        return times.size
    way, ahead, low, high = _way(knots), knots[k + 1, TIME], j, times.size
    while high - low > 1:
        middle = (low + high) // 2
        if way * (times[middle] - ahead) < 0.0:
            low = middle
        else:
            high = middle
    return high


@kernel
def together(knots, k, times, start, width):
    """Steps after `start`, which follows knot k, that are followed; `width` at most.

    Returns the one after the last.
    """
    most, stop = min(times.size, start + width), start
    while True:
        if knots[k, GAP] == 0.0:
            stop = after(knots, k, times[:most], stop)
        else:
            stop += 1
        if stop == most:
            return stop
        ahead = interval(knots, times[stop], k)
        if not followed(knots, ahead, times[stop]):
            return stop
        k = ahead


@kernel
def fit(knots, k, variables, width, out):
    """Coefficients `out` (COEFFICIENTS, width) of the variables after knot k.

    Returns the time at z = 0, the inverse of that between the knots, and z where Q begins, with the inverse of how far
    it goes. More than the variables may be asked for, so that loops are even; what is beyond them means nothing.
    """
    start, step = knots[k, TIME], knots[k + 1, TIME] - knots[k, TIME]
    first, last = _others(knots, k)
    if first < 0:
        _fit_two(knots, k, step, variables, width, out)
        return start, 1.0 / step, 0.0, 1.0
    a, b = (knots[first, TIME] - start) / step, (knots[last, TIME] - start) / step
    _fit_four(knots, (first, k, last), step, (a, b), variables, width, out)
    return start, 1.0 / step, a, 1.0 / (b - a)


@kernel
def _fit_two(knots, k, step, variables, width, out):
    for i in range(width):
        p = quintic_between(_taken(knots, k, variables, i, step), _taken(knots, k + 1, variables, i, step))
        _put(out, 0, i, p)
        _put(out, 6, i, (0.0, 0.0, 0.0, 0.0, 0.0, 0.0))


@kernel
def _fit_four(knots, numbers, step, ends, variables, width, out):
    first, k, last = numbers
    a, b = ends
    middle = (0.5 - a) / (b - a)
    for i in range(width):
        p = quintic_between(_taken(knots, k, variables, i, step), _taken(knots, k + 1, variables, i, step))
        left = _missing(p, _taken(knots, first, variables, i, step), a, b - a)
        right = _missing(p, _taken(knots, last, variables, i, step), b, b - a)
        q = quintic_between(left, right)
        agree = math.fabs(_at(q, middle)) <= 64.0 * SMOOTH_MIDDLE
        _put(out, 0, i, p)
        _put(out, 6, i, _only_if(agree, q))


@inlined
def _put(out, k, i, p):
    write(out[k], i, p[0])
    write(out[k + 1], i, p[1])
    write(out[k + 2], i, p[2])
    write(out[k + 3], i, p[3])
    write(out[k + 4], i, p[4])
    write(out[k + 5], i, p[5])


@formula
def _only_if(agree, q):
    return (
        q[0] if agree else 0.0,
        q[1] if agree else 0.0,
        q[2] if agree else 0.0,
        q[3] if agree else 0.0,
        q[4] if agree else 0.0,
        q[5] if agree else 0.0,
    )


@kernel
def _others(knots, k):
    """Two knots besides k and the next one, or -1 and -1: one on each side, or two on one."""
    before, behind = _joined(knots, k - 1, k), _joined(knots, k + 1, k)
    if before and behind:
        return k - 1, k + 2
    if behind and _joined(knots, k + 2, k):
        return k + 2, k + 3
    if before and _joined(knots, k - 2, k):
        return k - 2, k - 1
    return -1, -1


@kernel
def _joined(knots, m, k):
    """Whether a group is followed from knot m to the next, as far as from knot k to its next one but for `UNEVEN`."""
    if m < 0 or m + 1 >= knots.shape[0] or knots[m, GAP] != 0.0 or knots[m, SIGN] * knots[m + 1, SIGN] == 0.0:
        return False
    ratio = (knots[m + 1, TIME] - knots[m, TIME]) / (knots[k + 1, TIME] - knots[k, TIME])
    return 1.0 / UNEVEN <= ratio <= UNEVEN


@inlined
def _taken(knots, k, variables, i, step):
    """Value and two derivatives by z of a variable at a knot."""
    rate, gain = read((knots, k), LEADING + variables + i), read((knots, k), LEADING + 2 * variables + i)
    return read((knots, k), LEADING + i), step * rate, step * step * gain


@formula
def _at(p, z):
    return fma(z, fma(z, fma(z, fma(z, fma(z, p[5], p[4]), p[3]), p[2]), p[1]), p[0])


@formula
def _missing(p, taken, z, width):
    """Value and two derivatives of Q at z, by z over a width, from those of x there."""
    f, f1, f2 = z * (1.0 - z), 1.0 - 2.0 * z, -2.0
    w, w1, w2 = f * f * f, 3.0 * f * f * f1, 6.0 * f * f1 * f1 + 3.0 * f * f * f2
    slope = fma(z, fma(z, fma(z, fma(5.0 * z, p[5], 4.0 * p[4]), 3.0 * p[3]), 2.0 * p[2]), p[1])
    bend = fma(z, fma(z, fma(20.0 * z, p[5], 12.0 * p[4]), 6.0 * p[3]), 2.0 * p[2])
    share = 1.0 / w  # the same for all variables
    q = (taken[0] - _at(p, z)) * share
    q1 = (taken[1] - slope - w1 * q) * share
    q2 = (taken[2] - bend - 2.0 * w1 * q1 - w2 * q) * share
    return q, width * q1, width * width * q2


@kernel
def evaluate(coefficients, span, times, first, stop, variables, x):
    """Variables x (variables, ...) at steps `first` to `stop` of some times, by what `fit` has found."""
    i = 0
    while i + 3 <= variables:  # side by side, since each polynomial by itself mostly waits for its last product
        each = _both(coefficients, i), _both(coefficients, i + 1), _both(coefficients, i + 2)
        _evaluate_three(each, span, times, first, stop, x[i], x[i + 1], x[i + 2])
        i += 3
    while i < variables:
        _evaluate_one(_both(coefficients, i), span, times, first, stop, x[i])
        i += 1


@kernel
def _evaluate_three(each, span, times, first, stop, x, y, u):
    for j in range(first, stop):
        at = _abscissas(span, read(times, j))
        write(x, j, _value(each[0], at))
        write(y, j, _value(each[1], at))
        write(u, j, _value(each[2], at))


@kernel
def _evaluate_one(both, span, times, first, stop, x):
    for j in range(first, stop):
        write(x, j, _value(both, _abscissas(span, read(times, j))))


@formula
def _abscissas(span, time):
    """Where P and Q are evaluated at a time, and the factor of Q."""
    start, share, begin, stretch = span
    z = (time - start) * share
    f = z * (1.0 - z)
    return z, (z - begin) * stretch, f * f * f


@formula
def _value(both, at):
    p, q = both
    return fma(at[2], _at(q, at[1]), _at(p, at[0]))


@inlined
def _both(coefficients, i):
    """P and Q of a variable."""
    return _column(coefficients, 0, i), _column(coefficients, 6, i)


@inlined
def _column(x, k, i):
    return x[k, i], x[k + 1, i], x[k + 2, i], x[k + 3, i], x[k + 4, i], x[k + 5, i]


@kernel
def line(knots, k, ahead, times, first, last, out):
    """Fill `out` with a line over times from what is known at knot k to that at the next, or at the same one."""
    start = knots[k, TIME]
    slope = (last - first) / (knots[ahead, TIME] - start) if ahead > k else 0.0
    for j in range(out.size):
        out[j] = first + (times[j] - start) * slope


@inlined
def left_vector(knots, k, ahead, times, e, variables, out):
    """Fill `out` with component e of the singular vectors between two knots, whose length is not quite 1."""
    at = LEADING + 3 * variables + e
    line(knots, k, ahead, times, knots[k, at], knots[ahead, at], out)
