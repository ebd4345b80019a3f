"""Assembly modes: the real solutions of every group, which of them go together, and how one is chosen.

The modes of a group have numbers; 1 is the reference configuration's. In a closed form the other numbers say which of
its signs are flipped. Where groups are iterated, the solutions with the drivers of the reference configuration are
numbered, the nearest first; at another time a solution has the number of the one that leads to it. The solutions of a
group depend on those of the groups before it. Choosing a mode changes constants of the program, nothing else.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import prod

import networkx as nx
import numpy as np
from numpy.typing import NDArray

from groupkin.errors import ModeError
from groupkin.kinematics.modes.mode_search import (
    SAME,
    Part,
    Solution,
    State,
    flipped,
    last_pose,
    parts,
    run,
    snapshot,
    solutions,
    started,
    state_at,
)
from groupkin.kinematics.motion.motion import Motion
from groupkin.kinematics.program.building import build
from groupkin.kinematics.program.program import Call, Program
from groupkin.mechanism.mechanism import Mechanism
from groupkin.mechanism.pairs import nearest
from groupkin.model.geometry.geometry import Geometry
from groupkin.structure.decomposition import Group, Structure

Array = NDArray[np.float64]
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
        By which it is chosen; 0 if nothing leads to it from the reference configuration.
    poses : dict of str to ((d,) array, (d, d) array)
        Origin (m) and rotation matrix of every body of the group.
    conditioning : float
        1 at best, 0 at a singular position.
    after : dict of int to int
        Modes of other groups with which it was found, where they are not 1.
    """

    group: int
    number: int
    poses: Poses
    conditioning: float
    after: dict[int, int]


@dataclass(frozen=True, eq=False)
class Linked:
    """Groups that depend on each other, and the numbers of their modes that go together, one tuple each.

    `complete` says whether these are all there are.
    """

    groups: tuple[int, ...]
    combinations: tuple[tuple[int, ...], ...]
    complete: bool


@dataclass(frozen=True, eq=False)
class AssemblyModes:
    """The assembly modes of a mechanism.

    Attributes
    ----------
    structure, geometry : Structure, Geometry
    time : float or None
        s; None: with the drivers of the reference configuration.
    modes : tuple of Mode
        By group and number.
    searched : frozenset of int
        Groups whose modes are those that were found; of all others they are all there are.
    linked : tuple of Linked
        Each group is in one of them; modes of groups in different ones go together in any way.
    """

    structure: Structure
    geometry: Geometry
    time: float | None
    modes: tuple[Mode, ...]
    searched: frozenset[int]
    linked: tuple[Linked, ...]

    def of(self, group: int) -> tuple[Mode, ...]:
        """Modes of a group."""
        return tuple(mode for mode in self.modes if mode.group == group)

    @property
    def count(self) -> int:
        """Number of configurations of the whole mechanism."""
        return prod(len(part.combinations) for part in self.linked)

    @property
    def complete(self) -> bool:
        """Whether `count` is that of all configurations."""
        return not self.searched and all(part.complete for part in self.linked)

    def assembles(self, modes: Choice) -> bool:
        """Whether modes, of the groups given or of those with the bodies given, go together."""
        wanted = numbers(self.structure, modes)
        return all(
            any(
                all(wanted.get(group, number) == number for group, number in zip(part.groups, one, strict=True))
                for one in part.combinations
            )
            for part in self.linked
        )


def assembly_modes(mechanism: Mechanism | Program, time: float | None = None) -> AssemblyModes:
    """The assembly modes of all groups of a mechanism, and which of them go together.

    Parameters
    ----------
    mechanism : Mechanism or Program
        Modes that were chosen are disregarded: 1 is the reference configuration's.
    time : float, optional
        s; default: the drivers stay as in the reference configuration.

    Returns
    -------
    AssemblyModes
        All real solutions of closed forms and of plane triads; of other groups those that are found by iterations from
        many random starts.

    Raises
    ------
    MechanismError, StructureError
    """
    if isinstance(mechanism, Program):
        program = _plain(mechanism)
    else:
        from groupkin.kinematics.solver import program as make

        program = _plain(make(mechanism, modes=dict.fromkeys(mechanism.modes, 1)))
    groups = parts(program)
    reference = state_at(program)
    walk = _Walk(program, time, reference, reference if time is None else state_at(program, time))
    linked = tuple(_combinations(walk, component) for component in _components(groups))
    modes = sorted(walk.modes.values(), key=lambda mode: (mode.group, mode.number or np.inf))
    ordered = tuple(sorted(linked, key=lambda part: part.groups))
    return AssemblyModes(program.structure, program.geometry, time, tuple(modes), frozenset(walk.searched), ordered)


def with_modes(program: Program, modes: Choice) -> Program:
    """A program that follows other assembly modes; see `groupkin.program`.

    Raises
    ------
    ModeError
        If there is no such group or mode.
    """
    wanted = {group: number for group, number in numbers(program.structure, modes).items() if number > 1}
    program = _plain(program)
    if not wanted:
        return program
    state, changed, apart = state_at(program), set[int](), dict[int, Group]()
    calls: list[Call] = []
    for part in parts(program):
        number = part.group.number
        before = next((apart[k] for k in part.group.depends_on if k in apart), None)
        if number in wanted or changed & set(part.group.depends_on):
            changed.add(number)
            if before is not None and part.tree is not None:
                raise ModeError(
                    f"{_name(before)} does not assemble in these modes with the drivers of the reference, from where "
                    f"{_name(part.group)} would have to be followed",
                    before.number,
                )
            part = replace(part, calls=_chosen(state, part, wanted.get(number, 1), number in wanted))
        if not run(state, part.calls):
            apart[number] = before or part.group
        calls += part.calls
    return replace(program, calls=tuple(calls), modes=wanted)


def configuration(program: Program) -> Poses:
    """Origin (d,) in m and rotation (d, d) of every movable body, drivers as in the reference configuration.

    Raises
    ------
    ModeError
        If the modes of the program do not go together there.
    """
    state = state_at(program)
    for part in parts(program):
        if not run(state, part.calls):
            raise ModeError(f"{_name(part.group)} does not assemble in these modes with the drivers of the reference")
    return poses_of(snapshot(state), program.mechanism.movable)


def numbers(structure: Structure, modes: Choice) -> dict[int, int]:
    """Modes by number of the group, from modes by number or name of a body.

    Raises
    ------
    ModeError
        If a key names no group, or two name one group.
    """
    if not isinstance(modes, Mapping):
        raise ModeError(f'modes are given as {{"rocker": 2}}, by body or number of a group, not as {modes!r}')
    found: dict[int, int] = {}
    for key, number in modes.items():
        if isinstance(number, bool) or not isinstance(number, (int, np.integer)) or number < 1:
            raise ModeError(f"the assembly mode of {key!r} must be a number from 1 on, not {number!r}")
        group = _group(structure, key)
        if found.get(group.number, number) != number:
            raise ModeError(f"{_name(group)} is given two assembly modes, {found[group.number]} and {number}")
        found[group.number] = int(number)
    return found


def _group(structure: Structure, key: str | int) -> Group:
    if isinstance(key, str) and key in structure.group_of:
        return structure.group_of[key]
    place = int(key) if str(key).isdecimal() else 0
    if 1 <= place <= len(structure.groups):
        return structure.groups[place - 1]
    near = nearest(str(key), list(structure.mechanism.movable))
    raise ModeError(
        f"modes: {key!r} is neither a movable body nor the number of a group (1 to {len(structure.groups)})"
        + (f"; did you mean {near}?" if near else "")
    )


def _chosen(state: State, part: Part, number: int, asked: bool) -> tuple[Call, ...]:
    """Steps of a group in the mode with a number; the groups before it are solved in the state."""
    group = part.group
    if part.tree is None:
        most = 2 ** len(part.calls[0].signs)
        if number > most:
            raise ModeError(
                f"{_name(group)} has {most} assembly mode{'s' * (most > 1)}, no mode {number}", group.number
            )
        return flipped(part, number)
    found, complete = solutions(state, part)
    if number > len(found):
        how = "there are" if complete else "there were found"
        mode = f"no mode {number}" if asked else "no solution next to the modes chosen for the groups before it"
        words = f"{how} {len(found)} assembly modes at the reference drivers, {mode}"
        raise ModeError(f"{_name(group)}: {words}", group.number)
    return found[number - 1].calls


def _plain(program: Program) -> Program:
    """The program in the modes of the reference configuration."""
    return build(program.mechanism, program.structure, program.geometry) if program.modes else program


def _name(group: Group) -> str:
    return f"group {group.number} ({', '.join(group.bodies)}; {group.label})"


def poses_of(motion: Motion, bodies: Sequence[str]) -> Poses:
    """Origin (d,) in m and rotation (d, d) of some bodies at the first step of a motion."""
    return {body: (motion.position(body)[0], motion.rotation(body)[0]) for body in bodies}


# --- what goes together ----------------------------------------------------------------------


@dataclass
class _Walk:
    """Two states that are solved alike, with the drivers of the reference and of the time, and what was seen."""

    program: Program
    time: float | None
    reference: State
    now: State
    modes: dict[tuple[object, ...], Mode] = field(default_factory=dict)
    searched: set[int] = field(default_factory=set)
    searches: int = 0


@dataclass(frozen=True)
class _Option:
    """A solution of a group at the time, and the steps of the program that lead to it; none if nothing does."""

    found: Solution
    calls: tuple[Call, ...] | None


def _components(groups: tuple[Part, ...]) -> list[tuple[Part, ...]]:
    """Groups that depend on each other's modes; first those with one mode that depend on none."""
    graph, before = nx.Graph(), dict[int, set[int]]()
    several = {part.group.number for part in groups if part.calls[0].signs or (part.tree and part.tree.unknowns)}
    for part in groups:
        number, earlier = part.group.number, part.group.depends_on
        before[number] = {x for k in earlier for x in before[k] | ({k} & several)}
        graph.add_node(number)
        graph.add_edges_from((number, k) for k in before[number])
    found = [sorted(component) for component in nx.connected_components(graph)]
    found.sort(key=lambda component: (bool(several & set(component)), component))
    return [tuple(groups[number - 1] for number in component) for component in found]


def _combinations(walk: _Walk, component: tuple[Part, ...]) -> Linked:
    """All combinations of linked groups that assemble."""
    found: list[tuple[int, ...]] = []
    complete, walk.searches = True, 0
    for one in _descend(walk, component, {}):
        if len(found) == MOST_COMBINATIONS or walk.searches > MOST_SEARCHES:
            complete = False
            break
        found.append(one)
    return Linked(tuple(part.group.number for part in component), tuple(found), complete)


def _descend(walk: _Walk, component: tuple[Part, ...], chosen: dict[int, _Option]) -> Iterator[tuple[int, ...]]:
    """Numbers of modes that go together, groups before `component` being in the chosen ones."""
    if not component:
        yield tuple(option.found.number for option in chosen.values())
        return
    part, number = component[0], component[0].group.number
    options = _options(walk, part, chosen)
    for option in options:
        run(walk.now, option.found.calls)
        after = {group: other.found.number for group, other in chosen.items() if other.found.number != 1}
        key = (number, option.found.number) if option.found.number else (number, *np.round(option.found.pose, 5))
        if key not in walk.modes:
            poses = poses_of(snapshot(walk.now), part.group.bodies)
            walk.modes[key] = Mode(number, option.found.number, poses, option.found.conditioning, after)
    for option in options:
        _enter(walk, part, option)
        yield from _descend(walk, component[1:], {**chosen, number: option})


def _enter(walk: _Walk, part: Part, option: _Option) -> None:
    """Put a group into one of its solutions."""
    run(walk.now, option.found.calls)
    if walk.reference is not walk.now:
        nowhere = None if option.calls else started(part, np.full(part.tree.variables if part.tree else 0, np.nan))
        run(walk.reference, option.calls or nowhere or ())


def _options(walk: _Walk, part: Part, chosen: Mapping[int, _Option]) -> list[_Option]:
    """Solutions of a group after those chosen for the groups before it."""
    found, complete = solutions(walk.now, part)
    if not complete:
        walk.searched.add(part.group.number)
        walk.searches += 1
    if part.tree is None or walk.reference is walk.now:
        return [_Option(solution, solution.calls) for solution in found]
    before = [option.calls for option in chosen.values()]
    leading = [] if None in before else solutions(walk.reference, part)[0]
    ways = [calls for calls in before if calls]
    ends = [(one, _followed(walk, part, [*ways, one.calls])) for one in leading]
    options = []
    for solution in found:
        ways_here = [one for one, end in ends if end is not None and np.abs(end - solution.pose).max() < 10 * SAME]
        number, calls = (ways_here[0].number, ways_here[0].calls) if ways_here else (0, None)
        options.append(_Option(replace(solution, number=number), calls))
    return sorted(options, key=lambda option: option.found.number or np.inf)


def _followed(walk: _Walk, part: Part, ways: Sequence[tuple[Call, ...]]) -> Array | None:
    """Pose at the time of a group whose drivers come from the reference, groups being solved by the steps given."""
    from groupkin.kinematics.solver import solve

    other = {calls[0].group: calls for calls in ways}
    calls = [call for one in parts(walk.program) for call in other.get(one.group.number, one.calls)]
    motion = solve(replace(walk.program, calls=tuple(calls)), np.array([walk.time]), on_failure="nan")
    if motion.status[part.group.number - 1, 0]:
        return None
    return last_pose(motion, part.group)
