"""Motion laws of drivers over many steps: value, rate and acceleration.

A law is a kind, four numbers, and a part of a table that all laws share; the last number is where that part begins.

========= ================================================== ==========================================================
kind      numbers                                            table
========= ================================================== ==========================================================
RAMP      rate, start
HARMONIC  amplitude, frequency (rad/s), phase, offset
SERIES    frequency (rad/s), offset, terms n, place          coefficients of n cosines, then of n sines
PIECES    pieces n, coefficients m, period or 0, place       n + 1 ends of pieces, then (n, m) coefficients in falling
                                                             powers of the time since the piece began; with a period
                                                             then the advance, by which the value grows in each
OTHER     is evaluated elsewhere
========= ================================================== ==========================================================
"""

import math

from sglibrary.convention import formula, inlined, kernel
from sglibrary.trigonometry import cosine_sine
from sglibrary.vectors import fma, write

RAMP, HARMONIC, SERIES, PIECES, OTHER = 0, 1, 2, 3, 4


@kernel
def evaluate_all(times, kinds, numbers, table, values):
    """Fill the first n columns of `values` (d, 3, m) with d laws, none of which is OTHER."""
    for k in range(kinds.size):
        x = values[k]
        evaluate(times, kinds[k], numbers[k], table, (x[0, : times.size], x[1, : times.size], x[2, : times.size]))


@kernel
def evaluate(times, kind, numbers, table, out):
    """Fill `out`, three arrays (n,), with a law that is not OTHER."""
    if kind == RAMP:
        ramp(times, numbers[0], numbers[1], out)
    elif kind == HARMONIC:
        harmonic(times, numbers[0], numbers[1], numbers[2], numbers[3], out)
    elif kind == SERIES:
        circle(times, numbers[0], out[2], out[1], out[0])
        series(out[1], out[0], numbers, table, out)
    elif kind == PIECES:
        place, count, width = int(numbers[3]), int(numbers[0]), int(numbers[1])
        ends, last = table[place : place + count + 1], place + count + 1 + count * width
        advance = table[last] if numbers[2] > 0.0 else 0.0
        pieces(times, ends, table[place + count + 1 : last], numbers[2], advance, out)


@kernel
def ramp(times, rate, start, out):
    """Fill `out` with start + rate t and its derivatives."""
    value, slope, gain = out[0], out[1], out[2]
    for j in range(times.size):
        write(value, j, start + rate * times[j])
        write(slope, j, rate)
        write(gain, j, 0.0)


@kernel
def harmonic(times, amplitude, frequency, phase, offset, out):
    """Fill `out` with offset + amplitude sin(frequency t + phase) and its derivatives; frequency in rad/s."""
    value, rate, gain = out[0], out[1], out[2]
    for j in range(times.size):
        gain[j] = frequency * times[j] + phase
    cosine_sine(gain, rate, value)
    slope, bend = amplitude * frequency, -amplitude * frequency * frequency
    for j in range(times.size):
        sine = value[j]
        value[j], rate[j], gain[j] = offset + amplitude * sine, slope * rate[j], bend * sine


@kernel
def circle(times, frequency, angles, cosines, sines):
    """Fill three rows with angles frequency t, their cosines and sines."""
    for j in range(times.size):
        angles[j] = frequency * times[j]
    cosine_sine(angles, cosines, sines)


@kernel
def series(cosines, sines, numbers, table, out):
    """Fill `out` with offset + Σ cosine[k] cos((k + 1) frequency t) + sine[k] sin(…), from those of k = 0.

    As many terms as are known beforehand let the loop over steps vectorize. What is given may be in rows of `out`.
    """
    place, terms, zero = int(numbers[3]), int(numbers[2]), 0.0
    cosine, sine = table[place : place + terms], table[place + terms : place + 2 * terms]
    if terms <= 2:
        a = cosine[0] if terms > 0 else zero, cosine[1] if terms > 1 else zero
        b = sine[0] if terms > 0 else zero, sine[1] if terms > 1 else zero
        _few(a, b, 2, numbers, cosines, sines, out)
    elif terms <= 4:
        a = cosine[0], cosine[1], cosine[2], cosine[3] if terms > 3 else zero
        b = sine[0], sine[1], sine[2], sine[3] if terms > 3 else zero
        _few(a, b, 4, numbers, cosines, sines, out)
    else:
        value, rate, gain = out[0], out[1], out[2]
        for j in range(value.size):
            x = _sum(cosine, sine, terms, numbers[0], numbers[1], cosines[j], sines[j])
            value[j], rate[j], gain[j] = x


@inlined
def _few(cosine, sine, terms, numbers, cosines, sines, out):
    value, rate, gain = out[0], out[1], out[2]
    frequency, offset = numbers[0], numbers[1]
    for j in range(value.size):
        x = _sum(cosine, sine, terms, frequency, offset, cosines[j], sines[j])
        write(value, j, x[0])
        write(rate, j, x[1])
        write(gain, j, x[2])


@formula
def _sum(cosine, sine, terms, frequency, offset, c1, s1):
    """Sum of a series and its derivatives where the first cosine and sine are c1 and s1."""
    c, s, x, slope, bend = c1, s1, offset, 0.0, 0.0
    for k in range(terms):
        w = (k + 1) * frequency
        here = cosine[k] * c + sine[k] * s
        x += here
        slope += w * (sine[k] * c - cosine[k] * s)
        bend -= w * w * here
        c, s = c * c1 - s * s1, s * c1 + c * s1
    return x, slope, bend


@kernel
def pieces(times, ends, coefficients, period, advance, out):
    """Fill `out` with polynomials between ends (n + 1,), of coefficients (n m,) in falling powers of t - ends[k].

    The first and the last piece go on beyond the ends, unless all is repeated with a period, and an advance in each.
    """
    value, rate, gain = out[0], out[1], out[2]
    count = ends.size - 1
    width, k = coefficients.size // count, 0
    for j in range(times.size):
        t, before = times[j], 0.0
        if period > 0.0:
            turns = math.floor((t - ends[0]) / period)
            t, before = t - turns * period, turns * advance
        if not ends[k] <= t < ends[k + 1]:
            k = _piece(ends, t)
        x, p, slope, half = t - ends[k], 0.0, 0.0, 0.0
        for c in coefficients[k * width : (k + 1) * width]:
            half = fma(half, x, slope)
            slope = fma(slope, x, p)
            p = fma(p, x, c)
        value[j], rate[j], gain[j] = p + before, slope, 2.0 * half


@kernel
def _piece(ends, t):
    """The piece that a time is in, by bisection; the first or the last where it is in none."""
    low, high = 0, ends.size - 1
    while high - low > 1:
        middle = (low + high) // 2
        if t < ends[middle]:
            high = middle
        else:
            low = middle
    return low
