"""Checks of the description of a mechanism: names, numbers, directions, drivers and points."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from groupkin.errors import (
    DuplicateNameError,
    GeometryError,
    GroupkinWarning,
    MechanismError,
    UnknownJointTypeError,
    UnknownNameError,
    shown,
)
from groupkin.mechanism import pairs
from groupkin.mechanism.carriers import strange_points
from groupkin.mechanism.parts import Body, Joint
from groupkin.mechanism.points import LARGEST, SMALLEST, direction
from groupkin.messages import hint, listed, unknown
from groupkin.tolerances import PARALLEL

if TYPE_CHECKING:
    from groupkin.mechanism.mechanism import Mechanism


CURVES = ("curve", "curves", "radius")
"""Fields of a joint that describe a cam."""

LEAST = f"; the least is {SMALLEST:g}"
"""Said where a size is refused, as one that is not zero may be too small."""

STEEPEST = 1e9
"""Largest ratio of two gears: the faster one has no digits left beyond it."""


def check(mechanism: Mechanism, bodies: Sequence[Body]) -> None:
    """Refuse a mechanism that contradicts itself; `bodies` are those declared, of which two may have the same name.

    Raises
    ------
    MechanismError
        One of its subclasses, with the names of what is wrong.
    """
    _check_names(mechanism, bodies)
    _ = mechanism.positions  # raises if a point is wrong
    for joint in mechanism.joints:
        _check_joint(mechanism, joint)
    _check_drivers(mechanism)
    for body in bodies:
        _check_body(mechanism, body)
    _check_points(mechanism)
    _check_joint_names(mechanism)
    tools = [*mechanism.body, *mechanism.positions]
    for robot in mechanism.robots:
        if robot.tool not in tools:
            raise unknown(f"body or point for robot {robot.name!r} named", robot.tool, tools)


def _check_names(mechanism: Mechanism, bodies: Sequence[Body]) -> None:
    kinds = ("joints", mechanism.joints), ("couplings", mechanism.couplings), ("robots", mechanism.robots)
    for kind, parts in (("bodies", bodies), *kinds):
        counts = Counter(part.name for part in parts)
        if len(counts) < len(parts):
            repeated = min(name for name, number in counts.items() if number > 1)
            raise DuplicateNameError(f"two {kind} are named {repeated!r}; names must be unique")
    if mechanism.frame not in mechanism.body:
        raise UnknownNameError(f"the frame {mechanism.frame!r} is not among the bodies")


def _check_joint(mechanism: Mechanism, joint: Joint) -> None:
    where = f"joint {joint.name!r}"
    try:
        form = mechanism.form(joint)
    except UnknownJointTypeError as error:
        raise UnknownJointTypeError(f"{where}: {error}") from None
    if len(joint.bodies) != 2 or joint.bodies[0] == joint.bodies[1]:
        raise MechanismError(f"{where} must connect two different bodies, not {list(joint.bodies)}")
    for body in joint.bodies:
        if body not in mechanism.body:
            near = hint(body, mechanism.body)
            raise UnknownNameError(f"{where} names body {body!r}, which does not exist{near}")
    if joint.point is not None and joint.points is not None:
        raise GeometryError(f"{where} has `point`, common to both bodies, and `points`, one on each; give one of them")
    if joint.points is not None and len(joint.points) != 2:
        raise GeometryError(f"{where}: `points` must be two, one on each body, not {joint.points!r}")
    for point in (joint.point, *(joint.points or ())):
        if point is not None:
            mechanism.locate(point, where)
    d = mechanism.dimension
    if joint.axis is not None:
        mechanism.direction(joint)
    if joint.axes is not None:
        _check_axes(joint, form, d)
    _check_numbers(joint)
    _check_curves(joint, form)
    _check_reference(joint, form.freedoms, d)
    _check_range(joint, form.freedoms, d)
    _check_ignored(joint, form, d)


def _check_axes(joint: Joint, form: pairs.Form, dimension: int) -> None:
    """Refuse what are no two directions that the pair can have."""
    where, axes = f"joint {joint.name!r}", joint.axes or ()
    if len(axes) != 2:
        raise GeometryError(f"{where}: `axes` must be two directions, one fixed in each body, not {shown(joint.axes)}")
    if any(isinstance(x, str) for axis in axes if isinstance(axis, tuple) for x in axis):
        raise GeometryError(f"{where}: `axes` are two directions in numbers; only `axis` may name two points")
    first, second = (direction(axis, dimension, f"axis {k} of {where}") for k, axis in enumerate(axes, 1))
    if form.perpendicular and abs(first @ second) > PARALLEL:
        angle = np.degrees(np.arccos(np.clip(first @ second, -1.0, 1.0)))
        raise GeometryError(f"{where}: its two axes must be perpendicular, but they are {angle:.6g}° apart")
    if form.frames == "crossed" and np.linalg.norm(np.cross(first, second)) < PARALLEL:
        raise GeometryError(f"{where}: its two axes are parallel; a universal joint needs two directions")


def _check_ignored(joint: Joint, form: pairs.Form, dimension: int) -> None:
    """Refuse geometry that a joint of this type would ignore."""
    pair = pairs.PAIRS[joint.type]
    takes = (*form.needs, *(CURVES if form.curved else ()), *(() if pair.modeled else ("axis", "axes")))
    for key in ("axis", "axes", "pitch", "radii", *CURVES):
        if getattr(joint, key) is not None and key not in takes:
            where = f"joint {joint.name!r}: a joint of type {joint.type} ({pair.name})"
            other = {"axis": "axes", "axes": "axis"}.get(key)
            if other in takes:
                raise GeometryError(f"{where} takes `{other}`, not `{key}`")
            in_plane = " in the plane" if dimension == 2 else ""
            raise GeometryError(f"{where}{in_plane} has no {key}; remove `{key}`")


def _check_numbers(joint: Joint) -> None:
    where = f"joint {joint.name!r}"
    if joint.pitch is not None and not SMALLEST <= abs(joint.pitch) <= LARGEST:
        raise GeometryError(
            f"{where}: its pitch must be a finite number other than zero, not {shown(joint.pitch)}{LEAST}"
        )
    for name in ("pressure_angle", "helix_angle"):
        angle = getattr(joint, name)
        if angle is not None and pairs.PAIRS[joint.type].mesh == 0:
            raise GeometryError(f"{where}: only gears have a {name}; remove it")
        if angle is not None and not abs(angle) < np.pi / 2:
            raise GeometryError(f"{where}: its {name} must be less than a right angle, not {angle:.4g} rad")
    if joint.adhesion is not None and joint.type != "RW":
        raise GeometryError(f"{where}: only a rolling wheel RW has an adhesion; remove it")
    if joint.adhesion is not None and not SMALLEST <= joint.adhesion <= LARGEST:
        raise GeometryError(f"{where}: its adhesion must be a positive number, not {shown(joint.adhesion)}{LEAST}")
    if joint.rope and joint.type not in ("SPSP", "RD"):
        raise GeometryError(f"{where}: only a rod SPSP or RD can be a rope; remove `rope`")
    if joint.radii is not None:
        if len(joint.radii) != 2 or not all(SMALLEST <= radius <= LARGEST for radius in joint.radii):
            raise GeometryError(f"{where}: its radii must be two positive numbers, not {joint.radii!r}{LEAST}")
        if max(joint.radii) > STEEPEST * min(joint.radii):
            raise GeometryError(
                f"{where}: its radii {joint.radii!r} differ by a factor of more than {STEEPEST:g}: "
                "a wheel that turns so much faster leaves no digits; check the units of both"
            )


def _check_curves(joint: Joint, form: pairs.Form) -> None:
    """Refuse what is no curve or roller, and more than one follower of a curve."""
    where = f"joint {joint.name!r}"
    if joint.curves is not None and len(joint.curves) != 2:
        raise GeometryError(f"{where}: `curves` must be two, one on each body, not {len(joint.curves)}")
    if not form.curved:
        return
    if joint.points is not None:
        raise GeometryError(f"{where}: a cam takes one `point`, of its second body, not `points`")
    if joint.radius is not None and not SMALLEST <= joint.radius <= LARGEST:
        raise GeometryError(f"{where}: its radius must be a positive number, not {joint.radius!r}{LEAST}")
    against = {"curve": ("curve", "point", "axis", "radius"), "face": ("radius",), "": ()}[joint.follower]
    extra = next((key for key in against if getattr(joint, key) is not None), "")
    if extra:
        other = "`curves`" if joint.follower == "curve" else "`axis`, the normal of a flat face"
        raise GeometryError(f"{where} has {other}, and cannot have `{extra}` as well; remove one of them")


def _check_reference(joint: Joint, freedoms: Sequence[pairs.Freedom], dimension: int) -> None:
    where = f"reference of joint {joint.name!r}"
    rotations = [freedom.name for freedom in freedoms if freedom.rotation]
    if not isinstance(joint.reference, Mapping):
        if not abs(joint.reference) <= LARGEST:
            raise GeometryError(f"{where} must be a finite angle up to {LARGEST:g}, not {joint.reference}")
        if joint.reference and len(rotations) != 1:
            advice = f"name its angles: {', '.join(rotations)}" if rotations else "it has no angle; do not give it"
            raise GeometryError(f"{where}: {advice}")
        return
    for name, angle in joint.reference.items():
        try:
            index = pairs.freedom_index(joint.type, dimension, name, joint.follower)
        except UnknownNameError as error:
            raise UnknownNameError(f"{where}: {error}") from None
        if not freedoms[index].rotation:
            raise GeometryError(f"{where}: the displacement {name!r} follows from `points`; do not give it")
        if not abs(angle) <= LARGEST:
            raise GeometryError(f"{where}: {name!r} must be a finite angle up to {LARGEST:g}, not {angle}")


def _check_range(joint: Joint, freedoms: Sequence[pairs.Freedom], dimension: int) -> None:
    """Refuse what are no ranges of freedoms that the joint has."""
    where, stated = f"range of joint {joint.name!r}", joint.range
    if isinstance(stated, Mapping):
        for name, ends in stated.items():
            try:
                pairs.freedom_index(joint.type, dimension, name, joint.follower)
            except UnknownNameError as error:
                raise UnknownNameError(f"{where}: {error}") from None
            check_ends(ends, f"{where}: {name!r}")
    elif stated is not None:
        if len(freedoms) != 1:
            names = ", ".join(freedom.name for freedom in freedoms)
            raise MechanismError(f"{where}: " + (f"name its freedoms: {names}" if names else "it has no freedom"))
        check_ends(stated, where)


def check_ends(ends: Sequence[float], where: str) -> None:
    """Refuse what are no two ends of a range, the lower one first.

    Raises
    ------
    MechanismError
    """
    if len(ends) != 2 or not ends[0] < ends[1] or not any(np.isfinite(x) for x in ends):
        raise MechanismError(
            f"{where} must be two numbers, the lower one first, of which one may be infinite, not {shown(tuple(ends))}"
        )
    beyond = next((x for x in ends if np.isfinite(x) and abs(x) > LARGEST), None)
    if beyond is not None:
        raise MechanismError(f"{where}: {shown(beyond)} is beyond {LARGEST:g}; write inf where there is no end")


def _check_drivers(mechanism: Mechanism) -> None:
    seen: set[tuple[str, int]] = set()
    for driver in mechanism.drivers:
        if driver.joint not in mechanism.joint:
            raise UnknownNameError(
                f"a driver names joint {driver.joint!r}, which does not exist{_joints_instead(mechanism, driver.joint)}"
            )
        try:
            joint = mechanism.joint[driver.joint]
            index = pairs.freedom_index(joint.type, mechanism.dimension, driver.freedom, joint.follower)
        except UnknownNameError as error:
            raise UnknownNameError(f"driver of joint {driver.joint!r}: {error}") from None
        if (driver.joint, index) in seen:
            raise DuplicateNameError(f"joint {driver.joint!r} has two drivers on one freedom")
        seen.add((driver.joint, index))


def _joints_instead(mechanism: Mechanism, name: str) -> str:
    """Say which joints could be meant by a name that is that of none."""
    if name in mechanism.body:
        on_body = ", ".join(joint.name for joint in mechanism.joints_of[name])
        return f": {name} is a body, with the joints {on_body}" if on_body else f": {name} is a body without joints"
    near = hint(name, mechanism.joint)
    return near or f"; the joints are {listed(mechanism.joint)}"


def _check_body(mechanism: Mechanism, body: Body) -> None:
    where = f"body {body.name!r}"
    if body.origin is not None:
        mechanism.locate(body.origin, f"origin of {where}")
    if body.shape is not None and body.shape.at is not None:
        mechanism.locate(body.shape.at, f"shape of {where}")
    for name in body.points:
        mechanism.locate(name, where)
    for between, length in body.lengths.items():
        for name in between:
            mechanism.locate(name, f"a length of {where}")
        named = "-".join(between)
        if len(between) != 2:
            raise GeometryError(f"{where}: the length {named} must be that of two points")
        if not SMALLEST <= length <= LARGEST:
            raise GeometryError(f"{where}: the length {named} must be positive, not {length}{LEAST}")


def _check_points(mechanism: Mechanism) -> None:
    """Refuse named points that could not be read from a motion, as they have the name of a body."""
    for name in mechanism.positions:
        if name in mechanism.body:
            raise DuplicateNameError(
                f"point {name!r} has the name of a body, and results could not tell the point from the body's origin; "
                "rename one of them"
            )


def _check_joint_names(mechanism: Mechanism) -> None:
    """Refuse joints that results could not tell from a degree of freedom of another one, written joint.freedom."""
    for name in mechanism.joint:
        joint, _, freedom = name.rpartition(".")
        if joint in mechanism.joint:
            names = [each.name for each in mechanism.freedoms(mechanism.joint[joint])]
            if len(names) > 1 and freedom in names:
                raise DuplicateNameError(
                    f"joint {name!r} has the name of the degree of freedom {freedom!r} of joint {joint!r}, and results "
                    "could not tell them apart; rename one of the joints"
                )


def _is_at(mechanism: Mechanism, joint: Joint, point: str) -> bool:
    """Whether an end of a joint is where a named point is."""
    ends = [mechanism.locate(end, "a joint") for end in joint.ends if end is not None]
    return any(np.array_equal(end, mechanism.positions[point]) for end in ends)


def warn_of_points(mechanism: Mechanism) -> None:
    """Warn of named points that are on no body, and of masses and forces at those of other bodies."""
    for what, body, point, others in strange_points(mechanism):
        warnings.warn(
            f"{what} is at point {point!r} of {listed(map(repr, others))}, but moves with body {body!r}, from where "
            f"{point!r} is in the reference configuration; if that is meant, name it in the points of {body!r}",
            GroupkinWarning,
            stacklevel=3,
        )
    unused = mechanism.unused_points
    if unused:
        nearby = [joint for joint in mechanism.joints if _is_at(mechanism, joint, unused[0])]
        body = nearby[0].bodies[-1] if nearby else list(mechanism.body)[-1]
        which = f"point {unused[0]!r} is" if len(unused) == 1 else f"points {listed(map(repr, unused))} are"
        warnings.warn(
            f"{which} on no body: no joint or body names {'it' if len(unused) == 1 else 'them'}. To follow a point, "
            f"name it in the points of its body, as in {body}: points = [{unused[0]!r}]",
            GroupkinWarning,
            stacklevel=3,
        )
