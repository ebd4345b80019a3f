"""The one list of groups with a solver in closed form. Tests, reports and the choice of solvers run over it.

A group is described as a chain: its bodies are numbered from 0, solved bodies are -1, and every joint is written
(first end, second end, code), the code being the symbol of the pair and the numbers of its driven freedoms.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sglibrary import prismatic
from sglibrary.planar import revolute as planar_revolute
from sglibrary.planar import rrr
from sglibrary.spatial import floating, two_bodies, ups
from sglibrary.spatial import revolute as spatial_revolute

Array = NDArray[np.float64]


@dataclass(frozen=True)
class ChainGeometry:
    """Joints of a chain as seen from their two ends, in the order of the chain's joints.

    Attributes
    ----------
    points : (joints, 2, d) array
        Origin of the joint frame on each body, m, in that body's coordinates; all agree in the reference configuration.
    frames : (joints, 2, d, d) array
        Axes of the joint frame as columns: z along the axis in space, x along the slide in the plane.
    cross_angles : (joints,) array
        Angle between the axes of U joints, rad.
    signs : (joints,) array
        -1 where the mechanism declares the joint from the chain's second end to its first.
    """

    points: Array
    frames: Array
    cross_angles: Array
    signs: Array


@dataclass(frozen=True)
class Base:
    """Where a solved body's pose is in the state: a point and directions, each read ("in", k) or written ("out", k).

    `origin` (d,) and `directions` (d, d), as columns, are the local coordinates of that point and of these orthonormal
    directions; in the plane there is one direction, the other follows by a quarter turn.
    """

    point: tuple[str, int]
    vectors: tuple[tuple[str, int], ...]
    origin: Array
    directions: Array


@dataclass(frozen=True)
class Measured:
    """Constants of a group and bases of its bodies, from its geometry in the reference configuration."""

    constants: Array
    bases: tuple[Base, ...]


@dataclass(frozen=True)
class Solver:
    """A closed-form solver of one kind of group.

    Attributes
    ----------
    name : str
    dimension : {2, 3}
    chain : tuple of (int, int, str)
    inputs : tuple of (str, int)
        What the kernel reads of solved bodies: "point", "normal", "binormal" or "axis" (the origin and x, y, z of the
        joint frame), and the number of the joint.
    drivers : tuple of (int, int)
        Driven freedoms: numbers of joint and freedom.
    written : int
        Number of rows written.
    shared : tuple of (str, int)
        Further inputs which only the bases refer to, numbered after `inputs`.
    modes : int
        Number of two-valued assembly modes; their signs are the constants named in the kernel's module.
    motion : kernel
        Position, velocity and acceleration of a block (`sglibrary.convention`).
    measure : callable
        From `ChainGeometry` to `Measured`, or None where the closed form does not apply to this geometry.
    """

    name: str
    dimension: int
    chain: tuple[tuple[int, int, str], ...]
    inputs: tuple[tuple[str, int], ...]
    written: int
    motion: Callable[..., None]
    measure: Callable[[ChainGeometry], Measured | None]
    drivers: tuple[tuple[int, int], ...] = ()
    shared: tuple[tuple[str, int], ...] = ()
    modes: int = 0


DEGENERATE = 1e-9
"""Relative length below which a direction is not defined and a closed form steps back for Newton."""


def _unit(vector: Array) -> Array | None:
    length = np.linalg.norm(vector)
    return vector / length if length > DEGENERATE else None


def _driven_revolute_plane(g: ChainGeometry) -> Measured:
    base = Base(("in", 0), (("out", 0),), g.points[0, 1], g.frames[0, 1])
    return Measured(np.array([g.signs[0]]), (base,))


def _driven_prismatic_plane(g: ChainGeometry) -> Measured:
    base = Base(("out", 0), (("in", 1),), g.points[0, 1], g.frames[0, 1])
    return Measured(np.array([g.signs[0], 2.0]), (base,))


def _driven_revolute_space(g: ChainGeometry) -> Measured:
    base = Base(("in", 0), (("out", 0), ("out", 3), ("in", 3)), g.points[0, 1], g.frames[0, 1])
    return Measured(np.array([g.signs[0]]), (base,))


def _driven_prismatic_space(g: ChainGeometry) -> Measured:
    base = Base(("out", 0), (("in", 2), ("in", 3), ("in", 1)), g.points[0, 1], g.frames[0, 1])
    return Measured(np.array([g.signs[0], 3.0]), (base,))


def _floating(g: ChainGeometry) -> Measured | None:
    if g.signs[0] < 0:  # coordinates of the solved body relative to this one: another kernel
        return None
    base = Base(("out", 0), (("out", 3), ("out", 6), ("out", 9)), g.points[0, 1], g.frames[0, 1])
    return Measured(np.zeros(1), (base,))


def _rrr(g: ChainGeometry) -> Measured | None:
    first, second = g.points[1, 0] - g.points[0, 1], g.points[1, 1] - g.points[2, 0]
    l1, l2 = np.linalg.norm(first), np.linalg.norm(second)
    if min(l1, l2) <= DEGENERATE * max(l1, l2):
        return None
    u1, u2 = first / l1, second / l2
    sine = u1[0] * u2[1] - u1[1] * u2[0]
    bases = tuple(
        Base(("in", k), (("out", 2 * k),), point, np.array([u, [-u[1], u[0]]]).T)
        for k, (point, u) in enumerate(((g.points[0, 1], u1), (g.points[2, 0], u2)))
    )
    return Measured(np.array([l1, l2, 1.0 if sine >= 0 else -1.0]), bases)


def _orientation(span: Array, n1: Array, n2: Array, toward: Array) -> tuple[Array, float] | None:
    """Directions n2, m, k of a body (columns), m in the plane of n2 and `toward`, and the mode of its orientation."""
    m = _unit(toward - (toward @ n2) * n2)
    if m is None:
        return None
    return np.array([n2, m, np.cross(n2, m)]).T, 1.0 if n2 @ np.cross(n1, span) >= 0 else -1.0


def _ups(g: ChainGeometry) -> Measured | None:
    center, end = g.points[0, 1], g.points[2, 0]
    slide, n1, n2 = g.frames[1, 0][:, 2], g.frames[0, 0][:, 2], g.frames[0, 1][:, 2]
    turn = g.frames[1, 0] @ g.frames[1, 1].T  # coordinates of body 1 to those of body 0
    offset = g.points[1, 0] - center + turn @ (end - g.points[1, 1])
    offset = offset - (offset @ slide) * slide
    found = _orientation(end - center, n1, n2, slide) or _orientation(end - center, n1, n2, np.cross(n2, n1))
    if found is None:
        return None
    directions, mode = found
    side = 1.0 if (end - center) @ slide >= 0 else -1.0
    along = directions.T @ slide
    constants = [*(directions.T @ offset), along[0], along[1], np.cos(g.cross_angles[0]), side, mode]
    vectors = (("out", 0), ("out", 3), ("out", 6))
    bases = (
        Base(("in", 0), vectors, center, directions),
        Base(("in", 2), vectors, end, turn.T @ directions),
    )
    return Measured(np.array(constants), bases)


def _turning_body(g: ChainGeometry, far: Array, length: float) -> tuple[list[float], Array] | None:
    """Constants h, ρ, l and mode of a body on a revolute axis, and its directions e, u, w; `far` is the other end."""
    origin, axis, joint = g.points[0, 1], g.frames[0, 1][:, 2], g.points[1, 0]
    h = (joint - origin) @ axis
    radial = joint - origin - h * axis
    radius = float(np.linalg.norm(radial))
    if radius <= DEGENERATE * (radius + length):
        return None
    u = radial / radius
    w = np.cross(axis, u)
    mode = 1.0 if (far - origin) @ w <= 0 else -1.0
    return [float(h), radius, length, mode], np.array([axis, u, w]).T


def _two_bodies(
    g: ChainGeometry, span: Array, n1: Array, n2: Array, cross_angle: float, far: Array, axis_on_first: bool
) -> Measured | None:
    """What R-U-S and R-S-U share; `span` is the vector from U to S in body 1 of the chain."""
    first = _turning_body(g, far, float(np.linalg.norm(span)))
    second = _orientation(span, n1, n2, span)
    if first is None or second is None:
        return None
    constants, directions = first
    frame, mode = second
    constants = [*constants, *(frame.T @ span), np.cos(cross_angle), mode]
    if axis_on_first:
        constants += [*(directions.T @ n1)]
    bases = (
        Base(("in", 0), (("in", 1), ("out", 0), ("out", 3)), g.points[0, 1], directions),
        Base(("in", 2), (("out", 6), ("out", 9), ("out", 12)), far, frame),
    )
    return Measured(np.array(constants), bases)


def _rus(g: ChainGeometry) -> Measured | None:
    far, center = g.points[2, 0], g.points[1, 1]
    n1, n2 = g.frames[1, 0][:, 2], g.frames[1, 1][:, 2]
    return _two_bodies(g, far - center, n1, n2, g.cross_angles[1], far, axis_on_first=True)


def _rsu(g: ChainGeometry) -> Measured | None:
    far, ball = g.points[2, 0], g.points[1, 1]
    n1, n2 = g.frames[2, 1][:, 2], g.frames[2, 0][:, 2]
    return _two_bodies(g, ball - far, n1, n2, g.cross_angles[2], far, axis_on_first=False)


GROUPS: tuple[Solver, ...] = (
    Solver(
        name="driven R",
        dimension=2,
        chain=((-1, 0, "R*1"),),
        inputs=(("point", 0), ("normal", 0)),
        drivers=((0, 0),),
        written=2,
        motion=planar_revolute.motion,
        measure=_driven_revolute_plane,
    ),
    Solver(
        name="driven P",
        dimension=2,
        chain=((-1, 0, "P*1"),),
        inputs=(("point", 0), ("normal", 0)),
        drivers=((0, 0),),
        written=2,
        motion=prismatic.motion,
        measure=_driven_prismatic_plane,
    ),
    Solver(
        name="RRR",
        dimension=2,
        chain=((-1, 0, "R"), (0, 1, "R"), (1, -1, "R")),
        inputs=(("point", 0), ("point", 2)),
        written=4,
        modes=1,
        motion=rrr.motion,
        measure=_rrr,
    ),
    Solver(
        name="driven R",
        dimension=3,
        chain=((-1, 0, "R*1"),),
        inputs=(("point", 0), ("normal", 0), ("binormal", 0)),
        drivers=((0, 0),),
        shared=(("axis", 0),),
        written=6,
        motion=spatial_revolute.motion,
        measure=_driven_revolute_space,
    ),
    Solver(
        name="driven P",
        dimension=3,
        chain=((-1, 0, "P*1"),),
        inputs=(("point", 0), ("axis", 0)),
        drivers=((0, 0),),
        shared=(("normal", 0), ("binormal", 0)),
        written=3,
        motion=prismatic.motion,
        measure=_driven_prismatic_space,
    ),
    Solver(
        name="floating body",
        dimension=3,
        chain=((-1, 0, "F*123456"),),
        inputs=(("point", 0), ("normal", 0), ("binormal", 0), ("axis", 0)),
        drivers=tuple((0, k) for k in range(6)),
        written=12,
        motion=floating.motion,
        measure=_floating,
    ),
    Solver(
        name="U-P-S",
        dimension=3,
        chain=((-1, 0, "U"), (0, 1, "P"), (1, -1, "S")),
        inputs=(("point", 0), ("axis", 0), ("point", 2)),
        written=9,
        modes=2,
        motion=ups.motion,
        measure=_ups,
    ),
    Solver(
        name="R-U-S",
        dimension=3,
        chain=((-1, 0, "R"), (0, 1, "U"), (1, -1, "S")),
        inputs=(("point", 0), ("axis", 0), ("point", 2)),
        written=15,
        modes=2,
        motion=two_bodies.rus,
        measure=_rus,
    ),
    Solver(
        name="R-S-U",
        dimension=3,
        chain=((-1, 0, "R"), (0, 1, "S"), (1, -1, "U")),
        inputs=(("point", 0), ("axis", 0), ("point", 2), ("axis", 2)),
        written=15,
        modes=2,
        motion=two_bodies.rsu,
        measure=_rsu,
    ),
)
