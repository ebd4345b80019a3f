"""Symmetries of a mechanism's graph: ways to exchange bodies and joints that change nothing.

Bodies and joints are the nodes of a graph; a symmetry maps it onto itself, keeps the frame in place and the color of
every joint. All symmetries follow from a few, the generators: for one node after another, those that move it and leave
all nodes before it where they are, one for every node that they can move it to. Two choices are equivalent if a chain
of generators leads from one to the other, so that the symmetries, of which there may be very many, need not be listed.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence

import networkx as nx

from groupkin.structure.color_refinement import Keys, refine
from groupkin.structure.counting import Counts

Node = tuple[str, int]
"""A body or a joint with its number; body -1 is the frame."""

Permutation = tuple[int, ...]
"""For every joint the one that it is moved to."""


def symmetries(counts: Counts, colors: Sequence[Hashable]) -> list[Permutation]:
    """Generators of the symmetries of a mechanism, as permutations of its joints.

    Parameters
    ----------
    counts : Counts
        Bodies and the ends of the joints.
    colors : sequence, one for every joint
        What a symmetry keeps: the type of a joint, and how it may be driven. Which of its bodies comes first does not
        matter.
    """
    graph = nx.Graph()
    start: dict[Node, Hashable] = {("body", body): "body" for body in range(-1, counts.bodies)}
    graph.add_nodes_from(start)
    for joint, (a, b) in enumerate(counts.ends.tolist()):
        start["joint", joint] = repr(colors[joint])
        graph.add_edges_from([(("body", a), ("joint", joint)), (("body", b), ("joint", joint))])
    fixed: list[Node] = [("body", -1)]
    generators: list[dict[Node, Node]] = []
    while True:
        cells = _cells(_refined(graph, start, fixed))
        cell = next((nodes for nodes in cells if len(nodes) > 1), None)
        if cell is None:
            break
        first = cell[0]
        colors_of_first, reached = _refined(graph, start, [*fixed, first]), {first}
        for other in cell[1:]:
            if other not in reached:
                mapping = _mapping(graph, colors_of_first, _refined(graph, start, [*fixed, other]))
                if mapping:
                    generators.append(mapping)
                    reached = _orbit(first, [m for m in generators if all(m[node] == node for node in fixed)])
        fixed.append(first)
    return [tuple(mapping["joint", k][1] for k in range(len(colors))) for mapping in generators]


def _refined(graph: nx.Graph, start: Mapping[Node, Hashable], fixed: Sequence[Node]) -> dict[Node, int]:
    """Colors of the nodes, refined by those of their neighbors until no more of them can be told apart.

    Colors are made of what is seen, so that they mean the same whichever nodes are fixed.
    """
    nodes, marks = list(start), {node: mark for mark, node in enumerate(fixed)}

    def keys(colors: Sequence[int]) -> Keys:
        at = dict(zip(nodes, colors, strict=True))
        return [(at[node], tuple(sorted([at[near] for near in graph.adj[node]]))) for node in nodes]

    colors = refine([hash((start[node], marks.get(node, -1))) for node in nodes], keys)
    return dict(zip(nodes, colors, strict=True))


def _cells(colors: Mapping[Node, int]) -> list[list[Node]]:
    """Collect the nodes of each color."""
    cells: dict[int, list[Node]] = {}
    for node, color in colors.items():
        cells.setdefault(color, []).append(node)
    return list(cells.values())


def _mapping(graph: nx.Graph, first: Mapping[Node, int], second: Mapping[Node, int]) -> dict[Node, Node] | None:
    """A symmetry that takes the first colors into the second; None if there is none."""
    if sorted(first.values()) != sorted(second.values()):
        return None
    if len(set(first.values())) == len(first):  # all nodes are told apart, so only one mapping is possible
        node_of = {color: node for node, color in second.items()}
        mapping = {node: node_of[color] for node, color in first.items()}
        return mapping if all(graph.has_edge(mapping[a], mapping[b]) for a, b in graph.edges) else None
    graphs = graph.copy(), graph.copy()
    for colored, colors in zip(graphs, (first, second), strict=True):
        nx.set_node_attributes(colored, colors, "color")
    return nx.vf2pp_isomorphism(*graphs, node_label="color")


def _orbit(node: Node, mappings: Sequence[Mapping[Node, Node]]) -> set[Node]:
    """All nodes that chains of mappings lead to from a node."""
    reached, waiting = {node}, [node]
    for current in waiting:
        for mapping in mappings:
            if mapping[current] not in reached:
                reached.add(mapping[current])
                waiting.append(mapping[current])
    return reached


def orbits(choices: Iterable[tuple[int, ...]], generators: Sequence[Permutation]) -> list[list[tuple[int, ...]]]:
    """Group choices (one number for every joint) that symmetries turn into each other.

    Examples
    --------
    >>> orbits([(1, 0, 0), (0, 1, 0), (0, 0, 1)], [(1, 0, 2)])
    [[(1, 0, 0), (0, 1, 0)], [(0, 0, 1)]]
    """
    left = dict.fromkeys(choices)
    inverses = [sorted(range(len(images)), key=images.__getitem__) for images in generators]
    classes = []
    while left:
        first = next(iter(left))
        del left[first]
        together = [first]
        for choice in together:
            for source in inverses:
                image = tuple([choice[k] for k in source])
                if image in left:
                    del left[image]
                    together.append(image)
        classes.append(together)
    return classes
