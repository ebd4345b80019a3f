"""Where quantities of samples are read from: points and directions of bodies, their inner products, rows of the state.

All quantities are read once from a `Recorder`, which has no numbers and records what is read: so it says what has to be
in the state, where kernels fill it, and which rows have to be kept. Then they are read from `Results`, which has the
numbers and finds them by the names of what is read, whatever the order.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from groupkin.kinematics.program.program import Call, Program
from sglibrary import attachments
from sglibrary.traced import samples

Array = NDArray[np.float64]
Ints = NDArray[np.int64]
NOTHING = np.zeros((1, 1))

Components = tuple[Array, ...]
"""Components of a quantity, each of a shape that broadcasts to (samples, times)."""


class Vector(NamedTuple):
    """A point or direction fixed in a body: its name, the body, coordinates (m, d) on it, and True for a point."""

    name: tuple[str | int, ...]
    body: str
    local: Array
    point: bool


@dataclass
class Recorder:
    """A source without numbers, which records what is read and gives what is not in the state new rows there.

    Attributes
    ----------
    family : Program
        Numbers with a leading axis of samples.
    rows : int
        Number of rows of the state.
    entries : list
        New vectors: rows as `sglibrary.attachments.motion` takes them, and coefficients (m, d).
    products : dict of tuple to int
        Rows of inner products, by the rows of their vectors; -1 where there is no start point.
    fixed : dict of int to (m,) array
        New rows that never change.
    vectors : dict of tuple to int
        First rows of all vectors, by their names.
    attached : dict of tuple to int
        First rows of new vectors, by body, kind and coefficients.
    seen : set of (int, int)
        Order and row of all that was read.
    """

    family: Program
    rows: int
    entries: list[tuple[list[int], Array]] = field(default_factory=list)
    products: dict[tuple[int, int, int], int] = field(default_factory=dict)
    fixed: dict[int, Array] = field(default_factory=dict)
    vectors: dict[tuple[str | int, ...], int] = field(default_factory=dict)
    attached: dict[tuple[str, bool, bytes], int] = field(default_factory=dict)
    seen: set[tuple[int, int]] = field(default_factory=set)

    def vector(self, vector: Vector, order: int = 0) -> list[Array]:
        """Return the components of a point or direction, or of a derivative (1, 2)."""
        d = vector.local.shape[-1]
        if vector.body != self.family.mechanism.frame:
            row = self._row(vector)
            self.seen |= {(order, row + k) for k in range(d)}
        return [NOTHING] * d

    def inner(self, direction: Vector, vector: Vector, start: Vector | None = None) -> Array:
        """Return the inner product of a direction with another one, or with a point relative to a start point."""
        rows = (self._row(direction), self._row(vector), -1 if start is None else self._row(start))
        if rows not in self.products:
            self.products[rows] = self._new(1)
        return self.row(self.products[rows], 0)

    def row(self, row: int, order: int) -> Array:
        """Return a row of the state, or of its derivative."""
        self.seen.add((order, row))
        return NOTHING

    def select(self, numbers: Array) -> Array:
        """Return those of the numbers (m, ...) of all samples that belong to the samples that are read."""
        return numbers[:1]

    def _new(self, count: int) -> int:
        self.rows += count
        return self.rows - count

    def _row(self, vector: Vector) -> int:
        """Return the first row of a vector, which gets new ones if there are none."""
        if vector.name not in self.vectors:
            self.vectors[vector.name] = self._attach(vector)
        return self.vectors[vector.name]

    def _attach(self, vector: Vector) -> int:
        """Return the first row of a vector that was not read before."""
        _, body, local, point = vector
        pose, d = self.family.poses[body], local.shape[-1]
        coefficients = pose.coefficients(local, point)
        existing = pose.row(coefficients, point)
        if existing is not None:
            return existing
        key = (body, point, samples(coefficients).tobytes())
        if key in self.attached:
            return self.attached[key]
        row = self.attached[key] = self._new(d)
        if body == self.family.mechanism.frame:
            self.fixed.update({row + k: local[:, k] for k in range(d)})
        else:
            self.entries.append(([row, pose.point if point else -1, *pose.vectors], coefficients))
        return row

    def calls(self) -> tuple[Call, ...]:
        """Make the calls that fill the new rows, after all groups, if there are any."""
        d, group = self.family.mechanism.dimension, len(self.family.structure.groups)
        lead = max((len(coefficients) for _, coefficients in self.entries), default=1)
        constants = [np.broadcast_to(coefficients, (lead, d)) for _, coefficients in self.entries]
        rows = np.array([d, *(number for entry, _ in self.entries for number in entry)], np.int64)
        joined = np.concatenate([np.zeros((lead, 0)), *constants], axis=1)
        numbers = (number for rows, row in self.products.items() for number in (row, *rows))
        products = np.array([d, *numbers], np.int64)
        vectors = Call(attachments.motion, rows, joined, group)
        return (
            *([vectors] if self.entries else []),
            *([Call(attachments.inner, products, np.zeros((1, 0)), group)] if self.products else []),
        )


@dataclass(frozen=True, eq=False)
class Results:
    """The source of the numbers of what a recorder has recorded; they broadcast to (samples, times).

    Attributes
    ----------
    recorder : Recorder
    row : callable
        Numbers (samples, times) of a row of the state, or of a derivative.
    select : callable
        See `Recorder`.
    """

    recorder: Recorder
    row: Callable[[int, int], Array]
    select: Callable[[Array], Array]

    def vector(self, vector: Vector, order: int = 0) -> list[Array]:
        if vector.body == self.recorder.family.mechanism.frame:
            return [x[:, None] if order == 0 else NOTHING for x in self.select(vector.local).T]
        first = self.recorder.vectors[vector.name]
        return [self.row(first + k, order) for k in range(vector.local.shape[-1])]

    def inner(self, direction: Vector, vector: Vector, start: Vector | None = None) -> Array:
        first = self.recorder.vectors
        rows = (first[direction.name], first[vector.name], -1 if start is None else first[start.name])
        return self.row(self.recorder.products[rows], 0)


Source = Recorder | Results
