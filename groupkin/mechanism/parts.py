"""The parts of a mechanism as frozen data: bodies, joints and drivers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from operator import is_
from pathlib import Path
from typing import Any

import numpy as np

from groupkin.arguments import Name, check_fields, floats
from groupkin.errors import MechanismError, ShapeError, shown
from groupkin.mechanism.curves import Curve
from groupkin.mechanism.laws.laws import Law
from groupkin.mechanism.pairs import PAIRS
from groupkin.showing import brief
from groupkin.tolerances import PARALLEL

Point = str | Sequence[float]


@dataclass(frozen=True)
class Shape:
    """A surface of triangles in a file, which shows a body in pictures and pages.

    Parameters
    ----------
    file : str or Path
        An STL or OBJ file.
    at : point, optional
        Where the origin of the file comes to lie: a named point or global coordinates in the reference configuration,
        m. Default: the global origin.
    scale : float
        Length of a unit of the file, m.
    axes : (3, 3) sequence of float, optional
        Directions of the x, y and z axes of the file in global coordinates: perpendicular unit vectors, left-handed
        ones of a mirrored shape. Default: the global axes.
    """

    file: str | Path
    at: Point | None = None
    scale: float = 1.0
    axes: Sequence[Sequence[float]] | None = None

    def __post_init__(self) -> None:
        check_fields(self, ShapeError)
        object.__setattr__(self, "file", str(self.file))
        for name in ("at", "axes"):
            object.__setattr__(self, name, frozen(getattr(self, name)))
        if not 0.0 < self.scale < np.inf:
            raise ShapeError(f"{self.name}: its scale must be a positive number, m per unit, not {self.scale!r}")
        axes = floats(self.axes) if self.axes is not None else np.eye(3)
        if axes.shape != (3, 3) or not np.abs(axes @ axes.T - np.eye(3)).max() <= PARALLEL:
            raise ShapeError(f"{self.name}: its axes must be three perpendicular unit vectors, not {shown(self.axes)}")

    @property
    def name(self) -> str:
        """What messages call it."""
        return f"shape {Path(self.file).name!r}"


@dataclass(frozen=True)
class Body:
    """A rigid body.

    Parameters
    ----------
    name : str
    origin : point, optional
        Origin of the body's frame: a named point or global coordinates in the reference configuration, m. Default:
        the point of the first joint declared on the body; for the frame, the global origin.
    points : mapping of str to coordinates, or sequence of str
        Further named points of the body, in the same coordinates; names alone refer to points named elsewhere.
    lengths : mapping of (str, str) to float
        Distances in m between named points of the body which the given coordinates meet only roughly.
    mass : float
        kg.
    center : point, optional
        Center of mass: a named point or global coordinates in the reference configuration, m; ``"middle"`` for the
        mean of the points of the body's joints. Needed if it has a mass.
    inertia : float, sequence of float, or mapping of str to float
        About the center of mass, kg m². In the plane one number; in space the moments about x, y and z, or the tensor
        in global axes in the reference configuration, (3, 3) or its components by name: xx, yy, zz, xy, xz, yz. One
        number there means the same moment about every axis. Default: a point mass.
    about : point, optional
        The point about which the inertia is stated instead: a named point or global coordinates, m.
    shape : Shape, optional
        What the body looks like; motion and forces do not depend on it.
    """

    name: Name
    origin: Point | None = None
    points: Mapping[Name, Sequence[float]] | Sequence[str] = ()
    lengths: Mapping[tuple[str, str], float] = field(default_factory=dict)
    mass: float = 0.0
    center: Point | None = None
    inertia: float | Sequence[float] | Sequence[Sequence[float]] | Mapping[str, float] = 0.0
    about: Point | None = None
    shape: Shape | None = None

    def __post_init__(self) -> None:
        check_fields(self, MechanismError)


@dataclass(frozen=True)
class Joint:
    """A joint between two bodies.

    Geometry is given in global coordinates at the reference configuration; without it the joint can be analyzed only.

    Parameters
    ----------
    name : str
    type : str
        Symbol of the pair (`groupkin.mechanism.pairs.PAIRS`).
    bodies : (str, str), or more
        Freedoms are those of the second body relative to the first. R, C and S may join more than two bodies, on one
        pin or at one center; a mechanism then has pairs of bodies instead of the multi-joint.
    point : point, optional
        Common point of both bodies: a name or coordinates, m.
    points : (point, point), optional
        Instead of `point`: one on each body, where a displacement separates them.
    axis : sequence of float, or (str, str), optional
        Direction, of any length but zero, or two named points, from the first to the second; the first of them is
        `point` unless another is given. Only a hinge puts these points on its bodies. It is the axis of R, P, H, HF,
        C and SC, the normal to the plane of PL and SP; in the plane it is along the slide of P, the slot of CR and
        the line on which the wheel of RP and RW rolls.
    axes : pair of sequence of float, optional
        Two directions, the first fixed in the first, the second in the second body: the axes of U and ER, normal of
        the plane and axis of the cylinder of PC, axes of gears EO and EPI in space, slot and pin of CR, line and
        axis of the wheel of RP and RW in space.
    reference : float or mapping of str to float
        Angles (rad) of the freedoms in the reference configuration; zero where not given.
    pitch : float, optional
        Advance of H and HF along the axis per radian, m/rad; negative for a left-handed screw.
    of : Joint, optional
        The multi-joint of which this is a pair; set by the mechanism.
    radii : pair of float, optional
        Radii of the pitch circles of gears EO and EPI on the first and on the second body, or numbers of teeth: only
        their ratio matters.
    pressure_angle, helix_angle : float, optional
        Of the teeth of gears with parallel axes, rad: what their bearings feel besides the tangential force; the helix
        is that of the first body, positive if right-handed. Defaults: 20° and 0.
    adhesion : float, optional
        Of a rolling wheel RW: the ratio of tangential to normal force from which on it slips.
    range : pair of float, or mapping of str to pair of float, optional
        Least and largest value of its freedom, or of its freedoms by name, rad and m; infinite where there is no end.
        Motions that leave them are computed, with a warning; limits, branches and simulations can end there.
    rope : bool
        Whether a rod SPSP or RD is a rope, that pulls only. A motion is computed with it taut; `Forces.contact_losses`
        tells where it would have to push, or a wheel to slip.
    curve : Curve, optional
        Curve of a cam L, on its first body; `point` is then the point of the second body that stays on the curve.
    radius : float, optional
        Radius of a roller that touches the curve of L, m; `point` is then its center.
    curves : pair of Curve, optional
        Two curves that touch, one on each body of L.

    Notes
    -----
    `points` are needed by EO, EPI and RD (the two centers), SPSP (the ends of the rod), RP and RW (a point of the line
    on the first body, the center of the wheel on the second). PC takes a point of the plane and one of the axis of
    the cylinder. Radii of wheels and cylinders and lengths of rods follow from them. Gears EO turn in opposite
    directions about their axes, EPI in the same. L with `curve` and `axis` has a flat face on the second body, through
    `point` and normal to `axis`.
    """

    name: Name
    type: str
    bodies: tuple[str, ...]
    point: Point | None = None
    points: tuple[Point, Point] | None = None
    axis: Sequence[float] | tuple[str, str] | None = None
    axes: tuple[Sequence[float], Sequence[float]] | None = None
    reference: float | Mapping[str, float] = 0.0
    pitch: float | None = None
    radii: tuple[float, float] | None = None
    curve: Curve | None = None
    radius: float | None = None
    curves: tuple[Curve, Curve] | None = None
    pressure_angle: float | None = None
    helix_angle: float | None = None
    adhesion: float | None = None
    rope: bool = False
    range: Sequence[float] | Mapping[str, Sequence[float]] | None = None
    of: Joint | None = field(default=None, repr=False)

    __repr__ = brief

    def __post_init__(self) -> None:
        check_fields(self, MechanismError)
        for name in ("bodies", "points", "axes", "radii", "curves"):
            if getattr(self, name) is not None:  # lists and arrays as well, of which arrays have no truth value
                object.__setattr__(self, name, tuple(getattr(self, name)))

    @property
    def follower(self) -> str:
        """What touches the curve of a cam: "curve", "face", or "" for a point or roller."""
        return "curve" if self.curves is not None else "face" if self.axis is not None else ""

    @property
    def axis_points(self) -> tuple[str, str] | None:
        """The two named points through which its axis goes; None where it has none, or a direction."""
        names: Any = tuple(self.axis) if isinstance(self.axis, list | tuple) else ()
        return names if len(names) == 2 and all(isinstance(name, str) for name in names) else None

    @property
    def named(self) -> tuple[str, ...]:
        """The named points that it refers to."""
        stated = (self.point, *(self.points or ()), *(self.axis or ()))
        return tuple(point for point in stated if isinstance(point, str))

    @property
    def ends(self) -> tuple[Point | None, Point | None]:
        """Its points on the first and on the second body; the first body of a cam has a curve instead."""
        return self.points or (None if PAIRS[self.type].cam else self.point, self.point)


@dataclass(frozen=True)
class Driver:
    """A prescribed freedom of a joint; `freedom` may be omitted where the joint has only one.

    `between` names the two bodies of a multi-joint between which the driver acts: the freedom is that of the second
    relative to the first.
    """

    joint: str
    law: Law | None = None
    freedom: str | None = None
    between: tuple[str, str] | None = None

    __repr__ = brief

    def __post_init__(self) -> None:
        check_fields(self, MechanismError)


DEEPEST = 8
"""Levels of lists in lists that are looked into; no part has as many, but a list may contain itself."""


def frozen(value: Any, depth: int = DEEPEST) -> Any:
    """Return a part, or a value of one, with tuples for its lists and arrays, so that it stays and can be compared."""
    if isinstance(value, np.ndarray | np.generic):
        return frozen(value.tolist(), depth)
    if isinstance(value, list | tuple) and depth:
        entries = tuple(frozen(entry, depth - 1) for entry in value)
        return value if isinstance(value, tuple) and all(map(is_, entries, value)) else entries
    if isinstance(value, Mapping):
        return {key: frozen(entry, depth) for key, entry in value.items()}
    if isinstance(value, Joint) and value.axis_points and value.point is None and value.points is None:
        value = replace(value, point=value.axis_points[0])
    if isinstance(value, Body | Joint | Driver):
        stated = {part.name: getattr(value, part.name) for part in fields(value)}
        changes: dict[str, Any] = {name: new for name, old in stated.items() if (new := frozen(old)) is not old}
        if isinstance(value, Body) and not len(value.points):
            changes["points"] = ()
        return replace(value, **changes) if changes else value
    return value
