"""Equations of all pairs and of their drivers in natural coordinates.

An equation is a sum of products of two points or directions, some of them times one of the signals: cosines and sines
of driven and of unknown angles, driven displacements, and points of curves. Coupled angles and the arc lengths at which
curves touch are unknowns themselves (mixed coordinates: García de Jalón and Bayo 1994, section 2.3).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from groupkin.kinematics.global_formulation.unknowns import SHARED_AXIS, SHARED_POINT, Unknowns
from groupkin.mechanism.mechanism import Joint, Mechanism
from groupkin.mechanism.pairs import Freedom
from groupkin.model.geometry.coordinates import reference_coordinates
from groupkin.model.geometry.frames import JointGeometry
from groupkin.model.geometry.geometry import Geometry
from sglibrary.array_types import Array

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
    ball : bool
        One of three rotations about x, y and z, the last moves of the joint.
    """

    joint: Joint
    index: int
    freedom: Freedom
    reference: float
    coupled: bool = False
    ball: bool = False


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
        if stated.contact is not None and joint.follower == "":
            point, tangent = _contact(unknowns, joint)
            center = unknowns.point(joint.bodies[1], stated.points[1])
            rows.append(center - point - stated.contact.offset / unknowns.size * _LEFT @ tangent)
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
    turned : list of (3, columns) array
        Axes of the frame that the first moves of a joint reach before three rotations about x, y and z: those on the
        first body where there are no other rotations.
    signals : tuple of int
        Numbers of the first signals of its unknown angles and arc lengths.
    """

    joint: Joint
    geometry: JointGeometry
    unknowns: Unknowns
    first: list[Array]
    second: list[Array]
    between: Array
    turned: list[Array]
    signals: tuple[int, ...]


def sides(joint: Joint, geometry: Geometry, unknowns: Unknowns, drivers: int) -> Sides:
    """Express a joint by the unknowns, whose signals, four each, follow those of all `drivers`, two each."""
    stated, (first, second) = geometry.joints[joint.name], joint.bodies
    axes = [[unknowns.direction(body, column) for column in stated.frames[k].T] for k, body in enumerate(joint.bodies)]
    between = unknowns.point(second, stated.points[1]) - unknowns.point(first, stated.points[0])
    column = unknowns.turned.get(joint.name)
    turned = axes[0] if column is None else [unknowns.vector(column + 3 * k) for k in range(3)]
    own = unknowns.own.get(joint.name, ())
    numbers = tuple(1 + 2 * drivers + 4 * unknowns.owners.index(number) for number in own)
    return Sides(joint, stated, unknowns, axes[0], axes[1], between, turned, numbers)


def of_pair(s: Sides) -> list[list[Product]]:
    """Make the equations of a joint beyond shared points and axes."""
    if s.geometry.contact is not None:
        return _touching(s)
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
    if joint.type == "SPSP" and joint.name in unknowns.turned:
        equations += _rod_frame(s)
    if s.signals:
        equations += [*_angle_equations(s), _coupling(s)]
    return equations


_LEFT = np.array([[0.0, -1.0], [1.0, 0.0]])


def _contact(unknowns: Unknowns, joint: Joint) -> tuple[Array, Array]:
    """Return the point at which the curves of a cam touch and the unit tangent there, (2, columns)."""
    column = unknowns.contacts[joint.name]
    return unknowns.vector(column), unknowns.vector(column + 2)


def _touching(s: Sides) -> list[list[Product]]:
    """Make the equations of a cam: the point of contact is on the curve and on what touches it, with one tangent.

    That the center of a roller is beside the point of contact is linear, see `relations`.
    """
    (point, tangent), unit, bodies = _contact(s.unknowns, s.joint), s.unknowns.unit, s.joint.bodies
    seen = [point - s.unknowns.point(body, s.geometry.points[k]) for k, body in enumerate(bodies)]
    equations = [[(0, tangent, tangent), (0, -unit, unit)], *_on_curve(s, seen[0], tangent, s.first, s.signals[0])]
    if s.joint.follower == "curve":
        return [*equations, *_on_curve(s, seen[1], tangent, s.second, s.signals[1])]
    if s.joint.follower == "face":
        return [*equations, [(0, seen[1], s.second[1])], [(0, tangent, s.second[1])]]
    return equations


def _on_curve(s: Sides, seen: Array, tangent: Array, axes: list[Array], signal: int) -> list[list[Product]]:
    """Make the equations of a curve through a point, `seen` from the origin of its `axes`, along a tangent there."""
    unit = s.unknowns.unit
    place: list[list[Product]] = [[(0, seen, axes[k]), (signal + k, -unit, unit)] for k in range(2)]
    return [*place, [(signal + 3, tangent, axes[0]), (signal + 2, -tangent, axes[1])]]


def _rod_frame(s: Sides) -> list[list[Product]]:
    """Make the equations of a frame that points along a rod, with y perpendicular to z of the first body."""
    length = np.linalg.norm(s.geometry.points[1] - s.geometry.points[0]) / s.unknowns.size
    (x, y, z), unit = s.turned, s.unknowns.unit
    along: list[list[Product]] = [[(0, length * x - s.between, _along(s, k))] for k in range(3)]
    square = [(y, s.first[2]), (y, s.between), (z, s.between), (z, y)]
    return [*along, *([(0, a, b)] for a, b in square), *([(0, a, a), (0, -unit, unit)] for a in (y, z))]


def _along(s: Sides, axis: int) -> Array:
    """Return a global axis as a constant (3, columns)."""
    return np.outer(np.eye(3)[axis], s.unknowns.unit[0])


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
        pointing = s.turned[0]
        for axis, (x, y, z) in zip(s.turned, s.geometry.bend.T, strict=True):
            along, across = x * s.first[0] + y * s.first[1], x * s.first[1] - y * s.first[0]
            for e in (_along(s, k) for k in range(3)):
                equations.append([(0, axis, e), (0, -z * s.first[2], e), (cosine, -along, e), (sine, -across, e)])
    return [*equations, [(cosine_2, pointing, s.second[1]), (sine_2, pointing, s.second[0])]]


def _coupling(s: Sides) -> list[Product]:
    """Make the linear relation between two angles, or an angle and a displacement relative to the size."""
    joint, unknowns, unit = s.joint, s.unknowns, s.unknowns.unit
    columns = [unknowns.column(column) for column in unknowns.own[joint.name]]
    start = unknowns.start[list(unknowns.own[joint.name])]
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
    Rx(a) Ry(b) Rz(c), have z' · (cos a y + sin a z) = 0, x · z' = sin b and x · (cos c y' + sin c x') = 0, as have the
    last rotations of gears and rods with the axes that the first moves reach. Where rotations point the x axis along d,
    from the first point to the second, d · (−sin ψ x + cos ψ y) = 0 for the first of these rotations, d · z =
    −sin θ |d| for a rotation about y, and in the plane d · (cos ψ y' + sin ψ x') = 0 for the rotation after it. Of a
    cam, x and y are along and across the tangent at the contact.
    """
    cosine, sine, unit = 1 + 2 * number, 2 + 2 * number, s.unknowns.unit
    joint, axis, first, second = driver.joint, driver.freedom.axis, s.first, s.second
    if s.geometry.contact is not None:
        return _cam_driver(driver, cosine, s)
    if driver.coupled:
        return [(0, s.unknowns.column(s.unknowns.own[joint.name][0]), unit), (cosine, -unit, unit)]
    if driver.ball:
        return _ball_driver(axis, cosine, s)
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
    if joint.type in ("U", "ER", "PC"):
        if driver.freedom.name == "angle_1":
            return [(cosine, second[2], first[0]), (sine, second[2], first[1])]
        return [(cosine, first[2], second[0]), (sine, first[2], -second[1])]
    return [(cosine, second[0], first[1]), (sine, second[0], -first[0])]


def _ball_driver(axis: int, cosine: int, s: Sides) -> list[Product]:
    """Make the equation of one of three rotations about x, y and z; see `driver_equation`."""
    (x, y, z), sine = s.turned, cosine + 1
    if axis == 0:
        return [(cosine, s.second[2], y), (sine, s.second[2], z)]
    if axis == 1:
        return [(0, x, s.second[2]), (sine, -s.unknowns.unit, s.unknowns.unit)]
    return [(cosine, x, s.second[1]), (sine, x, s.second[0])]


def _cam_driver(driver: DrivenFreedom, cosine: int, s: Sides) -> list[Product]:
    """Make the equation of a driven freedom of a cam; see `driver_equation`."""
    (point, tangent), unit = _contact(s.unknowns, s.joint), s.unknowns.unit
    if driver.freedom.rotation:
        return [(cosine, s.second[0], _LEFT @ tangent), (cosine + 1, -s.second[0], tangent)]
    if s.joint.follower == "face" and driver.index == 1:
        slid = s.unknowns.point(s.joint.bodies[1], s.geometry.points[1]) - point
        return [(0, slid, tangent), (cosine, -unit, unit)]
    return [(0, s.unknowns.column(s.unknowns.own[s.joint.name][driver.index]), unit), (cosine, -unit, unit)]


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
            elif form.curved:
                value = reference_coordinates(form, stated)[move]
            elif joint.type in ("EO", "EPI") and freedom.axis == 0:
                value = np.hypot(shift[0], shift[1])
            else:
                value = shift[freedom.axis]
            coupled = freedom.rotation and move in (form.coupled or ())
            ball = form.ball and move >= len(form.moves) - 3
            driven.append(DrivenFreedom(joint, index, freedom, float(value), coupled, ball))
    return tuple(driven)
