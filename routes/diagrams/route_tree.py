"""The tree of routes: how many there are, and which.

Routes are ordered partitions of the groups into stages in which every group comes after those it depends on. They are
counted by their number of stages, from the parts of the diagram:

- Parts that have nothing to do with each other. If stages may be empty, routes of n stages multiply; what that is in
  routes without empty stages, and back, is a binomial transform (the strict order polynomial of Stanley 1970).
  Of m equal parts, x routes each, x + m - 1 over m can be told apart.
- Parts one of which must be solved before the next begins: every stage belongs to one, so numbers of stages add.
- Anything else: dynamic programming over the sets of solved groups. A stage is filled in the order of decreasing
  numbers, so that a step adds one group, or some of several interchangeable ones, and not any subset. Up to symmetry
  the orbits are counted by the lemma of Cauchy and Frobenius: the mean number of routes that a symmetry keeps, in which
  it makes whole cycles of groups be solved together.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice, pairwise
from math import comb, factorial

from groupkin.errors import TooManyRoutesError
from groupkin.structure.decomposition import Structure
from routes.diagrams.diagram import (
    Diagram,
    automorphisms,
    bits_of,
    components,
    diagram_of,
    in_sequence,
    members,
    refined,
    same,
    stages_from,
)
from routes.diagrams.route import Route

SYMMETRIES = 2_000
"""Symmetries of a part of the diagram that are gone through at most, besides those of parts and of single groups."""

WORK = 300_000
"""Steps of the dynamic programming after which counting is given up: 8 µs each if numbers have up to `SHORT` bits."""

SHORT = 20_000


@dataclass(frozen=True)
class Counts:
    """Numbers of routes by their number of stages, from 0, and whether they are exact or an upper bound."""

    by_stages: tuple[int, ...]
    exact: bool = True


@dataclass(frozen=True)
class Tree:
    """All ways to solve the groups of a structure, from one after another to all side by side."""

    diagram: Diagram

    def count(self) -> int:
        """Number of routes.

        Raises
        ------
        TooManyRoutesError
            If the groups can be solved in too many ways to count them.
        """
        return sum(self.by_stages())

    def distinct(self) -> int:
        """Number of routes up to exchange of interchangeable groups; an upper bound if not `distinct_is_exact`.

        Groups are interchangeable together if the diagram and the signatures stay the same.
        """
        return sum(self.by_stages(distinct=True))

    def by_stages(self, distinct: bool = False) -> tuple[int, ...]:
        """Numbers of routes of 0, 1, 2 … stages."""
        return self._counted(distinct).by_stages

    @property
    def distinct_is_exact(self) -> bool:
        """Whether all symmetries were counted; if these are too many, only exchanges of single groups are."""
        return self._counted(distinct=True).exact

    def _counted(self, distinct: bool) -> Counts:
        known = self._known.get(distinct)
        if known is None:
            try:
                known = count(self.diagram, distinct)
            except TooManyRoutesError as error:
                known = error
            self._known[distinct] = known
        if isinstance(known, TooManyRoutesError):
            raise known
        return known

    @cached_property
    def _known(self) -> dict[bool, Counts | TooManyRoutesError]:
        """What has been counted, or that it took too long."""
        return {}

    @cached_property
    def sequential(self) -> Route:
        """One group after another."""
        return Route(tuple((k + 1,) for k in range(self.diagram.size)))

    @cached_property
    def parallel(self) -> Route:
        """Every group as soon as possible."""
        levels = self.diagram.levels
        found: list[list[int]] = [[] for _ in range(max(levels, default=-1) + 1)]
        for k, level in enumerate(levels):
            found[level].append(k + 1)
        return Route(tuple(map(tuple, found)))

    def routes(self, limit: int | None = None, distinct: bool = False) -> Iterator[Route]:
        """Routes one by one, the sequential one first and the parallel one last.

        Parameters
        ----------
        limit : int, optional
            How many at most.
        distinct : bool
            One of those that differ by an exchange of interchangeable groups only.
        """
        return islice(_routes(self.diagram, distinct), limit)


def tree(structure: Structure) -> Tree:
    """The tree of routes of a structure.

    Examples
    --------
    >>> from groupkin.structure.generation import generate
    >>> from groupkin.structure.decomposition import decompose
    >>> found = tree(decompose(generate(assur_class=2, groups=3, seed=5)))
    >>> found.count(), str(found.sequential), str(found.parallel)
    (3, '1 → 2 → 3 → 4', '1 → 2 → (3 ‖ 4)')
    """
    return Tree(diagram_of(structure))


# --- enumerated ------------------------------------------------------------------------------


def _routes(diagram: Diagram, distinct: bool) -> Iterator[Route]:
    everything = (1 << diagram.size) - 1
    if not everything:
        yield Route(())
    stages: list[tuple[int, ...]] = []
    ways = [_following(diagram, stages, 0, distinct)]
    while ways:
        stage = next(ways[-1], None)
        if stage is None:
            ways.pop()
            if stages:
                stages.pop()
            continue
        stages.append(stage)
        solved = bits_of(k for those in stages for k in those)
        if solved == everything:
            yield Route(tuple(tuple(k + 1 for k in those) for those in stages))
            stages.pop()
        else:
            ways.append(_following(diagram, stages, solved, distinct))


def _following(
    diagram: Diagram, stages: Sequence[tuple[int, ...]], solved: int, distinct: bool
) -> Iterator[tuple[int, ...]]:
    """Stages that may come next; of those that a symmetry turns into each other, which keeps the route so far, one."""
    if not distinct:
        yield from stages_from(diagram, solved, [[k] for k in range(diagram.size)])
        return
    marks = [-1] * diagram.size
    for n, stage in enumerate(stages):
        for k in stage:
            marks[k] = n
    found: dict[tuple[int, ...], list[tuple[int, ...]]] = {}
    for stage in stages_from(diagram, solved, diagram.twins):
        marked = [len(stages) if k in stage else mark for k, mark in enumerate(marks)]
        colors = refined(diagram, marked)
        alike = found.setdefault(tuple(sorted(colors)), [])
        if not any(same(diagram, diagram, colors, other) for other in alike):
            alike.append(colors)
            yield stage


# --- counted ---------------------------------------------------------------------------------


def count(diagram: Diagram, distinct: bool = False) -> Counts:
    """Numbers of routes by their number of stages.

    Raises
    ------
    TooManyRoutesError
        If there are too many sets of solved groups to count.
    """
    if diagram.size <= 1:
        return Counts((0,) * diagram.size + (1,))
    apart = components(diagram)
    if len(apart) > 1:
        return _side_by_side(diagram, [diagram.part(chosen) for chosen in apart], distinct)
    if distinct:
        diagram = replace(diagram, kinds=refined(diagram))  # so that parts know what they are joined to
    parts = in_sequence(diagram, separable=distinct)
    if len(parts) > 1:
        return _one_after_another([count(diagram.part(chosen), distinct) for chosen in parts])
    return _by_sets(diagram, distinct)


def _one_after_another(parts: Sequence[Counts]) -> Counts:
    found = [1]
    for part in parts:
        product = [0] * (len(found) + len(part.by_stages) - 1)
        for i, a in enumerate(found):
            for j, b in enumerate(part.by_stages):
                product[i + j] += a * b
        found = product
    return Counts(tuple(found), all(part.exact for part in parts))


def _side_by_side(diagram: Diagram, parts: Sequence[Diagram], distinct: bool) -> Counts:
    n = diagram.size
    ways, exact = [1] * (n + 1), True
    for part, copies in _equal(parts):
        counted = count(part, distinct)
        exact &= counted.exact
        for stages, number in enumerate(_with_empty_stages(counted.by_stages, n)):
            ways[stages] *= comb(number + copies - 1, copies) if distinct else number**copies
    return Counts(_without_empty_stages(ways), exact)


def _equal(parts: Sequence[Diagram]) -> list[tuple[Diagram, int]]:
    """Parts that are equal but for names only once, and how many they are."""
    found: list[tuple[Diagram, tuple[int, ...], int]] = []
    for part in parts:
        colors = refined(part)
        for place, (other, theirs, copies) in enumerate(found):
            if same(part, other, colors, theirs):
                found[place] = other, theirs, copies + 1
                break
        else:
            found.append((part, colors, 1))
    return [(part, copies) for part, _, copies in found]


def _with_empty_stages(by_stages: Sequence[int], n: int) -> list[int]:
    """Numbers of routes of 0 … n stages that may be empty."""
    return [sum(comb(stages, k) * number for k, number in enumerate(by_stages)) for stages in range(n + 1)]


def _without_empty_stages(ways: Sequence[int]) -> tuple[int, ...]:
    """The inverse of `_with_empty_stages`: differences of differences."""
    found, row = [], list(ways)
    while row:
        found.append(row[0])
        row = [b - a for a, b in pairwise(row)]
    return tuple(found)


def _by_sets(diagram: Diagram, distinct: bool) -> Counts:
    twins = diagram.twins
    sizes = [len(alike) for alike in twins]
    before = _before(diagram, twins)
    if not distinct:
        return Counts(_stages(diagram.size, sizes, before, labeled=True)[0])
    quotient = Diagram(tuple(before), tuple((diagram.kinds[alike[0]], len(alike)) for alike in twins))
    by_stages, work = _stages(diagram.size, sizes, before, labeled=False)
    found = automorphisms(quotient, refined(quotient), min(SYMMETRIES, 4 * WORK // work))
    symmetries = found or [tuple(range(quotient.size))]
    known = {_cycles(range(quotient.size)): by_stages}
    total = [0] * (diagram.size + 1)
    for images in symmetries:
        cycles = _cycles(images)
        if cycles not in known:
            tied = [sizes[cycle[0]] for cycle in cycles]
            known[cycles] = _stages(diagram.size, tied, _before(quotient, cycles), labeled=False)[0]
        total = [a + b for a, b in zip(total, known[cycles], strict=True)]
    return Counts(tuple(number // len(symmetries) for number in total), found is not None)


def _before(diagram: Diagram, sets: Sequence[Sequence[int]]) -> list[int]:
    """What sets of groups depend on, as sets of these sets."""
    place = {k: p for p, those in enumerate(sets) for k in those}
    return [bits_of({place[j] for k in those for j in members(diagram.before[k])}) for those in sets]


def _cycles(images: Sequence[int]) -> tuple[tuple[int, ...], ...]:
    """Places that a permutation turns into each other, in order of the first of each."""
    found, seen = [], set()
    for start in range(len(images)):
        cycle = []
        k = start
        while k not in seen:
            seen.add(k)
            cycle.append(k)
            k = images[k]
        if cycle:
            found.append(tuple(sorted(cycle)))
    return tuple(found)


def _stages(n: int, sizes: Sequence[int], before: Sequence[int], labeled: bool) -> tuple[tuple[int, ...], int]:
    """Numbers of routes by their number of stages, where only how many of each set are solved matters, and the work.

    Parameters
    ----------
    n : int
        Number of groups.
    sizes : sequence of int
        How many steps each set of interchangeable groups is solved in, at most.
    before : sequence of int
        The sets that each depends on, all of them earlier.
    labeled : bool
        Whether the members of a set are told apart.

    Notes
    -----
    The numbers are digits of one large integer: shifting it by one digit opens a stage. Of every state it is kept which
    set its open stage ends with; a stage goes on with earlier sets only, which cannot depend on those it has.
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
