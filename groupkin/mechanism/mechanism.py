"""A mechanism as the user describes it, as frozen data that is checked once, when it is made."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from groupkin.arguments import Name, check_fields, checked
from groupkin.errors import ConflictingPointError, FormulaError, GeometryError, MechanismError, UnknownNameError, shown
from groupkin.mechanism import pairs
from groupkin.mechanism.adjacency import parts_of
from groupkin.mechanism.carriers import carriers, stated
from groupkin.mechanism.checks import check, check_ends
from groupkin.mechanism.constructions.construction import Construction, Placed, from_lengths
from groupkin.mechanism.constructions.links import Link
from groupkin.mechanism.couplings.couplings import Coupling
from groupkin.mechanism.couplings.relations import Relation, check_measured, relations
from groupkin.mechanism.forces.forces import Load, check_forces
from groupkin.mechanism.formulas.syntax import parse_formula
from groupkin.mechanism.leaders import linked_drivers
from groupkin.mechanism.masses.mass_checks import check_masses
from groupkin.mechanism.multi_joints import expanded
from groupkin.mechanism.parts import Body as Body
from groupkin.mechanism.parts import Driver as Driver
from groupkin.mechanism.parts import Joint as Joint
from groupkin.mechanism.parts import Point as Point
from groupkin.mechanism.parts import frozen
from groupkin.mechanism.points import coordinates, direction
from groupkin.mechanism.robots import Robot
from groupkin.mechanism.subassemblies.part import Part
from groupkin.mechanism.subassemblies.with_parts import with_parts
from groupkin.mechanism.suspensions import Suspension, outputs_of_suspension
from groupkin.mechanism.units import SI, Units
from groupkin.mechanism.values import Value, given_values
from groupkin.messages import counted, hint
from groupkin.showing import InNotebooks, Shown, renderer
from groupkin.text_forms import written
from groupkin.tolerances import MOST_MISFIT, ON_AXIS

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Mechanism(InNotebooks):
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
    units : Units
        Of numbers in messages and in files that are written; in Python they are m and rad, whatever these units.
    outputs : mapping of str to str, optional
        Named outputs, each by a formula of quantities such as ``{position P.x} - 3 mm``. What stands in braces is
        checked when the mechanism is solved, as the geometry is.
    ranges : mapping of str to pair of float, optional
        Least and largest values of quantities that are numbers, such as ``distance A-B`` or an output, SI; infinite
        where there is no end. Those of joints are stated with these, as `Joint.range`. What is named is checked when
        the mechanism is solved.
    gravity : (d,) sequence of float, optional
        m/s². Default: none.
    forces : sequence of Spring, JointSpring, Force, Torque or JointForce
        What acts on the bodies, besides gravity; motion does not depend on it.
    couplings : sequence of Coupling
        Equations between joint coordinates, points and angles, one each.
    misfit : float
        By how much joints that repeat others may be open, as a fraction of the mechanism's size, and rad: their
        equations are then met by least squares. Default 0: they must be closed to 1e-9 of the size at every step.
    suspensions : sequence of Suspension
        Wheels whose angles and offsets are outputs of the mechanism: they are added to its own when it is made.
    robots : sequence of Robot
        Tools whose dexterity, stiffness and errors are quantities.
    parts : sequence of Part
        Mechanisms that are parts of this one; their bodies, joints and forces are added to its own when it is made.

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
    points: Mapping[Name, Sequence[float] | Construction] = field(default_factory=dict)
    name: Name = "mechanism"
    modes: Mapping[str, int] = field(default_factory=dict)
    units: Units = field(default=SI, compare=False)
    outputs: Mapping[Name, str] = field(default_factory=dict)
    gravity: Sequence[float] = ()
    forces: Sequence[Load] = ()
    couplings: Sequence[Coupling] = ()
    misfit: float = 0.0
    parts: Sequence[Part] = ()
    ranges: Mapping[str, Sequence[float]] = field(default_factory=dict)
    suspensions: Sequence[Suspension] = ()
    robots: Sequence[Robot] = ()

    def __post_init__(self) -> None:
        check_fields(self, MechanismError)
        if isinstance(self.bodies, str):  # a sequence of one-letter names otherwise
            raise MechanismError(f"Mechanism {self.name!r}: bodies must be a list, not {shown(self.bodies)}")
        bodies = tuple(Body(b) if isinstance(b, str) else b for b in self.bodies)
        if self.dimension not in (2, 3):
            raise MechanismError(f"dimension must be 2 (plane) or 3 (space), not {self.dimension!r}")
        if not 0.0 <= self.misfit <= MOST_MISFIT:
            raise MechanismError(
                f"misfit must be a fraction of the size from 0 to {MOST_MISFIT:g}, not {shown(self.misfit)}"
            )
        if not bodies:
            raise MechanismError("a mechanism needs at least one body, the frame")
        frame, bodies = self.frame or bodies[0].name, tuple(map(frozen, bodies))
        points = from_lengths({name: frozen(at) for name, at in self.points.items()}, self.units)
        stated: dict[str, Any] = {"bodies": bodies, "points": points, "forces": tuple(self.forces)}
        stated |= {"suspensions": tuple(self.suspensions), "robots": tuple(self.robots)}
        stated |= {"joints": tuple(map(frozen, self.joints)), "drivers": tuple(map(frozen, self.drivers))}
        if self.parts:
            stated = with_parts(stated, self.parts, frame, self.dimension)
        stated["joints"], stated["drivers"] = expanded(stated["joints"], stated["drivers"])
        stated["ranges"] = {text: tuple(ends) for text, ends in self.ranges.items()}
        for text, ends in stated["ranges"].items():
            check_ends(ends, f"range of {shown(text)}")
        stated |= {"gravity": frozen(self.gravity), "couplings": tuple(self.couplings), "frame": frame, "parts": ()}
        for name, value in stated.items():
            object.__setattr__(self, name, value)
        check(self, stated["bodies"])
        self._add_suspensions()
        object.__setattr__(self, "drivers", linked_drivers(self))
        self.__dict__.pop("driven", None)
        # what drives a robot stays so where others are driven instead, as where its tool is led
        robots = (robot if robot.by else replace(robot, by=self.driven_freedoms) for robot in self.robots)
        object.__setattr__(self, "robots", tuple(robots))
        check_masses(self)
        check_forces(self)
        _check_outputs(self.outputs)
        check_measured(self)  # raises if a coupling is wrong

    def _add_suspensions(self) -> None:
        """Add the outputs of wheels to those of the mechanism."""
        outputs = dict(self.outputs)
        for wheel in self.suspensions:
            for name, text in outputs_of_suspension(wheel, self.positions, tuple(self.body), self.frame).items():
                if outputs.setdefault(name, text) != text:
                    raise MechanismError(
                        f"suspension {wheel.name!r} has an output {name!r}, as the mechanism has; give one another name"
                    )
        object.__setattr__(self, "outputs", outputs)

    @cached_property
    def own_outputs(self) -> dict[str, str]:
        """The outputs that are not those of suspensions."""
        of_wheels = {
            name: text
            for wheel in self.suspensions
            for name, text in outputs_of_suspension(wheel, self.positions, tuple(self.body), self.frame).items()
        }
        return {name: text for name, text in self.outputs.items() if of_wheels.get(name) != text}

    def __hash__(self) -> int:
        return hash((self.dimension, self.frame, self.name, *self.body, *(joint.name for joint in self.joints)))

    def __repr__(self) -> str:
        where = "in the plane" if self.dimension == 2 else "in space"
        bodies, joints = counted(len(self.bodies), "body", "bodies"), counted(len(self.stated_joints), "joint")
        return f"<Mechanism {self.name} {where}: {bodies}, {joints}, {len(self.drivers)} driven>"

    @classmethod
    @checked
    def from_adjacency(
        cls,
        matrix: Sequence[Sequence[str]],
        known_inputs: Sequence[Sequence[int]],
        dimension: int = 3,
        name: str = "mechanism",
    ) -> Mechanism:
        """Mechanism without geometry from Table 3 and script User_Data of Celdran et al. (2022).

        Parameters
        ----------
        matrix : (N, N) sequence of str
            The symbol of the pair of bodies i and j, or "-" where they are not joined. Symmetric.
        known_inputs : (N, N) sequence of int
            w at (i, j): the first w freedoms of the pair are driven. Symmetric.
        dimension : {2, 3}
        name : str

        Returns
        -------
        Mechanism
            Bodies "1" to "N", the first of them the frame; joints named "i-j".

        Raises
        ------
        MechanismError
            If a matrix is not square or not symmetric, joins a body to itself, or drives more freedoms than a pair
            has.

        Examples
        --------
        >>> inputs = [[0, 1, 0, 0], [1, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]]
        >>> Mechanism.from_adjacency(["-R-R", "R-R-", "-R-R", "R-R-"], inputs, dimension=2).mobility
        1
        """
        return cls(dimension, *parts_of(matrix, known_inputs, dimension), name=name)

    @cached_property
    def body(self) -> dict[str, Body]:
        """The bodies by name, in order of declaration."""
        return {b.name: b for b in self.bodies if isinstance(b, Body)}

    @cached_property
    def robot(self) -> dict[str, Robot]:
        """The robots by name, in order of declaration."""
        return {robot.name: robot for robot in self.robots}

    @cached_property
    def values(self) -> dict[str, Value]:
        """The numbers with names that other numbers of the mechanism follow from, by name."""
        return given_values(self)

    @cached_property
    def joint(self) -> dict[str, Joint]:
        """The joints by name, in order of declaration."""
        return {joint.name: joint for joint in self.joints}

    @cached_property
    def stated_joints(self) -> tuple[str, ...]:
        """Names of the joints as they are stated: one for all the pairs of a multi-joint."""
        return tuple(dict.fromkeys((joint.of or joint).name for joint in self.joints))

    @cached_property
    def _joint_number(self) -> dict[str, int]:
        """Number of every joint in the order of declaration."""
        return {name: number for number, name in enumerate(self.joint)}

    @cached_property
    def _body_number(self) -> dict[str, int]:
        """Number of every body in the order of declaration."""
        return {name: number for number, name in enumerate(self.body)}

    def chosen_joints(self, names: Iterable[str]) -> list[Joint]:
        """Some of the joints, in order of declaration."""
        return [self.joint[name] for name in sorted(names, key=self._joint_number.__getitem__)]

    def chosen_bodies(self, names: Iterable[str]) -> tuple[str, ...]:
        """Some of the bodies, in order of declaration."""
        return tuple(sorted(names, key=self._body_number.__getitem__))

    @cached_property
    def joints_of(self) -> dict[str, tuple[Joint, ...]]:
        """The joints of every body, in order of declaration."""
        joints: dict[str, list[Joint]] = {name: [] for name in self.body}
        for joint in self.joints:
            for body in joint.bodies:
                joints[body].append(joint)
        return {name: tuple(on_body) for name, on_body in joints.items()}

    @cached_property
    def shared(self) -> dict[str, Joint]:
        """The multi-joints, which join more than two bodies, by name."""
        return {joint.of.name: joint.of for joint in self.joints if joint.of is not None}

    @cached_property
    def movable(self) -> tuple[str, ...]:
        """Names of all bodies but the frame, in order of declaration."""
        return tuple(name for name in self.body if name != self.frame)

    def form(self, joint: Joint) -> pairs.Form:
        """The form of a joint: its moves, some of which are its freedoms."""
        return pairs.form(joint.type, self.dimension, joint.follower)

    def freedoms(self, joint: Joint) -> tuple[pairs.Freedom, ...]:
        """The freedoms of a joint, in the order of the table of pairs."""
        return pairs.freedoms(joint.type, self.dimension, joint.follower)

    def joint_ranges(self, joint: Joint) -> Mapping[str, Sequence[float]]:
        """The ranges of a joint by the names of its freedoms."""
        if joint.range is None or isinstance(joint.range, Mapping):
            return joint.range or {}
        return {self.freedoms(joint)[0].name: joint.range}

    @cached_property
    def has_ranges(self) -> bool:
        """Whether a joint or another quantity has a range."""
        return bool(self.ranges) or any(joint.range is not None for joint in self.joints)

    @cached_property
    def driven(self) -> dict[str, dict[int, Driver]]:
        """For every driven joint its drivers, by index of the freedom."""
        drivers: dict[str, dict[int, Driver]] = {}
        for driver in self.drivers:
            joint = self.joint[driver.joint]
            index = pairs.freedom_index(joint.type, self.dimension, driver.freedom, joint.follower)
            drivers.setdefault(driver.joint, {})[index] = driver
        return drivers

    @property
    def driven_freedoms(self) -> tuple[str, ...]:
        """The text forms of all driven freedoms as quantities."""
        every = ((joint, self.freedoms(self.joint[joint]), index) for joint, at in self.driven.items() for index in at)
        return tuple(
            f"joint {written(joint)}" + (f".{written(freedoms[index].name)}" if len(freedoms) > 1 else "")
            for joint, freedoms, index in every
        )

    def driver_name(self, joint: str, index: int) -> str:
        """Name of a freedom in messages: that of its joint, with its own where the joint has several."""
        freedoms = self.freedoms(self.joint[joint])
        return joint if len(freedoms) == 1 else f"{joint}.{freedoms[index].name}"

    @cached_property
    def mobility(self) -> int:
        """Degrees of freedom by Eq. (2) of Celdran et al. (2022), drivers not counted; couplings take one each."""
        unit = pairs.EQUATIONS_PER_BODY[self.dimension]
        taken = sum(unit - len(self.freedoms(joint)) for joint in self.joints) + len(self.couplings)
        return unit * len(self.movable) - taken

    @cached_property
    def relations(self) -> dict[str, Relation]:
        """The couplings, bound to joints, points and bodies, by name."""
        return relations(self)

    @cached_property
    def measuring(self) -> tuple[Joint, ...]:
        """Free pairs between the frame and bodies, which measure points and angles for couplings and hold nothing."""
        joints = {each.joint.name: each.joint for of in self.relations.values() for each in of.coordinates}
        return tuple(joint for name, joint in joints.items() if name not in self.joint)

    @cached_property
    def positions(self) -> dict[str, Array]:
        """Global coordinates (m) of every named point in the reference configuration."""
        table: dict[str, Array] = {}
        sources = [self.points, *(b.points for b in self.body.values() if isinstance(b.points, Mapping))]
        for source in sources:
            for name, values in source.items():
                position = coordinates(values, self.dimension, f"point {name!r}")  # type: ignore[arg-type]
                if name in table and not np.array_equal(table[name], position):
                    raise ConflictingPointError(
                        f"point {name!r} has two positions, {self.units.vector(table[name], digits=10)} and "
                        f"{self.units.vector(position, digits=10)}; "
                        "remove one of them, or name the two points differently"
                    )
                table[name] = position
        return table

    @cached_property
    def stated_points(self) -> dict[str, dict[str, int]]:
        """The bodies that state each named point, and how strongly."""
        return stated(self)

    @cached_property
    def carriers(self) -> dict[str, tuple[str, ...]]:
        """The bodies that each named point may be of: none, one, or several that move apart."""
        return carriers(self)

    @cached_property
    def unused_points(self) -> tuple[str, ...]:
        """Named points that no joint or body names, but those of parts, which may leave some to the whole."""
        named = {point for joint in self.joints for point in joint.named}
        named |= {
            p
            for body in self.body.values()
            for p in (body.origin, *body.points, *sum(body.lengths, ()))
            if isinstance(p, str)
        }
        named.update(*self.loaded_points.values())
        made = {name: at.construction for name, at in self.points.items() if isinstance(at, Placed)}
        named.update(*(construction.named for construction in made.values()))
        named.update(name for name, construction in made.items() if isinstance(construction, Link))  # made in threes
        return tuple(name for name in self.points if name not in named and "/" not in name)

    @cached_property
    def loaded_points(self) -> dict[str, tuple[str, ...]]:
        """The named points of every body that are of its mass, or that forces act on."""
        points: dict[str, list[str]] = {name: [] for name in self.body}
        for body in self.body.values():
            points[body.name] += [x for x in (body.center, body.about) if isinstance(x, str) and x in self.positions]
        for load in self.forces:
            for name, point in load.ends():
                if isinstance(point, str):
                    points[name].append(point)
        return {name: tuple(dict.fromkeys(found)) for name, found in points.items()}

    def locate(self, point: Point, what: str) -> Array:
        """Coordinates (m) of a point, which is a name or coordinates; `what` refers to it in messages."""
        if not isinstance(point, str):
            return coordinates(point, self.dimension, what)
        if point not in self.positions:
            raise UnknownNameError(f"{what} refers to {point!r}, which is {self._no_point(point)}")
        return self.positions[point]

    def _no_point(self, name: str) -> str:
        """Say what a name is that stands where a named point is needed, and what to write instead."""
        joint = self.shared.get(name) or self.joint.get(name)
        if joint is None:
            return f"no named point{hint(name, self.positions)}"
        point = joint.point if joint.point is not None else (joint.points or (None, None))[1]
        if isinstance(point, str):
            return f"a joint, not a named point: take its point {point!r}"
        at = "" if point is None else f", such as {name}_point = {self.units.vector(point, digits=10)}"
        return (
            f"a joint, not a named point: name a point there in `points`{at}, and take it here and as the joint's point"
        )

    def direction(self, joint: Joint) -> Array:
        """Return the unit vector (d,) along the axis of a joint, from the first to the second of two named points."""
        what = f"axis of joint {joint.name!r}"
        if joint.axis_points is None:
            assert joint.axis is not None
            return direction(joint.axis, self.dimension, what)
        first, second = (self.locate(name, what) for name in joint.axis_points)
        if np.array_equal(first, second):
            raise GeometryError(f"{what}: the points {' and '.join(joint.axis_points)} coincide, and give no direction")
        return direction(second - first, self.dimension, what)

    def axis_passes(self, joint: Joint, others: Sequence[Joint]) -> bool:
        """Whether the axis of a joint passes through the points of two others, in the reference configuration.

        It does not where a joint has no geometry.
        """
        located = [(each, each.ends[0]) for each in (joint, *others)]
        points = [self.locate(end, f"joint {each.name!r}") for each, end in located if end is not None]
        if joint.axis is None or len(points) < 3:
            return False
        axis, (point, first, second) = self.direction(joint), points
        offsets = np.cross([first - point, second - point], axis)
        return bool(np.abs(offsets).max() < ON_AXIS * np.linalg.norm(second - first))

    def draw(
        self,
        out: str | Path | None = None,
        kind: str | None = None,
        colors: str | None = None,
        names: str | None = None,
    ) -> Shown | None:
        """Draw the mechanism, or its structure, into a file, see `groupkin.draw`; without one a notebook shows it."""
        return renderer("Mechanism.draw")(self, out, kind, colors, names)


def _check_outputs(outputs: Mapping[str, str]) -> None:
    """Refuse formulas that cannot be read."""
    for name, text in outputs.items():
        try:
            parse_formula(text)
        except FormulaError as error:
            raise FormulaError(f"output {name!r}: {error}") from None
