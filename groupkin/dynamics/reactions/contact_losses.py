"""Times at which joints would have to do what their contact cannot: pull, push, slip, or bear on the other flanks.

A motion is computed with all contacts closed. The reactions tell whether they stay so: a cam and a wheel only push, a
rope only pulls, a wheel slips where the tangential force exceeds its adhesion, and teeth of gears and racks with play
lift off and knock where the tangential force changes its sign.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

import numpy as np

from groupkin.kinematics.motion.motion import Motion
from groupkin.kinematics.rates.lines import lines_of
from groupkin.mechanism.mechanism import Joint
from groupkin.mechanism.pairs import PAIRS
from groupkin.model.geometry.cam_contact import Flank
from groupkin.model.geometry.frames import JointGeometry
from groupkin.model.trees import padded, upright
from groupkin.tolerances import NO_FORCE
from sglibrary.array_types import Array


class ContactLoss(NamedTuple):
    """A span of time in which a joint would have to do what its contact cannot.

    Attributes
    ----------
    joint : str
    must : str
        ``"pull"``: a cam or wheel; ``"push"``: a rope; ``"slip"``: a wheel; ``"change flanks"``: gears or a rack whose
        tangential force has the sign that it has for less of the time.
    start, end : float
        s; between two steps where the force passes zero on a straight line.
    most : float
        The largest such force, N; for slipping the largest ratio of tangential to normal force.
    at : float
        Its time, s.
    """

    joint: str
    must: str
    start: float
    end: float
    most: float
    at: float


def contact_losses(motion: Motion, reactions: Mapping[str, Array], moved: set[str]) -> list[ContactLoss]:
    """List the spans of time in which joints would have to pull, push, slip or change flanks.

    Parameters
    ----------
    motion : Motion
    reactions : mapping of str to (3 or 6, n) array
        What the first body of a joint does to the second, in global components: a moment, N m, and a force, N.
    moved : set of str
        Joints that drivers or actuators act in, whose reactions are not those of a contact alone.
    """
    mechanism, d = motion.program.mechanism, motion.program.mechanism.dimension
    found = list[ContactLoss]()
    for name, rows in reactions.items():
        if name not in moved:
            joint, geometry = mechanism.joint[name], motion.program.geometry.joints[name]
            for must, excess, amount in _excesses(motion, joint, geometry, padded(rows[-d:].T)):
                found += _spans(motion.times, name, must, excess, amount)
    return sorted(found, key=lambda loss: (loss.start, loss.joint))


def _excesses(
    motion: Motion, joint: Joint, geometry: JointGeometry, force: Array
) -> Iterator[tuple[str, Array, Array]]:
    """Yield what a joint would have to do where an excess (n,), N, is positive, and how much of it (n,)."""
    none = NO_FORCE * np.nanmax(np.linalg.norm(force, axis=1), initial=0.0)
    if joint.type == "L":
        pull = -(force * _outward(motion, joint, geometry)).sum(axis=1)
        yield "pull", pull - none, pull
    elif joint.type == "RW":
        assert geometry.coupling is not None
        up = np.sign(geometry.coupling[1]) * _axes(motion, joint, geometry)[:, :, 1]
        normal = (force * up).sum(axis=1)
        yield "pull", -normal - none, -normal
        if joint.adhesion is not None:
            along = np.linalg.norm(force - normal[:, None] * up, axis=1)
            with np.errstate(all="ignore"):
                ratio = np.where(normal > none, along / normal, np.nan)
            yield "slip", np.where(normal > none, along - joint.adhesion * normal - none, -none), ratio
    elif joint.rope:
        one, two = (padded(motion.point_on(body, at)) for body, at in zip(joint.bodies, geometry.points, strict=True))
        push = (force * (two - one)).sum(axis=1) / np.linalg.norm(two - one, axis=1)
        yield "push", push - none, push
    elif PAIRS[joint.type].mesh or joint.type == "RP":
        around = (force * _around(motion, joint, geometry)).sum(axis=1)
        known = around[np.abs(around) > none]
        usual = 1.0 if (known > 0).sum() >= (known < 0).sum() else -1.0
        yield "change flanks", -usual * around - none, -usual * around


def _axes(motion: Motion, joint: Joint, geometry: JointGeometry) -> Array:
    """Axes (n, 3, 3) of a joint on its first body, its columns."""
    return np.asarray(upright(motion.rotation(joint.bodies[0]) @ geometry.frames[0]))


def _around(motion: Motion, joint: Joint, geometry: JointGeometry) -> Array:
    """Directions (n, 3) of the tangential force of gears, or along a rack."""
    axes = _axes(motion, joint, geometry)
    if joint.type == "RP":
        return axes[:, :, 0]
    one, two = (padded(motion.point_on(body, at)) for body, at in zip(joint.bodies, geometry.points, strict=True))
    across = np.cross(axes[:, :, 2], two - one)
    return np.asarray(across / np.linalg.norm(across, axis=1, keepdims=True))


def _outward(motion: Motion, joint: Joint, geometry: JointGeometry) -> Array:
    """Directions (n, 3) in which a cam pushes what touches it; NaN where that is not known.

    The material of a closed curve is inside for a point; a roller is where its center is; of a face and of a second
    curve their curvature against that of the curve tells on which side they are.
    """
    contact = geometry.contact
    assert contact is not None
    directions, _, bends = lines_of(motion, joint, geometry)
    along = directions[0] / np.linalg.norm(directions[0], axis=1, keepdims=True)
    left = np.cross([0.0, 0.0, 1.0], along)
    if contact.offset:
        return np.asarray(np.sign(contact.offset) * left)
    if contact.follower == "":
        return -_turning(contact.flanks[0]) * left
    other = np.sign((directions[0] * directions[1]).sum(axis=1)) * bends[1] if contact.follower == "curve" else 0.0
    side = np.sign(other - bends[0])
    return np.where(side == 0, np.nan, side)[:, None] * left


def _turning(flank: Flank) -> float:
    """Sense in which a closed curve turns, 1 to the left; NaN of an open one."""
    if not flank.curve.closed:
        return np.nan
    x, y = flank.at(flank.samples).T
    return float(np.sign((x * np.roll(y, -1) - y * np.roll(x, -1)).sum()))


def _spans(times: Array, joint: str, must: str, excess: Array, amount: Array) -> Iterator[ContactLoss]:
    """Yield the spans of time in which an excess (n,) is positive."""
    over = np.nan_to_num(excess, nan=-1.0) > 0
    edges = np.flatnonzero(np.diff(np.concatenate([[False], over, [False]]).astype(int)))
    for first, beyond in zip(edges[::2], edges[1::2], strict=True):
        inside = slice(first, beyond)
        worst = first + int(np.nanargmax(amount[inside]))
        start, end = _crossing(times, excess, first - 1, first), _crossing(times, excess, beyond, beyond - 1)
        yield ContactLoss(joint, must, start, end, float(amount[worst]), float(times[worst]))


def _crossing(times: Array, excess: Array, outside: int, inside: int) -> float:
    """Time at which an excess passes zero between two steps, s; that of the inner one where there is no outer one."""
    if not 0 <= outside < times.size or not np.isfinite(excess[outside]):
        return float(times[inside])
    share = excess[inside] / (excess[inside] - excess[outside])
    return float(times[inside] + share * (times[outside] - times[inside]))
