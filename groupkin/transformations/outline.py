"""The groups of one way to drive a mechanism, in short: many of these are made and compared."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from groupkin.structure.signature import GroupGraph

Members = tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class Outline:
    """Groups in solving order.

    Attributes
    ----------
    members : tuple of tuple of int
        Numbers of the movable bodies of every group.
    levels : tuple of int
        Levels of the groups in the structural diagram, from 1.
    joints : tuple of tuple of int
        Numbers of the joints that hold every group: with solved bodies, and inside.
    graphs : tuple of GroupGraph
        The groups by themselves. Of a joint the first freedoms are taken to be those that are driven.
    """

    members: Members
    levels: tuple[int, ...]
    joints: tuple[tuple[int, ...], ...]
    graphs: tuple[GroupGraph, ...]


def order_of(depends: Sequence[int]) -> tuple[Members, tuple[int, ...]]:
    """Groups of bodies that depend on each other, in solving order, and their levels.

    Parameters
    ----------
    depends : sequence of int
        For every body a set of bodies as bits: those that it depends on, and itself.

    Examples
    --------
    >>> order_of([0b0001, 0b0111, 0b0110, 0b1001])  # 1 and 2 depend on each other, 1 and 3 on 0
    (((0,), (3,), (1, 2)), (1, 2, 2))
    """
    reach = list(depends)
    for k, _ in enumerate(reach):
        through = 1 << k
        reach = [bits | reach[k] if bits & through else bits for bits in reach]
    groups: dict[int, list[int]] = {}
    for body, bits in enumerate(reach):
        groups.setdefault(bits, []).append(body)
    waiting = sorted((len(bodies), bodies, bits) for bits, bodies in groups.items())
    own = {bits: sum(1 << body for body in bodies) for bits, bodies in groups.items()}
    members: list[tuple[int, ...]] = []
    levels: list[int] = []
    solved = 0
    while waiting:
        at = next(k for k, (_, _, bits) in enumerate(waiting) if not bits & ~own[bits] & ~solved)
        _, bodies, bits = waiting.pop(at)
        before = [level for those, level in zip(members, levels, strict=True) if bits >> those[0] & 1]
        levels.append(1 + max(before, default=0))
        members.append(tuple(bodies))
        solved |= own[bits]
    return tuple(members), tuple(levels)
