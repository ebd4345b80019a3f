"""The equations of motion of a mechanism for foreign programs: reduced masses and forces, and accelerations."""

import hashlib
from functools import cache
from typing import Any, NamedTuple

from sglibrary.array_types import Array
from sglibrary.convention import kernel
from sglibrary.dynamics.equations import Problem, Room, reduce, solve, solve_groups
from sglibrary.dynamics.followed import Following, follow_lane
from sglibrary.exported.views import TYPES, view_of


class FreeModel(NamedTuple):
    """Equations of motion of f free coordinates, with memory for one lane.

    Attributes
    ----------
    problem : Problem
    room : Room
    times : (1,) array
        s.
    y, out : (2 f, 1) arrays
        Coordinates and their rates; rates and accelerations.
    """

    problem: Problem
    room: Room
    times: Array
    y: Array
    out: Array


class FollowedModel(NamedTuple):
    """The same with groups that are iterated."""

    problem: Problem
    room: Room
    times: Array
    y: Array
    out: Array
    following: Following


@cache
def equations_entry(kind: Any) -> Any:
    """Make the entry for models of a type: it leaves M and F in the room, and with a choice solves M z'' = F."""
    name = hashlib.sha256(str(kind).encode()).hexdigest()[:16]
    TYPES[name] = kind

    @kernel
    def followed(table, memories, choice):
        model = view_of(name, table, memories)
        problem, room, y = model.problem, model.room, model.y
        if follow_lane(problem, room, model.following, model.times, y):
            reduce(problem.equations, problem.forces, room, y)
        if choice != 0:
            solve(room.mass, room.force, y, model.out)
        return 0

    @kernel
    def given(table, memories, choice):
        model = view_of(name, table, memories)
        problem, room, y = model.problem, model.room, model.y
        solve_groups(problem, room, model.times, y)
        reduce(problem.equations, problem.forces, room, y)
        if choice != 0:
            solve(room.mass, room.force, y, model.out)
        return 0

    return followed if kind.instance_class is FollowedModel else given
