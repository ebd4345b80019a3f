"""Schemes and tables of the groups that are solved by iteration (`sglibrary.iterative.tables`)."""

from __future__ import annotations

import math
from collections.abc import Container

import numpy as np

from groupkin.kinematics.program.program import TIME_ROW, Pose
from groupkin.mechanism.couplings.relations import Relation
from groupkin.model import trees
from groupkin.model.geometry.cam_contact import Flank
from sglibrary.array_types import Array, Ints
from sglibrary.code.graph import Graph
from sglibrary.iterative import kinds
from sglibrary.iterative.tables import given_rows, table_rows
from sglibrary.straight.scheme import Coupling, Equation, Move, Rod, Scheme
from sglibrary.tolerances import CLOSED


def pack(
    tree: trees.Tree,
    bodies: tuple[str, ...],
    poses: dict[str, Pose],
    drivers: dict[tuple[str, int], int],
    fixed: Container[int],
    size: float,
    misfit: float = 0.0,
) -> tuple[Scheme, Ints, Array]:
    """Scheme and tables of a tree whose bodies have the given poses.

    Parameters
    ----------
    tree : Tree
    bodies : tuple of str
        Those of the group.
    poses : dict of str to Pose
    drivers : dict of (str, int) to int
        First row of every driver, by joint and freedom.
    fixed : container of int
        Rows of the state that never change.
    size : float
        Of the mechanism, m, by which lengths are divided.
    misfit : float
        What rows that repeat others may miss, as `Mechanism.misfit`.

    Returns
    -------
    scheme : Scheme
    rows : (k,) array of int
    constants : (..., c) array
        With the leading axes of variants.
    """
    constants: list[Array] = [np.array([size, max(CLOSED, misfit)])]
    for body in tree.solved:
        origin = tree.seats[body].place(trees.padded(poses[body].origin))
        constants += [origin / size, _flat(trees.upright(poses[body].directions))]
    moves = _moves(tree, count(constants))
    for move in tree.moves:
        constants += [_flat(move.turn), move.shift / size, np.array([move.sign / _unit(move, size)])]
    for equation in tree.equations:
        vectors, value = _relative(tree, equation, size)
        constants += [_flat(vectors), np.asarray(value)[..., None]]
    for body in bodies:
        seat, pose = tree.seats[body], poses[body]
        local = seat.directions(trees.upright(pose.directions))
        constants += [seat.place(trees.padded(pose.origin)) / size, _flat(local.swapaxes(-1, -2))]
    for rod in tree.rods:
        constants += [rod.tip / size, rod.end / size, np.asarray(rod.side)[..., None]]
    equations, functions, given = _equations(tree, size, constants)
    curves, pieces = _curves(tree, size)
    curve_data = count(constants)
    constants += [pieces, *(np.stack(move.start, axis=-1) / _unit(move, size) for move in tree.moves if move.free)]
    solved = [poses[body] for body in tree.solved]
    points, directions = [pose.point for pose in solved], [row for pose in solved for row in pose.vectors]
    driven = [drivers[move.driven] for move in tree.moves if move.driven is not None]
    outputs = [row for body in bodies for row in (poses[body].point, *poses[body].vectors)]
    counts = tree.unknowns, tree.variables, tree.count, given, len(moves) if curves else 0
    scheme = Scheme(
        tree.dimension,
        counts,
        tuple(row in fixed for row in points + directions),
        moves,
        equations,
        tuple(tree.seats[body].frame for body in bodies),
        tuple(Rod(rod.first, rod.axes, rod.count, rod.frame) for rod in tree.rods),
        misfit > 0.0 and tree.count > tree.unknowns,
    )
    first_rows = points, directions, driven, outputs
    rows = table_rows(tree.dimension, counts, TIME_ROW, first_rows, moves, curves, functions, curve_data)
    return scheme, rows, joined(constants)


def _moves(tree: trees.Tree, first: int) -> tuple[Move, ...]:
    """Number unknowns, drivers and variables of moves, whose constants begin with number `first`."""
    found, unknown, driver, variable = list[Move](), 0, 0, 0
    for m, move in enumerate(tree.moves):
        free, driven = move.free, move.driven is not None
        numbers = unknown if free else -1, driver if driven else -1, variable if free else -1
        found.append(Move(move.frame, move.kind, move.axis, *numbers, first + 13 * m + 12))
        unknown += (3 if move.kind == kinds.BALL else 1) if free else 0
        driver += driven
        variable += len(move.start) if free else 0
    return tuple(found)


def _equations(tree: trees.Tree, size: float, constants: list[Array]) -> tuple[tuple[Equation, ...], list[int], int]:
    """Equations of a tree, tables and functions among them, and their rows of working memory.

    Numbers of couplings are added to the constants, values divided by their powers of the size, m.
    """
    found, functions, given = list[Equation](), list[int](), 0
    for equation in tree.equations:
        kind, relation, coupling = equation.kind, equation.relation, None
        if relation is not None:
            moves = [tree.moves[m] for m in equation.moves]
            kind, text, address, table = _written(relation)
            coupling = Coupling(equation.moves, count(constants), given, text)
            factors = [move.sign * _unit(move, size) for move in moves]
            offsets = [each.offset for each in relation.coordinates]
            constants.append(np.array([*factors, *offsets, size ** -float(relation.unit[0]), *table]))
            if kind != kinds.FORMULA:
                taken = 1 if kind == kinds.TABLE else len(moves)
                functions += [taken, address, coupling.constants, len(moves), *equation.moves]
                given += given_rows(taken)
        found.append(Equation(kind, equation.first, equation.second, equation.move, coupling))
    return tuple(found), functions, given


def _written(relation: Relation) -> tuple[int, str, int, list[float]]:
    """Kind of a coupling, and the text, address or spline that stand for its formula, function or table."""
    coupling, n = relation.coupling, len(relation.coordinates)
    if coupling.function is not None:
        return kinds.FUNCTION, "", coupling.compiled.address, []
    if coupling.tree is None:
        spline = coupling.spline
        pieces = np.ascontiguousarray(spline.c[::-1].T).ravel()
        return kinds.TABLE, "", 0, [len(spline.x) - 1, float(coupling.closed), *spline.x, *pieces]
    graph = Graph()
    value = relation.expression(graph, [graph.value("w", k) for k in range(n)])
    return kinds.FORMULA, graph.text([(value, f"w {n}")]), 0, []


def _curves(tree: trees.Tree, size: float) -> tuple[list[int], Array]:
    """Rows of the curves of a tree, and the pieces of all, one after another."""
    pieces = [_pieces(flank, size) for flank in tree.curves]
    ends = np.cumsum([0, *map(len, pieces)]).tolist()
    rows = [x for k, flank in enumerate(tree.curves) for x in (ends[k], ends[k + 1], int(flank.curve.closed))]
    return rows, np.concatenate([np.zeros(0), *(x.ravel() for x in pieces)])


def count(constants: list[Array]) -> int:
    """How many numbers there are."""
    return sum(x.shape[-1] for x in constants)


def joined(constants: list[Array]) -> Array:
    """Numbers (..., k) one after another, those of one variant for all."""
    lead = max((x.shape[:-1] for x in constants), key=len)
    return np.concatenate([np.broadcast_to(x, (*lead, x.shape[-1])) for x in constants], axis=-1)


def _flat(matrix: Array) -> Array:
    return matrix.reshape(*matrix.shape[:-2], 9)


def _pieces(flank: Flank, size: float) -> Array:
    """Pieces (n, 14) of a curve, lengths relative to `size`; see `sglibrary.iterative.curves`."""
    at, width = flank.breaks[:-1], np.diff(flank.breaks)
    taylor = np.stack([flank.at(at, k) * size ** (k - 1) / math.factorial(k) for k in range(6)], axis=-1)
    return np.concatenate([at[:, None] / size, width[:, None] / size, taylor[:, 0], taylor[:, 1]], axis=1)


def _unit(move: trees.Move, size: float) -> float:
    return size if move.kind in (kinds.TRANSLATION, kinds.CURVE) else 1.0


def _relative(tree: trees.Tree, equation: trees.Equation, size: float) -> tuple[Array, trees.Number]:
    """Vectors and value of an equation with lengths relative to the mechanism's size."""
    vectors, value = equation.vectors.copy(), equation.value
    if equation.kind in (kinds.COINCIDE, kinds.DISTANCE):
        vectors /= size
    elif equation.kind == kinds.TELESCOPE:
        vectors /= size
        vectors[..., 2, 0] /= size
    elif equation.kind == kinds.OFFSET:
        vectors[..., 1:, :] /= size
    elif equation.kind == kinds.LINEAR:
        for k, move in enumerate((equation.first, equation.second)):
            vectors[..., 0, k] *= _unit(tree.moves[move], size)
    if equation.kind in (kinds.OFFSET, kinds.DISTANCE, kinds.TELESCOPE):
        value = value / size
    if equation.relation is not None:
        value = value * size ** -float(equation.relation.unit[0])
    return vectors, value
