"""The equations of motion of free coordinates z, M z'' = F, for many lanes at once.

The kernels of the groups give positions, velocities and accelerations. Each of n lanes has a column for unit rates of
each of the f free coordinates, in which velocities are the rates R of everything by that coordinate, and a column for
its actual rates, in which accelerations are those at z'' = 0. A point and directions of each body are rows of the
state, so that with the rates of its center of mass and of these directions, masses and second moments of mass m, and
the loads W,

    M = Rᵀ m R,   F = Rᵀ (W - m a)

are sums over the bodies without angular velocities (coordinate partitioning: Wehage and Haug 1982; natural
coordinates: García de Jalón and Bayo 1994). A single free coordinate, where nothing else is driven, needs one column:
velocities are z' R, and accelerations z'² times those at unit rate.

Lane j of column i is column i n + j of the state.
"""

import math
from typing import Any, NamedTuple

import numpy as np
from numba import typeof, types
from numba.core.config import DISABLE_JIT  # type: ignore[attr-defined]
from numpy.typing import NDArray

from sglibrary.array_types import Array, Flags, Ints
from sglibrary.convention import inlined, kernel, merged
from sglibrary.dynamics.forces import Forces, Laws, add_forces, take_stored, watch_turns
from sglibrary.dynamics.joint_inertia import add_inertia, add_power
from sglibrary.dynamics.masses import add_masses, find_power
from sglibrary.laws import evaluate
from sglibrary.run.calls import Calls, Drivers, State, caller, fill, handle, load, run_call
from sglibrary.run.in_memory import place, put, taken, words_of
from sglibrary.run.processor import ticks
from sglibrary.vectors import lessen, read


class Equations(NamedTuple):
    """The equations of a mechanism.

    Attributes
    ----------
    dimension : {2, 3}
    alone : bool
        Nothing but one free coordinate moves.
    driven : bool
        Something moves by a law.
    numbers : (d,) array of int
        Of every driver: which free coordinate it is, or -1.
    middle : (d,) array of bool
        Whether a driver must stay within a quarter turn.
    poses : (b, 2 or 4) array of int
        Of the bodies with mass: first rows of a point, and of one direction in the plane, three in space.
    inertia : (b, 4 or 10) array
        In the plane the place of the center along the direction and a quarter turn from it, m, mass, kg, and moment of
        inertia, kg m²; in space the place along three directions, mass, and second moments of mass about the center:
        xx, yy, zz, xy, xz, yz.
    gravity : (dimension,) array
        m/s².
    laws : Laws
        Of the drivers that have one.
    """

    dimension: int
    alone: bool
    driven: bool
    numbers: Ints
    middle: Flags
    poses: Ints
    inertia: Array
    gravity: Array
    laws: Laws


class Lanes(NamedTuple):
    """How n lanes lie in the columns of the state.

    Attributes
    ----------
    size : int
        n.
    actual : int
        First column with the actual rates, which are there divided by the `scale` (n,).
    scale : (n,) array
    law : (3, n) array
        Room for a law.
    given, called, failed, places : arrays
        See `Room`.
    """

    size: int
    actual: int
    scale: Array
    law: Array
    given: Array
    called: Array
    failed: Array
    places: Array


class Room(NamedTuple):
    """Memory for the evaluation of n lanes.

    Attributes
    ----------
    state : State
        Of all columns.
    values : (d, 3, columns) array
        Of the drivers.
    times : (columns,) array
    status : (groups, columns) array of uint8
    scale, law : (n,) and (3, n) arrays
    moved : tuple of (r, columns), (r, columns) and (r, n) arrays
        Of one body: rates of its center and directions, the momenta at these, and what is left of its loads.
    mass, force : (f, f, n) and (f, n) arrays
        M and F.
    worst : (n,) array
        Least conditioning of the groups.
    power : (n,) array
        Supplied by forces of the user, without what stops store, and drivers with laws (`sglibrary.dynamics.energy`),
        W; see `supply_power`.
    given, called : (2 + i,) and (4,) arrays
        What functions of the user are given, and give.
    failed : (2,) array
        Which of them has last given no numbers, and when, s.
    places : (m, 5) array
        Where two bodies touch.
    written : (k,) array of int
        The problem and this room in memory, as `evaluate_equations` takes them.
    """

    state: State
    values: Array
    times: Array
    status: NDArray[np.uint8]
    scale: Array
    law: Array
    moved: tuple[Array, Array, Array]
    mass: Array
    force: Array
    worst: Array
    power: Array
    given: Array
    called: Array
    failed: Array
    places: Array
    written: Any


class Problem(NamedTuple):
    """All that the equations of a mechanism are evaluated with; its drivers are given, of the kind OTHER.

    `evaluation` is the handle of `evaluate_equations` (`sglibrary.run.calls`).
    """

    equations: Equations
    calls: Calls
    drivers: Drivers
    forces: Forces
    evaluation: Any


_NUMBERS, _STATES = types.Array(types.float64, 1, "C"), types.Array(types.float64, 2, "C")


call_evaluation = caller((types.voidptr, _NUMBERS, _STATES, _STATES, types.boolean))


@kernel
def evaluate_equations(written, times, y, out, solved):
    """Compute M and F, which are left in the room, and the derivatives of coordinates and their rates.

    This is the only function of a simulation that is compiled with all forces, which takes longer than all others do:
    they call it by its address.

    Parameters
    ----------
    written : pointer to Problem and Room
        Where these are in memory; the room is that of n lanes.
    times, y, out : arrays
        Those of `accelerations`. If `out` has no rows, M and F are all.
    solved : bool
        Whether the columns of the room hold the groups at `y`, which is right for those that are iterated; else none
        of the groups may be.
    """
    problem, room = taken(written)
    if not solved:
        solve_groups(problem, room, times, y)
    reduce(problem.equations, problem.forces, room, y)
    if out.shape[0]:
        solve(room.mass, room.force, y, out)


@kernel
def write_down(problem, room):
    """Write a problem and a room of it down where the room keeps them."""
    put(room.written, (problem, room))


_compiled: list[tuple[Any, int]] = []


def compiled_for(problem: Problem, room: Room) -> tuple[Any, int]:
    """Return the handle of `evaluate_equations`, and how many words are written down.

    The types of all problems and rooms are those of the first ones, which takes milliseconds to find out: others would
    not be written down.
    """
    if DISABLE_JIT:
        return evaluate_equations, 0
    if not _compiled:
        both = typeof((problem, room))
        evaluation = handle(evaluate_equations, (types.CPointer(both), _NUMBERS, _STATES, _STATES, types.boolean))
        write_down.compile(tuple(both.types))
        write_down.disable_compile()
        _compiled.append((evaluation, words_of(both)))
    return _compiled[0]


@kernel
def evaluate_written(evaluation, written, times, y, out, solved):
    """`evaluate_equations` by its handle, of what a room has `written`: a call from Python need not read all arrays."""
    call_evaluation(evaluation, (place(written), times, y, out, solved))


@inlined
def accelerations(problem, room, times, y, out):
    """Compute the derivatives of coordinates and their rates.

    Parameters
    ----------
    problem : Problem
        None of its groups is iterated.
    room : Room
        Of n lanes, with the problem written down; their conditioning is left in it.
    times : (n,) array
        s.
    y, out : (2 f, n) arrays
        Coordinates and their rates; rates and accelerations, NaN where groups cannot be solved. If `out` has no rows,
        M and F are left in the room, and that is all.
    """
    call_evaluation(problem.evaluation, (place(room.written), times, y, out, False))


@kernel
def settle(problem, room, y, out):
    """Fill `out`, and the power, given M and F in the room, which may be those of groups that are iterated."""
    solve(room.mass, room.force, y, out)
    supply_power(problem, room, out)


@inlined
def supply_power(problem, room, out):
    """Compute the power that is supplied at rates and accelerations `out`, which are the last ones of a room.

    Without drivers that have a law it is that of forces, which is known from the sum of these.
    """
    equations = problem.equations
    if equations.driven:
        lanes = lanes_of(equations, room)
        find_power(equations, room.state, lanes, out, room.power)
        if problem.forces.heavy.size:
            add_power(problem.forces, equations.dimension, room.state, lanes, out, room.power)
        take_stored(problem.forces, equations.dimension, room.state, lanes, room.power)


@inlined
def solve_groups(problem, room, times, y):
    """Solve all groups in all columns of the room; the arguments are those of `accelerations`."""
    equations, calls, drivers = problem.equations, problem.calls, problem.drivers
    state, values = room.state, room.values
    free, n = room.force.shape
    columns = n if equations.alone else (free + 1) * n
    put_in(equations, y, room.scale, times, values, room.times)
    given = Drivers(drivers.kinds, drivers.numbers, drivers.table, drivers.angles, drivers.rows, values)
    load(room.times, given, state, 0, columns)
    for k in range(calls.groups.size):
        run_call(calls, k, state, room.status, 0, columns)


@inlined
def reduce(equations, forces, room, y):
    """Compute M and F in a room whose columns are solved, and the least conditioning of each lane.

    Free coordinates lead no further than whole turns are known of the angles that springs depend on.
    """
    n, lanes = room.force.shape[1], lanes_of(equations, room)
    _find_worst(room.state.conditioning, lanes.actual, room.worst)
    for k in range(equations.numbers.size):
        if equations.middle[k] and equations.numbers[k] >= 0:  # singular at a quarter turn
            for j in range(n):
                room.worst[j] = min(room.worst[j], max(0.0, math.cos(y[equations.numbers[k], j])))
    add_masses(equations, room, lanes)
    if forces.heavy.size:
        add_inertia(forces, equations.dimension, room.state, lanes, room.mass, room.force)
    if forces.rows.size:
        if not equations.driven:
            _begin_power(room.force, y, room.power)
        add_forces(forces, equations.dimension, room.state, lanes, room.times, room.force)
        if not equations.driven:
            _end_power(room.force, y, room.power)
            take_stored(forces, equations.dimension, room.state, lanes, room.power)
    if forces.turns.size:
        watch_turns(forces, equations.dimension, room.state, lanes, room.worst)


@inlined
def lanes_of(equations, room):
    """How the lanes of a room lie in the columns of its state."""
    free, n = room.force.shape
    actual = 0 if equations.alone else free * n
    return Lanes(n, actual, room.scale, room.law, room.given, room.called, room.failed, room.places)


@merged
def _begin_power(force, y, power):
    """What the power of forces (f, n) along the coordinates is counted from."""
    free, n = force.shape
    for j in range(n):
        power[j] = 0.0
    for i in range(free):
        for j in range(n):
            power[j] -= force[i, j] * y[free + i, j]


@merged
def _end_power(force, y, power):
    free, n = force.shape
    for i in range(free):
        for j in range(n):
            power[j] += force[i, j] * y[free + i, j]


@inlined
def put_in(equations, y, scale, times, values, every):
    """Values, rates and accelerations of all drivers in all columns, and their times."""
    n, free = times.size, y.shape[0] // 2
    laws, actual = equations.laws, 0 if equations.alone else free * n
    for first in range(0, actual + n, n):
        fill(every[first : first + n], times)
    for j in range(n):
        scale[j] = y[1, j] if equations.alone else 1.0
    for k in range(equations.numbers.size):
        i = equations.numbers[k]
        if i < 0:
            evaluate(every, laws.kinds[k], laws.numbers[k], laws.table, (values[k, 0], values[k, 1], values[k, 2]))
            for j in range(actual):  # it stands still while another one moves
                values[k, 1, j] = values[k, 2, j] = 0.0
            continue
        for first in range(0, actual + n, n):
            for j in range(n):
                outside = equations.middle[k] and not math.fabs(y[i, j]) < 0.5 * math.pi
                values[k, 0, first + j] = math.nan if outside else y[i, j]
                values[k, 1, first + j] = 1.0 if first == i * n else 0.0
        if not equations.alone:
            for j in range(n):
                values[k, 1, actual + j] = y[free + i, j]


@inlined
def _find_worst(conditioning, actual, worst):
    """Least conditioning of all groups, 0 where one is not solved."""
    for j in range(worst.size):
        worst[j] = 1.0
    for k in range(conditioning.shape[0]):
        _take_lower(conditioning[k, actual : actual + worst.size], worst)


@kernel
def _take_lower(conditioning, worst):
    for j in range(worst.size):
        c = read(conditioning, j)
        lessen(worst, j, c if c >= 0.0 else 0.0)


@inlined
def solve(mass, force, y, out):
    """Fill `out` with z' and the solution of M z'' = F by Cholesky's factors, of which M's lower half becomes one.

    NaN where M is not positive.
    """
    free, n = force.shape
    for i in range(free):
        for j in range(n):
            out[i, j] = y[free + i, j]
    if free == 1:
        _divide(mass[0, 0], force[0], out[1])
    else:
        _solve(mass, force, out[free:])


@kernel
def _divide(mass, force, out):
    for j in range(out.size):
        out[j] = force[j] / (mass[j] if mass[j] > 0.0 else math.nan)


@kernel
def _solve(mass, force, out):
    free, n = force.shape
    for j in range(n):
        for i in range(free):
            for m in range(i + 1):
                left = mass[i, m, j]
                for k in range(m):
                    left -= mass[i, k, j] * mass[m, k, j]
                if i > m:
                    mass[i, m, j] = left / mass[m, m, j]
                else:
                    mass[i, i, j] = math.sqrt(left) if left > 0.0 else math.nan
            left = force[i, j]
            for k in range(i):
                left -= mass[i, k, j] * out[k, j]
            out[i, j] = left / mass[i, i, j]
        for i in range(free - 1, -1, -1):
            left = out[i, j]
            for k in range(i + 1, free):
                left -= mass[k, i, j] * out[k, j]
            out[i, j] = left / mass[i, i, j]


@kernel
def timed_accelerations(problem, room, states, y, out, time, stamps):
    """`accelerations` at one state (2 f, n) after another, with `y`, `out` (2 f, 1) and `time` (1,) as memory.

    The processor's clock before each, and at the end, is noted in stamps (n + 1,).
    """
    for j in range(states.shape[1]):
        stamps[j] = ticks()
        for i in range(states.shape[0]):
            y[i, 0] = states[i, j]
        accelerations(problem, room, time, y, out)
    stamps[states.shape[1]] = ticks()
