"""Idle spins: parts that hang between two spherical joints and may turn about the line through their centers.

Whatever is inside such a part, turning it as a whole about that line moves nothing else, so the spin is a freedom that
neither joints nor drivers determine: of the coupler of an RSSR linkage, of a rod with a ball at either end, of a
leg S-P-S. Where counting lacks an equation for it, the spin is held: one of the two joints is solved as a U joint.

Two joints belong together if removing both, and not only one, cuts the mechanism in two. Such joints lie in the same
loops. Here every joint that closes a loop of a spanning tree is a bit, and every joint of the tree carries the bits of
the loops it lies in; joints with the same bits, not none, belong together.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

import networkx as nx

from groupkin.mechanism.mechanism import Joint, Mechanism
from groupkin.structure.counting import Counts, Shares, count, share, under_driven


@dataclass(frozen=True)
class Spin:
    """A part of a mechanism that may spin.

    Attributes
    ----------
    bodies : tuple of str
        The part, in order of declaration.
    joints : (str, str)
        The two spherical joints; the first is the one that is solved as a U joint.
    """

    bodies: tuple[str, ...]
    joints: tuple[str, str]

    @property
    def text(self) -> str:
        return f"{', '.join(self.bodies)} about the line of {self.joints[0]} and {self.joints[1]}"


@dataclass(frozen=True)
class Balance:
    """A mechanism with idle spins held where counting needs it: what it is solved as, and how its equations are shared.

    Attributes
    ----------
    solved_as : Mechanism
        The mechanism with U joints in the place of some S joints; these have no axes.
    spins : tuple of Spin
    counts, shares : Counts, Shares
    """

    solved_as: Mechanism
    spins: tuple[Spin, ...]
    counts: Counts
    shares: Shares


def balance(mechanism: Mechanism, preferred: Collection[str] = ()) -> Balance:
    """Share out the equations of a mechanism; where bodies lack some, idle spins among them are held.

    Parameters
    ----------
    mechanism : Mechanism
    preferred : collection of str
        Spherical joints which rather than others are solved as U joints. By default it is the one nearer to the frame.
    """
    counts = count(mechanism)
    shares = share(counts)
    if not shares.lack.any():
        return Balance(mechanism, (), counts, shares)
    under = {mechanism.movable[body] for body in under_driven(counts, shares)}
    spins = tuple(_turned(spin, preferred) for spin in idle_spins(mechanism) if under.intersection(spin.bodies))
    if not spins:
        return Balance(mechanism, (), counts, shares)
    solved_as = _with_universal_joints(mechanism, {spin.joints[0] for spin in spins})
    counts = count(solved_as)
    return Balance(solved_as, spins, counts, share(counts))


def idle_spins(mechanism: Mechanism) -> list[Spin]:
    """All parts between two undriven S joints on different bodies, whether or not counting lacks their spins."""
    graph, depth, loops = _loops(mechanism)
    together: dict[int, list[Joint]] = {}
    for joint in mechanism.joints:
        if joint.type == "S" and joint.name not in mechanism.driven and loops.get(joint.name):
            together.setdefault(loops[joint.name], []).append(joint)
    spins = []
    for joints in (found for found in together.values() if len(found) > 1):
        spins += _parts(mechanism, graph, depth, joints)
    return spins


def _loops(mechanism: Mechanism) -> tuple[nx.MultiGraph, dict[str, int], dict[str, int]]:
    """The graph of bodies and joints, the distance of bodies from the frame, and the loops of every joint as bits."""
    graph = nx.MultiGraph()
    graph.add_nodes_from(mechanism.body)
    graph.add_edges_from((*joint.bodies, joint.name) for joint in mechanism.joints)
    depth, parent, order = {mechanism.frame: 0}, {}, [mechanism.frame]
    for body in order:
        for _, other, name in graph.edges(body, keys=True):
            if other not in depth:
                depth[other], parent[other] = depth[body] + 1, (body, name)
                order.append(other)
    tree = {name for _, name in parent.values()}
    open_loops, loops = dict.fromkeys(mechanism.body, 0), {}
    for bit, joint in enumerate(joint for joint in mechanism.joints if joint.name not in tree):
        loops[joint.name] = 1 << bit
        for body in joint.bodies:
            open_loops[body] ^= 1 << bit
    for body in order[:0:-1]:
        before, name = parent[body]
        loops[name] = open_loops[body]
        open_loops[before] ^= open_loops[body]
    return graph, depth, loops


def _parts(mechanism: Mechanism, graph: nx.MultiGraph, depth: dict[str, int], joints: Sequence[Joint]) -> list[Spin]:
    """The parts between joints that belong together: all but the one with the frame."""
    rest = nx.MultiGraph(graph)
    rest.remove_edges_from((*joint.bodies, joint.name) for joint in joints)
    spins = []
    for part in nx.connected_components(rest):
        own = [joint for joint in joints if part.intersection(joint.bodies)]
        if mechanism.frame in part or len(own) != 2:
            continue
        outside = [next(body for body in joint.bodies if body not in part) for joint in own]
        if outside[0] == outside[1]:  # a hinge: it turns about a line of one body
            continue
        first, second = sorted(zip(outside, own, strict=True), key=lambda found: depth[found[0]])
        names = first[1].name, second[1].name
        spins.append(Spin(tuple(body for body in mechanism.body if body in part), names))
    return spins


def _turned(spin: Spin, preferred: Collection[str]) -> Spin:
    first, second = spin.joints
    return replace(spin, joints=(second, first)) if second in preferred and first not in preferred else spin


def _with_universal_joints(mechanism: Mechanism, names: Collection[str]) -> Mechanism:
    joints = [
        replace(joint, type="U", axis=None, axes=None, reference=0.0) if joint.name in names else joint
        for joint in mechanism.joints
    ]
    return replace(mechanism, joints=joints)
