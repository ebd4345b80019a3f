"""The structural diagram as bits: what routes, their numbers and their costs are computed from.

Groups count from 0 here, group k being number k + 1 of the structure, and a set of groups is an integer whose bit k
says that group k is in it. Groups come after those they depend on.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, islice, pairwise

import networkx as nx

from groupkin.structure.decomposition import Structure


@dataclass(frozen=True)
class Diagram:
    """What depends on what.

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
        found = [0] * self.size
        for k, bits in enumerate(self.before):
            for j in members(bits):
                found[j] |= 1 << k
        return tuple(found)

    @cached_property
    def ancestors(self) -> tuple[int, ...]:
        """For every group the set of those that must be solved before it."""
        found: list[int] = []
        for bits in self.before:
            reach = bits
            for j in members(bits):
                reach |= found[j]
            found.append(reach)
        return tuple(found)

    @cached_property
    def levels(self) -> tuple[int, ...]:
        """For every group the stage, from 0, in which it can be solved at the earliest."""
        found: list[int] = []
        for bits in self.before:
            found.append(1 + max((found[j] for j in members(bits)), default=-1))
        return tuple(found)

    @cached_property
    def twins(self) -> tuple[tuple[int, ...], ...]:
        """Groups of one kind that depend on the same and on which the same depend, together; in order."""
        found: dict[Hashable, list[int]] = {}
        for k in range(self.size):
            found.setdefault((self.before[k], self.after[k], self.kinds[k]), []).append(k)
        return tuple(tuple(alike) for alike in found.values())

    def ready(self, solved: int) -> Iterator[int]:
        """Groups that can be solved next."""
        return (k for k, bits in enumerate(self.before) if not bits & ~solved and not solved >> k & 1)

    def part(self, chosen: Sequence[int]) -> Diagram:
        """The diagram of some of the groups, given in order."""
        place = {k: p for p, k in enumerate(chosen)}
        before = tuple(sum(1 << place[j] for j in members(self.before[k]) if j in place) for k in chosen)
        return Diagram(before, tuple(self.kinds[k] for k in chosen))


def diagram_of(structure: Structure, kinds: Mapping[int, Hashable] | None = None) -> Diagram:
    """The diagram of a structure; groups of one signature are of one kind unless `kinds`, by number, says otherwise."""
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
    found = []
    while bits:
        low = bits & -bits
        found.append(low.bit_length() - 1)
        bits ^= low
    return found


def bits_of(groups: Iterable[int]) -> int:
    """The set of some groups."""
    return sum(1 << k for k in groups)


def stages_from(diagram: Diagram, solved: int, alike: Sequence[Sequence[int]]) -> Iterator[tuple[int, ...]]:
    """Every stage that can follow a set of solved groups, small ones first.

    Parameters
    ----------
    alike : sequence of sequence of int
        Groups of which the first ones that are not solved are taken (`Diagram.twins`, or every group by itself).
    """
    waiting = [[k for k in those if not solved >> k & 1] for those in alike if not diagram.before[those[0]] & ~solved]
    waiting = [those for those in waiting if those]
    if all(len(those) == 1 for those in waiting):
        single = sorted(those[0] for those in waiting)
        for size in range(1, len(single) + 1):
            yield from combinations(single, size)
        return
    limits = [len(those) for those in waiting]
    for size in range(1, sum(limits) + 1):
        for counts in _vectors(limits, size):
            yield tuple(sorted(k for those, n in zip(waiting, counts, strict=True) for k in those[:n]))


def _vectors(limits: Sequence[int], total: int) -> Iterator[tuple[int, ...]]:
    """Vectors of counts within the limits that sum up to a total, large first entries first."""
    if not limits:
        yield ()
        return
    rest = limits[1:]
    room = sum(rest)
    for first in range(min(limits[0], total), max(0, total - room) - 1, -1):
        for others in _vectors(rest, total - first):
            yield (first, *others)


# --- symmetry --------------------------------------------------------------------------------


def refined(diagram: Diagram, marks: Sequence[Hashable] | None = None) -> tuple[int, ...]:
    """Colors of the groups, refined by those of their neighbors until no more of them can be told apart.

    Colors mean the same in every diagram, so groups of equal diagrams can be compared.
    """
    before, after = [members(bits) for bits in diagram.before], [members(bits) for bits in diagram.after]
    own = diagram.kinds if marks is None else list(zip(diagram.kinds, marks, strict=True))
    colors, kinds = [hash(kind) for kind in own], 0
    while len(set(colors)) > kinds:
        kinds = len(set(colors))
        seen = [[tuple(sorted([colors[j] for j in near[k]])) for near in (before, after)] for k in range(diagram.size)]
        colors = [hash((color, *near)) for color, near in zip(colors, seen, strict=True)]
    return tuple(colors)


def same(first: Diagram, second: Diagram, here: Sequence[int], there: Sequence[int]) -> bool:
    """Whether one diagram turns into the other by renaming, given their refined colors."""
    if sorted(here) != sorted(there):
        return False
    if len(set(here)) == len(here):
        place = {color: k for k, color in enumerate(there)}
        image = [place[color] for color in here]
        return all(
            bits_of(image[j] for j in members(bits)) == second.before[image[k]] for k, bits in enumerate(first.before)
        )
    return bool(_matcher(first, second, here, there).is_isomorphic())


def automorphisms(diagram: Diagram, colors: Sequence[int], limit: int) -> list[tuple[int, ...]] | None:
    """All ways to exchange groups that change nothing, or nothing if there are more than a limit."""
    if len(set(colors)) == len(colors):
        return [tuple(range(diagram.size))]
    found = list(islice(_matcher(diagram, diagram, colors, colors).isomorphisms_iter(), limit + 1))
    if len(found) > limit:
        return None
    return [tuple(mapping[k] for k in range(diagram.size)) for mapping in found]


def _matcher(
    first: Diagram, second: Diagram, here: Sequence[int], there: Sequence[int]
) -> nx.algorithms.isomorphism.DiGraphMatcher:
    graphs = [_graph(first, here), _graph(second, there)]
    return nx.algorithms.isomorphism.DiGraphMatcher(*graphs, node_match=lambda a, b: a["color"] == b["color"])


def _graph(diagram: Diagram, colors: Sequence[int]) -> nx.DiGraph:
    graph = nx.DiGraph()
    graph.add_nodes_from((k, {"color": color}) for k, color in enumerate(colors))
    graph.add_edges_from((j, k) for k, bits in enumerate(diagram.before) for j in members(bits))
    return graph


# --- parts -----------------------------------------------------------------------------------


def components(diagram: Diagram) -> list[list[int]]:
    """Groups that have to do with each other together, each of these in order."""
    root = list(range(diagram.size))
    for k, bits in enumerate(diagram.before):
        joined = {root[j] for j in members(bits)}
        if joined:
            root = [k if r in joined else r for r in root]
    found: dict[int, list[int]] = {}
    for k, r in enumerate(root):
        found.setdefault(r, []).append(k)
    return list(found.values())


def in_sequence(diagram: Diagram, separable: bool = False) -> list[list[int]]:
    """Parts each of which must be solved before the next begins.

    Parameters
    ----------
    separable : bool
        Cut only where the symmetries of the diagram are those of the parts: groups of one kind before the cut must have
        the same direct followers behind it. Kinds must be refined (`refined`).
    """
    n = diagram.size
    common = (1 << n) - 1  # what all groups behind the cut need
    cuts = []
    for k in range(n - 1, 0, -1):
        common &= diagram.ancestors[k]
        ahead = (1 << k) - 1
        if common & ahead == ahead and not (separable and _told_apart(diagram, k)):
            cuts.append(k)
    ends = [0, *reversed(cuts), n]
    return [list(range(a, b)) for a, b in pairwise(ends)]


def _told_apart(diagram: Diagram, cut: int) -> bool:
    """Whether groups of one kind before a cut have different followers behind it."""
    followers: dict[Hashable, int] = {}
    behind = [bits >> cut for bits in diagram.after[:cut]]
    return any(followers.setdefault(diagram.kinds[k], bits) != bits for k, bits in enumerate(behind))
