"""What the user describes: bodies, joints and drivers, as frozen data that is checked once, when it is made."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from os import PathLike

import numpy as np
from numpy.typing import NDArray

from groupkin.errors import (
    ConflictingPointError,
    MechanismError,
    UnknownNameError,
)
from groupkin.mechanism import pairs
from groupkin.mechanism.curves import Curve
from groupkin.mechanism.laws import Law
from groupkin.mechanism.points import coordinates

Array = NDArray[np.float64]
Point = str | Sequence[float]


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
    """

    name: str
    origin: Point | None = None
    points: Mapping[str, Sequence[float]] | Sequence[str] = ()
    lengths: Mapping[tuple[str, str], float] = field(default_factory=dict)


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
        Coordinates of the joint are those of the second body relative to the first. R, C and S may join more than two
        bodies, on one pin or at one center; a mechanism has pairs of bodies in the place of such a multi-joint.
    point : point, optional
        Common point of both bodies: a name or coordinates, m.
    points : (point, point), optional
        Instead of `point`: one on each body, where a displacement separates them.
    axis : sequence of float, optional
        Direction, of any length but zero: of the axis of R, P, H, C and SC, normal to the plane of PL and SP; in the
        plane along the slide of P, the slot of CR and the line on which the wheel of RP and RW rolls.
    axes : pair of sequence of float, optional
        Two directions, the first fixed in the first, the second in the second body: the axes of U and ER, normal of
        the plane and axis of the cylinder of PC, axes of gears EO and EPI in space, slot and pin of CR, line and
        axis of the wheel of RP and RW in space.
    reference : float or mapping of str to float
        Angles (rad) of the freedoms in the reference configuration; zero where not given.
    pitch : float, optional
        Advance of H along its axis per radian, m/rad; negative for a left-handed screw.
    of : Joint, optional
        The multi-joint of which this is a pair; set by the mechanism.
    radii : pair of float, optional
        Of the pitch circles of gears EO and EPI on the first and on the second body; only their ratio matters, so
        that numbers of teeth will do.
    curve : Curve, optional
        Of a cam L, on its first body; `point` then is the point of the second body that stays on the curve.
    radius : float, optional
        Of a roller that touches the curve of L, m; `point` then is its center.
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

    name: str
    type: str
    bodies: tuple[str, ...]
    point: Point | None = None
    points: tuple[Point, Point] | None = None
    axis: Sequence[float] | None = None
    axes: tuple[Sequence[float], Sequence[float]] | None = None
    reference: float | Mapping[str, float] = 0.0
    pitch: float | None = None
    radii: tuple[float, float] | None = None
    curve: Curve | None = None
    radius: float | None = None
    curves: tuple[Curve, Curve] | None = None
    of: Joint | None = field(default=None, repr=False)

    @property
    def follower(self) -> str:
        """What touches the curve of a cam: "curve", "face", or "" for a point or roller."""
        return "curve" if self.curves is not None else "face" if self.axis is not None else ""


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


@dataclass(frozen=True)
class Mechanism:
    """Bodies connected by joints, some of whose freedoms are driven.

    Parameters
    ----------
    dimension : {2, 3}
    bodies : sequence of Body or str
        The frame (fixed body) among them; it is the first unless `frame` names another.
    joints : sequence of Joint
    drivers : sequence of Driver
    frame : str, optional
    points : mapping of str to coordinates, optional
        Named points which bodies and joints may refer to, m.
    name : str
    modes : mapping of str to int, optional
        Assembly modes of structural groups other than the reference configuration's: the name of a body of the group,
        or the group's number, and the number of the mode; see `groupkin.assembly_modes`.

    Raises
    ------
    MechanismError
        One of its subclasses, with the name of what is wrong.
    """

    dimension: int
    bodies: Sequence[Body | str]
    joints: Sequence[Joint]
    drivers: Sequence[Driver] = ()
    frame: str = ""
    points: Mapping[str, Sequence[float]] = field(default_factory=dict)
    name: str = "mechanism"
    modes: Mapping[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        bodies = tuple(Body(b) if isinstance(b, str) else b for b in self.bodies)
        if self.dimension not in (2, 3):
            raise MechanismError(f"dimension must be 2 (plane) or 3 (space), not {self.dimension!r}")
        if not bodies:
            raise MechanismError("a mechanism needs at least one body, the frame")
        for kind, entries in ((Body, bodies), (Joint, self.joints), (Driver, self.drivers)):
            for entry in entries:
                if not isinstance(entry, kind):
                    raise MechanismError(f"a {kind.__name__} is needed, not {entry!r}")
        from groupkin.mechanism.checks import check
        from groupkin.mechanism.multi_joints import expanded

        joints, drivers = expanded(self.joints, self.drivers)
        object.__setattr__(self, "bodies", bodies)
        object.__setattr__(self, "joints", joints)
        object.__setattr__(self, "drivers", drivers)
        object.__setattr__(self, "frame", self.frame or bodies[0].name)
        check(self, bodies)

    def __hash__(self) -> int:
        return hash((self.dimension, self.frame, self.name, *self.body, *(joint.name for joint in self.joints)))

    def __repr__(self) -> str:
        where = "in the plane" if self.dimension == 2 else "in space"
        bodies, joints = pairs.counted(len(self.bodies), "body", "bodies"), pairs.counted(len(self.joints), "joint")
        return f"<Mechanism {self.name} {where}: {bodies}, {joints}, {len(self.drivers)} driven>"

    @staticmethod
    def from_adjacency(
        matrix: Sequence[Sequence[str]],
        known_inputs: Sequence[Sequence[int]],
        dimension: int = 3,
        name: str = "mechanism",
    ) -> Mechanism:
        """Mechanism without geometry from the published form; see `groupkin.mechanism.adjacency`."""
        from groupkin.mechanism.adjacency import from_adjacency

        return from_adjacency(matrix, known_inputs, dimension, name)

    @cached_property
    def body(self) -> dict[str, Body]:
        """The bodies by name, in order of declaration."""
        return {b.name: b for b in self.bodies if isinstance(b, Body)}

    @cached_property
    def joint(self) -> dict[str, Joint]:
        """The joints by name, in order of declaration."""
        return {joint.name: joint for joint in self.joints}

    @cached_property
    def _place(self) -> dict[str, int]:
        """Place of every joint in the order of declaration."""
        return {name: place for place, name in enumerate(self.joint)}

    @cached_property
    def _place_of_body(self) -> dict[str, int]:
        return {name: place for place, name in enumerate(self.body)}

    def chosen_joints(self, names: Iterable[str]) -> list[Joint]:
        """Some of the joints, in order of declaration."""
        return [self.joint[name] for name in sorted(names, key=self._place.__getitem__)]

    def chosen_bodies(self, names: Iterable[str]) -> tuple[str, ...]:
        """Some of the bodies, in order of declaration."""
        return tuple(sorted(names, key=self._place_of_body.__getitem__))

    @cached_property
    def joints_of(self) -> dict[str, tuple[Joint, ...]]:
        """The joints of every body, in order of declaration."""
        found: dict[str, list[Joint]] = {name: [] for name in self.body}
        for joint in self.joints:
            for body in joint.bodies:
                found[body].append(joint)
        return {name: tuple(joints) for name, joints in found.items()}

    @cached_property
    def shared(self) -> dict[str, Joint]:
        """The multi-joints, which join more than two bodies, by name."""
        return {joint.of.name: joint.of for joint in self.joints if joint.of is not None}

    @cached_property
    def movable(self) -> tuple[str, ...]:
        """Names of all bodies but the frame, in order of declaration."""
        return tuple(name for name in self.body if name != self.frame)

    def form(self, joint: Joint) -> pairs.Form:
        """The moves of one of its joints, of which the freedoms are a part."""
        return pairs.form(joint.type, self.dimension, joint.follower)

    def freedoms(self, joint: Joint) -> tuple[pairs.Freedom, ...]:
        """The freedoms of one of its joints, in their stated order."""
        return pairs.freedoms(joint.type, self.dimension, joint.follower)

    @cached_property
    def driven(self) -> dict[str, dict[int, Driver]]:
        """For every joint that is driven: its drivers by index of the freedom."""
        found: dict[str, dict[int, Driver]] = {}
        for driver in self.drivers:
            joint = self.joint[driver.joint]
            index = pairs.freedom_index(joint.type, self.dimension, driver.freedom, joint.follower)
            found.setdefault(driver.joint, {})[index] = driver
        return found

    @cached_property
    def mobility(self) -> int:
        """Degrees of freedom by Eq. (2) of Celdran et al. (2022), drivers not counted."""
        unit = pairs.EQUATIONS_PER_BODY[self.dimension]
        return unit * len(self.movable) - sum(unit - len(self.freedoms(joint)) for joint in self.joints)

    @cached_property
    def positions(self) -> dict[str, Array]:
        """Global coordinates (m) of every named point in the reference configuration."""
        table: dict[str, Array] = {}
        sources = [self.points, *(b.points for b in self.body.values() if isinstance(b.points, Mapping))]
        for source in sources:
            for name, given in source.items():
                here = coordinates(given, self.dimension, f"point {name!r}")
                if name in table and not np.array_equal(table[name], here):
                    raise ConflictingPointError(
                        f"point {name!r} is given two positions, {table[name].tolist()} and {here.tolist()}; "
                        "give it once, or name the two points differently"
                    )
                table[name] = here
        return table

    def locate(self, point: Point, what: str) -> Array:
        """Coordinates (m) of a point given by name or by coordinates."""
        if not isinstance(point, str):
            return coordinates(point, self.dimension, what)
        if point not in self.positions:
            near = pairs.nearest(point, list(self.positions))
            raise UnknownNameError(f"{what} refers to {point!r}, which is no named point{pairs.hint(near)}")
        return self.positions[point]


def require_mechanism(given: object) -> None:
    """Refuse anything that is not a mechanism, a file's name above all."""
    if isinstance(given, (str, PathLike)):
        raise MechanismError(f"{given!s} is the name of a file: read it with groupkin.load first")
    if not isinstance(given, Mechanism):
        raise MechanismError(f"a Mechanism is needed, not {type(given).__name__}")
