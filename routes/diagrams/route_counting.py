"""How many routes there are, counted from the parts of the diagram.

- Independent parts. If stages may be empty, the numbers of routes of n stages multiply; a binomial transform leads to
  routes without empty stages and back (the strict order polynomial of Stanley 1970). Of m equal parts with x routes
  each, x + m - 1 over m can be told apart.
- Parts one of which must be solved before the next begins: every stage belongs to one, so numbers of stages add.
- Anything else: dynamic programming over the sets of solved groups. A stage is filled in the order of decreasing
  numbers, so that each addition is one group, or some of several interchangeable ones, instead of any subset. Up to
  symmetry the orbits are counted by the lemma of Cauchy and Frobenius: the mean number of routes that a symmetry keeps,
  in which whole cycles of groups are solved together.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import comb, factorial

from groupkin.errors import TooManyRoutesError
from routes.diagrams.diagram import (
    Diagram,
    automorphisms,
    bits_of,
    colors_of,
    components,
    isomorphic,
    members,
    sequential_parts,
)

SYMMETRIES = 2_000
"""Largest number of symmetries of a part of the diagram that are tried; exchanges of twins and parts come besides."""

WORK = 300_000
"""Additions of the dynamic programming after which counting is given up: 8 µs each for numbers of `SHORT` bits."""

SHORT = 20_000
"""Bits of a number up to which adding to it costs the same."""


@dataclass(frozen=True)
class Counts:
    """Numbers of routes.

    Attributes
    ----------
    by_stages : tuple of int
        Numbers of routes of 0, 1, 2 … stages.
    exact : bool
        False if they are upper bounds.
    """

    by_stages: tuple[int, ...]
    exact: bool = True


def count_routes(diagram: Diagram, distinct: bool = False) -> Counts:
    """Numbers of routes by their number of stages.

    Parameters
    ----------
    diagram : Diagram
    distinct : bool
        Count routes that differ by an exchange of interchangeable groups once.

    Raises
    ------
    TooManyRoutesError
        If there are too many sets of solved groups to count.
    """
    if diagram.size <= 1:
        return Counts((0,) * diagram.size + (1,))
    independent = components(diagram)
    if len(independent) > 1:
        return _count_independent(diagram.size, [diagram.subdiagram(groups) for groups in independent], distinct)
    if distinct:
        diagram = replace(diagram, kinds=colors_of(diagram))  # keeps what the parts are joined to
    parts = sequential_parts(diagram, separable=distinct)
    if len(parts) > 1:
        return _count_sequential([count_routes(diagram.subdiagram(groups), distinct) for groups in parts])
    return _count_by_sets(diagram, distinct)


def _count_sequential(parts: Sequence[Counts]) -> Counts:
    by_stages = [1]
    for part in parts:
        product = [0] * (len(by_stages) + len(part.by_stages) - 1)
        for i, a in enumerate(by_stages):
            for j, b in enumerate(part.by_stages):
                product[i + j] += a * b
        by_stages = product
    return Counts(tuple(by_stages), all(part.exact for part in parts))


def _count_independent(groups: int, parts: Sequence[Diagram], distinct: bool) -> Counts:
    numbers, exact = [1] * (groups + 1), True
    for part, copies in _equal(parts):
        counts = count_routes(part, distinct)
        exact &= counts.exact
        for stages, number in enumerate(_with_empty_stages(counts.by_stages, groups)):
            numbers[stages] *= comb(number + copies - 1, copies) if distinct else number**copies
    return Counts(_without_empty_stages(numbers), exact)


def _equal(parts: Sequence[Diagram]) -> list[tuple[Diagram, int]]:
    """One of every set of isomorphic parts, and how many there are."""
    unique: list[tuple[Diagram, tuple[int, ...], int]] = []
    for part in parts:
        colors = colors_of(part)
        for n, (other, other_colors, copies) in enumerate(unique):
            if isomorphic(part, other, colors, other_colors):
                unique[n] = other, other_colors, copies + 1
                break
        else:
            unique.append((part, colors, 1))
    return [(part, copies) for part, _, copies in unique]


def _with_empty_stages(by_stages: Sequence[int], n: int) -> list[int]:
    """Numbers of routes of 0 … n stages that may be empty."""
    return [sum(comb(stages, k) * number for k, number in enumerate(by_stages)) for stages in range(n + 1)]


def _without_empty_stages(numbers: Sequence[int]) -> tuple[int, ...]:
    """The inverse of `_with_empty_stages`, by repeated differences."""
    by_stages, row = [], list(numbers)
    while row:
        by_stages.append(row[0])
        row = [b - a for a, b in pairwise(row)]
    return tuple(by_stages)


def _count_by_sets(diagram: Diagram, distinct: bool) -> Counts:
    twins = diagram.twins
    sizes = [len(alike) for alike in twins]
    before = _set_dependencies(diagram, twins)
    if not distinct:
        return Counts(_by_stages(diagram.size, sizes, before, labeled=True)[0])
    quotient = Diagram(tuple(before), tuple((diagram.kinds[alike[0]], len(alike)) for alike in twins))
    by_stages, work = _by_stages(diagram.size, sizes, before, labeled=False)
    listed = automorphisms(quotient, colors_of(quotient), min(SYMMETRIES, 4 * WORK // work))
    symmetries = listed or [tuple(range(quotient.size))]
    kept_by = {_cycles(range(quotient.size)): by_stages}
    total = [0] * (diagram.size + 1)
    for images in symmetries:
        cycles = _cycles(images)
        if cycles not in kept_by:
            tied = [sizes[cycle[0]] for cycle in cycles]
            kept_by[cycles] = _by_stages(diagram.size, tied, _set_dependencies(quotient, cycles), labeled=False)[0]
        total = [a + b for a, b in zip(total, kept_by[cycles], strict=True)]
    return Counts(tuple(number // len(symmetries) for number in total), listed is not None)


def _set_dependencies(diagram: Diagram, sets: Sequence[Sequence[int]]) -> list[int]:
    """For every set of groups the sets that it depends on."""
    set_of = {k: n for n, groups in enumerate(sets) for k in groups}
    return [bits_of({set_of[j] for k in groups for j in members(diagram.before[k])}) for groups in sets]


def _cycles(images: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    """Cycles of a permutation, each sorted, in the order of their first elements."""
    cycles, seen = [], set()
    for start in range(len(images)):
        cycle = []
        k = start
        while k not in seen:
            seen.add(k)
            cycle.append(k)
            k = images[k]
        if cycle:
            cycles.append(tuple(sorted(cycle)))
    return tuple(cycles)


def _by_stages(n: int, sizes: Sequence[int], before: Sequence[int], labeled: bool) -> tuple[tuple[int, ...], int]:
    """Numbers of routes where only how many groups of each set are solved matters.

    Parameters
    ----------
    n : int
        Number of groups.
    sizes : sequence of int
        Largest number of additions in which each set of interchangeable groups is solved.
    before : sequence of int
        The sets that each depends on, all of them earlier.
    labeled : bool
        True if the members of a set are told apart.

    Returns
    -------
    by_stages : tuple of int
        Numbers of routes of 0 … n stages.
    work : int
        Additions of the dynamic programming, weighted by the length of its numbers.

    Notes
    -----
    The numbers are digits of one large integer: shifting it by one digit opens a stage. Every state is kept with the
    last set of its open stage; a stage continues with earlier sets only, which cannot depend on those it has.
    """
    digit = (factorial(n) << n).bit_length()  # more than the number of ordered partitions takes
    weight = [1]
    for size in sizes:
        weight.append(weight[-1] * (size + 1))
    full = {0: 0}
    levels: list[dict[int, dict[int, int]]] = [{} for _ in range(sum(sizes) + 1)]
    levels[0][0] = {-1: 1}
    work, price = 0, 1 + digit * n // SHORT
    for level, states in enumerate(levels):
        for state, endings in states.items():
            running, solved = sum(endings.values()) << digit, full.pop(state)
            for k in range(len(sizes) - 1, -1, -1):
                left = 0 if before[k] & ~solved else sizes[k] - state // weight[k] % (sizes[k] + 1)
                for chosen in range(1, left + 1):
                    reached = state + chosen * weight[k]
                    full[reached] = solved | (chosen == left) << k
                    ways = levels[level + chosen].setdefault(reached, {})
                    ways[k] = ways.get(k, 0) + running * (comb(left, chosen) if labeled else 1)
                    work += price
                running += endings.get(k, 0)
        if work > WORK:
            raise TooManyRoutesError(f"the routes of {n} groups are too many to be counted")
        if level < sum(sizes):
            states.clear()
    total = sum(levels[-1].popitem()[1].values())
    return tuple(total >> digit * k & (1 << digit) - 1 for k in range(n + 1)), work
