"""Assembly modes: the real solutions of every group, which of them go together, and how one is chosen.

The modes of a group have numbers; 1 is the reference configuration's. The number of a closed form's mode says which of
its signs are opposite, those aside that only turn a part about its idle spin. Where Newton's method solves a group, its
solutions with the drivers of the reference configuration are numbered, the nearest first; at another time a solution
has the number of the one that leads to it. The solutions of a group depend on those of the groups before it. Choosing
a mode changes constants of the program, nothing else.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import prod

import networkx as nx
import numpy as np

from groupkin.arguments import checked
from groupkin.errors import ModeError, shown
from groupkin.kinematics.modes import mode_search
from groupkin.kinematics.modes.mode_ranges import OfGroups, left_as_chosen, left_by, ranges_of_groups
from groupkin.kinematics.modes.mode_search import GroupCalls, StateAtRest, group_calls, solve_group, started
from groupkin.kinematics.motion.motion import Motion
from groupkin.kinematics.motion.ranges import Outside
from groupkin.kinematics.program.building import assemble, reference_program
from groupkin.kinematics.program.program import Call, Program, variant_of
from groupkin.kinematics.solving.run import run
from groupkin.mechanism.mechanism import Mechanism
from groupkin.messages import nearest
from groupkin.model.geometry.geometry import Geometry
from groupkin.showing import InNotebooks, brief
from groupkin.structure.decomposition import Group, Structure
from groupkin.tolerances import SAME_POSE
from sglibrary.array_types import Array

Poses = dict[str, tuple[Array, Array]]
Choice = Mapping[str, int] | Mapping[int, int] | Mapping[str | int, int]

MOST_COMBINATIONS, MOST_SEARCHES = 4096, 64
"""Combinations of linked groups, and searches for solutions of one group, after which listing stops."""


@dataclass(frozen=True, eq=False)
class Mode:
    """A real solution of a group.

    Attributes
    ----------
    group : int
    number : int
        By which it is chosen; 0 if no mode of the reference configuration leads to it.
    poses : dict of str to ((d,) array, (d, d) array)
        Origin (m) and rotation matrix of every body of the group.
    conditioning : float
        1 at best, 0 at a singular position.
    after : dict of int to int
        Modes, other than 1, of the groups before it with which it was found.
    outside : tuple of Outside
        Ranges that it leaves, where groups that are listed after it take no part in their quantities.
    """

    group: int
    number: int
    poses: Poses
    conditioning: float
    after: dict[int, int]
    outside: tuple[Outside, ...] = ()

    __repr__ = brief


@dataclass(frozen=True, eq=False)
class Linked:
    """Groups that depend on each other, and which of their modes go together.

    Attributes
    ----------
    groups : tuple of int
    combinations : tuple of tuple of int
        Numbers of modes that go together, in the order of the groups.
    complete : bool
        False if there may be others.
    """

    groups: tuple[int, ...]
    combinations: tuple[tuple[int, ...], ...]
    complete: bool


@dataclass(frozen=True, eq=False)
class AssemblyModes(InNotebooks):
    """The assembly modes of a mechanism.

    Attributes
    ----------
    structure, geometry : Structure, Geometry
    time : float or None
        s; None for the drivers of the reference configuration.
    modes : tuple of Mode
        By group and number.
    searched : frozenset of int
        Groups that may have further modes, as theirs come from a search.
    linked : tuple of Linked
        Each group is in one of them; modes of groups in different ones go together in any way.
    outside : tuple of Outside
        Ranges that the mechanism leaves in the modes that it chooses.
    """

    structure: Structure
    geometry: Geometry
    time: float | None
    modes: tuple[Mode, ...]
    searched: frozenset[int]
    linked: tuple[Linked, ...]
    outside: tuple[Outside, ...] = ()

    def __repr__(self) -> str:
        from groupkin.kinematics.modes.mode_listing import text

        return text(self)

    def of(self, group: int) -> tuple[Mode, ...]:
        """Return the modes of a group."""
        return tuple(mode for mode in self.modes if mode.group == group)

    @property
    def count(self) -> int:
        """Number of configurations of the whole mechanism."""
        return prod(len(linked.combinations) for linked in self.linked)

    @property
    def complete(self) -> bool:
        """Whether `count` counts all configurations."""
        return not self.searched and all(linked.complete for linked in self.linked)

    @checked
    def assembles(self, modes: Choice) -> bool:
        """Tell whether some modes go together; keys are groups, by number or by the name of a body."""
        wanted = numbers(self.structure, modes)

        def agree(groups: tuple[int, ...], combination: tuple[int, ...]) -> bool:
            pairs = zip(groups, combination, strict=True)
            return all(wanted.get(group, number) == number for group, number in pairs)

        return all(any(agree(linked.groups, x) for x in linked.combinations) for linked in self.linked)


@checked
def assembly_modes(mechanism: Mechanism | Program, time: float | None = None) -> AssemblyModes:
    """List the assembly modes of all groups of a mechanism, and which of them go together.

    Parameters
    ----------
    mechanism : Mechanism or Program
        Modes that it chooses are disregarded.
    time : float, optional
        s; default: the drivers stay as in the reference configuration.

    Returns
    -------
    AssemblyModes
        All real solutions of closed forms and of plane groups that one substitute makes simple, such as triads, class
        III groups and most of those of six-bar linkages (`groupkin.kinematics.modes.substitutes` says what is
        guaranteed); of other groups those that Newton's method finds from many random starts. Solutions that differ by
        how a part is turned about its idle spin are one mode.

    Raises
    ------
    MechanismError, StructureError
    """
    if isinstance(mechanism, Program):
        program = _plain(mechanism)
    else:
        program = reference_program(mechanism)
        numbers(program.structure, dict.fromkeys(mechanism.modes, 1))  # refuses names of no group
    ranges = ranges_of_groups(program)
    reference = mode_search.state_at(program)
    current = reference if time is None else mode_search.state_at(program, time)
    listing = _Listing(program, time, reference, current, ranges)
    linked = [_combinations(listing, component) for component in _components(group_calls(program))]
    return AssemblyModes(
        program.structure,
        program.geometry,
        time,
        tuple(sorted(listing.modes.values(), key=lambda mode: (mode.group, mode.number or np.inf))),
        frozenset(listing.searched),
        tuple(sorted(linked, key=lambda linked: linked.groups)),
        _as_chosen(mechanism, program, time) if ranges else (),
    )


def _as_chosen(mechanism: Mechanism | Program, program: Program, time: float | None) -> tuple[Outside, ...]:
    """List the ranges that a mechanism leaves in its own modes; none where it has no such modes."""
    try:
        chosen = mechanism if isinstance(mechanism, Program) else with_modes(program, mechanism.modes)
    except ModeError:
        return ()
    return left_as_chosen(chosen, time)


def with_modes(program: Program, modes: Choice) -> Program:
    """Change a program to follow other assembly modes; see `groupkin.program`.

    Raises
    ------
    ModeError
        If there is no such group or mode.
    """
    wanted = {group: number for group, number in numbers(program.structure, modes).items() if number > 1}
    program = _plain(program)
    if not wanted:
        return program
    state, changed, apart = mode_search.state_at(program), set[int](), dict[int, Group]()
    calls: list[Call] = []
    for part in group_calls(program):
        number = part.group.number
        before = next((apart[k] for k in part.group.depends_on if k in apart), None)
        if number in wanted or changed & set(part.group.depends_on):
            changed.add(number)
            if before is not None and part.tree is not None:
                raise ModeError(
                    f"{_name(before)} cannot be assembled in these modes with the drivers of the reference "
                    f"configuration, from which {_name(part.group)} would have to be followed",
                    before.number,
                )
            part = replace(part, calls=_chosen(state, part, wanted.get(number, 1), number in wanted))
        if not solve_group(state, part.calls):
            apart[number] = before or part.group
        calls += part.calls
    return replace(program, calls=tuple(calls), modes=wanted)


def configuration(program: Program) -> Poses:
    """Compute origin (d,), m, and rotation (d, d) of every movable body, drivers as in the reference configuration.

    Raises
    ------
    ModeError
        If the modes of the program do not go together there.
    """
    state = mode_search.state_at(program)
    for part in group_calls(program):
        if not solve_group(state, part.calls):
            raise ModeError(
                f"{_name(part.group)} cannot be assembled in these modes with the drivers of the reference "
                "configuration"
            )
    return poses_of(mode_search.snapshot(state), program.mechanism.movable)


def numbers(structure: Structure, modes: Choice) -> dict[int, int]:
    """Convert modes by number of a group or name of one of its bodies to modes by number of the group.

    Raises
    ------
    ModeError
        If a key names no group, or two keys give one group different modes.
    """
    if not isinstance(modes, Mapping):
        raise ModeError(f'modes are given as {{"rocker": 2}}, by body or number of a group, not as {modes!r}')
    by_group: dict[int, int] = {}
    for key, number in modes.items():
        if isinstance(number, bool) or not isinstance(number, (int, np.integer)) or number < 1:
            raise ModeError(f"the assembly mode of {key!r} must be a number from 1 on, not {shown(number)}")
        group = _group(structure, key)
        if by_group.get(group.number, number) != number:
            raise ModeError(f"{_name(group)} is given two assembly modes, {by_group[group.number]} and {number}")
        by_group[group.number] = int(number)
    return by_group


def _group(structure: Structure, key: str | int) -> Group:
    numbered = {str(group.number): group for group in structure.groups}
    if isinstance(key, str) and key in structure.group_of:
        if numbered.get(key, structure.group_of[key]) is not structure.group_of[key]:
            raise ModeError(
                f"modes: {key!r} is a body of group {structure.group_of[key].number}, and the number of another group; "
                "name another body of the group, or rename this one"
            )
        return structure.group_of[key]
    if str(key) in numbered:
        return numbered[str(key)]
    near = nearest(str(key), list(structure.mechanism.movable))
    raise ModeError(
        f"modes: {shown(key)} is neither a movable body nor the number of a group (1 to {len(structure.groups)})"
        + (f"; did you mean {near}?" if near else "")
    )


def _chosen(state: StateAtRest, part: GroupCalls, number: int, asked: bool) -> tuple[Call, ...]:
    """Make the calls of a group in a mode, by its number; the groups before it are solved in the state.

    `asked` is False where the mode follows from those chosen for the groups before it.
    """
    group = part.group
    if part.tree is None:
        most = 2 ** len(part.signs)
        if number > most:
            raise ModeError(
                f"{_name(group)} has {most} assembly mode{'s' * (most > 1)}, no mode {number}", group.number
            )
        return mode_search.flipped(part, number)
    existing, complete = mode_search.solutions(state, part)
    if number > len(existing):
        count = f"{len(existing)} assembly modes {'exist' if complete else 'were found'}"
        mode = f"no mode {number}" if asked else "no solution next to the modes chosen for the groups before it"
        raise ModeError(
            f"{_name(group)}: {count} with the drivers of the reference configuration, {mode}", group.number
        )
    return existing[number - 1].calls


def _plain(program: Program) -> Program:
    """Return the program in the modes of the reference configuration."""
    if not program.modes:
        return program
    return variant_of(assemble(program.structure, program.geometry, program.solvers), ())


def _name(group: Group) -> str:
    return f"group {group.number} ({', '.join(group.bodies)}; {group.label})"


def poses_of(motion: Motion, bodies: Sequence[str]) -> Poses:
    """Read origin (d,), m, and rotation (d, d) of some bodies at the first step of a motion."""
    return {body: (motion.position(body)[0], motion.rotation(body)[0]) for body in bodies}


# --- which modes go together -----------------------------------------------------------------


@dataclass
class _Listing:
    """The modes seen so far, and the states that lead to them.

    Attributes
    ----------
    program : Program
    time : float or None
    reference, current : StateAtRest
        Solved alike, with the drivers of the reference configuration and of the time.
    ranges : OfGroups
    modes : dict
        By group, and by number or pose.
    solved : set of int
        Groups that are solved in the current state, in mode 1 if they are not linked with the next one.
    searched : set of int
        Groups that were searched.
    searches : int
        For the groups that depend on each other.
    """

    program: Program
    time: float | None
    reference: StateAtRest
    current: StateAtRest
    ranges: OfGroups
    modes: dict[tuple[object, ...], Mode] = field(default_factory=dict)
    solved: set[int] = field(default_factory=set)
    searched: set[int] = field(default_factory=set)
    searches: int = 0


@dataclass(frozen=True)
class _Option:
    """A solution of a group at the time, and the calls of the program that lead to it; None if none do."""

    solution: mode_search.Solution
    calls: tuple[Call, ...] | None


def _components(groups: tuple[GroupCalls, ...]) -> list[tuple[GroupCalls, ...]]:
    """Divide groups into those that depend on each other's modes; first those without others that have one mode."""
    graph, before = nx.Graph(), dict[int, set[int]]()
    several = {part.group.number for part in groups if part.signs or (part.tree and part.tree.unknowns)}
    for part in groups:
        number, earlier = part.group.number, part.group.depends_on
        before[number] = {x for k in earlier for x in before[k] | ({k} & several)}
        graph.add_node(number)
        graph.add_edges_from((number, k) for k in before[number])
    components = [sorted(component) for component in nx.connected_components(graph)]
    components.sort(key=lambda component: (bool(several & set(component)), component))
    return [tuple(groups[number - 1] for number in component) for component in components]


def _combinations(listing: _Listing, component: tuple[GroupCalls, ...]) -> Linked:
    """List all combinations of modes of linked groups that can be assembled."""
    combinations: list[tuple[int, ...]] = []
    complete, listing.searches = True, 0
    for combination in _descend(listing, component, {}):
        if len(combinations) == MOST_COMBINATIONS or listing.searches > MOST_SEARCHES:
            complete = False
            break
        if not combinations:
            first = listing.current.q.copy(), listing.current.conditioning.copy()
        combinations.append(combination)
    if combinations:
        listing.current.q[:], listing.current.conditioning[:] = first
        listing.solved |= {part.group.number for part in component}
    return Linked(tuple(part.group.number for part in component), tuple(combinations), complete)


def _descend(
    listing: _Listing, component: tuple[GroupCalls, ...], chosen: dict[int, _Option]
) -> Iterator[tuple[int, ...]]:
    """Yield numbers of modes that go together, the groups before `component` being in the chosen ones."""
    if not component:
        yield tuple(option.solution.number for option in chosen.values())
        return
    part, group = component[0], component[0].group.number
    after = {other: option.solution.number for other, option in chosen.items() if option.solution.number != 1}
    solved = listing.solved | chosen.keys()
    options = _options(listing, part, chosen)
    for solution in (option.solution for option in options):
        solve_group(listing.current, solution.calls)
        key = (group, solution.number) if solution.number else (group, *np.round(solution.pose, 5))
        if key not in listing.modes:
            snapshot = mode_search.snapshot(listing.current)
            poses, left = poses_of(snapshot, part.group.bodies), left_by(listing.ranges, snapshot, group, solved)
            listing.modes[key] = Mode(group, solution.number, poses, solution.conditioning, after, left)
    for option in options:
        _enter(listing, part, option)
        yield from _descend(listing, component[1:], {**chosen, group: option})


def _enter(listing: _Listing, part: GroupCalls, option: _Option) -> None:
    """Put a group into one of its solutions."""
    solve_group(listing.current, option.solution.calls)
    if listing.reference is not listing.current:
        nowhere = None if option.calls else started(part, np.full(part.tree.variables if part.tree else 0, np.nan))
        solve_group(listing.reference, option.calls or nowhere or ())


def _options(listing: _Listing, part: GroupCalls, chosen: Mapping[int, _Option]) -> list[_Option]:
    """List the solutions of a group after those chosen for the groups before it."""
    existing, complete = mode_search.solutions(listing.current, part)
    if not complete:
        listing.searched.add(part.group.number)
        listing.searches += 1
    if part.tree is None or listing.reference is listing.current:
        return [_Option(solution, solution.calls) for solution in existing]
    before = [option.calls for option in chosen.values()]
    starts = [] if None in before else mode_search.solutions(listing.reference, part)[0]
    others = [calls for calls in before if calls]
    ends = [(start, _followed(listing, part, [*others, start.calls])) for start in starts]
    options = []
    for solution in existing:
        leading = [s for s, end in ends if end is not None and np.abs(end - solution.pose).max() < 10 * SAME_POSE]
        number, calls = (leading[0].number, leading[0].calls) if leading else (0, None)
        options.append(_Option(replace(solution, number=number), calls))
    return sorted(options, key=lambda option: option.solution.number or np.inf)


def _followed(listing: _Listing, part: GroupCalls, calls_of_groups: Sequence[tuple[Call, ...]]) -> Array | None:
    """Follow a group from the reference configuration to the time; its pose there, None if it cannot be solved.

    Groups are solved by the calls given, all others by those of the program.
    """
    other = {calls[0].group: calls for calls in calls_of_groups}
    calls = [call for each in group_calls(listing.program) for call in other.get(each.group.number, each.calls)]
    motion = run(replace(listing.program, calls=tuple(calls)), np.array([listing.time]), on_failure="nan")
    if motion.status[part.group.number - 1, 0]:
        return None
    return mode_search.last_pose(motion, part.group)
