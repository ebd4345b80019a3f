"""Springs, dampers and bushings in space: coils of wire, around the tube of a damper or the axis of a joint."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from groupkin.look.scenes.scene import Tone, rod_pose
from groupkin.look.scenes.springs import Strut, bushings, placed, struts, turning, turns_of
from groupkin.mechanism.forces.bushing import Bushing
from groupkin.mechanism.mechanism import Joint
from groupkin.mechanism.pairs import Freedom
from sglibrary.array_types import Array

if TYPE_CHECKING:
    from groupkin.look.scenes.space_scene import SpaceScene

WIRE, WIDE, TUBE = 0.26, 1.7, 0.95
"""Radii of the wire, of the coil and of the tube of a damper in it (r)."""

STEEL = Tone("ink", 0.3)

FINE = 16
"""Points of a turn of a coil."""


def add_springs(scene: SpaceScene) -> None:
    """Add the forces of a mechanism that have a shape."""
    for strut in struts(scene.view, scene.r):
        _add_strut(scene, strut)
    for name, joint, move in turning(scene.view):
        _add_torsion(scene, name, joint, move)
    for load, at in bushings(scene.view):
        _add_bushing(scene, load, at)


def coil(length: float, lead: float, radius: float, turns: int) -> Array:
    """Points (k, 3) of a coil along the x axis, straight at both ends."""
    angles = np.linspace(0.0, 2.0 * np.pi * turns, FINE * turns + 1)
    wide = radius * np.minimum(1.0, np.minimum(angles, angles[::-1]) / np.pi)
    x = np.linspace(lead, length - lead, len(angles))
    middle = np.stack([x, wide * np.cos(angles), wide * np.sin(angles)], axis=1)
    return np.concatenate([[[0.0, 0.0, 0.0]], middle, [[length, 0.0, 0.0]]])


def _add_strut(scene: SpaceScene, strut: Strut) -> None:
    """Add a coil, a damper, or a coil around a damper."""
    gid, r, poses, owners = f"spring {strut.name}", scene.r, strut.poses(scene.view), strut.owners

    def draw(kind: str, form: str, points: Array, size: float, tone: Tone = STEEL, **more: Any) -> Array:
        turn, shift = poses[kind]
        seen = np.asarray(points @ turn.T + shift)
        scene.add(strut.ends.bodies[0], gid, form, seen, size, tone, owner=owners[kind], **more)
        scene.ends[owners[kind]] = strut.ends
        return seen

    if strut.elastic:
        lead = min(1.6 * r, 0.12 * strut.length)
        turns = turns_of(strut.length - 2.0 * lead, 2.2 * r)
        draw("spring", "coil", coil(strut.length, lead, WIDE * r, turns), WIRE)
    if strut.damped:
        start, tube, rod = strut.damper(r)
        seen = draw("tube", "tube", np.array([[start, 0.0, 0.0], [start + tube, 0.0, 0.0]]), TUBE, Tone("ink", 0.55))
        middle = seen.mean(axis=0)
        draw("tube", "rod", np.array([[0.0, 0.0, 0.0], [start, 0.0, 0.0]]), 0.35, at=middle, lift=-0.1)
        draw("piston", "rod", np.array([[-rod, 0.0, 0.0], [0.0, 0.0, 0.0]]), 0.35, at=middle, lift=-0.1)
    for at, body, bare in zip(placed(scene.view, strut.ends), strut.ends.bodies, strut.bare, strict=True):
        if bare:
            scene.add(body, gid, "ball", at[None], 0.6, STEEL, lift=0.5)


def _add_torsion(scene: SpaceScene, name: str, joint: Joint, move: Freedom) -> None:
    """Add a coil about the axis of a joint, with a leg along each body."""
    view, r = scene.view, scene.r
    at, axis = view.ends(joint)[1], view.frame(joint)[:, move.axis]
    turn, _ = rod_pose(np.array([at, at + axis]))
    angles = np.linspace(0.0, 7.0 * np.pi, 4 * FINE)
    round_it = 1.45 * r * np.stack([np.linspace(-0.75, 0.75, len(angles)), np.cos(angles), np.sin(angles)], axis=1)
    legs = [row + np.array([0.0, 0.0, 2.0 * r * sign]) for row, sign in ((round_it[0], -1.0), (round_it[-1], 1.0))]
    points = np.array([legs[0], *round_it, legs[1]])
    scene.add(joint.bodies[0], f"spring {name}", "coil", points @ turn.T + at, WIRE, STEEL, lift=1.6, at=at)


def _add_bushing(scene: SpaceScene, load: Bushing, local: Array) -> None:
    """Add a block of rubber on the first body, with the pin of the second in it."""
    for body, half, size, tone in zip(load.between, (1.1, 1.6), (1.7, 0.5), (Tone("ink", 0.35), STEEL), strict=True):
        at, turn = scene.view.at(body, local), scene.view.poses[body][0]
        ends = at + np.outer([-half * scene.r, half * scene.r], turn[:, 2])
        scene.add(body, f"bushing {load.name}", "barrel", ends, size, tone, lift=1.0, at=at)
