"""Quantities of many samples at once, read from points and directions of bodies and from inner products of them."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from groupkin.errors import GroupkinWarning
from groupkin.kinematics.motion.kinds import INFLUENCE, OF_ROBOTS, origin
from groupkin.kinematics.motion.motion import spin
from groupkin.kinematics.motion.outputs import DERIVATIVES, bases, value
from groupkin.kinematics.motion.quantities import Quantity, driven_freedom, places
from groupkin.kinematics.program.program import Program
from groupkin.kinematics.samples.sample_robots import drivers_of, needs_of, robot_components
from groupkin.kinematics.samples.sources import NOTHING, Components, Recorder, Source, Vector
from groupkin.kinematics.samples.variation import Variation
from groupkin.mechanism.mechanism import Joint
from groupkin.mechanism.pairs import Form
from groupkin.model.geometry.coordinate_rates import coordinate_rates
from groupkin.model.geometry.coordinates import reference_coordinates, signed_coordinates, whole_turns
from groupkin.model.geometry.frames import JointGeometry
from groupkin.model.geometry.geometry import Geometry
from sglibrary.unwrap import unwrap

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Reader:
    """What quantities are read from.

    Attributes
    ----------
    variation : Variation
    geometry : Geometry
        With a leading axis m of many samples, or of one for all of them.
    source : Source
    moved : tuple of Source
        Of each driver, where it moves alone at unit rate, if a robot is read.
    """

    variation: Variation
    geometry: Geometry
    source: Source
    moved: tuple[Source, ...] = ()

    @property
    def program(self) -> Program:
        """The nominal program."""
        return self.variation.program


# --- points and directions -------------------------------------------------------------------


def _point(reader: Reader, name: str) -> Vector:
    """Return a named point, or the origin of a body."""
    if name in reader.geometry.points:
        return Vector(("point", name), *reader.geometry.points[name], True)
    return Vector(("origin", name), name, reader.geometry.origins[name], True)


def _columns(reader: Reader, body: str, order: int = 0) -> list[list[Array]]:
    """Read the columns of the rotation matrix of a body, or of a derivative."""
    return [reader.source.vector(_base(reader, body, k), order) for k in range(reader.program.mechanism.dimension)]


def _base(reader: Reader, body: str, k: int) -> Vector:
    """Return base vector k of a body's frame."""
    return Vector(("base", body, k), body, np.eye(reader.program.mechanism.dimension)[None, k], False)


def _angle(reader: Reader, body: str) -> Array:
    """Read the angle (n, t) of a body in the plane, unwrapped by its velocity from next to the nominal angle on."""
    e = _base(reader, body, 0)
    (x, y), (dx, dy) = reader.source.vector(e), reader.source.vector(e, 1)
    values = _unwrapped(reader, f"body {body!r}", np.arctan2(y, x), x * dy - y * dx)
    return values + _turns_to(reader.variation.nominal_reading("angle", body)[0], values)


def _unwrapped(reader: Reader, what: str, angles: Array, rates: Array) -> Array:
    """Unwrap angles (n, t); rates are (n, 0) where there are none."""
    unwrapped = np.array(angles, order="C")
    times = np.atleast_2d(reader.variation.times)[:, : unwrapped.shape[1]]
    ambiguous = unwrap(unwrapped, np.ascontiguousarray(rates), np.ascontiguousarray(times))
    if ambiguous or _is_coarse(reader):
        warnings.warn(
            f"the angle of {what} changes so much from one time to the next that it may lack whole turns in some "
            "samples; take more times",
            GroupkinWarning,
            stacklevel=2,
        )
    return unwrapped


def _is_coarse(reader: Reader) -> bool:
    """Tell whether a driver moves by more than half a turn, or half the size, from one time to the next in a sample."""
    half = [np.pi if driven.rotation else 0.5 * reader.program.geometry.size for driven in reader.program.drivers]
    steps = [np.abs(np.diff(reader.source.row(driven.row, 0))) for driven in reader.program.drivers]
    return any(bool((step > far).any()) for step, far in zip(steps, half, strict=True))


def _turns_to(start: float, values: Array) -> Array:
    """Return the whole turns (n, 1) that bring the first of some angles (n, t) next to a value."""
    return whole_turns(np.nan_to_num(start) - values[:, :1])


# --- joints ----------------------------------------------------------------------------------


def _joint(reader: Reader, quantity: Quantity) -> Components:
    """Read the coordinates of a joint, or their rates, or one of them."""
    mechanism = reader.program.mechanism
    joint, freedoms = mechanism.joint[quantity.name], places(quantity, mechanism)
    order = origin(quantity.kind)[1]
    if order:
        rates = _rates(reader, joint, order)
        return tuple(rates[k] for k in freedoms)
    return tuple(_freedom(reader, joint, k) for k in freedoms)


def _freedom(reader: Reader, joint: Joint, freedom: int) -> Array:
    """Read a freedom from its driver, or from the bodies, unwrapped from next to the nominal value on."""
    program = reader.program
    for driven in program.drivers:
        if (driven.joint, driven.freedom) == (joint.name, freedom):
            return reader.source.row(driven.row, 0)
    form = program.mechanism.form(joint)
    move = form.places[freedom]
    values = _coordinate(reader, joint, form, move)
    if not form.moves[move].rotation:
        return values
    known = reader.geometry.joints[joint.name].contact is None
    rates = np.broadcast_to(_rates(reader, joint)[freedom], values.shape) if known else np.zeros((len(values), 0))
    values = _unwrapped(reader, f"joint {joint.name!r}", values, np.nan_to_num(rates))
    start = reader.variation.nominal_reading("joint", joint.name)[freedom, 0]
    if not np.isfinite(start):
        start = reference_coordinates(form, program.geometry.joints[joint.name])[move]
    return values + _turns_to(start, values)


def _coordinate(reader: Reader, joint: Joint, form: Form, move: int) -> Array:
    """Read the value of one move of a joint from as few directions as it needs."""
    geometry = reader.geometry.joints[joint.name]
    turns = sum(other.rotation for other in form.moves)
    pointing = any(not other.rotation and other.axis == 0 and k > 0 for k, other in enumerate(form.moves))
    first, second = _axes(reader, joint)
    if geometry.contact is None and not pointing and not form.moves[move].rotation:
        return reader.source.inner(first[form.moves[move].axis], *_ends(reader, joint))
    if geometry.contact is None and not pointing and turns == 1:
        up, across = (reader.source.inner(first[k], second[0]) for k in (1, 0))
        return np.arctan2(up, across)
    ends = _ends(reader, joint)
    rows = [[*(reader.source.inner(u, w) for w in second), reader.source.inner(u, *ends)] for u in first]
    placed = np.moveaxis(np.array(np.broadcast_arrays(*chain(*rows))), 0, -1)
    placed = placed.reshape(*placed.shape[:-1], len(first), -1)
    return signed_coordinates(form, _bent(reader, joint), placed[..., :-1], placed[..., -1])[move]


def _rates(reader: Reader, joint: Joint, derivative: int = 1) -> Array:
    """Read the rates (freedoms, n, t) of the coordinates of a joint, or accelerations, from motions of its bodies."""
    mechanism, axes, (second, first) = reader.program.mechanism, _axes(reader, joint), _ends(reader, joint)
    form, d, vectors = mechanism.form(joint), mechanism.dimension, [*axes[0], first, *axes[1], second]

    def read(order: int, place: int) -> Array:
        return reader.source.vector(vectors[place // d], order)[place % d]

    return coordinate_rates(form, _bent(reader, joint), d, read, derivative)[list(form.places)]


def _bent(reader: Reader, joint: Joint) -> JointGeometry:
    """Return the geometry of a joint with the fixed turns (n, 1, 3, 3) of the samples that are read."""
    geometry = reader.geometry.joints[joint.name]
    return geometry if geometry.bend is None else replace(geometry, bend=reader.source.select(geometry.bend)[:, None])


def _axes(reader: Reader, joint: Joint) -> list[list[Vector]]:
    """Return the directions of the joint's frames on its two bodies."""
    frames = reader.geometry.joints[joint.name].frames
    return [
        [Vector(("frame", joint.name, k, i), body, frames[:, k, :, i], False) for i in range(frames.shape[-1])]
        for k, body in enumerate(joint.bodies)
    ]


def _ends(reader: Reader, joint: Joint) -> tuple[Vector, Vector]:
    """Return the joint's points on its second body and on its first."""
    points = reader.geometry.joints[joint.name].points
    first, second = (Vector(("end", joint.name, k), joint.bodies[k], points[:, k], True) for k in (0, 1))
    return second, first


# --- quantities ------------------------------------------------------------------------------


def read(reader: Reader, quantity: Quantity) -> Components:
    """Read all components of a quantity."""
    kind, order = origin(quantity.kind)
    if kind == "joint":
        return _joint(reader, quantity)
    if kind in OF_ROBOTS:
        return _robot(reader, quantity)
    if kind == INFLUENCE:
        return _influence(reader, quantity)
    if kind == "rotation":
        columns = _columns(reader, quantity.name)
        return tuple(column[k] for k in range(len(columns)) for column in columns)
    if kind == "position":
        whole = reader.source.vector(_point(reader, quantity.name), order)
    elif order:
        whole = spin(_columns(reader, quantity.name), _columns(reader, quantity.name, order))
    else:
        whole = [_angle(reader, quantity.name)]
    return tuple(whole[k] for k in places(quantity, reader.program.mechanism))


def _robot(reader: Reader, quantity: Quantity) -> Components:
    """Read a quantity of a robot; of a recorder only what it needs."""
    program = reader.program
    needs = needs_of(program.mechanism.robot[quantity.name], program)
    own = [row for need in needs for row in read(reader, need)]
    if isinstance(reader.source, Recorder):
        return tuple(own[0] for _ in places(quantity, program.mechanism))
    lost = np.isnan(np.sum(np.broadcast_arrays(*own), axis=0))
    moved = [partial(read, replace(reader, source=each)) for each in reader.moved]
    return robot_components(quantity, program, moved, lost)


def _influence(reader: Reader, quantity: Quantity) -> Components:
    """Read the rate of an output where one driver moves alone at unit rate; of a recorder only what it needs."""
    mechanism, (output, name) = reader.program.mechanism, quantity.names
    freedom, rate = driven_freedom(name, mechanism), Quantity("output_rate", output)
    if reader.moved:
        number = drivers_of(reader.program).index(freedom)
        reader = replace(reader, source=reader.moved[number], moved=())
    read_rows = {base: read(reader, base) for base in bases(rate, mechanism)}
    if isinstance(reader.source, Recorder):
        return tuple(NOTHING for _ in places(quantity, mechanism))
    every = value(rate, mechanism, read_rows.__getitem__)
    return tuple(every[k] for k in places(quantity, mechanism))


def computed(variation: Variation, components: Mapping[Quantity, Components]) -> dict[Quantity, Components]:
    """Compute what is kept and computed from the components of other quantities; NaN where outputs have no value."""
    found, mechanism = dict[Quantity, Components](), variation.program.mechanism
    for quantity in variation.quantities:
        if quantity not in components:
            rows = [np.atleast_2d(row) for row in value(quantity, mechanism, components.__getitem__)]
            lost = [np.where(np.isfinite(row), row, np.nan) for row in rows] if quantity.kind in DERIVATIVES else rows
            found[quantity] = tuple(lost)
    return found
