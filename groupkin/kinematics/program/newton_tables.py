"""Tables of the groups that are solved by iteration, as `sglibrary.iterative.newton_tables` reads them."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from groupkin.kinematics.program.program import TIME_ROW, Pose
from groupkin.mechanism.couplings.relations import Relation
from groupkin.model import trees
from groupkin.model.geometry.cam_contact import Flank
from sglibrary.code.bytecode import encode
from sglibrary.code.graph import Graph
from sglibrary.iterative import kinds
from sglibrary.iterative.newton_tables import FORMULA_ROWS, HEADER, LEAST, SCALARS, TEXTS, given_rows
from sglibrary.tolerances import CLOSED

Array = NDArray[np.float64]
Ints = NDArray[np.int64]


def pack(
    tree: trees.Tree,
    bodies: tuple[str, ...],
    poses: dict[str, Pose],
    drivers: dict[tuple[str, int], int],
    size: float,
    misfit: float = 0.0,
) -> tuple[Ints, Array]:
    """Tables of a tree whose bodies have the given poses.

    Parameters
    ----------
    tree : Tree
    bodies : tuple of str
        Those of the group.
    poses : dict of str to Pose
    drivers : dict of (str, int) to int
        First row of every driver, by joint and freedom.
    size : float
        Of the mechanism, m, by which lengths are divided.
    misfit : float
        What rows that repeat others may miss, as `Mechanism.misfit`.

    Returns
    -------
    rows : (k,) array of int
    constants : (..., c) array
        With the leading axes of variants.
    """
    rows: list[int] = [
        *(tree.dimension, tree.unknowns, tree.variables, len(tree.solved)),
        *(len(tree.moves), len(tree.equations), len(bodies), TIME_ROW),
        *(len(tree.moves) - sum(rod.count for rod in tree.rods), len(tree.rods)),
    ]
    relations, formula_numbers, formula_data, given = _relations(tree, size)
    rows += [len(formula_numbers), formula_data.shape[-1]]
    rows += [0] * (HEADER - len(rows))
    rows[FORMULA_ROWS] = given
    rows[SCALARS], rows[LEAST] = tree.count, int(misfit > 0.0 and tree.count > tree.unknowns)
    constants: list[Array] = [np.array([size, max(CLOSED, misfit)])]
    for body in tree.solved:
        rows += _three(poses[body])
        origin = tree.seats[body].place(trees.padded(poses[body].origin))
        constants += [origin / size, _flat(trees.upright(poses[body].directions))]
    unknown = variable = 0
    for move in tree.moves:
        free = move.free
        driver = -1 if move.driven is None else drivers[move.driven]
        rows += [move.frame, move.kind, move.axis, unknown if free else -1, driver, variable if free else -1]
        constants += [_flat(move.turn), move.shift / size, np.array([move.sign / _unit(move, size)])]
        unknown += (3 if move.kind == kinds.BALL else 1) if free else 0
        variable += len(move.start) if free else 0
    for k, equation in enumerate(tree.equations):
        rows += [*relations.get(k, (equation.kind, equation.first)), equation.second, equation.move]
        vectors, value = _relative(tree, equation, size)
        constants += [_flat(vectors), np.asarray(value)[..., None]]
    for body in bodies:
        seat, pose = tree.seats[body], poses[body]
        rows += [seat.frame, *_three(pose)]
        local = seat.directions(trees.upright(pose.directions))
        constants += [seat.place(trees.padded(pose.origin)) / size, _flat(local.swapaxes(-1, -2))]
    for rod in tree.rods:
        rows += [rod.first, rod.axes, rod.count, rod.frame]
        constants += [rod.tip / size, rod.end / size, np.asarray(rod.side)[..., None]]
    rows += formula_numbers
    constants.append(formula_data)
    first = 0
    for flank in tree.curves:
        pieces = _pieces(flank, size)
        rows += [first, first + len(pieces), int(flank.curve.closed)]
        constants.append(pieces.ravel())
        first += len(pieces)
    rows += tree.paths().ravel().tolist()
    rows[TEXTS : TEXTS + 3] = [len(rows)] * 3
    free_moves = [move for move in tree.moves if move.free]
    constants += [np.stack(move.start, axis=-1) / _unit(move, size) for move in free_moves]
    return np.array(rows, np.int64), joined(constants)


def _relations(tree: trees.Tree, size: float) -> tuple[dict[int, tuple[int, int]], list[int], Array, int]:
    """Tables of the couplings of a tree, as `sglibrary.iterative.newton_tables` describes them.

    Values are divided by their powers of the size, m.

    Returns
    -------
    relations : dict of int to (int, int)
        Kind of each equation that is a coupling, and where its numbers begin.
    numbers : list of int
    data : (k,) array
    given : int
        Rows of working memory for tables and functions.
    """
    relations: dict[int, tuple[int, int]] = {}
    numbers: list[int] = []
    data: list[float] = []
    given = 0
    for k, equation in enumerate(tree.equations):
        if equation.relation is None:
            continue
        relation, moves = equation.relation, [tree.moves[m] for m in equation.moves]
        kind, own, table = _written(relation)
        relations[k] = kind, len(numbers)
        numbers += [len(moves), len(data), *equation.moves, *own]
        data += [move.sign * _unit(move, size) for move in moves]
        data += [*(each.offset for each in relation.coordinates), size ** -float(relation.unit[0]), *table]
        given += 0 if kind == kinds.FORMULA else given_rows(1 if kind == kinds.TABLE else len(moves))
    return relations, numbers, np.array(data, float), given


def _written(relation: Relation) -> tuple[int, list[int], list[float]]:
    """Kind of a coupling, and the numbers and the spline that stand for its formula, function or table."""
    coupling, n = relation.coupling, len(relation.coordinates)
    if coupling.function is not None:
        return kinds.FUNCTION, [coupling.compiled.address], []
    if coupling.tree is None:
        spline = coupling.spline
        pieces = np.ascontiguousarray(spline.c[::-1].T).ravel()
        return kinds.TABLE, [], [len(spline.x) - 1, float(coupling.closed), *spline.x, *pieces]
    graph = Graph()
    value = relation.expression(graph, [graph.value("w", k) for k in range(n)])
    code, _ = encode(graph.text([(value, f"w {n}")]), 0)
    return kinds.FORMULA, code.tolist(), []


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


def _three(pose: Pose) -> list[int]:
    return [pose.point, *pose.vectors, *([-1] * (3 - len(pose.vectors)))]
