"""How trees and cuts of a group are chosen: which joints are laid as moves, and which are cut.

A minimum spanning tree of the joints (weight: undriven moves) connects the bodies to solved ones; the other joints are
cut and give equations. A cut joint that is driven, or has no products of its own, is modeled by moves to a phantom
frame that is welded on. Rods (`groupkin.model.rods`) may be left out of tree and cuts: their moves come after those of
the tree, and an equation keeps the distance of their ends.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import networkx as nx
import numpy as np

from groupkin.mechanism.mechanism import Joint, Mechanism
from groupkin.model.coupled_moves import couple, measure
from groupkin.model.geometry.coordinates import reference_coordinates
from groupkin.model.geometry.frames import turn
from groupkin.model.geometry.geometry import Geometry
from groupkin.model.joint_moves import lay
from groupkin.model.rods import Rod, rods
from groupkin.model.trees import Equation, Move, Number, PlacedRod, Seat, Tree, padded, turned, upright
from groupkin.structure.decomposition import Group
from sglibrary.array_types import Array
from sglibrary.iterative import kinds

LOOSE = "floating"
"""In place of a joint's name: a body that floats, as no joint of it can be in the tree."""


def make_tree(mechanism: Mechanism, geometry: Geometry, group: Group, aimed: bool = False) -> Tree:
    """Make the tree and cuts of a group in the reference configuration.

    Parameters
    ----------
    mechanism : Mechanism
    geometry : Geometry
    group : Group
    aimed : bool
        Leave out rods that connect no body to the tree, and place them after it.
    """
    joints = mechanism.chosen_joints(group.external + group.internal)
    left_out = _left_out(mechanism, joints, group) if aimed else []
    tree = _tree_without(mechanism, geometry, group, left_out)
    while left_out and tree.unknowns < LEAST:
        left_out = left_out[:-1]
        tree = _tree_without(mechanism, geometry, group, left_out)
    return tree


LEAST = 2
"""Unknowns that rods must leave: after a gap in its motion, a group of one is often not found again in its mode."""


def _tree_without(mechanism: Mechanism, geometry: Geometry, group: Group, left_out: list[Rod]) -> Tree:
    """Make tree and cuts of what is not left out, and aim what is."""
    joints = {joint.name: joint for joint in mechanism.chosen_joints(group.external + group.internal)}
    measured = {
        each.joint.name: each.joint for name in group.couplings for each in mechanism.relations[name].coordinates
    }
    ends = {b for joint in (*joints.values(), *measured.values()) for b in joint.bodies}
    solved = mechanism.chosen_bodies(ends - set(group.bodies)) or (
        mechanism.frame,
    )  # on which what nothing holds floats
    seats = {body: Seat(k, np.eye(3), _first_point(joints | measured, geometry, body)) for k, body in enumerate(solved)}
    tree = Tree(mechanism.dimension, solved, seats=seats)
    of_rods = {joint.name: rod for rod in left_out for joint in rod.joints}
    in_rods = {body for rod in left_out for body in rod.bodies}
    remaining = [joint for joint in joints.values() if joint.name not in of_rods]
    laid = spanning(mechanism, remaining, tuple(body for body in group.bodies if body not in in_rods))
    for name, body in laid:
        if name == LOOSE:
            tree.seats[body] = _float(tree, geometry.origins[body])
        else:
            joint = joints[name]
            side = 1 - joint.bodies.index(body)
            tree.seats[body] = lay(tree, mechanism, joint, geometry, side, joint.name in measured)
    in_tree = {name for name, _ in laid}
    for joint in remaining:
        if joint.name not in in_tree:
            first = len(tree.equations)
            _cut(tree, mechanism, joint, geometry, joint.name in measured)
            tree.equations[first:] = [replace(equation, joint=joint.name) for equation in tree.equations[first:]]
    for name, joint in measured.items():
        if name not in joints:
            measure(tree, mechanism, joint, geometry, _used(mechanism, group, name))
    for rod in left_out:  # whose moves are the last ones
        _aim(tree, mechanism, rod, geometry)
    for name in group.couplings:
        couple(tree, mechanism.relations[name])
    return tree


def _used(mechanism: Mechanism, group: Group, joint: str) -> set[int]:
    """Numbers of the freedoms of a joint that the couplings of a group take."""
    of = [each for name in group.couplings for each in mechanism.relations[name].coordinates]
    return {each.index for each in of if each.joint.name == joint}


def _first_point(joints: Mapping[str, Joint], geometry: Geometry, body: str) -> Array:
    """Choose the origin (..., 3) of a solved body's frame: a joint of the group, as the body's origin may be far."""
    joint = next((joint for joint in joints.values() if body in joint.bodies), None)
    if joint is None:
        return padded(geometry.origins[body])
    return padded(geometry.joints[joint.name].points[..., joint.bodies.index(body), :])


def _left_out(mechanism: Mechanism, joints: list[Joint], group: Group) -> list[Rod]:
    """Choose the rods that are not needed to connect the other bodies to solved ones, and that no coupling touches."""
    bodies, touched = group.bodies, {b for name in group.couplings for b in mechanism.relations[name].bodies}
    candidates = [rod for rod in rods(mechanism, joints, bodies) if not touched.intersection(rod.bodies)]
    of_rods = {joint.name for rod in candidates for joint in rod.joints}
    graph = nx.Graph()
    for joint in joints:
        form = mechanism.form(joint)
        if joint.name not in of_rods and form.held is None and not form.curved:
            graph.add_edge(*(body if body in bodies else "" for body in joint.bodies))
    needed = []
    for rod in candidates:
        ends = [body if body in bodies else "" for body in rod.ends]
        graph.add_nodes_from(ends)
        if not nx.has_path(graph, *ends):
            needed.append(rod)
            graph.add_edge(*ends)
    return [rod for rod in candidates if rod not in needed]


def spanning(mechanism: Mechanism, joints: list[Joint], bodies: tuple[str, ...]) -> list[tuple[str, str]]:
    """Choose the tree's joints, from the solved bodies outward, and the body that each joint places.

    A body whose joints all have to be cut is placed by `LOOSE`.
    """
    graph = nx.MultiGraph()
    for position, joint in enumerate(joints):
        form = mechanism.form(joint)
        if form.held is not None or form.curved:
            continue
        ends = [body if body in bodies else "" for body in joint.bodies]
        driven = len(mechanism.driven.get(joint.name, ()))
        # driven joints first: cut, they would cost a phantom; then the order of declaration, for a stable choice
        weight = (len(form.moves) - driven) - 0.5 * bool(driven) + 1e-6 * position
        graph.add_edge(*ends, key=joint.name, weight=weight)
    for position, body in enumerate(bodies):
        graph.add_edge("", body, key=LOOSE, weight=100.0 + position)
    tree = nx.MultiGraph()
    tree.add_node("")  # of rods alone there are no edges
    tree.add_edges_from(nx.minimum_spanning_edges(graph, keys=True, data=False))
    return [(next(iter(tree[a][b])), b) for a, b in nx.bfs_edges(tree, "", sort_neighbors=sorted)]


def _float(tree: Tree, origin: Array) -> Seat:
    """Append the moves of a body that floats on the first solved one; return where it is then."""
    frame, shift = 0, tree.seats[tree.solved[0]].place(padded(origin))
    last = (kinds.BALL, 0, (1.0, 0.0, 0.0, 0.0)) if tree.dimension == 3 else (kinds.ROTATION, 2, (0.0,))
    slides = [(kinds.TRANSLATION, axis, (0.0,)) for axis in range(tree.dimension)]
    for kind, axis, start in (*slides, last):
        tree.moves.append(Move(frame, kind, axis, np.eye(3), shift, None, 1.0, start))
        frame, shift = len(tree.solved) + len(tree.moves) - 1, np.zeros(3)
    return Seat(frame, np.eye(3), padded(origin))


def _aim(tree: Tree, mechanism: Mechanism, rod: Rod, geometry: Geometry) -> None:
    """Append the moves of a rod, and the equation of the distance of its ends; of a hinge in space also their plane."""
    foot, top = geometry.joints[rod.foot.name], geometry.joints[rod.top.name]
    first, side = len(tree.moves), rod.foot.bodies.index(rod.ends[0])
    start, other = tree.seats[rod.ends[0]], tree.seats[rod.ends[1]]
    seat = lay(tree, mechanism, rod.foot, geometry, side)
    tree.moves[first:] = [replace(move, aimed=True) for move in tree.moves[first:]]
    axes, move = len(tree.moves) - first, -1
    tree.seats[rod.bodies[0]] = seat
    if rod.slide is not None:
        move = first + axes
        seat = lay(tree, mechanism, rod.slide, geometry, rod.slide.bodies.index(rod.bodies[0]))
        tree.seats[rod.bodies[1]] = seat
    tip = seat.place(padded(top.points[..., rod.top.bodies.index(rod.bodies[-1]), :]))
    end = other.place(padded(top.points[..., rod.top.bodies.index(rod.ends[1]), :]))
    center = start.place(padded(foot.points[..., side, :]))
    reach, kind, growth = tip, kinds.DISTANCE, np.zeros(3)
    if move >= 0:
        slide, kind = tree.moves[move], kinds.TELESCOPE
        at_zero, along = slide.shift + turned(slide.turn, tip), slide.turn[..., slide.axis]
        reach = at_zero + np.asarray(slide.start[0])[..., None] * along
        squares = (at_zero**2).sum(axis=-1), (at_zero * along).sum(axis=-1), np.zeros(())
        growth = np.stack(np.broadcast_arrays(*squares), axis=-1)
    vectors = np.stack(np.broadcast_arrays(center, end, growth), axis=-2)
    tree.equations.append(Equation(kind, start.frame, other.frame, vectors, np.linalg.norm(reach, axis=-1), move))
    if axes == 1 and tree.dimension == 3:
        axis = tree.moves[first].turn[..., tree.moves[first].axis]
        vectors = np.stack(np.broadcast_arrays(axis, end, center), axis=-2)
        tree.equations.append(
            Equation(kinds.OFFSET, start.frame, other.frame, vectors, tip[..., tree.moves[first].axis])
        )
    of_moves = tree.moves[first : first + axes]
    tree.rods.append(PlacedRod(first, axes, len(tree.moves) - first, other.frame, tip, end, _side(of_moves, reach)))


def _side(moves: list[Move], reach: Array) -> Number:
    """Compute on which side of the first axis and the way to its tip the second axis of a rod is in the reference."""
    if len(moves) == 1:
        return 1.0
    first, second = moves
    before, after = (turn(move.axis, np.asarray(move.start[0])) for move in moves)
    across = np.cross(np.eye(3)[first.axis], turned(before @ second.turn @ after, reach))
    return np.sign(((before @ second.turn)[..., second.axis] * across).sum(axis=-1))


WELD = {
    2: ((kinds.COINCIDE,), (kinds.DOT, 0, 1)),
    3: ((kinds.COINCIDE,), (kinds.DOT, 0, 1), (kinds.DOT, 1, 2), (kinds.DOT, 2, 0)),
}
"""Equations of two frames that do not move relative to each other, by dimension."""


def _cut(tree: Tree, mechanism: Mechanism, joint: Joint, geometry: Geometry, measured: bool) -> None:
    """Append the equations of a joint that closes a loop; one that is measured gets its moves."""
    if mechanism.form(joint).curved:
        _touch(tree, mechanism, joint, geometry, measured)
        return
    stated = geometry.joints[joint.name]
    frames, points = upright(stated.frames), padded(stated.points)
    first, second = (tree.seats[body] for body in joint.bodies)
    products = mechanism.form(joint).cut
    if mechanism.driven.get(joint.name) or products is None or measured:
        first = lay(tree, mechanism, joint, geometry, 0, measured)
        tree.welds[first.frame] = first
        frames, points = frames[..., [1, 1], :, :], points[..., [1, 1], :]
        products = WELD[tree.dimension]
    sides = [
        (seat.frame, seat.directions(frames[..., side, :, :]), seat.place(points[..., side, :]))
        for side, seat in enumerate((first, second))
    ]
    form = mechanism.form(joint)
    length = 0.0 if form.held is None else reference_coordinates(form, stated)[form.held]
    _equate(tree, products, sides, np.cos(stated.cross_angle), length)


def _touch(tree: Tree, mechanism: Mechanism, joint: Joint, geometry: Geometry, measured: bool) -> None:
    """Append the equations of a cam: between a frame that moves along the curve, and what touches the curve there.

    A roller is hinged to that frame, a flat face slides on it, and the frame of another curve is welded to it. The
    second freedom is a move where it is driven, or measured by a coupling.
    """
    stated, form = geometry.joints[joint.name], mechanism.form(joint)
    assert stated.contact is not None
    driven, values = mechanism.driven.get(joint.name, {}), reference_coordinates(form, stated)
    frames, points = upright(stated.frames), padded(stated.points)

    def lay(side: int, kind: int, before: Seat, index: int, axis: int) -> Seat:
        name = (joint.name, index) if index in driven else None
        shift, fixed_turn = before.place(points[side]), before.directions(frames[side])
        start = (float(values[index]),)
        tree.moves.append(Move(before.frame, kind, axis, fixed_turn, shift, name, 1.0, start, joint.name, index))
        return Seat(len(tree.solved) + len(tree.moves) - 1, np.eye(3), np.zeros(3))

    def along(side: int) -> Seat:
        assert stated.contact is not None
        tree.curves.append(stated.contact.flanks[side])
        return lay(side, kinds.CURVE, tree.seats[joint.bodies[side]], side, len(tree.curves) - 1)

    center = np.array([0.0, stated.contact.offset, 0.0])
    first, second = along(0), tree.seats[joint.bodies[1]]
    touching, touched, axes = center, second.place(points[1]), second.directions(frames[1])
    products = form.cut
    assert products is not None
    if joint.follower == "curve":
        second = along(1)
        touched, axes = np.zeros(3), np.eye(3)
    elif 1 in driven or measured:
        kind, axis = (kinds.ROTATION, 2) if joint.follower == "" else (kinds.TRANSLATION, 0)
        frames, points, products = np.tile(np.eye(3), (2, 1, 1)), np.array([center, center]), WELD[2]
        first, touching = lay(0, kind, first, 1, axis), np.zeros(3)
    _equate(tree, products, [(first.frame, np.eye(3), touching), (second.frame, axes, touched)])


Side = tuple[int, Array, Array]
"""A frame, and in it three axes, as columns, and a point."""


def _equate(
    tree: Tree, products: tuple[tuple[int, ...], ...], sides: Sequence[Side], cosine: Number = 0.0, length: Number = 0.0
) -> None:
    """Append products of the axes and points of two sides.

    Parameters
    ----------
    tree : Tree
    products : tuple of tuple of int
        Kind of each equation, and numbers of the axes it takes.
    sides : (Side, Side)
    cosine, length : float
        Of the angle between the two z axes, and of the way between the two points, m, where it is constant.
    """
    (frame, axes, point), (other_frame, other_axes, other_point) = sides
    for kind, *numbers in products:
        value, rows = 0.0, [point, other_point, np.zeros(3)]
        if kind == kinds.DISTANCE:
            value = length
        if kind in (kinds.DOT, kinds.OFFSET):
            rows[0] = axes[..., numbers[0]]
        if kind == kinds.DOT:
            rows[1] = other_axes[..., numbers[1]]
            value = cosine if numbers[0] == numbers[1] else 0.0
        if kind == kinds.OFFSET:
            rows[2] = point
        vectors = np.stack(np.broadcast_arrays(*rows), axis=-2)
        tree.equations.append(Equation(kind, frame, other_frame, vectors, value))
