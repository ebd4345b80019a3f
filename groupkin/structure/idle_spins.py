"""Idle spins: parts between two spherical joints that may turn about the line through their centers.

Whatever is inside such a part, turning it as a whole about that line moves nothing else, so the spin is a freedom that
neither joints nor drivers determine: of the coupler of an RSSR linkage, of a rod with a ball at either end, of a leg
S-P-S. Where counting lacks an equation for it, the spin is held: one of the two joints is solved as a U joint. A leg
S-C-S whose slide is on the line has two spins, of its two bodies: its C joint is solved as a P joint as well.

Two joints belong together if removing both, and not only one, cuts the mechanism in two. Such joints lie in the same
loops. Here every joint that closes a loop of a spanning tree has a random number, and every joint of the tree the
exclusive or of those of the loops it lies in; joints with the same number, not 0, belong together. A collision of
random numbers of 128 bits is negligible.
"""

from __future__ import annotations

import random
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
    swivels : tuple of str
        C joints between them, on the same line, which are solved as P joints.
    """

    bodies: tuple[str, ...]
    joints: tuple[str, str]
    swivels: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        each = ", each by itself" if self.swivels else ""
        return f"{', '.join(self.bodies)} about the line of {self.joints[0]} and {self.joints[1]}{each}"


@dataclass(frozen=True)
class Balance:
    """A mechanism whose idle spins are held where equations are lacking, and how its equations are shared out.

    Attributes
    ----------
    solved_as : Mechanism
        The mechanism with U joints (without axes) instead of some S joints, and P instead of some C joints.
    spins : tuple of Spin
    counts, shares : Counts, Shares
    """

    solved_as: Mechanism
    spins: tuple[Spin, ...]
    counts: Counts
    shares: Shares


def balance(mechanism: Mechanism, preferred: Collection[str] = ()) -> Balance:
    """Share out the equations of a mechanism, and hold idle spins where equations are lacking.

    Parameters
    ----------
    mechanism : Mechanism
    preferred : collection of str
        Spherical joints to be solved as U joints; without a preference it is the one nearer to the frame.
    """
    counts = count(mechanism)
    shares = share(counts)
    if not shares.lack.any():
        return Balance(mechanism, (), counts, shares)
    under = {mechanism.movable[body] for body in under_driven(counts, shares) if body < counts.movable}
    # a coupling that touches a part may feel its spin
    touched = {body for relation in mechanism.relations.values() for body in relation.bodies}
    found = [spin for spin in idle_spins(mechanism) if not touched.intersection(spin.bodies)]
    spins = tuple(held_at(spin, preferred) for spin in found if under.intersection(spin.bodies))
    if not spins:
        return Balance(mechanism, (), counts, shares)
    solved_as = with_less_freedom(mechanism, spins)
    counts = count(solved_as)
    return Balance(solved_as, spins, counts, share(counts))


def idle_spins(mechanism: Mechanism) -> list[Spin]:
    """Find all parts between two undriven S joints on different bodies, also where no equation is lacking."""
    balls = [joint for joint in mechanism.joints if mechanism.form(joint).spherical]
    if len(balls) < 2:
        return []
    graph, depth, loops = _loops(mechanism)
    together: dict[int, list[Joint]] = {}
    for joint in balls:
        if joint.name not in mechanism.driven and loops.get(joint.name):
            together.setdefault(loops[joint.name], []).append(joint)
    spins = []
    cylindrical = [joint for joint in mechanism.joints if _turns_and_slides(mechanism, joint)]
    for number, joints in together.items():
        if len(joints) > 1:
            swivels = [joint for joint in cylindrical if loops.get(joint.name) == number]
            spins += _parts(mechanism, graph, depth, joints, swivels)
    return spins


def _turns_and_slides(mechanism: Mechanism, joint: Joint) -> bool:
    """Whether a joint is a C joint whose angle is not driven."""
    form, driven = mechanism.form(joint), mechanism.driven.get(joint.name, ())
    return form.axial and len(form.moves) == 2 and not any(form.freedoms[k].rotation for k in driven)


def _loops(mechanism: Mechanism) -> tuple[nx.MultiGraph, dict[str, int], dict[str, int]]:
    """The graph of bodies and joints, distances of bodies from the frame, and a number for the loops of each joint."""
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
    numbers = random.Random(0)
    for joint in (joint for joint in mechanism.joints if joint.name not in tree):
        loops[joint.name] = numbers.getrandbits(128)
        for body in joint.bodies:
            open_loops[body] ^= loops[joint.name]
    for body in order[:0:-1]:
        before, name = parent[body]
        loops[name] = open_loops[body]
        open_loops[before] ^= open_loops[body]
    return graph, depth, loops


def _parts(
    mechanism: Mechanism,
    graph: nx.MultiGraph,
    depth: dict[str, int],
    joints: Sequence[Joint],
    swivels: Sequence[Joint],
) -> list[Spin]:
    """The parts between joints that belong together, except that with the frame."""
    rest = nx.MultiGraph(graph)
    rest.remove_edges_from((*joint.bodies, joint.name) for joint in joints)
    spins = []
    for part in nx.connected_components(rest):
        ends = [joint for joint in joints if part.intersection(joint.bodies)]
        if mechanism.frame in part or len(ends) != 2:
            continue
        outside = [next(body for body in joint.bodies if body not in part) for joint in ends]
        if outside[0] == outside[1]:  # a hinge: it turns about a line of one body
            continue
        (_, first), (_, second) = sorted(zip(outside, ends, strict=True), key=lambda end: depth[end[0]])
        passed = [joint for joint in swivels if part.issuperset(joint.bodies) and mechanism.axis_passes(joint, ends)]
        swivels_inside = tuple(joint.name for joint in passed)
        spins.append(Spin(mechanism.chosen_bodies(part), (first.name, second.name), swivels_inside))
    return spins


def held_at(spin: Spin, preferred: Collection[str]) -> Spin:
    """Let a spin be held at the joint of its two that is preferred."""
    first, second = spin.joints
    return replace(spin, joints=(second, first)) if second in preferred and first not in preferred else spin


def with_less_freedom(mechanism: Mechanism, spins: Sequence[Spin]) -> Mechanism:
    """Replace the joints that hold spins by U joints (without axes), and swivels by P joints."""
    types = {spin.joints[0]: "U" for spin in spins} | {name: "P" for spin in spins for name in spin.swivels}
    joints = [
        replace(joint, type=types[joint.name], axes=None, reference=0.0) if joint.name in types else joint
        for joint in mechanism.joints
    ]
    return replace(mechanism, joints=joints, forces=())  # which are those of the joints as they are stated
