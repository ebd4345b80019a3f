"""Springs, dampers and bushings in the plane, by thin lines: zigzags, spirals, dashpots and blocks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from groupkin.look.outlines import ROUND
from groupkin.look.scenes.scene import INKED, Tone
from groupkin.look.scenes.springs import Strut, bushings, placed, struts, turning, turns_of
from groupkin.mechanism.forces.bushing import Bushing
from sglibrary.array_types import Array

if TYPE_CHECKING:
    from groupkin.look.scenes.plane_scene import PlaneScene

LEVEL, SPOT = 5.0, 7.9
"""Springs lie on the bars; their ends lie under the pins."""

THIN: dict[str, Any] = {"edge": INKED.lighter(0.15), "level": LEVEL, "width": 1.0}

WIDE, BESIDE, TUBE = 1.1, 1.5, 0.8
"""Half the width of a zigzag, how far it and a damper are from their middle, and half the width of that (r)."""


def add_springs(scene: PlaneScene) -> None:
    """Add the forces of a mechanism that have a shape."""
    for strut in struts(scene.view, scene.r):
        _add_strut(scene, strut)
    for name, joint, _ in turning(scene.view):
        _add_spiral(scene, name, joint.bodies[0], scene.view.ends(joint)[0])
    for load, at in bushings(scene.view):
        _add_block(scene, load, at)


def _add_strut(scene: PlaneScene, strut: Strut) -> None:
    """Add a zigzag, a dashpot, or both between two bars."""
    gid, r, poses, owners = f"spring {strut.name}", scene.r, strut.poses(scene.view), strut.owners
    spring, damper = (y * r for y in _aside(scene, strut))

    def draw(kind: str, points: Array) -> None:
        turn, shift = poses[kind]
        scene.line(strut.ends.bodies[0], points @ turn.T + shift, gid, owner=owners[kind], **THIN)
        scene.ends[owners[kind]] = strut.ends

    if strut.elastic:
        draw("spring", zigzag(strut.length, r) + np.array([0.0, spring]))
    if strut.damped:
        start, tube, rod = strut.damper(r)
        open_tube = np.array([[tube, TUBE * r], [0.0, TUBE * r], [0.0, -TUBE * r], [tube, -TUBE * r]])
        draw("tube", open_tube + np.array([start, damper]))
        draw("tube", np.array([[0.0, damper], [start, damper]]))
        draw("piston", np.array([[0.0, damper], [-rod, damper]]))
        draw("piston", np.array([[-rod, damper + 0.7 * TUBE * r], [-rod, damper - 0.7 * TUBE * r]]))
    if strut.beside:
        for kind in ("tube", "piston"):
            draw(kind, np.array([[0.0, damper], [0.0, spring]]))
    _add_ends(scene, strut, gid)


def _aside(scene: PlaneScene, strut: Strut) -> tuple[float, float]:
    """How far a spring and a damper are beside the line between their ends (r), away from the guide of a block."""
    if not strut.beside:
        return 0.0, 0.0
    if not strut.joint:
        return BESIDE, -BESIDE
    normal = scene.view.poses[strut.ends.bodies[0]][0] @ [-strut.ends.along[1], strut.ends.along[0]]
    under = scene.view.under(placed(scene.view, strut.ends)[0], normal / strut.length)
    return (-2.0 * BESIDE if normal @ under > 0.0 else 2.0 * BESIDE), 0.0


def _add_ends(scene: PlaneScene, strut: Strut, gid: str) -> None:
    """Add dots where a spring is held, and the ground if that is on the frame."""
    at = placed(scene.view, strut.ends)
    way = scene.view.poses[strut.ends.bodies[0]][0] @ strut.ends.along / strut.length
    for k, (body, bare) in enumerate(zip(strut.ends.bodies, strut.bare, strict=True)):
        if not bare:
            continue
        if body == scene.view.mechanism.frame:
            along = 1.8 * scene.r * np.array([way[1], -way[0]]) * (1.0 if k == 0 else -1.0)
            scene.hatched(at[k] - along, at[k] + along, gid, LEVEL)
        else:
            scene.area(body, at[k] + 0.35 * scene.r * ROUND, gid, INKED, SPOT, width=0.5)


def zigzag(length: float, r: float) -> Array:
    """Points (k, 2) of a spring along the x axis, straight at both ends."""
    lead = min(1.6 * r, 0.15 * length)
    count = 2 * turns_of(length - 2.0 * lead, 1.5 * r)
    inner = lead + (np.arange(count) + 0.5) / count * (length - 2.0 * lead)
    sides = WIDE * r * (1.0 - 2.0 * (np.arange(count) % 2))
    x = [0.0, lead, *inner, length - lead, length]
    return np.stack([x, [0.0, 0.0, *sides, 0.0, 0.0]], axis=1)


def _add_spiral(scene: PlaneScene, name: str, body: str, at: Array) -> None:
    """Add a spiral about a pin, that ends on a body."""
    angles = np.linspace(0.0, 4.5 * np.pi, 90)
    radii = scene.r * np.linspace(0.8, 2.1, 90)
    spiral = at + radii[:, None] * np.stack([np.cos(angles), np.sin(angles)], axis=1)
    tail = spiral[-1] + scene.r * np.array([[0.0, 0.0], [0.0, 0.6]])
    scene.line(body, np.concatenate([spiral, tail]), f"spring {name}", **THIN)


def _add_block(scene: PlaneScene, load: Bushing, at: Array) -> None:
    """Add a block of rubber on the first body, with the pin of the second in it."""
    view, r, gid = scene.view, scene.r, f"bushing {load.name}"
    corners = at + 1.5 * r * np.array([[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]])
    scene.plate(load.between[0], view.at(load.between[0], corners), gid, Tone("gray", 0.45), LEVEL)
    scene.area(load.between[1], view.at(load.between[1], at) + 0.62 * r * ROUND, gid, level=SPOT)
