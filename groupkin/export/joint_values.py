"""Coordinates of all joints, and their rates, as an instruction list."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import numpy as np

from groupkin.kinematics.motion.joint_coordinates import pair_of
from groupkin.kinematics.program.program import Program
from groupkin.model.geometry.coordinate_rates import coordinate_expressions
from groupkin.model.geometry.coordinates import periods, reference_coordinates
from groupkin.model.geometry.frames import JointGeometry
from sglibrary.array_types import Array
from sglibrary.code.graph import Expr, Graph, total
from sglibrary.code.kernel import Listed, gathered
from sglibrary.code.passes.tangent import tangent


@dataclass(frozen=True)
class Coordinate:
    """A coordinate of a joint.

    Attributes
    ----------
    joint : str
    name : str
        Of the degree of freedom.
    rotation : bool
        rad, or m.
    reference : float
        Its value in the reference configuration.
    period : float
        0 if it has none.
    driver : int
        Number of its driver; -1 if it has none.
    """

    joint: str
    name: str
    rotation: bool
    reference: float
    period: float
    driver: int


@dataclass(frozen=True, eq=False)
class JointValues:
    """The coordinates of all joints but cams.

    Attributes
    ----------
    coordinates : tuple of Coordinate
    listed : Listed
        Instruction list that writes them, angles up to whole turns, and then their rates, into the rows of q behind
        those of the program.
    """

    coordinates: tuple[Coordinate, ...]
    listed: Listed

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the coordinates: of the joint alone if it has one."""
        every = [x.joint for x in self.coordinates]
        return tuple(x.joint if every.count(x.joint) == 1 else f"{x.joint}.{x.name}" for x in self.coordinates)


def joint_values(program: Program) -> JointValues:
    """Write the coordinates of all joints of a program, but those of cams, and their rates as expressions."""
    graph, coordinates, values = Graph(), list[Coordinate](), list[Expr]()
    numbers = {(driven.joint, driven.freedom): k for k, driven in enumerate(program.drivers)}
    for joint in program.mechanism.joints:
        pair = pair_of(program, joint.name)
        form, geometry = pair.form, pair.geometry
        if geometry.contact is not None:
            continue
        ends = _ends(graph, program, joint.bodies, geometry)
        expressions = coordinate_expressions(form, ends, _constants(graph, geometry))
        start, whole = reference_coordinates(form, geometry), periods(form, geometry)
        for freedom, k in enumerate(form.places):
            move, driver = form.moves[k], numbers.get((joint.name, freedom), -1)
            coordinates.append(
                Coordinate(joint.name, move.name, move.rotation, float(start[k]), whole[k] or 0.0, driver)
            )
            values.append(expressions[k])
    rows = {x: graph.value("v", *key[1:]) for key, x in list(graph.made.items()) if key[0] == "q"}
    rates = tangent(graph, values, rows)
    places = [f"q {program.rows + row} 0" for row in range(2 * len(values))]
    listed = gathered(graph.text(zip([*values, *rates], places, strict=True)))
    return JointValues(tuple(coordinates), listed)


def driver_names(program: Program) -> tuple[str, ...]:
    """Names of all drivers: of the joint alone if it has one degree of freedom."""
    mechanism, found = program.mechanism, []
    for driven in program.drivers:
        freedoms = mechanism.form(mechanism.joint[driven.joint]).freedoms
        found.append(driven.joint if len(freedoms) == 1 else f"{driven.joint}.{freedoms[driven.freedom].name}")
    return tuple(found)


def _constants(graph: Graph, geometry: JointGeometry) -> list[Expr]:
    """The numbers that coordinates depend on: centers of gears are taken not to have passed through each other."""
    return [graph.number(x) for x in (1.0, *(() if geometry.bend is None else geometry.bend.ravel()))]


def _ends(graph: Graph, program: Program, bodies: tuple[str, ...], geometry: JointGeometry) -> np.ndarray:
    """The two frames of a joint, axes and origins, as expressions of the rows of the state."""
    ends = []
    for body, frame, point in zip(bodies, geometry.frames, geometry.points, strict=True):
        pose = program.poses[body]
        vectors = [_row(graph, program, first) for first in pose.vectors]
        if len(vectors) == 1:
            x, y = vectors[0]
            vectors.append([-y, x])
        combined = partial(_combined, graph, vectors)
        origin = _row(graph, program, pose.point)
        shift = combined(pose.directions.T @ (point - pose.origin))
        axes = [combined(axis) for axis in (pose.directions.T @ frame).T]
        ends.append([*axes, [x + y for x, y in zip(origin, shift, strict=True)]])
    return np.array(ends)


def _row(graph: Graph, program: Program, first: int) -> list[Expr]:
    rows = range(first, first + program.mechanism.dimension)
    return [graph.number(program.fixed[row]) if row in program.fixed else graph.value("q", row, 0) for row in rows]


def _combined(graph: Graph, vectors: list[list[Expr]], coefficients: Array) -> list[Expr]:
    """Combine vectors linearly."""
    return [
        total(graph, [(graph.number(c), x, 1.0) for c, x in zip(coefficients, column, strict=True)])
        for column in zip(*vectors, strict=True)
    ]
