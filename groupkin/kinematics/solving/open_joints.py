"""Which redundant joint is open at a step that is not solved for this, and by how much."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from groupkin.kinematics.motion.motion import Motion
from groupkin.model.determination.finite_motion import Cluster, Poses
from groupkin.model.determination.positions import closest, everything
from groupkin.model.geometry.coordinates import Placement, allowed_placement
from groupkin.structure.decomposition import Group
from sglibrary import repeated_rows


def open_joint(motion: Motion, group: Group, index: int) -> str:
    """Say which joint of a group is open at a step, and by how much; empty if it cannot be told.

    Where rows were left out, that is the pose without the check of them. Where all are solved together there is none:
    then joints are closed by least squares, from the step before on.
    """
    program, say = motion.program, motion.program.mechanism.units.text
    eased = {joint.name for each in program.structure.redundancies for joint in each.eased}
    placements = _unchecked(motion, index, eased) if eased else _nearest(motion, group, index)
    found = []
    for name, placed in placements:
        if name not in (*group.external, *group.internal):
            continue
        form = program.mechanism.form(program.mechanism.joint[name])
        _, allowed = allowed_placement(form, program.geometry.joints[name], placed, {})
        apart, turned = np.abs(placed[1] - allowed[1]).max(), np.abs(placed[0] - allowed[0]).max()
        length = bool(apart >= turned * program.geometry.size)
        gap = say(apart if length else turned, "m" if length else "rad", 3)
        found.append((max(apart / program.geometry.size, turned), name, gap))
    if not found:
        return ""
    _, name, gap = max(found)
    return f": joint {name!r} is open by {gap}"


def _unchecked(motion: Motion, index: int, names: set[str]) -> Iterator[tuple[str, Placement]]:
    """Placements of joints in the pose at a step as it is without checks."""
    calls = tuple(call for call in motion.program.calls if call.kernel is not repeated_rows.check)
    there = replace(motion.program, calls=calls).evaluate(motion.driven[:, 0, index : index + 1])
    if there.solved.all():
        for name in sorted(names):
            yield name, there.relative_placement(name)


def _nearest(motion: Motion, group: Group, index: int) -> Iterator[tuple[str, Placement]]:
    """Placements of all joints where they miss each other least at a step."""
    program = motion.program
    cluster = everything(program.structure.solved_as, program.solved_geometry)
    ahead = {
        (each.joint, each.freedom): float(motion.driven[row, 0, index]) - each.reference
        for row, each in enumerate(program.drivers)
    }
    poses = _poses(motion, cluster, index - 1) if index and motion.solved[index - 1] else cluster.at_rest()
    position = closest(cluster, poses, ahead)
    if position is None:
        return
    for name in (*group.external, *group.internal):
        joint = position.joints[name]
        back = joint.frames[0].T
        yield name, (back @ joint.frames[1], back @ (joint.points[1] - joint.points[0]))


def _poses(motion: Motion, cluster: Cluster, index: int) -> Poses:
    """Poses of all bodies at a step, from the reference configuration, near the origin."""
    step, poses = motion.at(np.array([index])), cluster.at_rest()
    for body in cluster.bodies:
        poses[body] = (step.rotation(body)[0], step.point_on(body, cluster.shift)[0] - cluster.shift)
    return poses
