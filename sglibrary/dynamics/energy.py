"""The energy of a simulation, which is followed from step to step.

With kinetic energy T and the energy V in gravity and stops,

    T + V - W = constant,   W' = z' · Q   or   W' = Σ m (a - g) · v - z' · S

where Q are the forces of the user along the free coordinates z without S, the elastic ones of stops, and a and v
accelerations and velocities of the bodies. The second form is used where drivers have laws: by the equations of motion
it is the first one and what these do. W is integrated as the coordinates are; T and V follow from the bodies at the end
of every step. So the balance tells of steps across which positions, velocities and accelerations do not fit together.
The elastic force of a stop is not smooth, and a quadrature of its power would have the same error as the motion, so
that the balance would not tell; its energy follows from where the bodies are.

It is compared with the energy that has been moved, the sum of all changes of T, V and W, and with what the tolerances
of coordinates and rates leave open, Σ |F| δz + |p| δz', which is all there is in small motions about rest.
"""

import math

from sglibrary.convention import inlined, kernel
from sglibrary.dynamics.equations import lanes_of
from sglibrary.dynamics.forces import stored
from sglibrary.dynamics.joint_inertia import kinetic_along
from sglibrary.dynamics.masses import kinetic_of, weight_of
from sglibrary.dynamics.steps import ENERGIES
from sglibrary.tolerances import ENERGY_LOST, ENERGY_ROUNDING

KINETIC, POTENTIAL, WORK, MOVED, OPEN, FIRST, SINCE = ENERGIES
"""Numbers of an integration, J: T and V after the last step, W, what has been moved, what tolerances leave open, and
T + V at the beginning; time since which the balance is worse than `SUSPECT`, s, NaN if it is not."""

SUSPECT = 100.0
"""Error of the balance, in relative tolerances of the energy that has been moved, that is worth a warning."""


@kernel
def energies(problem, room, lane):
    """T and V in a lane of a room, whose groups are solved, J."""
    equations, state, kinetic = problem.equations, room.state, 0.0
    lanes = lanes_of(equations, room)
    column, potential = lanes.actual + lane, stored(problem.forces, equations.dimension, state, lanes, lane)
    for k in range(equations.poses.shape[0]):
        kinetic += kinetic_of(equations.poses[k], equations.inertia[k], state.v, column)
        potential -= weight_of(equations.poses[k], equations.inertia[k], equations.gravity, state.q, column)
    kinetic += kinetic_along(problem.forces, equations.dimension, state, column)
    return 0.5 * room.scale[lane] * room.scale[lane] * kinetic, potential


@kernel
def begin_energy(problem, room, lane, run):
    """Begin the balance at the state in a lane of a room, unless it has begun."""
    if math.isnan(run.numbers[FIRST]):
        kinetic, potential = energies(problem, room, lane)
        run.numbers[KINETIC], run.numbers[POTENTIAL] = kinetic, potential
        run.numbers[FIRST] = kinetic + potential


@kernel
def supply(run, work, doubt):
    """Add the work of a step, J, after which the energy is to be balanced.

    Steps are as long as the free coordinates allow. What drivers with laws do may be too fast for them, so the error
    of the work is in `doubt`.
    """
    run.numbers[WORK] += work
    run.numbers[MOVED] += math.fabs(work) + doubt / run.rtol


@kernel
def balance_energy(problem, room, lane, run, time):
    """Go on with the balance to the state in a lane of a room; whether it is right."""
    numbers, f = run.numbers, room.force.shape[0]
    kinetic, potential = energies(problem, room, lane)
    change = math.fabs(kinetic - numbers[KINETIC]) + math.fabs(potential - numbers[POTENTIAL])
    numbers[KINETIC], numbers[POTENTIAL] = kinetic, potential
    numbers[MOVED] += change
    left = ENERGY_ROUNDING * (kinetic + math.fabs(potential) + math.fabs(numbers[WORK]))
    for i in range(f):
        left += math.fabs(room.force[i, lane]) * run.atol[i]
        left += math.sqrt(2.0 * kinetic * _mass(room.mass, i, lane)) * run.atol[f + i]
    numbers[OPEN] = max(numbers[OPEN], left)
    return _is_right(run, time)


@inlined
def _mass(mass, i, lane):
    """The reduced mass of a coordinate, from what `sglibrary.dynamics.equations.solve` leaves of M."""
    if mass.shape[0] == 1:
        return mass[0, 0, lane]
    total = 0.0
    for k in range(i + 1):
        total += mass[i, k, lane] * mass[i, k, lane]
    return total


@inlined
def _is_right(run, time):
    numbers, rtol = run.numbers, run.rtol
    wrong = math.fabs(numbers[KINETIC] + numbers[POTENTIAL] - numbers[FIRST] - numbers[WORK])
    tolerated = rtol * numbers[MOVED] + numbers[OPEN]
    if wrong > SUSPECT * tolerated and math.isnan(numbers[SINCE]):
        numbers[SINCE] = time
    return not wrong > max(ENERGY_LOST / rtol, 10.0 * SUSPECT) * tolerated
