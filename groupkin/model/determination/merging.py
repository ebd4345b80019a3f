"""Which groups of an over-constrained mechanism are to be solved together, and the solving order of what results.

Where a group has more rows than its unknowns need, combinations of them are left that only what is before it can
violate. If they feel the unknowns of an earlier group, these must be solved with them: alone that group would be a
fixed choice of rows, and singular somewhere although the mechanism is not.
"""

from __future__ import annotations

from collections.abc import Sequence

import networkx as nx
import numpy as np

from groupkin.model.determination.finite_motion import Cluster
from groupkin.model.determination.positions import Position
from groupkin.model.determination.rank_sets import Sets
from groupkin.model.rank.mobility import twists
from groupkin.model.tree_making import LOOSE, spanning
from groupkin.tolerances import FELT
from sglibrary.array_types import Array, Ints


def dependencies(sets: Sets, groups: Sequence[set[int]]) -> nx.DiGraph:
    """Which groups, by number, depend on which: edges lead to the later ones.

    Parameters
    ----------
    sets : Sets
    groups : sequence of set of int
        In solving order.
    """
    of_body = {body: g for g, bodies in enumerate(groups) for body in bodies}
    graph = nx.DiGraph()
    graph.add_nodes_from(range(len(groups)))
    for ends in sets.ends:
        touched = {of_body[body] for body in ends}
        graph.add_edges_from((g, max(touched)) for g in touched if g < max(touched))
    return graph


def merge(
    graph: nx.DiGraph, cluster: Cluster, positions: Sequence[Position], sets: Sets, groups: Sequence[set[int]]
) -> None:
    """Let groups that are to be solved together depend on each other.

    Parameters
    ----------
    graph : DiGraph
        Of `dependencies`; edges are added.
    cluster : Cluster
        All of the mechanism.
    positions : sequence of Position
        With the rows of drivers.
    sets : Sets
        Of one of them.
    groups : sequence of set of int
        In solving order.
    """
    of_body = {body: g for g, bodies in enumerate(groups) for body in bodies}
    late = np.array([max((of_body[body] for body in ends), default=-1) for ends in sets.ends], int)[sets.blocks]
    for position in positions:
        matrix, of_unknown = _by_moves(cluster, position, groups)
        for later in range(len(groups)):
            own = late == later
            left = _left_over(matrix[own][:, of_unknown == later], position.zero)
            felt = np.abs(left.T @ matrix[own]).max(axis=0, initial=0.0) > max(FELT, 10.0 * position.zero)
            graph.add_edges_from((later, g) for g in {*of_unknown[felt].tolist()} - {later})


def _left_over(matrix: Array, zero: float) -> Array:
    """Orthonormal combinations (rows, k) of rows that vanish."""
    if not matrix.shape[1]:
        return np.eye(matrix.shape[0])
    left, values, _ = np.linalg.svd(matrix)
    return np.asarray(left[:, int((values > zero * values.max(initial=1.0)).sum()) :])


def _by_moves(cluster: Cluster, position: Position, groups: Sequence[set[int]]) -> tuple[Array, Ints]:
    """All rows by the undriven moves of the groups' trees, and the group of each move."""
    mechanism, width, size = cluster.mechanism, cluster.width, cluster.geometry.size
    names, of_unknown = mechanism.movable, list[int]()
    moving: dict[str, dict[int, Array]] = {mechanism.frame: {}}  # of a body: its twist for each unknown
    for g, bodies in enumerate(groups):
        own = tuple(names[k] for k in sorted(bodies))
        known = {*own} | {*moving}
        joints = [j for j in mechanism.joints if known.issuperset(j.bodies) and not {*own}.isdisjoint(j.bodies)]
        for name, body in spanning(mechanism, joints, own):
            first = len(of_unknown)
            if name == LOOSE:
                of_unknown += [g] * width
                moving[body] = {first + k: unit for k, unit in enumerate(np.eye(width))}
                continue
            joint = mechanism.joint[name]
            sign = 1.0 if joint.bodies[1] == body else -1.0
            allowed = sign * twists(mechanism, joint, position.joints[name], size)
            free = [k for k in range(allowed.shape[1]) if k not in mechanism.driven.get(name, ())]
            of_unknown += [g] * len(free)
            before = moving[joint.bodies[1 - joint.bodies.index(body)]]
            moving[body] = before | {first + i: allowed[:, k] for i, k in enumerate(free)}
    columns = np.zeros((width * len(names), len(of_unknown)))
    for k, body in enumerate(names):
        for unknown, twist in moving[body].items():
            columns[width * k : width * (k + 1), unknown] = twist
    from scipy.sparse import csr_matrix  # most rows are those of two bodies

    return np.asarray(csr_matrix(position.matrix) @ columns), np.array(of_unknown, np.int64)


def in_order(graph: nx.DiGraph, groups: Sequence[set[int]]) -> tuple[list[tuple[int, ...]], list[tuple[int, ...]]]:
    """Join groups that depend on each other, and put all in solving order.

    Of those whose predecessors are solved the one with the fewest bodies comes first, then as declared.

    Returns
    -------
    list of tuple of int
        Bodies of every group.
    list of tuple of int
        The groups that it depends on.
    """
    joined = nx.condensation(graph)
    bodies = {k: tuple(sorted(set().union(*(groups[g] for g in joined.nodes[k]["members"])))) for k in joined}
    order = list(nx.lexicographical_topological_sort(joined, key=lambda k: (len(bodies[k]), bodies[k])))
    place = {k: number for number, k in enumerate(order)}
    return [bodies[k] for k in order], [tuple(sorted(place[n] for n in joined.predecessors(k))) for k in order]
