"""Decomposition of a mechanism into structural groups and their order.

Once every body has its equations (`groupkin.structure.counting`), a body depends on its neighbor where their joint
gave equations to it. The strongly connected components of this relation are the structural groups, the smallest
chains determined by what is already solved: those that Eq. (5) of Celdran, Saura and Dopico (2022) defines, found
without trying combinations, and the same for every maximum flow (Dulmage and Mendelsohn 1958).
"""

from __future__ import annotations

import heapq
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import networkx as nx
import numpy as np
from numpy.typing import NDArray

from groupkin.mechanism.mechanism import Joint, Mechanism
from groupkin.mechanism.pairs import counted
from groupkin.structure.counting import Counts, Shares
from groupkin.structure.redundancy import Redundancy, with_eased
from groupkin.structure.refusal import refusal
from groupkin.structure.signature import GroupGraph, joint_code, label, signature
from groupkin.structure.spins import Balance, Spin, balance


@dataclass(frozen=True)
class Group:
    """A structural group.

    Attributes
    ----------
    number : int
        Place in the solving order, from 1.
    bodies : tuple of str
        In order of declaration.
    label : str
        Published name, such as 1P1U1S3D.
    signature : str
        Canonical form of the group's graph, with U joints where spins are held.
    order : tuple of str
        The bodies in the order of the signature.
    external, internal : tuple of str
        Joints with bodies already solved (or the frame), and joints within the group.
    given : tuple of str
        Joints whose freedoms are given on to later groups.
    level : int
        1 for groups that depend on the frame only, otherwise one more than the highest level depended on.
    depends_on : tuple of int
        Numbers of the groups with which it shares joints and which are solved before.
    solver : str
        Name of the solver, empty until it is chosen.
    determined : str
        Whether rank confirms the count, empty until it is examined.
    notes : tuple of str
        Spins that are held, and what the rank of its equations says beyond the count.
    """

    number: int
    bodies: tuple[str, ...]
    label: str
    signature: str
    order: tuple[str, ...]
    external: tuple[str, ...]
    internal: tuple[str, ...]
    given: tuple[str, ...]
    level: int = 1
    depends_on: tuple[int, ...] = ()
    solver: str = ""
    determined: str = ""
    notes: tuple[str, ...] = ()


@dataclass(frozen=True)
class Structure:
    """The structural groups of a mechanism in solving order.

    Attributes
    ----------
    mechanism : Mechanism
    groups : tuple of Group
    spins : tuple of Spin
        Idle spins that are held.
    solved_as : Mechanism
        The mechanism, with U joints (without axes) in the place of the S joints at which spins are held, and looser
        joints in the place of some that repeat others.
    redundancies : tuple of Redundancy
        Rows of joints that repeat others and are not counted.
    """

    mechanism: Mechanism
    groups: tuple[Group, ...]
    spins: tuple[Spin, ...]
    solved_as: Mechanism
    redundancies: tuple[Redundancy, ...] = ()

    def __repr__(self) -> str:
        listed = ", ".join(f"{group.number} {group.label}" for group in self.groups)
        return f"<Structure of {self.mechanism.name}: {counted(len(self.groups), 'group')}{listed and ': ' + listed}>"

    @property
    def dimension(self) -> int:
        return self.mechanism.dimension

    @property
    def mobility(self) -> int:
        """Degrees of freedom by Eq. (2) of Celdran et al. (2022), rows that repeat others not counted."""
        return self.mechanism.mobility + sum(found.rows for found in self.redundancies)

    @property
    def driven(self) -> int:
        """Number of driven freedoms."""
        return len(self.mechanism.drivers)

    @cached_property
    def graph(self) -> nx.DiGraph:
        """The structural diagram: nodes are group numbers (0 is the frame), edges point to what depends on them."""
        graph = nx.DiGraph()
        graph.add_node(0, bodies=(self.mechanism.frame,))
        for group in self.groups:
            graph.add_node(group.number, bodies=group.bodies, label=group.label, level=group.level)
            solved = {b for number in group.depends_on for b in self.groups[number - 1].bodies}
            ends = [self.joint(name).bodies for name in group.external]
            if any(not solved.intersection(pair) for pair in ends):
                graph.add_edge(0, group.number)
            graph.add_edges_from((number, group.number) for number in group.depends_on)
        return graph

    def joint(self, name: str) -> Joint:
        return self._joints[name]

    @cached_property
    def _joints(self) -> dict[str, Joint]:
        return {joint.name: joint for joint in self.mechanism.joints}

    @cached_property
    def group_of(self) -> dict[str, Group]:
        """The group of every movable body."""
        return {body: group for group in self.groups for body in group.bodies}

    @cached_property
    def matrix(self) -> NDArray[np.int64]:
        """The matrix Results_SA of Celdran et al. (2022), Eq. (8), one row and column per body.

        Its first row holds the group of every body; row i, column j holds 1 + the number of the group of j (0 for the
        frame) if j, solved before, gives the freedoms of their joint to i. The frame comes first.
        """
        bodies = (self.mechanism.frame, *self.mechanism.movable)
        place = {body: k for k, body in enumerate(bodies)}
        number = {body: self.group_of[body].number if body in self.group_of else 0 for body in bodies}
        matrix = np.zeros((len(bodies), len(bodies)), np.int64)
        matrix[0] = [number[body] for body in bodies]
        for joint in self.mechanism.joints:
            early, late = sorted(joint.bodies, key=number.__getitem__)
            if number[early] != number[late]:
                matrix[place[late], place[early]] = number[early] + 1
        return matrix


def decompose(
    mechanism: Mechanism, preferred: Collection[str] = (), redundancies: Sequence[Redundancy] = ()
) -> Structure:
    """Structural groups of a mechanism in solving order, by counting.

    Among the groups whose predecessors are solved the one with the fewest bodies comes first; ties are broken by the
    order in which the bodies are declared. Where counting lacks equations for idle spins only, these are held.

    Parameters
    ----------
    mechanism : Mechanism
    preferred : collection of str
        Spherical joints at which spins are held rather than at others (`groupkin.structure.spins.balance`).
    redundancies : sequence of Redundancy
        Rows that repeat others, which are not counted.

    Raises
    ------
    NotDeterminedError
        If equations and unknowns do not match, everywhere or in parts; names the parts and what may be done.
    """
    found = balance(with_eased(mechanism, redundancies), preferred)
    if not found.shares.complete:
        raise refusal(mechanism, found, redundancies=redundancies)
    members = _components(found.counts, found.shares)
    order, predecessors = _solving_order(found.counts, members)
    groups = _describe(mechanism, found, [members[k] for k in order], order, predecessors)
    return Structure(mechanism, groups, found.spins, found.solved_as, tuple(redundancies))


def _components(counts: Counts, shares: Shares) -> list[list[int]]:
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    inner = (counts.ends >= 0).all(axis=1)
    pairs = [(inner & (shares.given[:, side] > 0), side) for side in (0, 1)]
    tails = np.concatenate([counts.ends[chosen, side] for chosen, side in pairs])
    heads = np.concatenate([counts.ends[chosen, 1 - side] for chosen, side in pairs])
    graph = coo_array((np.ones(len(tails)), (tails, heads)), shape=(counts.bodies, counts.bodies))
    number, label_of = connected_components(graph.tocsr(), directed=True, connection="strong")
    members: list[list[int]] = [[] for _ in range(number)]
    for body, component in enumerate(label_of.tolist()):
        members[component].append(body)
    return members


def _solving_order(counts: Counts, members: list[list[int]]) -> tuple[list[int], list[set[int]]]:
    """Order of the components, and the components each depends on.

    A joint between two components gives all its equations to one of them, so who depends on whom follows from the
    joints alone, once the components are known to be solvable in some order: here, from which of them is ready.
    """
    component = {body: k for k, bodies in enumerate(members) for body in bodies}
    touching: list[list[int]] = [[] for _ in members]
    for joint, ends in enumerate(counts.ends.tolist()):
        for k in {component[body] for body in ends if body >= 0}:
            touching[k].append(joint)
    other = _neighbors(counts, component)
    need = [counts.need * len(bodies) for bodies in members]
    for joint, ends in enumerate(counts.ends.tolist()):
        inside = {component[body] if body >= 0 else -1 for body in ends}
        if len(inside) == 1 or -1 in inside:  # internal, or with the frame
            need[max(inside)] -= int(counts.equations[joint])
    predecessors: list[set[int]] = [set() for _ in members]
    ready = [(len(members[k]), members[k][0], k) for k in range(len(members)) if need[k] == 0]
    heapq.heapify(ready)
    order: list[int] = []
    done = [False] * len(members)
    while ready:
        _, _, k = heapq.heappop(ready)
        done[k] = True
        order.append(k)
        for joint in touching[k]:
            follower = other[joint].get(k)
            equations = int(counts.equations[joint])
            if follower is None or done[follower] or equations == 0:
                continue
            predecessors[follower].add(k)
            need[follower] -= equations
            if need[follower] == 0:
                heapq.heappush(ready, (len(members[follower]), members[follower][0], follower))
    return order, predecessors


def _neighbors(counts: Counts, component: dict[int, int]) -> list[dict[int, int]]:
    """For every joint between two components: the other one, seen from each."""
    table: list[dict[int, int]] = []
    for a, b in counts.ends.tolist():
        if a >= 0 and b >= 0 and component[a] != component[b]:
            table.append({component[a]: component[b], component[b]: component[a]})
        else:
            table.append({})
    return table


def _describe(
    mechanism: Mechanism, found: Balance, members: list[list[int]], order: list[int], predecessors: list[set[int]]
) -> tuple[Group, ...]:
    counts = found.counts
    place = {k: number for number, k in enumerate(order, 1)}
    number_of = {body: number for number, bodies in enumerate(members, 1) for body in bodies}
    joints_of: list[list[int]] = [[] for _ in range(len(members) + 1)]
    for joint, ends in enumerate(counts.ends.tolist()):
        for number in {number_of[body] for body in ends if body >= 0}:
            joints_of[number].append(joint)
    levels: dict[int, int] = {}
    groups = []
    for number, bodies in enumerate(members, 1):
        depends_on = tuple(sorted(place[k] for k in predecessors[order[number - 1]]))
        levels[number] = 1 + max((levels[k] for k in depends_on), default=0)
        group = _group(mechanism, found, number, bodies, joints_of[number], number_of)
        groups.append(replace(group, depends_on=depends_on, level=levels[number]))
    return tuple(groups)


def _group(
    mechanism: Mechanism,
    found: Balance,
    number: int,
    bodies: list[int],
    joints: list[int],
    number_of: dict[int, int],
) -> Group:
    """A group with all that follows from its bodies and joints."""
    kinds: dict[str, list[Joint]] = {"external": [], "internal": [], "given": []}
    local = {body: k for k, body in enumerate(bodies)}
    edges = []
    for index in joints:
        joint = mechanism.joints[index]
        others = [number_of.get(int(body), 0) for body in found.counts.ends[index]]
        kind = "internal" if others[0] == others[1] else "given" if max(others) > number else "external"
        kinds[kind].append(joint)
        if kind != "given":
            a, b = (local.get(int(body), -1) for body in found.counts.ends[index])
            code = joint_code(found.solved_as.joints[index].type, mechanism.driven.get(joint.name, ()))
            edges.append((a, b, code))
    text, order = signature(GroupGraph(mechanism.dimension, len(bodies), tuple(edges)))
    own = kinds["external"] + kinds["internal"]
    spins = [spin.text for spin in found.spins if spin.joints[0] in {joint.name for joint in own}]
    return Group(
        number,
        bodies=tuple(mechanism.movable[body] for body in bodies),
        label=label((joint.type for joint in own), mechanism.dimension),
        signature=text,
        order=tuple(mechanism.movable[bodies[k]] for k in order),
        external=tuple(joint.name for joint in kinds["external"]),
        internal=tuple(joint.name for joint in kinds["internal"]),
        given=tuple(joint.name for joint in kinds["given"]),
        notes=(f"holds the spin of {'; of '.join(spins)}",) if spins else (),
    )
