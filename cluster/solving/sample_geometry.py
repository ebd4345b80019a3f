"""Body-local geometry of samples, from the values of the parameters that change it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from cluster.sweeps.parameters import Axis, JointPoint, Length, Point, Target
from cluster.sweeps.targets import Spot, axes_of, axis_of, component_of, local, named, place, spots
from groupkin.kinematics.program.program import Program
from groupkin.model.geometry.coordinates import reference_coordinates
from groupkin.model.geometry.geometry import CLOSED, Geometry, meet_lengths, spread

Array = NDArray[np.float64]


def geometry_of(program: Program, given: Mapping[Target, Array], count: int) -> Geometry:
    """Body-local geometry of variants.

    Parameters
    ----------
    given : mapping of Target to (n,) or (n, d) array
        Values of all parameters that change geometry.
    count : int
        Number n of variants.

    Returns
    -------
    Geometry
        With a leading axis of variants. Of a variant whose lengths cannot be met, points are NaN.
    """
    mechanism = program.mechanism
    moved: dict[Spot, Array] = {}
    for target, values in given.items():
        if isinstance(target, Point | JointPoint):
            for spot in spots(target, program):
                change = _change(target, values, place(program.geometry, spot), program)
                moved[spot] = moved.get(spot, 0.0) + change
    for body in mechanism.body:
        lengths = {target.between: values for target, values in given.items() if _is_length(target, body)}  # type: ignore[union-attr]
        _meet(program, body, lengths, moved, count)
    joints = {}
    for joint in mechanism.joints:
        own = program.geometry.joints[joint.name]
        joints[joint.name] = replace(own, values=reference_coordinates(mechanism.form(joint), own))
    found = spread(replace(program.geometry, joints=joints), count)
    return _turned(program, _shifted(found, moved), given)


def _is_length(target: Target, body: str) -> bool:
    return isinstance(target, Length) and target.body == body


def _change(target: Point | JointPoint | Axis, values: Array, nominal: Array, program: Program) -> Array:
    """Changes (n, d) of coordinates that bring them to the values of a parameter."""
    if not target.component:
        return values - nominal
    index = component_of(target, program)
    change = np.zeros((len(values), nominal.size))
    change[:, index] = values - nominal[index]
    return change


def _meet(
    program: Program, body: str, varied: Mapping[tuple[str, str], Array], moved: dict[Spot, Array], count: int
) -> None:
    """Move the named points of a body as little as possible to meet its lengths, stated and varied."""
    stated = program.mechanism.body[body].lengths
    lengths = {frozenset(pair): (pair, np.full(count, value)) for pair, value in stated.items()}
    lengths |= {frozenset(pair): (pair, values) for pair, values in varied.items()}
    names = list(dict.fromkeys(name for pair, _ in lengths.values() for name in pair))
    kept = {name: named(program, body, name) for name in names}
    if not varied and not any(spot in moved for spots in kept.values() for spot in spots):
        return
    nothing = np.zeros((count, program.mechanism.dimension))
    places = np.stack(
        [local(program, body, name) + next((moved[s] for s in kept[name] if s in moved), nothing) for name in names],
        axis=1,
    )
    wanted = np.stack([values for _, values in lengths.values()], axis=1)
    met, gaps = meet_lengths([pair for pair, _ in lengths.values()], wanted, names, places)
    missed = ~(np.abs(gaps).max(axis=1) <= CLOSED * np.abs(wanted).max(axis=1))
    met[missed] = np.nan
    for k, name in enumerate(names):
        for spot in kept[name]:
            moved[spot] = met[:, k] - place(program.geometry, spot)


def _shifted(geometry: Geometry, moved: Mapping[Spot, Array]) -> Geometry:
    """Geometry (n variants) with some coordinates changed."""
    joints, origins, points = dict(geometry.joints), dict(geometry.origins), dict(geometry.points)
    for (kind, name, side), change in moved.items():
        if kind == "joint":
            places = joints[name].points.copy()
            places[:, side] += change
            joints[name] = replace(joints[name], points=places)
        elif kind == "origin":
            origins[name] = origins[name] + change
        else:
            points[name] = points[name][0], points[name][1] + change
    return replace(geometry, joints=joints, origins=origins, points=points)


def _turned(program: Program, geometry: Geometry, given: Mapping[Target, Array]) -> Geometry:
    """Geometry (n variants) with frames of joints turned to changed axes."""
    axes: dict[tuple[str, int], Array] = {}
    for target, values in given.items():
        if isinstance(target, Axis):
            for joint, side in axes_of(target, program):
                stated = axis_of(program, joint, side)
                axes[joint, side] = axes.get((joint, side), stated) + _change(target, values, stated, program)
    joints = dict(geometry.joints)
    for (joint, side), axis in axes.items():
        frames = joints[joint].frames.copy()
        frames[:, side] = _least_rotation(axis_of(program, joint, side), axis) @ frames[:, side]
        joints[joint] = replace(joints[joint], frames=frames)
    return replace(geometry, joints=joints)


def _least_rotation(start: Array, axes: Array) -> Array:
    """Rotations (n, d, d) by the least angle that turn a direction (d,) to others (n, d); NaN if turned back."""
    u, w = start / np.linalg.norm(start), axes / np.linalg.norm(axes, axis=1, keepdims=True)
    cosine = w @ u
    if u.size == 2:
        sine = u[0] * w[:, 1] - u[1] * w[:, 0]
        return np.moveaxis(np.array([[cosine, -sine], [sine, cosine]]), 2, 0)
    x, y, z = np.cross(u, w).T
    zero = np.zeros_like(x)
    skew = np.moveaxis(np.array([[zero, -z, y], [z, zero, -x], [-y, x, zero]]), 2, 0)
    scale = 1.0 / np.where(1.0 + cosine > 1e-12, 1.0 + cosine, np.nan)
    return np.eye(3) + skew + skew @ skew * scale[:, None, None]
