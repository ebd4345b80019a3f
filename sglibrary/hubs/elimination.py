"""Linear systems of three and of six unknowns, written out, so that loops over steps take them in.

Rows are tuples in the order of elimination. What remains of them after each pivot is one shorter; `factors` are the
pivots' rows, their inverses and the multipliers, of which the largest says how stable the order is.
"""

import math

from sglibrary.convention import formula
from sglibrary.vectors import fma


@formula
def _cut6(r, p, m):
    return fma(-m, p[1], r[1]), fma(-m, p[2], r[2]), fma(-m, p[3], r[3]), fma(-m, p[4], r[4]), fma(-m, p[5], r[5])


@formula
def _cut5(r, p, m):
    return fma(-m, p[1], r[1]), fma(-m, p[2], r[2]), fma(-m, p[3], r[3]), fma(-m, p[4], r[4])


@formula
def _cut4(r, p, m):
    return fma(-m, p[1], r[1]), fma(-m, p[2], r[2]), fma(-m, p[3], r[3])


@formula
def _cut3(r, p, m):
    return fma(-m, p[1], r[1]), fma(-m, p[2], r[2])


@formula
def _most(a, b):
    """The larger size, one instruction; where one is NaN, so are the solutions."""
    b = math.fabs(b)
    return a if a > b else b


@formula
def factors_of_three(a, b, c):
    """Factors of a matrix of three rows, and the largest multiplier."""
    i = 1.0 / a[0]
    m, n = b[0] * i, c[0] * i
    b1, c1 = _cut3(b, a, m), _cut3(c, a, n)
    k = 1.0 / b1[0]
    o = c1[0] * k
    last = 1.0 / fma(-o, b1[1], c1[1])
    return (a[1], a[2], b1[1]), (i, k, last), (m, n, o), _most(_most(_most(0.0, m), n), o)


@formula
def solve_three(factors, right):
    """The solution for a right-hand side, a tuple."""
    (a1, a2, b2), (i, k, last), (m, n, o), _ = factors
    x, y, z = right
    y = fma(-m, x, y)
    z = fma(-o, y, fma(-n, x, z)) * last
    y = fma(-b2, z, y) * k
    return fma(-a1, y, fma(-a2, z, x)) * i, y, z


@formula
def factors_of_six(a, b, c, d, e, f):
    """Factors of a matrix of six rows, and the largest multiplier."""
    i = 1.0 / a[0]
    m = b[0] * i, c[0] * i, d[0] * i, e[0] * i, f[0] * i
    most = _most(_most(_most(_most(_most(0.0, m[0]), m[1]), m[2]), m[3]), m[4])
    b1, c1, d1, e1, f1 = _cut6(b, a, m[0]), _cut6(c, a, m[1]), _cut6(d, a, m[2]), _cut6(e, a, m[3]), _cut6(f, a, m[4])
    j = 1.0 / b1[0]
    n = c1[0] * j, d1[0] * j, e1[0] * j, f1[0] * j
    most = _most(_most(_most(_most(most, n[0]), n[1]), n[2]), n[3])
    c2, d2, e2, f2 = _cut5(c1, b1, n[0]), _cut5(d1, b1, n[1]), _cut5(e1, b1, n[2]), _cut5(f1, b1, n[3])
    k = 1.0 / c2[0]
    o = d2[0] * k, e2[0] * k, f2[0] * k
    most = _most(_most(_most(most, o[0]), o[1]), o[2])
    d3, e3, f3 = _cut4(d2, c2, o[0]), _cut4(e2, c2, o[1]), _cut4(f2, c2, o[2])
    h = 1.0 / d3[0]
    p = e3[0] * h, f3[0] * h
    most = _most(_most(most, p[0]), p[1])
    e4, f4 = _cut3(e3, d3, p[0]), _cut3(f3, d3, p[1])
    g = 1.0 / e4[0]
    r = f4[0] * g
    last = 1.0 / fma(-r, e4[1], f4[1])
    return (a, b1, c2, d3, e4), (i, j, k, h, g, last), (m, n, o, p, r), _most(most, r)


@formula
def solve_six(factors, x):
    """The solution for a right-hand side, a tuple."""
    (a, b, c, d, e), (i, j, k, h, g, last), (m, n, o, p, r), _ = factors
    x0 = x[0]
    x1 = fma(-m[0], x0, x[1])
    x2 = fma(-n[0], x1, fma(-m[1], x0, x[2]))
    x3 = fma(-o[0], x2, fma(-n[1], x1, fma(-m[2], x0, x[3])))
    x4 = fma(-p[0], x3, fma(-o[1], x2, fma(-n[2], x1, fma(-m[3], x0, x[4]))))
    x5 = fma(-r, x4, fma(-p[1], x3, fma(-o[2], x2, fma(-n[3], x1, fma(-m[4], x0, x[5]))))) * last
    x4 = fma(-e[1], x5, x4) * g
    x3 = fma(-d[1], x4, fma(-d[2], x5, x3)) * h
    x2 = fma(-c[1], x3, fma(-c[2], x4, fma(-c[3], x5, x2))) * k
    x1 = fma(-b[1], x2, fma(-b[2], x3, fma(-b[3], x4, fma(-b[4], x5, x1)))) * j
    x0 = fma(-a[1], x1, fma(-a[2], x2, fma(-a[3], x3, fma(-a[4], x4, fma(-a[5], x5, x0))))) * i
    return x0, x1, x2, x3, x4, x5
