"""Parts of a mechanism that are mechanisms themselves: a corner of a car, a cylinder of an engine."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from groupkin.arguments import Name, check_fields
from groupkin.errors import MechanismError
from groupkin.mechanism.parts import Point

if TYPE_CHECKING:
    from groupkin.mechanism.mechanism import Mechanism


@dataclass(frozen=True)
class Part:
    """A mechanism that is part of another, as it stands in its reference configuration.

    All names in it begin with its own, as in ``left/upright``; bodies that it shares with the whole, such as its frame,
    have the names that they have there.

    Parameters
    ----------
    mechanism : Mechanism
    name : str
    at : point, optional
        Where its origin comes to lie: a named point of the whole or coordinates, m.
    turn : float
        By which it is turned about its origin, rad; in space about `axis`.
    axis : {"x", "y", "z"}
    mirror : {"", "x", "y", "z"}
        The coordinate that changes its sign, before the part is turned and shifted.
    same : mapping of str to str
        Bodies of the part that are bodies of the whole, by their names there; its frame is the frame of the whole
        unless it is named. Joints between such bodies, and their drivers, belong to the whole and are left out.
    """

    mechanism: Mechanism
    name: Name
    at: Point = ()
    turn: float = 0.0
    axis: str = "z"
    mirror: str = ""
    same: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        check_fields(self, MechanismError)
        letters = "xyz"[: self.mechanism.dimension]
        if self.axis not in tuple("xyz") or self.mirror not in ("", *letters):
            raise MechanismError(f"part {self.name!r}: axis and mirror must be one of {', '.join(letters)}")
