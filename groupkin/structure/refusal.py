"""Why a mechanism cannot be decomposed: over- and under-driven parts, and what would mend them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import replace

import numpy as np

from groupkin.errors import NotDeterminedError
from groupkin.mechanism.mechanism import Mechanism
from groupkin.mechanism.pairs import counted
from groupkin.structure.counting import Counts, over_driven, parts, share, under_driven
from groupkin.structure.redundancy import Redundancy
from groupkin.structure.spins import Balance

EXAMINED = 200
"""Number of changes that are tried, at most, to find suggestions; each costs one maximum flow."""


def refusal(
    mechanism: Mechanism,
    found: Balance,
    free: int = 0,
    helpful: Collection[tuple[str, str]] | None = None,
    redundancies: Sequence[Redundancy] = (),
    shaky: Sequence[str] = (),
) -> NotDeterminedError:
    """The error for a mechanism whose equations cannot be shared out, with parts, counts and suggestions.

    Where rank is known, `free` is the number of motions that it leaves, and `helpful` are the joints and freedoms at
    which a driver takes one of them away; only these are suggested. `redundancies` are not counted; `shaky` says of
    rows that repeat others why they are.
    """
    name, counts, shares = mechanism.movable, found.counts, found.shares
    over, under = over_driven(counts, shares), under_driven(counts, shares)
    excess, lack = int(shares.excess.sum()), int(shares.lack.sum())
    mobility = mechanism.mobility + sum(each.rows for each in redundancies)
    lines = [f"{mechanism.name} is not determined: mobility {mobility}, {len(mechanism.drivers)} driven"]
    lines += [*(each.text for each in redundancies), *shaky]
    if found.spins:
        listed = "; of ".join(spin.text for spin in found.spins)
        lines.append(f"not counted, as nothing depends on it: the spin of {listed}")
    if over:
        for part in parts(counts, over):
            much = int(shares.excess[_touching(counts, part)].sum())
            lines.append(_part("over-driven", much, mechanism, counts, part))
            lines += _how_to_relax(mechanism, found, part)
    if under:
        for part in parts(counts, under):
            lines.append(_part("under-driven", int(shares.lack[part].sum()), mechanism, counts, part))
            lines += _how_to_drive(mechanism, found, part, helpful)
        if free > lack:
            lines.append(
                f"by rank {free} motions are free in the reference configuration, where joints repeat each other"
            )
    return NotDeterminedError(
        "\n  ".join(lines), tuple(name[b] for b in over), tuple(name[b] for b in under), excess, lack
    )


def _part(what: str, count: int, mechanism: Mechanism, counts: Counts, part: list[int]) -> str:
    bodies = ", ".join(mechanism.movable[body] for body in part)
    joints = ", ".join(mechanism.joints[joint].name for joint in _touching(counts, part))
    return f"{what} by {counted(count, 'equation')}: bodies {bodies}; joints {joints or 'none'}"


def _how_to_relax(mechanism: Mechanism, found: Balance, bodies: list[int]) -> list[str]:
    """Drivers, or else joints, whose loss leaves fewer equations to spare; each is tried."""
    counts, excess = found.counts, found.shares.excess.sum()
    touching = _touching(counts, bodies)
    driven = [joint for joint in touching if mechanism.joints[joint].name in mechanism.driven]
    drop = [j for j in driven[:EXAMINED] if share(_changed(counts, j, -1)).excess.sum() < excess]
    if drop:
        return [f"drop a driver at one of: {', '.join(mechanism.joints[j].name for j in drop)}"]
    free = [j for j in touching[:EXAMINED] if share(_changed(counts, j, -1)).excess.sum() < excess]
    return [f"free or remove one of the joints: {', '.join(mechanism.joints[j].name for j in free)}"] if free else []


def _how_to_drive(
    mechanism: Mechanism, found: Balance, bodies: list[int], helpful: Collection[tuple[str, str]] | None
) -> list[str]:
    """Joints with an undriven freedom that, once driven, leave fewer equations missing; each is tried.

    The joints of a part whose spin is held are left out: a driver there would take the place of what holds it.
    """
    spinning = {name for spin in found.spins for name in spin.joints}
    listed = []
    for j in _touching(found.counts, bodies)[:EXAMINED]:
        joint = mechanism.joints[j]
        driven = mechanism.driven.get(joint.name, ())
        spare = [freedom.name for k, freedom in enumerate(mechanism.freedoms(joint)) if k not in driven]
        useful = [name for name in spare if helpful is None or (joint.name, name) in helpful]
        if joint.name in spinning or not useful:
            continue
        if share(_changed(found.counts, j, 1)).lack.sum() < found.shares.lack.sum():
            listed.append(joint.name if len(useful) == len(spare) else f"{joint.name} ({' or '.join(useful)})")
    return [f"add a driver at one of: {', '.join(listed)}"] if listed else ["add a joint that holds them"]


def _touching(counts: Counts, bodies: list[int]) -> list[int]:
    return np.flatnonzero(np.isin(counts.ends, bodies).any(axis=1)).tolist()


def _changed(counts: Counts, joint: int, by: int) -> Counts:
    equations = counts.equations.copy()
    equations[joint] += by
    return replace(counts, equations=equations)
