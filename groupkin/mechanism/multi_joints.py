"""Multi-joints: several bodies on one pin, or at the center of one ball, as pairs of bodies.

n bodies need n − 1 pairs, which form a tree over them. Any tree moves in the same way and gives as many equations;
`groupkin.structure.multi_joints` chooses the one that gives the best groups. Driven pairs are part of every tree.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from groupkin.errors import DuplicateNameError, GeometryError, MechanismError, UnknownNameError
from groupkin.mechanism import pairs
from groupkin.mechanism.parts import Driver, Joint
from groupkin.messages import hint, listed

Edge = tuple[str, str]


def expanded(joints: Sequence[Joint], drivers: Sequence[Driver]) -> tuple[tuple[Joint, ...], tuple[Driver, ...]]:
    """Replace multi-joints by pairs, and let drivers name these pairs.

    Raises
    ------
    MechanismError
        One of its subclasses, if a multi-joint or one of its drivers is described wrongly.
    """
    if all(len(joint.bodies) < 3 and joint.of is None for joint in joints):
        plain = {joint.name: joint for joint in joints}
        return tuple(joints), tuple(_plain(driver, plain.get(driver.joint)) for driver in drivers)
    declared = [joint.name for joint in joints if joint.of is None]
    declared += {joint.of.name for joint in joints if joint.of is not None}
    if len(set(declared)) < len(declared):
        repeated = next(name for name in declared if declared.count(name) > 1)
        raise DuplicateNameError(f"two joints are named {repeated!r}; names must be unique")
    described = {joint.of.name if joint.of else joint.name: joint.of or joint for joint in joints}
    shared = {name: joint for name, joint in described.items() if len(joint.bodies) > 2}
    for joint in shared.values():
        _check(joint)
    owner = {joint.name: joint for joint in joints if joint.of is not None}
    edges: dict[str, list[Edge]] = {name: [] for name in shared}
    renamed: list[Driver] = []
    for driver in drivers:
        if driver.joint in owner and driver.between is None:
            name, edge = owner[driver.joint].of.name, owner[driver.joint].bodies  # type: ignore[union-attr]
        elif driver.joint in shared:
            name, edge = driver.joint, _between(driver, shared[driver.joint])
        else:
            renamed.append(_plain(driver, described.get(driver.joint)))
            continue
        first, second = edge[0], edge[1]
        if (second, first) in edges[name]:
            raise MechanismError(
                f"the drivers of joint {name!r} act between {first} and {second} in both directions; choose one"
            )
        if (first, second) not in edges[name]:
            edges[name].append((first, second))
        renamed.append(replace(driver, joint=pair_name(name, (first, second)), between=None))
    present: dict[str, set[tuple[str, ...]]] = {name: set() for name in shared}
    for joint in owner.values():
        if joint.of is not None and joint.of.name in shared:
            present[joint.of.name].add(joint.bodies)
    # existing trees that contain the driven pairs stay: their pairs may have other types, to be solved
    changed = [name for name in shared if not present[name] or not present[name].issuperset(edges[name])]
    return with_trees(joints, {name: _tree(shared[name], edges[name]) for name in changed}), tuple(renamed)


def with_trees(joints: Sequence[Joint], trees: Mapping[str, Sequence[Edge]]) -> tuple[Joint, ...]:
    """Replace each multi-joint by the pairs of its tree, at the position of its first pair."""
    out: list[Joint] = []
    done: set[str] = set()
    for joint in joints:
        whole = joint.of or joint
        if whole.name not in trees:
            out.append(joint)
        elif whole.name not in done:
            done.add(whole.name)
            out += [
                replace(whole, name=pair_name(whole.name, edge), bodies=edge, of=whole) for edge in trees[whole.name]
            ]
    return tuple(out)


def pair_name(name: str, edge: Edge) -> str:
    """Name of a pair of a multi-joint in messages, tables and results: ``pin(a, b)``."""
    return f"{name}({edge[0]}, {edge[1]})"


def spanning(bodies: Sequence[str], forced: Sequence[Edge], order: Sequence[str]) -> list[Edge] | None:
    """A tree over bodies: the forced edges, and edges from the first body in the order to those not yet joined.

    Returns None if the forced edges run in a ring.
    """
    import networkx as nx  # only a mechanism with multi-joints waits for it

    joined = nx.Graph(forced)
    joined.add_nodes_from(bodies)
    if not nx.is_forest(joined):
        return None
    tree, reached = list(forced), nx.node_connected_component(joined, order[0])
    for body in order:
        if body not in reached:
            tree.append((order[0], body))
            reached |= nx.node_connected_component(joined, body)
    return tree


def _tree(joint: Joint, forced: list[Edge]) -> list[Edge]:
    """A tree of the driven pairs, and of pairs of the other bodies with the first one."""
    tree = spanning(joint.bodies, forced, joint.bodies)
    if tree is None:
        raise MechanismError(
            f"the drivers of joint {joint.name!r} act between its bodies in a ring, one too many: "
            f"{', '.join(f'{a}-{b}' for a, b in forced)}; drop a driver"
        )
    return tree


def _check(joint: Joint) -> None:
    where = f"joint {joint.name!r} joins {len(joint.bodies)} bodies"
    if joint.type in pairs.PAIRS and not pairs.PAIRS[joint.type].shared:
        options = ", ".join(f"{pair.symbol} ({pair.name})" for pair in pairs.PAIRS.values() if pair.shared)
        raise MechanismError(
            f"{where}, which is possible for {options}, but not for {joint.type}; describe its pairs one by one"
        )
    repeated = next((body for body in joint.bodies if joint.bodies.count(body) > 1), None)
    if repeated is not None:
        raise DuplicateNameError(f"joint {joint.name!r} names body {repeated!r} twice")
    if joint.range is not None:
        raise MechanismError(
            f"{where}: a range is that of two of them; state it among the `ranges` of the mechanism, as of "
            f"`joint {pair_name(joint.name, joint.bodies[:2])!r}`"  # type: ignore[arg-type]
        )
    if joint.points is not None or joint.reference:
        key = "points" if joint.points is not None else "reference"
        raise GeometryError(
            f"{where}: they share one `point`, and their angles are zero in the reference configuration; remove `{key}`"
        )


def _between(driver: Driver, joint: Joint) -> Edge:
    joined = listed(joint.bodies)
    if driver.between is None:
        first, second = joint.bodies[:2]
        raise UnknownNameError(
            f"joint {joint.name!r} joins {joined}: name the two bodies between which its driver acts, as in "
            f'between = ["{first}", "{second}"]'
        )
    for body in driver.between:
        if body not in joint.bodies:
            raise UnknownNameError(
                f"a driver of joint {joint.name!r} acts between {_and(driver.between)}, but the joint joins "
                f"{joined}{hint(body, joint.bodies)}"
            )
    if len(driver.between) != 2 or driver.between[0] == driver.between[1]:
        raise MechanismError(f"a driver of joint {joint.name!r} must act between two different bodies of {joined}")
    return driver.between[0], driver.between[1]


def _plain(driver: Driver, joint: Joint | None) -> Driver:
    """A driver of a joint of two bodies, which it may name in their order."""
    if driver.between is None or joint is None:
        return driver
    if tuple(driver.between) != tuple(joint.bodies):
        raise UnknownNameError(
            f"the driver of joint {driver.joint!r} acts between {' and '.join(joint.bodies)}, in this order; "
            f"not {_and(driver.between)}"
        )
    return replace(driver, between=None)


def _and(bodies: Sequence[str]) -> str:
    return " and ".join(bodies) if len(bodies) == 2 else listed(bodies)
