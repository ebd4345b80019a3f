"""The lines of the moves of a joint along a motion, and their derivatives by time.

The axes of the moves, and points on them, follow from the first frame of the joint, carried by the moves before. The
same code writes them as expressions, whose derivatives are tangents. So are rates of coordinates; those of a cam, which
are found by iteration, follow from the twist of the second frame relative to the first, which is the sum of theirs.
"""

from __future__ import annotations

from functools import cache
from math import prod
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from groupkin.kinematics.motion.joint_coordinates import Placing
from groupkin.kinematics.motion.motion import Motion
from groupkin.mechanism.formulas.evaluation import derivatives
from groupkin.mechanism.mechanism import Joint
from groupkin.mechanism.pairs import Form
from groupkin.model.geometry.coordinate_rates import coordinate_expressions
from groupkin.model.geometry.frames import JointGeometry, turn
from groupkin.model.trees import padded, upright
from sglibrary.code.graph import Graph, Key
from sglibrary.code.instructions import compute_rows
from sglibrary.code.passes.tangent import tangent
from sglibrary.traced import Trace, Traced

Array = NDArray[np.float64]
Frames = list[tuple[Any, Any]]
"""Axes (n, 3, 3) and origin (n, 3), m, of the frames of a joint on its two bodies; may be traced."""


class Lines(NamedTuple):
    """Axes (moves, n, 3) of moves, points on them (moves, n, 3), m, and bends (moves, n), rad/m; or their derivatives.

    A move along a curve also turns what follows, by its bend, about the contact. Others have none.
    """

    axes: Array
    points: Array
    bends: Array


def lines(motion: Motion, joint: str, solved: bool = True) -> Lines:
    """Compute the lines of the moves of a joint, see `stated_joint`."""
    return lines_of(motion, *stated_joint(motion, joint, solved))


def lines_of(motion: Motion, stated: Joint, geometry: JointGeometry) -> Lines:
    """Compute `lines` of a joint with its geometry, whether the mechanism has it or not."""
    return line_series(motion, stated, geometry, 0)[0][0]


def stated_joint(motion: Motion, joint: str, solved: bool = True) -> tuple[Joint, JointGeometry]:
    """Return a joint as it is solved, with what is relaxed or locked, or else as the user described it."""
    program = motion.program
    mechanism = program.structure.solved_as if solved else program.mechanism
    return mechanism.joint[joint], (program.solved_geometry if solved else program.geometry).joints[joint]


def line_series(motion: Motion, stated: Joint, geometry: JointGeometry, orders: int) -> tuple[list[Lines], list[Array]]:
    """Compute the lines of the moves of a joint, and their derivatives by time up to the second.

    Parameters
    ----------
    motion : Motion
    stated : Joint
    geometry : JointGeometry
    orders : int
        Of the highest derivative.

    Returns
    -------
    list of Lines
        By the order of the derivative.
    list of (moves, n) array
        Rates of the moves, and accelerations.
    """
    form, contact = motion.program.mechanism.form(stated), geometry.contact
    pair, n = Placing(stated.bodies, geometry, form), motion.times.size
    values, flanks = pair.values(motion), () if contact is None else contact.flanks
    curves = [[flank.at(u, k) for k in range(3 + orders)] for flank, u in zip(flanks, values, strict=False)]
    sides = list(zip(stated.bodies, geometry.frames, geometry.points, strict=True))[: 1 if contact is None else 2]
    frames = [
        (upright(motion.rotation(body) @ axes), padded(motion.point_on(body, point))) for body, axes, point in sides
    ]
    follower = None if contact is None else contact.follower
    found = [_lines(form, follower, geometry.bend, frames, values, curves)]
    if not orders:
        return found, []
    text, leaves = _series_list(form, pair.dimension, geometry.bend is not None, follower, orders)
    ends = [row for order in range(orders + 1) for row in motion.ends(stated.bodies, geometry, order)]
    read = {"x": ends, "q": [row for each in curves for c in each for row in c.T]}
    read["c"] = pair.constants(motion) if contact is None else []
    rows = np.array([np.broadcast_to(x, n) for x in compute_rows(text, [read[kind][k] for kind, k in leaves])])
    rates, every = np.split(rows.reshape(orders, len(form.moves), 8, n), [1], axis=2)
    found += [Lines(x[:, :3].swapaxes(1, 2), x[:, 3:6].swapaxes(1, 2), x[:, 6]) for x in every]
    return found, list(rates[:, :, 0])


@cache
def _series_list(form: Form, dimension: int, bent: bool, follower: str | None, orders: int) -> tuple[str, list[Key]]:
    """Write the list of the rates of moves and of the derivatives of their lines, and list the leaves that it reads."""
    graph, shape = Graph(), (2, dimension + 1, dimension)
    trace = Trace(graph)
    traced = np.frompyfunc(lambda x: Traced(trace, x.at, 1.0), 1, 1)
    expressed = np.frompyfunc(lambda x: graph.values[trace.node(x)], 1, 1)
    ends = np.array([graph.value("x", k) for k in range((orders + 1) * prod(shape))]).reshape(-1, *shape)
    rates = dict(zip(ends[:-1].flat, ends[1:].flat, strict=True))
    frames: list[Frames] = [
        [(upright(side[:-1].T[None]), padded(side[-1][None])) for side in traced(each)] for each in ends[:2]
    ]
    if follower is None:
        constants = [graph.value("c", k) for k in range(10 if bent else 1)]
        values = coordinate_expressions(form, ends[0], constants)
        bend = traced(np.array(constants[1:])).reshape(3, 3) if bent else None
        found = _lines(form, follower, bend, frames[0], traced(np.array(values))[:, None], [])
        speeds = tangent(graph, values, rates)
    else:
        sides, kept = 2 if follower == "curve" else 1, 3 + orders
        curves = np.array([graph.value("q", k) for k in range(sides * kept * 2)]).reshape(sides, kept, 2)
        found = _lines(form, follower, None, frames[0], np.zeros((2, 1)), traced(curves)[:, :, None])
        speeds = expressed(_contact_speeds(form, follower, found, *frames))[:, 0].tolist()
        for side, speed in zip(curves, speeds, strict=False):
            rates |= {c: d * speed for c, d in zip(side[:-1].flat, side[1:].flat, strict=True)}
    lines = np.concatenate([found.axes, found.points, found.bends[..., None]], axis=-1)
    moved = np.array(derivatives(speeds, rates, orders - 1))[..., None]
    every = np.array(derivatives(expressed(lines).ravel().tolist(), rates, orders)[1:])
    rows = np.concatenate([moved, every.reshape(*moved.shape[:2], 7)], axis=2)
    text, leaves = graph.rows(rows.ravel().tolist())
    return text, [graph.keys[leaf.at] for leaf in leaves]


def _lines(form: Form, follower: str | None, bend: Any, frames: Frames, values: Any, curves: Any) -> Lines:
    """Compute the lines of moves from the two frames, which may be traced.

    Parameters
    ----------
    form : Form
    follower : str, optional
        Of a cam.
    bend : (3, 3) array, optional
        The fixed turn between two moves.
    frames : Frames
        Of a cam both, of others the first.
    values : (moves, n) array
    curves : sequence of sequences of (n, 2) arrays
        Of each curve of a cam, in its frame: the contact and its derivatives by the coordinate along the curve.
    """
    axes, origin = frames[0]
    if follower is None:
        directions, points = [], []
        for k, move in enumerate(form.moves):
            axes = axes @ bend if k == form.bend else axes
            directions.append(axes[..., move.axis])
            points.append(origin)
            if move.rotation:
                axes = axes @ turn(move.axis, values[k])
            else:
                origin = origin + directions[-1] * values[k][:, None]
        return Lines(np.stack(directions), np.stack(points), np.zeros(values.shape))
    found = [_along(*frame, *curve[:3]) for frame, curve in zip(frames, curves, strict=False)]
    if follower != "curve":
        along = found[0][0]
        unit = along / np.sqrt((along * along).sum(axis=1))[:, None]
        found.append((unit if follower == "face" else axes[..., 2], frames[1][1], 0.0 * found[0][2]))
    return Lines(*(np.stack(x) for x in zip(*found, strict=True)))


def _along(axes: Any, origin: Any, point: Any, first: Any, second: Any) -> tuple[Any, Any, Any]:
    """Derivative of the contact by its coordinate along a curve, the contact, and how the tangent turns."""
    bend = (first[:, 0] * second[:, 1] - first[:, 1] * second[:, 0]) / (first * first).sum(axis=1)
    placed = [np.einsum("nij,nj->ni", axes, padded(x)) for x in (first, point)]
    return placed[0], origin + placed[1], bend


def _contact_speeds(form: Form, follower: str, now: Lines, frames: Frames, rates: Frames) -> Any:
    """Compute the rates (2, n) of the coordinates of a cam, by least squares, from those of its frames."""
    (_, start), (_, center) = frames
    spins = [e[:, 0, 0] * de[:, 1, 0] - e[:, 1, 0] * de[:, 0, 0] for (e, _), (de, _) in zip(frames, rates, strict=True)]
    whole = _twist(spins[1] - spins[0], rates[1][1] - rates[0][1], -spins[0], center - start)
    columns = []
    for k, move in enumerate(form.moves):
        curve = k == 0 or follower == "curve"
        spin = now.bends[k] if curve else np.full(1, float(move.rotation))
        along = now.axes[k] * (1.0 if curve or not move.rotation else 0.0)
        columns.append(_twist(spin, along, spin, center - now.points[k]))
    first, second = columns[0], columns[1] * (-1.0 if follower == "curve" else 1.0)  # along the second body's curve
    a, b, c = (first * first).sum(axis=0), (first * second).sum(axis=0), (second * second).sum(axis=0)
    p, q = (first * whole).sum(axis=0), (second * whole).sum(axis=0)
    return np.stack([c * p - b * q, a * q - b * p]) / (a * c - b * b)


def _twist(spin: Any, velocity: Any, about: Any, arm: Any) -> Any:
    """Twist (3, n) in the plane: an angular velocity, and a velocity with that by a rotation of an arm."""
    return np.stack([spin, velocity[:, 0] - about * arm[:, 1], velocity[:, 1] + about * arm[:, 0]])
