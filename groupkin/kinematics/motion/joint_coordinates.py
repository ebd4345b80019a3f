"""Coordinates of a joint over a motion: from the placements of its bodies, without jumps by whole turns."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from groupkin.errors import UnknownNameError
from groupkin.messages import nearest
from groupkin.model.geometry.coordinates import coordinates, periods, reference_coordinates, relation, whole_turns

if TYPE_CHECKING:
    from groupkin.kinematics.motion.motion import Motion

Array = NDArray[np.float64]


def joint_coordinates(motion: Motion, name: str, between: tuple[str, str] | None = None) -> Array:
    """Compute the coordinates (freedoms, n) of a joint, rad and m; see `Motion.joint`."""
    mechanism, joints = motion.program.mechanism, motion.program.geometry.joints
    if isinstance(name, str) and name in mechanism.shared:
        bodies = mechanism.shared[name].bodies
        wanted = [(bodies[0], body) for body in bodies[1:]] if between is None else [between]
        return np.concatenate([_of_multi_joint(motion, name, pair) for pair in wanted])
    if not isinstance(name, str) or name not in joints:
        near = nearest(name, [*mechanism.shared, *(j.name for j in mechanism.joints)])
        raise UnknownNameError(f"there is no joint {name!r}" + (f"; did you mean {near}?" if near else ""))
    rotation, shift = motion.relative_placement(name)
    form, geometry = mechanism.form(mechanism.joint[name]), joints[name]
    values = coordinates(form, rotation, shift, geometry.bend, geometry.contact)
    for k, period in enumerate(periods(form, geometry)):
        if period is not None and not motion.by_themselves:
            values[k] = unwrapped(values[k], period)
    return _aligned(motion, name, values)[list(form.places)]


def _of_multi_joint(motion: Motion, name: str, between: tuple[str, str]) -> Array:
    """Compute the coordinates (freedoms, n) of one body of a multi-joint relative to another."""
    program = motion.program
    pairs = [joint for joint in program.mechanism.joints if joint.of is not None and joint.of.name == name]
    whole = program.mechanism.shared[name]
    if len(between) != 2 or any(body not in whole.bodies for body in between):
        raise UnknownNameError(f"joint {name!r} joins {', '.join(whole.bodies)}; `between` must name two of them")
    for joint in pairs:
        if joint.bodies == tuple(between):
            return joint_coordinates(motion, joint.name)
    frames = {
        body: (program.geometry.joints[joint.name].frames[side], program.geometry.joints[joint.name].points[side])
        for joint in pairs
        for side, body in enumerate(joint.bodies)
    }
    first, second = between
    back = np.swapaxes(motion.rotation(first) @ frames[first][0], 1, 2)
    away = motion.point_on(second, frames[second][1]) - motion.point_on(first, frames[first][1])
    form = program.mechanism.form(whole)
    turn = back @ (motion.rotation(second) @ frames[second][0])
    values = coordinates(form, turn, np.einsum("nij,nj->ni", back, away))
    for k, move in enumerate(form.moves):
        solved = np.flatnonzero(np.isfinite(values[k]))
        if move.rotation and solved.size and not motion.by_themselves:
            values[k] = unwrapped(values[k])
            values[k] -= whole_turns(values[k, solved[0]])
    return values[list(form.places)]


def _aligned(motion: Motion, joint: str, values: Array) -> Array:
    """Shift angles by whole turns: driven angles follow their driver, others start next to the reference."""
    program = motion.program
    form, geometry = program.mechanism.form(program.mechanism.joint[joint]), program.geometry.joints[joint]
    start = reference_coordinates(form, geometry)
    drivers = {form.places[d.freedom]: k for k, d in enumerate(program.drivers) if d.joint == joint}
    for k, period in enumerate(periods(form, geometry)):
        solved = np.flatnonzero(np.isfinite(values[k]))
        if period is None or not solved.size:
            continue
        if k in drivers:
            values[k] += whole_turns(motion.driver(drivers[k])[0] - values[k], period)
        elif form.coupled and k in form.coupled and not all(form.moves[m].rotation for m in form.coupled):
            (ours, theirs), value = relation(form, geometry)
            other = form.coupled[1]
            if k == other:
                ours, theirs, other = theirs, ours, form.coupled[0]
            values[k] += whole_turns((value - theirs * values[other]) / ours - values[k])
        else:
            values[k] += whole_turns(start[k] - values[k, ... if motion.by_themselves else solved[0]], period)
    return values


def unwrapped(angles: Array, period: float = 2 * np.pi) -> Array:
    """Remove jumps by 2π, or another period, also across failed steps."""
    out = angles.copy()
    solved = np.isfinite(angles)
    out[solved] = np.unwrap(angles[solved], period=period)
    return out
