"""Parts of a mechanism that a driver moves independently of each other.

What hangs on the driver by gears, or is driven itself, has one configuration at each value of the driver. Groups that
share nothing else are parts: each has its own curves of configurations, and the mechanism has all combinations of them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from math import lcm

import networkx as nx

from groupkin.kinematics.limits.checks import Freedom
from groupkin.kinematics.program.dataflow import FORMS
from groupkin.kinematics.program.program import Program
from groupkin.mechanism.mechanism import Mechanism
from groupkin.model.geometry.geometry import Geometry
from groupkin.tolerances import FRACTION

LED = ("driven", "coupled", "floating")
"""First words of the names of solvers of bodies that drivers lead, which have one configuration and no limit."""

MOST_TURNS = 1000
"""Turns of a driver after which gears that are not where they were count as never returning."""


@dataclass(frozen=True, eq=False)
class Part:
    """A part of a mechanism that a driver moves.

    Attributes
    ----------
    program : Program
        Of the whole mechanism.
    groups : frozenset of int
        Those of the part, and all that they depend on.
    moved : frozenset of int
        Those of them that the driver moves.
    mechanism, geometry : Mechanism, Geometry
        The bodies of these groups and the frame, with the joints between them.
    turns : int
        Whole turns of the driver after which what gears lead is where it was; 0 if it never is.
    """

    program: Program
    groups: frozenset[int]
    moved: frozenset[int]
    mechanism: Mechanism
    geometry: Geometry
    turns: int

    @property
    def iterates(self) -> bool:
        """Whether Newton's method solves any of its groups."""
        return any(call.knot is not None and call.group in self.groups for call in self.program.calls)


def parts_of(program: Program, driver: Freedom) -> tuple[Part, ...]:
    """Divide a mechanism into the parts that a driver moves independently; one where that is not possible."""
    structure, moved = program.structure, moved_groups(program, driver)
    found = _components(program, moved)
    if len(found) < 2 or structure.spins or structure.redundancies:
        return (whole(program, driver),)
    parts = []
    for own in found:
        before = (nx.ancestors(structure.graph, number) for number in own)
        groups = frozenset(own).union(*before) - {0}  # the frame
        mechanism, geometry = _restricted(program, groups)
        parts.append(Part(program, groups, moved & groups, mechanism, geometry, _turns(program, driver, groups)))
    return tuple(parts)


def whole(program: Program, driver: Freedom) -> Part:
    """Take a whole mechanism as one part."""
    every = frozenset(group.number for group in program.structure.groups)
    return Part(program, every, moved_groups(program, driver), *equations_of(program), _turns(program, driver, every))


def moved_groups(program: Program, driver: Freedom) -> frozenset[int]:
    """Find the groups, by number, that a driver moves."""
    moved: set[int] = set()
    for group in program.structure.groups:
        if driver[0] in (*group.external, *group.internal) or moved.intersection(group.depends_on):
            moved.add(group.number)
    return frozenset(moved)


def equations_of(program: Program) -> tuple[Mechanism, Geometry]:
    """Return the mechanism whose equations are followed.

    It is the user's, whose joints may repeat each other. Where parts of several bodies, or with other joints, may spin
    idly, it is the one in which these spins are held.
    """
    structure = program.structure
    rods = all(_is_rod(structure.mechanism, spin.bodies) for spin in structure.spins)
    if rods:
        return structure.mechanism, program.geometry
    return structure.solved_as, program.solved_geometry


def _is_rod(mechanism: Mechanism, bodies: tuple[str, ...]) -> bool:
    """Tell whether a part is one body between two spherical joints, which the equations take as a line."""
    joints = mechanism.joints_of[bodies[0]]
    free = all(joint.type == "S" and joint.name not in mechanism.driven for joint in joints)
    return len(bodies) == 1 and len(joints) == 2 and free


def _components(program: Program, moved: frozenset[int]) -> list[list[int]]:
    """Divide the groups that a driver moves, but those that it leads, into those that depend on each other."""
    led: set[int] = set()
    graph = nx.Graph()
    for group, solver in zip(program.structure.groups, program.solvers, strict=True):
        if group.number not in moved:
            continue
        before = [k for k in group.depends_on if k in moved and k not in led]
        if solver.startswith(LED) and not before:
            led.add(group.number)
            continue
        graph.add_node(group.number)
        graph.add_edges_from((group.number, k) for k in before)
    return sorted(sorted(component) for component in nx.connected_components(graph))


def _restricted(program: Program, groups: frozenset[int]) -> tuple[Mechanism, Geometry]:
    """Make the mechanism of some groups, and of all that they depend on."""
    mechanism, geometry = program.mechanism, program.geometry
    inside = {mechanism.frame, *(body for k in groups for body in program.structure.groups[k - 1].bodies)}
    joints = [replace(joint, of=None) for joint in mechanism.joints if inside.issuperset(joint.bodies)]
    names = {joint.name for joint in joints}
    bodies = [body for body in mechanism.bodies if body.name in inside]  # type: ignore[union-attr]
    drivers = [driver for driver in mechanism.drivers if driver.joint in names]
    small = Mechanism(mechanism.dimension, bodies, joints, drivers, mechanism.frame, mechanism.points, mechanism.name)
    frames = {name: geometry.joints[name] for name in names}
    origins = {body: geometry.origins[body] for body in inside}
    points = {name: at for name, at in geometry.points.items() if at[0] in inside}
    return small, replace(geometry, joints=frames, origins=origins, points=points)


def _turns(program: Program, driver: Freedom, groups: frozenset[int]) -> int:
    """Count the turns of a driver after which what gears lead is where it was; 0 if it never is."""
    freedom = next(each for each in program.drivers if (each.joint, each.freedom) == driver)
    if not freedom.rotation:
        return 1
    turns = 1
    for call in program.calls:
        solver = program.solvers[call.group - 1]
        form = FORMS.get((program.mechanism.dimension, solver))
        if form is None or not form.coupled or call.kernel is not form.motion or call.group not in groups:
            continue
        drivers = call.rows[len(form.inputs) + 2 + len(form.shared) :]  # none of a gear on the frame
        factors = dict(zip(drivers.tolist(), call.constants[call.constants.size - drivers.size :], strict=True))
        ratio = float(factors.get(freedom.row, 0.0))
        fraction = Fraction(ratio).limit_denominator(MOST_TURNS)
        if abs(ratio - float(fraction)) > FRACTION or (ratio and form.name == "coupled P"):
            return 0
        turns = lcm(turns, fraction.denominator)
    return turns if turns <= MOST_TURNS else 0
