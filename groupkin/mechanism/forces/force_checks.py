"""Checks of the forces of a mechanism: numbers, and the names they refer to."""

from __future__ import annotations

import warnings
from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from groupkin.arguments import floats
from groupkin.errors import DuplicateNameError, ForceError, GroupkinWarning, UnknownNameError, shown
from groupkin.mechanism import pairs
from groupkin.mechanism.forces import forces
from groupkin.mechanism.masses.inertia_checks import ROUNDING
from groupkin.mechanism.parts import Joint
from groupkin.mechanism.points import LARGEST
from groupkin.messages import hint

if TYPE_CHECKING:
    from groupkin.mechanism.mechanism import Mechanism

Array = NDArray[np.float64]

RUBBING = ("R", "P", "C", "S", "H")
"""Types of joints with friction by a coefficient."""


def check_forces(mechanism: Mechanism) -> None:
    """Refuse forces at what does not exist, and numbers that are none.

    Raises
    ------
    ForceError, UnknownNameError, DuplicateNameError
    """
    counts = Counter(load.name for load in mechanism.forces)
    repeated = next((name for name, number in counts.items() if number > 1), None)
    if repeated is not None:
        raise DuplicateNameError(f"two forces are named {repeated!r}; names must be unique")
    for load in mechanism.forces:
        where = f"force {load.name!r}"
        if isinstance(load, forces.Spring):
            _check_spring(mechanism, load, where)
        elif isinstance(load, forces.Friction):
            _check_friction(mechanism, load, where)
        elif isinstance(load, forces.Bushing):
            _check_bushing(mechanism, load, where)
        elif isinstance(load, forces.Contact):
            _check_contact(mechanism, load, where)
        elif isinstance(load, forces.InJoint):
            _check_in_joint(mechanism, load, where)
        else:
            _check_on_body(mechanism, load, where)


def _check_body(mechanism: Mechanism, body: str, where: str) -> None:
    if body not in mechanism.body:
        raise UnknownNameError(f"{where} names body {body!r}, which does not exist{hint(body, mechanism.body)}")


def _check_numbers(where: str, **numbers: float | None) -> None:
    for name, number in numbers.items():
        if number is not None and not abs(number) <= LARGEST:
            raise ForceError(f"{where}: its {name} must be a finite number, not {number!r}")


def _check_ends(mechanism: Mechanism, load: forces.Spring | forces.Bushing | forces.Contact, where: str) -> None:
    if len(load.between) != 2 or load.between[0] == load.between[1]:
        raise ForceError(f"{where} must be between two different bodies, not {shown(load.between)}")
    for body in load.between:
        _check_body(mechanism, body, where)


def _check_spring(mechanism: Mechanism, spring: forces.Spring, where: str) -> None:
    _check_ends(mechanism, spring, where)
    if len(spring.points) != 2:
        raise ForceError(f"{where}: `points` must be two, one on each body, not {shown(spring.points)}")
    for point in spring.points:
        mechanism.locate(point, where)
    numbers = {name: getattr(spring, name) for name in ("stiffness", "length", "damping", "preload")}
    _check_numbers(where, **numbers)
    if spring.of and spring.function is None:
        raise ForceError(f"{where}: quantities `of` which it is are those of a `function`, which it lacks")
    if spring.length is not None and spring.length < 0:
        raise ForceError(f"{where}: its free length must not be negative, but is {spring.length!r} m")
    _check_tables(spring, where)


def _check_tables(spring: forces.Spring | forces.JointSpring, where: str) -> None:
    for name in ("table", "damping_table"):
        if not getattr(spring, name):
            continue
        given = getattr(spring, name)
        rows = floats(given)
        if rows.ndim != 2 or rows.shape[1] != 2 or len(rows) < 2 or not (np.abs(rows) <= LARGEST).all():
            raise ForceError(
                f"{where}: its {name} must have at least two rows of two finite numbers, not {shown(given)}"
            )
        late = np.flatnonzero(~(np.diff(rows[:, 0]) > 0))
        if late.size:
            k = int(late[0])
            raise ForceError(
                f"{where}: the first numbers of its {name} must increase, but row {k + 2} has {rows[k + 1, 0]:g} after "
                f"{rows[k, 0]:g}; sort the rows, and state each only once"
            )
        with np.errstate(over="ignore"):
            slopes = np.diff(rows[:, 1]) / np.diff(rows[:, 0])
        if not (np.abs(slopes) <= LARGEST).all():
            k = int(np.argmax(~(np.abs(slopes) <= LARGEST)))
            raise ForceError(f"{where}: rows {k + 1} and {k + 2} of its {name} are too close; keep one of them")


def _check_bushing(mechanism: Mechanism, load: forces.Bushing, where: str) -> None:
    _check_ends(mechanism, load, where)
    mechanism.locate(load.point, where)
    d = mechanism.dimension
    for name in ("stiffness", "damping", "torsion", "torsion_damping"):
        symmetric_matrix(getattr(load, name), 1 if d == 2 and name.startswith("torsion") else d, f"{where}: its {name}")


def symmetric_matrix(given: forces.Stiffness, size: int, what: str) -> Array:
    """Read a symmetric matrix (size, size) that is given as one, by its diagonal, or as one number for all.

    Raises
    ------
    ForceError
        If it is none, or has negative eigenvalues.
    """
    numbers = floats(given)
    if numbers.shape not in ((), (size,), (size, size)) or not (np.abs(numbers) <= LARGEST).all():
        raise ForceError(
            f"{what} must be one finite number, {size}, or a matrix of {size} by {size}, not {shown(given)}"
        )
    matrix = numbers if numbers.ndim == 2 else numbers * np.eye(size)
    if not np.allclose(matrix, matrix.T, rtol=ROUNDING, atol=0.0):
        raise ForceError(f"{what} must be a symmetric matrix, not {shown(given)}")
    least = float(np.linalg.eigvalsh(matrix)[0])
    if least < -ROUNDING * np.abs(matrix).max():
        raise ForceError(f"{what} has the negative eigenvalue {least:.4g}, so that it would drive the bodies")
    return 0.5 * (matrix + matrix.T)


def _check_contact(mechanism: Mechanism, load: forces.Contact, where: str) -> None:
    _check_ends(mechanism, load, where)
    if mechanism.dimension != 2:
        raise ForceError(f"{where}: contacts are in the plane only; in space use springs or bushings")
    stated = tuple(name for name in ("point", "curve", "line", "curves") if getattr(load, name) is not None)
    if stated not in (("point", "curve"), ("point", "line"), ("curve", "line"), ("curves",)):
        raise ForceError(
            f"{where} needs a `curve` or a `line`, and the `point` of a circle; or a curve and a line; or two `curves`"
        )
    if load.curves is not None and len(load.curves) != 2:
        raise ForceError(f"{where}: `curves` must be two, one on each body, not {len(load.curves)}")
    if load.point is None and load.radius:
        raise ForceError(f"{where}: its radius is that of a circle, whose `point` it lacks")
    points = [load.point] if load.point is not None else []
    ends = [mechanism.locate(point, where) for point in (*points, *(load.line or ()))]
    if load.line is not None and (len(load.line) != 2 or np.array_equal(ends[-2], ends[-1])):
        raise ForceError(f"{where}: its `line` needs two different points")
    names = ("radius", "stiffness", "exponent", "damping", "coefficient", "speed")
    _check_numbers(where, **{name: getattr(load, name) for name in names})
    _check_sizes(where, load, ("radius", "damping", "coefficient"), ("stiffness", "speed"))
    if not 1 <= load.exponent <= 10:
        raise ForceError(f"{where}: its exponent must be from 1 to 10, but is {load.exponent!r}")


def _joint_of(mechanism: Mechanism, name: str, where: str) -> Joint:
    if name in mechanism.shared:
        parts = [joint.name for joint in mechanism.joints if joint.of and joint.of.name == name]
        raise ForceError(f"{where} is in joint {name!r} of several bodies; name one of its pairs {parts}")
    if name not in mechanism.joint:
        near = hint(name, mechanism.joint)
        raise UnknownNameError(f"{where} names joint {name!r}, which does not exist{near}")
    return mechanism.joint[name]


def is_loose(mechanism: Mechanism, joint: Joint) -> bool:
    """Whether the bodies of a joint touch only, so that other joints guide them."""
    form = mechanism.form(joint)
    return form.curved or form.held is not None or joint.type in ("EO", "EPI", "RP", "RW")


def _check_in_joint(mechanism: Mechanism, load: forces.InJoint, where: str) -> None:
    joint = _joint_of(mechanism, load.joint, where)
    try:
        pairs.freedom_index(joint.type, mechanism.dimension, load.freedom, joint.follower)
    except UnknownNameError as error:
        raise UnknownNameError(f"{where} (joint {joint.name!r}): {error}") from None
    if is_loose(mechanism, joint):
        raise ForceError(
            f"{where} is in joint {joint.name!r} of type {joint.type}; a contact takes no springs or forces: "
            "give it to a joint that guides one of its bodies, or between two points"
        )
    if isinstance(load, forces.JointForce) and _is_function(load, "force", where):
        return
    numbers = {
        forces.JointForce: ("force",),
        forces.JointFriction: ("force", "damping", "speed"),
        forces.JointSpring: ("stiffness", "position", "damping", "preload"),
    }[type(load)]
    _check_numbers(where, **{name: getattr(load, name) for name in numbers})
    if isinstance(load, forces.JointFriction):
        _check_sizes(where, load, ("force", "damping"), ("speed",))
    if isinstance(load, forces.JointSpring):
        _check_tables(load, where)


def _check_sizes(where: str, load: forces.Load, sizes: Iterable[str], positive: Iterable[str]) -> None:
    """Refuse sizes that are negative, and such that must not be zero."""
    for name in (*sizes, *positive):
        number = getattr(load, name)
        if number is not None and not (number >= 0 and (number > 0 or name in sizes)):
            least = "must not be negative" if name in sizes else "must be positive"
            raise ForceError(f"{where}: its {name} {least}, but is {number!r}")


def _check_friction(mechanism: Mechanism, load: forces.Friction, where: str) -> None:
    joint = _joint_of(mechanism, load.joint, where)
    at = f"{where} (joint {joint.name!r} of type {joint.type})"
    if joint.type not in RUBBING:
        raise ForceError(
            f"{at}: friction by a coefficient is in joints of types {', '.join(RUBBING)}; use a joint_friction of a "
            "given force, or a contact"
        )
    numbers = {name: getattr(load, name) for name in ("coefficient", "radius", "length", "efficiency", "speed")}
    _check_numbers(where, **numbers)
    _check_sizes(where, load, ("coefficient",), ("radius", "length", "efficiency", "speed"))
    if load.radius is None and joint.type != "P":
        raise ForceError(f"{at} needs the radius at which the surfaces slide")
    if load.axial and (joint.type != "R" or mechanism.dimension == 2):
        raise ForceError(f"{at} cannot be axial: only hinges in space have a thrust bearing")
    if load.length is not None and (joint.type in ("S", "H") or (joint.type == "R" and mechanism.dimension == 2)):
        raise ForceError(f"{at} takes no length: no moment across its axis is carried by two of its places")
    if load.efficiency is not None and (joint.type != "H" or load.coefficient or load.efficiency > 1):
        raise ForceError(f"{at}: an efficiency, at most 1, is that of a screw (H) without a coefficient")


def _check_on_body(mechanism: Mechanism, load: forces.Force | forces.Torque, where: str) -> None:
    _check_body(mechanism, load.body, where)
    if load.body == mechanism.frame:
        warnings.warn(
            f"{where} acts on the frame {load.body!r}, where it moves nothing: give the body that it pushes",
            GroupkinWarning,
            stacklevel=5,
        )
    if load.axes in mechanism.body and load.axes in mechanism.joint:
        raise DuplicateNameError(
            f"{where} is in the axes of {load.axes!r}, which is the name of a body and of a joint; rename one of them"
        )
    if load.axes and load.axes not in mechanism.body:
        _check_axes(mechanism, load.axes, where)
    on_point = isinstance(load, forces.Force)
    if isinstance(load, forces.Force):
        mechanism.locate(load.point, where)
    if _is_function(load, "force" if on_point else "torque", where):
        return
    given = load.force if isinstance(load, forces.Force) else load.torque
    name, wanted = "force" if on_point else "torque", mechanism.dimension if on_point or mechanism.dimension == 3 else 1
    numbers = np.atleast_1d(floats(given))
    if numbers.shape != (wanted,) or not np.all(np.abs(numbers) <= LARGEST):
        components = "one finite number" if wanted == 1 else f"{wanted} finite numbers"
        raise ForceError(f"{where}: its {name} must be {components}, not {shown(given)}")


def _check_axes(mechanism: Mechanism, name: str, where: str) -> None:
    """Refuse axes that are neither a body's nor a joint's."""
    if name not in mechanism.joint and name not in mechanism.shared:
        near = hint(name, [*mechanism.body, *mechanism.joint])
        raise UnknownNameError(f"{where} is in the axes of {name!r}, which is no body and no joint{near}")
    _joint_of(mechanism, name, where)


def _is_function(load: forces.Force | forces.Torque | forces.JointForce, name: str, where: str) -> bool:
    """Whether a force is a function of the user, and then has no numbers of its own."""
    stated = getattr(load, name)
    none = stated is None or (not isinstance(stated, float | int) and len(stated) == 0)
    if load.function is None:
        if load.of:
            raise ForceError(f"{where}: quantities `of` which it is are those of a `function`, which it lacks")
        if none:
            raise ForceError(f"{where} needs either a `{name}` or a `function`")
        return False
    if not none or load.law is not None:
        raise ForceError(f"{where} has either a `{name}`, with or without a `law`, or a `function` of time")
    return True
