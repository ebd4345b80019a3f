"""Equations of joints shared out among bodies by a maximum flow, and which of them are too many or lacking.

A joint of freedom k, w of which are driven, gives e = B - k + w equations; every movable body takes B of them, with
B = 3 in the plane and 6 in space (Eq. (3) of Celdran, Saura and Dopico 2022). Each joint gives its equations to its
two bodies, or to the movable one if the other is the frame.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

import networkx as nx
import numpy as np
from numpy.typing import NDArray

from groupkin.mechanism.mechanism import Mechanism
from groupkin.mechanism.pairs import EQUATIONS_PER_BODY, freedoms

Ints = NDArray[np.int32]


@dataclass(frozen=True)
class Counts:
    """The integers that structural analysis works on.

    Attributes
    ----------
    need : int
        Equations that each movable body takes.
    bodies : int
        Number of movable bodies, numbered from 0 in order of declaration.
    ends : (joints, 2) array
        The two bodies of every joint; -1 is the frame.
    equations : (joints,) array
        Number of equations of every joint.
    nodes : int
        How many of the bodies, the last ones, are nodes of couplings.

    Notes
    -----
    A coupling of one or two bodies counts as a joint of one equation. One of more bodies has a node: it takes as many
    equations as a body, and gets one from each of the bodies and the others from the frame; so it is left with one,
    which any of the bodies may take. Its rows follow those of the joints.
    """

    need: int
    bodies: int
    ends: Ints
    equations: Ints
    nodes: int = 0

    @property
    def movable(self) -> int:
        """Number of bodies that are no nodes."""
        return self.bodies - self.nodes


@dataclass(frozen=True)
class Shares:
    """An assignment of equations.

    Attributes
    ----------
    given : (joints, 2) array
        Equations that every joint gives to its first and to its second body.
    excess : (joints,) array
        Equations of every joint that no body takes.
    lack : (bodies,) array
        Equations that every body lacks.
    """

    given: Ints
    excess: Ints
    lack: Ints

    @property
    def complete(self) -> bool:
        return not self.excess.any() and not self.lack.any()


def count(mechanism: Mechanism) -> Counts:
    """Count the equations of all joints of a mechanism."""
    movable = len(mechanism.movable)
    number = {name: index for index, name in enumerate(mechanism.movable)} | {mechanism.frame: -1}
    need = EQUATIONS_PER_BODY[mechanism.dimension]
    ends = [number[body] for joint in mechanism.joints for body in joint.bodies]
    types = [joint.type for joint in mechanism.joints]
    of_type = {symbol: need - len(freedoms(symbol, mechanism.dimension)) for symbol in set(types)}
    driven = {name: len(drivers) for name, drivers in mechanism.driven.items()}
    equations = [of_type[symbol] + driven.get(name, 0) for symbol, name in zip(types, mechanism.joint, strict=True)]
    nodes = 0
    for relation in mechanism.relations.values():
        touched = [number[body] for body in relation.bodies if number[body] >= 0]
        of_coupling, taken, added = _coupled(touched, need, movable + nodes)
        ends, equations, nodes = ends + of_coupling, equations + taken, nodes + added
    return Counts(need, movable + nodes, np.array(ends, np.int32).reshape(-1, 2), np.array(equations, np.int32), nodes)


def _coupled(bodies: list[int], need: int, node: int) -> tuple[list[int], list[int], int]:
    """Make the rows of a coupling of some bodies: their ends in turn, equations, and how many nodes it has from `node`.

    A node gets at most `need` equations from bodies; what it is left with is one of those of the next.
    """
    if len(bodies) <= 2:
        return [bodies[0], bodies[1] if len(bodies) > 1 else -1], [1], 0
    ends, first = [], node
    while bodies:
        chosen = bodies[: need + 1] if len(bodies) <= need + 1 else bodies[:need]
        bodies = bodies[len(chosen) :]
        if bodies:
            bodies.insert(0, node)
        ends.append((chosen, node))
        node += 1
    rows = [(body, at) for chosen, at in ends for body in chosen]
    rest = [need + 1 - len(chosen) for chosen, _ in ends]
    # what the last one lacks comes from the frame; the others get one for the next of the bodies that follow
    frame = [(-1, at) for _, at in ends]
    given = [count - (1 if at < node - 1 else 0) for count, (_, at) in zip(rest, ends, strict=True)]
    return list(chain(*rows, *frame)), [1] * len(rows) + given, node - first


def share(counts: Counts) -> Shares:
    """Share out as many equations as possible among the bodies (Dinic's maximum flow)."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import maximum_flow

    joints, bodies = len(counts.equations), counts.bodies
    first_body, sink = joints + 1, joints + bodies + 1
    side = np.argwhere(counts.ends >= 0)
    tails = np.concatenate([np.zeros(joints, int), side[:, 0] + 1, np.arange(first_body, sink)])
    heads = np.concatenate(
        [np.arange(1, joints + 1), counts.ends[side[:, 0], side[:, 1]] + first_body, np.full(bodies, sink)]
    )
    capacity = np.concatenate([counts.equations, counts.equations[side[:, 0]], np.full(bodies, counts.need)])
    graph = coo_array((capacity.astype(np.int32), (tails, heads)), shape=(sink + 1, sink + 1)).tocsr()
    flow = maximum_flow(graph, 0, sink).flow.tocsr()
    given = np.zeros((joints, 2), np.int32)
    given[side[:, 0], side[:, 1]] = _entries(flow, tails[joints : -bodies or None], heads[joints : -bodies or None])
    taken = np.zeros(bodies, np.int32)
    np.add.at(taken, counts.ends[side[:, 0], side[:, 1]], given[side[:, 0], side[:, 1]])
    return Shares(given, counts.equations - given.sum(axis=1, dtype=np.int32), counts.need - taken)


def _entries(matrix: object, rows: Ints, columns: Ints) -> Ints:
    if not len(rows):  # an empty selection of a sparse array stays sparse
        return np.zeros(0, np.int32)
    return np.asarray(matrix[rows, columns], np.int32).reshape(-1)  # type: ignore[index]


def over_driven(counts: Counts, shares: Shares) -> list[int]:
    """Bodies in over-driven parts, which have too many equations.

    They are reached from joints with an excess, and on through every joint that gives to the same bodies (the
    over-determined part of Dulmage and Mendelsohn 1958).
    """
    excess = np.flatnonzero(shares.excess)
    return _reached(counts, shares.given > 0, [body for body in counts.ends[excess].ravel().tolist() if body >= 0])


def under_driven(counts: Counts, shares: Shares) -> list[int]:
    """Bodies in under-driven parts: those that lack equations, and those that could pass theirs on to them."""
    return _reached(counts, shares.given[:, ::-1] > 0, np.flatnonzero(shares.lack).tolist())


def _reached(counts: Counts, passable: NDArray[np.bool_], waiting: list[int]) -> list[int]:
    """Bodies reached from those that wait, through joints (joints, 2) that are passable from that side."""
    incident, ends, bodies = incidence(counts), counts.ends.tolist(), set(waiting)
    while waiting:
        body = waiting.pop()
        for joint in incident[body]:
            side = ends[joint].index(body)
            other = ends[joint][1 - side]
            if passable[joint, side] and other >= 0 and other not in bodies:
                bodies.add(other)
                waiting.append(other)
    return sorted(bodies)


def incidence(counts: Counts) -> list[list[int]]:
    """The joints of every body, by number."""
    incident: list[list[int]] = [[] for _ in range(counts.bodies)]
    for joint, ends in enumerate(counts.ends.tolist()):
        for body in ends:
            if body >= 0:
                incident[body].append(joint)
    return incident


def unheld(counts: Counts) -> list[int]:
    """Bodies that no chain of joints connects to the frame, whatever their equations count."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    ends = np.where(counts.ends >= 0, counts.ends, counts.bodies)  # the last: the frame
    graph = coo_array((np.ones(len(ends)), (ends[:, 0], ends[:, 1])), shape=(counts.bodies + 1, counts.bodies + 1))
    part = connected_components(graph.tocsr(), directed=False)[1]
    return np.flatnonzero(part[:-1] != part[-1]).tolist()


def parts(counts: Counts, bodies: Sequence[int]) -> list[list[int]]:
    """Split a set of bodies into connected parts."""
    inside = nx.Graph()
    inside.add_nodes_from(bodies)
    inside.add_edges_from(pair for pair in counts.ends.tolist() if all(body in inside for body in pair))
    return sorted(map(sorted, nx.connected_components(inside)))
