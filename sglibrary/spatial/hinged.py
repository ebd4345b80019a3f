"""Two bodies on hinges whose axes are parallel or meet in a point: plane and spherical dyads, in space.

The hinge between the bodies, at C = O + h e + ρ u, moves on a circle about the axis e of the first hinge, and keeps its
distance from a point D on the axis n of the last one (`sglibrary.spatial.circle`, with the assembly mode). Body 2 turns
about n, so that its directions are n, the part of C - D across n, and what is across both:

    r = (C - D - h₂ n) / ρ₂,    s = n × r.

With a slide in place of the last hinge, along s across the axes, C moves on a line and keeps its distance ρ from the
axis of the first hinge (`sglibrary.spatial.rod`), which gives the direction of body 1, u = (C - O) / ρ: C and O are
taken at the same height.

Whether the axes stay parallel, or keep meeting, depends on the bodies that the hinges are on: the rows that these
closed forms leave out are checked after every block (`sglibrary.repeated_rows`).
"""

import numpy as np

from sglibrary.array_types import Array, Flags
from sglibrary.arrays import across, in_frame, inner, length, over, sign, stack, unit
from sglibrary.chain import Base, ChainGeometry, Measured
from sglibrary.convention import formula, kernel
from sglibrary.spatial.circle import meet, turning_body
from sglibrary.spatial.rod import on_line
from sglibrary.status import report
from sglibrary.tolerances import ALIKE_AXES, OFF_AXIS
from sglibrary.vectors import axpy, cross, get, minus, plus, put, space, times


@formula
def _beside(axis, tilt, bend, x, dx, ddx):
    """Direction across an axis and a direction x, its rate and its acceleration, from theirs."""
    rate = plus(cross(tilt, x), cross(axis, dx))
    return cross(axis, x), rate, plus(cross(bend, x), axpy(2.0, cross(tilt, dx), cross(axis, ddx)))


@kernel
def motion(q, v, a, memory, rows, constants, status, conditioning, n):
    """rows: O, e, D, n; written: u, w of body 1, r, s of body 2. constants: h, ρ, l, mode, h₂, 1 / ρ₂."""
    out = rows[4]
    meet(q, v, a, rows, out, constants, conditioning, n)
    h, radius, height, share = constants[0], constants[1], constants[4], constants[5]
    o, do, ddo = space(q, rows[0], n), space(v, rows[0], n), space(a, rows[0], n)
    e, de, dde = space(q, rows[1], n), space(v, rows[1], n), space(a, rows[1], n)
    d, dd, ddd = space(q, rows[2], n), space(v, rows[2], n), space(a, rows[2], n)
    f, df, ddf = space(q, rows[3], n), space(v, rows[3], n), space(a, rows[3], n)
    u, du, ddu = space(q, out, n), space(v, out, n), space(a, out, n)
    r, dr, ddr = space(q, out + 6, n), space(v, out + 6, n), space(a, out + 6, n)
    s, ds, dds = space(q, out + 9, n), space(v, out + 9, n), space(a, out + 9, n)
    steps = conditioning[:n]
    for j in range(steps.size):
        axis, tilt, bend = get(f, j), get(df, j), get(ddf, j)
        arm = axpy(radius, get(u, j), axpy(h, get(e, j), minus(get(o, j), get(d, j))))
        x = times(share, axpy(-height, axis, arm))
        arm = axpy(radius, get(du, j), axpy(h, get(de, j), minus(get(do, j), get(dd, j))))
        dx = times(share, axpy(-height, tilt, arm))
        arm = axpy(radius, get(ddu, j), axpy(h, get(dde, j), minus(get(ddo, j), get(ddd, j))))
        ddx = times(share, axpy(-height, bend, arm))
        put(r, j, x)
        put(dr, j, dx)
        put(ddr, j, ddx)
        beside, turning, gaining = _beside(axis, tilt, bend, x, dx, ddx)
        put(s, j, beside)
        put(ds, j, turning)
        put(dds, j, gaining)
    report(q, v, a, rows, 4, out, 12, status, conditioning, n)


@kernel
def sliding(q, v, a, memory, rows, constants, status, conditioning, n):
    """rows: start of the line, s, O, e; written: C of body 2, u, w of body 1. constants: ρ, sign of the mode."""
    out = rows[4]
    on_line(q, v, a, rows, out, constants, conditioning, n)
    share, cond = 1.0 / constants[0], conditioning[:n]
    o, do, ddo = space(q, rows[2], n), space(v, rows[2], n), space(a, rows[2], n)
    e, de, dde = space(q, rows[3], n), space(v, rows[3], n), space(a, rows[3], n)
    c, dc, ddc = space(q, out, n), space(v, out, n), space(a, out, n)
    u, du, ddu = space(q, out + 3, n), space(v, out + 3, n), space(a, out + 3, n)
    w, dw, ddw = space(q, out + 6, n), space(v, out + 6, n), space(a, out + 6, n)
    for j in range(cond.size):
        axis, tilt, bend = get(e, j), get(de, j), get(dde, j)
        x = times(share, minus(get(c, j), get(o, j)))
        dx = times(share, minus(get(dc, j), get(do, j)))
        ddx = times(share, minus(get(ddc, j), get(ddo, j)))
        put(u, j, x)
        put(du, j, dx)
        put(ddu, j, ddx)
        beside, turning, gaining = _beside(axis, tilt, bend, x, dx, ddx)
        put(w, j, beside)
        put(dw, j, turning)
        put(ddw, j, gaining)
    report(q, v, a, rows, 4, out, 9, status, conditioning, n)


def measure_sliding(g: ChainGeometry) -> Measured:
    """Constants and bases with a slide; closed where the axes of the hinges are parallel and across the slide."""
    origin, axis, frame = g.point(0, 1), g.axis(0, 1), g.frame(2, 0)
    height = inner(g.point(1, 0) - origin, axis)
    radial = across(g.point(1, 0) - origin, axis)
    u, along = unit(radial), inner(g.axis(1, 1), axis)
    joint = g.point(1, 1) - (along * height)[..., None] * g.axis(1, 1)
    mode = sign(inner(joint - origin, frame[..., 2]))
    start = (2, True, in_frame(frame, joint - g.point(2, 0)) * [1.0, 1.0, 0.0])
    bases = (
        Base(("in", 2), (("in", 3), ("out", 3), ("out", 6)), origin, stack(axis, u, np.cross(axis, u))),
        Base(("out", 0), (("in", 4), ("in", 5), ("in", 1)), joint, frame),
    )
    plane = (length(np.cross(axis, g.axis(1, 0))) < ALIKE_AXES) & (np.abs(inner(axis, frame[..., 2])) < ALIKE_AXES)
    return Measured(stack(length(radial), mode), bases, (start,), g.long(length(radial)), np.asarray(plane))


def measure(g: ChainGeometry) -> Measured:
    """Constants and bases of both bodies; closed where the axes are parallel or meet in a point."""
    far, last = g.point(2, 0), g.axis(2, 0)
    # where the point of the middle hinge is on another axis, as that of a sphere's center is, one beside it will do
    shift = np.where(_is_off(g, g.point(1, 0)), 0.0, 0.5 * g.size)[..., None]
    joint, arm = g.point(1, 0) + shift * g.axis(1, 0), g.point(1, 1) + shift * g.axis(1, 1) - far
    constants, directions = turning_body(g, joint, far, length(arm))
    radial = across(arm, last)
    r = unit(radial)
    bases = (
        Base(("in", 0), (("in", 1), ("out", 0), ("out", 3)), g.point(0, 1), directions),
        Base(("in", 2), (("in", 3), ("out", 6), ("out", 9)), far, stack(last, r, np.cross(last, r))),
    )
    numbers = stack(*constants, inner(arm, last), over(np.ones(()), length(radial)))
    lengths = g.long(constants[1]) & g.long(length(radial))
    return Measured(numbers, bases, valid=lengths, closed=_together(g))


def _is_off(g: ChainGeometry, point: Array) -> Flags:
    """Whether a point is off the axes of the first and the last hinge."""
    first, last = (length(across(point - g.point(*end), g.axis(*end))) for end in ((0, 1), (2, 0)))
    return np.asarray((first > OFF_AXIS * g.size) & (last > OFF_AXIS * g.size))


def _together(g: ChainGeometry) -> Flags:
    """Whether the three axes are parallel, or meet in a point."""
    ends = (0, 1), (1, 0), (2, 0)
    lines = [(g.point(*end), g.axis(*end)) for end in ends]
    normals = [np.cross(lines[i][1], lines[k][1]) for i, k in ((0, 1), (1, 2), (0, 2))]
    parallel = np.all([length(normal) < ALIKE_AXES for normal in normals], axis=0)
    (start, first), (second, middle), _ = lines
    square = inner(normals[0], normals[0])
    way = over(inner(np.cross(second - start, middle), normals[0]), square)
    center = start + np.nan_to_num(way)[..., None] * first  # of the first two axes, where they meet
    apart = [length(across(center - point, axis)) for point, axis in lines]
    meet = np.all([distance < ALIKE_AXES * g.size for distance in apart], axis=0)
    skew = np.all([length(normal) > OFF_AXIS for normal in normals], axis=0)
    return np.asarray(parallel | (meet & skew))
