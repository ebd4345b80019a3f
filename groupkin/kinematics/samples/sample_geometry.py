"""Body-local geometry of samples, from the values of the parameters that change it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from groupkin.kinematics.parameters import locations
from groupkin.kinematics.parameters.locations import Location
from groupkin.kinematics.parameters.named_values import primitive
from groupkin.kinematics.parameters.parameters import Axis, Dimension, JointPoint, Length, Point
from groupkin.kinematics.program.program import Program
from groupkin.model.geometry.coordinates import reference_coordinates
from groupkin.model.geometry.frames import smallest_rotations
from groupkin.model.geometry.geometry import Geometry, meet_lengths, spread
from groupkin.tolerances import LENGTHS_MET
from sglibrary.traced import samples

Array = NDArray[np.float64]


def geometry_of(program: Program, values: Mapping[Dimension, Array], count: int) -> Geometry:
    """Compute the body-local geometry of samples.

    Parameters
    ----------
    program : Program
        The nominal one.
    values : mapping of Dimension to (n,) or (n, d) array
        Values of all parameters that change geometry.
    count : int
        Number n of variants.

    Returns
    -------
    Geometry
        With a leading axis of variants. Of a variant whose lengths cannot be met, points are NaN.
    """
    mechanism, values = program.mechanism, primitive(program, values)
    moved: dict[Location, Array] = {}
    lengths: dict[str, dict[tuple[str, str], Array]] = {body: {} for body in mechanism.body}
    for target, x in values.items():
        if isinstance(target, Length):
            lengths[target.body][target.between] = x
        elif isinstance(target, Point | JointPoint):
            for location in locations.target_locations(program, target):
                change = _change(target, x, locations.coordinates_at(program.geometry, location), program)
                moved[location] = moved.get(location, 0.0) + change
    for body, varied in lengths.items():
        _meet(program, body, varied, moved, count)
    joints = {}
    for joint in (*mechanism.joints, *mechanism.measuring):
        nominal = program.geometry.joints[joint.name]
        joints[joint.name] = replace(nominal, values=reference_coordinates(mechanism.form(joint), nominal))
    variants = spread(replace(program.geometry, joints=joints), count)
    return _turned(program, _shifted(variants, moved), values)


def _change(target: Point | JointPoint | Axis, values: Array, nominal: Array, program: Program) -> Array:
    """Return the changes (n, d) of coordinates that bring them to the values of a parameter."""
    if not target.component:
        return values - nominal
    index = locations.component_index(target, program)
    change = np.zeros_like(values, shape=(len(values), nominal.size))
    change[:, index] = values - nominal[index]
    return change


def _meet(
    program: Program, body: str, varied: Mapping[tuple[str, str], Array], moved: dict[Location, Array], count: int
) -> None:
    """Move the named points of a body as little as possible to meet its lengths, stated and varied."""
    stated = program.mechanism.body[body].lengths
    lengths = {frozenset(pair): (pair, np.full(count, value)) for pair, value in stated.items()}
    lengths |= {frozenset(pair): (pair, values) for pair, values in varied.items()}
    names = list(dict.fromkeys(name for pair, _ in lengths.values() for name in pair))
    stored = {name: locations.point_locations(program, body, name) for name in names}
    if not varied and not any(location in moved for listed in stored.values() for location in listed):
        return
    nothing = np.zeros((count, program.mechanism.dimension))
    changes = [next((moved[at] for at in stored[name] if at in moved), nothing) for name in names]
    nominal = np.array([locations.local_coordinates(program, body, name) for name in names])
    wanted = np.stack([values for _, values in lengths.values()], axis=1)
    met, gaps = meet_lengths([pair for pair, _ in lengths.values()], wanted, names, nominal + np.stack(changes, axis=1))
    largest = np.abs(samples(wanted)).argmax(axis=1)[:, None]
    missed = ~(np.abs(gaps) <= LENGTHS_MET * np.abs(np.take_along_axis(wanted, largest, axis=1))).all(axis=1)
    met[missed] = np.nan
    for k, name in enumerate(names):
        for location in stored[name]:
            moved[location] = met[:, k] - locations.coordinates_at(program.geometry, location)


def _shifted(geometry: Geometry, moved: Mapping[Location, Array]) -> Geometry:
    """Return the geometry of n variants with some coordinates changed."""
    joints, origins, points = dict(geometry.joints), dict(geometry.origins), dict(geometry.points)
    for (kind, name, side), change in moved.items():
        if kind == "joint":
            both = np.array(joints[name].points, np.result_type(joints[name].points, change))
            both[:, side] += change
            joints[name] = replace(joints[name], points=both)
        elif kind == "axis":
            ends = np.array(joints[name].axis_points, np.result_type(joints[name].axis_points, change))
            ends[:, side // 2, side % 2] += change
            joints[name] = replace(joints[name], axis_points=ends)
        elif kind == "origin":
            origins[name] = origins[name] + change
        else:
            points[name] = points[name][0], points[name][1] + change
    return replace(geometry, joints=joints, origins=origins, points=points)


def _turned(program: Program, geometry: Geometry, values: Mapping[Dimension, Array]) -> Geometry:
    """Return the geometry of n variants with frames of joints turned to changed axes."""
    axes: dict[tuple[str, int], Array] = {}
    for name, moved in geometry.joints.items():
        start, ends = program.geometry.joints[name].axis_points, moved.axis_points
        if start is not None and ends is not None:
            sides = [side for side in (0, 1) if not (ends[:, side] == start[side]).all()]
            axes |= {(name, side): ends[:, side, 1] - ends[:, side, 0] for side in sides}
    for target, x in values.items():
        if isinstance(target, Axis):
            for joint, side in locations.axis_sides(target, program):
                nominal = locations.axis_of(program, joint, side)
                axes[joint, side] = axes.get((joint, side), nominal) + _change(target, x, nominal, program)
    joints = dict(geometry.joints)
    for (joint, side), axis in axes.items():
        turns = smallest_rotations(locations.axis_of(program, joint, side), axis)
        frames = np.array(joints[joint].frames, np.result_type(turns, joints[joint].frames))
        frames[:, side] = turns @ frames[:, side]
        joints[joint] = replace(joints[joint], frames=frames)
    return replace(geometry, joints=joints)
