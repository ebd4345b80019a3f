"""Cosine and sine of many angles at once.

The library functions that a compiler calls take one angle at a time. Here the angle is reduced by multiples of π/2 in
two parts (Cody and Waite 1980) and both functions follow from polynomials of degree 13 and 14, in a loop that
vectorizes; the error is about one unit in the last place of 1.
"""

import math

from sglibrary.convention import formula, kernel
from sglibrary.vectors import fma, write

REDUCIBLE = 1e5
"""Angles up to this many radians are reduced in two parts without loss."""

# π/2 = HIGH + MIDDLE + LOW; HIGH and MIDDLE end in zeros, so that their multiples are exact.
HIGH, MIDDLE, LOW = 1.57079632673412561417e00, 6.07710050630396597660e-11, 2.02226624879595063154e-21

# Least maximum error on [-π/4, π/4]: (sin r - r) / r³ and (cos r - 1 + r²/2) / r⁴ as polynomials of r².
SINE = (
    -1.66666666666666324348e-01,
    8.33333333332248946124e-03,
    -1.98412698298579493134e-04,
    2.75573137070700676789e-06,
    -2.50507602534068634195e-08,
    1.58969099521155010221e-10,
)
COSINE = (
    4.16666666666666019037e-02,
    -1.38888888888741095749e-03,
    2.48015872894767294178e-05,
    -2.75573143513906633035e-07,
    2.08757232129817482790e-09,
    -1.13596475577881948265e-11,
)


@formula
def _polynomial(z, p):
    return fma(z, fma(z, fma(z, fma(z, fma(z, p[5], p[4]), p[3]), p[2]), p[1]), p[0])


@kernel
def cosine_sine(angles, cosines, sines):
    """Fill `cosines` and `sines` (n,) of `angles` (n,) in rad, neither of which overlaps another.

    NaN and infinity give NaN.
    """
    far = 0
    for j in range(angles.size):
        far += not (math.fabs(angles[j]) <= REDUCIBLE)
    for j in range(angles.size):
        angle = angles[j] if math.fabs(angles[j]) <= REDUCIBLE else 0.0
        n = math.floor(angle * (2.0 / math.pi) + 0.5)
        r = fma(n, -LOW, fma(n, -MIDDLE, fma(n, -HIGH, angle)))
        z = r * r
        s = fma(r * z, _polynomial(z, SINE), r)
        c = fma(z * z, _polynomial(z, COSINE), fma(-0.5, z, 1.0))
        quarter = n - 4.0 * math.floor(0.25 * n)
        odd = quarter == 1.0 or quarter == 3.0
        first, second = (s, c) if odd else (c, s)
        write(cosines, j, -first if quarter == 1.0 or quarter == 2.0 else first)
        write(sines, j, -second if quarter >= 2.0 else second)
    if far:
        _far(angles, cosines, sines)


@kernel
def _far(angles, cosines, sines):
    """Replace the cosines and sines of angles beyond `REDUCIBLE`; those of others do not depend on their neighbors."""
    for j in range(angles.size):
        if not math.fabs(angles[j]) <= REDUCIBLE:
            finite = math.isfinite(angles[j])
            cosines[j] = math.cos(angles[j]) if finite else math.nan
            sines[j] = math.sin(angles[j]) if finite else math.nan
