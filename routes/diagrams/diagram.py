"""The structural diagram as bits, from which routes, their numbers and their costs are computed.

Groups are counted from 0 here: group k is number k + 1 of the structure. A set of groups is an integer whose bit k says
that group k is in it. Every group comes after those it depends on.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, islice, pairwise

import networkx as nx

from groupkin.structure.color_refinement import Keys, refine
from groupkin.structure.decomposition import Structure


@dataclass(frozen=True)
class Diagram:
    """Which groups depend on which.

    Attributes
    ----------
    before : tuple of int
        For every group the set of those it depends on, all of them earlier.
    kinds : tuple
        What must be equal for two groups to be interchangeable.
    """

    before: tuple[int, ...]
    kinds: tuple[Hashable, ...]

    @property
    def size(self) -> int:
        return len(self.before)

    @cached_property
    def after(self) -> tuple[int, ...]:
        """For every group the set of those that depend on it."""
        after = [0] * self.size
        for k, bits in enumerate(self.before):
            for j in members(bits):
                after[j] |= 1 << k
        return tuple(after)

    @cached_property
    def ancestors(self) -> tuple[int, ...]:
        """For every group the set of those that must be solved before it."""
        ancestors: list[int] = []
        for bits in self.before:
            reach = bits
            for j in members(bits):
                reach |= ancestors[j]
            ancestors.append(reach)
        return tuple(ancestors)

    @cached_property
    def levels(self) -> tuple[int, ...]:
        """For every group the earliest stage, from 0, in which it can be solved."""
        levels: list[int] = []
        for bits in self.before:
            levels.append(1 + max((levels[j] for j in members(bits)), default=-1))
        return tuple(levels)

    @cached_property
    def twins(self) -> tuple[tuple[int, ...], ...]:
        """Sets of groups of one kind with the same predecessors and the same followers."""
        twins: dict[Hashable, list[int]] = {}
        for k in range(self.size):
            twins.setdefault((self.before[k], self.after[k], self.kinds[k]), []).append(k)
        return tuple(map(tuple, twins.values()))

    def ready(self, solved: int) -> Iterator[int]:
        """Groups that can be solved next."""
        return (k for k, bits in enumerate(self.before) if not bits & ~solved and not solved >> k & 1)

    def subdiagram(self, groups: Sequence[int]) -> Diagram:
        """The diagram of some groups, in their order."""
        index = {k: n for n, k in enumerate(groups)}
        before = tuple(sum(1 << index[j] for j in members(self.before[k]) if j in index) for k in groups)
        return Diagram(before, tuple(self.kinds[k] for k in groups))

    def as_graph(self, colors: Sequence[int] | None = None) -> nx.DiGraph:
        """The diagram for networkx, with an edge from each group to those that depend on it."""
        graph = nx.DiGraph()
        graph.add_nodes_from((k, {"color": color}) for k, color in enumerate(colors or [0] * self.size))
        graph.add_edges_from((j, k) for k, bits in enumerate(self.before) for j in members(bits))
        return graph


def diagram_of(structure: Structure, kinds: Mapping[int, Hashable] | None = None) -> Diagram:
    """The diagram of a structure.

    Parameters
    ----------
    structure : Structure
    kinds : mapping of int to hashable, optional
        What must be equal for groups to be interchangeable, by number of the group; by default their signatures.
    """
    groups = structure.groups
    before = tuple(sum(1 << (number - 1) for number in group.depends_on) for group in groups)
    return Diagram(before, tuple(group.signature if kinds is None else kinds[group.number] for group in groups))


def members(bits: int) -> list[int]:
    """The groups of a set.

    Examples
    --------
    >>> members(0b1101)
    [0, 2, 3]
    """
    groups = []
    while bits:
        lowest = bits & -bits
        groups.append(lowest.bit_length() - 1)
        bits ^= lowest
    return groups


def bits_of(groups: Iterable[int]) -> int:
    """The set of some groups."""
    return sum(1 << k for k in groups)


def next_stages(diagram: Diagram, solved: int, alike: Sequence[Sequence[int]]) -> Iterator[tuple[int, ...]]:
    """Every stage that can follow a set of solved groups, small ones first.

    Parameters
    ----------
    diagram : Diagram
    solved : int
        The set of solved groups.
    alike : sequence of sequence of int
        Sets of interchangeable groups, of which the first unsolved ones are taken: `Diagram.twins`, or every group by
        itself.
    """
    waiting = [[k for k in twins if not solved >> k & 1] for twins in alike if not diagram.before[twins[0]] & ~solved]
    waiting = [twins for twins in waiting if twins]
    if all(len(twins) == 1 for twins in waiting):
        single = sorted(twins[0] for twins in waiting)
        for size in range(1, len(single) + 1):
            yield from combinations(single, size)
        return
    limits = [len(twins) for twins in waiting]
    for size in range(1, sum(limits) + 1):
        for counts in _counts_with_sum(limits, size):
            yield tuple(sorted(k for twins, count in zip(waiting, counts, strict=True) for k in twins[:count]))


def _counts_with_sum(limits: Sequence[int], total: int) -> Iterator[tuple[int, ...]]:
    """Counts within limits that add up to a total, in descending lexicographic order."""
    if not limits:
        yield ()
        return
    rest = limits[1:]
    for first in range(min(limits[0], total), max(0, total - sum(rest)) - 1, -1):
        for others in _counts_with_sum(rest, total - first):
            yield (first, *others)


# --- symmetry --------------------------------------------------------------------------------


def colors_of(diagram: Diagram, marks: Sequence[Hashable] | None = None) -> tuple[int, ...]:
    """Colors of the groups by color refinement, comparable between diagrams.

    Parameters
    ----------
    diagram : Diagram
    marks : sequence, optional
        What tells groups of one kind apart, one for every group.
    """
    neighbors = [(members(before), members(after)) for before, after in zip(diagram.before, diagram.after, strict=True)]

    def keys(colors: Sequence[int]) -> Keys:
        return [
            (color, *(tuple(sorted([colors[j] for j in groups])) for groups in near))
            for color, near in zip(colors, neighbors, strict=True)
        ]

    kinds = diagram.kinds if marks is None else zip(diagram.kinds, marks, strict=True)
    return tuple(refine([hash(kind) for kind in kinds], keys))


def isomorphic(first: Diagram, second: Diagram, colors: Sequence[int], others: Sequence[int]) -> bool:
    """True if one diagram turns into the other by renaming groups.

    Parameters
    ----------
    first, second : Diagram
    colors, others : sequence of int
        Colors of the groups of the first and of the second diagram (`colors_of`).
    """
    if sorted(colors) != sorted(others):
        return False
    if len(set(colors)) == len(colors):  # only one renaming is possible
        with_color = {color: k for k, color in enumerate(others)}
        image = [with_color[color] for color in colors]
        return all(
            bits_of(image[j] for j in members(bits)) == second.before[image[k]] for k, bits in enumerate(first.before)
        )
    return bool(_matcher(first, second, colors, others).is_isomorphic())


def automorphisms(diagram: Diagram, colors: Sequence[int], limit: int) -> list[tuple[int, ...]] | None:
    """All exchanges of groups that leave the diagram unchanged; None if there are more than the limit."""
    if len(set(colors)) == len(colors):
        return [tuple(range(diagram.size))]
    mappings = list(islice(_matcher(diagram, diagram, colors, colors).isomorphisms_iter(), limit + 1))
    if len(mappings) > limit:
        return None
    return [tuple(mapping[k] for k in range(diagram.size)) for mapping in mappings]


def _matcher(
    first: Diagram, second: Diagram, colors: Sequence[int], others: Sequence[int]
) -> nx.algorithms.isomorphism.DiGraphMatcher:
    graphs = first.as_graph(colors), second.as_graph(others)
    return nx.algorithms.isomorphism.DiGraphMatcher(*graphs, node_match=lambda a, b: a["color"] == b["color"])


# --- parts -----------------------------------------------------------------------------------


def components(diagram: Diagram) -> list[list[int]]:
    """Connected components, each in ascending order."""
    return sorted(map(sorted, nx.weakly_connected_components(diagram.as_graph())))


def sequential_parts(diagram: Diagram, separable: bool = False) -> list[list[int]]:
    """Parts each of which must be solved before the next begins.

    Parameters
    ----------
    diagram : Diagram
    separable : bool
        Cut only where the symmetries of the diagram are those of the parts: groups of one kind before the cut must have
        the same direct followers behind it. Kinds must be refined (`colors_of`).
    """
    n = diagram.size
    common = (1 << n) - 1  # what all groups behind the cut need
    cuts = []
    for k in range(n - 1, 0, -1):
        common &= diagram.ancestors[k]
        ahead = (1 << k) - 1
        if common & ahead == ahead and not (separable and _followers_differ(diagram, k)):
            cuts.append(k)
    ends = [0, *reversed(cuts), n]
    return [list(range(start, stop)) for start, stop in pairwise(ends)]


def _followers_differ(diagram: Diagram, cut: int) -> bool:
    """True if groups of one kind before a cut have different followers behind it."""
    followers: dict[Hashable, int] = {}
    behind = [bits >> cut for bits in diagram.after[:cut]]
    return any(followers.setdefault(diagram.kinds[k], bits) != bits for k, bits in enumerate(behind))
