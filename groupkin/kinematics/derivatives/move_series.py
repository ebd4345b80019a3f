"""The lines of the moves of a joint along a motion, as series in time.

The axes of the moves, and points on them, are found from the first frame of the joint, each carried by the moves before
it. The rates of the moves follow from the twist of the second frame relative to the first, which is the sum of theirs,
and their accelerations from the rate of that sum.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from groupkin.kinematics.motion.motion import Motion
from groupkin.kinematics.rates.freedoms import lines
from groupkin.mechanism.pairs import Form
from groupkin.model.geometry.cam_contact import Flank
from groupkin.model.geometry.frames import JointGeometry
from groupkin.model.trees import padded, upright

Array = NDArray[np.float64]
Z = np.array([0.0, 0.0, 1.0])


@dataclass(frozen=True)
class Line:
    """A move at some order of its derivative by time.

    Attributes
    ----------
    axis, point : (n, 3) arrays
        Of a rotation both, of a displacement the axis.
    bend : (n,) array
        By how much a move along a curve turns, rad/m.
    """

    axis: Array
    point: Array
    bend: Array


@dataclass(frozen=True)
class End:
    """The frame of a joint on a body, and its derivatives by time: spins from the first on, origins from the value."""

    spins: list[Array]
    origins: list[Array]


Lines = list[Line]
Rates = list[Array]
"""Rates (n, moves) of the moves, and accelerations."""


@dataclass(frozen=True)
class Joined:
    """A joint along a motion."""

    form: Form
    geometry: JointGeometry
    first: End
    second: End
    axes: tuple[Array, Array]
    """The frames (n, 3, 3) of the joint on its bodies."""


def line_series(motion: Motion, name: str, orders: int, solved: bool = True) -> tuple[list[Lines], Joined, Rates]:
    """Compute the lines of all moves of a joint, and their derivatives by time up to the second, in that order.

    Parameters
    ----------
    motion : Motion
    name : str
        Of the joint.
    orders : int
        Of the highest derivative.
    solved : bool
        See `groupkin.kinematics.rates.freedoms.lines`.

    Returns
    -------
    list of list of Line
        By the order of the derivative, and by move.
    Joined
    list of (n, moves) array
        Rates of the moves, and accelerations.
    """
    program = motion.program
    mechanism = program.structure.solved_as if solved else program.mechanism
    geometry = (program.solved_geometry if solved else program.geometry).joints[name]
    bodies, form = mechanism.joint[name].bodies, mechanism.form(mechanism.joint[name])
    first, second = (_end(motion, body, point, orders) for body, point in zip(bodies, geometry.points, strict=True))
    axes = [upright(motion.rotation(body) @ frame) for body, frame in zip(bodies, geometry.frames, strict=True)]
    joined = Joined(form, geometry, first, second, (axes[0], axes[1]))
    found = [[Line(*each) for each in zip(*lines(motion, name, solved), strict=True)]]
    derived = _of_chain if geometry.contact is None else _of_contact
    rates: Rates = []
    for order in range(1, orders + 1):
        rates.append(_rates(found, joined, rates))
        coordinates = motion.joint(name).T if geometry.contact is not None else rates[0]
        found.append(derived(found, joined, rates, order, coordinates))
    return found, joined, rates


def twists(found: list[Lines], joined: Joined, order: int) -> Array:
    """Twists (n, 6, moves) of all moves about the origin of the second frame, or their first derivatives."""
    center = joined.second.origins
    columns = []
    for k, move in enumerate(joined.form.moves):
        now = [moves[k] for moves in found]
        curve = joined.geometry.contact is not None and (k == 0 or joined.geometry.contact.follower == "curve")
        if not (move.rotation or curve):
            columns.append(_column(np.zeros_like(now[0].axis), now[order].axis))
            continue
        spins = [line.bend[:, None] * Z if curve else line.axis for line in now]
        arms = [center[i] - line.point for i, line in enumerate(now)]
        moment = np.sum([np.cross(spins[i], arms[order - i]) for i in range(order + 1)], axis=0)
        columns.append(_column(spins[order], moment + now[order].axis if curve else moment))
    if joined.geometry.contact is not None and joined.geometry.contact.follower == "curve":
        columns[1] = -columns[1]  # along the curve of the second body
    return np.stack(columns, axis=-1)


def _column(spin: Array, velocity: Array) -> Array:
    return np.concatenate([spin, velocity], axis=1)


def _end(motion: Motion, body: str, point: Array, orders: int) -> End:
    read = [motion.angular_velocity, motion.angular_acceleration][:orders]
    spins = [spin if spin.ndim > 1 else spin[:, None] * Z for spin in (of(body) for of in read)]
    return End(spins, [padded(motion.point_on(body, point, order)) for order in range(orders + 1)])


def _rates(found: list[Lines], joined: Joined, rates: Rates) -> Array:
    """The next derivative of the coordinates: from the twist of the second frame relative to the first."""
    first, second = joined.first, joined.second
    order = len(rates)
    way = [b - a for a, b in zip(first.origins, second.origins, strict=True)]
    spin, shift = second.spins[order] - first.spins[order], way[order + 1] - np.cross(first.spins[order], way[0])
    whole = _column(spin, shift)
    if order == 1:
        whole[:, 3:] -= np.cross(first.spins[0], way[1])
        whole -= np.einsum("nik,nk->ni", twists(found, joined, 1), rates[0])
    return np.einsum("nki,ni->nk", np.linalg.pinv(twists(found, joined, 0)), whole)


def _turned(spins: list[Array], vector: Array, order: int) -> Array:
    """Derivative of a vector that turns with a frame."""
    once = np.cross(spins[order - 1], vector)
    return once if order == 1 else once + np.cross(spins[0], np.cross(spins[0], vector))


def _of_chain(found: list[Lines], joined: Joined, rates: Rates, order: int, _: Array) -> Lines:
    """Derivatives of lines, each of which is carried by the moves before it."""
    spins, before, origin = list(joined.first.spins), joined.first.origins[0], joined.first.origins[order]
    out: Lines = []
    for k, move in enumerate(joined.form.moves):
        axis, point = found[0][k].axis, found[0][k].point
        origin = origin + _turned(spins, point - before, order)
        turned = _turned(spins, axis, order)
        out.append(Line(turned, origin, np.zeros(len(axis))))
        before, rate, last = point, rates[0][:, k : k + 1], rates[-1][:, k : k + 1]
        along = axis * last + (2.0 if not move.rotation else 1.0) * (
            np.cross(spins[0], axis) * rate if order == 2 else 0.0
        )
        if not move.rotation:
            origin = origin + along
        elif order == 1:
            spins = [spins[0] + along]
        else:
            spins = [spins[0] + axis * rate, spins[1] + along]
    return out


def _of_contact(found: list[Lines], joined: Joined, rates: Rates, order: int, coordinates: Array) -> Lines:
    """Derivatives of the lines of a cam."""
    contact, ends = joined.geometry.contact, (joined.first, joined.second)
    assert contact is not None

    def along(side: int) -> Line:
        flank, u = contact.flanks[side], coordinates[:, side]
        end, axes, speeds = ends[side], joined.axes[side], [rate[:, side] for rate in rates]

        def placed(function: Callable[[int], Array], order: int) -> Array:
            """Derivative of a vector given along the curve, in the frame that carries the curve."""
            vector, *more = ((axes @ padded(function(i))[..., None])[..., 0] for i in range(order + 1))
            relative = more[0] * speeds[-1][:, None]
            if order == 2:
                relative = relative + more[1] * speeds[0][:, None] ** 2
                relative = relative + 2.0 * np.cross(end.spins[0], more[0] * speeds[0][:, None])
            return _turned(end.spins, vector, order) + relative

        axis = placed(lambda i: flank.at(u, 1 + i), order)
        return Line(axis, end.origins[order] + placed(lambda i: flank.at(u, i), order), _bent(flank, u, speeds))

    first = along(0)
    if contact.follower == "curve":
        return [first, along(1)]
    zero = np.zeros(len(first.bend))
    if contact.follower == "":
        return [first, Line(np.zeros_like(first.axis), joined.second.origins[order], zero)]
    # the unit tangent turns with the body and along the bend of the curve
    bends = [moves[0].bend for moves in found]
    turning = [joined.first.spins[0] + Z * (bends[0] * rates[0][:, 0])[:, None]]
    if order == 2:
        more = bends[1] * rates[0][:, 0] + bends[0] * rates[1][:, 0]
        turning.append(joined.first.spins[1] + Z * more[:, None])
    return [first, Line(_turned(turning, found[0][1].axis, order), joined.second.origins[order], zero)]


def _bent(flank: Flank, u: Array, speeds: list[Array]) -> Array:
    """Derivative by time of the bend of a curve, (c' × c'') / c'²."""
    c = [flank.at(u, order) for order in range(5)]

    def crossed(i: int, k: int) -> Array:
        return np.asarray(c[i][:, 0] * c[k][:, 1] - c[i][:, 1] * c[k][:, 0])

    def dot(i: int, k: int) -> Array:
        return np.asarray((c[i] * c[k]).sum(axis=1))

    square = dot(1, 1)
    bend = crossed(1, 2) / square
    first = (crossed(1, 3) - 2.0 * bend * dot(1, 2)) / square
    if len(speeds) == 1:
        return np.asarray(first * speeds[0])
    top = crossed(2, 3) + crossed(1, 4) - 2.0 * bend * (dot(2, 2) + dot(1, 3))
    second = (top - 4.0 * first * dot(1, 2)) / square
    return np.asarray(second * speeds[0] ** 2 + first * speeds[1])
