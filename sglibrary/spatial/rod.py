"""One body on a revolute or prismatic joint and on a rod, which keeps its point C at a distance from a solved point.

On a revolute joint C moves on a circle (`sglibrary.spatial.circle`), on a prismatic one on the line O + e s, where with
G = D - O and the length l of the rod

    e = G·s ± √(l² - (G - (G·s) s)²)

(intersection of a line and a sphere; the sign is the assembly mode), conditioned by E·s / l with E = D - C. The rates
follow from E·E' = 0 and E·E'' + E'² = 0.
"""

import math

from sglibrary.arrays import in_frame, inner, sign, stack
from sglibrary.chain import Base, ChainGeometry, Measured
from sglibrary.convention import kernel
from sglibrary.spatial.circle import meet, turning_body
from sglibrary.status import report
from sglibrary.vectors import axpy, dot, get, minus, plus, put, space, sqrt, times, write


@kernel
def turning(q, v, a, memory, rows, constants, status, conditioning, n):
    """rows: O, e, D; written: u, w. constants: h, ρ, l, sign of the mode."""
    meet(q, v, a, rows, rows[3], constants, conditioning, n)
    report(q, v, a, rows, 3, rows[3], 6, status, conditioning, n)


@kernel
def sliding(q, v, a, memory, rows, constants, status, conditioning, n):
    """rows: O, s, D; written: C. constants: l, sign of the mode."""
    on_line(q, v, a, rows, rows[3], constants, conditioning, n)
    report(q, v, a, rows, 3, rows[3], 3, status, conditioning, n)


@kernel
def on_line(q, v, a, rows, out, constants, conditioning, n):
    """rows: O, s, D; written from row `out`: C. constants: l, sign of the mode."""
    length, mode = constants[0], constants[1]
    o, do, ddo = space(q, rows[0], n), space(v, rows[0], n), space(a, rows[0], n)
    s, ds, dds = space(q, rows[1], n), space(v, rows[1], n), space(a, rows[1], n)
    d, dd, ddd = space(q, rows[2], n), space(v, rows[2], n), space(a, rows[2], n)
    c, dc, ddc = space(q, out, n), space(v, out, n), space(a, out, n)
    cond = conditioning[:n]
    for j in range(cond.size):
        slide, tilt = get(s, j), get(ds, j)
        reach = minus(get(d, j), get(o, j))
        along = dot(reach, slide)
        aside = axpy(-along, slide, reach)
        root = mode * sqrt(length * length - dot(aside, aside))
        e = along + root
        rod = axpy(-root, slide, aside)
        write(cond, j, math.fabs(root) / length)
        put(c, j, axpy(e, slide, get(o, j)))

        share = 1.0 / dot(rod, slide)
        reach = axpy(-e, tilt, minus(get(dd, j), get(do, j)))
        de = dot(rod, reach) * share
        put(dc, j, plus(get(do, j), axpy(e, tilt, times(de, slide))))

        slip = axpy(-de, slide, reach)
        extra = axpy(e, get(dds, j), times(2.0 * de, tilt))
        reach = minus(minus(get(ddd, j), get(ddo, j)), extra)
        dde = (dot(rod, reach) + dot(slip, slip)) * share
        put(ddc, j, plus(get(ddo, j), axpy(dde, slide, extra)))


def measure_turning(g: ChainGeometry) -> Measured:
    """Constants and base of a body on R and SPSP."""
    constants, directions = turning_body(g, g.point(1, 1), g.point(1, 0), g.values[1][..., 2])
    base = Base(("in", 0), (("in", 1), ("out", 0), ("out", 3)), g.point(0, 1), directions)
    return Measured(stack(*constants), (base,), valid=g.long(constants[1]))


def measure_sliding(g: ChainGeometry) -> Measured:
    """Constants and base of a body on P and SPSP."""
    far, joint, slide, length = g.point(1, 0), g.point(1, 1), g.frame(0, 1), g.values[1][..., 2]
    mode = sign(inner(joint - far, slide[..., 2]))
    base = Base(("out", 0), (("in", 3), ("in", 4), ("in", 1)), joint, slide)
    start = (0, True, in_frame(slide, joint - g.point(0, 1)) * [1.0, 1.0, 0.0])
    return Measured(stack(length, mode), (base,), (start,), g.long(length))
