"""Rods of a group: bodies between two points, which need no unknowns of their own.

A rod hangs on a hinge or a universal joint at its foot and on a hinge (in the plane) or a ball (in space) at its top;
a telescope has a driven slide between them. What a rod does to the others is that the distance of its ends is given,
of a hinge in space also their plane; so it can be left out of the iteration, and be placed when they are.
"""

from __future__ import annotations

from dataclasses import dataclass

from groupkin.mechanism.mechanism import Joint, Mechanism

FOOT_IN_SPACE = ("U", "ER", "R")


@dataclass(frozen=True)
class Rod:
    """A rod, or a telescope.

    Attributes
    ----------
    bodies : tuple of str
        From foot to top: one, of a telescope two.
    foot, top : Joint
    slide : Joint, optional
        The driven joint between the two bodies of a telescope.
    ends : (str, str)
        The bodies that foot and top are on.
    """

    bodies: tuple[str, ...]
    foot: Joint
    top: Joint
    slide: Joint | None
    ends: tuple[str, str]

    @property
    def joints(self) -> tuple[Joint, ...]:
        return (self.foot, self.top) if self.slide is None else (self.foot, self.slide, self.top)


def rods(
    mechanism: Mechanism, joints: list[Joint], bodies: tuple[str, ...], hinged_telescopes: bool = False
) -> list[Rod]:
    """List rods of a group, in the order of its bodies; none hangs on another.

    Parameters
    ----------
    mechanism : Mechanism
    joints : list of Joint
        All joints of the group.
    bodies : tuple of str
        Those of the group.
    hinged_telescopes : bool
        Whether telescopes count that hang on a hinge in space.
    """
    on: dict[str, list[Joint]] = {body: [] for body in bodies}
    for joint in joints:
        for body in joint.bodies:
            if body in on:
                on[body].append(joint)
    found: list[Rod] = []
    in_rods: set[str] = set()
    held: set[str] = set()
    for body in bodies:
        for rod in _rods_of(mechanism, body, on, hinged_telescopes):
            if not (in_rods & {*rod.bodies, *rod.ends} or held & {*rod.bodies}):
                found.append(rod)
                in_rods |= {*rod.bodies}
                held |= {*rod.ends}
                break
    return found


def _rods_of(mechanism: Mechanism, body: str, on: dict[str, list[Joint]], hinged_telescopes: bool) -> list[Rod]:
    """List the rods whose foot is on a body: none, one, or the two ways to read a body between two hinges."""
    if len(on[body]) != 2:
        return []
    found = []
    for foot, other in (on[body], on[body][::-1]):
        if not _is_foot(mechanism, foot):
            continue
        chain: tuple[str, ...] = (body,)
        slide, top = None, other
        if mechanism.form(other).slide and mechanism.driven.get(other.name):
            second = _other(other, body)
            if second not in on or len(on[second]) != 2:
                continue
            chain, slide, top = (body, second), other, next(joint for joint in on[second] if joint is not other)
        ends = (_other(foot, body), _other(top, chain[-1]))
        allowed = mechanism.dimension == 2 or foot.type != "R" or slide is None or hinged_telescopes
        if _is_top(mechanism, top) and allowed and ends[0] != ends[1] and not {*ends} & {*chain}:
            found.append(Rod(chain, foot, top, slide, ends))
    return found


def _is_foot(mechanism: Mechanism, joint: Joint) -> bool:
    undriven = not mechanism.driven.get(joint.name)
    return undriven and (mechanism.form(joint).hinge if mechanism.dimension == 2 else joint.type in FOOT_IN_SPACE)


def _is_top(mechanism: Mechanism, joint: Joint) -> bool:
    form = mechanism.form(joint)
    undriven = not mechanism.driven.get(joint.name)
    return undriven and (form.hinge if mechanism.dimension == 2 else form.spherical)


def _other(joint: Joint, body: str) -> str:
    return joint.bodies[1 - joint.bodies.index(body)]
