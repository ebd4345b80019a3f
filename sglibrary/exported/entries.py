"""What a foreign program calls: all groups of a program at values of the drivers, in memory that it gives."""

from typing import Any, NamedTuple

from numba import types
from numpy.typing import NDArray

from sglibrary.array_types import Array, Ints
from sglibrary.convention import kernel, merged
from sglibrary.exported.views import TYPES, view_of
from sglibrary.iterative.column_loop import Scratch, Start, reach
from sglibrary.iterative.knots import knot_numbers, knot_numbers_of
from sglibrary.iterative.tables import KEPT, PLACES
from sglibrary.run.calls import Calls, Drivers, State, fill, load, run_call
from sglibrary.run.task import TASK
from sglibrary.status import SOLVED
from sglibrary.straight.follow import follow_within
from sglibrary.straight.group_tables import PITCH, scratch_rows, unpack
from sglibrary.straight.places import first_rows
from sglibrary.straight.prepared import curves_within, tables_within
from sglibrary.written_out import KINDS, KINDS_OF_PREPARED, LOOP


class Model(NamedTuple):
    """A program with its memory.

    Attributes
    ----------
    calls : Calls
    drivers : Drivers
        All of the kind OTHER, with values (d, 3, 1).
    state : State
        Of one step. Where groups are iterated, q ends with their working memory (`follow_step`).
    status : (groups, 1) array of uint8
    times : (1,) array
        s; zero.
    start : Start
        The last state that was solved, of iterated groups.
    farthest : (d,) array
        See `sglibrary.iterative.column_loop.reach`.
    scratch : Scratch
    """

    calls: Calls
    drivers: Drivers
    state: State
    status: NDArray[Any]
    times: Array
    start: Start
    farthest: Array
    scratch: Scratch


_NUMBERS, _ROWS = (types.Array(types.float64, d, "C") for d in (1, 2))
MODEL = types.NamedTuple(
    (
        *TASK.types[:3],
        types.Array(types.uint8, 2, "C"),
        _NUMBERS,
        types.NamedUniTuple(_NUMBERS, 2, Start),
        _NUMBERS,
        types.NamedTuple((_ROWS, _NUMBERS, _NUMBERS), Scratch),
    ),
    Model,
)
"""The type of a model in compiled code."""

HANDLES, INTEGERS, NUMBERS, FLAGS, OWN_NUMBERS, OWN_CODES = range(6)
"""Memories that a model lies in: handles of kernels, and what does not change; and its own numbers and codes."""

ENTRY = (types.int64, types.UniTuple(types.int64, 6), types.int64)
"""Types of the arguments of an entry: addresses of the table of a model and of its memories, and a choice."""

TYPES["model"] = MODEL


@kernel
def solve_given(table, memories, choice):
    """Solve all groups, none of which is iterated; 0, or the status of the first group that is not solved."""
    return given(view_of("model", table, memories))


@kernel
def solve_followed(table, memories, choice):
    """Solve all groups, followed from the last state that was solved, which becomes this one if `choice` is not 0."""
    return followed(view_of("model", table, memories), choice != 0)


@merged
def given(model):
    load(model.times, model.drivers, model.state, 0, 1)
    for k in range(model.calls.groups.size):
        run_call(model.calls, k, model.state, model.status, 0, 1)
    return _worst(model.status)


@merged
def followed(model, keeps):
    solved = reach(
        model.calls, model.drivers, model.state, model.status, 0.0, model.start, model.farthest, model.scratch
    )
    if solved and keeps:
        for k in range(model.start.values.size):
            model.start.values[k] = model.drivers.values[k, 0, 0]
        fill(model.start.memory, model.calls.memory)
    return _worst(model.status)


@merged
def _worst(status):
    for k in range(status.shape[0]):
        if status[k, 0] != SOLVED:
            return int(status[k, 0])
    return 0


_unpack = kernel(getattr(unpack, "py_func", unpack))


@kernel
def follow_step(step, finish, measures, curves, functions, q, v, a, memory, rows, constants, status, conditioning, n):
    """Follow an iterated group for one step, with working memory at the end of q; see `sglibrary.written_out`."""
    group = _unpack((step, finish, measures, curves, functions), rows, constants)
    width = knot_numbers(group.unknowns, group.variables, group.equations)
    work = group.places.rows + scratch_rows(group.kept, PITCH)
    last = q.shape[0] - 1  # of what is called before texts
    first = last - 2 * work - 3 * rows_of_numbers(width, group.unknowns)
    follow_within(
        group,
        (q, v, a),
        memory,
        width,
        q[first : first + work],
        q[first + work : first + 2 * work],
        q[first + 2 * work : last].reshape(3, -1),
        status,
        conditioning,
        n,
    )


@kernel
def curve_step(q, work, rows, constants, first, at, n, x):
    """What comes before texts of moves along curves, for one step; see `sglibrary.straight.prepared`."""
    curves_within(q, work, rows, constants, first, at, x, q[q.shape[0] - 1, :n])


@kernel
def table_step(q, work, rows, constants, first, at, n, x):
    """The same of tables."""
    tables_within(q, work, rows, constants, first, at, n, x, q[q.shape[0] - 1 :, :n])


@merged
def rows_of_numbers(width, unknowns):
    """Rows of `PITCH` numbers for as many as `sglibrary.straight.follow` needs of each knot."""
    return (max(width, 6, unknowns * unknowns) + PITCH - 1) // PITCH


def working_rows(rows: Ints) -> int:
    """Rows at the end of q that `follow_step` needs for a group with such tables."""
    counts = rows[PLACES : PLACES + 5].tolist()
    numbers = rows_of_numbers(knot_numbers_of(*counts[:3]), counts[0])
    return int(1 + 2 * (first_rows(*counts).rows + scratch_rows(rows[KEPT], PITCH)) + 3 * numbers)


LOOPS = {LOOP: follow_step, "groupkin_curves": curve_step, "groupkin_functions": table_step}
"""What kernels of iterated groups call by name, by these names."""

KINDS_OF_ENTRIES = {
    solve_given: ENTRY,
    solve_followed: ENTRY,
    follow_step: KINDS,
    curve_step: KINDS_OF_PREPARED,
    table_step: KINDS_OF_PREPARED,
}
"""Types of the arguments of the functions that are exported."""
