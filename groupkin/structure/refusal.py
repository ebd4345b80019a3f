"""Why a mechanism cannot be decomposed: over- and under-driven parts, and what would mend them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from groupkin.errors import NotDeterminedError
from groupkin.mechanism.mechanism import Mechanism
from groupkin.structure.counting import Counts, Shares, over_driven, parts, share, under_driven

EXAMINED = 200
"""Number of changes that are tried, at most, to find suggestions; each costs one maximum flow."""


def refusal(mechanism: Mechanism, counts: Counts, shares: Shares) -> NotDeterminedError:
    """The error for a mechanism whose equations cannot be shared out, with parts, counts and suggestions."""
    name = mechanism.movable
    over, under = over_driven(counts, shares), under_driven(counts, shares)
    excess, lack = int(shares.excess.sum()), int(shares.lack.sum())
    lines = [f"{mechanism.name} is not determined: mobility {mechanism.mobility}, {len(mechanism.drivers)} driven"]
    if over:
        listed = "; ".join(", ".join(name[b] for b in part) for part in parts(counts, over))
        lines.append(f"over-driven by {excess} equation{'s' * (excess > 1)}: bodies {listed}")
        lines += _how_to_relax(mechanism, counts, shares, over)
    if under:
        listed = "; ".join(", ".join(name[b] for b in part) for part in parts(counts, under))
        lines.append(f"under-driven by {lack} equation{'s' * (lack > 1)}: bodies {listed}")
        lines += _how_to_drive(mechanism, counts, shares, under)
    return NotDeterminedError(
        "\n  ".join(lines), tuple(name[b] for b in over), tuple(name[b] for b in under), excess, lack
    )


def _how_to_relax(mechanism: Mechanism, counts: Counts, shares: Shares, bodies: list[int]) -> list[str]:
    """Drivers, or else joints, whose loss leaves fewer equations to spare; each is tried."""
    touching = _touching(counts, bodies)
    driven = [joint for joint in touching if mechanism.joints[joint].name in mechanism.driven]
    drop = [j for j in driven[:EXAMINED] if share(_changed(counts, j, -1)).excess.sum() < shares.excess.sum()]
    if drop:
        return [f"drop a driver at one of: {', '.join(mechanism.joints[j].name for j in drop)}"]
    free = [j for j in touching[:EXAMINED] if share(_changed(counts, j, -1)).excess.sum() < shares.excess.sum()]
    return [f"free or remove one of the joints: {', '.join(mechanism.joints[j].name for j in free)}"] if free else []


def _how_to_drive(mechanism: Mechanism, counts: Counts, shares: Shares, bodies: list[int]) -> list[str]:
    """Joints with an undriven freedom that, once driven, leave fewer equations missing; each is tried."""
    found = []
    for j in _touching(counts, bodies)[:EXAMINED]:
        joint = mechanism.joints[j]
        spare = len(mechanism.freedoms(joint)) - len(mechanism.driven.get(joint.name, ()))
        if spare and share(_changed(counts, j, 1)).lack.sum() < shares.lack.sum():
            found.append(joint.name)
    return [f"add a driver at one of: {', '.join(found)}"] if found else ["add a joint that holds them"]


def _touching(counts: Counts, bodies: list[int]) -> list[int]:
    return np.flatnonzero(np.isin(counts.ends, bodies).any(axis=1)).tolist()


def _changed(counts: Counts, joint: int, by: int) -> Counts:
    equations = counts.equations.copy()
    equations[joint] += by
    return replace(counts, equations=equations)
