"""Rows of joints that repeat others, as data: where they are, and what the joints are solved as without them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from groupkin.mechanism.mechanism import Joint, Mechanism
from groupkin.mechanism.pairs import PAIRS, counted


@dataclass(frozen=True)
class Redundancy:
    """Joints that hold each other more often than needed, without blocking what they move.

    Attributes
    ----------
    what : str
        What the joints are together, such as ``a planar loop, its normal (0, 0, 1)``.
    bodies, joints : tuple of str
    rows : int
        Number of rows that repeat others.
    repeated : dict of str to tuple of str
        For every joint the rows that take part: ``shift`` and ``tilt`` along and about the axes of its frame.
    eased : tuple of Joint
        What joints are solved as, so that just as many rows are left out; empty where that was not found.
    """

    what: str
    bodies: tuple[str, ...]
    joints: tuple[str, ...]
    rows: int
    repeated: dict[str, tuple[str, ...]]
    eased: tuple[Joint, ...] = ()

    @property
    def text(self) -> str:
        """One sentence for people."""
        each = set(self.repeated.values())
        if len(each) == 1:
            rows = f"of each, {', '.join(each.pop())} take part"
        else:
            rows = "; ".join(f"{name}: {', '.join(found)}" for name, found in self.repeated.items())
        verb = "repeats" if self.rows == 1 else "repeat"
        return f"{', '.join(self.joints)} are {self.what}: {counted(self.rows, 'row')} {verb} others ({rows})"

    @property
    def remedy(self) -> str:
        """What joints are solved as; empty if nothing was found."""
        return ", ".join(f"{joint.name} as {joint.type} ({PAIRS[joint.type].name})" for joint in self.eased)


def with_eased(mechanism: Mechanism, redundancies: Sequence[Redundancy]) -> Mechanism:
    """The mechanism with the joints that lack redundant rows in the place of the user's."""
    eased = {joint.name: joint for found in redundancies for joint in found.eased}
    if not eased:
        return mechanism
    return replace(
        mechanism, joints=[_at_its_points(eased.get(joint.name, joint), joint) for joint in mechanism.joints]
    )


def _at_its_points(eased: Joint, joint: Joint) -> Joint:
    """A joint at the points of the one it stands for, which may be named nowhere else."""
    if joint.points is None:
        return replace(eased, point=joint.point)
    first, second = joint.points
    return replace(eased, points=(first, second) if eased.bodies == joint.bodies else (second, first))
