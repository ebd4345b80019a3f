"""Why a mechanism cannot be decomposed: over- and under-driven parts, and what would mend them."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from groupkin.errors import NotDeterminedError
from groupkin.mechanism.mechanism import Mechanism
from groupkin.mechanism.pairs import counted
from groupkin.structure.counting import Counts, Shares, incidence, over_driven, parts, under_driven
from groupkin.structure.idle_spins import Balance
from groupkin.structure.redundancy import Redundancy

LISTED = 10
"""Number of names, and of parts, that are listed at most."""

Freedoms = Collection[tuple[str, str]]
"""Joints and freedoms, by name."""


def refusal(
    mechanism: Mechanism,
    found: Balance,
    free: int = 0,
    helpful: Freedoms | None = None,
    spare: Freedoms | None = None,
    redundancies: Sequence[Redundancy] = (),
    shaky: Sequence[str] = (),
) -> NotDeterminedError:
    """The error for a mechanism whose equations cannot be shared out, with parts, counts and suggestions.

    Where rank is known, `free` is the number of motions that it leaves, and `helpful` are the joints and freedoms at
    which a driver takes one of them away, `spare` those whose driver repeats what others do; only these are suggested.
    `redundancies` are not counted; `shaky` says of rows that repeat others why they are.
    """
    name, counts, shares = mechanism.movable, found.counts, found.shares
    over, under = over_driven(counts, shares), under_driven(counts, shares)
    excess, lack = int(shares.excess.sum()), int(shares.lack.sum())
    mobility = mechanism.mobility + sum(each.rows for each in redundancies)
    lines = [f"{mechanism.name} is not determined: mobility {mobility}, {len(mechanism.drivers)} driven"]
    lines += [*(each.text for each in redundancies), *shaky]
    if found.spins:
        spins = "; of ".join(spin.text for spin in found.spins[:LISTED])
        lines.append(f"not counted, as nothing depends on it: the spin of {spins}")
    incident = incidence(counts)
    found_over, found_under = parts(counts, over), parts(counts, under)
    for part in found_over[:LISTED]:
        touching = _touching(incident, part)
        lines.append(_part("over-driven", int(shares.excess[touching].sum()), mechanism, part, touching))
        lines += _how_to_relax(mechanism, found, set(over), touching, spare)
    lines += _others("over-driven", len(found_over))
    for part in found_under[:LISTED]:
        touching = _touching(incident, part)
        lines.append(_part("under-driven", int(shares.lack[part].sum()), mechanism, part, touching))
        lines += _how_to_drive(mechanism, found, touching, helpful)
    lines += _others("under-driven", len(found_under))
    if under and free > lack:
        lines.append(f"by rank {free} motions are free in the reference configuration, where joints repeat each other")
    return NotDeterminedError(
        "\n  ".join(lines), tuple(name[b] for b in over), tuple(name[b] for b in under), excess, lack
    )


def listed(names: Sequence[str]) -> str:
    """Names, the first `LISTED` of them."""
    more = len(names) - LISTED
    return ", ".join(names[:LISTED]) + (f" and {more} more" if more > 0 else "")


def _others(what: str, count: int) -> list[str]:
    return [f"and {counted(count - LISTED, f'other {what} part')}"] if count > LISTED else []


def _part(what: str, count: int, mechanism: Mechanism, part: list[int], touching: list[int]) -> str:
    bodies = listed([mechanism.movable[body] for body in part])
    joints = listed([mechanism.joints[joint].name for joint in touching])
    return f"{what} by {counted(count, 'equation')}: bodies {bodies}; joints {joints or 'none'}"


def _how_to_relax(
    mechanism: Mechanism, found: Balance, over: Collection[int], touching: list[int], spare: Freedoms | None
) -> list[str]:
    """Drivers, or else joints, whose loss leaves fewer equations to spare."""
    able = [j for j in touching if offers(found.counts, found.shares, over, j)]
    drop = []
    for joint in (mechanism.joints[j] for j in able if mechanism.joints[j].name in mechanism.driven):
        freedoms = [mechanism.freedoms(joint)[k].name for k in mechanism.driven[joint.name]]
        useful = [name for name in freedoms if spare is None or (joint.name, name) in spare]
        if useful:
            drop.append(_named(joint.name, useful, freedoms))
    if drop:
        return [f"drop a driver at one of: {listed(drop)}"]
    if not able:
        return []
    return [f"free or remove one of the joints: {listed([mechanism.joints[j].name for j in able])}"]


def offers(counts: Counts, shares: Shares, over: Collection[int], joint: int) -> bool:
    """Whether one equation less at a joint leaves fewer to spare.

    It does if the joint has some to spare, or gives some to one of the over-driven bodies, which could take it from
    another joint instead.
    """
    ends = counts.ends[joint].tolist()
    return bool(shares.excess[joint] or any(shares.given[joint, side] and ends[side] in over for side in range(2)))


def _how_to_drive(mechanism: Mechanism, found: Balance, touching: list[int], helpful: Freedoms | None) -> list[str]:
    """Joints with an undriven freedom: once driven, any joint of the part gives an equation to a body that misses one.

    The joints of a part whose spin is held are left out: a driver there would take the place of what holds it.
    """
    spinning = {name for spin in found.spins for name in spin.joints}
    add = []
    for joint in (mechanism.joints[j] for j in touching):
        driven = mechanism.driven.get(joint.name, ())
        freedoms = [freedom.name for k, freedom in enumerate(mechanism.freedoms(joint)) if k not in driven]
        useful = [name for name in freedoms if helpful is None or (joint.name, name) in helpful]
        if useful and joint.name not in spinning:
            add.append(_named(joint.name, useful, freedoms))
    return [f"add a driver at one of: {listed(add)}"] if add else ["add a joint that holds them"]


def _named(joint: str, useful: list[str], freedoms: list[str]) -> str:
    """A joint, with the freedoms that are meant where others are not."""
    return joint if len(useful) == len(freedoms) else f"{joint} ({' or '.join(useful)})"


def _touching(incident: list[list[int]], bodies: list[int]) -> list[int]:
    return sorted({joint for body in bodies for joint in incident[body]})
