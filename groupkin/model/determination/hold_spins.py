"""How idle spins are held: at which of the two joints, and about which axes.

A spin is held by a U joint in place of an S joint: its first axis a is fixed in the neighbor, its second axis b in the
part that spins, perpendicular to a and to the line between the two centers. So the part keeps b perpendicular to a and
to the line, whose direction, seen from the neighbor, must stay away from a. How far the neighbors will move is not
known yet; where one is connected to the frame side by a hinge or slide, whole turns and slides of it are examined.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from groupkin.mechanism.mechanism import Joint, Mechanism
from groupkin.mechanism.pairs import form
from groupkin.model.determination.ease_joints import eased_geometry
from groupkin.model.geometry.frames import JointGeometry, crossed, triad
from groupkin.model.geometry.geometry import Geometry, at_samples
from groupkin.structure.decomposition import Structure
from groupkin.structure.idle_spins import Spin
from groupkin.structure.redundancy import with_eased
from groupkin.tolerances import ROUNDING
from sglibrary.array_types import Array

EXAMINED = 72
"""Number of positions of each neighbor that are examined."""

STRETCH = 0.1
"""Share by which the distance of the centers may differ from the reference for a position to count as possible."""

BETTER = 1.2
"""Factor by which the line must stay farther from the axis, to hold a spin at the joint farther from the frame."""


def solved_geometry(structure: Structure, geometry: Geometry) -> Geometry:
    """Add to a geometry the axes of the joints that hold spins, and of eased joints.

    Parameters
    ----------
    structure : Structure
    geometry : Geometry
        Of `structure.mechanism`.

    Returns
    -------
    Geometry
        Of `structure.solved_as`.
    """
    mechanism = structure.mechanism
    eased = with_eased(mechanism, structure.redundancies)
    return with_held_spins(mechanism, geometry, spins=structure.spins, eased=eased)


def with_held_spins(mechanism: Mechanism, geometry: Geometry, *, spins: tuple[Spin, ...], eased: Mechanism) -> Geometry:
    """Choose the axes that hold spins, and add those of eased joints.

    Parameters
    ----------
    mechanism, geometry : Mechanism, Geometry
        As the user gave them.
    spins : tuple of Spin
        The spins to hold, each at the first of its two joints.
    eased : Mechanism
        The mechanism with eased joints in place of the user's; the mechanism itself if none is eased.

    Returns
    -------
    Geometry
        With U joints in place of S joints that hold a spin, and P joints in place of swivels.
    """
    joints, stated = dict(geometry.joints), mechanism.joint
    for joint in eased.joints:
        if joint is not stated[joint.name]:
            joints[joint.name] = eased_geometry(
                joint, stated[joint.name], geometry.joints[joint.name], mechanism.dimension
            )
    for spin in spins:
        joint = stated[spin.joints[0]]
        axis, _ = _axis(mechanism, at_samples(geometry), spin)
        joints[joint.name] = _universal_joint(joint, spin, geometry, axis)
        for name in spin.swivels:
            swivel = geometry.joints[name]
            joints[name] = JointGeometry(swivel.points, swivel.frames[[0, 0]], reference=(0.0,))
    return replace(geometry, joints=joints)


def better_end(mechanism: Mechanism, geometry: Geometry, spin: Spin) -> str:
    """Choose the joint, of the two of a spin, at which it is held; its name."""
    other = replace(spin, joints=(spin.joints[1], spin.joints[0]))
    sines = [_axis(mechanism, geometry, each)[1] for each in (spin, other)]
    return spin.joints[sines[1] > BETTER * sines[0]]


def _universal_joint(joint: Joint, spin: Spin, geometry: Geometry, axis: Array) -> JointGeometry:
    """Frame the U joint that holds a spin about an axis (3,) in place of an S joint."""
    line = _center(geometry, spin.joints[1]) - _center(geometry, spin.joints[0])
    across = np.cross(axis, line)
    length = np.linalg.norm(across)
    # centers that coincide, or lie along the axis, give a group without rank: it is refused there
    across = across / length if length > 0.0 else triad(axis)[:, 0]
    axes = (axis, across) if joint.bodies[1] in spin.bodies else (across, axis)
    units = np.stack([each / np.linalg.norm(each) for each in axes])
    return crossed(form("U", 3), geometry.joints[joint.name].points, units, np.zeros(2))


def _center(geometry: Geometry, joint: str) -> Array:
    return geometry.joints[joint].points[0]


def _axis(mechanism: Mechanism, geometry: Geometry, spin: Spin) -> tuple[Array, float]:
    """Choose the axis (3,), fixed in the neighbor at the first joint, from which the line stays farthest away.

    The float is the smallest sine of the angle between them.
    """
    directions = _directions(mechanism, geometry, spin)
    # the small differences make the choice among equally good axes independent of rounding errors
    spread = directions.T @ directions / len(directions) + np.diag([1e-6, 2e-6, 3e-6])
    axis = np.linalg.eigh(spread)[1][:, 0]
    axis = axis * np.sign(axis[np.argmax(np.abs(axis))])
    return axis, float(np.linalg.norm(np.cross(directions, axis), axis=1).min())


def _directions(mechanism: Mechanism, geometry: Geometry, spin: Spin) -> Array:
    """Compute unit vectors (n, 3) of the line, seen from the neighbor at the first joint, in possible positions."""
    starts = [_center(geometry, name) for name in spin.joints]
    line = starts[1] - starts[0]
    length = max(float(np.linalg.norm(line)), ROUNDING * geometry.size)
    turns, near = _positions(mechanism, geometry, spin, 0, length)
    far = _positions(mechanism, geometry, spin, 1, length)[1]
    between = far[None] - near[:, None]
    seen = np.einsum("nji,nmj->nmi", turns, between)
    distance = np.linalg.norm(between, axis=2)
    possible = np.abs(distance - length) < STRETCH * length
    return np.concatenate([(line / length)[None], (seen / np.maximum(distance, length * STRETCH)[..., None])[possible]])


def _positions(mechanism: Mechanism, geometry: Geometry, spin: Spin, end: int, length: float) -> tuple[Array, Array]:
    """Compute rotations (n, 3, 3) of the neighbor at an end, and positions (n, 3), m, of the center there."""
    from scipy.spatial.transform import Rotation

    center = _center(geometry, spin.joints[end])
    ends = mechanism.joint[spin.joints[end]].bodies
    neighbor = ends[0] if ends[1] in spin.bodies else ends[1]
    carrier = _carrier(mechanism, neighbor, spin)
    if carrier is None or not mechanism.form(carrier).axial:
        return np.eye(3)[None], center[None]
    hinge = geometry.joints[carrier.name]
    axis, point = hinge.frames[0][:, 2], hinge.points[0]
    if mechanism.form(carrier).slide:
        shifts = np.linspace(-length, length, EXAMINED)[:, None] * axis
        return np.tile(np.eye(3), (EXAMINED, 1, 1)), center + shifts
    angles = np.linspace(0.0, 2 * np.pi, EXAMINED, endpoint=False)
    turns = Rotation.from_rotvec(angles[:, None] * axis).as_matrix()
    return turns, point + turns @ (center - point)


def _carrier(mechanism: Mechanism, body: str, spin: Spin) -> Joint | None:
    """Find the last joint on the shortest way from the frame to a body that avoids the part that spins."""
    reached: list[str] = [mechanism.frame]
    before: dict[str, Joint | None] = {mechanism.frame: None}
    for near in reached:
        for joint in mechanism.joints_of[near]:
            other = joint.bodies[joint.bodies[0] == near]
            if other not in before and other not in spin.bodies:
                before[other] = joint
                reached.append(other)
    return before.get(body)
