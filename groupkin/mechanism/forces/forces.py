"""Forces that act on a mechanism, as frozen data: springs, friction, forces and torques on bodies and in joints."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property
from typing import Any, Literal

from groupkin.arguments import Name, check_fields
from groupkin.errors import ForceError
from groupkin.mechanism.curves import Curve
from groupkin.mechanism.forces.force_functions import CompiledFunction, compiled, is_compiled
from groupkin.mechanism.laws import Law
from groupkin.mechanism.parts import Point, frozen


class _Part:
    """A part whose fields are checked and made constant when it is made."""

    def __post_init__(self) -> None:
        check_fields(self, ForceError)
        part: Any = self
        for each in fields(part):
            object.__setattr__(self, each.name, frozen(getattr(self, each.name)))


@dataclass(frozen=True)
class _Function(_Part):
    """A force that may be a function of the user."""

    function: Callable[..., Any] | None = field(default=None, kw_only=True, hash=False)
    of: Sequence[str] = field(default=(), kw_only=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        _ = self.compiled

    @cached_property
    def compiled(self) -> CompiledFunction | None:
        """The function, if numba compiles it; it is kept as long as the force."""
        name = getattr(self, "name", "")
        return compiled(name, self.function) if self.function is not None and is_compiled(self.function) else None

    def __reduce__(self) -> Any:
        part: Any = self
        if self.function is not None:
            raise ForceError(
                f"force {part.name!r} is a function in Python, which cannot be saved or sent to other processes"
            )
        return _made, (type(self), {each.name: getattr(self, each.name) for each in fields(part)})


def _made(kind: type, stated: dict[str, Any]) -> Any:
    return kind(**stated)


PULLS = ("stiffness", "damping", "preload", "table", "damping_table")
"""What springs pull by, of which those in files state at least one."""


@dataclass(frozen=True)
class Spring(_Function):
    """A spring and damper between points of two bodies.

    It pulls its ends together by stiffness · (distance - length) + damping · (rate of the distance) + preload, N, and
    by what tables tell: pairs of distance and pull, and of its rate and pull, joined by cubics that rise and fall with
    the pairs alone (Fritsch and Butland 1984) and go on as lines.

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
    table : (k, 2) sequence of float
        Distances, m, in rising order, and pulls, N.
    damping_table : (k, 2) sequence of float
        Rates of the distance, m/s, in rising order, and pulls, N.
    function : callable, optional
        ``function(t, x)``, by whose value, N, it pulls as well. The numbers x are the distance, its rate, and then
        those of the quantities `of`; see `groupkin.mechanism.forces.force_functions`.
    of : sequence of str
        Such as ``velocity P``, ``position P.x``, ``joint slide``, ``joint_rate slide``, ``angular_velocity arm`` and
        ``rotation arm``.
    """

    name: Name
    between: tuple[str, str]
    points: tuple[Point, Point]
    stiffness: float = 0.0
    length: float | None = None
    damping: float = 0.0
    preload: float = 0.0
    table: Sequence[Sequence[float]] = ()
    damping_table: Sequence[Sequence[float]] = ()


@dataclass(frozen=True)
class JointSpring(_Part):
    """A spring and damper at a freedom of a joint, such as a torsion spring on a hinge.

    It moves the second body by -stiffness · (coordinate - position) - damping · rate - preload, and against what tables
    tell, as those of a `Spring`.

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
    table : (k, 2) sequence of float
        Coordinates, rad or m, in rising order, and torques or forces against the freedom, N m or N.
    damping_table : (k, 2) sequence of float
        Rates, rad/s or m/s, in rising order, and torques or forces against them, N m or N.
    """

    name: Name
    joint: str
    freedom: str | None = None
    stiffness: float = 0.0
    position: float = 0.0
    damping: float = 0.0
    preload: float = 0.0
    table: Sequence[Sequence[float]] = ()
    damping_table: Sequence[Sequence[float]] = ()


@dataclass(frozen=True)
class Force(_Function):
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
        In which the components are: a body's, or a joint's on its first body. Default: the global axes.
    function : callable, optional
        Instead of force and law: ``function(t, x)`` gives the components, N. The numbers x are
        position and velocity of the point, and then those of the quantities `of`; see
        `groupkin.mechanism.forces.force_functions`.
    of : sequence of str
        As of a `Spring`.
    """

    name: Name
    body: str
    point: Point
    force: Sequence[float] = ()
    law: Law | None = None
    axes: str = ""


@dataclass(frozen=True)
class Torque(_Function):
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
        In which the components are: a body's, or a joint's on its first body. Default: the global axes.
    function : callable, optional
        Instead of torque and law: ``function(t, x)`` gives the components, N m. The numbers x
        are the angular velocity of the body, and then those of the quantities `of`; see
        `groupkin.mechanism.forces.force_functions`.
    of : sequence of str
        As of a `Spring`.
    """

    name: Name
    body: str
    torque: float | Sequence[float] = ()
    law: Law | None = None
    axes: str = ""


@dataclass(frozen=True)
class JointForce(_Function):
    """A force or torque in a joint: the first body moves the second along or about a freedom, and is pushed back.

    Parameters
    ----------
    name : str
    joint : str
    force : float, optional
        N m about an axis, N along one.
    freedom : str, optional
        Needed where the joint has several.
    law : Law, optional
        What it is multiplied by at every time. Default: 1.
    function : callable, optional
        Instead of force and law: ``function(t, x)`` gives it. The numbers x are coordinate and rate of the freedom, and
        then those of the quantities `of`; see `groupkin.mechanism.forces.force_functions`.
    of : sequence of str
        As of a `Spring`.
    """

    name: Name
    joint: str
    force: float | None = None
    freedom: str | None = None
    law: Law | None = None


@dataclass(frozen=True)
class JointFriction(_Part):
    """Friction of a known size at a freedom of a joint, such as that of a seal.

    It moves the second body by -force · rate / √(rate² + speed²) - damping · rate.

    Parameters
    ----------
    name : str
    joint : str
    force : float
        Dry friction, N m about an axis, N along one.
    freedom : str, optional
        Needed where the joint has several.
    damping : float
        N m s/rad or N s/m.
    speed : float, optional
        Rate at which dry friction has 1/√2 of its size, rad/s or m/s. Default: 0.001.
    """

    name: Name
    joint: str
    force: float = 0.0
    freedom: str | None = None
    damping: float = 0.0
    speed: float | None = None


@dataclass(frozen=True)
class Friction(_Part):
    """Friction of a bearing, guide, ball or screw by a coefficient, from what the joint carries.

    The surfaces slide on each other with the velocity v, and are pushed back by coefficient · N · v / √(v² + speed²)
    with the normal force N: the radial or axial force of a hinge or cylindrical joint, the force across a slide, the
    force in a ball, the force normal to the thread of a screw.

    Parameters
    ----------
    name : str
    joint : str
        Of type R, P, C, S or H.
    coefficient : float
        Of friction.
    radius : float, optional
        Of the bearing, the ball or, as the mean one, the thread, m. All need it but slides.
    length : float, optional
        Of a guide, or distance of two bearings, m: they carry moments by a pair of forces, half of it on either side of
        the joint's point on its second body. Default: moments are not considered.
    axial : bool
        A thrust bearing: friction by the force along the axis.
    efficiency : float, optional
        Of a screw that moves a load, instead of the coefficient: tan(lead angle) / tan(lead angle + friction angle).
    speed : float, optional
        Velocity at which friction has 1/√2 of its size, m/s. Default: 0.001.
    """

    name: Name
    joint: str
    coefficient: float = 0.0
    radius: float | None = None
    length: float | None = None
    axial: bool = False
    efficiency: float | None = None
    speed: float | None = None


Stiffness = float | Sequence[float] | Sequence[Sequence[float]]
"""One number for all axes, one for each, or a symmetric matrix."""


@dataclass(frozen=True)
class Bushing(_Part):
    """An elastic bearing between two bodies: a stiffness and damping in all directions.

    At rest its points coincide. With the shift u of the point on the second body in the axes of the first and its
    rotation a, it moves the second body by -stiffness u - damping u' and turns it by -torsion a - torsion_damping a'.
    In the plane a is the angle; in space it is the vector along the axis of the rotation with the sine of its angle.

    Parameters
    ----------
    name : str
    between : (str, str)
        The two bodies.
    point : point
        Its middle: a name, or global coordinates in the reference configuration, m.
    stiffness, damping : float, (d,) sequence of float or (d, d) matrix
        N/m and N s/m, in global axes of the reference configuration, which are fixed in the first body.
    torsion, torsion_damping : float, (3,) sequence of float or (3, 3) matrix
        N m/rad and N m s/rad; in the plane one number.
    """

    name: Name
    between: tuple[str, str]
    point: Point
    stiffness: Stiffness = 0.0
    damping: Stiffness = 0.0
    torsion: Stiffness = 0.0
    torsion_damping: Stiffness = 0.0


@dataclass(frozen=True)
class Contact(_Part):
    """Contact of a circle, point or curve of one body with a line or curve of another, in the plane.

    Where one is in the other by the depth p, they push each other apart by the normal force N = stiffness ·
    p**exponent · (1 + damping · p'), which never pulls (Hunt and Crossley 1975; without damping that of Hertz), and
    rub by coefficient · N · v / √(v² + speed²) with the velocity v along the curve. They may touch at several places,
    each of which is where they are deeper in each other than beside it.

    Parameters
    ----------
    name : str
    between : (str, str)
        The body with the curve, and that with what touches it.
    point : point, optional
        Center of the circle: a name, or global coordinates in the reference configuration, m. Without it, the second
        body has a curve or the line.
    radius : float
        Of the circle, m; 0 for a point.
    curve : Curve, optional
        A terrain, or a closed outline.
    line : (point, point), optional
        The ends of a straight line, instead of a curve; of the second body if there is a curve as well.
    curves : (Curve, Curve), optional
        Instead of curve and line: one on each body.
    stiffness : float
        N/m**exponent.
    exponent : float
        1.5 for a sphere or circle of Hertz, 1 for a linear spring.
    damping : float
        s/m.
    coefficient : float
        Of friction.
    speed : float, optional
        Velocity at which friction has 1/√2 of its size, m/s. Default: 0.001.
    side : {"", "left", "right"}
        Where the first body's curve is free, as it runs from its first point. Default: where most of the other body's
        is in the reference configuration.
    """

    name: Name
    between: tuple[str, str]
    point: Point | None = None
    radius: float = 0.0
    curve: Curve | None = None
    line: tuple[Point, Point] | None = None
    stiffness: float = 0.0
    exponent: float = 1.5
    damping: float = 0.0
    coefficient: float = 0.0
    speed: float | None = None
    side: Literal["", "left", "right"] = ""
    curves: tuple[Curve, Curve] | None = None

    @property
    def shapes(self) -> list[Curve | tuple[Point, Point]]:
        """The curve or line of the first body, and that of the second, unless it has a circle."""
        return list(self.curves or [x for x in (self.curve, self.line) if x is not None])


SLOW = 0.001
"""Speed, m/s or rad/s, below which friction grows with it, where none is stated."""

Load = Spring | JointSpring | Force | Torque | JointForce | JointFriction | Friction | Bushing | Contact
WithFunction = Spring | Force | Torque | JointForce
"""Forces that may be functions of the user."""

InJoint = JointSpring | JointForce | JointFriction
"""Forces along a freedom of a joint that need not know what the joint carries."""

KINDS: dict[str, type] = {
    "spring": Spring,
    "joint_spring": JointSpring,
    "force": Force,
    "torque": Torque,
    "joint_force": JointForce,
    "joint_friction": JointFriction,
    "friction": Friction,
    "bushing": Bushing,
    "contact": Contact,
}
"""Kinds of forces by their names in files."""


def ends(load: Load) -> list[tuple[str, Point]]:
    """List the bodies and points that a force acts on."""
    if isinstance(load, Spring):
        return list(zip(load.between, load.points, strict=True))
    if isinstance(load, Bushing):
        return [(body, load.point) for body in load.between]
    if isinstance(load, Contact):
        circle = [] if load.point is None else [(load.between[1], load.point)]
        with_line = load.between[1 if load.curve else 0]
        return [*circle, *((with_line, point) for point in load.line or ())]
    return [(load.body, load.point)] if isinstance(load, Force) else []
