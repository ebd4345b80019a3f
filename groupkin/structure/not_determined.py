"""The error for a mechanism that cannot be decomposed: its over- and under-driven parts, and what would help."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from functools import partial
from typing import Literal, NamedTuple

import numpy as np

from groupkin import messages
from groupkin.errors import NotDeterminedError
from groupkin.mechanism.mechanism import Joint, Mechanism
from groupkin.messages import counted
from groupkin.structure.counting import Counts, Shares, incidence, over_driven, parts, under_driven, unheld
from groupkin.structure.idle_spins import Balance
from groupkin.structure.redundancy import Redundancy

LISTED = 10
"""Largest number of names, and of parts, in a message."""

listed = partial(messages.listed, most=LISTED)


class Remedy(NamedTuple):
    """A driver that would help: add it, or drop it, at a degree of freedom of a joint."""

    action: Literal["add", "drop"]
    joint: str
    freedom: str


ADD_A_DRIVER = "add a driver at one of"

Freedoms = Collection[tuple[str, str]]
"""Joints and freedoms, by name."""


def not_determined(
    mechanism: Mechanism,
    balance: Balance,
    free: int = 0,
    helpful: Freedoms | None = None,
    spare: Freedoms | None = None,
    redundancies: Sequence[Redundancy] = (),
    shaky: Sequence[str] = (),
) -> NotDeterminedError:
    """Make the error for a mechanism whose equations cannot be shared out, with parts, counts and suggestions.

    Parameters
    ----------
    mechanism : Mechanism
    balance : Balance
    free : int
        Number of free motions by rank, where it is known.
    helpful, spare : collection of (str, str), optional
        Joints and freedoms at which a driver removes a free motion, and at which a driver repeats others. If they are
        given, only these are suggested.
    redundancies : sequence of Redundancy
        Rows that repeat others and are not counted.
    shaky : sequence of str
        Sentences on joints whose rows repeat others only in the reference configuration.
    """
    name, counts, shares = mechanism.movable, balance.counts, balance.shares
    over, under = (
        [body for body in bodies if body < counts.movable]
        for bodies in (over_driven(counts, shares), under_driven(counts, shares))
    )
    excess, lack = int(shares.excess.sum()), int(shares.lack.sum())
    mobility = mechanism.mobility + sum(each.rows for each in redundancies)
    misplaced = ", but some parts have drivers or constraints too many and others too few" if excess and lack else ""
    driven = f"mobility {mobility}, {len(mechanism.drivers)} driven{misplaced}"
    lines = [f"{mechanism.name} is not determined: {driven}"]
    lines += [*(each.text for each in redundancies), *shaky]
    if balance.spins:
        spins = "; of ".join(spin.text for spin in balance.spins[:LISTED])
        lines.append(f"not counted, as nothing depends on it: the spin of {spins}")
    apart = [body for body in unheld(counts) if body < counts.movable]
    for part in parts(counts, apart)[:LISTED]:
        bodies = listed([name[body] for body in part])
        lines.append(
            f"no chain of joints connects {bodies} to the frame {mechanism.frame!r}: join them to it, or name another "
            "frame"
        )
    incident = [
        [joint for joint in joints if joint < len(mechanism.joints)] for joints in incidence(counts)[: counts.movable]
    ]
    over_parts, under_parts = parts(counts, over), parts(counts, under)
    remedies: list[Remedy] = []
    for part in over_parts[:LISTED]:
        touching = _touching(incident, part)
        within = {mechanism.frame, *(mechanism.movable[body] for body in part)}
        inner = [joint for joint in touching if within.issuperset(mechanism.joints[joint].bodies)]
        lines.append(_part("over-driven", _sum(counts, shares, part, True), mechanism, part, inner))
        drop, text = _how_to_relax(mechanism, balance, set(over), touching, spare)
        lines += text
        remedies += drop
        lines += without_coupling(mechanism, [mechanism.movable[body] for body in part])
    lines += _others("over-driven", len(over_parts))
    for part in under_parts[:LISTED]:
        touching = _touching(incident, part)
        lines.append(_part("under-driven", _sum(counts, shares, part, False), mechanism, part, touching))
        if set(part) & set(apart):
            lines.append("add a joint that holds them")
        else:
            add, text = _how_to_drive(mechanism, balance, touching, helpful)
            lines += text
            remedies += add
    lines += _others("under-driven", len(under_parts))
    if any(line.startswith(ADD_A_DRIVER) for line in lines):
        lines.append(missing_joint(mechanism, [mechanism.movable[body] for body in under]))
        lines += [] if over else ["or let it move under its forces (simulate)"]
    if under and free > lack:
        lines.append(f"by rank {free} motions are free in the reference configuration, where constraints are redundant")
    return NotDeterminedError(
        "\n  ".join(lines),
        tuple(name[body] for body in over),
        tuple(name[body] for body in under),
        excess,
        lack,
        tuple(dict.fromkeys(remedies)),
    )


def _sum(counts: Counts, shares: Shares, part: list[int], excess: bool) -> int:
    """Count the equations that a part has too many, or lacks, with those of the nodes of couplings beside it."""
    rows = np.isin(counts.ends, part).any(axis=1)
    nodes = {body for ends in counts.ends[rows].tolist() for body in ends if body >= counts.movable}
    if not excess:
        return int(shares.lack[[*part, *nodes]].sum())
    return int(shares.excess[rows | np.isin(counts.ends, list(nodes)).any(axis=1)].sum())


def missing_joint(mechanism: Mechanism, under: Sequence[str]) -> str:
    """Say that a joint may be missing, and which bodies have but one."""
    joints = {
        body: list(dict.fromkeys((joint.of or joint).name for joint in mechanism.joints_of[body]))
        for body in (mechanism.frame, *under)
    }
    ends = [f"{body} ({names[0]})" for body, names in joints.items() if len(names) == 1]
    have = "has only one" if len(ends) == 1 else "have only one each"
    return "or a joint is missing" + (f": {listed(ends)} {have}" if ends else "")


def _others(what: str, count: int) -> list[str]:
    return [f"and {counted(count - LISTED, f'other {what} part')}"] if count > LISTED else []


def _part(what: str, count: int, mechanism: Mechanism, part: list[int], touching: list[int]) -> str:
    bodies = listed([mechanism.movable[body] for body in part])
    joints = listed([mechanism.joints[joint].name for joint in touching])
    coupled = _coupled(mechanism, [mechanism.movable[body] for body in part])
    couplings = f"; couplings {listed(coupled)}" if coupled else ""
    return f"{what} by {counted(count, 'equation')}: bodies {bodies}; joints {joints or 'none'}{couplings}"


def without_coupling(mechanism: Mechanism, bodies: Collection[str]) -> list[str]:
    """Say that a coupling of over-driven bodies may be left out; nothing if they have none."""
    coupled = _coupled(mechanism, bodies)
    return [f"or leave out one of the couplings {listed(coupled)}"] if coupled else []


def _coupled(mechanism: Mechanism, bodies: Collection[str]) -> list[str]:
    """List the couplings that touch some bodies."""
    return [name for name, relation in mechanism.relations.items() if set(bodies).intersection(relation.bodies)]


def _how_to_relax(
    mechanism: Mechanism, balance: Balance, over: Collection[int], touching: list[int], spare: Freedoms | None
) -> tuple[list[Remedy], list[str]]:
    """Suggest drivers to drop, or else joints to free or remove."""
    able = [j for j in touching if offers(balance.counts, balance.shares, over, j)]
    drop, texts = list[Remedy](), list[str]()
    for joint in (mechanism.joints[j] for j in able if mechanism.joints[j].name in mechanism.driven):
        freedoms = [mechanism.freedoms(joint)[k].name for k in mechanism.driven[joint.name]]
        useful = [name for name in freedoms if spare is None or (joint.name, name) in spare]
        if useful:
            drop += [Remedy("drop", joint.name, name) for name in useful]
            texts.append(named(mechanism, joint, useful))
    if drop:
        return drop, [f"drop a driver at one of: {listed(texts)}"]
    if not able:
        return [], []
    return [], [f"free or remove one of the joints: {listed([mechanism.joints[j].name for j in able])}"]


def offers(counts: Counts, shares: Shares, over: Collection[int], joint: int) -> bool:
    """Whether one equation less at a joint reduces the excess.

    It does if the joint has an excess itself, or gives an equation to one of the over-driven bodies, which could take
    one from another joint instead.
    """
    ends = counts.ends[joint].tolist()
    return bool(shares.excess[joint] or any(shares.given[joint, side] and ends[side] in over for side in range(2)))


def _how_to_drive(
    mechanism: Mechanism, balance: Balance, touching: list[int], helpful: Freedoms | None
) -> tuple[list[Remedy], list[str]]:
    """Suggest joints to drive: once driven, any joint of the part gives an equation to a body that lacks one.

    Joints of a part whose spin is held are left out: a driver there would replace the convention that holds it.
    """
    spinning = {name for spin in balance.spins for name in spin.joints}
    add, texts = list[Remedy](), list[str]()
    for joint in (mechanism.joints[j] for j in touching):
        driven = mechanism.driven.get(joint.name, ())
        freedoms = [freedom.name for k, freedom in enumerate(mechanism.freedoms(joint)) if k not in driven]
        useful = [name for name in freedoms if helpful is None or (joint.name, name) in helpful]
        if useful and joint.name not in spinning:
            add += [Remedy("add", joint.name, name) for name in useful]
            texts.append(named(mechanism, joint, useful))
    return add, [f"{ADD_A_DRIVER}: {listed(texts)}"] if add else ["add a joint that holds them"]


def named(mechanism: Mechanism, joint: Joint, useful: list[str]) -> str:
    """Name a joint, with the useful degrees of freedom where it has several: a driver names one of them."""
    several = len(mechanism.freedoms(joint)) > 1
    return f"{joint.name} ({' or '.join(useful)})" if several else joint.name


def _touching(incident: list[list[int]], bodies: list[int]) -> list[int]:
    return sorted({joint for body in bodies for joint in incident[body]})
