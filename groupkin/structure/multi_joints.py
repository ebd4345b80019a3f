"""The pairs of multi-joints that give the best groups.

A multi-joint of n bodies is treated as a hub, a further body that needs the e equations of one pair and gets e from
each of the n bodies on it. Whatever tree of pairs is chosen, a set of bodies is tight with hubs if it is tight
with pairs, so the groups found with hubs are at least as small as those of any tree. A tree with just these groups
exists: the hub is known as soon as the first of its bodies, or the first group of them, is solved, and all others may
hang on that one. So the best choice is found for all multi-joints at once by one maximum flow, without trying any.
"""

from __future__ import annotations

from dataclasses import replace

import networkx as nx
import numpy as np

from groupkin.mechanism.mechanism import Mechanism
from groupkin.mechanism.multi_joints import Edge, spanning, with_trees
from groupkin.structure.counting import Counts, Shares, count, share


def arranged(mechanism: Mechanism) -> Mechanism:
    """Choose the pairs of multi-joints that give the most and the smallest groups."""
    if not mechanism.shared:
        return mechanism
    hubs = list(mechanism.shared)
    counts, names = _with_hubs(mechanism, hubs)
    position = _order(counts, share(counts))
    rank = {body: position[number] for body, number in names.items()} | {mechanism.frame: -1}
    trees: dict[str, list[Edge]] = {}
    for hub in hubs:
        bodies = mechanism.shared[hub].bodies
        pairs = [joint for joint in mechanism.joints if joint.of is not None and joint.of.name == hub]
        driven = [(joint.bodies[0], joint.bodies[1]) for joint in pairs if joint.name in mechanism.driven]
        tree = spanning(bodies, driven, sorted(bodies, key=rank.__getitem__))
        assert tree is not None  # drivers in a ring were refused with the mechanism
        trees[hub] = tree
    return replace(mechanism, joints=with_trees(mechanism.joints, trees))


def _with_hubs(mechanism: Mechanism, hubs: list[str]) -> tuple[Counts, dict[str, int]]:
    """Count the equations with hubs, numbered after the bodies, for multi-joints; also the numbers of the bodies."""
    plain = count(mechanism)
    number = {body: index for index, body in enumerate(mechanism.movable)}
    ends, equations = [], []
    for index, joint in enumerate(mechanism.joints):
        if joint.of is None:
            ends.append(plain.ends[index].tolist())
            equations.append(int(plain.equations[index]))
        elif joint.name in mechanism.driven:
            ends.append(plain.ends[index].tolist())
            equations.append(len(mechanism.driven[joint.name]))
    for k, hub in enumerate(hubs):
        joint, node = mechanism.shared[hub], plain.bodies + k
        each = plain.need - len(mechanism.freedoms(joint))
        ends += [[number.get(body, -1), node] for body in joint.bodies] + [[-1, node]]
        equations += [each] * len(joint.bodies) + [plain.need - each]  # the frame takes from the hub what it lacks
    ends_array = np.array(ends, np.int32).reshape(-1, 2)
    return Counts(plain.need, plain.bodies + len(hubs), ends_array, np.array(equations, np.int32)), number


def _order(counts: Counts, shares: Shares) -> list[int]:
    """Position of every body in a solving order."""
    graph = nx.DiGraph()
    graph.add_nodes_from(range(counts.bodies))
    for (first, second), given in zip(counts.ends.tolist(), shares.given.tolist(), strict=True):
        if first >= 0 and second >= 0:
            graph.add_edges_from([(second, first)] * bool(given[0]) + [(first, second)] * bool(given[1]))
    groups = nx.condensation(graph)
    positions = [0] * counts.bodies
    first_body = {group: min(groups.nodes[group]["members"]) for group in groups}
    for position, group in enumerate(nx.lexicographical_topological_sort(groups, key=first_body.__getitem__)):
        for body in groups.nodes[group]["members"]:
            positions[body] = position
    return positions
