"""Sequences of rises, dwells and constant velocity: timing diagrams as motion laws."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from collections.abc import Sequence as Items
from dataclasses import dataclass, fields, replace
from functools import cached_property
from itertools import pairwise
from typing import Any, ClassVar, Self

import numpy as np

from groupkin.arguments import check_fields
from groupkin.errors import LawError
from groupkin.mechanism.laws.joined_pieces import joined
from groupkin.mechanism.laws.laws import Coded, CodedLaw, check_number
from groupkin.mechanism.laws.profiles import Section
from groupkin.mechanism.laws.rises import LIMITS, Rise, check_duration
from groupkin.showing import brief
from groupkin.tolerances import ROUNDING


@dataclass(frozen=True)
class ConstantVelocity:
    """A piece of a sequence with constant speed; polynomials beside it begin or end with this speed."""

    rise: float
    duration: float
    kind: ClassVar[str] = "constant velocity"

    def __post_init__(self) -> None:
        check_fields(self, LawError)
        check_number(self, "rise", self.rise)
        check_duration(self.kind, self.duration)

    @property
    def time(self) -> float:
        return self.duration

    @property
    def end_speed(self) -> float:
        return self.rise / self.duration

    def sections(self, first: float, last: float) -> Iterator[Section]:
        yield self.duration, np.array([0.0, first])

    def scaled(self, factor: float) -> ConstantVelocity:
        return replace(self, rise=factor * self.rise)

    def stretched(self, factor: float) -> ConstantVelocity:
        return replace(self, duration=factor * self.duration)


@dataclass(frozen=True)
class Dwell:
    """A piece of a sequence at rest."""

    duration: float
    kind: ClassVar[str] = "dwell"
    rise: ClassVar[float] = 0.0
    end_speed: ClassVar[float] = 0.0

    def __post_init__(self) -> None:
        check_fields(self, LawError)
        check_duration(self.kind, self.duration)

    @property
    def time(self) -> float:
        return self.duration

    def sections(self, first: float, last: float) -> Iterator[Section]:
        yield self.duration, np.array([0.0])

    def scaled(self, factor: float) -> Dwell:
        return self

    def stretched(self, factor: float) -> Dwell:
        return replace(self, duration=factor * self.duration)


Piece = Rise | ConstantVelocity | Dwell
STEADY: Mapping[str, type[ConstantVelocity | Dwell]] = {each.kind: each for each in (ConstantVelocity, Dwell)}
"""Pieces of constant speed, by their types in files."""


@dataclass(frozen=True)
class Sequence(CodedLaw):
    """Rises, dwells and pieces of constant speed one after another, as in a timing diagram.

    Parameters
    ----------
    pieces : sequence of Rise, ConstantVelocity or Dwell
        They begin where and when the ones before them end.
    start : float
        Value at the beginning, rad or m.
    begin : float
        Time at which the first piece begins, s.
    periodic : bool
        Whether all is repeated, each time from where it ended. Else the motion goes on with its speed at the ends:
        it rests, unless the first or the last piece has constant velocity.
    """

    pieces: Items[Piece]
    start: float = 0.0
    begin: float = 0.0
    periodic: bool = False
    AMPLITUDES: ClassVar[tuple[str, ...]] = Rise.AMPLITUDES
    UNITS: ClassVar[Mapping[str, str]] = Rise.UNITS

    __repr__ = brief

    def __post_init__(self) -> None:
        check_fields(self, LawError)
        check_number(self, "start", self.start)
        check_number(self, "begin", self.begin)
        object.__setattr__(self, "pieces", tuple(self.pieces))
        for k, piece in enumerate(self.pieces):
            if isinstance(piece, Rise) and (piece.start or piece.begin):
                raise LawError(
                    f"Sequence: pieces[{k}] ({piece.kind}) has a `start` or `begin` of its own; a piece begins where "
                    "the one before it ends: state them for the sequence, and a dwell for a pause"
                )
        if not any(piece.time for piece in self.pieces):
            raise LawError("Sequence: takes no time; give it a piece that rises or dwells")
        speeds = self.speeds  # which refuses pieces that do not fit together
        for k, piece in enumerate(self.pieces):
            if isinstance(piece, Rise) and not piece.linear and any(speeds[k : k + 2]):
                raise LawError(
                    f"Sequence: pieces[{k}] ({piece.kind}) has limits, which are for a rise from rest to rest, but the "
                    "piece beside it moves with constant velocity; state a `duration` instead"
                )

    @property
    def linear(self) -> tuple[str, ...]:
        unlimited = all(piece.linear for piece in self.pieces if isinstance(piece, Rise))
        return ("rise", "start") if unlimited else ()

    @property
    def numbers(self) -> dict[str, Any]:
        """Its own numbers, and those of its pieces, one for each; NaN where a piece does not state one."""
        names = ("rise", "duration", *LIMITS)
        of_pieces = {name: tuple(_stated(piece, name) for piece in self.pieces) for name in names}
        stated = {name: x for name, x in of_pieces.items() if not np.isnan(x).all()}
        return {"start": self.start, "begin": self.begin, **stated}

    def changed(self, name: str, value: Any) -> Self:
        changes: dict[str, Any] = {name: value}
        if name not in ("start", "begin"):
            named = zip(self.pieces, self.numbers[name], value, strict=True)
            pieces = [piece if old == new or math.isnan(new) else _with(piece, name, new) for piece, old, new in named]
            changes = {"pieces": pieces}
        return replace(self, **changes)

    def scaled(self, factor: float) -> Self:
        return replace(self, pieces=[piece.scaled(factor) for piece in self.pieces], start=factor * self.start)

    def stretched(self, factor: float) -> Self:
        return replace(self, pieces=[piece.stretched(factor) for piece in self.pieces], begin=factor * self.begin)

    @cached_property
    def speeds(self) -> tuple[float, ...]:
        """Speeds before, between and after the pieces."""
        own = [piece.end_speed for piece in self.pieces]
        first, last = (own[-1], own[0]) if self.periodic else (None, None)
        return tuple(_common_speed(self.pieces, k, *both) for k, both in enumerate(pairwise([first, *own, last])))

    @cached_property
    def coded(self) -> Coded:
        return joined(self.pieces, self.start, self.begin, self.speeds, self.periodic)


def _common_speed(pieces: Items[Piece], k: int, before: float | None, after: float | None) -> float:
    """Speed between the pieces k - 1 and k, by those that they have of their own, if any."""
    if before is None or after is None:
        return (before or 0.0) + (after or 0.0)
    if abs(before - after) > ROUNDING * max(abs(before), abs(after)):
        k %= len(pieces)
        raise LawError(
            f"Sequence: pieces[{(k - 1) % len(pieces)}] ends at a speed of {before:.6g}, but pieces[{k}] begins at "
            f"{after:.6g}; put a 3-4-5 or 4-5-6-7 between them, whose speeds follow those of their neighbors"
        )
    return before


def _stated(piece: Piece, name: str) -> float:
    """Return a number of a piece, NaN if it has none of this name."""
    value = getattr(piece, name, None) if name in {part.name for part in fields(piece)} else None
    return math.nan if value is None else float(value)


def _with(piece: Piece, name: str, value: float) -> Piece:
    changes: dict[str, Any] = {name: value}
    return replace(piece, **changes)
