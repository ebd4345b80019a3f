"""What varies from sample to sample: parts of the geometry of single bodies, drivers, assembly modes.

A changed point or axis belongs to one body and is changed in the coordinates of that body, which are the global ones
of the reference configuration. Nothing else changes there: coordinates of joints keep their zeros and their meaning,
rods and wheels their sizes. So the reference configuration of a variant need not close; a group is put together from
what is fixed in its bodies, starting from where it is nominally.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from cluster.variations import Variation
from groupkin.errors import SweepError
from groupkin.kinematics.modes import numbers
from groupkin.kinematics.program import Driven, Program
from groupkin.mechanism.laws import Law
from groupkin.mechanism.mechanism import Joint, Mechanism
from groupkin.mechanism.pairs import freedom_index, nearest
from groupkin.model.coordinates import reference_coordinates
from groupkin.model.geometry import CLOSED, Geometry, meet_lengths, spread

Array = NDArray[np.float64]
Spot = tuple[str, str, int]
"""Coordinates in a geometry: ("joint", name, side), ("origin", body, 0) or ("point", name, 0)."""


@dataclass(frozen=True)
class Point:
    """A named point on one body, or on all bodies that carry it; `component` x, y or z, or all of them; m."""

    point: str
    body: str = ""
    component: str = ""


@dataclass(frozen=True)
class JointPoint:
    """The point of a joint, on both of its bodies or on one; m."""

    joint: str
    body: str = ""
    component: str = ""


@dataclass(frozen=True)
class Axis:
    """The axis of a joint on one of its bodies, or on both; of any length but zero.

    The joint's frame on the body turns with it by the least rotation.
    """

    joint: str
    body: str = ""
    component: str = ""


@dataclass(frozen=True)
class Length:
    """The distance of two named points of a body, m. They are moved as little as possible to meet it."""

    body: str
    between: tuple[str, str]


@dataclass(frozen=True)
class LawValue:
    """A number of the motion law of a driver, in the units of the law (m, rad, s, Hz).

    Parameters
    ----------
    joint : str
    field : str
        Of the law, such as ``offset`` of a `Harmonic`.
    index : int, optional
        Of a field that is a sequence.
    freedom : str, optional
        Which of the driven freedoms of the joint; needed where there are several.
    """

    joint: str
    field: str
    index: int | None = None
    freedom: str = ""


@dataclass(frozen=True)
class Mode:
    """The assembly mode of a group, by the name of one of its bodies: numbers as `groupkin modes` lists them."""

    group: str


Target = Point | JointPoint | Axis | Length | LawValue | Mode


@dataclass(frozen=True)
class Parameter:
    """One thing that varies.

    Parameters
    ----------
    of : Target
    varies : Variation
    name : str
        In results and messages; default: made of what varies.
    relative : bool
        Whether values are added to the nominal one.
    """

    of: Target
    varies: Variation
    name: str = ""
    relative: bool = False


def label(target: Target) -> str:
    """The name of a parameter that is given none."""
    match target:
        case Point(point, body, component):
            parts = [body, point, component]
        case JointPoint(joint, body, component) | Axis(joint, body, component):
            kind = "axis" if isinstance(target, Axis) else "point" if body else ""
            parts = [joint, body, kind, component]
        case Length(body, between):
            parts = [body, "-".join(between)]
        case LawValue(joint, field, index, freedom):
            parts = [joint, freedom, field, "" if index is None else str(index)]
        case Mode(group):
            parts = ["mode", group]
    return ".".join(part for part in parts if part)


def is_geometry(target: Target) -> bool:
    """Whether a parameter changes body-local geometry."""
    return not isinstance(target, LawValue | Mode)


def unit(target: Target, program: Program) -> str:
    """Unit of the values of a parameter."""
    match target:
        case Axis() | Mode():
            return "1"
        case LawValue(_, field):
            driven = program.drivers[driver_of(target, program)]
            if field in driven.law.AMPLITUDES:
                power = {"rate": "/s", "rates": "/s", "accelerations": "/s^2"}.get(field, "")
                power = f"/s^{target.index}" if field == "coefficients" and target.index else power
                return ("rad" if driven.rotation else "m") + power.replace("/s^1", "/s")
            return {"frequency": "Hz", "phase": "rad", "times": "s"}.get(field, "1")
    return "m"


# --- nominal values --------------------------------------------------------------------------


def nominal(target: Target, program: Program) -> Array:
    """The nominal value of a parameter, () or (d,).

    Raises
    ------
    SweepError
        If there is no such thing in the mechanism.
    """
    match target:
        case Point() | JointPoint():
            return _component(target, _place(program.geometry, spots(target, program)[0]), program)
        case Axis():
            joint, side = axes_of(target, program)[0]
            return _component(target, _axis(program, joint, side), program)
        case Length(body, between):
            if body not in program.mechanism.body:
                raise _unknown("body", body, list(program.mechanism.body))
            first, second = (_local(program, body, point) for point in between)
            return np.array(np.linalg.norm(second - first))
        case LawValue():
            return _law_value(program.drivers[driver_of(target, program)].law, target)
        case Mode(group):
            number = next(iter(numbers(program.structure, {group: 1})))
            return np.array(float(program.modes.get(number, 1)))


def _unknown(kind: str, name: str, known: Sequence[str]) -> SweepError:
    near = nearest(name, list(known))
    return SweepError(f"there is no {kind} {name!r}" + (f"; did you mean {near}?" if near else ""))


def _component(target: Point | JointPoint | Axis, vector: Array, program: Program) -> Array:
    if not target.component:
        return vector
    return np.asarray(vector[component_of(target, program)])


def component_of(target: Point | JointPoint | Axis, program: Program) -> int:
    """Number of the component that a parameter names."""
    axes = "xyz"[: program.mechanism.dimension]
    if target.component not in tuple(axes):
        raise SweepError(f"component must be {' or '.join(axes)}, not {target.component!r}")
    return axes.index(target.component)


def _law_value(law: Law, target: LawValue) -> Array:
    known = [name for name in law.__dataclass_fields__ if name not in ("label", "degree", "periodic")]
    kind = type(law).__name__
    if target.field not in known:
        near = nearest(target.field, known)
        raise SweepError(
            f"the law of the driver of joint {target.joint!r} is a {kind} and has no {target.field!r}"
            + (f" (did you mean {near}?)" if near else "")
            + f"; it has {', '.join(known)}"
        )
    found = np.asarray(getattr(law, target.field), float)
    if found.ndim == 0 and target.index is None:
        return found
    if found.ndim == 0 or target.index is None or not 0 <= target.index < found.size:
        has = "is one number, without `index`" if found.ndim == 0 else f"needs an `index` from 0 to {found.size - 1}"
        raise SweepError(f"{target.field!r} of the {kind} of joint {target.joint!r} {has}")
    return np.asarray(found[target.index])


def driver_of(target: LawValue, program: Program) -> int:
    """Number of the driver whose law a parameter changes."""
    own = [k for k, driven in enumerate(program.drivers) if driven.joint == target.joint]
    if not own:
        raise _unknown("driven joint", target.joint, [driven.joint for driven in program.drivers])
    joint = program.mechanism.joint[target.joint]
    if not target.freedom and len(own) == 1:
        return own[0]
    names = [program.mechanism.freedoms(joint)[program.drivers[k].freedom].name for k in own]
    if target.freedom not in names:
        raise SweepError(f"joint {target.joint!r} is driven in {', '.join(names)}; name one as `freedom`")
    index = freedom_index(joint.type, program.mechanism.dimension, target.freedom, joint.follower)
    return next(k for k in own if program.drivers[k].freedom == index)


# --- where points and axes are kept ----------------------------------------------------------


def _joint_spots(mechanism: Mechanism) -> dict[tuple[str, str, int], str]:
    """For every joint and side: the name of the point there, "" of a point without one."""
    found = {}
    for joint in mechanism.joints:
        given = joint.points or (None if joint.type == "L" else joint.point, joint.point)
        for side, point in enumerate(given):
            found["joint", joint.name, side] = point if isinstance(point, str) else ""
    return found


def _origin_spots(mechanism: Mechanism) -> dict[str, Spot | str]:
    """For every body whose origin is a point: its name, or the spot of the joint that gives it."""
    found: dict[str, Spot | str] = {}
    for joint in mechanism.joints:
        for side, body in enumerate(joint.bodies):
            if body != mechanism.frame:
                found.setdefault(body, ("joint", joint.name, side))
    for part in mechanism.body.values():
        if part.origin is not None:
            found.pop(part.name, None)
            if isinstance(part.origin, str):
                found[part.name] = part.origin
    return found


@lru_cache(maxsize=4096)
def _named(program: Program, body: str, point: str) -> list[Spot]:
    """Where the coordinates of a named point on a body are kept."""
    mechanism, geometry = program.mechanism, program.geometry
    spots: list[Spot] = [
        spot
        for spot, name in _joint_spots(mechanism).items()
        if name == point and mechanism.joint[spot[1]].bodies[spot[2]] == body
    ]
    origin = _origin_spots(mechanism).get(body)
    if origin == point or origin in spots:
        spots.append(("origin", body, 0))
    if point in geometry.points and geometry.points[point][0] == body:
        spots.append(("point", point, 0))
    return spots


@lru_cache(maxsize=4096)
def spots(target: Point | JointPoint, program: Program) -> list[Spot]:
    """Where the coordinates that a parameter changes are kept.

    Raises
    ------
    SweepError
    """
    mechanism = program.mechanism
    if target.body and target.body not in mechanism.body:
        raise _unknown("body", target.body, list(mechanism.body))
    if isinstance(target, Point):
        if target.point not in mechanism.positions:
            raise _unknown("named point", target.point, list(mechanism.positions))
        bodies = [target.body] if target.body else list(mechanism.body)
        found = [spot for body in bodies for spot in _named(program, body, target.point)]
        if not found:
            on = [body for body in mechanism.body if _named(program, body, target.point)]
            raise SweepError(f"point {target.point!r} is not on body {target.body!r}, but on {', '.join(on)}")
        return found
    found = []
    for joint, side in _sides(target, mechanism):
        spot, body = ("joint", joint.name, side), joint.bodies[side]
        if joint.type == "L":
            raise SweepError(f"joint {joint.name!r} is a cam: its geometry cannot be varied")
        if joint.points is not None and not target.body:
            raise SweepError(f"joint {joint.name!r} has a point on each of its bodies: name one of them as `body`")
        name = _joint_spots(mechanism)[spot]
        origin = [("origin", body, 0)] if _origin_spots(mechanism).get(body) == spot else []
        found += _named(program, body, name) if name else [spot, *origin]
    return list(dict.fromkeys(found))


def _sides(target: JointPoint | Axis, mechanism: Mechanism) -> list[tuple[Joint, int]]:
    """The sides of a joint, or of the pairs of a joint of several bodies, that a parameter is about."""
    own = [joint for joint in mechanism.joints if target.joint in (joint.name, joint.of.name if joint.of else "")]
    if not own:
        raise _unknown("joint", target.joint, [*mechanism.shared, *mechanism.joint])
    found = [(joint, side) for joint in own for side in (0, 1) if target.body in ("", joint.bodies[side])]
    if not found:
        bodies = dict.fromkeys(body for joint in own for body in joint.bodies)
        raise SweepError(f"joint {target.joint!r} is not on body {target.body!r}; it joins {', '.join(bodies)}")
    return found


def axes_of(target: Axis, program: Program) -> list[tuple[str, int]]:
    """The joints and sides whose frames turn."""
    found = []
    for joint, side in _sides(target, program.mechanism):
        if joint.axis is None and joint.axes is None:
            raise SweepError(f"joint {joint.name!r} ({joint.type}) has no axis that could be varied")
        if joint.axes is not None and not target.body:
            raise SweepError(f"joint {joint.name!r} has an axis on each of its bodies: name one of them as `body`")
        found.append((joint.name, side))
    return found


def _axis(program: Program, joint: str, side: int) -> Array:
    """The axis of a joint in coordinates of one body, as long as it is stated."""
    own, d = program.mechanism.joint[joint], program.mechanism.dimension
    stated = own.axes[side] if own.axes is not None else own.axis
    assert stated is not None
    lying = d == 2 or (own.type in ("RP", "RW", "CR") and own.axes is not None and side == 0)
    column = program.geometry.joints[joint].frames[side][:, 0 if lying else 2]
    return column * float(np.linalg.norm(stated))


def _place(geometry: Geometry, spot: Spot) -> Array:
    kind, name, side = spot
    if kind == "joint":
        return geometry.joints[name].points[side]
    return geometry.origins[name] if kind == "origin" else geometry.points[name][1]


def _local(program: Program, body: str, point: str) -> Array:
    """Local coordinates of a named point on a body."""
    if point not in program.mechanism.positions:
        raise _unknown("named point", point, list(program.mechanism.positions))
    spots = _named(program, body, point)
    if not spots and point not in program.mechanism.body[body].points:
        raise SweepError(f"point {point!r} is not on body {body!r}")
    return _place(program.geometry, spots[0]) if spots else program.mechanism.positions[point]


# --- geometry of variants --------------------------------------------------------------------


def geometry_of(program: Program, given: Mapping[Target, Array], count: int) -> Geometry:
    """Body-local geometry of variants.

    Parameters
    ----------
    given : mapping of Target to (n,) or (n, d) array
        Values of all parameters that change geometry.
    count : int
        Number n of variants.

    Returns
    -------
    Geometry
        With a leading axis of variants. Of a variant whose lengths cannot be met, points are NaN.
    """
    mechanism = program.mechanism
    moved: dict[Spot, Array] = {}
    for target, values in given.items():
        if isinstance(target, Point | JointPoint):
            for spot in spots(target, program):
                change = _change(target, values, _place(program.geometry, spot), program)
                moved[spot] = moved.get(spot, 0.0) + change
    for body in mechanism.body:
        lengths = {target.between: values for target, values in given.items() if _is_length(target, body)}  # type: ignore[union-attr]
        _meet(program, body, lengths, moved, count)
    joints = {}
    for joint in mechanism.joints:
        own = program.geometry.joints[joint.name]
        joints[joint.name] = replace(own, values=reference_coordinates(mechanism.form(joint), own))
    found = spread(replace(program.geometry, joints=joints), count)
    return _turned(program, _shifted(found, moved), given)


def _is_length(target: Target, body: str) -> bool:
    return isinstance(target, Length) and target.body == body


def _change(target: Point | JointPoint | Axis, values: Array, nominal: Array, program: Program) -> Array:
    """Changes (n, d) of coordinates that bring them to the values of a parameter."""
    if not target.component:
        return values - nominal
    index = component_of(target, program)
    change = np.zeros((len(values), nominal.size))
    change[:, index] = values - nominal[index]
    return change


def _meet(
    program: Program, body: str, varied: Mapping[tuple[str, str], Array], moved: dict[Spot, Array], count: int
) -> None:
    """Move the named points of a body as little as possible to meet its lengths, stated and varied."""
    stated = program.mechanism.body[body].lengths
    lengths = {frozenset(pair): (pair, np.full(count, value)) for pair, value in stated.items()}
    lengths |= {frozenset(pair): (pair, values) for pair, values in varied.items()}
    names = list(dict.fromkeys(name for pair, _ in lengths.values() for name in pair))
    kept = {name: _named(program, body, name) for name in names}
    if not varied and not any(spot in moved for spots in kept.values() for spot in spots):
        return
    nothing = np.zeros((count, program.mechanism.dimension))
    places = np.stack(
        [_local(program, body, name) + next((moved[s] for s in kept[name] if s in moved), nothing) for name in names],
        axis=1,
    )
    wanted = np.stack([values for _, values in lengths.values()], axis=1)
    met, gaps = meet_lengths([pair for pair, _ in lengths.values()], wanted, names, places)
    missed = ~(np.abs(gaps).max(axis=1) <= CLOSED * np.abs(wanted).max(axis=1))
    met[missed] = np.nan
    for k, name in enumerate(names):
        for spot in kept[name]:
            moved[spot] = met[:, k] - _place(program.geometry, spot)


def _shifted(geometry: Geometry, moved: Mapping[Spot, Array]) -> Geometry:
    """Geometry (n variants) with some coordinates changed."""
    joints, origins, points = dict(geometry.joints), dict(geometry.origins), dict(geometry.points)
    for (kind, name, side), change in moved.items():
        if kind == "joint":
            places = joints[name].points.copy()
            places[:, side] += change
            joints[name] = replace(joints[name], points=places)
        elif kind == "origin":
            origins[name] = origins[name] + change
        else:
            points[name] = points[name][0], points[name][1] + change
    return replace(geometry, joints=joints, origins=origins, points=points)


def _turned(program: Program, geometry: Geometry, given: Mapping[Target, Array]) -> Geometry:
    """Geometry (n variants) with frames of joints turned to changed axes."""
    axes: dict[tuple[str, int], Array] = {}
    for target, values in given.items():
        if isinstance(target, Axis):
            for joint, side in axes_of(target, program):
                stated = _axis(program, joint, side)
                axes[joint, side] = axes.get((joint, side), stated) + _change(target, values, stated, program)
    joints = dict(geometry.joints)
    for (joint, side), axis in axes.items():
        frames = joints[joint].frames.copy()
        frames[:, side] = _least_rotation(_axis(program, joint, side), axis) @ frames[:, side]
        joints[joint] = replace(joints[joint], frames=frames)
    return replace(geometry, joints=joints)


def _least_rotation(start: Array, axes: Array) -> Array:
    """Rotations (n, d, d) by the least angle that turn a direction (d,) to others (n, d); NaN if turned back."""
    u, w = start / np.linalg.norm(start), axes / np.linalg.norm(axes, axis=1, keepdims=True)
    cosine = w @ u
    if u.size == 2:
        sine = u[0] * w[:, 1] - u[1] * w[:, 0]
        return np.moveaxis(np.array([[cosine, -sine], [sine, cosine]]), 2, 0)
    x, y, z = np.cross(u, w).T
    zero = np.zeros_like(x)
    skew = np.moveaxis(np.array([[zero, -z, y], [z, zero, -x], [-y, x, zero]]), 2, 0)
    scale = 1.0 / np.where(1.0 + cosine > 1e-12, 1.0 + cosine, np.nan)
    return np.eye(3) + skew + skew @ skew * scale[:, None, None]


# --- laws ------------------------------------------------------------------------------------


def changed_law(law: Law, target: LawValue, value: float) -> Law:
    """A law with one of its numbers changed."""
    if target.index is None:
        return replace(law, **{target.field: value})
    numbers = list(getattr(law, target.field))
    numbers[target.index] = value
    return replace(law, **{target.field: tuple(numbers)})


def rows_of(driven: Driven, changes: Mapping[LawValue, Array], times: Array, out: Array) -> None:
    """Value, rate and acceleration (n, 3, t) of a driver for n samples.

    Laws are linear in their amplitudes; where only these vary, none is evaluated more than once.
    """
    law = driven.law
    if all(target.field in law.AMPLITUDES for target in changes):
        out[:] = law.at(times)
        for target, values in changes.items():
            here = float(_law_value(law, target))
            zero = law.scaled(0.0)
            basis = changed_law(zero, target, 1.0).at(times)
            out += (values - here)[:, None, None] * basis
        return
    for k in range(len(out)):
        one = law
        for target, values in changes.items():
            one = changed_law(one, target, float(values[k]))
        out[k] = one.at(times)
