"""Equations of all pairs and of their drivers in natural coordinates.

An equation is a sum of products of two points or directions, some of them times one of the signals: cosines and sines
of driven and of unknown angles, and driven displacements. Coupled angles are unknowns themselves (mixed coordinates:
García de Jalón and Bayo 1994, section 2.3).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from groupkin.errors import NotModeledError
from groupkin.kinematics.global_formulation.unknowns import SHARED_AXIS, SHARED_POINT, Unknowns
from groupkin.mechanism.mechanism import Joint, Mechanism
from groupkin.mechanism.pairs import Freedom
from groupkin.model.geometry.frames import JointGeometry
from groupkin.model.geometry.geometry import Geometry

Array = NDArray[np.float64]
Product = tuple[int, Array, Array]
"""Number of a signal, and two factors (d, columns), which are linear in the unknowns."""


@dataclass(frozen=True)
class DrivenFreedom:
    """A driven freedom.

    Attributes
    ----------
    joint : Joint
    index : int
        Of the freedom among those of the joint.
    freedom : Freedom
    reference : float
        Value in the reference configuration, rad or m.
    coupled : bool
        An angle that is an unknown itself and is driven by its value instead of its cosine and sine.
    """

    joint: Joint
    index: int
    freedom: Freedom
    reference: float
    coupled: bool = False


def relations(mechanism: Mechanism, geometry: Geometry, unknowns: Unknowns) -> Array:
    """Make the equations of shared points and axes: rows (r, columns) whose product with the unknowns is zero."""
    rows = [np.zeros((0, unknowns.start.size))]
    for joint in mechanism.joints:
        stated = geometry.joints[joint.name]
        if joint.type in SHARED_POINT:
            ends = [unknowns.point(body, stated.points[k]) for k, body in enumerate(joint.bodies)]
            rows.append(ends[0] - ends[1])
        if joint.type in SHARED_AXIS and mechanism.dimension == 3:
            axes = [unknowns.direction(body, stated.frames[k][:, 2]) for k, body in enumerate(joint.bodies)]
            rows.append(axes[0] - axes[1])
    return np.vstack(rows)


_SPACE: dict[str, tuple[int, ...]] = {"P": (0, 1), "C": (0, 1), "H": (0, 1), "SC": (0, 1), "RW": (1, 2), "CR": (1,)}
STRAIGHT: dict[int, dict[str, tuple[int, ...]]] = {
    2: {"P": (1,), "CR": (1,), "RW": (1,)},
    3: {**_SPACE, "PL": (2,), "SP": (2,), "PC": (2,)},
}
"""Axes of the joint frame along which the two points of a pair do not separate."""


@dataclass(frozen=True)
class Sides:
    """A joint in terms of the unknowns.

    Attributes
    ----------
    joint : Joint
    geometry : JointGeometry
    unknowns : Unknowns
    first, second : list of (d, columns) array
        Axes of the joint frame on the first and on the second body.
    between : (d, columns) array
        From the first point to the second, relative to the size.
    signals : tuple of int
        Numbers of the cosines of its unknown angles.
    """

    joint: Joint
    geometry: JointGeometry
    unknowns: Unknowns
    first: list[Array]
    second: list[Array]
    between: Array
    signals: tuple[int, ...]


def sides(joint: Joint, geometry: Geometry, unknowns: Unknowns, drivers: int) -> Sides:
    """Express a joint by the unknowns; signals of unknown angles follow those of all `drivers`, two each."""
    stated, (first, second) = geometry.joints[joint.name], joint.bodies
    axes = [[unknowns.direction(body, column) for column in stated.frames[k].T] for k, body in enumerate(joint.bodies)]
    between = unknowns.point(second, stated.points[1]) - unknowns.point(first, stated.points[0])
    columns = [column for of_joint in unknowns.angles.values() for column in of_joint]
    numbers = tuple(1 + 2 * (drivers + columns.index(column)) for column in unknowns.angles.get(joint.name, ()))
    return Sides(joint, stated, unknowns, axes[0], axes[1], between, numbers)


def of_pair(s: Sides) -> list[list[Product]]:
    """Make the equations of a joint beyond shared points and axes."""
    joint, unknowns, unit = s.joint, s.unknowns, s.unknowns.unit
    equations: list[list[Product]] = []
    if joint.type in ("U", "ER", "PC"):
        equations.append([(0, s.first[2], s.second[2]), (0, -np.cos(s.geometry.cross_angle) * unit, unit)])
    if joint.type in ("RD", "SPSP"):
        length = np.linalg.norm(s.geometry.points[1] - s.geometry.points[0]) / unknowns.size
        equations.append([(0, s.between, s.between), (0, -(length**2) * unit, unit)])
    # normals on bodies that do not turn make the equations linear; only P and C may take those of the second body
    swap = joint.type in ("P", "C") and unknowns.turning[joint.bodies[1]] not in unknowns.vectors
    normals = s.second if swap else s.first
    equations += [[(0, s.between, normals[k])] for k in STRAIGHT[unknowns.dimension].get(joint.type, ())]
    if s.signals:
        equations += [*_angle_equations(s), _coupling(s)]
    return equations


def _angle_equations(s: Sides) -> list[list[Product]]:
    """Make the equations between the coupled angles of a joint and its axes; see `driver_equation` for their form."""
    cosine, sine = s.signals[0], s.signals[0] + 1
    if s.joint.type in ("H", "RW"):
        return [[(cosine, s.second[0], s.first[1]), (sine, s.second[0], -s.first[0])]]
    if s.joint.type in ("RP", "HF"):
        return [[(cosine, s.first[0], s.second[1]), (sine, s.first[0], s.second[0])]]
    # the line of centers has no component across itself; against it the second wheel has turned by the second angle
    equations = [[(cosine, s.between, s.first[1]), (sine, s.between, -s.first[0])]]
    pointing, cosine_2, sine_2 = s.between, s.signals[1], s.signals[1] + 1
    if s.unknowns.dimension == 3:
        assert s.geometry.bend is not None
        x, y, z = s.geometry.bend[:, 0]
        column = s.unknowns.pointing[s.joint.name]
        pointing = np.sum([s.unknowns.column(column + k, k) for k in range(3)], axis=0)
        for k in range(3):
            e = np.outer(np.eye(3)[k], s.unknowns.unit[0])
            along, across = x * s.first[0] + y * s.first[1], x * s.first[1] - y * s.first[0]
            equations.append([(0, pointing, e), (0, -z * s.first[2], e), (cosine, -along, e), (sine, -across, e)])
    return [*equations, [(cosine_2, pointing, s.second[1]), (sine_2, pointing, s.second[0])]]


def _coupling(s: Sides) -> list[Product]:
    """Make the linear relation between two angles, or an angle and a displacement relative to the size."""
    joint, unknowns, unit = s.joint, s.unknowns, s.unknowns.unit
    columns = [unknowns.column(column) for column in unknowns.angles[joint.name]]
    start = unknowns.start[list(unknowns.angles[joint.name])]
    if joint.type in ("EO", "EPI"):
        assert joint.radii is not None
        signs = np.array([1.0, -1.0 if joint.type == "EO" else 1.0])
        factors = signs * joint.radii / sum(joint.radii)
        value = float(factors @ start)
        return [(0, factors[0] * columns[0], unit), (0, factors[1] * columns[1], unit), (0, -value * unit, unit)]
    way, frame = s.geometry.points[1] - s.geometry.points[0], s.geometry.frames[0]
    if joint.type in ("H", "HF"):
        axis, factor = 2, -(joint.pitch or 0.0)
    elif joint.type == "RP":
        axis, factor = 0, float(frame[:, 1] @ way)
    else:  # the first point has been raised to the center of the wheel
        assert s.geometry.coupling is not None
        axis, factor = 0, float(s.geometry.coupling[1])
    factor /= unknowns.size
    shift = frame[:, axis] @ way / unknowns.size
    value = float(shift + factor * start[0])
    return [(0, s.between, s.first[axis]), (0, factor * columns[0], unit), (0, -value * unit, unit)]


def driver_equation(driver: DrivenFreedom, number: int, s: Sides) -> list[Product]:
    """Make the equation of driver `number`, which has two roots: the driven angle and a false one.

    With axes x, y, z and x', y', z' of the two joint frames: R, C and FP have x' · (−sin ψ x + cos ψ y) = 0; U, from
    Rz(ψ1) Rx(α) Rz(ψ2), has z' · (cos ψ1 x + sin ψ1 y) = 0 and z · (cos ψ2 x' − sin ψ2 y') = 0; S and F, from
    Rx(a) Ry(b) Rz(c), have z' · (cos a y + sin a z) = 0, x · z' = sin b and x · (cos c y' + sin c x') = 0. Where
    rotations point the x axis along d, from the first point to the second, d · (−sin ψ x + cos ψ y) = 0 for the first
    of these rotations, d · z = −sin θ |d| for a rotation about y, and in the plane d · (cos ψ y' + sin ψ x') = 0 for
    the rotation after it.
    """
    cosine, sine, unit = 1 + 2 * number, 2 + 2 * number, s.unknowns.unit
    joint, axis, first, second = driver.joint, driver.freedom.axis, s.first, s.second
    if driver.coupled:
        return [(0, s.unknowns.column(s.unknowns.angles[joint.name][0]), unit), (cosine, -unit, unit)]
    if not driver.freedom.rotation:
        if joint.type in ("EO", "EPI") and axis == 0:
            angle = s.signals[0]
            return [(angle, s.between, first[0]), (angle + 1, s.between, first[1]), (cosine, -unit, unit)]
        return [(0, s.between, first[axis]), (cosine, -unit, unit)]
    if joint.type in ("RD", "SPSP") and driver.index == 0:
        return [(cosine, s.between, first[1]), (sine, s.between, -first[0])]
    if joint.type in ("RD", "SPSP") and s.unknowns.dimension == 2:
        return [(cosine, s.between, second[1]), (sine, s.between, second[0])]
    if joint.type == "SPSP" and driver.index == 1:
        length = np.linalg.norm(s.geometry.points[1] - s.geometry.points[0]) / s.unknowns.size
        return [(0, s.between, first[2]), (sine, length * unit, unit)]
    if joint.type in ("SPSP", "EO", "EPI"):
        raise NotModeledError(
            f"the driver of joint {joint.name!r} ({driver.freedom.name}) has no equation in the global formulation"
        )
    if joint.type in ("U", "ER", "PC"):
        if driver.freedom.name == "angle_1":
            return [(cosine, second[2], first[0]), (sine, second[2], first[1])]
        return [(cosine, first[2], second[0]), (sine, first[2], -second[1])]
    if joint.type in THREE_ANGLES and axis == 0:
        return [(cosine, second[2], first[1]), (sine, second[2], first[2])]
    if joint.type in THREE_ANGLES and axis == 1:
        return [(0, first[0], second[2]), (sine, -unit, unit)]
    if joint.type in THREE_ANGLES:
        return [(cosine, first[0], second[1]), (sine, first[0], second[0])]
    return [(cosine, second[0], first[1]), (sine, second[0], -first[0])]


THREE_ANGLES = ("S", "F", "SC", "SP", "RP", "HF")
"""Pairs whose only rotations are those about x, y and z."""


def driven_freedoms(mechanism: Mechanism, geometry: Geometry) -> tuple[DrivenFreedom, ...]:
    """List all driven freedoms, joint by joint."""
    driven = []
    for joint in mechanism.joints:
        stated = geometry.joints[joint.name]
        for index in mechanism.driven.get(joint.name, {}):
            form = mechanism.form(joint)
            move = form.places[index]
            freedom, shift = form.moves[move], stated.frames[0].T @ (stated.points[1] - stated.points[0])
            if freedom.rotation:
                value = stated.reference[move]
            elif joint.type in ("EO", "EPI") and freedom.axis == 0:
                value = np.hypot(shift[0], shift[1])
            else:
                value = shift[freedom.axis]
            coupled = freedom.rotation and move in (form.coupled or ())
            driven.append(DrivenFreedom(joint, index, freedom, float(value), coupled))
    return tuple(driven)
