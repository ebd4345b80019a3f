"""How groups that are solved by Newton's method eliminate: sparse, or with full matrices.

Sparse elimination touches only entries that can be different from zero, in the order that fills in least of those that
are stable; full matrices are eliminated with complete pivoting. Solutions are the same up to rounding.
"""

from __future__ import annotations

from dataclasses import replace

from groupkin.kinematics.program.program import Program, Step
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
    return replace(program, steps=tuple(_eliminating(step, linear == "dense") for step in program.steps))


def is_dense(step: Step) -> bool:
    """Whether a step eliminates full matrices."""
    return step.knot is not None and bool(step.rows[DENSE])


def _eliminating(step: Step, dense: bool) -> Step:
    if step.knot is None or is_dense(step) == dense:
        return step
    rows = step.rows.copy()
    rows[DENSE] = dense
    return replace(step, rows=rows)
