"""From a structure to a program: the rows of the state, and for every group its solver, constants and attachments."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from itertools import count, zip_longest
from typing import TypeVar

import numpy as np

from groupkin.errors import DeterminedByCountOnlyError, LawError
from groupkin.kinematics.program import first_use, hub_tables
from groupkin.kinematics.program.closed_forms import ClosedForm, coupled_form, is_along, measured_form
from groupkin.kinematics.program.dataflow import rows_of
from groupkin.kinematics.program.newton_tables import pack
from groupkin.kinematics.program.program import TIME_ROW, Attached, Call, Driven, Pose, Program, variant_of
from groupkin.kinematics.program.repeated_rows import checks
from groupkin.kinematics.program.solver_choice import COUPLED, HUB, ITERATED, NOT_HERE, SUBSTITUTE, choose_solver
from groupkin.mechanism.checks import warn_of_points
from groupkin.mechanism.gears import check
from groupkin.mechanism.mechanism import Mechanism
from groupkin.model.coupled_drivers import CoupledDriver, combination, coupled_drivers
from groupkin.model.determination.dependent_drivers import refusal
from groupkin.model.determination.determine import determine
from groupkin.model.determination.hold_spins import solved_geometry
from groupkin.model.determination.undriven import undriven
from groupkin.model.geometry.assembly import assembled, require_assembled
from groupkin.model.geometry.coordinates import reference_coordinates
from groupkin.model.geometry.geometry import Geometry, gather, resolve, select, spread
from groupkin.model.geometry.moved_loads import moves_between, with_moved_loads
from groupkin.model.hubs import hub_of
from groupkin.model.tree_making import make_tree
from groupkin.structure.decomposition import Group, Structure
from groupkin.structure.multi_joints import arranged
from groupkin.tolerances import SAME_VECTOR
from sglibrary import attachments, written_out
from sglibrary.array_types import Array
from sglibrary.arrays import from_frame
from sglibrary.catalog import REPEATING
from sglibrary.straight.scheme import pose_vectors
from sglibrary.traced import samples

T = TypeVar("T")
Attachment = tuple[list[int], Array]
"""Rows of an attachment as `sglibrary.attachments.motion` takes them, and its coefficients (..., d)."""

SAME_DIGITS = 13
"""Decimals, relative to the mechanism's size, to which attached points and directions that share rows are the same."""


def build(
    mechanism: Mechanism,
    structure: Structure | None = None,
    geometry: Geometry | None = None,
    wanted: str = SUBSTITUTE,
) -> Program:
    """Build the program of a mechanism with geometry.

    Parameters
    ----------
    mechanism : Mechanism
    structure : Structure, optional
        Of the mechanism; default: determined here.
    geometry : Geometry, optional
        In the reference configuration; default: as the mechanism states it.
    wanted : {"substitute", "newton"}
        See `groupkin.kinematics.program.solver_choice.choose_solver`.

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
    try:
        return variant_of(assemble(structure, geometry, wanted=wanted), ())
    except DeterminedByCountOnlyError as error:
        remedies = refusal(mechanism, geometry, undriven(mechanism, geometry))
        raise DeterminedByCountOnlyError(f"{error}\n{remedies}") if remedies else error from None


def reference_program(mechanism: Mechanism, assemble: bool = False, wanted: str = SUBSTITUTE) -> Program:
    """Check a mechanism and build its program, modes that it declares being disregarded.

    Parameters
    ----------
    mechanism : Mechanism
    assemble : bool
        Close a reference configuration that is only approximate instead of refusing it.
    wanted : {"substitute", "newton"}
        As `build` takes it.

    Raises
    ------
    MechanismError, StructureError
    """
    check(mechanism)
    warn_of_points(mechanism)
    mechanism = arranged(mechanism)
    if not assemble:
        return build(mechanism, geometry=require_assembled(mechanism), wanted=wanted)
    geometry = assembled(mechanism)
    moves = moves_between(mechanism, before := resolve(mechanism), geometry)
    mechanism = with_moved_loads(mechanism, before, moves) if moves else mechanism
    return build(mechanism, geometry=geometry, wanted=wanted)


def assemble(
    structure: Structure, geometry: Geometry, solvers: tuple[str, ...] = (), wanted: str = SUBSTITUTE
) -> Program:
    """Build the program of a mechanism, or of all its variants together: every number then has a leading axis.

    Points and directions share rows of the state where they coincide in all variants.

    Parameters
    ----------
    structure : Structure
    geometry : Geometry
        Of one mechanism, or of variants.
    solvers : tuple of str, optional
        Names of the groups' solvers; with them groups are not examined by rank.
    wanted : {"substitute", "newton"}
        As `build` takes it, where there are none.
    """
    lead = np.shape(geometry.origins[structure.mechanism.frame])[:-1]
    layout = Layout(structure.solved_as, _solved_geometry(structure, geometry, lead), lead)
    drivers = _drivers(layout)
    _place_frame(layout)
    _find_coupled(layout, structure.groups, solvers)
    solved = [_group_call(layout, group, solver, wanted) for group, solver in zip_longest(structure.groups, solvers)]
    mechanism, calls = structure.mechanism, []
    for group, (call, solver) in zip(structure.groups, solved, strict=True):
        _, written = rows_of(call, solver, mechanism.dimension)
        repeating = group.internal if solver in {form.name for form in REPEATING} else ()
        calls += [call, *checks(structure, geometry, layout.poses, group.number, written, repeating)]
        calls += layout.attaching(group.bodies, group.number)
    first_use.begin(calls)
    rows = next(layout.free)
    attached = layout.attached()
    firsts = {row for body in mechanism.movable for row in (layout.poses[body].point, *layout.poses[body].vectors)}
    kept = sorted(
        {row + k for row in firsts - attached.keys() for k in range(mechanism.dimension)} - layout.fixed.keys()
    )
    return Program(
        structure,
        geometry,
        tuple(calls),
        drivers,
        layout.poses,
        rows,
        layout.fixed,  # type: ignore[arg-type]
        attached,
        np.array(kept, np.int64),
        tuple(name for _, name in solved),
    )


# --- the state -------------------------------------------------------------------------------


@dataclass
class Layout:
    """The layout of the state while groups, or more of solved bodies, are added to it.

    Attributes
    ----------
    mechanism, geometry : Mechanism, Geometry
        As solved: with held spins and eased joints.
    lead : tuple of int
        Shape of the leading axis of variants in all numbers; empty for a single mechanism.
    poses : dict of str to Pose
    fixed : dict of int to array
        Values of rows that never change.
    driver_rows : dict of (str, int) to int
        First row of every driver, by joint and freedom.
    coupled : dict of int to CoupledDriver
        By number of the group that each moves.
    followed : dict of (str, int) to dict
        Of every coupled driver the drivers, by first row, with their factors, and its constant at row -1.
    attached_rows : dict of str to dict
        First rows of points and directions that were asked for, by body and coefficients.
    attachments : dict of str to list of Attachment
        Of every body.
    filled : Counter of str
        How many of them the call of a body's group fills.
    free : iterator of int
        Rows that are not yet in use.
    """

    mechanism: Mechanism
    geometry: Geometry
    lead: tuple[int, ...]
    poses: dict[str, Pose] = field(default_factory=dict)
    fixed: dict[int, Array] = field(default_factory=dict)
    driver_rows: dict[tuple[str, int], int] = field(default_factory=dict)
    coupled: dict[int, CoupledDriver] = field(default_factory=dict)
    followed: dict[tuple[str, int], dict[int, Array]] = field(default_factory=dict)
    attached_rows: dict[str, dict[tuple[object, ...], int]] = field(default_factory=dict)
    attachments: dict[str, list[Attachment]] = field(default_factory=dict)
    filled: Counter[str] = field(default_factory=Counter)
    free: count[int] = field(default_factory=lambda: count(TIME_ROW + 1))

    def allocate(self, rows: int) -> int:
        """Take consecutive rows; return the first."""
        first, *_ = (next(self.free) for _ in range(rows))
        return first

    def per_variant(self, numbers: Array, axes: int) -> Array:
        """Repeat numbers, whose own axes are the last ones, for every variant."""
        return np.broadcast_to(numbers, (*self.lead, *np.shape(numbers)[np.ndim(numbers) - axes :]))

    def pose(self, point: int, vectors: tuple[int, ...], origin: Array, directions: Array) -> Pose:
        """Make a pose whose numbers have the axis of variants."""
        return Pose(point, vectors, self.per_variant(origin, 1), self.per_variant(directions, 2))

    def place(self, body: str, origin: Array) -> int:
        """Give a body rows for its pose, a point (..., d) and the axes of its frame; the first of these rows."""
        d = self.mechanism.dimension
        first = self.allocate(d * pose_vectors(d))
        vectors = tuple(first + d * k for k in range(1, pose_vectors(d)))
        self.poses[body] = self.pose(first, vectors, origin, np.eye(d))
        return first

    def fix(self, vector: Array) -> int:
        """Add a vector (..., d) that never changes; its first row."""
        d = self.mechanism.dimension
        row, vector = self.allocate(d), self.per_variant(vector, 1)
        self.fixed.update({row + k: vector[..., k] for k in range(d)})
        return row

    def attach(self, body: str, local: Array, point: bool) -> int:
        """Find or add the first row of a point or direction (..., d) fixed in a solved body."""
        pose, rows = self.poses[body], self.attached_rows.setdefault(body, {})
        coefficients = pose.coefficients(local, point)
        unit = self.geometry.size if point else 1.0
        rounded = np.round(samples(coefficients) / unit, SAME_DIGITS) + 0.0  # adding 0 makes one of 0 and -0
        key = point, rounded.tobytes()
        if key not in rows:
            row = pose.row(coefficients, point, SAME_VECTOR * unit)
            rows[key] = self._new_row(body, local, point, coefficients) if row is None else row
        return rows[key]

    def _new_row(self, body: str, local: Array, point: bool, coefficients: Array) -> int:
        if body == self.mechanism.frame:
            return self.fix(local)
        pose, row = self.poses[body], self.allocate(self.mechanism.dimension)
        entry = [row, pose.point if point else -1, *pose.vectors]
        self.attachments.setdefault(body, []).append((entry, coefficients))
        return row

    def attaching(self, bodies: Iterable[str], group: int) -> list[Call]:
        """Make the call that fills the attachments of some bodies, if there are any."""
        every = [one for body in bodies for one in self.attachments.get(body, [])[self.filled[body] :]]
        if not every:
            return []
        every.sort(key=lambda one: one[0][1:])  # those from the same point along the same vectors together
        numbers = np.array([self.mechanism.dimension, *(row for entry, _ in every for row in entry)], np.int64)
        return [Call(attachments.motion, numbers, np.concatenate([x for _, x in every], axis=-1), group)]

    def attached(self) -> dict[int, Attached]:
        """List all attachments by their first row."""
        return {
            row: Attached(point, tuple(vectors), coefficients)
            for on_body in self.attachments.values()
            for (row, point, *vectors), coefficients in on_body
        }


def extended(program: Program, extend: Callable[[Layout], T]) -> tuple[Program, T]:
    """Add points and directions of solved bodies to a program, which it then computes after its groups.

    Parameters
    ----------
    program : Program
    extend : callable
        Asks a layout for what it needs by `Layout.attach` and `Layout.fix`.

    Returns
    -------
    Program
        What motions of it keep is what those of the other keep.
    T
        What `extend` has returned.
    """
    structure = program.structure
    layout = Layout(structure.solved_as, program.solved_geometry, (), dict(program.poses), dict(program.fixed))  # type: ignore[arg-type]
    layout.free = count(program.rows)
    found = extend(layout)
    calls = (*program.calls, *layout.attaching(structure.mechanism.movable, len(structure.groups)))
    larger = replace(
        program,
        calls=calls,
        rows=next(layout.free),
        fixed=layout.fixed,  # type: ignore[arg-type]
        attached=program.attached | layout.attached(),
    )
    return larger, found


def _solved_geometry(structure: Structure, geometry: Geometry, lead: tuple[int, ...]) -> Geometry:
    """Compute the geometry of `structure.solved_as`, of variants too; idle spins are held one variant at a time."""
    if not lead:
        return solved_geometry(structure, geometry)
    if not structure.spins:
        return (
            spread(solved_geometry(structure, geometry), lead[0])
            if any(each.eased for each in structure.redundancies)
            else geometry
        )
    return gather([solved_geometry(structure, select(geometry, k)) for k in range(lead[0])])


def _drivers(layout: Layout) -> tuple[Driven, ...]:
    """Give all drivers their rows."""
    joints = layout.mechanism.joint
    driven = []
    for name, drivers in layout.mechanism.driven.items():
        form = layout.mechanism.form(joints[name])
        reference = reference_coordinates(form, layout.geometry.joints[name])[list(form.places)]
        for index, driver in drivers.items():
            freedom = form.freedoms[index]
            label = f"driver of joint {name!r} ({freedom.name})"
            if driver.law is None:
                raise LawError(f"the {label} has no motion law; give it one, or `simulate` its motion under forces")
            row = layout.allocate(3)
            layout.driver_rows[name, index] = row
            law = driver.law.labeled(label)
            driven.append(Driven(row, name, index, law, freedom.rotation, reference[index], freedom.middle))
    return tuple(driven)


def _place_frame(layout: Layout) -> None:
    d = layout.mechanism.dimension
    point = layout.fix(np.zeros(d))
    vectors = tuple(layout.fix(axis) for axis in np.eye(d)[: pose_vectors(d) - 1])
    layout.poses[layout.mechanism.frame] = layout.pose(point, vectors, np.zeros(d), np.eye(d))


# --- the calls -------------------------------------------------------------------------------


def _find_coupled(layout: Layout, groups: tuple[Group, ...], solvers: tuple[str, ...]) -> None:
    """Find the coupled drivers, those of named solvers without looking at the geometry, which may be of variants."""
    if not solvers:
        layout.coupled = coupled_drivers(layout.mechanism, groups, layout.geometry)
        return
    chosen = [group for group, solver in zip(groups, solvers, strict=True) if solver.startswith(COUPLED)]
    layout.coupled = coupled_drivers(layout.mechanism, chosen)


def _group_call(layout: Layout, group: Group, solver: str | None, wanted: str) -> tuple[Call, str]:
    """Make the call of a group; with the name of its solver, which is chosen here if it is None."""
    if solver is None:
        choice = choose_solver(layout.mechanism, layout.geometry, group, wanted, layout.coupled.get(group.number))
        if choice.note:
            remedy = "Choose other joints or drivers"
            if choice.determined == NOT_HERE:
                remedy = "Give points or reference values away from this position, or drive another freedom"
            raise DeterminedByCountOnlyError(
                f"group {group.number} ({', '.join(group.bodies)}; {group.label}) {choice.note}. {remedy}"
            )
        solver, closed = choice.solver, choice.closed
    else:
        named = solver not in ITERATED and group.number not in layout.coupled
        closed = measured_form(layout.mechanism, layout.geometry, group) if named else None
    if group.number in layout.coupled:
        return _coupled_call(layout, group), solver
    if solver == HUB:
        return _hub_call(layout, group), solver
    return _newton_call(layout, group) if closed is None else _closed_form_call(layout, group, closed), solver


def _closed_form_call(layout: Layout, group: Group, closed: ClosedForm) -> Call:
    """Make the call of a group with a closed form, and place its bodies."""
    solver, role, joints, measured = closed.solver, closed.role, closed.joints, closed.measured

    def row_of(kind: str, number: int) -> int:
        """Row of an input of the solver; for kinds and numbers see `sglibrary.chain.Solver.inputs`."""
        if kind == "attached":
            number, point, local = measured.attached[number]
            body, frame, origin = solved_side(number)
            return layout.attach(body, from_frame(frame, local) + (origin if point else 0.0), point)
        body, frame, origin = solved_side(number)
        column = {"normal": 0, "binormal": 1, "axis": 2}.get(kind)
        return layout.attach(body, origin if column is None else frame[..., column], column is None)

    def solved_side(number: int) -> tuple[str, Array, Array]:
        """The solved body of a joint, and the joint frame and its origin on it."""
        joint, end = joints[number], solver.chain[number][:2].index(-1)
        side = end if is_along(joint, solver.chain[number], role) else 1 - end
        geometry = layout.geometry.joints[joint.name]
        return joint.bodies[side], geometry.frames[..., side, :, :], geometry.points[..., side, :]

    inputs = [row_of(*needed) for needed in solver.inputs]
    shared = [row_of(*needed) for needed in solver.shared]
    drivers = [layout.driver_rows[joints[number].name, freedom] for number, freedom in solver.drivers]
    out = layout.allocate(solver.written)
    rows = {"in": inputs + shared, "out": [out + k for k in range(solver.written)]}
    for body, number in role.items():
        base = measured.bases[number]
        vectors = tuple(rows[kind][k] for kind, k in base.vectors)
        point = rows[base.point[0]][base.point[1]]
        layout.poses[body] = layout.pose(point, vectors, base.origin, base.directions)
    constants = np.where(measured.valid[..., None], layout.per_variant(measured.constants, 1), np.nan)
    packed = np.array([*inputs, *drivers, out, *shared], np.int64)
    return Call(solver.motion, packed, constants, group.number, signs=solver.signs)


def _coupled_call(layout: Layout, group: Group) -> Call:
    """Make the call of a body that a coupled driver moves, which gets rows as a driver has."""
    coupled = layout.coupled[group.number]
    closed = coupled_form(layout.mechanism, layout.geometry, group, coupled.joint)
    linear = combination(layout.mechanism, layout.geometry, coupled)
    terms: dict[int, Array] = {CONSTANT: linear.constant}
    for freedom, factor in linear.factors.items():
        others = layout.followed.get(freedom) or {layout.driver_rows[freedom]: np.ones(())}
        for row, other in others.items():
            terms[row] = terms.get(row, np.zeros(())) + factor * other
    layout.followed[coupled.joint, 0] = terms
    layout.driver_rows[coupled.joint, 0] = layout.allocate(3)
    call = _closed_form_call(layout, group, closed)
    rows = np.concatenate([call.rows, np.array([row for row in terms if row != CONSTANT], np.int64)])
    numbers = [layout.per_variant(np.asarray(terms[row])[..., None], 1) for row in terms]
    constants = np.concatenate([call.constants, *numbers], axis=-1)
    return replace(call, rows=rows, constants=np.where(linear.valid[..., None], constants, np.nan))


CONSTANT = -1
"""Key of the constant among the terms of a coupled driver."""


def _newton_call(layout: Layout, group: Group) -> Call:
    """Make the call of a group solved by Newton's method (tables: `sglibrary.iterative.tables`).

    A body's pose is its origin and the axes of its frame.
    """
    for body in group.bodies:
        layout.place(body, layout.geometry.origins[body])
    tree = make_tree(layout.mechanism, layout.geometry, group, aimed=True)
    size, misfit = layout.geometry.size, layout.mechanism.misfit
    scheme, rows, constants = pack(tree, group.bodies, layout.poses, layout.driver_rows, layout.fixed, size, misfit)
    kernel, rows = written_out.tree(scheme, rows)
    return Call(kernel, rows, layout.per_variant(constants, 1), group.number, np.zeros(0))


def _hub_call(layout: Layout, group: Group) -> Call:
    """Make the call of a group around a hub, and place its bodies."""
    mechanism, geometry = layout.mechanism, layout.geometry
    hub_body = hub_of(mechanism, group)
    assert not isinstance(hub_body, str)
    body, legs = hub_body.body, [hub_tables.leg_of(mechanism, geometry, rod) for rod in hub_body.legs]
    found = hub_tables.equations(mechanism, geometry, hub_body, legs)
    rows_of = []
    for x in found:
        point = layout.attach(x.solved, x.point, True)
        rows_of.append((point, -1 if x.direction is None else layout.attach(x.solved, x.direction, False)))
    for leg in legs:  # on solved bodies first, so that what is written follows in one piece
        _leg_inputs(layout, leg, but=body)
    center = hub_tables.center_of(found)
    out = layout.place(body, center)
    inputs = [_leg_inputs(layout, leg) for leg in legs]
    layout.filled[body] = len(layout.attachments.get(body, []))
    packed = []
    for leg, own in zip(legs, inputs, strict=True):
        last = layout.allocate(leg.solver.written)
        named = {"in": own, "out": [last + k for k in range(leg.solver.written)]}
        for part, base in zip(leg.rod.bodies, leg.measured.bases, strict=False):
            point, directions = named[base.point[0]][base.point[1]], tuple(named[kind][k] for kind, k in base.vectors)
            layout.poses[part] = layout.pose(point, directions, base.origin, base.directions)
        packed.append((leg, own, last))
    attached = layout.attachments.get(body, [])
    scheme, rows, constants = hub_tables.pack(
        found, center, rows_of, layout.driver_rows, layout.fixed, out, attached, packed, geometry.size
    )
    valid = np.all([hub_tables.usable(leg, geometry.size) for leg in legs], axis=0)
    constants = np.where(np.asarray(valid)[..., None], layout.per_variant(constants, 1), np.nan)
    return Call(written_out.hub(scheme), rows, constants, group.number, np.zeros(0))


def _leg_inputs(layout: Layout, leg: hub_tables.Leg, but: str = "") -> list[int]:
    """Rows of what the closed form of a leg reads: points and axes of the bodies it is between, or of one alone."""
    chain, rows = leg.chain, []
    for kind, number in leg.solver.inputs:
        side = 0 if number == 0 else 1
        local = chain.point(number, side) if kind == "point" else chain.axis(number, side)
        if leg.rod.ends[side] != but:
            rows.append(layout.attach(leg.rod.ends[side], local, kind == "point"))
    return rows
