"""How groups that are solved by Newton's method eliminate: sparse, or with full matrices.

Sparse elimination touches only entries that can be different from zero, in the order that fills in least of those that
are stable; full matrices are eliminated with complete pivoting. Solutions are the same up to rounding.
"""

from __future__ import annotations

from dataclasses import replace

from groupkin.kinematics.program.program import Call, Program
from sglibrary.iterative.newton_tables import DENSE

LINEAR = ("sparse", "dense")


def with_elimination(program: Program, linear: str | None) -> Program:
    """A program whose iterated groups eliminate as said; None: as they do.

    Raises
    ------
    ValueError
        If `linear` is not one of `LINEAR`.
    """
    if linear is None:
        return program
    if linear not in LINEAR:
        raise ValueError(f"linear must be one of {', '.join(LINEAR)}, not {linear!r}")
    return replace(program, calls=tuple(_eliminating(call, linear == "dense") for call in program.calls))


def is_dense(call: Call) -> bool:
    """Whether a step eliminates full matrices."""
    return call.knot is not None and bool(call.rows[DENSE])


def _eliminating(call: Call, dense: bool) -> Call:
    if call.knot is None or is_dense(call) == dense:
        return call
    rows = call.rows.copy()
    rows[DENSE] = dense
    return replace(call, rows=rows)
