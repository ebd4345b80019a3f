"""Axes of joints that are parallel or meet in a point: the usual reason why constraints of joints are redundant."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from groupkin.mechanism.mechanism import Joint, Mechanism
from groupkin.model.geometry.geometry import Geometry, near_origin
from groupkin.model.rank.mobility import twists
from groupkin.tolerances import TAKES_PART
from sglibrary.array_types import Array


def alignment(mechanism: Mechanism, geometry: Geometry, joints: Sequence[Joint]) -> str:
    """Say whether the axes of joints are all parallel or all meet in a point; empty if they do neither."""
    names = ", ".join(joint.name for joint in joints)
    turns, slides = axes_of(mechanism, near_origin(geometry)[0], joints)
    if len(turns) > 1 and common_normal(turns, slides) is not None:
        return f"the axes of {names} are parallel"
    if len(turns) > 1 and common_center(turns, slides, geometry.size) is not None:
        return f"the axes of {names} meet in a point"
    return ""


def axes_of(mechanism: Mechanism, geometry: Geometry, joints: Sequence[Joint]) -> tuple[list[Array], list[Array]]:
    """List the axes of joints in space; a plane mechanism has none.

    Returns
    -------
    list of (6,) array
        Twists of all turns, of unit angular velocity; velocities at the global origin relative to the size.
    list of (3,) array
        Directions of all slides.
    """
    turns: list[Array] = []
    slides: list[Array] = []
    if mechanism.dimension == 2:
        return turns, slides
    for joint in joints:
        for twist in twists(mechanism, joint, geometry.joints[joint.name], geometry.size).T:
            rate = np.linalg.norm(twist[:3])
            if rate > TAKES_PART:
                turns.append(twist / rate)
            else:
                slides.append(twist[3:] / np.linalg.norm(twist[3:]))
    return turns, slides


def common_normal(turns: list[Array], slides: list[Array]) -> Array | None:
    """Find the normal (3,) of the plane in which all axes move bodies; None if there is no such plane."""
    if turns:
        normal = turns[0][:3]
    elif np.linalg.matrix_rank(np.array(slides), tol=TAKES_PART) == 2:
        normal = np.linalg.svd(np.array(slides))[2][2]
    else:
        return None
    flat = all(np.linalg.norm(np.cross(twist[:3], normal)) < TAKES_PART for twist in turns)
    flat = flat and all(abs(twist[3:] @ normal) < TAKES_PART for twist in turns)  # screws leave it
    return normal if flat and all(abs(slide @ normal) < TAKES_PART for slide in slides) else None


def common_center(turns: list[Array], slides: list[Array], size: float) -> Array | None:
    """Find the point (3,), m, in which all axes meet; None if they do not. `size` is the mechanism's, m."""
    if slides or not turns:
        return None
    # a turn with angular velocity w and velocity v at the origin leaves c at rest if w × c = -v
    crossed = np.concatenate([[[0, -w[2], w[1]], [w[2], 0, -w[0]], [-w[1], w[0], 0]] for w in (t[:3] for t in turns)])
    speeds = np.concatenate([-twist[3:] for twist in turns])
    center, _, rank, _ = np.linalg.lstsq(crossed, speeds, rcond=None)
    exact = rank == 3 and np.abs(crossed @ center - speeds).max() < TAKES_PART
    return center * size if exact else None
