"""Forces that act on a mechanism, as frozen data: springs, dampers, forces and torques on bodies and in joints."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import TYPE_CHECKING, Any, TypeVar

from groupkin.arguments import Name, check_fields
from groupkin.errors import ForceError
from groupkin.mechanism.laws import Law
from groupkin.mechanism.parts import Point, frozen
from groupkin.mechanism.units import Units

if TYPE_CHECKING:
    from groupkin.mechanism.mechanism import Mechanism


class _Part:
    """A part whose fields are checked and made constant when it is made."""

    def __post_init__(self) -> None:
        check_fields(self, ForceError)
        part: Any = self
        for field in fields(part):
            object.__setattr__(self, field.name, frozen(getattr(self, field.name)))


@dataclass(frozen=True)
class Spring(_Part):
    """A spring and damper between points of two bodies.

    It pulls its ends together by stiffness · (distance - length) + damping · (rate of the distance) + preload, N.

    Parameters
    ----------
    name : str
    between : (str, str)
        The two bodies.
    points : (point, point)
        A point on each: a name, or global coordinates in the reference configuration, m.
    stiffness : float
        N/m.
    length : float, optional
        Distance of the points at which the spring is free, m. Default: that in the reference configuration.
    damping : float
        N s/m.
    preload : float
        Pull at the free length, N; negative for a push.
    """

    name: Name
    between: tuple[str, str]
    points: tuple[Point, Point]
    stiffness: float = 0.0
    length: float | None = None
    damping: float = 0.0
    preload: float = 0.0


@dataclass(frozen=True)
class JointSpring(_Part):
    """A spring and damper at a freedom of a joint, such as a torsion spring on a hinge.

    It moves the second body by -stiffness · (coordinate - position) - damping · rate - preload.

    Parameters
    ----------
    name : str
    joint : str
    freedom : str, optional
        Needed where the joint has several.
    stiffness : float
        N m/rad, or N/m for a displacement.
    position : float
        Coordinate of the freedom at which the spring is free, rad or m.
    damping : float
        N m s/rad or N s/m.
    preload : float
        N m or N.
    """

    name: Name
    joint: str
    freedom: str | None = None
    stiffness: float = 0.0
    position: float = 0.0
    damping: float = 0.0
    preload: float = 0.0


@dataclass(frozen=True)
class Force(_Part):
    """A force on a point of a body.

    Parameters
    ----------
    name : str
    body : str
    point : point
        A name, or global coordinates in the reference configuration, m.
    force : (d,) sequence of float
        Components, N.
    law : Law, optional
        What the components are multiplied by at every time. Default: 1.
    axes : str
        The body in whose axes the components are; the default, the frame, means the global axes.
    """

    name: Name
    body: str
    point: Point
    force: Sequence[float]
    law: Law | None = None
    axes: str = ""


@dataclass(frozen=True)
class Torque(_Part):
    """A torque on a body.

    Parameters
    ----------
    name : str
    body : str
    torque : float or (3,) sequence of float
        N m: one number in the plane, components in space.
    law : Law, optional
        What it is multiplied by at every time. Default: 1.
    axes : str
        The body in whose axes the components are; the default, the frame, means the global axes.
    """

    name: Name
    body: str
    torque: float | Sequence[float]
    law: Law | None = None
    axes: str = ""


@dataclass(frozen=True)
class JointForce(_Part):
    """A force or torque in a joint: the first body moves the second along or about a freedom, and is pushed back.

    Parameters
    ----------
    name : str
    joint : str
    force : float
        N m about an axis, N along one.
    freedom : str, optional
        Needed where the joint has several.
    law : Law, optional
        What it is multiplied by at every time. Default: 1.
    """

    name: Name
    joint: str
    force: float
    freedom: str | None = None
    law: Law | None = None


Load = Spring | JointSpring | Force | Torque | JointForce

L = TypeVar("L", bound=Load)

KINDS: dict[str, type] = {
    "spring": Spring,
    "joint_spring": JointSpring,
    "force": Force,
    "torque": Torque,
    "joint_force": JointForce,
}
"""Kinds of forces by their names in files."""


def unit_factors(load: Load, mechanism: Mechanism, units: Units) -> dict[str, float]:
    """List what the numbers of a force in a file's units are multiplied by to be in N, m and rad."""
    force, length = units.newtons, units.meters
    if isinstance(load, Force):
        return {"force": force}
    if isinstance(load, Torque):
        return {"torque": force * length}
    along = length
    if not isinstance(load, Spring) and load.joint in mechanism.joint:
        freedoms = mechanism.freedoms(mechanism.joint[load.joint])
        named = [freedom for freedom in freedoms if load.freedom in (None, freedom.name)]
        if named and named[0].rotation:
            force, along = force * length, units.radians
    if isinstance(load, JointForce):
        return {"force": force}
    at = "length" if isinstance(load, Spring) else "position"
    return {"stiffness": force / along, at: along, "damping": force / along, "preload": force}


def scaled(load: L, factors: Mapping[str, float], operation: Callable[[float, float], float]) -> L:
    """Apply an operation with a factor to the numbers of a force: multiplication, or a division."""

    def changed(value: Any, factor: float) -> Any:
        if isinstance(value, tuple):
            return tuple(operation(x, factor) for x in value)
        return None if value is None else operation(value, factor)

    return replace(load, **{name: changed(getattr(load, name), factor) for name, factor in factors.items()})
