"""What the map of rates needs beside positions, as series in time: twists that are computed, contacts and slopes."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from groupkin.kinematics.motion.coupled_coordinates import coordinate_values
from groupkin.kinematics.motion.motion import Motion
from groupkin.kinematics.rates.lines import Lines, line_series, stated_joint
from groupkin.kinematics.rates.vectors import CONTACT, SLOPE, Computed
from groupkin.mechanism.couplings.relations import Coordinate, Relation
from sglibrary.iterative import kinds

Array = NDArray[np.float64]


def computed_series(motion: Motion, computed: tuple[Computed, ...], middle: Array, length: float, orders: int) -> Array:
    """Compute twists, contacts and slopes as series in time.

    Parameters
    ----------
    motion : Motion
    computed : tuple of Computed
    middle : (d,) array
        The point whose velocity the twists have, m.
    length : float
        The unit of lengths, m.
    orders : int
        Number of coefficients.

    Returns
    -------
    (orders, rows, n) array
        Components of each, of a ball three times as many.
    """
    program, d = motion.program, motion.program.mechanism.dimension
    center = np.zeros(3)
    center[:d] = middle
    coupled = {name for name, _, kind in computed if kind == SLOPE}
    relations = program.structure.solved_as.relations
    of_coupling = {name: _slopes(motion, relations[name], orders) for name in coupled}
    joints = {joint for joint, _, kind in computed if kind != SLOPE}
    of_joint = {joint: line_series(motion, *stated_joint(motion, joint), orders - 1)[0] for joint in joints}
    used = np.arange(6) if d == 3 else np.array([2, 3, 4])
    rows: list[list[Array]] = [[] for _ in range(orders)]
    for joint, number, kind in computed:
        for order in range(orders):
            if kind == SLOPE:
                found = np.zeros((3 * (d - 1), motion.times.size))
                found[0] = of_coupling[joint][order][number]
                rows[order].append(found)
                continue
            moves = [Lines(*(x[number] for x in each)) for each in of_joint[joint]]
            if kind == CONTACT:
                twist = np.concatenate([moves[order].points, np.zeros_like(moves[order].points)], axis=1)
                rows[order].append(twist[:, : 3 * (d - 1)].T)
                continue
            arms = [(move.points - (center if k == 0 else 0.0)) / length for k, move in enumerate(moves)]
            rows[order] += [twist.T[used] for twist in _twists(moves, arms, kind, length, order)]
    factors = np.array([1.0, 1.0, 0.5])[:orders, None, None]
    return np.array([np.concatenate(each) for each in rows]) * factors


def _twists(moves: list[Lines], arms: list[Array], kind: int, length: float, order: int) -> list[Array]:
    """Twists (n, 6) of a move, or of a ball three, at some order of their derivatives."""
    if kind == kinds.TRANSLATION:
        return [np.concatenate([np.zeros_like(moves[order].axes), moves[order].axes], axis=1)]
    if kind == kinds.BALL:
        still = [e if order == 0 else 0.0 * e for e in np.eye(3)]
        return [
            np.concatenate([np.broadcast_to(now, arms[0].shape), np.cross(arms[order], e)], axis=1)
            for now, e in zip(still, np.eye(3), strict=True)
        ]
    curve = kind == kinds.CURVE
    spins = [length * move.bends[:, None] * np.eye(3)[2] if curve else move.axes for move in moves]
    binomial = (1.0, 2.0, 1.0) if order == 2 else (1.0, 1.0)
    moment = sum(binomial[i] * np.cross(arms[i], spins[order - i]) for i in range(order + 1))
    return [np.concatenate([spins[order], moment + moves[order].axes if curve else moment], axis=1)]


def _slopes(motion: Motion, relation: Relation, orders: int) -> list[Array]:
    """Derivatives of a coupling by its coordinates, and their derivatives by time, (k, n) each."""
    series = [_coordinate(motion, each, orders) for each in relation.coordinates]
    return [np.broadcast_to(x, (len(series), motion.times.size)) for x in relation.slope_series(series, orders)]


def _coordinate(motion: Motion, of: Coordinate, orders: int) -> tuple[Array, ...]:
    """The values of a coordinate, and its derivatives by time."""
    program, name = motion.program, of.joint.name
    stated = program.mechanism.joint.get(name, of.joint), program.geometry.joints[name]
    rates = line_series(motion, *stated, orders - 1)[1] if orders > 1 else []
    return (coordinate_values(motion, of), *(each[of.move] for each in rates))
