"""Cams that are made from laws, with their followers."""

from __future__ import annotations

import math
from typing import Any

import groupkin as gk
from groupkin.mechanism.cams.cam_profiles import CamProfile

FOLLOWERS = {
    "roller": (gk.Follower("roller", radius=0.008), 0.04, 0.01),
    "roller beside the axis": (gk.Follower("roller", radius=0.008, offset=0.006), 0.04, 0.01),
    "edge": (gk.Follower("edge", offset=-0.004), 0.04, 0.01),
    "face": (gk.Follower("face"), 0.06, 0.01),
    "swinging roller": (gk.Follower("roller", "swinging", radius=0.008, pivot=0.09, arm=0.08), 0.04, 0.15),
    "swinging edge": (gk.Follower("edge", "swinging", pivot=0.09, arm=0.08), 0.04, 0.15),
    "swinging face": (gk.Follower("face", "swinging", pivot=0.12, offset=0.008), 0.06, 0.1),
}
"""Followers with a base circle (m) and a stroke (m or rad)."""


def turn(kind: str, stroke: float) -> gk.Sequence:
    """Rise, dwell, return and dwell in one turn."""
    rise, back = gk.Rise(kind, stroke, 2.0), gk.Rise(kind, -stroke, 2.0)  # type: ignore[arg-type]
    return gk.Sequence([rise, gk.Dwell(0.8), back, gk.Dwell(2.0 * math.pi - 4.8)], periodic=True)


def made(cam: CamProfile) -> tuple[gk.Mechanism, float]:
    """A mechanism with the cam as a curve, and the sign of the follower's coordinate."""
    follower, start = cam.follower, tuple(cam.pitch[0])
    more: dict[str, Any] = {"radius": follower.radius} if follower.kind == "roller" else {}
    swings = follower.motion == "swinging"
    if follower.kind == "face":
        psi = math.asin((cam.base - follower.offset) / follower.pivot) if swings else 0.5 * math.pi
        normal = (math.sin(psi), math.cos(psi)) if swings else (0.0, 1.0)
        foot = (follower.pivot + follower.offset * normal[0], follower.offset * normal[1])
        start, more = (foot if swings else (0.0, cam.base)), {"axis": normal}
    guide = gk.Joint("guide", "P", ("frame", "follower"), point=start, axis=(0.0, 1.0))
    if swings:
        guide = gk.Joint("guide", "R", ("frame", "follower"), point=(follower.pivot, 0.0))
    joints = [
        gk.Joint("camshaft", "R", ("frame", "cam"), point=(0.0, 0.0)),
        guide,
        gk.Joint("flank", "L", ("cam", "follower"), point=start, curve=cam.curve, **more),
    ]
    driver = gk.Driver("camshaft", gk.Ramp(-1.0 if cam.clockwise else 1.0))
    return gk.Mechanism(
        2, ["frame", "cam", "follower"], joints, [driver]
    ), -1.0 if follower.motion == "swinging" else 1.0
