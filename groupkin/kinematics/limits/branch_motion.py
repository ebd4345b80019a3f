"""Configurations on a curve as a motion of the program, so that any position can be read from it."""

from __future__ import annotations

import numpy as np

from groupkin.kinematics.limits.checks import Freedom
from groupkin.kinematics.limits.independent_parts import Part
from groupkin.kinematics.limits.released import Released
from groupkin.kinematics.motion.motion import Inputs, Motion
from groupkin.kinematics.program.program import Program
from groupkin.model.geometry.frames import smallest_rotations
from sglibrary.array_types import Array

Placed = dict[str, tuple[Array, Array]]
"""Origins (k, d), m, and rotations (k, d, d) of bodies; NaN where a rod is free to spin."""


def motion_along(
    program: Program, placed: Placed, along: Array, values: dict[Freedom, float], driver: Freedom
) -> Motion:
    """Make a motion through some configurations, one driver at values along it (k,), the others at theirs.

    It has no velocities. A rod that is free to spin is turned from the reference configuration as little as possible.
    """
    count, mechanism, geometry = along.size, program.mechanism, program.geometry
    d = mechanism.dimension
    placed = dict(placed)
    placed[mechanism.frame] = np.tile(geometry.origins[mechanism.frame], (count, 1)), np.tile(np.eye(d), (count, 1, 1))
    for body in mechanism.movable:
        if np.isnan(placed[body][1]).any():
            placed[body] = _rod(program, placed, body)
    state = np.full((program.rows, count), np.nan)
    for body in mechanism.movable:
        pose, (at, turn) = program.poses[body], placed[body]
        state[pose.point : pose.point + d] = (at + turn @ (pose.origin - geometry.origins[body])).T
        for row, direction in zip(pose.vectors, pose.directions.T, strict=False):
            state[row : row + d] = (turn @ direction).T
    driven = np.array([np.full(count, values[each.joint, each.freedom]) for each in program.drivers])
    names = [(each.joint, each.freedom) for each in program.drivers]
    driven[names.index(driver)] = along
    still = np.full((len(program.kept), count), np.nan)
    groups = len(program.structure.groups)
    inputs = Inputs(np.stack([driven, 0.0 * driven, 0.0 * driven], axis=1), True)
    status, conditioning = np.zeros((groups, count), np.uint8), np.full((groups, count), np.nan)
    q = state[program.kept]
    return Motion(program, np.arange(float(count)), q, still, still.copy(), status, conditioning, inputs=inputs)


def placed_along(part: Part, released: Released, z: Array) -> Placed:
    """Place the movable bodies of a part in some configurations (k, n)."""
    x = np.column_stack([np.ones(len(z)), z[:, :-1]])
    origins, rotations = released.origins @ x.T * part.geometry.size, released.rotations @ x.T
    return {
        body: (np.moveaxis(at, -1, 0), np.moveaxis(turn, -1, 0))
        for body, at, turn in zip(part.mechanism.movable, origins, rotations, strict=True)
    }


def _rod(program: Program, placed: Placed, body: str) -> tuple[Array, Array]:
    """Place a rod by the centers of its two spherical joints on the bodies beside it."""
    geometry, own, there = program.geometry, [], []
    for joint in program.mechanism.joints_of[body]:
        side = joint.bodies.index(body)
        other, points = joint.bodies[1 - side], geometry.joints[joint.name].points
        own.append(points[side])
        at, turn = placed[other]
        there.append(at + turn @ (points[1 - side] - geometry.origins[other]))
    turns = smallest_rotations(own[1] - own[0], there[1] - there[0])
    return there[0] + turns @ (geometry.origins[body] - own[0]), turns
