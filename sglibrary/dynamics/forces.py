"""Forces along coordinates, on points and on bodies, as what they do for the free coordinates of a mechanism.

Springs, dampers, friction and forces in joints are one kind of force (`sglibrary.dynamics.pulls`) along several kinds
of coordinates (`sglibrary.dynamics.lengths_and_angles`): functions of rows of the state, with rates of their rates.

======== ====================================================== =====================================================
kind     rows                                                   coordinate, or force
======== ====================================================== =====================================================
FREE     number and row of a free driver                        its coordinate
FORCE    point, vector                                          the vector, at the point
TORQUE   vector (in the plane a number); directions of a body   the vector, on the body
CONTACT  center p and direction x of a body, origin r and       push and friction, see `sglibrary.dynamics.contacts`
         direction y of another
======== ====================================================== =====================================================

A function of the user may take the place of a law of time. It is called with the numbers of its inputs:

======== ====================================================== =====================================================
input    rows, after one that is not used                       number
======== ====================================================== =====================================================
PLACE    row                                                    its value
RATE     row                                                    its rate
SPIN     directions of a body, in space component               the component of its angular velocity
VALUE    as of a force, with its kind                           the coordinate
SPEED    the same                                               its rate
======== ====================================================== =====================================================
"""

import math
from typing import NamedTuple

from sglibrary.array_types import Array, Ints
from sglibrary.convention import inlined, kernel
from sglibrary.dynamics.contacts import add_contact
from sglibrary.dynamics.lengths_and_angles import DISTANCE, coordinate, coordinate_rate, dot
from sglibrary.dynamics.pulls import pull
from sglibrary.laws import OTHER, evaluate
from sglibrary.pointers import call_at

FREE, FORCE, TORQUE, CONTACT = range(5, 9)
PLACE, RATE, SPIN, VALUE, SPEED = range(5)

UNKNOWN = 0.02
"""Cosine of the angle to half a turn, less 1, up to which whole turns are not known: 0.2 rad."""

CALLED = -1
"""In place of the kind of a law: a function, whose number and component are the first numbers."""


class Laws(NamedTuple):
    """Laws of time: kinds (k,), numbers (k, 4) and a table (m,), as `sglibrary.laws` takes them."""

    kinds: Ints
    numbers: Array
    table: Array


class Functions(NamedTuple):
    """Functions of the user.

    Attributes
    ----------
    addresses : (m,) array of int
        In memory. Each takes an array of the number of its inputs, the time and the inputs, and fills another one with
        up to three numbers; the last of its four is how many.
    sizes : (m,) array of int
        How many they are to be.
    first : (m + 1,) array of int
        Of the inputs of each.
    inputs : (i,) array of int
    rows, numbers : (i, 8) and (i, 14) arrays
        Of inputs, as of `Forces`.
    """

    addresses: Ints
    sizes: Ints
    first: Ints
    inputs: Ints
    rows: Ints
    numbers: Array


class Forces(NamedTuple):
    """The forces of a mechanism.

    Attributes
    ----------
    rows : (k, 8) array of int
        Kind, then rows of the state; of the angle of a screw also points p, r and a direction e, else -1.
    numbers : (k, 18) array
        Of `sglibrary.dynamics.pulls` and `lengths_and_angles`; of contacts stiffness, exponent, damping, radius,
        coefficient of friction and its speed, and where both curves begin.
    turns : (t,) array of int
        Which of them are springs along angles of the kind TURN whose whole turns are not known.
    stops, near : (s,) arrays
        Which of them are stops, and how far from the end of a range, rad or m, a step ends on it.
    laws : Laws
        Their kinds are OTHER where there is none, and 1 is meant, or CALLED. The components of a function follow one
        another.
    curves : (m,) array
        Of pulls and contacts, as `sglibrary.dynamics.pulls` and `sglibrary.dynamics.curves` take them.
    functions : Functions
    heavy, inertia : (i,) arrays
        Which of them are inertia along coordinates, and how much, kg m² or kg (`sglibrary.dynamics.joint_inertia`).
    """

    rows: Ints
    numbers: Array
    turns: Ints
    stops: Ints
    near: Array
    laws: Laws
    curves: Array
    functions: Functions
    heavy: Ints
    inertia: Array


@kernel
def add_forces(forces, dimension, state, lanes, times, out):
    """Add what forces do for the free coordinates.

    Parameters
    ----------
    forces : Forces
    dimension : {2, 3}
    state : State
        With the columns that `lanes` tells.
    lanes : Lanes
    times : (columns,) array
        s.
    out : (f, n) array
    """
    rows, numbers, _, _, _, laws, curves, functions, _, _ = forces
    q, v = state.q, state.v
    room = lanes.law
    n = lanes.size
    for k in range(rows.shape[0]):
        share = room[0]
        if laws.kinds[k] == CALLED:
            share = room[int(laws.numbers[k, 1])]
            if laws.numbers[k, 1] == 0.0:
                _call(functions, int(laws.numbers[k, 0]), dimension, state, lanes, times)
        elif laws.kinds[k] != OTHER:
            evaluate(times[:n], laws.kinds[k], laws.numbers[k], laws.table, (room[0], room[1], room[2]))
        else:
            for j in range(n):
                share[j] = 1.0
        kind = rows[k, 0]
        if kind == FORCE:
            _push(q, v, rows[k], dimension, lanes, share, out)
        elif kind == TORQUE:
            _twist(q, v, rows[k], dimension, lanes, share, out)
        elif kind == CONTACT:
            add_contact(q, v, rows[k], numbers[k], curves, lanes, out)
        elif kind == FREE:
            _drive(q, v, rows[k], numbers[k], curves, lanes, share, out)
        elif kind == DISTANCE:
            _stretch(q, v, rows[k], numbers[k], curves, dimension, lanes, share, out)
        else:
            _pull(q, v, rows[k], numbers[k], curves, dimension, lanes, share, out)


@kernel
def _pull(q, v, rows, numbers, curves, d, lanes, share, out):
    """A force along a coordinate of the state."""
    for j in range(lanes.size):
        actual = lanes.actual + j
        x = coordinate(q, rows, numbers, d, actual)
        amount = pull(numbers, curves, x, lanes.scale[j] * coordinate_rate(q, v, rows, numbers, d, actual), share[j])
        for i in range(out.shape[0]):
            out[i, j] += amount * coordinate_rate(q, v, rows, numbers, d, i * lanes.size + j)


@kernel
def _stretch(q, v, rows, numbers, curves, d, lanes, share, out):
    """A force along the distance of two points."""
    p, r, actual, n = rows[1], rows[2], lanes.actual, lanes.size
    for i in range(out.shape[0]):
        for j in range(n):
            square = rate = along = 0.0
            for c in range(d):
                way = q[r + c, j] - q[p + c, j]
                square += way * way
                rate += way * (v[r + c, actual + j] - v[p + c, actual + j])
                along += way * (v[r + c, i * n + j] - v[p + c, i * n + j])
            share_of = 1.0 / math.sqrt(square)
            amount = pull(numbers, curves, share_of * square, lanes.scale[j] * (share_of * rate), share[j])
            out[i, j] += amount * (share_of * along)


@kernel
def _drive(q, v, rows, numbers, curves, lanes, share, out):
    """A force along a free coordinate."""
    i, row = rows[1], rows[2]
    for j in range(lanes.size):
        actual = lanes.actual + j
        out[i, j] += pull(numbers, curves, q[row, actual], lanes.scale[j] * v[row, actual], share[j])


@kernel
def _push(q, v, rows, d, lanes, share, out):
    """A force at a point."""
    p, f = rows[1], rows[2]
    for j in range(lanes.size):
        for i in range(out.shape[0]):
            c = i * lanes.size + j
            power = q[f, c] * v[p, c] + q[f + 1, c] * v[p + 1, c]
            out[i, j] += share[j] * (power + q[f + 2, c] * v[p + 2, c] if d == 3 else power)


@kernel
def _twist(q, v, rows, d, lanes, share, out):
    """A torque on a body: its angular velocity is half the sum of the directions times their rates."""
    t = rows[1]
    for j in range(lanes.size):
        for i in range(out.shape[0]):
            c = i * lanes.size + j
            if d == 2:
                x, y = rows[2], rows[2] + 1
                out[i, j] += share[j] * (q[t, c] * (q[x, c] * v[y, c] - q[y, c] * v[x, c]))
                continue
            power = 0.0
            for m in range(2, 5):
                x, y, z = rows[m], rows[m] + 1, rows[m] + 2
                power += q[t, c] * (q[y, c] * v[z, c] - q[z, c] * v[y, c])
                power += q[t + 1, c] * (q[z, c] * v[x, c] - q[x, c] * v[z, c])
                power += q[t + 2, c] * (q[x, c] * v[y, c] - q[y, c] * v[x, c])
            out[i, j] += share[j] * (0.5 * power)


@kernel
def watch_turns(forces, d, state, lanes, worst):
    """Let the conditioning fall to 0 where an angle that a spring acts along comes near half a turn.

    It is no free coordinate, so its whole turns are not known beyond. Sine and cosine of the first and last rotation of
    several are to a scale that falls to 0 where these are singular.
    """
    q = state.q
    for t in range(forces.turns.size):
        k = forces.turns[t]
        rows, numbers = forces.rows[k], forces.numbers[k]
        c, s = math.cos(numbers[6]), math.sin(numbers[6])
        for j in range(lanes.size):
            at = lanes.actual + j
            x, y = numbers[5] * dot(q, rows[3], rows[4], d, at), numbers[4] * dot(q, rows[1], rows[2], d, at)
            scale = math.sqrt(x * x + y * y)
            near = 1.0 - UNKNOWN + (x * c + y * s) / scale if scale > 0.0 else 0.0
            worst[j] = min(worst[j], max(0.0, near))


# --- stops ---------------------------------------------------------------------------------------


@kernel
def along_stop(forces, s, d, state, lanes, j):
    """Value and rate of the coordinate of a stop in lane j."""
    rows, numbers, at = forces.rows[forces.stops[s]], forces.numbers[forces.stops[s]], lanes.actual + j
    if rows[0] == FREE:
        return state.q[rows[2], at], lanes.scale[j] * state.v[rows[2], at]
    rate = coordinate_rate(state.q, state.v, rows, numbers, d, at)
    return coordinate(state.q, rows, numbers, d, at), lanes.scale[j] * rate


@kernel
def stored(forces, d, state, lanes, j):
    """Energy that all stops store in lane j, J."""
    energy = 0.0
    for s in range(forces.stops.size):
        numbers = forces.numbers[forces.stops[s]]
        beyond = _beyond(numbers, along_stop(forces, s, d, state, lanes, j)[0])
        energy += 0.5 * numbers[14] * beyond * beyond
    return energy


@kernel
def take_stored(forces, d, state, lanes, power):
    """Take from the power (n,) of all forces that of the stops, as far as they store it."""
    for s in range(forces.stops.size):
        numbers = forces.numbers[forces.stops[s]]
        for j in range(lanes.size):
            x, rate = along_stop(forces, s, d, state, lanes, j)
            power[j] += numbers[14] * _beyond(numbers, x) * rate


@inlined
def _beyond(numbers, x):
    """How far a coordinate is beyond the range of a stop, negative at its lower end."""
    return max(0.0, x - numbers[17]) - max(0.0, numbers[16] - x)


# --- functions of the user ---------------------------------------------------------------------


@kernel
def _call(functions, number, d, state, lanes, times):
    """Call a function in all lanes, whose room for a law is filled."""
    given, first, last = lanes.given, functions.first[number], functions.first[number + 1]
    size = functions.sizes[number]
    for j in range(lanes.size):
        given[0], given[1] = last - first, times[j]
        for i in range(first, last):
            given[2 + i - first] = _input(functions, i, state.q, state.v, d, lanes.actual + j, lanes.scale[j])
        call_at(functions.addresses[number], given, lanes.called)
        right = lanes.called[3] == size
        for c in range(size):
            right = right and math.isfinite(lanes.called[c])
            lanes.law[c, j] = lanes.called[c]
        if not right:
            lanes.failed[0], lanes.failed[1] = number, times[j]
            for c in range(size):
                lanes.law[c, j] = math.nan


@kernel
def _input(functions, i, q, v, d, c, moving):
    """A number that a function is given."""
    what, rows, numbers = functions.inputs[i], functions.rows[i], functions.numbers[i]
    if what == PLACE:
        return q[rows[1], c]
    if what == RATE:
        return moving * v[rows[1], c]
    if what == SPIN:
        return moving * _spin(q, v, rows, d, c)
    if what == VALUE:
        return coordinate(q, rows, numbers, d, c)
    return moving * coordinate_rate(q, v, rows, numbers, d, c)


@kernel
def _spin(q, v, rows, d, c):
    """A component of an angular velocity: half the sum of the directions times their rates."""
    if d == 2:
        x, y = rows[1], rows[1] + 1
        return q[x, c] * v[y, c] - q[y, c] * v[x, c]
    found, y, z = 0.0, (rows[4] + 1) % 3, (rows[4] + 2) % 3
    for m in range(1, 4):
        found += q[rows[m] + y, c] * v[rows[m] + z, c] - q[rows[m] + z, c] * v[rows[m] + y, c]
    return 0.5 * found
