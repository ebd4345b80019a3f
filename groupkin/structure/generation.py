"""Random plane mechanisms of Assur groups of any class: the families ``ASSUR k-n`` and ``ASSUR k-nB``.

A group of class k has 2k bodies and 3k revolute joints: k - 1 ternary bodies in a chain, which carry k + 1 legs, each
joined outside; the class I has no ternary body, its two legs are joined to each other. The families are those of
Table 16 of Celdran, Saura and Dopico (2022): a crank on the frame, n groups added one after another, the first joined
to crank and frame, the others anywhere; in the family B it is not the crank that is driven, but the joint of the last
two bodies.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from groupkin.arguments import checked
from groupkin.errors import MechanismError
from groupkin.mechanism.laws.laws import Ramp
from groupkin.mechanism.mechanism import Driver, Joint, Mechanism

ROMAN = (
    *((1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC")),
    *((50, "L"), (40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I")),
)

MOST = 200_000
"""Bodies of a generated mechanism at most."""

SPREAD = 1.0
"""Side of the square, m, in which all points lie."""


@checked
def generate(assur_class: int, groups: int, seed: int = 0, drive_last: bool = False) -> Mechanism:
    """Random plane mechanism of mobility one, of a crank and Assur groups of one class.

    Parameters
    ----------
    assur_class : int
        Class k of the groups, from 1.
    groups : int
        Number n of groups, from 0.
    seed : int
        The same seed gives the same mechanism, and the same one with and without `drive_last`.
    drive_last : bool
        Drive the joint of the last two bodies instead of the crank's.

    Returns
    -------
    Mechanism
        Bodies "1" (the frame), "2" (the crank) to "N", joints "i-j" at random points. Every group is joined to two
        bodies or more, so that all bodies move against each other.

    Raises
    ------
    MechanismError
        If there are no such groups.

    Examples
    --------
    >>> mechanism = generate(assur_class=2, groups=2, drive_last=True)
    >>> mechanism.name, len(mechanism.bodies), len(mechanism.joints), mechanism.mobility, mechanism.drivers[0].joint
    ('ASSUR II-2B', 10, 13, 1, '9-10')
    """
    if assur_class < 1 or groups < 0 or seed < 0:
        given = f"class {assur_class}, {groups} groups, seed {seed}"
        raise MechanismError(f"Assur groups have a class from 1, and number and seed are not negative, not {given}")
    if 2 * assur_class * max(groups, 1) > MOST:
        raise MechanismError(
            f"{groups} groups of class {assur_class} have {2 * assur_class * groups} bodies; generate at most {MOST}"
        )
    rng = np.random.default_rng(seed)
    ends = [(0, 1)]
    for number in range(groups):
        ends += _group(assur_class, 2 + 2 * assur_class * number, rng)
    last = 2 * assur_class * groups + 1
    driven = (last - 1, last) if drive_last else (0, 1)
    points = (SPREAD * rng.random((len(ends), 2))).round(4).tolist()
    joints = [
        Joint(_name(a, b), "R", (str(a + 1), str(b + 1)), point=tuple(point))
        for (a, b), point in zip(ends, points, strict=True)
    ]
    return Mechanism(
        dimension=2,
        bodies=[str(k + 1) for k in range(last + 1)],
        joints=joints,
        drivers=[Driver(_name(*driven), Ramp(rate=1.0))],
        name=f"ASSUR {roman(assur_class)}-{groups}{'B' * drive_last}",
    )


def _group(assur_class: int, first: int, rng: np.random.Generator) -> Iterator[tuple[int, int]]:
    """Pairs of bodies that the joints of one group join; its bodies are numbered from `first`, the legs come first."""
    legs = list(range(first, first + assur_class + 1))
    ternary = list(range(legs[-1] + 1, first + 2 * assur_class))
    for leg, outside in zip(legs, _outside(len(legs), first, rng), strict=True):
        yield outside, leg
    # ternary bodies have three joints: those at the ends of the chain carry two legs, a single one three
    carriers = [ternary[0], *ternary, ternary[-1]] if ternary else legs[1:]
    yield from zip(legs, carriers, strict=False)
    yield from pairwise(ternary)


def _outside(legs: int, existing: int, rng: np.random.Generator) -> list[int]:
    """Bodies that the legs are joined to, the first two of them not the same; `existing` are there to choose from."""
    chosen = rng.integers(existing, size=legs)
    chosen[1] = (chosen[0] + 1 + rng.integers(existing - 1)) % existing
    return chosen.tolist()


def _name(a: int, b: int) -> str:
    return f"{a + 1}-{b + 1}"


def roman(number: int) -> str:
    """Roman numeral.

    Examples
    --------
    >>> [roman(number) for number in (1, 4, 9, 14)]
    ['I', 'IV', 'IX', 'XIV']
    """
    text = ""
    for value, letters in ROMAN:
        text += letters * (number // value)
        number %= value
    return text
