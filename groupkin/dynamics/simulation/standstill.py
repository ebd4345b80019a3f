"""Why a simulation cannot go on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain

import numpy as np

from groupkin.dynamics.acting.acting import acting
from groupkin.dynamics.bodies.coordinate_rows import freedom_rows
from groupkin.dynamics.simulation.free_motion import FreeMotion
from groupkin.errors import LoadError, SimulationError
from groupkin.kinematics.modes.modes import poses_of
from groupkin.kinematics.motion.coupled_coordinates import coordinate_values
from groupkin.kinematics.motion.motion import Motion
from groupkin.mechanism.forces.part import InJoint
from groupkin.model.geometry.assembly import moved
from groupkin.model.rank.mobility import firmness
from groupkin.tolerances import TABLE_END
from sglibrary.array_types import Array

HALF_TURN = -0.95
"""Cosine of the angle of a spring from its reference that says why a simulation has come to an end."""

QUARTER = 0.01
"""Cosine of the second of three rotations that says why a simulation has come to an end."""

SINGULAR = 0.005
"""Firmness of all equations below which the mechanism itself is near a singular position, not its coordinates."""


def stuck(free: FreeMotion, time: float, y: Array) -> SimulationError:
    """Say that no step is possible after a state (2 f,), and why."""
    return SimulationError(f"the simulation cannot go on after t = {time:.6g} s: {_why(free, time, y)}")


def _why(free: FreeMotion, time: float, y: Array) -> str:
    """Say why no step is possible after a state."""
    failure = free.failure(time)
    if failure is not None:
        return str(failure)
    motion = free.configuration(time, *np.split(y, 2))
    turned = _beyond_half_turn(motion)
    if turned is not None:
        return (
            f"joint {turned.joint!r}, in which {turned.name!r} acts, comes near half a turn from its reference; its "
            "whole turns are known only where it is a free coordinate: make it a driver without a law"
        )
    ended = next(chain(_ended_tables(motion), _quarter_turns(motion)), None)
    if ended is not None:
        return ended
    conditioning = motion.conditioning[:, 0]
    worst = int(np.argmin(np.where(np.isfinite(conditioning), conditioning, 0.0)))
    if conditioning[worst] < 0.1 or not motion.solved.all():
        return _badly_conditioned(free, motion, worst)
    try:
        for load in free.program.mechanism.forces:
            acting(motion, load, True)
    except LoadError as error:
        return str(error)
    return "forces change too fast; look for infinite stiffness or forces that are no numbers, or try method='implicit'"


def _badly_conditioned(free: FreeMotion, motion: Motion, worst: int) -> str:
    """Say that a group is near a singular position, and whether the mechanism is."""
    group, names = free.program.structure.groups[worst], ", ".join(free.names)
    named = f"group {group.number} ({', '.join(group.bodies)}; {group.label})"
    has = f"{named} has the conditioning {motion.conditioning[worst, 0]:.3g}"
    if motion.solved.all() and not free.program.mechanism.couplings and _firmness(free, motion) < SINGULAR:
        return (
            f"{has}, and the mechanism itself is near a singular position, whatever moves it: there it can move in "
            "more ways than before, and its way on is not determined; start or load it otherwise, or, where groups "
            'have closed forms, go straight through with on_singular="continue" (--on-singular continue)'
        )
    joints = [free.program.geometry.joints[name] for name in (*group.external, *group.internal)]
    cams = " but those of cams, which cannot be free" if any(each.contact is not None for each in joints) else ""
    return f"{has}, near a position that {names} cannot lead through, and no other free coordinates are better{cams}"


def _firmness(free: FreeMotion, motion: Motion) -> float:
    """Compute how far all equations are from leaving one motion more than there are free coordinates."""
    program = free.program
    mechanism = program.structure.solved_as
    there = moved(mechanism, program.solved_geometry, poses_of(motion, mechanism.movable))
    return firmness(replace(mechanism, drivers=free.other_drivers(mechanism)), there, len(free.free))


def _ended_tables(motion: Motion) -> Iterator[str]:
    """Name every coupling whose table has come to its end, and where."""
    mechanism = motion.program.mechanism
    for relation in mechanism.relations.values():
        coupling = relation.coupling
        if not len(coupling.table) or coupling.closed:
            continue
        of = relation.coordinates[0]
        value, ends = float(coordinate_values(motion, of)[-1]), coupling.spline.x[[0, -1]]
        if min(abs(ends - value)) < TABLE_END * (ends[1] - ends[0]):
            yield (
                f"coupling {coupling.name!r} comes to the end of its table, where `{coupling.of[0]}` is "
                f"{mechanism.units.text(value, of.freedom.unit)}; give it rows beyond that, or a stop before it"
            )


def _quarter_turns(motion: Motion) -> Iterator[str]:
    """Name every second of three rotations that has come to a quarter turn, where coordinates of its joint end."""
    mechanism = motion.program.mechanism
    counted = {each.joint.name for relation in mechanism.relations.values() for each in relation.coordinates}
    for name in mechanism.joint:
        related = name in counted or mechanism.form(mechanism.joint[name]).coupled is not None
        if not related and name not in motion.program.structure.solved_as.driven:
            continue
        freedoms = mechanism.freedoms(mechanism.joint[name])
        for k, freedom in enumerate(freedoms):
            if freedom.middle and abs(np.cos(motion.joint(name)[k, -1])) < QUARTER:
                yield (
                    f"{freedom.name} of joint {name!r} comes to a quarter turn, where the rotations about the axes "
                    "before and after it are one; as others of its joint are driven or coupled, or forces depend on "
                    "them, they cannot be counted anew: turn the frame of its second body, or drive other freedoms"
                )


def _beyond_half_turn(motion: Motion) -> InJoint | None:
    """Find a spring or stop whose joint is no free coordinate and near half a turn in the last step of a motion."""
    program = motion.program
    driven = {(x.joint, x.freedom) for x in program.drivers}
    for load in program.mechanism.forces:
        if not isinstance(load, InJoint) or not load.counts_turns:
            continue
        freedom = load.freedom_of(program.mechanism)
        if freedom in driven:
            continue
        rows = freedom_rows(program, *freedom)
        if rows.followed and np.cos(rows.value(motion)[-1] - rows.near) < HALF_TURN:
            return load
    return None
