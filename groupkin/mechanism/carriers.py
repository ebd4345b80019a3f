"""The bodies of named points: by what bodies list and joints hold, not by an axis that only passes through a point."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from groupkin.mechanism.forces.forces import Force, Spring
from groupkin.messages import listed

if TYPE_CHECKING:
    from groupkin.mechanism.mechanism import Mechanism
    from groupkin.mechanism.parts import Joint

LISTED, HELD, SEPARATED, USED = range(4)
"""How a body states a point, the strongest first: in its own list; by a joint that holds it; by the `point` of a joint
in which a displacement separates the bodies; by a mass or a force."""

PINS = ("CR", "SC", "SP")
"""Pairs of a pin or ball of the second body in a slot, bore or plane of the first, whose `point` is its center."""


def stated(mechanism: Mechanism) -> dict[str, dict[str, int]]:
    """Return the bodies that state each named point, in order of declaration, and how strongly."""
    found: dict[str, dict[str, int]] = {name: {} for name in mechanism.positions}
    for body in mechanism.body:
        for point, strength in _stated_by(mechanism, body):
            if isinstance(point, str) and point in found:
                found[point][body] = min(strength, found[point].get(body, strength))
    return found


def _stated_by(mechanism: Mechanism, name: str) -> Iterator[tuple[object, int]]:
    body = mechanism.body[name]
    yield from ((point, LISTED) for point in (*body.points, *sum(body.lengths, ())))
    for joint in mechanism.joints_of[name]:
        side = joint.bodies.index(name)
        held = joint.points is not None or _hinged(mechanism, joint) or (side == 1 and joint.type in PINS)
        yield joint.ends[side], HELD if held else SEPARATED
        yield from ((point, HELD) for point in _on_axis(mechanism, joint))
    yield from ((point, USED) for point in mechanism.loaded_points[name])


def _hinged(mechanism: Mechanism, joint: Joint) -> bool:
    """Whether a joint holds its `point` on both bodies together: all its moves are rotations about it."""
    return joint.points is None and all(move.rotation for move in mechanism.form(joint).moves)


def _on_axis(mechanism: Mechanism, joint: Joint) -> tuple[str, ...]:
    """Return the named points of an axis that stay on both bodies: those of a hinge alone."""
    return (joint.axis_points or ()) if mechanism.form(joint).hinge else ()


def carriers(mechanism: Mechanism) -> dict[str, tuple[str, ...]]:
    """Return the bodies that each named point may be of: none, one, or several that move apart.

    Bodies that hinges and balls hold together at the point are one: the first movable one in order of declaration
    stands for all. A point of the frame and of another body is of the other one.
    """
    found: dict[str, tuple[str, ...]] = {}
    held = _held_together(mechanism)
    for point, strengths in mechanism.stated_points.items():
        sets: dict[str, list[str]] = {}
        for body in strengths:
            sets.setdefault(held(point, body), []).append(body)
        strongest = [min(strengths[body] for body in bodies) for bodies in sets.values()]
        chosen = [
            next((body for body in bodies if body != mechanism.frame), mechanism.frame)
            for bodies, strength in zip(sets.values(), strongest, strict=True)
            if strength == min(strongest)
        ]
        found[point] = tuple(body for body in chosen if body != mechanism.frame) or tuple(chosen)
    return found


def strange_points(mechanism: Mechanism) -> Iterator[tuple[str, str, str, tuple[str, ...]]]:
    """Yield centers of mass, forces and ends of springs at named points of other bodies.

    Yields
    ------
    str, str, str, tuple of str
        The mass or force, its body, the point, and the bodies that the point is of.
    """
    masses = [body for body in mechanism.body.values() if body.mass]
    used: list[tuple[str, str, Any]] = [(f"the center of mass of {x.name!r}", x.name, x.center) for x in masses]
    at_points = [load for load in mechanism.forces if isinstance(load, Force | Spring)]
    used += [(f"force {load.name!r}", body, point) for load in at_points for body, point in load.ends()]
    for what, body, point in used:
        strengths = mechanism.stated_points.get(point, {}) if isinstance(point, str) else {}
        others = tuple(name for name, strength in strengths.items() if strength < USED)
        if others and body not in others:
            yield what, body, point, others


def _held_together(mechanism: Mechanism) -> Callable[[str, str], str]:
    """Return a function of a named point and a body: one body for all that hinges and balls hold together there."""
    above: dict[tuple[str, str], str] = {}

    def find(point: str, body: str) -> str:
        while (point, body) in above:
            body = above[point, body]
        return body

    for joint in mechanism.joints:
        for point in (joint.point, *_on_axis(mechanism, joint)) if _hinged(mechanism, joint) else ():
            if isinstance(point, str):
                first, second = (find(point, body) for body in joint.bodies)
                if first != second:
                    above[point, first] = second
    return find


def on_body(mechanism: Mechanism, point: str) -> str:
    """Return the one body of a named point; empty if there is none, or not only one."""
    bodies = mechanism.carriers.get(point, ())
    return bodies[0] if len(bodies) == 1 else ""


def why_on_none(mechanism: Mechanism, point: str) -> str:
    """Say why a named point cannot be read: it is on no body, or on several that move apart."""
    bodies = [repr(body) for body in mechanism.carriers[point]]
    if bodies:
        at_joints = [joint.name for joint in mechanism.joints if point in (joint.point, *(joint.points or ()))]
        stated = f" (by joint {listed(at_joints)})" if at_joints else ""
        return (
            f"point {point!r} is on {' and on '.join(bodies)}, which move apart{stated}: name it in the `points` of "
            "the one that is meant"
        )
    through = [joint.name for joint in mechanism.joints if point in (joint.axis_points or ())]
    only = f", as an axis alone puts it on none (joint {listed(through)})" if through else ""
    return f"point {point!r} is on no body{only}: name it in the `points` of one"
