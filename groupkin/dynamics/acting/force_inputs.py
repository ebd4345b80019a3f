"""What functions of the user are given: numbers of a motion, and the same in the equations of motion."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from groupkin.dynamics.bodies.coordinate_rows import CoordinateRows, distance_rows, freedom_rows
from groupkin.dynamics.bodies.linear_rows import Item, linear_rows
from groupkin.dynamics.bodies.masses import local_point
from groupkin.errors import ForceError, GroupkinError, LawError, QuantityError
from groupkin.kinematics.motion.motion import Motion
from groupkin.kinematics.motion.quantities import Quantity, places, quantity
from groupkin.kinematics.program.building import Layout
from groupkin.kinematics.program.program import Program
from groupkin.mechanism.forces import force_functions
from groupkin.mechanism.forces.force_checks import is_loose
from groupkin.mechanism.forces.forces import Force, JointForce, Torque
from groupkin.mechanism.forces.part import ForcePart, WithFunction
from groupkin.mechanism.laws.laws import Law
from sglibrary.array_types import Array
from sglibrary.dynamics.forces import PLACE, RATE, SPEED, SPIN, VALUE
from sglibrary.dynamics.lengths_and_angles import SLIDE

Code = tuple[int, list[int], list[float]]
"""What an input of compiled code is, its rows and its numbers."""


class Input(NamedTuple):
    """Some numbers that a function is given.

    Attributes
    ----------
    read : callable
        Reads them (k, n) from a motion.
    coded : callable
        Lists them for compiled code, given the layout of its state.
    moving : bool
        Whether they are zero at rest.
    freedom : (str, int), optional
        The rotation in a joint whose angle it is.
    """

    read: Callable[[Motion], Array]
    coded: Callable[[Layout], list[Code]]
    moving: bool = False
    freedom: tuple[str, int] | None = None


def inputs(program: Program, load: WithFunction) -> list[Input]:
    """List what the function of a force is given.

    Raises
    ------
    ForceError, QuantityError, UnknownNameError
        If one of the quantities `of` which it is does not exist, or does not follow from the state of a mechanism.
    """
    if isinstance(load, Force):
        local = local_point(program, load.body, load.point)
        own = [_point(program, load.body, local, order) for order in (0, 1)]
    elif isinstance(load, Torque):
        own = [_spin(program, load.body)]
    elif isinstance(load, JointForce):
        own = [_freedom(program, *load.freedom_of(program.mechanism), order) for order in (0, 1)]
    else:
        own = [_coordinate(distance_rows(program, *load.ends()), order) for order in (0, 1)]
    return [*own, *(each for text in load.of for each in _of(program, load.name, text))]


def share(motion: Motion, load: ForcePart, velocities: bool) -> Array | float:
    """Compute what the function of a force gives (k, n) along a motion, or the values (n,) of its law; 1 by default.

    Raises
    ------
    LoadError, LawError
    """
    if isinstance(load, WithFunction) and load.function is not None:
        parts = [(each.read(motion), each.moving) for each in inputs(motion.program, load)]
        given = np.concatenate([0.0 * rows if moving and not velocities else rows for rows, moving in parts])
        size = load.components(motion.program.mechanism)
        return force_functions.values(load.name, load.function, load.compiled, size, motion.times, given)
    law: Law | None = getattr(load, "law", None)
    if law is None:
        return 1.0
    try:
        return law.at(motion.times)[0]
    except LawError as error:
        raise LawError(f"law of force {load.name!r}: {error}") from None


# --- kinds of inputs -----------------------------------------------------------------------------


def _point(program: Program, body: str, local: Array, order: int, chosen: range | None = None) -> Input:
    components = chosen or range(program.mechanism.dimension)
    return _rows(program, [(body, local, True)], [(0, k) for k in components], order)


def _rotation(program: Program, body: str) -> Input:
    """Components of the body's axes, x, y and z of each in turn for x, then y, then z: the rows of its matrix."""
    d = program.mechanism.dimension
    return _rows(program, [(body, axis, False) for axis in np.eye(d)], [(i, k) for k in range(d) for i in range(d)], 0)


def _rows(program: Program, items: list[Item], chosen: list[tuple[int, int]], order: int) -> Input:
    """Components of points and directions, by the numbers of both, or their rates."""
    rows = linear_rows(program, items)

    def read(motion: Motion) -> Array:
        found = rows.rates(motion.v) if order else rows.positions(motion.q)
        return found[tuple(np.transpose(chosen))]

    def coded(layout: Layout) -> list[Code]:
        first = [layout.attach(*item) for item in items]
        return [(RATE if order else PLACE, [0, first[i] + k], []) for i, k in chosen]

    return Input(read, coded, moving=order > 0)


def _spin(program: Program, body: str, chosen: range | None = None) -> Input:
    wanted = chosen or range(1 if program.mechanism.dimension == 2 else 3)

    def coded(_: Layout) -> list[Code]:
        vectors = list(program.poses[body].vectors)
        return [(SPIN, [0, *vectors, k] if len(vectors) == 3 else [0, *vectors], []) for k in wanted]

    return Input(lambda motion: np.atleast_2d(motion.angular_velocity(body).T)[list(wanted)], coded, moving=True)


def _freedom(program: Program, joint: str, freedom: int, order: int) -> Input:
    """A coordinate; of a driven one that of the driver, whole turns included."""
    k = next((k for k, each in enumerate(program.drivers) if (each.joint, each.freedom) == (joint, freedom)), None)
    if k is not None:
        place = RATE if order else PLACE, [0, program.drivers[k].row], list[float]()
        named = (joint, freedom) if program.drivers[k].rotation and not order else None
        return Input(lambda motion: motion.driver(k)[order : order + 1], lambda _: [place], order > 0, named)
    rows = freedom_rows(program, joint, freedom)
    return _coordinate(rows, order, None if order or rows.kind == SLIDE else (joint, freedom))


def _coordinate(rows: CoordinateRows, order: int, freedom: tuple[str, int] | None = None) -> Input:
    def coded(layout: Layout) -> list[Code]:
        return [(SPEED if order else VALUE, rows.coded(layout), [0.0] * 4 + rows.of_angle)]

    def read(motion: Motion) -> Array:
        return (rows.rate(motion) if order else rows.value(motion))[None]

    return Input(read, coded, order > 0, freedom)


# --- quantities ----------------------------------------------------------------------------------

KNOWN = ("position", "velocity", "rotation", "angular_velocity", "joint", "joint_rate")
"""Kinds of quantities that follow from the state of a mechanism."""


def _of(program: Program, name: str, text: str) -> list[Input]:
    """List the inputs that a quantity consists of."""
    try:
        wanted = quantity(text, program.mechanism)
    except GroupkinError as error:
        raise type(error)(f"force {name!r}: {error}") from None
    if wanted.kind not in KNOWN or wanted.component == "norm":
        raise QuantityError(
            f"force {name!r} is of `{wanted}`, but a function is given what the state of a mechanism tells, in "
            f"components: {', '.join(KNOWN)}"
        )
    chosen = places(wanted, program.mechanism)
    if wanted.kind in ("position", "velocity"):
        body, local = program.geometry.points.get(wanted.name, (wanted.name, None))
        local = program.geometry.origins[body] if local is None else local
        return [_point(program, body, local, int(wanted.kind == "velocity"), chosen)]
    if wanted.kind == "rotation":
        return [_rotation(program, wanted.name)]
    if wanted.kind == "angular_velocity":
        return [_spin(program, wanted.name, chosen)]
    return _coordinates(program, name, wanted)


def _coordinates(program: Program, name: str, wanted: Quantity) -> list[Input]:
    mechanism = program.mechanism
    joint, order = mechanism.joint[wanted.name], int(wanted.kind == "joint_rate")
    if is_loose(mechanism, joint):
        raise ForceError(
            f"force {name!r} is of `{wanted}`, a joint of type {joint.type}; take a joint that guides one of its bodies"
        )
    return [_freedom(program, joint.name, k, order) for k in places(wanted, mechanism)]
