"""From a structure to a program: the rows of the state, and for every group its solver, constants and attachments."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import count

import numpy as np
from numpy.typing import NDArray

from groupkin.errors import DeterminedByCountOnlyError, LawError
from groupkin.kinematics.library import roles
from groupkin.kinematics.tables import Pose, pack, starts
from groupkin.mechanism.laws import Law
from groupkin.mechanism.mechanism import Joint, Mechanism
from groupkin.mechanism.pairs import counted
from groupkin.model import trees
from groupkin.model.coordinates import reference_coordinates
from groupkin.model.geometry import Geometry, resolve
from groupkin.model.rank import rank
from groupkin.model.spins import determine, held
from groupkin.structure.decomposition import Group, Structure
from groupkin.structure.signature import joint_code
from sglibrary import combine
from sglibrary.chain import ChainGeometry, Measured, Solver
from sglibrary.iterative import knots, newton

Array = NDArray[np.float64]
Ints = NDArray[np.int64]

NEWTON = "Newton"
"""Name of the solver of groups without a closed form."""

TIME_ROW = 0
"""Row of the state that holds the time of each step, s."""


@dataclass(frozen=True)
class Step:
    """One call on a block: a kernel with its rows and constants.

    A group that is solved by iteration has to be followed from its first `knot` on (`sglibrary.iterative.knots`); of one in
    closed form `signs` are the places of the assembly mode's among the constants.
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
    steps : tuple of Step
        In solving order: the groups, each followed by the attachments of its bodies.
    drivers : tuple of Driven
    poses : dict of str to Pose
        For every body, the frame included.
    rows : int
        Number of rows of the state.
    fixed : dict of int to float
        Rows that never change: what is attached to the frame.
    kept : (k,) array of int
        Rows that place the movable bodies: what a motion keeps.
    solvers : tuple of str
        Name of the solver of every group.
    modes : dict of int to int
        Assembly modes other than the reference configuration's, by number of the group.
    """

    structure: Structure
    geometry: Geometry
    steps: tuple[Step, ...]
    drivers: tuple[Driven, ...]
    poses: dict[str, Pose]
    rows: int
    fixed: dict[int, float]
    kept: Ints
    solvers: tuple[str, ...]
    modes: dict[int, int] = field(default_factory=dict)

    def __repr__(self) -> str:
        return f"<Program of {self.mechanism.name}: {', '.join(self.solvers) or 'no groups'}>"

    @property
    def mechanism(self) -> Mechanism:
        return self.structure.mechanism

    @property
    def iterates(self) -> bool:
        """Whether any group is solved by iteration, so that it has to be followed from the reference configuration."""
        return any(step.knot is not None for step in self.steps)


@dataclass
class _Draft:
    """A program while it is built."""

    mechanism: Mechanism
    geometry: Geometry
    poses: dict[str, Pose] = field(default_factory=dict)
    fixed: dict[int, float] = field(default_factory=dict)
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
        See `groupkin.analyze` and `groupkin.model.geometry.resolve`.
    LawError
        If a driver has no motion law.
    DeterminedByCountOnlyError
        If the equations of a group lack rank in the reference configuration.
    """
    geometry = geometry or resolve(mechanism)
    structure = structure or determine(mechanism, geometry)
    draft = _Draft(structure.solved_as, held(structure, geometry))
    drivers = _drivers(draft)
    _place_frame(draft)
    solved = [_group_step(draft, group) for group in structure.groups]
    steps = []
    for group, (step, _) in zip(structure.groups, solved, strict=True):
        steps.append(step)
        attachments = [entry for body in group.bodies for entry in draft.entries.get(body, [])]
        if attachments:
            steps.append(_combine_step(mechanism.dimension, attachments, group.number))
    rows = next(draft.free)
    kept = sorted({row for body in mechanism.movable for row in _pose_rows(draft.poses[body], mechanism.dimension)})
    return Program(
        structure,
        geometry,
        tuple(steps),
        drivers,
        draft.poses,
        rows,
        draft.fixed,
        np.array([row for row in kept if row not in draft.fixed], np.int64),
        tuple(name for _, name in solved),
    )


def _drivers(draft: _Draft) -> tuple[Driven, ...]:
    joints = {joint.name: joint for joint in draft.mechanism.joints}
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
            freedom, start = form.freedoms[index], float(reference[index])
            found.append(Driven(row, name, index, law, freedom.rotation, start, freedom.middle))
    return tuple(found)


def _place_frame(draft: _Draft) -> None:
    d = draft.mechanism.dimension
    point = _fix(draft, np.zeros(d))
    vectors = tuple(_fix(draft, np.eye(d)[k]) for k in range(3 if d == 3 else 1))
    draft.poses[draft.mechanism.frame] = Pose(point, vectors, np.zeros(d), np.eye(d))


def _fix(draft: _Draft, vector: Array) -> int:
    row = draft.allocate(len(vector))
    draft.fixed.update({row + k: float(value) for k, value in enumerate(vector)})
    return row


def _pose_rows(pose: Pose, dimension: int) -> list[int]:
    return [first + k for first in (pose.point, *pose.vectors) for k in range(dimension)]


def _attach(draft: _Draft, body: str, local: Array, point: bool) -> int:
    """Row of a point or direction fixed in a solved body; rows that already hold it are shared."""
    d = draft.mechanism.dimension
    pose = draft.poses[body]
    coefficients = pose.directions.T @ (local - pose.origin if point else local)
    known = draft.attached.setdefault(body, {})
    key = (point, *np.round(coefficients, 13))
    if key in known:
        return known[key]
    exact = 1e-15 * draft.geometry.size if point else 1e-15
    if point and np.all(np.abs(coefficients) <= exact):
        row = pose.point
    elif not point and (same := [k for k, _ in enumerate(pose.vectors) if abs(coefficients[k] - 1.0) <= exact]):
        row = pose.vectors[same[0]]
    elif body == draft.mechanism.frame:
        row = _fix(draft, local)
    else:
        row = draft.allocate(d)
        entry = [row, pose.point if point else -1, *pose.vectors]
        draft.entries.setdefault(body, []).append((entry, coefficients))
    known[key] = row
    return row


def _combine_step(dimension: int, entries: list[tuple[list[int], Array]], group: int) -> Step:
    rows = np.array([dimension, *(number for entry, _ in entries for number in entry)], np.int64)
    constants = np.concatenate([coefficients for _, coefficients in entries])
    return Step(combine.motion, rows, constants, group)


def _group_step(draft: _Draft, group: Group) -> tuple[Step, str]:
    tree = trees.grow(draft.mechanism, draft.geometry, group)
    missing = rank_note(tree, draft.geometry.size)
    if missing:
        raise DeterminedByCountOnlyError(
            f"group {group.number} ({', '.join(group.bodies)}; {group.label}) {missing}; choose another reference "
            "configuration, or other joints or drivers"
        )
    found = closed_form(draft.mechanism, draft.geometry, group)
    if found is not None:
        return _closed_step(draft, group, found), found.solver.name
    return _newton_step(draft, group, tree), NEWTON


def rank_note(tree: trees.Tree, size: float) -> str:
    """What is wrong with the rank of a group's equations in the reference configuration; empty if nothing is."""
    found = rank(tree, size)
    if found.full:
        return ""
    return (
        f"has {counted(found.equations, 'equation')} for {counted(found.unknowns, 'unknown')} but rank {found.rank} in "
        "the reference configuration: it is at a singular position there, or determined by count only"
    )


@dataclass(frozen=True)
class ClosedForm:
    """A group's closed form: solver, the chain's number of each body, joints in the chain's order, constants."""

    solver: Solver
    role: dict[str, int]
    joints: list[Joint]
    measured: Measured


def closed_form(mechanism: Mechanism, geometry: Geometry, group: Group) -> ClosedForm | None:
    """The closed form of a group, or None where the catalog has none or it does not apply to this geometry."""
    found = roles(group)
    if found is None:
        return None
    solver, role = found
    joints = _match(mechanism, group, solver, role)
    measured = solver.measure(_chain_geometry(geometry, solver, joints, role))
    return None if measured is None else ClosedForm(solver, role, joints, measured)


def _closed_step(draft: _Draft, group: Group, found: ClosedForm) -> Step:
    """The step of a group with a closed form; places its bodies."""
    solver, role, joints = found.solver, found.role, found.joints

    def row_of(kind: str, number: int) -> int:
        if kind == "attached":
            number, point, local = found.measured.attached[number]
            body, frame, origin = known_side(number)
            return _attach(draft, body, frame @ local + (origin if point else 0.0), point)
        body, frame, origin = known_side(number)
        column = {"normal": 0, "binormal": 1, "axis": 2}.get(kind)
        return _attach(draft, body, origin if column is None else frame[:, column], column is None)

    def known_side(number: int) -> tuple[str, Array, Array]:
        """The solved body of a joint, and the joint frame and its origin on it."""
        joint, side = joints[number], solver.chain[number][:2].index(-1)
        own = side if _is_along(joint, solver.chain[number], role) else 1 - side
        geometry = draft.geometry.joints[joint.name]
        return joint.bodies[own], geometry.frames[own], geometry.points[own]

    inputs = [row_of(*needed) for needed in solver.inputs]
    shared = [row_of(*needed) for needed in solver.shared]
    drivers = [draft.driver_rows[joints[number].name, freedom] for number, freedom in solver.drivers]
    out = draft.allocate(solver.written)
    rows = {"in": inputs + shared, "out": [out + k for k in range(solver.written)]}
    for body, number in role.items():
        base = found.measured.bases[number]
        vectors = tuple(rows[kind][k] for kind, k in base.vectors)
        draft.poses[body] = Pose(rows[base.point[0]][base.point[1]], vectors, base.origin, base.directions)
    packed = np.array([*inputs, *drivers, out, *shared], np.int64)
    return Step(solver.motion, packed, found.measured.constants, group.number, signs=solver.signs)


def _match(mechanism: Mechanism, group: Group, solver: Solver, role: dict[str, int]) -> list[Joint]:
    """The group's joint for each joint of the chain."""
    open_joints = [joint for joint in mechanism.joints if joint.name in group.external + group.internal]
    found = []
    for first, second, code in solver.chain:
        ends = sorted((first, second))
        for joint in open_joints:
            own = sorted(role.get(body, -1) for body in joint.bodies)
            if own == ends and joint_code(joint.type, mechanism.driven.get(joint.name, ())) == code:
                found.append(joint)
                open_joints.remove(joint)
                break
    return found


def _is_along(joint: Joint, edge: tuple[int, int, str], role: dict[str, int]) -> bool:
    """Whether the mechanism declares a joint in the chain's direction."""
    return role.get(joint.bodies[0], -1) == edge[0]


def _chain_geometry(geometry: Geometry, solver: Solver, joints: list[Joint], role: dict[str, int]) -> ChainGeometry:
    own = [geometry.joints[joint.name] for joint in joints]
    along = [_is_along(joint, edge, role) for joint, edge in zip(joints, solver.chain, strict=True)]
    order = [slice(None) if forward else slice(None, None, -1) for forward in along]
    return ChainGeometry(
        np.array([j.points[o] for j, o in zip(own, order, strict=True)]),
        np.array([j.frames[o] for j, o in zip(own, order, strict=True)]),
        np.array([j.cross_angle for j in own]),
        np.array([1.0 if forward else -1.0 for forward in along]),
        tuple(j.reference for j in own),
        tuple(j.coupling for j in own),
    )


def _newton_step(draft: _Draft, group: Group, tree: trees.Tree) -> Step:
    """The group's step by Newton: tree and cuts packed as `sglibrary.iterative.tables` describes; poses are joint frames."""
    d = draft.mechanism.dimension
    width = 3 if d == 3 else 1
    for body in group.bodies:
        first = draft.allocate(d * (1 + width))
        vectors = tuple(first + d * (1 + k) for k in range(width))
        draft.poses[body] = Pose(first, vectors, draft.geometry.origins[body], np.eye(d))
    size = draft.geometry.size
    rows, constants = pack(tree, group.bodies, draft.poses, draft.driver_rows, size, TIME_ROW)
    return Step(newton.motion, rows, constants, group.number, knots.first(starts(tree, size), tree.unknowns))
