"""Rows of joints that repeat others: where they are, and the eased joints that are solved without them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from groupkin.mechanism.mechanism import Joint, Mechanism
from groupkin.mechanism.pairs import PAIRS
from groupkin.messages import counted, listed


@dataclass(frozen=True)
class Redundancy:
    """Joints of which some rows repeat others, without locking the bodies.

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
        Joints that are solved instead, with just as many rows less; empty if none were found.
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
        alike: dict[tuple[str, ...], list[str]] = {}
        for name, names in self.repeated.items():
            alike.setdefault(names, []).append(name)
        if len(alike) == 1:
            rows = f" (of each, {', '.join(*alike)} take part)"
        else:
            rows = "; ".join(f"{', '.join(joints)}: {', '.join(names)}" for names, joints in alike.items())
            rows = f" ({rows})" if rows else ""
        verb = "repeats" if self.rows == 1 else "repeat"
        return f"{listed(self.joints)} are {self.what}: {counted(self.rows, 'row')} {verb} others{rows}"

    @property
    def remedy(self) -> str:
        """Names and types of the eased joints, for people; empty if there are none."""
        return ", ".join(map(pair_as, self.eased))


def pair_as(joint: Joint) -> str:
    """Name and type of a joint that takes the place of another, for people."""
    return f"{joint.name} as {joint.type} ({PAIRS[joint.type].name})"


def with_eased(mechanism: Mechanism, redundancies: Sequence[Redundancy]) -> Mechanism:
    """Replace joints with redundant rows by the eased ones."""
    eased = {joint.name: joint for redundancy in redundancies for joint in redundancy.eased}
    if not eased:
        return mechanism
    joints = [_at_its_points(eased[joint.name], joint) if joint.name in eased else joint for joint in mechanism.joints]
    return replace(mechanism, joints=joints, forces=())  # which are those of the joints as they are stated


def _at_its_points(eased: Joint, joint: Joint) -> Joint:
    """Put an eased joint at the points of the original, which may be named nowhere else."""
    if joint.points is None:
        return replace(eased, point=joint.point)
    first, second = joint.points
    return replace(eased, points=(first, second) if eased.bodies == joint.bodies else (second, first))
