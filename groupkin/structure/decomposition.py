"""Decomposition of a mechanism into structural groups and their order.

Once every body has its equations (`groupkin.structure.counting`), a body depends on its neighbor where their joint
gave equations to it. The strongly connected components of this relation are the structural groups, the smallest
chains determined by what is already solved: those that Eq. (5) of Celdran, Saura and Dopico (2022) defines, found
without trying combinations, and the same for every maximum flow (Dulmage and Mendelsohn 1958).
"""

from __future__ import annotations

import gc
import heapq
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import networkx as nx
import numpy as np
from numpy.typing import NDArray

from groupkin.mechanism.mechanism import Joint, Mechanism
from groupkin.messages import counted
from groupkin.structure.counting import Counts, Shares, unheld
from groupkin.structure.idle_spins import Balance, Spin, balance
from groupkin.structure.not_determined import not_determined
from groupkin.structure.redundancy import Redundancy, with_eased
from groupkin.structure.signature import GroupGraph, joint_code, label, signature


@dataclass(frozen=True)
class Group:
    """A structural group.

    Attributes
    ----------
    number : int
        Position in the solving order, from 1.
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
    couplings : tuple of str
        Couplings whose equations it takes.
    given : tuple of str
        Joints that give their freedoms on to later groups.
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
    why : str
        Why it has this solver.
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
    why: str = ""
    couplings: tuple[str, ...] = ()


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
        The mechanism, with U joints (without axes) instead of the S joints at which spins are held, and eased joints
        instead of some whose rows repeat others.
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

    def _repr_html_(self) -> str | None:
        from groupkin.look.notebook import structure_html

        return structure_html(self)

    @property
    def dimension(self) -> int:
        return self.mechanism.dimension

    @property
    def mobility(self) -> int:
        """Degrees of freedom by Eq. (2) of Celdran et al. (2022), rows that repeat others not counted."""
        return self.mechanism.mobility + sum(redundancy.rows for redundancy in self.redundancies)

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
        return self.mechanism.joint[name]

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
        index = {body: k for k, body in enumerate(bodies)}
        number = {body: self.group_of[body].number if body in self.group_of else 0 for body in bodies}
        matrix = np.zeros((len(bodies), len(bodies)), np.int64)
        matrix[0] = [number[body] for body in bodies]
        for joint in self.mechanism.joints:
            early, late = sorted(joint.bodies, key=number.__getitem__)
            if number[early] != number[late]:
                matrix[index[late], index[early]] = number[early] + 1
        return matrix


def decompose(
    mechanism: Mechanism, preferred: Collection[str] = (), redundancies: Sequence[Redundancy] = ()
) -> Structure:
    """Decompose a mechanism into structural groups in solving order, by counting.

    Among the groups whose predecessors are solved the one with the fewest bodies comes first; ties are broken by the
    order in which the bodies are declared. Where counting lacks equations for idle spins only, these are held.

    Parameters
    ----------
    mechanism : Mechanism
    preferred : collection of str
        Spherical joints at which spins are held rather than at others (`groupkin.structure.idle_spins.balance`).
    redundancies : sequence of Redundancy
        Rows that repeat others, which are not counted.

    Raises
    ------
    NotDeterminedError
        If equations and unknowns do not match in some part, or joints do not connect it to the frame; the message
        names the parts and possible remedies.
    """
    with _collector_paused():
        balanced = balance(with_eased(mechanism, redundancies), preferred)
        if not balanced.shares.complete or unheld(balanced.counts):
            raise not_determined(mechanism, balanced, redundancies=redundancies)
        members, predecessors = solving_order(balanced.counts, balanced.shares)
        groups = _describe(mechanism, balanced, members, predecessors)
    return Structure(mechanism, groups, balanced.spins, balanced.solved_as, tuple(redundancies))


@contextmanager
def _collector_paused() -> Iterator[None]:
    """Suspend garbage collection, which would traverse the groups of a large mechanism again and again."""
    running = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if running:
            gc.enable()


def _components(counts: Counts, shares: Shares) -> NDArray[np.int32]:
    """Number of the strongly connected component (bodies,) of every body."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    inner = (counts.ends >= 0).all(axis=1)
    pairs = [(inner & (shares.given[:, side] > 0), side) for side in (0, 1)]
    if counts.nodes:  # a node is solved with what takes its equation
        of_node = counts.ends >= counts.movable
        passed = [inner & of_node[:, 1 - side] & (shares.given[:, side] > 0) for side in (0, 1)]
        pairs += [(passed[side], 1 - side) for side in (0, 1)]
    tails = np.concatenate([counts.ends[chosen, side] for chosen, side in pairs])
    heads = np.concatenate([counts.ends[chosen, 1 - side] for chosen, side in pairs])
    graph = coo_array((np.ones(len(tails)), (tails, heads)), shape=(counts.bodies, counts.bodies))
    return np.asarray(connected_components(graph.tocsr(), directed=True, connection="strong")[1], np.int32)


def solving_order(counts: Counts, shares: Shares) -> tuple[list[list[int]], list[list[int]]]:
    """Bodies of the components in solving order, and the positions, from 0, of those that each depends on.

    Nodes of couplings are among the bodies.

    A joint between two components gives all its equations to one of them, which depends on the other.
    """
    component = _components(counts, shares)
    members: list[list[int]] = [[] for _ in range(int(component.max(initial=-1)) + 1)]
    for body, k in enumerate(component.tolist()):
        members[k].append(body)
    ends = np.where(counts.ends >= 0, component[counts.ends] if counts.bodies else -1, -1)
    between = (ends >= 0).all(axis=1) & (ends[:, 0] != ends[:, 1]) & (counts.equations > 0)
    late = shares.given[between].argmax(axis=1)
    pairs = np.unique(ends[between, late].astype(np.int64) * len(members) + ends[between, 1 - late])
    before: list[list[int]] = [[] for _ in members]
    after: list[list[int]] = [[] for _ in members]
    for follower, k in zip((pairs // len(members)).tolist(), (pairs % len(members)).tolist(), strict=True):
        before[follower].append(k)
        after[k].append(follower)
    missing = [len(predecessors) for predecessors in before]
    ready = [(len(members[k]), members[k][0], k) for k in range(len(members)) if not missing[k]]
    heapq.heapify(ready)
    position: dict[int, int] = {}
    while ready:
        k = heapq.heappop(ready)[2]
        position[k] = len(position)
        for follower in after[k]:
            missing[follower] -= 1
            if not missing[follower]:
                heapq.heappush(ready, (len(members[follower]), members[follower][0], follower))
    return [members[k] for k in position], [sorted(position[other] for other in before[k]) for k in position]


def _describe(
    mechanism: Mechanism, balanced: Balance, members: list[list[int]], predecessors: list[list[int]]
) -> tuple[Group, ...]:
    """Describe the groups by their bodies and joints."""
    holding = {spin.joints[0]: spin.text for spin in balanced.spins}
    levels: list[int] = []
    groups = []
    members = [[body for body in bodies if body < balanced.counts.movable] for bodies in members]
    coupled = _couplings(mechanism, members)
    each = zip(members, predecessors, _joints(mechanism, balanced, members), coupled, strict=True)
    for bodies, before, joints, couplings in each:
        levels.append(1 + max((levels[k] for k in before), default=0))
        text, order = signature(GroupGraph(mechanism.dimension, len(bodies), tuple(sorted(joints.edges))))
        holders = joints.external + joints.internal
        spins = [holding[joint.name] for joint in holders if joint.name in holding] if holding else []
        group = Group(
            len(levels),
            bodies=tuple([mechanism.movable[body] for body in bodies]),
            label=label([joint.type for joint in holders], mechanism.dimension, len(couplings)),
            signature=text + f" and {counted(len(couplings), 'coupling')}" * bool(couplings),
            order=tuple([mechanism.movable[bodies[k]] for k in order]),
            external=tuple([joint.name for joint in joints.external]),
            internal=tuple([joint.name for joint in joints.internal]),
            given=tuple([joint.name for joint in joints.given]),
            level=levels[-1],
            depends_on=tuple([k + 1 for k in before]),
            notes=(f"holds the spin of {'; of '.join(spins)}",) if spins else (),
            couplings=tuple(couplings),
        )
        groups.append(group)
    return tuple(groups)


def _couplings(mechanism: Mechanism, members: list[list[int]]) -> list[list[str]]:
    """Share out the couplings to the groups: each goes to the last of the groups that it touches."""
    of_body = {mechanism.movable[body]: k for k, bodies in enumerate(members) for body in bodies}
    found: list[list[str]] = [[] for _ in members]
    for name, relation in mechanism.relations.items():
        found[max(of_body.get(body, -1) for body in relation.bodies)].append(name)
    return found


class _Joints(NamedTuple):
    """The joints of a group, and as edges of its graph those that hold it."""

    external: list[Joint]
    internal: list[Joint]
    given: list[Joint]
    edges: list[tuple[int, int, str]]


def _joints(mechanism: Mechanism, balanced: Balance, members: list[list[int]]) -> list[_Joints]:
    """Share out the joints to the groups."""
    # the last one: the frame
    number_of, local = [-1] * (balanced.counts.movable + 1), [-1] * (balanced.counts.movable + 1)
    for number, bodies in enumerate(members):
        for k, body in enumerate(bodies):
            number_of[body], local[body] = number, k
    driven = mechanism.driven
    joints = [_Joints([], [], [], []) for _ in range(len(members) + 1)]
    ends = balanced.counts.ends[: len(mechanism.joints)].tolist()  # those of couplings follow
    for joint, solved_as, (a, b) in zip(mechanism.joints, balanced.solved_as.joints, ends, strict=True):
        first, second = number_of[a], number_of[b]
        late = first if first > second else second
        group_joints = joints[late]
        code = joint_code(solved_as.type, driven[joint.name]) if joint.name in driven else solved_as.type
        group_joints.edges.append((local[a] if first == late else -1, local[b] if second == late else -1, code))
        if first == second:
            group_joints.internal.append(joint)
        else:
            group_joints.external.append(joint)
            joints[first + second - late].given.append(joint)
    return joints[:-1]
