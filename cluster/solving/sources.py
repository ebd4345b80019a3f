"""Where quantities of samples are read from: points and directions of bodies, their inner products, rows of the state.

Reading all quantities once from `Notes`, which only takes note of what is read, says what has to be in the state, where
kernels fill it, and which rows have to be kept; then `Rows`, in the same order, gives the numbers.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from groupkin.kinematics.program.program import Call, Program
from sglibrary import attachments
from sglibrary.chain import in_frame

Array = NDArray[np.float64]
Ints = NDArray[np.int64]
Vector = tuple[str, Array, bool]
"""A body, coordinates (m, d) on it, and whether they are those of a point or of a direction."""

NOTHING = np.zeros((1, 1))


class Source(Protocol):
    """Where vectors of bodies and rows of the state come from; all arrays broadcast to (samples, times)."""

    def vector(self, vector: Vector, order: int = 0) -> list[Array]:
        """Components of a point or direction, or of a derivative (1, 2)."""

    def inner(self, direction: Vector, vector: Vector, start: Vector | None = None) -> Array:
        """Inner product of a direction with another one, or with the way from one point to another."""

    def row(self, row: int, order: int) -> Array:
        """A row of the state, or of its derivative."""

    def own(self, numbers: Array) -> Array:
        """Those of the numbers (m, ...) of all samples that belong to the samples that are read."""


@dataclass
class Notes:
    """A source of nothing that takes note of what is read, and where in the state that is; what is new gets rows.

    Attributes
    ----------
    family : Program
        Numbers with a leading axis of samples.
    rows : int
        Number of rows of the state.
    entries : list
        New vectors: rows as `sglibrary.attachments.motion` takes them, and coefficients (m, d).
    products : list
        New inner products: rows as `sglibrary.attachments.inner` takes them.
    fixed : dict of int to (m,) array
        New rows that never change.
    places : list
        Of all vectors and products that were read, in order: the first row of each, or the numbers (m, d) of one of
        the frame.
    seen : set of (int, int)
        Order and row of all that was read.
    """

    family: Program
    rows: int
    entries: list[tuple[list[int], Array]] = field(default_factory=list)
    products: list[int] = field(default_factory=list)
    fixed: dict[int, Array] = field(default_factory=dict)
    places: list[int | Array] = field(default_factory=list)
    seen: set[tuple[int, int]] = field(default_factory=set)
    known: dict[tuple[object, ...], int] = field(default_factory=dict)

    def vector(self, vector: Vector, order: int = 0) -> list[Array]:
        body, local, _ = vector
        d = local.shape[-1]
        place = local if body == self.family.mechanism.frame else self._row(vector)
        self.places.append(place)
        if isinstance(place, int):
            self.seen |= {(order, place + k) for k in range(d)}
        return [NOTHING] * d

    def inner(self, direction: Vector, vector: Vector, start: Vector | None = None) -> Array:
        key = (self._row(direction), self._row(vector), -1 if start is None else self._row(start))
        if key not in self.known:
            self.products += [self.rows, *key]
            self.known[key] = self._new(1)
        self.places.append(self.known[key])
        return self.row(self.known[key], 0)

    def row(self, row: int, order: int) -> Array:
        self.seen.add((order, row))
        return NOTHING

    def own(self, numbers: Array) -> Array:
        return numbers[:1]

    def _new(self, count: int) -> int:
        self.rows += count
        return self.rows - count

    def _row(self, vector: Vector) -> int:
        """The first row of a vector."""
        body, local, point = vector
        pose, d = self.family.poses[body], local.shape[-1]
        coefficients = in_frame(pose.directions, local - pose.origin if point else local)
        if point and not coefficients.any():
            return pose.point
        for k, row in enumerate(pose.vectors):
            if not point and np.array_equal(coefficients, np.broadcast_to(np.eye(d)[k], coefficients.shape)):
                return row
        key = (body, point, coefficients.tobytes())
        if key not in self.known:
            self.known[key] = self._new(d)
            if body == self.family.mechanism.frame:
                self.fixed.update({self.known[key] + k: local[:, k] for k in range(d)})
            else:
                entry = [self.known[key], pose.point if point else -1, *pose.vectors]
                self.entries.append((entry, coefficients))
        return self.known[key]

    def calls(self) -> tuple[Call, ...]:
        """The calls that fill the new rows, after all groups."""
        d, group = self.family.mechanism.dimension, len(self.family.structure.groups)
        lead = max((len(coefficients) for _, coefficients in self.entries), default=1)
        constants = [np.broadcast_to(one, (lead, d)) for _, one in self.entries]
        rows = np.array([d, *(number for entry, _ in self.entries for number in entry)], np.int64)
        joined = np.concatenate([np.zeros((lead, 0)), *constants], axis=1)
        products = np.array([d, *self.products], np.int64)
        return Call(attachments.motion, rows, joined, group), Call(attachments.inner, products, np.zeros((1, 0)), group)


@dataclass(eq=False)
class Rows:
    """The source of numbers, in the order in which `Notes` have seen what is read.

    Attributes
    ----------
    places : list
        As `Notes` give them.
    rows : callable
        Numbers (samples, times) of a row of the state, or of a derivative.
    own : callable
        See `Source`.
    """

    places: list[int | Array]
    rows: Callable[[int, int], Array]
    own: Callable[[Array], Array]
    read: int = 0

    def vector(self, vector: Vector, order: int = 0) -> list[Array]:
        place, d = self._next(), vector[1].shape[-1]
        if isinstance(place, int):
            return [self.rows(place + k, order) for k in range(d)]
        own = self.own(place)
        return [own[:, k, None] if order == 0 else NOTHING for k in range(d)]

    def inner(self, direction: Vector, vector: Vector, start: Vector | None = None) -> Array:
        place = self._next()
        assert isinstance(place, int)
        return self.rows(place, 0)

    def row(self, row: int, order: int) -> Array:
        return self.rows(row, order)

    def _next(self) -> int | Array:
        self.read += 1
        return self.places[self.read - 1]
