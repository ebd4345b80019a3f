"""Coordinates of joints as expressions of the frames on their two bodies, and their rates."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache, partial
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from groupkin.mechanism.formulas.evaluation import derivatives
from groupkin.mechanism.pairs import Form
from groupkin.model.geometry.coordinates import Placement, directed_coordinates, with_sign
from groupkin.model.geometry.frames import JointGeometry
from sglibrary.code.graph import Expr, Graph, Key
from sglibrary.code.instructions import compute_rows
from sglibrary.traced import Trace, Traced

Array = NDArray[np.float64]


def relative(ends: NDArray[Any]) -> Placement:
    """Place the second of two frames in the first.

    Parameters
    ----------
    ends : (2, d + 1, d, ...) array
        Of each frame its axes, and then its origin.
    """
    (first, start), (second, end) = ((vectors[:-1], vectors[-1]) for vectors in ends)
    rotation = np.einsum("ic...,jc...->...ij", first, second)
    return rotation, np.einsum("ic...,c...->...i", first, end - start)


def coordinate_expressions(form: Form, ends: NDArray[Any], constants: Sequence[Expr]) -> list[Expr]:
    """Write the values of the moves of a joint without a curve as expressions.

    Parameters
    ----------
    form : Form
    ends : (2, d + 1, d) array of Expr
        The two frames, as `relative` takes them.
    constants : sequence of Expr
        Those of `constants_of`.
    """
    trace = Trace(constants[0].graph)
    traced = np.frompyfunc(lambda x: Traced(trace, x.at, 1.0), 1, 1)
    sign, *bend = map(traced, constants)
    turn = np.array(bend).reshape(3, 3) if bend else None
    values = directed_coordinates(form, *relative(traced(ends)[..., None]), turn, sign)
    return [trace.graph.values[x.node] for x in values[:, 0]]


def constants_of(form: Form, geometry: JointGeometry, dimension: int, read: Callable[[int], Any]) -> list[Any]:
    """Compute what coordinates depend on beside the frames: a sign, and the entries of a fixed turn if there is one.

    Parameters
    ----------
    form : Form
    geometry : JointGeometry
    dimension : {2, 3}
    read : callable
        Numbers (...) of the two frames, which `relative` takes, by their place.
    """
    sign: Array | float = 1.0
    if form.geared:
        rows = np.array(np.broadcast_arrays(*map(read, range(2 * dimension * (dimension + 1)))))
        ends = rows.reshape(2, dimension + 1, dimension, *rows.shape[1:])
        sign = with_sign(form, geometry, *relative(ends))[1]
    bend = geometry.bend
    return [sign, *(() if bend is None else np.moveaxis(bend, (-2, -1), (0, 1)).reshape(9, *bend.shape[:-2]))]


def coordinate_rates(
    form: Form, geometry: JointGeometry, dimension: int, read: Callable[[int, int], Array], order: int = 1
) -> Array:
    """Compute the rates (moves, ...) of the moves of a joint without a curve, or their accelerations; m, rad, s.

    Parameters
    ----------
    form : Form
    geometry : JointGeometry
    dimension : {2, 3}
    read : callable
        Numbers (...) of the two frames by the order of the derivative by time and their place.
    order : {1, 2}
    """
    text, leaves = _rates_list(form, dimension, geometry.bend is not None, order)
    constants, count = constants_of(form, geometry, dimension, partial(read, 0)), 2 * dimension * (dimension + 1)
    rows = [constants[k] if kind == "c" else read(*divmod(k, count)) for kind, k in leaves]
    return np.array(np.broadcast_arrays(*compute_rows(text, rows)))


@cache
def _rates_list(form: Form, dimension: int, bent: bool, order: int) -> tuple[str, list[Key]]:
    """Write the instruction list of a derivative of all moves, and list the leaves that it reads."""
    graph, shape = Graph(), (2, dimension + 1, dimension)
    ends = np.array([graph.value("x", k) for k in range((order + 1) * prod(shape))]).reshape(order + 1, *shape)
    constants = [graph.value("c", k) for k in range(10 if bent else 1)]
    rates = dict(zip(ends[:-1].flat, ends[1:].flat, strict=True))
    values = derivatives(coordinate_expressions(form, ends[0], constants), rates, order)[-1]
    text, read = graph.rows(values)
    return text, [graph.keys[leaf.at] for leaf in read]
