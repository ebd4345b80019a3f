"""From a structure to a program: the rows of the state, and for every group its solver, constants and attachments."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import count, zip_longest

import numpy as np
from numpy.typing import NDArray

from groupkin.errors import DeterminedByCountOnlyError, LawError
from groupkin.kinematics.program.closed_forms import ClosedForm, closed_form, is_along, measured_form
from groupkin.kinematics.program.newton_tables import Attached, Pose, pack
from groupkin.mechanism.laws import Law
from groupkin.mechanism.mechanism import Mechanism
from groupkin.model import trees
from groupkin.model.determination.hold_spins import determine, held
from groupkin.model.geometry.coordinates import reference_coordinates
from groupkin.model.geometry.geometry import Geometry, gather, resolve, select, spread
from groupkin.model.rank.reasons import rank_note
from groupkin.structure.decomposition import Group, Structure
from groupkin.structure.multi_joints import arranged
from sglibrary import attachments
from sglibrary.chain import from_frame, in_frame
from sglibrary.iterative import knots, newton

Array = NDArray[np.float64]
Ints = NDArray[np.int64]

NEWTON = "Newton"
"""Name of the solver of groups without a closed form."""

TIME_ROW = 0
"""Row of the state that holds the time of each step, s."""


@dataclass(frozen=True)
class Call:
    """One call on a block: a kernel with its rows and constants.

    A group that is solved by iteration has to be followed from its first `knot` on (`sglibrary.iterative.knots`); of
    one in closed form `signs` are the places of the assembly mode's among the constants.
    """

    kernel: Callable[..., None]
    rows: Ints
    constants: Array
    group: int
    knot: Array | None = None
    signs: tuple[int, ...] = ()


@dataclass(frozen=True)
class Driven:
    """A driver's freedom: its three rows in the state start at `row`; `middle`: it is the second of three rotations."""

    row: int
    joint: str
    freedom: int
    law: Law
    rotation: bool
    reference: float
    middle: bool = False


@dataclass(frozen=True, eq=False)
class Program:
    """What is needed to solve a mechanism at any times.

    Attributes
    ----------
    structure, geometry : Structure, Geometry
    calls : tuple of Call
        In solving order: the groups, each followed by the attachments of its bodies.
    drivers : tuple of Driven
    poses : dict of str to Pose
        For every body, the frame included.
    rows : int
        Number of rows of the state.
    fixed : dict of int to float
        Rows that never change: what is attached to the frame.
    attached : dict of int to Attached
        Points and directions of solved bodies that later groups read, by their first row.
    kept : (k,) array of int
        Rows that place the movable bodies, without those that are attached to others: what a motion keeps.
    solvers : tuple of str
        Name of the solver of every group.
    modes : dict of int to int
        Assembly modes other than the reference configuration's, by number of the group.
    """

    structure: Structure
    geometry: Geometry
    calls: tuple[Call, ...]
    drivers: tuple[Driven, ...]
    poses: dict[str, Pose]
    rows: int
    fixed: dict[int, float]
    attached: dict[int, Attached]
    kept: Ints
    solvers: tuple[str, ...]
    modes: dict[int, int] = field(default_factory=dict)

    def __repr__(self) -> str:
        return f"<Program of {self.mechanism.name}: {', '.join(self.solvers) or 'no groups'}>"

    @property
    def mechanism(self) -> Mechanism:
        return self.structure.mechanism

    @cached_property
    def iterates(self) -> bool:
        """Whether any group is solved by iteration, so that it has to be followed from the reference configuration."""
        return any(call.knot is not None for call in self.calls)


@dataclass
class _Draft:
    """A program while it is built; `lead` is the shape of the axis of variants in all its numbers, () for one."""

    mechanism: Mechanism
    geometry: Geometry
    lead: tuple[int, ...]
    poses: dict[str, Pose] = field(default_factory=dict)
    fixed: dict[int, Array] = field(default_factory=dict)
    driver_rows: dict[tuple[str, int], int] = field(default_factory=dict)
    attached: dict[str, dict[tuple[object, ...], int]] = field(default_factory=dict)
    entries: dict[str, list[tuple[list[int], Array]]] = field(default_factory=dict)
    free: count[int] = field(default_factory=lambda: count(TIME_ROW + 1))

    def allocate(self, rows: int) -> int:
        first = next(self.free)
        for _ in range(rows - 1):
            next(self.free)
        return first


def build(mechanism: Mechanism, structure: Structure | None = None, geometry: Geometry | None = None) -> Program:
    """Program of a mechanism with geometry.

    Raises
    ------
    NotDeterminedError, NoGeometryError, NotModeledError, GeometryError
        See `groupkin.analyze` and `groupkin.model.geometry.geometry.resolve`.
    LawError
        If a driver has no motion law.
    DeterminedByCountOnlyError
        If the equations of a group lack rank in the reference configuration.
    """
    if geometry is None:
        mechanism = structure.mechanism if structure is not None else arranged(mechanism)
        geometry = resolve(mechanism)
    structure = structure or determine(mechanism, geometry)
    return chosen(assemble(structure, geometry), ())


def assemble(structure: Structure, geometry: Geometry, solvers: tuple[str, ...] = ()) -> Program:
    """Program of a mechanism, or of all its variants together: every number then has a leading axis.

    Points and directions share rows of the state where they coincide in all variants.

    Parameters
    ----------
    structure : Structure
    geometry : Geometry
        Of one mechanism, or of variants.
    solvers : tuple of str, optional
        Names of the groups' solvers, where these are known, and groups are not examined by rank.
    """
    lead = np.shape(geometry.origins[structure.mechanism.frame])[:-1]
    draft = _Draft(structure.solved_as, _held(structure, geometry, lead), lead)
    drivers = _drivers(draft)
    _place_frame(draft)
    solved = [_group_step(draft, group, solver) for group, solver in zip_longest(structure.groups, solvers)]
    mechanism, calls = structure.mechanism, []
    for group, (call, _) in zip(structure.groups, solved, strict=True):
        calls.append(call)
        attachments = [entry for body in group.bodies for entry in draft.entries.get(body, [])]
        if attachments:
            calls.append(_combine_step(draft, attachments, group.number))
    rows = next(draft.free)
    attached = {
        row: Attached(point, tuple(vectors), coefficients)
        for entries in draft.entries.values()
        for (row, point, *vectors), coefficients in entries
    }
    firsts = {row for body in mechanism.movable for row in (draft.poses[body].point, *draft.poses[body].vectors)}
    kept = sorted(
        {row + k for row in firsts - attached.keys() for k in range(mechanism.dimension)} - draft.fixed.keys()
    )
    return Program(
        structure,
        geometry,
        tuple(calls),
        drivers,
        draft.poses,
        rows,
        draft.fixed,  # type: ignore[arg-type]
        attached,
        np.array(kept, np.int64),
        tuple(name for _, name in solved),
    )


def chosen(family: Program, k: int | tuple[int, ...]) -> Program:
    """The program of variant k of those that were assembled together; of the only one there is for ()."""
    return replace(
        family,
        geometry=select(family.geometry, k),
        calls=tuple(chosen_call(call, k) for call in family.calls),
        drivers=tuple(replace(driven, reference=float(np.asarray(driven.reference)[k])) for driven in family.drivers),
        poses={
            body: replace(pose, origin=pose.origin[k], directions=pose.directions[k])
            for body, pose in family.poses.items()
        },
        fixed={row: float(np.asarray(value)[k]) for row, value in family.fixed.items()},
        attached={row: replace(own, coefficients=own.coefficients[k]) for row, own in family.attached.items()},
    )


def chosen_call(call: Call, k: int | tuple[int, ...]) -> Call:
    """The step of variant k."""
    constants = np.ascontiguousarray(call.constants[k])
    if call.knot is None:
        return replace(call, constants=constants)
    unknowns, variables = call.rows[1:3]
    return replace(call, constants=constants, knot=knots.first(constants[len(constants) - variables :], unknowns))


def _held(structure: Structure, geometry: Geometry, lead: tuple[int, ...]) -> Geometry:
    """Geometry of `structure.solved_as`."""
    if not lead:
        return held(structure, geometry)
    if not structure.spins:
        return spread(held(structure, geometry), lead[0]) if structure.redundancies else geometry
    return gather([held(structure, select(geometry, k)) for k in range(lead[0])])


def _drivers(draft: _Draft) -> tuple[Driven, ...]:
    joints = draft.mechanism.joint
    found = []
    for name, drivers in draft.mechanism.driven.items():
        form = draft.mechanism.form(joints[name])
        reference = reference_coordinates(form, draft.geometry.joints[name])[list(form.places)]
        for index, driver in drivers.items():
            if driver.law is None:
                raise LawError(
                    f"the driver of joint {name!r} ({form.freedoms[index].name}) has no motion law; give it one to "
                    "solve"
                )
            law = driver.law.labeled(f"driver of joint {name!r} ({form.freedoms[index].name})")
            row = draft.allocate(3)
            draft.driver_rows[name, index] = row
            freedom = form.freedoms[index]
            found.append(Driven(row, name, index, law, freedom.rotation, reference[index], freedom.middle))
    return tuple(found)


def _place_frame(draft: _Draft) -> None:
    d = draft.mechanism.dimension
    point = _fix(draft, np.zeros(d))
    vectors = tuple(_fix(draft, np.eye(d)[k]) for k in range(3 if d == 3 else 1))
    draft.poses[draft.mechanism.frame] = _posed(draft, point, vectors, np.zeros(d), np.eye(d))


def _posed(draft: _Draft, point: int, vectors: tuple[int, ...], origin: Array, directions: Array) -> Pose:
    d = draft.mechanism.dimension
    spread = np.broadcast_to(origin, (*draft.lead, d)), np.broadcast_to(directions, (*draft.lead, d, d))
    return Pose(point, vectors, *spread)


def _fix(draft: _Draft, vector: Array) -> int:
    d = draft.mechanism.dimension
    row, vector = draft.allocate(d), np.broadcast_to(vector, (*draft.lead, d))
    draft.fixed.update({row + k: vector[..., k] for k in range(d)})
    return row


def _attach(draft: _Draft, body: str, local: Array, point: bool) -> int:
    """Row of a point or direction (..., d) fixed in a solved body; rows that already hold it are shared."""
    d = draft.mechanism.dimension
    pose = draft.poses[body]
    coefficients = in_frame(pose.directions, local - pose.origin if point else local)
    known = draft.attached.setdefault(body, {})
    key = (point, (np.round(coefficients, 13) + 0.0).tobytes())  # adding 0 makes one of 0 and -0
    if key in known:
        return known[key]
    exact = 1e-15 * draft.geometry.size if point else 1e-15
    if point and np.all(np.abs(coefficients) <= exact):
        row = pose.point
    elif not point and (same := _among(coefficients, len(pose.vectors), exact)):
        row = pose.vectors[same[0]]
    elif body == draft.mechanism.frame:
        row = _fix(draft, local)
    else:
        row = draft.allocate(d)
        entry = [row, pose.point if point else -1, *pose.vectors]
        draft.entries.setdefault(body, []).append((entry, coefficients))
    known[key] = row
    return row


def _among(coefficients: Array, count: int, exact: float) -> list[int]:
    """Numbers of the first `count` base vectors with which directions (..., d) agree."""
    return [k for k in range(count) if np.all(np.abs(coefficients[..., k] - 1.0) <= exact)]


def _combine_step(draft: _Draft, entries: list[tuple[list[int], Array]], group: int) -> Call:
    rows = np.array([draft.mechanism.dimension, *(number for entry, _ in entries for number in entry)], np.int64)
    constants = np.concatenate([coefficients for _, coefficients in entries], axis=-1)
    return Call(attachments.motion, rows, constants, group)


def _group_step(draft: _Draft, group: Group, solver: str | None) -> tuple[Call, str]:
    """The step of a group and the name of its solver, which may be known."""
    if solver == NEWTON:
        return _newton_step(draft, group), NEWTON
    if solver is not None:
        found = measured_form(draft.mechanism, draft.geometry, group)
        assert found is not None
        return _closed_step(draft, group, found), solver
    missing = rank_note(draft.mechanism, draft.geometry, group)
    if missing:
        raise DeterminedByCountOnlyError(
            f"group {group.number} ({', '.join(group.bodies)}; {group.label}) {missing}; choose another reference "
            "configuration, or other joints or drivers"
        )
    found = closed_form(draft.mechanism, draft.geometry, group)
    if found is not None:
        return _closed_step(draft, group, found), found.solver.name
    return _newton_step(draft, group), NEWTON


def _closed_step(draft: _Draft, group: Group, found: ClosedForm) -> Call:
    """The step of a group with a closed form; places its bodies."""
    solver, role, joints = found.solver, found.role, found.joints

    def row_of(kind: str, number: int) -> int:
        if kind == "attached":
            number, point, local = found.measured.attached[number]
            body, frame, origin = known_side(number)
            return _attach(draft, body, from_frame(frame, local) + (origin if point else 0.0), point)
        body, frame, origin = known_side(number)
        column = {"normal": 0, "binormal": 1, "axis": 2}.get(kind)
        return _attach(draft, body, origin if column is None else frame[..., column], column is None)

    def known_side(number: int) -> tuple[str, Array, Array]:
        """The solved body of a joint, and the joint frame and its origin on it."""
        joint, side = joints[number], solver.chain[number][:2].index(-1)
        own = side if is_along(joint, solver.chain[number], role) else 1 - side
        geometry = draft.geometry.joints[joint.name]
        return joint.bodies[own], geometry.frames[..., own, :, :], geometry.points[..., own, :]

    inputs = [row_of(*needed) for needed in solver.inputs]
    shared = [row_of(*needed) for needed in solver.shared]
    drivers = [draft.driver_rows[joints[number].name, freedom] for number, freedom in solver.drivers]
    out = draft.allocate(solver.written)
    rows = {"in": inputs + shared, "out": [out + k for k in range(solver.written)]}
    for body, number in role.items():
        base = found.measured.bases[number]
        vectors = tuple(rows[kind][k] for kind, k in base.vectors)
        point = rows[base.point[0]][base.point[1]]
        draft.poses[body] = _posed(draft, point, vectors, base.origin, base.directions)
    packed, constants = np.array([*inputs, *drivers, out, *shared], np.int64), found.measured.constants
    constants = np.broadcast_to(constants, (*draft.lead, constants.shape[-1]))
    constants = np.where(found.measured.valid[..., None], constants, np.nan)
    return Call(solver.motion, packed, constants, group.number, signs=solver.signs)


def _newton_step(draft: _Draft, group: Group) -> Call:
    """The group's step by Newton, with tables as `sglibrary.iterative.newton_tables` describes; poses are joint frames."""
    d = draft.mechanism.dimension
    width = 3 if d == 3 else 1
    for body in group.bodies:
        first = draft.allocate(d * (1 + width))
        vectors = tuple(first + d * (1 + k) for k in range(width))
        draft.poses[body] = _posed(draft, first, vectors, draft.geometry.origins[body], np.eye(d))
    tree = trees.grow(draft.mechanism, draft.geometry, group)
    rows, constants = pack(tree, group.bodies, draft.poses, draft.driver_rows, draft.geometry.size, TIME_ROW)
    constants = np.broadcast_to(constants, (*draft.lead, constants.shape[-1]))
    return Call(newton.motion, rows, constants, group.number, np.zeros(0))
