"""Derivatives of quantities by a parameter, as linear functions of what the parameter does to bodies and points.

A parameter turns a body by η and shifts points of it by ξ at every time, which the map gives as series: value, rate and
half of the acceleration. As derivatives by time and by the parameter commute, velocities and accelerations of points
change by the rates of ξ, and an angular velocity ω by η' + η × ω, an angular acceleration α by the rate of that.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import factorial

import numpy as np
from numpy.typing import NDArray

from groupkin.errors import NotModeledError
from groupkin.kinematics.derivatives.changed_map import Outputs
from groupkin.kinematics.derivatives.move_series import line_series, twists
from groupkin.kinematics.jacobians.rows import cross_matrix
from groupkin.kinematics.motion.motion import Motion
from groupkin.kinematics.motion.outputs import DERIVATIVES, bases, partial_derivatives
from groupkin.kinematics.motion.quantities import Quantity
from groupkin.kinematics.rates.changes import Change
from groupkin.mechanism.mechanism import Mechanism

Array = NDArray[np.float64]

ORDERS = ("position", "velocity", "acceleration")
SPINS = ("angle", "angular_velocity", "angular_acceleration")
RATES = ("joint", "joint_rate")


@dataclass(frozen=True)
class Reading:
    """Derivatives of the components of a quantity as a linear function of series of outputs.

    Attributes
    ----------
    outputs : list of int
        Numbers of outputs of the map.
    matrices : (orders, components, outputs, n or 1) array
        By what each coefficient of their series is multiplied.
    """

    outputs: list[int]
    matrices: Array

    def of(self, series: Array) -> Array:
        """Derivatives (components, m, n) from the outputs of the map (orders, outputs, m, n)."""
        used = list(zip(self.matrices, series[:, self.outputs], strict=False))
        some = [pair for pair in used if pair[0].any()] or used[:1]
        return np.asarray(sum(np.einsum("cpn,pmn->cmn", matrix, x) for matrix, x in some))

    def carried(self, weights: Array, out: Array) -> None:
        """Add to the weights of outputs (orders, outputs, n) what weights of the components (components, n) give."""
        for matrix, total in zip(self.matrices, out, strict=False):
            for number, output in enumerate(self.outputs):  # which may be there twice
                for slopes, x in zip(matrix[:, number], weights, strict=True):
                    if slopes.any():
                        total[output] += slopes * x

    def at(self, some: slice) -> Reading:
        """At some of the steps."""
        return self if self.matrices.shape[-1] == 1 else replace(self, matrices=self.matrices[..., some])

    def through(self, slopes: Array) -> Reading:
        """Of functions of the components whose derivatives by these are `slopes` (functions, components, n)."""
        return replace(self, matrices=np.einsum("fcn,kcpn->kfpn", slopes, self.matrices))


Reader = Reading | Callable[[Motion], Reading]
"""A reading that is the same of all motions, or the function that makes that of one."""


def along(motion: Motion, reader: Reader) -> Reading:
    """Return the reading of a motion."""
    return reader if isinstance(reader, Reading) else reader(motion)


def reading(wanted: Quantity, outputs: Outputs) -> Reader:
    """Collect the outputs that a quantity needs, and tell how it is read from them.

    Raises
    ------
    NotModeledError
        If derivatives of the quantity are not computed.
    """
    if wanted.component:
        whole = reading(replace(wanted, component=""), outputs)
        number = _number(wanted, outputs.program.mechanism)
        if isinstance(whole, Reading) and number is not None:
            return replace(whole, matrices=whole.matrices[:, [number]])
        return lambda motion: _component(along(motion, whole), wanted, number, motion)
    if wanted.kind in ORDERS:
        shift = _shift(wanted.name, outputs)
        return Reading(shift, _order(ORDERS.index(wanted.kind), len(shift)))
    if wanted.kind in SPINS:
        turn, order = outputs.turn(wanted.name), SPINS.index(wanted.kind)
        if len(turn) == 1 or order == 0:
            return Reading(turn, _order(order, 1))
        return lambda motion: Reading(turn, _of_spin(motion, wanted.name, order))
    if wanted.kind == "rotation":
        turn = outputs.turn(wanted.name)
        return lambda motion: Reading(turn, _of_rotation(motion.rotation(wanted.name))[None])
    if wanted.kind in RATES:
        return _joint(wanted, outputs)
    if wanted.kind == "transmission_angle":
        parts = [reading(Quantity("position", point), outputs) for point in wanted.of]
        return lambda motion: _of_corner(
            [motion.position(point) for point in wanted.of], [along(motion, x) for x in parts]
        )
    if wanted.kind in DERIVATIVES:
        return _output(wanted, outputs)
    raise NotModeledError(
        f"derivatives of `{wanted}` by parameters are not computed; there are those of positions, rotations, joint "
        "coordinates, their rates, transmission angles and outputs of these"
    )


def _shift(name: str, outputs: Outputs) -> list[int]:
    """Outputs for the shift of a point, or of the origin of a body."""
    geometry = outputs.program.geometry
    if name in geometry.points:
        return outputs.shift(*geometry.points[name], Change("point", name))
    return outputs.shift(name, geometry.origins[name], Change("origin", name))


def _order(order: int, count: int) -> Array:
    """Matrices that take a coefficient of the series, and make it a derivative by time."""
    found = np.zeros((order + 1, count, count, 1))
    found[order] = factorial(order) * np.eye(count)[..., None]
    return found


def _of_spin(motion: Motion, name: str, order: int) -> Array:
    """Matrices for an angular velocity in space, or for an angular acceleration."""
    # η × ω = - ω × η
    spins = [motion.angular_velocity(name), motion.angular_acceleration(name)][:order]
    crossed = [-np.moveaxis(cross_matrix(spin), 0, -1) for spin in spins]
    found = np.zeros((order + 1, 3, 3, motion.times.size))
    found[order] = factorial(order) * np.eye(3)[..., None]
    found[0] += crossed[-1]
    if order == 2:
        found[1] += crossed[0]
    return found


def _of_rotation(rotation: Array) -> Array:
    """Derivatives of all entries of rotations (n, d, d), row by row, by small turns (d², 1 or 3, n)."""
    n, d, _ = rotation.shape
    turns = cross_matrix(np.eye(1 if d == 2 else 3))
    return np.moveaxis(np.einsum("kij,njl->nkil", turns, rotation).reshape(n, len(turns), d * d), 0, -1).swapaxes(0, 1)


def _number(wanted: Quantity, mechanism: Mechanism) -> int | None:
    """Which component of the whole quantity is wanted; None if it is the norm."""
    if wanted.component == "norm":
        return None
    if wanted.kind in RATES:
        return [freedom.name for freedom in mechanism.freedoms(mechanism.joint[wanted.name])].index(wanted.component)
    return "xyz".index(wanted.component)


def _component(whole: Reading, wanted: Quantity, number: int | None, motion: Motion) -> Reading:
    if number is not None:
        return replace(whole, matrices=whole.matrices[:, [number]])
    vector = np.atleast_2d(motion.read(replace(wanted, component="")).T)
    with np.errstate(invalid="ignore"):  # a vector that vanishes has no direction
        return whole.through((vector / np.linalg.norm(vector, axis=0))[None])


def _together(parts: list[Reading]) -> Reading:
    """Add readings of functions that have as many components."""
    orders, n = (max(part.matrices.shape[axis] for part in parts) for axis in (0, 3))
    padded = []
    for part in parts:
        whole = np.zeros((orders, *part.matrices.shape[1:3], n))
        whole[: len(part.matrices)] = part.matrices
        padded.append(whole)
    return Reading([output for part in parts for output in part.outputs], np.concatenate(padded, axis=2))


def _of_corner(points: list[Array], parts: list[Reading]) -> Reading:
    """The angle between two lines: by a step across a line, the angle changes by its length over the distance."""
    start, corner, end = points
    ways = [start - corner, end - corner]
    lengths = [np.linalg.norm(way, axis=1, keepdims=True) for way in ways]
    along = [way / length for way, length in zip(ways, lengths, strict=True)]
    cosine = np.sum(along[0] * along[1], axis=1, keepdims=True)
    with np.errstate(invalid="ignore", divide="ignore"):  # no derivative where the lines are parallel
        scale = -np.sign(cosine) / np.sqrt(1.0 - cosine**2)
        slopes = [scale * (along[1 - k] - cosine * along[k]) / lengths[k] for k in (0, 1)]
    by_point = slopes[0], -slopes[0] - slopes[1], slopes[1]
    return _together([part.through(slope.T[None]) for part, slope in zip(parts, by_point, strict=True)])


def _joint(wanted: Quantity, outputs: Outputs) -> Reader:
    mechanism, geometry = outputs.program.mechanism, outputs.program.geometry.joints[wanted.name]
    joint = mechanism.joint[wanted.name]
    if mechanism.form(joint).curved:
        raise NotModeledError(f"joint {joint.name!r} is a cam: derivatives of its coordinates are not computed")
    numbers: list[int] = []
    for side, body in enumerate(joint.bodies):
        numbers += outputs.turn(body, Change("turn", joint.name, side))
        numbers += outputs.shift(body, geometry.points[side], Change("shift", joint.name, side))
    order = RATES.index(wanted.kind)
    places = list(mechanism.form(joint).places)
    if mechanism.dimension == 2 and [freedom.rotation for freedom in mechanism.freedoms(joint)] == [True]:
        return Reading(numbers, _order(order, 1) * np.array([-1.0, 0.0, 0.0, 1.0, 0.0, 0.0])[:, None])
    return lambda motion: Reading(numbers, _of_coordinates(motion, joint.name, order)[:, places])


def _of_coordinates(motion: Motion, name: str, order: int) -> Array:
    """Matrices that take turns and shifts of the two frames of a joint, and make changes of its coordinates or rates.

    The changes y of the second frame relative to the first are the sum S θ of those of the moves, and at the next order
    y' = S' θ + S θ'.
    """
    found, joined, _ = line_series(motion, name, order, solved=False)
    inverse = np.linalg.pinv(twists(found, joined, 0))
    ways = [b - a for a, b in zip(joined.first.origins, joined.second.origins, strict=True)]
    d = motion.program.mechanism.dimension
    matrices = [inverse @ _relative(ways[0], d, np.eye(3))]
    if order == 1:
        rest = _relative(ways[1], d, np.zeros((3, 3))) - twists(found, joined, 1) @ matrices[0]
        matrices = [inverse @ rest, matrices[0]]
    return np.moveaxis(np.array(matrices), 1, -1)


def _relative(way: Array, d: int, e: Array) -> Array:
    """The twist of the second frame, about its origin, relative to the first, or its rate: matrices (n, 6, inputs)."""
    found = np.zeros((len(way), 6, 12))
    found[:, :3, :3], found[:, :3, 6:9], found[:, 3:, 3:6], found[:, 3:, 9:] = -e, e, -e, e
    found[:, 3:, :3] = cross_matrix(way)
    return found if d == 3 else found[..., [2, 3, 4, 8, 9, 10]]


def _output(wanted: Quantity, outputs: Outputs) -> Callable[[Motion], Reading]:
    parts = {base: reading(base, outputs) for base in bases(wanted, outputs.program.mechanism)}

    def made(motion: Motion) -> Reading:
        slopes = partial_derivatives(motion, wanted)
        return _together([along(motion, read).through(slopes[base]) for base, read in parts.items()])

    return made
