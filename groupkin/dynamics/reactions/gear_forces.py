"""Radial and axial forces of gears: what the angles of their teeth add to the tangential force."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from groupkin.dynamics.acting import coulomb
from groupkin.dynamics.acting.loads import Loads
from groupkin.dynamics.bodies.masses import moment
from groupkin.errors import GroupkinWarning, LoadError
from groupkin.kinematics.motion.motion import Motion
from groupkin.mechanism.laws.laws import Constant
from groupkin.mechanism.mechanism import Joint
from groupkin.mechanism.pairs import PAIRS
from groupkin.model.trees import padded, upright
from groupkin.tolerances import PARALLEL, STILL, WARNED_FORCE
from sglibrary.array_types import Array

PRESSURE = np.deg2rad(20.0)
"""Pressure angle of gears that state none."""


@dataclass(frozen=True, eq=False)
class Teeth:
    """What the teeth of parallel gears push besides the tangential force.

    The force between teeth is normal to them: with the tangential force F, the pressure angle α in the normal plane and
    the helix angle β it has a radial part |F| tan α / cos β, which drives the gears apart, and an axial one F tan β.
    It acts at the pitch point, where the gears do not slide, so it does no work.

    Attributes
    ----------
    joint : Joint
    pitch : (n, d) array
        The pitch point, m.
    around, outward, axis : (n, 3) arrays
        Directions of the tangential force, of the radial one on the second gear, and of the axes.
    pressure, helix : float
        rad.
    """

    joint: Joint
    pitch: Array
    around: Array
    outward: Array
    axis: Array
    pressure: float
    helix: float

    def radial(self, tangential: Array) -> Array:
        """Compute the radial force (d, n) on the second gear of a tangential force (d, n), N."""
        size = np.abs(self.along(tangential))[:, None]
        return self._in_space(size * np.tan(self.pressure) / np.cos(self.helix) * self.outward)

    def axial(self, tangential: Array) -> Array:
        """Compute the axial force (d, n) on the second gear of a tangential force (d, n), N."""
        return self._in_space(-self.along(tangential)[:, None] * np.tan(self.helix) * self.axis)

    def along(self, force: Array) -> Array:
        """Compute the part (n,) of a force (d, n) that is tangential, N."""
        return np.asarray((padded(force.T) * self.around).sum(axis=1))

    def tangential(self, amount: Array) -> Array:
        """Return the tangential force (d, n) of an amount (n,), N."""
        return self._in_space(amount[:, None] * self.around)

    def add(self, loads: Loads, force: Array) -> Array:
        """Add a force (d, n) of the first gear on the second at the pitch point to the loads.

        Returns
        -------
        (3 or 6, n) array
            The same as a torque about the joint's point on the second gear, N m, and a force, N.
        """
        motion, second = loads.motion, self.joint.bodies[1]
        loads.add_between(self.joint.bodies, self.pitch, 0.0, force)
        at = motion.program.geometry.joints[self.joint.name].points[1]
        arm = (self.pitch - motion.point_on(second, at)).T
        return np.concatenate([moment(arm, force), force])

    def _in_space(self, vectors: Array) -> Array:
        return vectors[:, : self.pitch.shape[1]].T


def teeth_of(motion: Motion, joint: Joint) -> Teeth | None:
    """Describe the teeth of gears; None of other joints, and where they transmit the tangential force alone.

    That is where the axes are not parallel, and where drivers tilt them, change the distance of the centers, or shift
    helical gears along their axes, so that such forces would do work. The ratio of the gears is the same there, so that
    what enforces it is the tangential force alone.
    """
    mesh, d = PAIRS[joint.type].mesh, motion.program.mechanism.dimension
    if not mesh or joint.radii is None:
        return None
    geometry = motion.program.geometry.joints[joint.name]
    one, two = (motion.point_on(body, at) for body, at in zip(joint.bodies, geometry.points, strict=True))
    axes = [
        upright(motion.rotation(body) @ frame)[:, :, 2]
        for body, frame in zip(joint.bodies, geometry.frames, strict=True)
    ]
    if np.abs(np.cross(axes[0], axes[1])).max(initial=0.0) > PARALLEL:
        return None
    axis, away = axes[0], padded(two - one)
    away = away - (away * axis).sum(axis=1, keepdims=True) * axis
    way = away / np.linalg.norm(away, axis=1, keepdims=True)
    first, second = joint.radii
    helix = joint.helix_angle or 0.0
    tilts = [way, np.cross(axis, way)] if d == 3 else []
    if _move(motion, joint, (one, two), [way[:, :d], *([axis] if helix and d == 3 else [])], tilts):
        return None
    # outer gears mesh between their centers, inner ones beyond the center of the smaller gear
    share = first / (first - mesh * second)
    pitch = padded(one) + share * away
    outward = way if mesh < 0 or first > second else -way  # where the first gear has its teeth
    toward_second = way if mesh < 0 else (-outward if first > second else outward)
    pressure = PRESSURE if joint.pressure_angle is None else joint.pressure_angle
    return Teeth(joint, pitch[:, :d], np.cross(axis, outward), toward_second, axis, pressure, helix)


def _move(motion: Motion, joint: Joint, centers: tuple[Array, Array], ways: list[Array], tilts: list[Array]) -> bool:
    """Whether drivers move the centers of gears apart along some directions (n, d), or tilt one about some.

    Forces there do work then.

    A driver that is held at one value does not move them.
    """
    mechanism = motion.program.mechanism
    steps, d = ways[0].shape
    loads = np.zeros((len(mechanism.movable), 3 * (d - 1), len(ways) + len(tilts), steps))
    for body, center, sign in zip(joint.bodies, centers, (-1.0, 1.0), strict=True):
        if body != mechanism.frame:
            arm, at = (center - motion.position(body)).T, mechanism.movable.index(body)
            for k, way in enumerate(ways):
                loads[at, :, k] += sign * np.concatenate([moment(arm, way.T), way.T])
            for k, axis in enumerate(tilts, len(ways)):
                loads[at, :3, k] += sign * axis.T
    moving = [
        k
        for k, driven in enumerate(motion.program.drivers)
        if not isinstance(driven.law, Constant) or motion.driven[k, 1:].any()
    ]
    rates = motion.program.rates_transposed(motion, loads)[moving]
    return bool(np.nanmax(np.abs(rates), initial=0.0) > STILL * max(1.0, motion.program.geometry.size))


def held(
    motion: Motion, every: Sequence[Teeth], base: Sequence[Array], under: Callable[[list[Array]], list[Array]]
) -> list[Array]:
    """Find the tangential forces (n,) of meshes that hold gears, whose radial and axial forces change them.

    They are linear in the latter, t = t₀ + R |t| + A t, and found from no radial forces on as friction is (`coulomb`).

    Parameters
    ----------
    motion : Motion
    every : sequence of Teeth
    base : sequence of (n,) array
        Tangential forces t₀ without others, N.
    under : callable
        Computes tangential forces under forces (d, n) on the second gears at the pitch points.

    Raises
    ------
    LoadError
        Where no tangential forces hold the gears.
    """
    count, start = len(every), np.stack(base, axis=1)
    size, none = float(np.nanmax(np.abs(start))), np.zeros_like(every[0].pitch.T)

    def gains(parts: Sequence[Array]) -> Array:
        """Changes (n, k, k) of tangential forces, the second index, by a part of the force in each mesh."""
        found = [under([part if i == j else none for i in range(count)]) for j, part in enumerate(parts)]
        return np.stack([(np.stack(each, axis=1) - start) / size for each in found], axis=2)

    units = [teeth.tangential(np.full(motion.times.size, size)) for teeth in every]
    radial = gains([teeth.radial(unit) for teeth, unit in zip(every, units, strict=True)])
    matrix = np.eye(count) + 0.0 * radial
    if any(teeth.helix for teeth in every):
        matrix = matrix - gains([teeth.axial(unit) for teeth, unit in zip(every, units, strict=True)])
    matrix[~np.isfinite(start).all(axis=1)] = np.eye(count)  # steps that are not solved
    sound = np.linalg.det(matrix) > 0.0
    matrix[~sound] = np.eye(count)
    offset = np.asarray(np.linalg.solve(matrix, start[:, :, None])[:, :, 0], float)
    slope = np.asarray(np.linalg.solve(matrix, radial), float)
    found = coulomb.solve(
        [x[None, None] for x in offset.T],
        [[slope[:, i, j][None, None] for i in range(count)] for j in range(count)],
        [np.zeros(motion.times.size)] * count,
        np.ones(count),
    )
    lost = ~sound | (found.shares < 1.0)
    if lost.any():
        step = int(np.argmax(lost))
        name = every[found.growing[step]].joint.name
        raise LoadError(
            f"joint {name!r}: the teeth cannot hold the gears at t = {motion.times[step]:g} s: the radial and "
            "axial forces that go with any tangential force turn them further. Hold a gear by another joint, pin it at "
            "its center, or lower the pressure_angle"
        )
    forces = np.asarray(offset + np.einsum("nij,jn->ni", slope, found.amounts))
    _warn_of_others(motion, every, slope, offset, forces)
    return list(forces.T)


def _warn_of_others(motion: Motion, every: Sequence[Teeth], slope: Array, offset: Array, forces: Array) -> None:
    """Warn where teeth hold the gears as well if those of one mesh touch on their other flanks."""
    for k, teeth in enumerate(every):
        signs = np.where(forces < 0.0, -1.0, 1.0)
        signs[:, k] *= -1.0
        matrix = np.eye(len(every)) - slope * signs[:, None, :]
        sound = np.abs(np.linalg.det(matrix)) > STILL
        matrix[~sound] = np.eye(len(every))
        other = np.linalg.solve(matrix, offset[:, :, None])[:, :, 0]
        both = np.flatnonzero(sound & (other * signs > WARNED_FORCE).all(axis=1))
        if both.size:
            step = int(both[0])
            warnings.warn(
                f"joint {teeth.joint.name!r}: its teeth hold the gears at t = {motion.times[step]:g} s with a "
                f"tangential force of {forces[step, k]:.6g} N, which is returned, and on their other flanks with one "
                f"of {other[step, k]:.6g} N as well; hold a gear by another joint, pin it at its center, or lower the "
                "pressure_angle",
                GroupkinWarning,
                stacklevel=2,
            )
