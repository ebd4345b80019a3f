"""All planar kinematic chains of revolute joints with a number of links and a mobility, each once.

Without its binary links a chain is a multigraph of links with three joints or more, on whose edges the binary links
are strung. These contracted graphs come first: the cubic ones, made from the theta graph by adding ears (Whitney
1932), and all others, made from these by contracting edges. Then come all ways to put binary links on the edges that
symmetries of the graph do not turn into each other.

A chain is listed if no part of it is rigid and if no single link or joint holds it together. With Grübler's count,
any k of its links have e' ≤ (3 (k - 1) - 1) / 2 joints; since a string of b binary links adds b links and b + 1 joints,
it suffices to examine sets of links that are not binary, with the weights max(2 - b, 0) of the strings between them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations, combinations_with_replacement, pairwise

import networkx as nx
import numpy as np
from numpy.typing import NDArray

from groupkin.arguments import Count, check_fields, checked
from groupkin.errors import MechanismError, shown
from groupkin.mechanism.laws.laws import Ramp
from groupkin.mechanism.mechanism import Driver, Joint, Mechanism
from groupkin.structure.signature import GroupGraph, signature

Edges = tuple[tuple[int, int], ...]
"""Edges of a graph with nodes 0, 1, …, sorted; parallel ones are repeated."""

Rows = NDArray[np.int64]

ASIDE = 0.03
"""How far joints of a sketch are beside where its layout has them, at most; the sketch is about 2 wide."""

MOST_LINKS, MOST_LOOPS = 16, 6
"""Links and loops of chains at most; there are hundreds of thousands of these, and for each more tries in memory."""


@dataclass(frozen=True)
class Chain:
    """A kinematic chain of revolute joints.

    Attributes
    ----------
    number : int
        Its place among the chains with as many links and the same mobility, from 1.
    links : int
    joints : tuple of (int, int)
        The two links of every joint, the lower number first; links are numbered from 1, in `generate_chains` those
        with most joints first.
    """

    number: int
    links: Count
    joints: Edges

    def __post_init__(self) -> None:
        check_fields(self, MechanismError)
        object.__setattr__(self, "joints", tuple([tuple(map(int, pair)) for pair in self.joints]))
        if any(len(pair) != 2 for pair in self.joints):
            raise MechanismError(f"chain {self.number}: joints are pairs of numbers of links, such as (1, 2)")
        unconnected = f"chain {self.number}: joints do not connect all of its {self.links} links"
        if not self.joints or self.links > len(self.joints) + 1:
            raise MechanismError(unconnected)
        near: dict[int, set[int]] = {link: set() for link in range(1, self.links + 1)}
        for a, b in self.joints:
            if not 1 <= a < b <= self.links or b in near[a]:
                raise MechanismError(
                    f"chain {self.number}: joint {a}-{b} joins no two links that are numbered from 1 to {self.links} "
                    "and named in order, or these have two joints"
                )
            near[a].add(b)
            near[b].add(a)
        reached = [1]
        for link in reached:
            reached += near[link].difference(reached)
        if len(reached) < self.links:
            raise MechanismError(unconnected)

    @property
    def mobility(self) -> int:
        """Degrees of freedom of the chain when one link is the frame, by Grübler's count."""
        return 3 * (self.links - 1) - 2 * len(self.joints)

    @cached_property
    def assortment(self) -> dict[int, int]:
        """How many links have 2, 3, … joints.

        Examples
        --------
        >>> [chain.assortment for chain in generate_chains(6)]
        [{2: 4, 3: 2}, {2: 4, 3: 2}]
        """
        return dict(sorted(Counter(Counter(link for joint in self.joints for link in joint).values()).items()))

    @cached_property
    def symmetries(self) -> list[tuple[int, ...]]:
        """All ways to renumber the links, counted from 0, that change no joint: for every link its new number."""
        return automorphisms(tuple((a - 1, b - 1) for a, b in self.joints))

    @cached_property
    def frames(self) -> list[int]:
        """Links that make different linkages as the frame: one of those that symmetries turn into each other.

        Examples
        --------
        >>> [chain.frames for chain in generate_chains(6)]
        [[1, 3], [1, 3, 5]]
        """
        return sorted({1 + min(image[link] for image in self.symmetries) for link in range(self.links)})

    @cached_property
    def places(self) -> tuple[tuple[float, float], ...]:
        """Where the joints are in a sketch, m: those of a link are near each other (Kamada and Kawai, 1989)."""
        graph = nx.Graph()
        graph.add_nodes_from(range(len(self.joints)))
        pairs = combinations(range(len(self.joints)), 2)
        graph.add_edges_from((i, k) for i, k in pairs if set(self.joints[i]) & set(self.joints[k]))
        found = nx.kamada_kawai_layout(graph)
        # a little aside, as special dimensions might lock the linkage, or let it move more freely
        aside = np.random.default_rng(0).uniform(-ASIDE, ASIDE, (len(found), 2))
        return tuple((float(x), float(y)) for x, y in np.array([found[k] for k in sorted(found)]) + aside)

    @checked
    def linkage(self, frame: Count = 1, driven: Sequence[str] = (), placed: bool = False) -> Mechanism:
        """The chain as a mechanism, on a frame and with some driven joints.

        Bodies are named by the numbers of the links, joints "a-b". Without geometry, or, if `placed`, with the joints
        where a sketch shows them, and drivers that turn by 1 rad/s.

        Raises
        ------
        MechanismError
            If there is no such link or joint.
        """
        if frame > self.links:
            raise MechanismError(f"the frame is one of links 1 to {self.links}, not {shown(frame)}")
        at = self.places if placed else [None] * len(self.joints)
        joints = [
            Joint(f"{a}-{b}", "R", (str(a), str(b)), point=point) for (a, b), point in zip(self.joints, at, strict=True)
        ]
        links = [str(link) for link in range(1, self.links + 1)]
        name = f"chain {self.number} of {self.links} bars"
        drivers = [Driver(joint, Ramp(1.0) if placed else None) for joint in driven]
        return Mechanism(2, links, joints, drivers, frame=str(frame), name=name)


@checked
def generate_chains(bars: Count, mobility: Count = 1) -> Iterator[Chain]:
    """All planar kinematic chains of revolute joints, one of those that differ only by the numbers of their links.

    Parameters
    ----------
    bars : int
        Number of links, the frame included.
    mobility : int
        Degrees of freedom of the chain when one link is the frame.

    Yields
    ------
    Chain
        Without rigid parts, and not held together by a single link or joint; those with most ternary links first.

    Raises
    ------
    MechanismError
        If there are no such chains, or they have more than 16 links or 6 loops.

    Examples
    --------
    >>> [sum(1 for _ in generate_chains(bars)) for bars in (4, 6, 8)]
    [1, 2, 16]
    """
    loops, odd = divmod(bars - 1 - mobility, 2)
    if odd or loops < 1:
        raise MechanismError(
            f"no closed chain of revolute joints with {bars} links has mobility {mobility}: "
            f"it has {mobility + 3}, {mobility + 5}, {mobility + 7}, … links"
        )
    if loops > MOST_LOOPS or bars > MOST_LINKS:
        raise MechanismError(
            f"chains of {bars} links with mobility {mobility} have {loops} loops; "
            f"they are listed up to {MOST_LINKS} links and {MOST_LOOPS} loops"
        )
    return _numbered(loops, bars, mobility)


def _numbered(loops: int, bars: int, mobility: int) -> Iterator[Chain]:
    strung = (edges for graph in _contracted(loops) for edges in _strung(graph, bars, mobility))
    found = strung if loops > 1 else [tuple(pairwise([*range(bars), 0]))]
    for number, edges in enumerate(found, 1):
        yield Chain(number, bars, _by_joints(edges))


def _by_joints(edges: Edges) -> Edges:
    """Renumber links from 1, those with most joints first, and sort the joints."""
    joints = Counter(link for edge in edges for link in edge)
    place = {link: k for k, link in enumerate(sorted(joints, key=lambda link: (-joints[link], link)), 1)}
    return _sorted((place[a], place[b]) for a, b in edges)


def _sorted(edges: Iterator[tuple[int, int]]) -> Edges:
    return tuple(sorted([(min(edge), max(edge)) for edge in edges]))


# --- contracted graphs -----------------------------------------------------------------------


def _contracted(loops: int) -> Iterator[Edges]:
    """Multigraphs with this many loops, three or more edges at every node, and no node that holds them together."""
    graphs = _cubic(loops)
    while graphs:
        yield from graphs
        merged = {_canonical(_merge(graph, pair)) for graph in graphs for pair, n in Counter(graph).items() if n == 1}
        graphs = sorted(graph for graph in merged if nx.is_biconnected(nx.Graph(graph)))


def _cubic(loops: int) -> list[Edges]:
    """Those with three edges at every node: the last ear of an ear decomposition is a single edge."""
    if loops == 2:
        return [((0, 1),) * 3]
    found = set()
    for graph in _cubic(loops - 1):
        nodes = 2 * (loops - 2)
        for second, other in enumerate(graph):
            for first, edge in enumerate(graph[: second + 1]):
                kept = [each for k, each in enumerate(graph) if k not in (first, second)]
                a, b = nodes, nodes + 1
                path = [(edge[0], a), (a, b), (b, edge[1])]
                split = [(edge[0], a), (a, edge[1]), (other[0], b), (b, other[1])]
                found.add(_canonical([*kept, (a, b), *(path if first == second else split)]))
    return sorted(found)


def _merge(graph: Edges, pair: tuple[int, int]) -> list[tuple[int, int]]:
    """Contract the single edge between two nodes."""
    keep, drop = pair
    place = [keep if node == drop else node - (node > drop) for node in range(1 + max(map(max, graph)))]
    return [(place[a], place[b]) for a, b in graph if (a, b) != pair]


def _canonical(edges: Sequence[tuple[int, int]]) -> Edges:
    """The same edges for all graphs that differ only by the numbers of their nodes."""
    order = signature(GroupGraph(2, 1 + max(map(max, edges)), tuple((a, b, "R") for a, b in edges)))[1]
    place = {node: k for k, node in enumerate(order)}
    return _sorted((place[a], place[b]) for a, b in edges)


def automorphisms(edges: Edges) -> list[tuple[int, ...]]:
    """All ways to renumber the nodes of a graph that change no edge: for every node its new number.

    Examples
    --------
    >>> automorphisms(((0, 1), (0, 1), (1, 2)))
    [(0, 1, 2)]
    """
    nodes, count = range(1 + max(map(max, edges))), Counter(edges)
    matrix = [[count[min(a, b), max(a, b)] for b in nodes] for a in nodes]
    kind = [sorted(row) for row in matrix]
    images: list[tuple[int, ...]] = [()]
    for node in nodes:
        images = [
            (*image, other)
            for image in images
            for other in nodes
            if other not in image
            and kind[other] == kind[node]
            and all(matrix[other][image[k]] == matrix[node][k] for k in range(node))
        ]
    return images


# --- binary links on the edges of a contracted graph -------------------------------------------


def _strung(graph: Edges, bars: int, mobility: int) -> Iterator[Edges]:
    """All chains that lead to a contracted graph, one of those that its symmetries turn into each other."""
    count, nodes = Counter(graph), 1 + max(map(max, graph))
    pairs = list(count)
    options = [list(combinations_with_replacement(range(mobility + 2), n)) for n in count.values()]
    rows = _movable(pairs, options, nodes, bars - nodes)
    for row in rows[_first(rows, graph, pairs, [len(each) for each in options])]:
        edges: list[tuple[int, int]] = []
        fresh = nodes
        for (a, b), k, strings in zip(pairs, row, options, strict=True):
            for binary in strings[k]:
                edges += pairwise([a, *range(fresh, fresh + binary), b])
                fresh += binary
        yield tuple(edges)


def _movable(pairs: Sequence[tuple[int, int]], options: Sequence[list[tuple[int, ...]]], nodes: int, left: int) -> Rows:
    """Choices among the options of every pair with `left` binary links in all and no rigid part.

    Returns
    -------
    (choices, pairs) array
    """
    sets = np.array([s for s in range(1 << nodes) if s.bit_count() > 1])
    room = np.array([[3 * int(s).bit_count() - 4 for s in sets]], np.int8)
    rows, rest = np.zeros((1, 0), np.int64), np.array([left])
    most = np.cumsum([0, *(sum(each[-1]) for each in reversed(options))])[::-1]
    for (a, b), strings, later in zip(pairs, options, most[1:], strict=True):
        inside = (sets >> a & sets >> b & 1).astype(np.int8)
        weights = np.array([sum(max(2 - binary, 0) for binary in each) for each in strings], np.int8)
        after = rest[:, None] - [sum(each) for each in strings]
        row, option = np.nonzero((after >= 0) & (after <= later))
        spare = room[row] - weights[option, None] * inside
        sound = (spare >= 0).all(axis=1)
        row, option, room = row[sound], option[sound], spare[sound]
        rows, rest = np.column_stack([rows[row], option]), after[row, option]
    return rows


def _first(rows: Rows, graph: Edges, pairs: Sequence[tuple[int, int]], radices: Sequence[int]) -> NDArray[np.bool_]:
    """Which choices are the least, as numbers with these radices, among those that symmetries turn them into."""
    worth = np.cumprod([1, *radices[:0:-1]])[::-1]
    place = {pair: k for k, pair in enumerate(pairs)}
    first = np.ones(len(rows), np.bool_)
    for image in automorphisms(graph):
        moved = [place[min(image[a], image[b]), max(image[a], image[b])] for a, b in pairs]
        first &= rows @ worth <= rows[:, moved] @ worth
    return first
