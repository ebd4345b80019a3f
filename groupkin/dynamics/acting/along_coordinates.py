"""Forces along a coordinate, along a motion and coded: springs, and springs, stops, forces, friction in joints."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from groupkin.dynamics.acting.force_inputs import share
from groupkin.dynamics.acting.loads import Acting, Coded, Loads, placed
from groupkin.dynamics.bodies.coordinate_rows import distance_rows, freedom_along, freedom_gain, freedom_rows
from groupkin.dynamics.bodies.masses import local_point
from groupkin.errors import LoadError
from groupkin.kinematics.motion.motion import Motion
from groupkin.kinematics.motion.ranges import Range, of_freedom, ranges_of, turned_into
from groupkin.kinematics.program.building import Layout
from groupkin.kinematics.program.program import Program
from groupkin.mechanism.forces.joint_inertia import JointInertia
from groupkin.mechanism.forces.part import InJoint
from groupkin.mechanism.forces.pull import Pull
from groupkin.mechanism.forces.spring import Spring
from groupkin.mechanism.forces.stop import Stop
from groupkin.mechanism.laws.laws import Law
from groupkin.tolerances import ROUNDING
from sglibrary.array_types import Array, Flags, Ints
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
        if isinstance(load, JointInertia):
            gain = freedom_gain(motion, *load.freedom_of(motion.program.mechanism)) if velocities else 0.0 * value
            return Acting(-load.inertia * gain, rate, 0.5 * load.inertia * rate**2 * velocities, value)
        if isinstance(load, Stop) and _is_angle(motion.program, load):
            value = turned_into(value, range_of(motion.program, load), motion.by_themselves)
    laws = _laws(motion.program, load)
    amounts = [
        amount_of(law, value, rate, velocities, share(motion, load, velocities) if timed else 1.0)
        for law, timed in laws
    ]
    return Acting(sum(amounts[1:], amounts[0]), rate, laws[0][0].stored(value), value)


def amount_of(law: Pull, value: Array, rate: Array, velocities: bool, share: Array | float = 1.0) -> Array:
    """Compute a force (n,) along a coordinate (n,); without velocities no dampers act, but dry friction does."""
    if not velocities:
        law, rate = law._replace(damping=0.0, stop_damping=0.0), rate if law.dry else 0.0 * rate
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
    turns = _turns(program, load) if rows and isinstance(load, Stop) else 0.0
    inertia = load.inertia if isinstance(load, JointInertia) else 0.0
    return [
        Coded(rows, law.shifted(turns).numbers(of_angle), law.curves, 0 if timed and called else -1, inertia)
        for law, timed in (_laws(program, load) if rows else ())
    ]


def require_turns(motion: Motion, laws: Sequence[Law | None]) -> None:
    """Refuse a position at which an angle is in the range of its stop by other whole turns than `coded` counts.

    Raises
    ------
    LoadError
    """
    for stop, value, meant in _angles(motion, laws):
        if abs(meant[0] - value[0]) > np.pi:
            mechanism = motion.program.mechanism
            known, better = (mechanism.units.text(float(x[0]), "rad") for x in (value, meant))
            raise LoadError(
                f"force {stop.name!r}: {stop.on(mechanism)} starts at {known}, whole turns away from where the stop "
                f"counts its range; start it at {better}"
            )


def turned_away(motion: Motion, laws: Sequence[Law | None]) -> Flags:
    """Tell at which positions (n,) `require_turns` refuses an angle."""
    away = [abs(meant - value) > np.pi for _, value, meant in _angles(motion, laws)]
    return np.any([np.zeros(motion.times.size, bool), *away], axis=0)


def _angles(motion: Motion, laws: Sequence[Law | None]) -> Iterator[tuple[Stop, Array, Array]]:
    """List stops along angles that no law moves, with the angles (n,) as `coded` counts them and as the ranges mean."""
    program, mechanism = motion.program, motion.program.mechanism
    moved = {(x.joint, x.freedom) for x, law in zip(program.drivers, laws, strict=True) if law is not None}
    for stop in mechanism.forces:
        if isinstance(stop, Stop) and _is_angle(program, stop) and stop.freedom_of(mechanism) not in moved:
            value, turns = freedom_along(motion, *stop.freedom_of(mechanism))[0], _turns(program, stop)
            yield stop, value, turned_into(value + turns, range_of(program, stop), True) - turns


def _is_angle(program: Program, load: InJoint) -> bool:
    joint, freedom = load.freedom_of(program.mechanism)
    return program.mechanism.freedoms(program.mechanism.joint[joint])[freedom].rotation


def _turns(program: Program, stop: Stop) -> float:
    """Whole turns, rad, from an angle as it is counted from the reference to that which the range of a stop means."""
    rows = freedom_rows(program, *stop.freedom_of(program.mechanism))
    near = np.array([rows.near])
    return float((turned_into(near, range_of(program, stop)) - near)[0]) if rows.followed else 0.0


def range_scale(program: Program, stop: Stop) -> float:
    """Return what the coordinate of a stop is compared with, rad or m."""
    return range_of(program, stop).scale(program.geometry.size)


def range_of(program: Program, stop: Stop) -> Range:
    """Return the range of a stop."""
    mechanism, (joint, freedom) = program.mechanism, stop.stopped(program.mechanism)
    wanted = of_freedom(mechanism, mechanism.joint[joint], freedom)
    return next(each for each in ranges_of(mechanism) if each.quantity == wanted)


def _laws(program: Program, load: Load) -> list[tuple[Pull, bool]]:
    """The laws of a force, and which of them a function or a law of time takes part in."""
    if not isinstance(load, Spring):
        return [(load.pull(program.mechanism), True)]
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
