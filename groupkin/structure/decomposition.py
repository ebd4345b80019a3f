"""Decomposition of a mechanism into structural groups and their order.

Once every body has its equations (`groupkin.structure.counting`), a body depends on its neighbor where their joint
gave equations to it. The strongly connected components of this relation are the structural groups, the smallest
chains determined by what is already solved: those that Eq. (5) of Celdran, Saura and Dopico (2022) defines, found
without trying combinations, and the same for every maximum flow (Dulmage and Mendelsohn 1958).
"""

from __future__ import annotations

import heapq
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, pairwise
from typing import NamedTuple, TypeVar

import networkx as nx
import numpy as np
from numpy.typing import NDArray

from groupkin.mechanism.mechanism import Joint, Mechanism
from groupkin.memory import collector_paused
from groupkin.messages import counted, listed
from groupkin.showing import InNotebooks
from groupkin.structure.counting import Counts, Ints, Shares, unheld
from groupkin.structure.idle_spins import Balance, Spin, balance
from groupkin.structure.not_determined import not_determined
from groupkin.structure.redundancy import Redundancy, with_eased
from groupkin.structure.signature import GroupGraph, joint_code, label, signature

T = TypeVar("T")


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

    def __repr__(self) -> str:
        return f"<Group {self.number}: {self.label}, {listed(self.bodies, 4)}; {self.solver or 'no solver chosen'}>"


@dataclass(frozen=True)
class Structure(InNotebooks):
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

    @property
    def dimension(self) -> int:
        return self.mechanism.dimension

    @property
    def accepted(self) -> str:
        """What redundant joints may be open, in one sentence for people; empty if they must be closed."""
        if not (self.mechanism.misfit and self.redundancies):
            return ""
        return (
            f"redundant joints may be open by {self.mechanism.misfit:g} of the size or rad (misfit), and are closed by "
            "least squares"
        )

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
    with collector_paused():
        balanced = balance(with_eased(mechanism, redundancies), preferred)
        if not balanced.shares.complete or unheld(balanced.counts):
            raise not_determined(mechanism, balanced, redundancies=redundancies)
        members, predecessors = solving_order(balanced.counts, balanced.shares)
        groups = described(mechanism, balanced, members, predecessors)
    return Structure(mechanism, groups, balanced.spins, balanced.solved_as, tuple(redundancies))


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


def solving_order(counts: Counts, shares: Shares) -> tuple[list[tuple[int, ...]], list[tuple[int, ...]]]:
    """Bodies of the components in solving order, and the positions, from 0, of those that each depends on.

    Nodes of couplings are among the bodies.

    A joint between two components gives all its equations to one of them, which depends on the other.
    """
    component = _by_size(_components(counts, shares))
    number = int(component.max(initial=-1)) + 1
    ends = np.where(counts.ends >= 0, component[counts.ends] if counts.bodies else -1, -1)
    between = (ends >= 0).all(axis=1) & (ends[:, 0] != ends[:, 1]) & (counts.equations > 0)
    late = shares.given[between].argmax(axis=1)
    pairs = np.unique(ends[between, late].astype(np.int64) * number + ends[between, 1 - late])
    followers, before = np.divmod(pairs, max(number, 1))
    place = _earliest_first(followers, before, number)
    members = _grouped(place[component], range(counts.bodies), number)
    sorted_pairs = np.argsort(place[before])
    followers, before = place[followers[sorted_pairs]], place[before[sorted_pairs]]
    return members, _grouped(followers, before.tolist(), number)


def _by_size(component: NDArray[np.int32]) -> NDArray[np.int32]:
    """Number components by how many bodies they have, and by the first of them where that is the same."""
    _, first, size = np.unique(component, return_index=True, return_counts=True)
    rank = np.empty(len(size), np.int32)
    rank[np.lexsort((first, size))] = np.arange(len(size))
    return rank[component]


def _earliest_first(followers: Ints, before: Ints, number: int) -> Ints:
    """Position of every component in the solving order: of those that may come next, the first by number."""
    missing = np.bincount(followers, minlength=number).tolist()
    after = _grouped(before, followers.tolist(), number)
    ready = [k for k in range(number) if not missing[k]]
    order = []
    while ready:
        k = heapq.heappop(ready)
        order.append(k)
        for follower in after[k]:
            missing[follower] -= 1
            if not missing[follower]:
                heapq.heappush(ready, follower)
    place = np.empty(number, np.int32)
    place[order] = np.arange(number)
    return place


def _grouped(
    group: Ints, values: Sequence[T], number: int, chosen: NDArray[np.bool_] | None = None
) -> list[tuple[T, ...]]:
    """The values of each of a number of groups, those that are chosen, in the order in which they are given."""
    order = np.argsort(group, kind="stable")
    order = order if chosen is None else order[chosen[order]]
    held = tuple([values[k] for k in order.tolist()])
    bounds = np.searchsorted(group[order], np.arange(number + 1)).tolist()
    return [held[first:last] for first, last in pairwise(bounds)]


def levels_of(predecessors: Iterable[Iterable[int]]) -> list[int]:
    """Level of every group, in solving order: 1, or one more than the highest that it depends on."""
    found: list[int] = []
    for before in predecessors:
        found.append(1 + max([found[k] for k in before], default=0))
    return found


class _Parts(NamedTuple):
    """For every group its bodies, its joints, all types of these, and as edges of its graph those that hold it."""

    bodies: list[tuple[str, ...]]
    external: list[tuple[str, ...]]
    internal: list[tuple[str, ...]]
    given: list[tuple[str, ...]]
    types: list[tuple[str, ...]]
    edges: list[tuple[tuple[int, int, str], ...]]


def described(
    mechanism: Mechanism, balanced: Balance, members: list[tuple[int, ...]], predecessors: list[tuple[int, ...]]
) -> tuple[Group, ...]:
    """Describe the groups by their bodies and joints."""
    holding = {spin.joints[0]: spin.text for spin in balanced.spins}
    if balanced.counts.nodes:
        members = [tuple(body for body in bodies if body < balanced.counts.movable) for bodies in members]
    dimension = mechanism.dimension
    groups: list[Group] = []
    parts, couplings = _shared_out(mechanism, balanced, members), _couplings(mechanism, members)
    each = zip(predecessors, levels_of(predecessors), *parts, couplings, strict=True)
    for before, level, bodies, external, internal, given, types, edges, coupled in each:
        text, order = signature(GroupGraph(dimension, len(bodies), edges))
        spins = [holding[name] for name in external + internal if name in holding] if holding else []
        group = Group(
            len(groups) + 1,
            bodies=bodies,
            label=label(types, dimension, len(coupled)),
            signature=text + f" and {counted(len(coupled), 'coupling')}" if coupled else text,
            order=tuple([bodies[k] for k in order]),
            external=external,
            internal=internal,
            given=given,
            level=level,
            depends_on=tuple([k + 1 for k in before]),
            notes=(f"holds the spin of {'; of '.join(spins)}",) if spins else (),
            couplings=coupled,
        )
        groups.append(group)
    return tuple(groups)


def _couplings(mechanism: Mechanism, members: list[tuple[int, ...]]) -> list[tuple[str, ...]]:
    """Share out the couplings to the groups: each goes to the last of the groups that it touches."""
    found: list[tuple[str, ...]] = [()] * len(members)
    if mechanism.relations:
        of_body = {mechanism.movable[body]: k for k, bodies in enumerate(members) for body in bodies}
        for name, relation in mechanism.relations.items():
            found[max(of_body.get(body, -1) for body in relation.bodies)] += (name,)
    return found


def _shared_out(mechanism: Mechanism, balanced: Balance, members: list[tuple[int, ...]]) -> _Parts:
    """Share out bodies and joints to the groups."""
    number = len(members)
    sizes = np.array([len(bodies) for bodies in members], np.int32)
    of_group = np.fromiter(chain.from_iterable(members), np.int32, balanced.counts.movable)
    # the last one: the frame
    group, local = np.full((2, balanced.counts.movable + 1), -1, np.int32)
    group[of_group] = np.repeat(np.arange(number), sizes)
    local[of_group] = np.arange(len(of_group)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    ends = balanced.counts.ends[: len(mechanism.joints)]  # those of couplings follow
    early, late = np.sort(group[ends], axis=1).T
    outside = early < late
    first, second = np.where(group[ends] == late[:, None], local[ends], -1).T.tolist()
    names, types = ([getattr(joint, of) for joint in mechanism.joints] for of in ("name", "type"))
    edges = list(zip(first, second, _codes(mechanism, balanced), strict=True))
    return _Parts(
        bodies=_grouped(group[:-1], mechanism.movable, number),
        external=_grouped(late, names, number, outside),
        internal=_grouped(late, names, number, ~outside),
        given=_grouped(early, names, number, outside & (early >= 0)),
        types=_grouped(late, types, number),
        edges=_grouped(late, edges, number),
    )


def _codes(mechanism: Mechanism, balanced: Balance) -> list[str]:
    """Code of every joint as it is solved."""
    driven = mechanism.driven
    return [
        joint_code(solved_as.type, driven[name]) if name in driven else solved_as.type
        for name, solved_as in zip(mechanism.joint, balanced.solved_as.joints, strict=True)
    ]
