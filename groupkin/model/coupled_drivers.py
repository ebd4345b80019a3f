"""Coupled drivers: freedoms that are linear functions of driven ones, by gears, racks and couplings of angles.

A body on one hinge or slide and one such relation is a group of its own. Where all other coordinates in the relation
follow linearly from drivers, so does its freedom: with all whole turns, in closed form, and it drives the body.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from groupkin.mechanism.couplings.couplings import Coupling
from groupkin.mechanism.couplings.relations import Relation
from groupkin.mechanism.formulas.syntax import Node, Number, Operation, Reading
from groupkin.mechanism.mechanism import Joint, Mechanism
from groupkin.mechanism.pairs import Form
from groupkin.model.geometry.coordinates import coordinates, placement, reference_coordinates, relation, whole_turns
from groupkin.model.geometry.geometry import Geometry
from groupkin.structure.decomposition import Group
from groupkin.tolerances import LINEAR
from sglibrary.array_types import Array, Flags
from sglibrary.traced import samples

Freedom = tuple[str, int]
"""A freedom of a joint, by the joint's name and the index of the freedom."""

Path = tuple[tuple[str, bool], ...]
"""Joints from one body to another, each with whether it leads from its first body to its second."""

STEP = 0.1
"""Change of a coordinate (rad, or relative to the size) over which its effect is measured: far from any whole turn."""

SHARES = ((2.0, 4.0, 6.0), (-4.0, 2.0, -2.0), (6.0, -8.0, 4.0))
"""Multiples of the step by which joints move together to examine whether a relation is linear: any that are unlike."""


@dataclass(frozen=True)
class CoupledDriver:
    """A freedom that is a linear function of others.

    Attributes
    ----------
    joint : str
        The hinge or slide whose freedom it is.
    pair : str
        The joint with two coupled moves that relates it to others; empty if a coupling does.
    coupling : str
        The coupling that relates it to others; empty if a pair does.
    paths : dict of Freedom to Path
        Of the pair (the key is its name and 0) the path between its two bodies; of a coupling the path from the frame
        to every body whose angle it takes.
    """

    joint: str
    pair: str
    coupling: str
    paths: Mapping[Freedom, Path]


@dataclass(frozen=True, eq=False)
class Combination:
    """A linear function of freedoms: a constant (...), and coefficients (...) of freedoms; rad and m.

    `valid` (...) tells whether it holds. Changed dimensions may end that, if gears are off the axes of their bearings.
    """

    constant: Array
    factors: dict[Freedom, Array]
    valid: Flags


def coupled_drivers(
    mechanism: Mechanism, groups: Iterable[Group], geometry: Geometry | None = None
) -> dict[int, CoupledDriver]:
    """Find the groups, by number, whose body moves by a coupled driver.

    Parameters
    ----------
    mechanism : Mechanism
    groups : iterable of Group
        In solving order.
    geometry : Geometry, optional
        Of one mechanism, with which it is examined whether the relations are linear; default: they are known to be.
    """
    known = {(name, index) for name, drivers in mechanism.driven.items() for index in drivers}
    found: dict[int, CoupledDriver] = {}
    for group in groups:
        coupled = _of_group(mechanism, group, known)
        if coupled is not None and (geometry is None or _takes(mechanism, geometry, coupled)):
            found[group.number] = coupled
            known.add((coupled.joint, 0))
    return found


def led_groups(mechanism: Mechanism, groups: Iterable[Group], geometry: Geometry) -> frozenset[int]:
    """Find the groups, by number, whose body a linear relation to hinges and slides leads, driven or not.

    They have one configuration, whatever teeth of gears mesh.
    """
    every = {(joint.name, 0) for joint in mechanism.joints if _is_simple(mechanism, joint)}
    every |= {(name, index) for name, drivers in mechanism.driven.items() for index in drivers}
    found = ((group.number, _of_group(mechanism, group, every)) for group in groups)
    return frozenset(k for k, led in found if led is not None and _takes(mechanism, geometry, led))


def combination(mechanism: Mechanism, geometry: Geometry, coupled: CoupledDriver) -> Combination:
    """Express a coupled driver by the freedoms that it depends on, for the geometry of one mechanism or of variants."""
    effects = _effects(mechanism, geometry, coupled)
    valid = _is_linear(mechanism, geometry, coupled, effects)
    starts = {freedom: _start(mechanism, geometry, freedom) for freedom in effects.slopes}
    own = coupled.joint, 0
    by_own = effects.slopes.pop(own)
    constant = starts[own] - effects.gap / by_own
    factors = {freedom: -slope / by_own for freedom, slope in effects.slopes.items()}
    for freedom, factor in factors.items():
        constant = constant - factor * starts[freedom]
    return Combination(np.asarray(constant), factors, valid)


# --- which groups ------------------------------------------------------------------------------


def _of_group(mechanism: Mechanism, group: Group, known: set[Freedom]) -> CoupledDriver | None:
    """Find the coupled driver of a group; None if it has another shape, or depends on freedoms that are not known."""
    joints = mechanism.chosen_joints(group.external)
    hinges = [joint for joint in joints if _is_simple(mechanism, joint) and not mechanism.driven.get(joint.name)]
    others = [joint for joint in joints if joint not in hinges]
    if len(group.bodies) != 1 or len(hinges) != 1 or len(others) + len(group.couplings) != 1:
        return None
    own = hinges[0].name, 0
    if group.couplings:
        return _by_coupling(mechanism, mechanism.relations[group.couplings[0]], own, known)
    pair = others[0]
    if mechanism.form(pair).coupled is None or mechanism.driven.get(pair.name):
        return None
    path = _path(mechanism, pair, known | {own})
    if path is None or own[0] not in {name for name, _ in path}:
        return None
    return CoupledDriver(own[0], pair.name, "", {(pair.name, 0): path})


def _by_coupling(mechanism: Mechanism, relation: Relation, own: Freedom, known: set[Freedom]) -> CoupledDriver | None:
    """Find the coupled driver that a coupling makes of a freedom; None if it makes none."""
    if not _is_linear_formula(relation.coupling):
        return None
    paths: dict[Freedom, Path] = {}
    for each in relation.coordinates:
        if each.joint.name in mechanism.joint:
            if each.name not in known | {own}:
                return None
            continue
        path = _path(mechanism, each.joint, known | {own}) if each.freedom.rotation else None
        if path is None:
            return None
        paths[each.name] = path
    named = {each.name for each in relation.coordinates} | {(name, 0) for path in paths.values() for name, _ in path}
    return CoupledDriver(own[0], "", relation.coupling.name, paths) if own in named else None


def _is_linear_formula(coupling: Coupling) -> bool:
    """Tell whether a coupling is a formula that adds quantities, each times a number."""

    def constant(node: Node) -> bool:
        return isinstance(node, Number) or (isinstance(node, Operation) and all(map(constant, node.operands)))

    def linear(node: Node) -> bool:
        if isinstance(node, Reading) or constant(node):
            return True
        assert isinstance(node, Operation)
        match node.name, node.operands:
            case (("+" | "-" | "plus" | "minus"), operands):
                return all(map(linear, operands))
            case "*", (first, second):
                return (constant(first) and linear(second)) or (linear(first) and constant(second))
            case "/", (first, second):
                return linear(first) and constant(second)
        return False

    return coupling.tree is not None and linear(coupling.tree)


def _is_simple(mechanism: Mechanism, joint: Joint) -> bool:
    """Tell whether a joint is a hinge or a slide."""
    form = mechanism.form(joint)
    return joint.type in ("R", "P") and (form.hinge or form.slide)


def _path(mechanism: Mechanism, between: Joint, known: set[Freedom]) -> Path | None:
    """Find the shortest path between the bodies of a joint over hinges and slides that are known; None without one."""
    start, end = between.bodies
    reached: dict[str, Path] = {start: ()}
    waiting = [start]
    for body in waiting:
        for joint in mechanism.joints_of[body]:
            forward = joint.bodies[0] == body
            other = joint.bodies[forward]
            if other in reached or (joint.name, 0) not in known or not _is_simple(mechanism, joint):
                continue
            reached[other] = (*reached[body], (joint.name, forward))
            waiting.append(other)
    return reached.get(end)


def _takes(mechanism: Mechanism, geometry: Geometry, coupled: CoupledDriver) -> bool:
    """Tell whether a relation takes the own freedom, and is linear."""
    effects = _effects(mechanism, geometry, coupled)
    # the angle of a body on a slide stays as it is
    takes = np.abs(effects.slopes.get((coupled.joint, 0), np.zeros(()))) > LINEAR
    return bool(takes) and bool(_is_linear(mechanism, geometry, coupled, effects))


# --- what they are -----------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class _Effects:
    """What a relation misses in the reference configuration, and its derivatives by freedoms."""

    gap: Array
    slopes: dict[Freedom, Array]


def _effects(mechanism: Mechanism, geometry: Geometry, coupled: CoupledDriver) -> _Effects:
    if coupled.pair:
        return _of_pair(mechanism, geometry, coupled)
    return _of_coupling(mechanism, geometry, coupled)


def _of_coupling(mechanism: Mechanism, geometry: Geometry, coupled: CoupledDriver) -> _Effects:
    relation = mechanism.relations[coupled.coupling]
    values = []
    for each in relation.coordinates:
        form = mechanism.form(each.joint)
        values.append(reference_coordinates(form, geometry.joints[each.joint.name])[each.move] + each.offset)
    gap = relation.jet([(value,) for value in values])[0] - relation.kept(values)
    slopes: dict[Freedom, Array] = {}
    for each, slope in zip(relation.coordinates, relation.gradient([0.0] * len(values)), strict=True):
        steps: tuple[tuple[Freedom, float], ...] = ((each.name, 1.0),)
        if each.name in coupled.paths:
            steps = tuple(
                ((name, 0), 1.0 if forward else -1.0)
                for name, forward in coupled.paths[each.name]
                if mechanism.form(mechanism.joint[name]).hinge
            )
        for freedom, sign in steps:
            slopes[freedom] = slopes.get(freedom, np.zeros(())) + sign * slope
    return _Effects(np.asarray(gap), slopes)


def _of_pair(mechanism: Mechanism, geometry: Geometry, coupled: CoupledDriver) -> _Effects:
    pair = mechanism.joint[coupled.pair]
    form, stated = mechanism.form(pair), geometry.joints[pair.name]
    assert form.coupled is not None
    (path,) = coupled.paths.values()
    start = _moves_along(mechanism, geometry, pair, path, {})
    reference = reference_coordinates(form, stated)
    weights, value = relation(form, stated)
    pieces = [(weights[..., k], move) for k, move in enumerate(form.coupled)]
    gap = -value
    for weight, move in pieces:
        turns = whole_turns(reference[move] - start[move]) if form.moves[move].rotation else 0.0
        gap = gap + weight * (start[move] + turns)
    slopes: dict[Freedom, Array] = {}
    for name, _ in path:
        step = STEP * _unit(mechanism, geometry, name)
        there = _moves_along(mechanism, geometry, pair, path, {name: step})
        total = np.zeros(())
        for weight, move in pieces:
            change = samples(_change(form, move, start, there)) / step
            total = total + weight * np.round(change)
        slopes[name, 0] = total
    return _Effects(np.asarray(gap), slopes)


def _change(form: Form, move: int, start: Array, there: Array) -> Array:
    """Compute the change (...) of a move, of an angle less than half a turn."""
    change = there[move] - start[move]
    return change - whole_turns(change) if form.moves[move].rotation else change


def _moves_along(
    mechanism: Mechanism, geometry: Geometry, pair: Joint, path: Path, steps: Mapping[str, float]
) -> Array:
    """Compute the values (moves, ...) of a pair whose bodies are connected by a path, some of its joints stepped."""
    d = mechanism.dimension
    turn, shift = np.eye(d), np.zeros(d)
    for name, forward in path:
        joint, stated = mechanism.joint[name], geometry.joints[name]
        form = mechanism.form(joint)
        values = reference_coordinates(form, stated) + steps.get(name, 0.0)
        rotation, away = placement(form, values, stated.bend, d)
        first, second = stated.frames[..., 0, :, :], stated.frames[..., 1, :, :]
        own = first @ rotation @ second.swapaxes(-1, -2)
        at = stated.points[..., 0, :] + _times(first, away) - _times(own, stated.points[..., 1, :])
        if not forward:
            own = own.swapaxes(-1, -2)
            at = -_times(own, at)
        turn, shift = turn @ own, shift + _times(turn, at)
    stated = geometry.joints[pair.name]
    back = stated.frames[..., 0, :, :].swapaxes(-1, -2)
    away = _times(back, shift + _times(turn, stated.points[..., 1, :]) - stated.points[..., 0, :])
    return coordinates(mechanism.form(pair), back @ turn @ stated.frames[..., 1, :, :], away, stated.bend)


def _times(matrix: Array, vector: Array) -> Array:
    """Multiply matrices (..., d, d) by vectors (..., d)."""
    return np.asarray((matrix @ vector[..., None])[..., 0])


def _unit(mechanism: Mechanism, geometry: Geometry, joint: str) -> float:
    """1 rad, or the size in m."""
    return 1.0 if mechanism.form(mechanism.joint[joint]).hinge else geometry.size


def _start(mechanism: Mechanism, geometry: Geometry, freedom: Freedom) -> Array:
    """Value (...) of a freedom in the reference configuration, rad or m."""
    form = mechanism.form(mechanism.joint[freedom[0]])
    return np.asarray(reference_coordinates(form, geometry.joints[freedom[0]])[form.places[freedom[1]]])


def _is_linear(mechanism: Mechanism, geometry: Geometry, coupled: CoupledDriver, effects: _Effects) -> Flags:
    """Tell whether a relation is linear (...), as that of gears is whose centers lie on their bearings."""
    if not coupled.pair:
        return np.array(True)
    pair = mechanism.joint[coupled.pair]
    form = mechanism.form(pair)
    assert form.coupled is not None
    (path,) = coupled.paths.values()
    start = _moves_along(mechanism, geometry, pair, path, {})
    ratios = relation(form, geometry.joints[pair.name])[0]
    weights = [ratios[..., k] for k in range(2)]
    unit = [1.0 if form.moves[move].rotation else geometry.size for move in form.coupled]
    scale = sum(abs(weight) * size for weight, size in zip(weights, unit, strict=True))
    linear = np.array(True)
    for shares in SHARES:
        steps = {name: STEP * shares[k % 3] * _unit(mechanism, geometry, name) for k, (name, _) in enumerate(path)}
        there = _moves_along(mechanism, geometry, pair, path, steps)
        expected = sum(effects.slopes[name, 0] * step for name, step in steps.items())
        changes = [_change(form, move, start, there) for move in form.coupled]
        reached = sum(weight * change for weight, change in zip(weights, changes, strict=True))
        linear = linear & (np.abs(np.asarray(reached - expected)) <= LINEAR * scale)
    return np.asarray(linear, bool)
