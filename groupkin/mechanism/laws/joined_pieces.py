"""Pieces one after another, as the piecewise polynomials that compiled code evaluates."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Protocol

import numpy as np

from groupkin.mechanism.laws.laws import Coded, code
from groupkin.mechanism.laws.profiles import Section


class Piece(Protocol):
    """A piece of a sequence: how much it rises (rad or m), how long it takes (s), and its polynomials."""

    @property
    def rise(self) -> float: ...
    @property
    def time(self) -> float: ...
    def sections(self, first: float, last: float) -> Iterable[Section]: ...


def joined(
    pieces: Sequence[Piece], start: float, begin: float, speeds: Sequence[float], periodic: bool = False
) -> Coded:
    """Join the polynomials of pieces; `speeds` are those before, between and after them."""
    ends, rows, value = [begin], [], start
    for piece, both in zip(pieces, pairwise(speeds), strict=True):
        at = ends[-1]
        for width, part in piece.sections(*both):
            rows.append(part + value * (np.arange(part.size) == 0))
            ends.append(ends[-1] + width)
        ends[-1], value = at + piece.time, value + piece.rise
    if not periodic:
        rows = [np.array([start - speeds[0], speeds[0]]), *rows, np.array([value, speeds[-1]])]
        ends = [begin - 1.0, *ends, math.inf]
    width = max(row.size for row in rows)
    curve = [np.pad(row, (0, width - row.size))[::-1] for row in rows]
    advance = [value - start] if periodic else []
    table = np.concatenate([ends, *curve, advance])
    return code("PIECES", len(rows), width, ends[-1] - ends[0] if periodic else 0.0, table=table)
