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
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sglibrary.convention import allocating, formula, kernel
from sglibrary.dynamics.forces import Forces, Laws, add_forces
from sglibrary.laws import evaluate
from sglibrary.run.calls import Calls, Drivers, State, fill, load, run_call
from sglibrary.vectors import add, axpy, dot, get, lessen, put, read, write
from sglibrary.vectors import times as scaled

Array = NDArray[np.float64]
Ints = NDArray[np.int64]


class Equations(NamedTuple):
    """The equations of a mechanism.

    Attributes
    ----------
    dimension : {2, 3}
    alone : bool
        Nothing but one free coordinate moves.
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
    numbers: Ints
    middle: NDArray[np.bool_]
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
    """

    size: int
    actual: int
    scale: Array
    law: Array


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


class Problem(NamedTuple):
    """All that the equations of a mechanism are evaluated with; its drivers are given, of the kind OTHER."""

    equations: Equations
    calls: Calls
    drivers: Drivers
    forces: Forces


@kernel
def accelerations(problem, room, times, y, out):
    """Compute the derivatives of coordinates and their rates.

    Parameters
    ----------
    problem : Problem
        None of its groups is iterated.
    room : Room
        Of n lanes; their conditioning is left in it.
    times : (n,) array
        s.
    y, out : (2 f, n) arrays
        Coordinates and their rates; rates and accelerations, NaN where groups cannot be solved.
    """
    evaluate_lanes(problem, room, times, y)
    solve(room.mass, room.force, y, out)


@kernel
def evaluate_lanes(problem, room, times, y):
    """Compute M and F, which are left in the room; the arguments are those of `accelerations`."""
    equations, calls, drivers, forces = problem
    state, values = room.state, room.values
    free, n = room.force.shape
    columns = n if equations.alone else (free + 1) * n
    put_in(equations, y, room.scale, times, values, room.times)
    given = Drivers(drivers.kinds, drivers.numbers, drivers.table, drivers.angles, drivers.rows, values)
    load(room.times, given, state, 0, columns)
    for k in range(calls.groups.size):
        run_call(calls, k, state, room.status, 0, columns)
    reduce(equations, forces, room, y)


@kernel
def reduce(equations, forces, room, y):
    """Compute M and F in a room whose columns are solved, and the least conditioning of each lane."""
    free, n = room.force.shape
    lanes = Lanes(n, 0 if equations.alone else free * n, room.scale, room.law)
    _find_worst(room.state.conditioning, lanes.actual, room.worst)
    for k in range(equations.numbers.size):
        if equations.middle[k] and equations.numbers[k] >= 0:  # singular at a quarter turn
            for j in range(n):
                room.worst[j] = min(room.worst[j], max(0.0, math.cos(y[equations.numbers[k], j])))
    _add_masses(equations, room, lanes)
    if forces.rows.size:
        add_forces(forces, equations.dimension, room.state, lanes, room.times, room.force)


@kernel
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


@kernel
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


@kernel
def _add_masses(equations, room, lanes):
    """M, and what weights and inertia at z'' = 0 do for the free coordinates."""
    mass, force, v, a = room.mass, room.force, room.state.v, room.state.a
    poses, inertia, gravity = equations.poses, equations.inertia, equations.gravity
    if lanes.size == 1 and force.shape[0] == 1:
        _add_alone(poses, inertia, gravity, v, a, lanes, mass, force)
        return
    for i in range(force.shape[0]):
        for m in range(i + 1):
            _clear(mass[i, m])
        _clear(force[i])
    for k in range(poses.shape[0]):
        if force.shape[0] == 1:
            _add_both(poses[k], inertia[k], gravity, v, a, lanes, mass[0, 0], force[0])
        else:
            _find_momenta(poses[k], inertia[k], gravity, v, a, lanes, room.moved)
            _add_all(room.moved, lanes.size, mass, force)


@kernel
def _add_alone(poses, inertia, gravity, v, a, lanes, mass, force):
    """Do it for one coordinate of one lane, whose sums stay in registers."""
    square, total, driving = lanes.scale[0] * lanes.scale[0], 0.0, 0.0
    for k in range(poses.shape[0]):
        if poses.shape[1] == 2:
            body, down = _plane_body(poses[k], inertia[k]), (gravity[0], gravity[1])
            more = _of_plane_body(body, down, v, a, 0, lanes.actual, square)
        else:
            rows, center, moments = _body(poses[k], inertia[k])
            fall = gravity[0], gravity[1], gravity[2]
            more = _of_body(rows, center, moments, fall, v, a, 0, lanes.actual, square)
        total += more[0]
        driving += more[1]
    mass[0, 0, 0], force[0, 0] = total, driving


@kernel
def _add_both(pose, inertia, gravity, v, a, lanes, mass, force):
    """Do it for one coordinate and one body, in one loop over the lanes."""
    if pose.size == 2:
        _add_in_plane(_plane_body(pose, inertia), (gravity[0], gravity[1]), v, a, lanes, mass, force)
    else:
        _add_in_space(_body(pose, inertia), (gravity[0], gravity[1], gravity[2]), v, a, lanes, mass, force)


@kernel
def _add_in_plane(body, down, v, a, lanes, mass, force):
    scale, actual = lanes.scale, lanes.actual
    for j in range(mass.size):
        more = _of_plane_body(body, down, v, a, j, actual + j, read(scale, j) * read(scale, j))
        add(mass, j, more[0])
        add(force, j, more[1])


@kernel
def _add_in_space(body, down, v, a, lanes, mass, force):
    scale, actual = lanes.scale, lanes.actual
    rows, center, moments = body
    for j in range(mass.size):
        more = _of_body(rows, center, moments, down, v, a, j, actual + j, read(scale, j) * read(scale, j))
        add(mass, j, more[0])
        add(force, j, more[1])


@formula
def _plane_body(pose, inertia):
    """Rows, place of the center, mass and moment of inertia, read before a loop."""
    return pose[0], pose[1], inertia[0], inertia[1], inertia[2], inertia[3]


@formula
def _body(pose, inertia):
    """Rows, place of the center and mass, and second moments of mass, read before a loop."""
    return (
        (pose[0], pose[1], pose[2], pose[3]),
        (inertia[0], inertia[1], inertia[2], inertia[3]),
        (inertia[4], inertia[5], inertia[6], inertia[7], inertia[8], inertia[9]),
    )


@formula
def _of_plane_body(body, gravity, v, a, j, actual, square):
    """What a body adds to M and F of one coordinate, given the columns of unit and actual rates."""
    p, e, x, y, mass, moment = body
    ex, ey, gx, gy = read((v, e), j), read((v, e + 1), j), read((a, e), actual), read((a, e + 1), actual)
    vx, vy = read((v, p), j) + (x * ex - y * ey), read((v, p + 1), j) + (x * ey + y * ex)
    ax, ay = read((a, p), actual) + (x * gx - y * gy), read((a, p + 1), actual) + (x * gy + y * gx)
    push = (gravity[0] - square * ax) * vx + (gravity[1] - square * ay) * vy
    return (
        mass * (vx * vx + vy * vy) + moment * (ex * ex + ey * ey),
        mass * push - moment * (square * (ex * gx + ey * gy)),
    )


@formula
def _of_body(rows, center, moments, gravity, v, a, j, actual, square):
    """Do it in space."""
    x, y, z = get((v, rows[1]), j), get((v, rows[2]), j), get((v, rows[3]), j)
    gx, gy, gz = get((a, rows[1]), actual), get((a, rows[2]), actual), get((a, rows[3]), actual)
    speed = _place(get((v, rows[0]), j), x, y, z, center)
    rest = axpy(-square, _place(get((a, rows[0]), actual), gx, gy, gz, center), gravity)
    hx, hy, hz = _turned(x, y, z, moments)
    return (
        center[3] * dot(speed, speed) + (dot(x, hx) + dot(y, hy) + dot(z, hz)),
        center[3] * dot(rest, speed) - square * (dot(gx, hx) + dot(gy, hy) + dot(gz, hz)),
    )


@formula
def _place(point, x, y, z, center):
    """Rate or acceleration of a center of mass."""
    return axpy(center[0], x, axpy(center[1], y, axpy(center[2], z, point)))


@formula
def _turned(x, y, z, moments):
    """Second moments of mass times the rates or accelerations of three directions."""
    xx, yy, zz, xy, xz, yz = moments
    return (
        axpy(xx, x, axpy(xy, y, scaled(xz, z))),
        axpy(xy, x, axpy(yy, y, scaled(yz, z))),
        axpy(xz, x, axpy(yz, y, scaled(zz, z))),
    )


@kernel
def _find_momenta(pose, inertia, gravity, v, a, lanes, moved):
    """Fill what a body moves by: rates of center and directions, momenta at these, and what is left of its loads."""
    rates, momenta, pulls = moved
    n, actual, scale = lanes.size, lanes.actual, lanes.scale
    if pose.size == 2:
        p, e, x, y, mass, moment = _plane_body(pose, inertia)
        for c in range(2):
            turned, sign = e + 1 - c, (2.0 * c - 1.0) * y
            for j in range(rates.shape[1]):
                speed, turn = (
                    read((v, p + c), j) + (x * read((v, e + c), j) + sign * read((v, turned), j)),
                    read((v, e + c), j),
                )
                write((rates, c), j, speed)
                write((rates, 2 + c), j, turn)
                write((momenta, c), j, mass * speed)
                write((momenta, 2 + c), j, moment * turn)
            for j in range(n):
                at, square = actual + j, read(scale, j) * read(scale, j)
                gain = read((a, p + c), at) + (x * read((a, e + c), at) + sign * read((a, turned), at))
                write((pulls, c), j, mass * (gravity[c] - square * gain))
                write((pulls, 2 + c), j, -moment * (square * read((a, e + c), at)))
        return
    rows, center, moments = _body(pose, inertia)
    fall = gravity[0], gravity[1], gravity[2]
    for j in range(rates.shape[1]):
        x, y, z = get((v, rows[1]), j), get((v, rows[2]), j), get((v, rows[3]), j)
        speed = _place(get((v, rows[0]), j), x, y, z, center)
        hx, hy, hz = _turned(x, y, z, moments)
        put((rates, 0), j, speed)
        put((rates, 3), j, x)
        put((rates, 6), j, y)
        put((rates, 9), j, z)
        put((momenta, 0), j, scaled(center[3], speed))
        put((momenta, 3), j, hx)
        put((momenta, 6), j, hy)
        put((momenta, 9), j, hz)
    for j in range(n):
        at, square = actual + j, -(read(scale, j) * read(scale, j))
        x, y, z = get((a, rows[1]), at), get((a, rows[2]), at), get((a, rows[3]), at)
        hx, hy, hz = _turned(x, y, z, moments)
        rest = axpy(square, _place(get((a, rows[0]), at), x, y, z, center), fall)
        put((pulls, 0), j, scaled(center[3], rest))
        put((pulls, 3), j, scaled(square, hx))
        put((pulls, 6), j, scaled(square, hy))
        put((pulls, 9), j, scaled(square, hz))


@kernel
def _add_all(moved, n, mass, force):
    """Add rates times momenta and pulls, for all coordinates."""
    rates, momenta, pulls = moved
    for r in range(rates.shape[0]):
        for i in range(force.shape[0]):
            if n == 1:
                force[i, 0] += pulls[r, 0] * rates[r, i]
                for m in range(i + 1):
                    mass[i, m, 0] += rates[r, i] * momenta[r, m]
                continue
            _add_product(pulls[r, :n], rates[r, i * n : (i + 1) * n], force[i])
            for m in range(i + 1):
                _add_product(rates[r, i * n : (i + 1) * n], momenta[r, m * n : (m + 1) * n], mass[i, m])


@kernel
def _add_product(first, second, out):
    for j in range(out.size):
        add(out, j, read(first, j) * read(second, j))


@kernel
def _clear(x):
    for j in range(x.size):
        x[j] = 0.0


@kernel
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


@allocating
def sampled(problem, room, times, y, out):
    """Compute accelerations at many states, as many at a time as the room has lanes.

    Parameters
    ----------
    problem : Problem
    room : Room
    times : (m,) array
        s.
    y : (2 f, m) array
    out : (f, m) array
    """
    lanes = room.worst.size
    states, rates, at = np.zeros((y.shape[0], lanes)), np.zeros((y.shape[0], lanes)), np.zeros(lanes)
    for first in range(0, times.size, lanes):
        for j in range(lanes):  # the last lanes repeat the last state
            k = min(first + j, times.size - 1)
            at[j] = times[k]
            for i in range(y.shape[0]):
                states[i, j] = y[i, k]
        accelerations(problem, room, at, states, rates)
        for j in range(min(lanes, times.size - first)):
            for i in range(out.shape[0]):
                out[i, first + j] = rates[out.shape[0] + i, j]
