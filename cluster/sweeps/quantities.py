"""What can be read from the motions of samples: coordinates of points, bodies and joints, for many samples at once.

A quantity follows from points and directions of bodies, and from inner products of them.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from cluster.solving.sources import NOTHING, Source, Vector
from cluster.sweeps.targets import unknown
from groupkin.errors import GroupkinWarning, SweepError
from groupkin.kinematics.program.program import Program
from groupkin.mechanism.mechanism import Joint
from groupkin.mechanism.pairs import Form, freedom_index, nearest
from groupkin.model.geometry.coordinates import coordinates, placement, reference_coordinates, whole_turns
from groupkin.model.geometry.geometry import Geometry
from sglibrary.unwrap import unwrap

if TYPE_CHECKING:
    from cluster.sweeps.description import Sweep
    from groupkin.kinematics.motion.motion import Motion

Array = NDArray[np.float64]
Parts = tuple[Array, ...]
"""Components of a quantity, each of a shape that broadcasts to (samples, times)."""

ORDERS = {"position": 0, "velocity": 1, "acceleration": 2}
SPINS = ("angular_velocity", "angular_acceleration")
KINDS = (*ORDERS, "angle", *SPINS, "rotation", "joint")
"""Of a point or body: position, velocity, acceleration. Of a body: its angle (in the plane, unwrapped), angular
velocity and acceleration, rotation matrix. Of a joint: its coordinates."""


@dataclass(frozen=True)
class Quantity:
    """Something that can be read from a motion.

    Parameters
    ----------
    kind : str
        One of `KINDS`.
    of : str
        Name of a point, body or joint.
    component : str
        x, y, z or ``norm`` of a vector, a freedom of a joint; all components if empty.
    """

    kind: str
    of: str
    component: str = ""

    @property
    def label(self) -> str:
        """A name for it."""
        kind = "" if self.kind == "joint" and self.component else self.kind
        return ".".join(part for part in (self.of, kind, self.component) if part)


@dataclass(frozen=True)
class Reader:
    """What quantities are read from.

    Attributes
    ----------
    sweep : Sweep
    geometry : Geometry
        With a leading axis m of many samples, or of one for all of them.
    source : Source
    """

    sweep: Sweep
    geometry: Geometry
    source: Source

    @property
    def program(self) -> Program:
        """The nominal program."""
        return self.sweep.program


# --- points and directions -------------------------------------------------------------------


def _place(reader: Reader, name: str) -> Vector:
    """A named point, or the origin of a body."""
    if name in reader.geometry.points:
        return (*reader.geometry.points[name], True)
    return name, reader.geometry.origins[name], True


def _columns(reader: Reader, body: str, order: int = 0) -> list[list[Array]]:
    """Columns of the rotation matrix of a body, or of a derivative."""
    axes = np.eye(reader.program.mechanism.dimension)
    return [reader.source.vector((body, axis[None], False), order) for axis in axes]


def _spin(reader: Reader, body: str, order: int) -> Parts:
    """Angular velocity ω = ½ Σ e × e' over the columns of the rotation in space; with e'' angular acceleration."""
    e, de = _columns(reader, body), _columns(reader, body, order)
    if len(e) == 2:
        return (e[0][0] * de[0][1] - e[0][1] * de[0][0],)
    total = [NOTHING] * 3
    for u, du in zip(e, de, strict=True):
        for k in range(3):
            i, j = (k + 1) % 3, (k + 2) % 3
            total[k] = total[k] + 0.5 * (u[i] * du[j] - u[j] * du[i])
    return tuple(total)


def _angle(reader: Reader, body: str) -> Array:
    """Angle (n, t) of a body in the plane: its velocity tells whole turns, the nominal motion that of the first."""
    e = (body, np.array([[1.0, 0.0]]), False)
    (x, y), (dx, dy) = reader.source.vector(e), reader.source.vector(e, 1)
    values = _unwrapped(reader, f"body {body!r}", np.arctan2(y, x), x * dy - y * dx)
    return values + _turns_to(_first(reader.sweep.begun, "angle", body)[0], values)


def _unwrapped(reader: Reader, what: str, angles: Array, rates: Array) -> Array:
    """Angles (n, t) without jumps from step to step; rates (n, 0) if they are not known."""
    found = np.array(angles, order="C")
    doubted = unwrap(found, np.ascontiguousarray(rates), reader.sweep.times[: found.shape[1]])
    if doubted:
        warnings.warn(
            f"the angle of {what} changes so much from one time to the next that it may lack whole turns in some "
            "samples; take more times",
            GroupkinWarning,
            stacklevel=2,
        )
    return found


@lru_cache(maxsize=256)
def _first(motion: Motion, kind: str, name: str) -> Array:
    """What is read of a motion."""
    return np.asarray(getattr(motion, kind)(name))


def _turns_to(start: float, values: Array) -> Array:
    """Whole turns (n, 1) that bring the first of some angles (n, t) next to a value."""
    return whole_turns(np.nan_to_num(start) - values[:, :1])


# --- joints ----------------------------------------------------------------------------------


def _freedoms(reader: Reader, quantity: Quantity) -> tuple[Joint, list[int]]:
    """The joint of a quantity and the freedoms asked for."""
    joint = reader.program.mechanism.joint[quantity.of]
    if not quantity.component:
        return joint, list(range(len(reader.program.mechanism.freedoms(joint))))
    mechanism = reader.program.mechanism
    return joint, [freedom_index(joint.type, mechanism.dimension, quantity.component, joint.follower)]


def _joint(reader: Reader, quantity: Quantity) -> Parts:
    """Coordinates of a joint: driven ones as the drivers say, others unwrapped from next to the nominal ones on."""
    joint, wanted = _freedoms(reader, quantity)
    form = reader.program.mechanism.form(joint)
    driven = {one.freedom: one.row for one in reader.program.drivers if one.joint == joint.name}
    found = []
    for freedom in wanted:
        if freedom in driven:
            found.append(reader.source.row(driven[freedom], 0))
            continue
        move = form.places[freedom]
        values = _coordinate(reader, joint, form, move)
        if form.moves[move].rotation:
            values = _unwrapped(reader, f"joint {joint.name!r}", values, np.zeros((len(values), 0)))
            start = _first(reader.sweep.begun, "joint", joint.name)[freedom, 0]
            if not np.isfinite(start):
                start = reference_coordinates(form, reader.program.geometry.joints[joint.name])[move]
            values = values + _turns_to(start, values)
        found.append(values)
    return tuple(found)


def _coordinate(reader: Reader, joint: Joint, form: Form, move: int) -> Array:
    """The value of one move of a joint; where few directions tell it, the others are not read."""
    own = reader.geometry.joints[joint.name]
    turns = sum(one.rotation for one in form.moves)
    pointing = any(not one.rotation and one.axis == 0 and k > 0 for k, one in enumerate(form.moves))
    first, second = _axes(reader, joint)
    if own.contact is None and not pointing and not form.moves[move].rotation:
        return reader.source.inner(first[form.moves[move].axis], *_ends(reader, joint))
    if own.contact is None and not pointing and turns == 1:
        up, across = (reader.source.inner(first[k], second[0]) for k in (1, 0))
        return np.arctan2(up, across)
    rotation, shift, bend = _relative(reader, joint)
    return coordinates(form, rotation, shift, bend, own.contact)[move]


def _relative(reader: Reader, joint: Joint) -> tuple[Array, Array, Array | None]:
    """Rotation (n, t, d, d) and shift (n, t, d) from the first to the second frame of a joint, and its fixed turn."""
    own, d = reader.geometry.joints[joint.name], reader.program.mechanism.dimension
    axes, inner = _axes(reader, joint), reader.source.inner
    rotation = [inner(first, second) for first in axes[0] for second in axes[1]]
    shift = [inner(first, *_ends(reader, joint)) for first in axes[0]]
    parts = np.moveaxis(np.array(np.broadcast_arrays(*rotation, *shift)), 0, -1)
    bend = None if own.bend is None else reader.source.own(own.bend)[:, None]
    return parts[..., : d * d].reshape(*parts.shape[:-1], d, d), parts[..., d * d :], bend


def _axes(reader: Reader, joint: Joint) -> list[list[Vector]]:
    """Directions of the joint's frames on its two bodies."""
    frames = reader.geometry.joints[joint.name].frames
    return [[(body, frames[:, k, :, i], False) for i in range(frames.shape[-1])] for k, body in enumerate(joint.bodies)]


def _ends(reader: Reader, joint: Joint) -> tuple[Vector, Vector]:
    """The joint's points on its second body and on its first."""
    points = reader.geometry.joints[joint.name].points
    return (joint.bodies[1], points[:, 1], True), (joint.bodies[0], points[:, 0], True)


def misfit(reader: Reader, joint: Joint) -> Array:
    """By how much a joint misses its moves (n, t): lengths relative to the mechanism's size, directions."""
    program = reader.program
    form, nominal = program.mechanism.form(joint), program.geometry.joints[joint.name]
    rotation, shift, bend = _relative(reader, joint)
    values = coordinates(form, rotation, shift, bend)
    if form.held is not None:
        values[form.held] = reference_coordinates(form, nominal)[form.held]
    fitted, shifted = placement(form, values, bend, program.mechanism.dimension)
    away = np.abs(shift - shifted).max(axis=-1) / program.geometry.size
    return np.asarray(np.maximum(away, np.abs(rotation - fitted).max(axis=(-1, -2))))


# --- quantities ------------------------------------------------------------------------------


def read(reader: Reader, quantity: Quantity) -> Parts:
    """The components of a quantity."""
    match quantity.kind:
        case "joint":
            return _joint(reader, quantity)
        case "angle":
            return (_angle(reader, quantity.of),)
        case "rotation":
            columns = _columns(reader, quantity.of)
            return tuple(column[k] for k in range(len(columns)) for column in columns)
        case "angular_velocity" | "angular_acceleration" as kind:
            order = 1 if kind == "angular_velocity" else 2
            return _chosen(_spin(reader, quantity.of, order), quantity.component)
        case kind:
            place = reader.source.vector(_place(reader, quantity.of), ORDERS[kind])
            return _chosen(tuple(place), quantity.component)


def _chosen(parts: Parts, component: str) -> Parts:
    if component == "norm":
        return (np.sqrt(sum(part * part for part in parts)),)
    return (parts["xyz".index(component)],) if component else parts


def check(quantity: Quantity, program: Program) -> None:
    """Refuse a quantity that the mechanism does not have.

    Raises
    ------
    SweepError, UnknownNameError
    """
    mechanism, geometry = program.mechanism, program.geometry
    points = list(geometry.points) if quantity.kind in ORDERS else []
    known = list(geometry.joints) if quantity.kind == "joint" else [*mechanism.body, *points]
    if quantity.kind not in KINDS:
        raise SweepError(f"{quantity.kind!r} is nothing that can be kept{_near(quantity.kind, KINDS)}")
    if quantity.of not in known:
        what = "joint" if quantity.kind == "joint" else "body or point" if points else "body"
        if what.endswith("point") and quantity.of in mechanism.positions:
            raise SweepError(f"point {quantity.of!r} is on no body: name it in the `points` of one")
        raise unknown(what, quantity.of, known)
    if quantity.kind == "joint":
        joint = mechanism.joint[quantity.of]
        if quantity.component:
            freedom_index(joint.type, mechanism.dimension, quantity.component, joint.follower)
        return
    if quantity.kind == "angle" and mechanism.dimension == 3:
        raise SweepError(f"body {quantity.of!r} moves in space: keep its rotation instead of an angle")
    plain = quantity.kind in ("angle", "rotation") or (quantity.kind in SPINS and mechanism.dimension == 2)
    allowed = () if plain else (*"xyz"[: mechanism.dimension], "norm")
    if quantity.component and quantity.component not in allowed:
        has = f"has the components {', '.join(allowed)}" if allowed else "has no components to choose from"
        raise SweepError(f"the {quantity.kind} of {quantity.of!r} {has}, not {quantity.component!r}")


def _near(name: str, known: Iterable[str]) -> str:
    near = nearest(name, list(known))
    return f"; did you mean {near}?" if near else ""


def components(quantity: Quantity, program: Program) -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]:
    """Dimensions of a quantity beyond samples and times, and their labels."""
    axes = tuple("xyz"[: program.mechanism.dimension])
    if quantity.component or quantity.kind == "angle" or (quantity.kind in SPINS and len(axes) == 2):
        return (), ()
    if quantity.kind == "rotation":
        return ("axis", "local_axis"), (axes, axes)
    if quantity.kind == "joint":
        freedoms = tuple(one.name for one in program.mechanism.freedoms(program.mechanism.joint[quantity.of]))
        return ((f"freedom_{quantity.of}",), (freedoms,)) if len(freedoms) > 1 else ((), ())
    return ("axis",), (axes,)


def unit(quantity: Quantity, program: Program) -> str:
    """Unit of a quantity."""
    if quantity.kind != "joint":
        units = {
            "velocity": "m/s",
            "acceleration": "m/s^2",
            "angle": "rad",
            "angular_velocity": "rad/s",
            "angular_acceleration": "rad/s^2",
            "rotation": "1",
        }
        return units.get(quantity.kind, "m")
    joint = program.mechanism.joint[quantity.of]
    freedoms = program.mechanism.freedoms(joint)
    if quantity.component:
        index = freedom_index(joint.type, program.mechanism.dimension, quantity.component, joint.follower)
        return freedoms[index].unit
    each = [one.unit for one in freedoms]
    return each[0] if len(set(each)) == 1 else ", ".join(each)
