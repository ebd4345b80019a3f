"""Drivers of an over-constrained mechanism that follow from each other, and what they leave free: by rank.

Counting shares out rows, also those that repeat others, so that it can find as many as are needed though some motion
is free. Here the free motions are known, at a position that no driver decides, and with them which drivers lead them.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Literal

import numpy as np

from groupkin.errors import NotDeterminedError
from groupkin.mechanism.mechanism import Mechanism
from groupkin.messages import counted
from groupkin.model.determination.positions import rates
from groupkin.model.determination.rank_groups import described_rows
from groupkin.model.determination.undriven import Undriven
from groupkin.model.geometry.geometry import Geometry
from groupkin.structure.not_determined import ADD_A_DRIVER, Remedy, listed, missing_joint, named, without_coupling
from groupkin.tolerances import DEPENDENT_DRIVERS, TAKES_PART
from sglibrary.array_types import Array

Freedom = tuple[str, int]
"""The name of a joint, and the number of one of its freedoms."""

Rates = dict[Freedom, Array]
"""Rates of freedoms in free motions (mobility,)."""


@dataclass(frozen=True)
class Dependence:
    """What the drivers of a mechanism do at a position.

    Attributes
    ----------
    led : int
        How many of its motions they determine.
    repeated, helpful : tuple of Freedom
        Those whose driver follows from others, and at which a driver would take away a motion that is left.
    moving : tuple of str
        Bodies that still move.
    """

    led: int
    repeated: tuple[Freedom, ...]
    helpful: tuple[Freedom, ...]
    moving: tuple[str, ...]


def refusal(mechanism: Mechanism, geometry: Geometry, given: Undriven | None) -> NotDeterminedError | None:
    """Make the error for drivers that follow from others, or leave motions free.

    Parameters
    ----------
    mechanism : Mechanism
        With its drivers.
    geometry : Geometry
    given : Undriven or None
        The same by rank; None if it is not known how it moves.

    Returns
    -------
    NotDeterminedError or None
        None if that is not known, or its drivers determine the mechanism.
    """
    if given is None:
        return None
    found, driven = dependence(mechanism, given), len(mechanism.drivers)
    excess, lack = driven - found.led, given.mobility - found.led
    if not excess and not lack:
        return None
    misplaced = ", but not every driver leads a motion of its own" if excess and lack else ""
    lines = [f"{mechanism.name} is not determined: mobility {given.mobility}, {driven} driven{misplaced}"]
    lines += [each.text for each in described_rows(mechanism, geometry, given.cluster, given.positions, given.mobility)]
    if given.spins:
        spins = "; of ".join(spin.text for spin in given.spins)
        lines.append(f"not counted, as nothing depends on it: the spin of {spins}")
    ends = {body for name, _ in found.repeated for body in mechanism.joint[name].bodies}
    over = tuple(body for body in mechanism.movable if body in ends)
    drop, drivers = _remedies(mechanism, "drop", found.repeated)
    add, joints = _remedies(mechanism, "add", found.helpful)
    if excess:
        lines += [_part("over", excess, over), f"drop a driver at one of: {drivers}"]
        lines += without_coupling(mechanism, over)
    if lack:
        lines += [_part("under", lack, found.moving), f"{ADD_A_DRIVER}: {joints}"]
        lines.append(missing_joint(mechanism, found.moving))
        lines += [] if excess else ["or let it move under its forces (simulate)"]
    return NotDeterminedError("\n  ".join(lines), over, found.moving, excess, lack, (*drop, *add))


def _part(what: Literal["over", "under"], equations: int, bodies: Collection[str]) -> str:
    return f"{what}-driven by {counted(equations, 'equation')}: bodies {listed(bodies)}"


def dependence(mechanism: Mechanism, given: Undriven) -> Dependence:
    """Find out which drivers of a mechanism lead its motions, and which follow from others."""
    driven, idle, free = max(
        (_led(mechanism, given, k) for k in range(len(given.positions))),
        key=lambda each: float(np.linalg.svd(_stacked(each[0], given), compute_uv=False).min(initial=1.0)),
    )
    left, values, right = np.linalg.svd(_stacked(driven, given))
    rank = int((values > DEPENDENT_DRIVERS * values.max(initial=1.0)).sum())
    stress, moves = left[:, rank:], right[rank:].T
    speeds = np.abs(free @ moves).max(axis=1, initial=0.0).reshape(-1, given.cluster.width).max(axis=1)
    return Dependence(
        rank,
        tuple(
            freedom
            for freedom, share in zip(driven, stress, strict=True)
            if np.abs(share).max(initial=0.0) > TAKES_PART
        ),
        tuple(freedom for freedom, rate in idle.items() if np.abs(rate @ moves).max(initial=0.0) > DEPENDENT_DRIVERS),
        tuple(body for body, speed in zip(mechanism.movable, speeds, strict=True) if speed > TAKES_PART),
    )


def _led(mechanism: Mechanism, given: Undriven, k: int) -> tuple[Rates, Rates, Array]:
    """The rates of driven and of other freedoms in the free motions at a position, and these motions."""
    driven, idle = Rates(), Rates()
    held = {name for spin in given.spins for name in spin.joints}
    for joint in given.cluster.mechanism.joints:
        for number, rate in enumerate(rates(given.cluster, given.positions[k], joint) @ given.free[k]):
            if number in mechanism.driven.get(joint.name, ()):
                driven[joint.name, number] = rate
            elif joint.name not in held:  # a driver there would replace the convention that holds the spin
                idle[joint.name, number] = rate
    return driven, idle, given.free[k]


def _stacked(driven: Rates, given: Undriven) -> Array:
    return np.array([*driven.values()]).reshape(len(driven), given.mobility)


def _remedies(
    mechanism: Mechanism, action: Literal["add", "drop"], freedoms: Collection[Freedom]
) -> tuple[list[Remedy], str]:
    """What can be done about freedoms, and their names, for people."""
    by_joint: dict[str, list[str]] = {}
    for name, k in freedoms:
        by_joint.setdefault(name, []).append(mechanism.freedoms(mechanism.joint[name])[k].name)
    texts = [named(mechanism, mechanism.joint[name], useful) for name, useful in by_joint.items()]
    return [Remedy(action, name, each) for name, useful in by_joint.items() for each in useful], listed(texts)
