"""Schemes and tables of the groups that are solved around a hub (`sglibrary.iterative.tables`)."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from groupkin.kinematics.program.newton_tables import count, joined
from groupkin.kinematics.program.program import TIME_ROW
from groupkin.mechanism.mechanism import Mechanism
from groupkin.model.geometry.coordinates import reference_coordinates
from groupkin.model.geometry.frames import JointGeometry
from groupkin.model.geometry.geometry import Geometry
from groupkin.model.hubs import Hub
from groupkin.model.rods import Rod
from groupkin.model.trees import padded
from sglibrary.array_types import Array, Flags, Ints
from sglibrary.arrays import in_frame, inner, length, quarter, sign, unit
from sglibrary.chain import ChainGeometry, Measured, Solver
from sglibrary.hubs import scheme as schemes
from sglibrary.iterative import kinds
from sglibrary.iterative.tables import table_rows
from sglibrary.straight.scheme import pose_vectors
from sglibrary.tolerances import SHORTEST_ARM

LEAST_REACH = 0.5
"""Share of its length that a telescope must have along its slide in the reference configuration, or it might pass its
foot, where in closed form it has a singular position and in truth none."""

LEGS = {"RPR": kinds.RPR, "U-P-S": kinds.UPS, "C-P-S": kinds.CPS}
"""Kinds of legs by the names of closed forms, which are those of telescopes whose slides are free."""


@dataclass(frozen=True)
class Leg:
    """A leg of a hub with its numbers.

    Attributes
    ----------
    rod : Rod
    solver : Solver
    chain : ChainGeometry
        Foot, slide and top; of a rod with a slide along it.
    measured : Measured
    span : (..., d) array
        From foot to tip where the slide is at zero, m, in the coordinates of the first body.
    sign : float
        -1 where the slide is declared from the body at the top.
    """

    rod: Rod
    solver: Solver
    chain: ChainGeometry
    measured: Measured
    span: Array
    sign: float

    @property
    def slide(self) -> Array:
        """Direction (..., d) of the slide in the first body."""
        return self.chain.frame(1, 0)[..., 2 if self.span.shape[-1] == 3 else 0]

    @property
    def reach(self) -> Array:
        """From foot to tip (..., d) in the reference configuration, m, in the coordinates of the first body."""
        return self.span + self.sign * self.chain.values[1][..., None] * self.slide

    @property
    def length(self) -> Array:
        return length(self.reach)


def applies(mechanism: Mechanism, geometry: Geometry, hub: Hub) -> bool:
    """Whether all legs of a hub have a closed form in this geometry, and none may pass its foot."""
    return all(bool(usable(leg_of(mechanism, geometry, rod), geometry.size)) for rod in hub.legs)


def usable(leg: Leg, size: float) -> Flags:
    """Tell whether a leg has a closed form in a geometry, or in those of variants, and may not pass its foot."""
    far = leg.length > SHORTEST_ARM * size
    along = np.abs(inner(leg.reach, leg.slide))
    return np.asarray(leg.measured.valid & far & (along >= LEAST_REACH * leg.length))


def leg_of(mechanism: Mechanism, geometry: Geometry, rod: Rod) -> Leg:
    """Measure a leg of a hub, whose closed form need not apply to the geometry."""
    solver = _solvers()["RPR" if mechanism.dimension == 2 else "C-P-S" if rod.foot.type == "R" else "U-P-S"]
    foot, top = geometry.joints[rod.foot.name], geometry.joints[rod.top.name]
    below, above = rod.foot.bodies.index(rod.ends[0]), rod.top.bodies.index(rod.bodies[-1])
    if rod.slide is None:
        slide, first, signs = _along(foot.points[..., 1 - below, :], top.points[..., above, :]), 0, 1.0
        value = np.zeros(foot.points.shape[:-2])
    else:
        slide, first = geometry.joints[rod.slide.name], rod.slide.bodies.index(rod.bodies[0])
        signs, value = (1.0, -1.0)[first], reference_coordinates(mechanism.form(rod.slide), slide)[0]
    joints, sides = (foot, slide, top), ((below, 1 - below), (first, 1 - first), (above, 1 - above))
    none = np.zeros(np.shape(value))
    chain = ChainGeometry(
        np.stack([j.points[..., side, :] for j, side in zip(joints, sides, strict=True)], axis=-3),
        np.stack([j.frames[..., side, :, :] for j, side in zip(joints, sides, strict=True)], axis=-4),
        np.stack(np.broadcast_arrays(none, *(np.asarray(j.cross_angle) for j in joints)), axis=-1)[..., 1:],
        np.array([1.0, signs, 1.0]),
        (none, np.asarray(value), none),
        (np.zeros(0),) * 3,
        geometry.size,
    )
    back = chain.frame(1, 1) @ chain.frame(1, 0).swapaxes(-1, -2)
    span = chain.point(1, 0) - chain.point(0, 1) + in_frame(back, chain.point(2, 0) - chain.point(1, 1))
    return Leg(rod, solver, chain, solver.measure(chain), span, signs)


@cache
def _solvers() -> dict[str, Solver]:
    from sglibrary.catalog import GROUPS

    return {solver.name: solver for solver in GROUPS if solver.name in LEGS}


def _along(start: Array, end: Array) -> JointGeometry:
    """Make a slide along a rod, on both ends of which are the coordinates of the rod."""
    way = unit(end - start)
    if way.shape[-1] == 2:
        frame = np.stack([way, quarter(way)], axis=-1)
    else:
        least = np.eye(3)[np.abs(way).argmin(axis=-1)]
        x = unit(np.cross(least, way))
        frame = np.stack([x, np.cross(way, x), way], axis=-1)
    return JointGeometry(np.stack([start, start], axis=-2), np.stack([frame, frame], axis=-3))


@dataclass(frozen=True)
class Equation:
    """An equation of a hub: a point of it stays at a distance of a solved point, or in a plane of a solved body.

    `numbers` are the constants after those of the point; `direction` is that of the plane on the solved body.
    """

    kind: int
    solved: str
    point: Array
    on_hub: Array
    direction: Array | None
    driver: tuple[str, int] | None
    numbers: tuple[Array | float, ...]


def equations(mechanism: Mechanism, geometry: Geometry, hub: Hub, legs: Sequence[Leg]) -> list[Equation]:
    """List what holds a hub, lengths relative to the mechanism's size."""
    size = geometry.size
    found: list[Equation] = []
    numbers: tuple[Array | float, ...]
    for leg in legs:
        rod, on_foot = leg.rod, leg.rod.ends[1] == hub.body
        below, above = (leg.chain.point(0, 0), leg.chain.point(2, 1))
        solved, point, on_hub = (rod.ends[0], below, above) if on_foot else (rod.ends[1], above, below)
        driver = None if rod.slide is None else (rod.slide.name, 0)
        square, shift = inner(leg.span, leg.span) / size**2, inner(leg.span, leg.slide) / size
        numbers = leg.length / size, square, shift, leg.sign / size, sign(inner(leg.reach, leg.slide))
        found.append(Equation(kinds.AT_DISTANCE, solved, point, on_hub, None, driver, numbers))
        if leg.solver.name == "C-P-S":
            axis = leg.chain.axis(0, 1)
            numbers = inner(leg.span, axis) / size, leg.sign * inner(leg.slide, axis) / size, 0.0, 0.0, 0.0
            found.append(Equation(kinds.IN_PLANE, solved, point, on_hub, leg.chain.axis(0, 0), driver, numbers))
    for joint, index in hub.drivers:
        stated = geometry.joints[joint.name]
        axis = stated.frames[..., 0, :, mechanism.form(joint).freedoms[index].axis]
        numbers = 0.0, 1.0 / size, 0.0, 0.0, 0.0
        first, second = stated.points[..., 0, :], stated.points[..., 1, :]
        found.append(Equation(kinds.IN_PLANE, joint.bodies[0], first, second, axis, (joint.name, index), numbers))
    return found


def center_of(found: list[Equation]) -> Array:
    """Compute the point of a hub (..., d) whose position is iterated: amid those by which it is held."""
    return np.asarray(sum(np.asarray(equation.on_hub) for equation in found) / len(found))


def pack(
    found: list[Equation],
    center: Array,
    rows_of: list[tuple[int, int]],
    drivers: Mapping[tuple[str, int], int],
    fixed: Container[int],
    out: int,
    attached: list[tuple[list[int], Array]],
    legs: list[tuple[Leg, list[int], int]],
    size: float,
) -> tuple[schemes.Scheme, Ints, Array]:
    """Scheme and tables of a hub.

    Parameters
    ----------
    found : list of Equation
    center : (..., d) array
    rows_of : list of (int, int)
        First rows of the solved point and of the direction, or -1, of every equation.
    drivers : mapping of (str, int) to int
        First row of every driver, by joint and freedom.
    fixed : container of int
        Rows of the state that never change.
    out : int
        The first row of the hub.
    attached : list of (list of int, array)
        Rows and coefficients of the points of the hub that legs hang on.
    legs : list of (Leg, list of int, int)
        With rows of what the closed form reads, and the first row that is written.
    size : float
        Of the mechanism, m.

    Returns
    -------
    scheme : Scheme
    rows : (k,) array of int
    constants : (..., c) array
        With the leading axes of variants.
    """
    d, vectors = center.shape[-1], pose_vectors(center.shape[-1])
    constants: list[Array] = [np.array([size])]
    reads, driven, held = [point for point, _ in rows_of], list[int](), list[schemes.Equation]()
    for equation, (_, row) in zip(found, rows_of, strict=True):
        driver = -1 if equation.driver is None else drivers[equation.driver]
        held.append(schemes.Equation(equation.kind, _number(reads, row), _number(driven, driver)))
        constants += [padded((equation.on_hub - center) / size), *(np.asarray(x)[..., None] for x in equation.numbers)]
    constants += [coefficients for _, coefficients in attached]
    outputs = [*(out + d * k for k in range(vectors)), *(row for (row, *_), _ in attached)]
    placed, arms, k = list[schemes.Leg](), dict[int, int](), 0
    for leg, own, last in legs:
        on_hub, axis = own[0] != reads[k], own[1] if d == 3 else -1
        arms[own[0] if on_hub else own[-1]] = k
        axis = outputs.index(axis) if on_hub and d == 3 else _number(reads, axis)
        placed.append(schemes.Leg(LEGS[leg.solver.name], k, on_hub, axis, count(constants)))
        constants.append(leg.measured.constants)
        outputs += [last + d * m for m in range(leg.solver.written // d)]
        k += 2 if leg.solver.name == "C-P-S" else 1
    start = (center - found[0].point) / size
    constants += [start, np.array([1.0, 0.0, 0.0, 0.0]) if d == 3 else np.zeros(1)]
    counts = (6, 7, 6, 0, 0) if d == 3 else (3, 3, 3, 0, 0)
    still, on_arms = (row in fixed for row in reads), (arms.get(row, -1) for (row, *_), _ in attached)
    scheme = schemes.Scheme(d, counts, tuple(still), tuple(held), tuple(on_arms), tuple(placed))
    moves = [(0, kinds.TRANSLATION, i, i, -1, i, 0) for i in range(d)]
    moves.append((0, *((kinds.BALL, 0) if d == 3 else (kinds.ROTATION, 2)), d, -1, d, 0))
    first_rows = reads[: len(found)], reads[len(found) :], driven, outputs
    return scheme, table_rows(d, counts, TIME_ROW, first_rows, moves), joined(constants)


def _number(rows: list[int], row: int) -> int:
    """Add a row to some, and return its number among them; -1 if there is none."""
    if row < 0:
        return -1
    rows.append(row)
    return len(rows) - 1
