"""Springs, and springs, forces and friction in joints, which act along a coordinate: along a motion, and coded."""

from __future__ import annotations

import numpy as np

from groupkin.dynamics.acting.force_inputs import share
from groupkin.dynamics.acting.loads import Acting, Coded, Loads, placed
from groupkin.dynamics.bodies.coordinate_rows import distance_rows, freedom_along, freedom_rows
from groupkin.dynamics.bodies.masses import local_point
from groupkin.errors import LoadError
from groupkin.kinematics.motion.motion import Motion
from groupkin.kinematics.program.building import Layout
from groupkin.kinematics.program.program import Program
from groupkin.mechanism.forces.part import InJoint
from groupkin.mechanism.forces.pull import Pull
from groupkin.mechanism.forces.spring import Spring
from groupkin.tolerances import ROUNDING
from sglibrary.array_types import Array, Ints
from sglibrary.convention import of_arrays
from sglibrary.dynamics.forces import FREE
from sglibrary.dynamics.pulls import pull

Load = Spring | InJoint


def acting(motion: Motion, load: Load, velocities: bool) -> Acting:
    """Compute what a force along a coordinate does along a motion.

    Raises
    ------
    LoadError
        If the ends of a spring meet, where it has no direction.
    """
    if isinstance(load, Spring):
        value, rate = _spring_along(motion, load)
    else:
        value, rate = freedom_along(motion, *load.freedom_of(motion.program.mechanism))
    laws = _laws(motion.program, load)
    amounts = [
        amount_of(law, value, rate, velocities, share(motion, load, velocities) if timed else 1.0)
        for law, timed in laws
    ]
    return Acting(sum(amounts[1:], amounts[0]), rate, laws[0][0].stored(value), value)


def amount_of(law: Pull, value: Array, rate: Array, velocities: bool, share: Array | float = 1.0) -> Array:
    """Compute a force (n,) along a coordinate (n,); without velocities no dampers act, but dry friction does."""
    if not velocities:
        law, rate = law._replace(damping=0.0), rate if law.dry else 0.0 * rate
    numbers, curves = placed(law.numbers(), law.curves)
    return np.asarray(of_arrays(pull)(numbers, curves, value, rate, share)).reshape(value.shape)


def add(loads: Loads, load: Load, amount: Array) -> None:
    """Add a force along a coordinate, given its amount (n,): the second body is moved, the first one against it."""
    if not isinstance(load, Spring):
        loads.add_in_joint(*load.freedom_of(loads.motion.program.mechanism), amount)
        return
    places = distance_rows(loads.motion.program, *load.ends()).rows.positions(loads.motion.q)
    way = places[1] - places[0]
    force = amount * (way / np.sqrt((way * way).sum(axis=0)))
    for k, (body, sign) in enumerate(zip(load.between, (-1.0, 1.0), strict=True)):
        loads.add_on_arm(body, places[k] - places[k + 2], 0.0, sign * force)


def coded(program: Program, layout: Layout, load: Load, free: Ints) -> list[Coded]:
    """Code a force along a coordinate; a force in a joint that a driver with a law moves does nothing."""
    rows, of_angle = _coded_rows(program, layout, load, free)
    called = getattr(load, "function", None) is not None
    return [
        Coded(rows, law.numbers(of_angle), law.curves, 0 if timed and called else -1)
        for law, timed in (_laws(program, load) if rows else ())
    ]


def _laws(program: Program, load: Load) -> list[tuple[Pull, bool]]:
    """The laws of a force, and which of them a function or a law of time takes part in."""
    if not isinstance(load, Spring):
        return [(load.pull, True)]
    first, second = (local_point(program, body, point) for body, point in load.ends())
    called = [(Pull(push=-1.0), True)] if load.function is not None else []
    return [(load.pull(float(np.linalg.norm(second - first))), False), *called]


def _spring_along(motion: Motion, load: Spring) -> tuple[Array, Array]:
    """Length and rate (n,) of a spring."""
    ends = distance_rows(motion.program, *load.ends())
    places = ends.rows.positions(motion.q)
    length = ends.value_at(places)
    met = length <= ROUNDING * motion.program.geometry.size
    if met.any():
        time = motion.times[int(np.argmax(met))]
        raise LoadError(
            f"force {load.name!r}: the two ends of the spring meet at t = {time:g} s, where it has no direction; "
            "move one of its points"
        )
    return length, ends.rate_at(places, ends.rows.rates(motion.v))


def _coded_rows(program: Program, layout: Layout, load: Load, free: Ints) -> tuple[list[int], list[float]]:
    """Kind and rows of a coordinate, none of one that is driven by a law, and the numbers of an angle."""
    if isinstance(load, Spring):
        return distance_rows(program, *load.ends()).coded(layout), []
    freedom = load.freedom_of(program.mechanism)
    for driven, i in zip(program.drivers, free, strict=True):
        if (driven.joint, driven.freedom) == freedom:
            return [FREE, int(i), driven.row] if i >= 0 else [], []
    rows = freedom_rows(program, *freedom)
    return rows.coded(layout), rows.of_angle
