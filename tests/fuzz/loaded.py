"""What is done with a document that loads: everything that a mechanism can be asked, and what contradicts itself."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

import groupkin as gk
from groupkin.mechanism.files.reading import MechanismFile, convert
from tests.fuzz.documents import Document, altered, documents
from tests.fuzz.watching import EPS, Maker, Pass, require_closed, require_finite
from tests.support.energy import rate_of_energy

STEPS = 4
"""Steps of a motion."""

TIME = 0.1
"""Simulated time (s)."""

SECONDS = 1.0
"""Processor time (s) after which what reports progress is stopped."""

BODIES = 6
"""Movable bodies, at most, of mechanisms whose limits are looked for: with more it takes minutes."""

LOST = 1e-6
"""Power or force that may be missing, of the largest, times the inverse of the conditioning."""

DUST = 1e-25
"""Power (W) of nothing but roundings, where all that moves stands still."""

IDLE = 1e-12
"""Force (N), torque (N m) or energy (J) of springs by nothing but roundings of lengths, where all stands still."""

GAINED = 1e-5
"""Energy that a simulation may gain or lose, of the largest of its parts, with a tolerance of 1e-8 in every step."""


class Long(Exception):
    """What makes progress but takes long is stopped."""


def maker(folder: Path) -> Maker:
    """Read documents; returns what changes one of them and does everything with it."""
    sources = documents()

    def passes(random: Random, number: int) -> Iterator[Pass]:
        document = altered(sources, random)
        for name, run in uses(document, number, folder):
            yield Pass(name, "", run, json.dumps(document).encode())

    return passes


def uses(document: Document, number: int, folder: Path) -> Iterator[tuple[str, Callable[[], object]]]:
    """Yield what is done with a document: names and functions, each to be called before the next is asked for."""
    made: dict[str, Any] = {}
    yield "load", lambda: made.update(file=convert(document, folder))
    if "file" not in made:
        return
    mechanism, start = made["file"].mechanism, made["file"].motion.start
    yield "solve", lambda: made.update(motion=_solved(made["file"], number))
    if "motion" in made:
        yield "forces", lambda: require_balanced(gk.inverse_dynamics(made["motion"]))
    yield "simulate", lambda: made.update(simulated=_simulated(_freed(mechanism), start))
    if made.get("simulated") is not None:
        yield "forces of simulated", lambda: require_free(gk.inverse_dynamics(made["simulated"]), _freed(mechanism))
    yield "equilibrium", lambda: require_rest(gk.equilibrium(_freed(mechanism), time=start))
    if number % 10 == 0:
        few = len(mechanism.movable) <= BODIES
        yield "limits", lambda: _limits(mechanism) if few else None
        yield "report", lambda: gk.report(made.get("motion", mechanism), folder / "report.html", limits=False)
        yield "save", lambda: _saved(made["file"], folder)
    if number % 100 == 0 and "motion" in made:
        yield "fit", lambda: _fitted(made["motion"])


def _solved(file: MechanismFile, number: int) -> gk.Motion:
    """The motion at a few steps, near each other or all over its time; what has no law moves steadily."""
    drivers = [replace(driver, law=driver.law or gk.Ramp(0.3)) for driver in file.mechanism.drivers]
    start, duration = file.motion.start, file.motion.duration
    times = np.linspace(start, start + (duration if number % 2 else duration / 100), STEPS)
    program = gk.program(replace(file.mechanism, drivers=drivers))
    motion = gk.solve(program, np.unique(times), on_failure="nan")
    require_closed(motion)
    return motion


def _freed(mechanism: gk.Mechanism) -> gk.Mechanism:
    """The mechanism, something of which can move under forces."""
    drivers = list(mechanism.drivers)
    if drivers and all(driver.law is not None for driver in drivers):
        drivers[0] = replace(drivers[0], law=None)
    return replace(mechanism, drivers=drivers)


def _simulated(freed: gk.Mechanism, start: float) -> gk.Motion | None:
    """The motion under forces, that keeps its energy; None if it takes too long."""
    began = time.process_time()

    def told(_: float) -> None:
        if time.process_time() - began > SECONDS:
            raise Long

    try:
        motion = gk.simulate(freed, start + TIME * np.array([0.0, 0.3, 1.0]), on_failure="nan", progress=told)
    except Long:
        return None
    require_closed(motion)
    return motion


def _limits(mechanism: gk.Mechanism) -> None:
    """The limits of the first driver, unless they take too long."""
    began = time.process_time()

    def told(_: int, __: int) -> None:
        if time.process_time() - began > SECONDS:
            raise Long

    with suppress(Long):
        gk.limits(mechanism, _first(mechanism), progress=told)


def _saved(file: MechanismFile, folder: Path) -> None:
    """Write a mechanism, load it, and write it again: the same."""
    path, again = folder / "saved.toml", folder / "again.toml"
    gk.save(file.mechanism, path)
    gk.save(gk.load(path), again)
    if path.read_bytes() != again.read_bytes():
        raise AssertionError("what is saved is loaded as another mechanism")


def _first(mechanism: gk.Mechanism) -> str | None:
    """The name of the first driver."""
    return next(iter(_drivers(mechanism)), None)


def _drivers(mechanism: gk.Mechanism) -> dict[str, gk.Driver]:
    """The drivers by their names."""
    driven = mechanism.driven.items()
    return {mechanism.driver_name(joint, k): driver for joint, drivers in driven for k, driver in drivers.items()}


def _fitted(motion: gk.Motion) -> None:
    """Fit the point of a joint to where a body is a little later."""
    mechanism, solved = motion.program.mechanism, np.flatnonzero(motion.solved)
    if motion.program.iterates or len(solved) < 2 or not motion.program.drivers:  # whose searches take minutes
        return
    body = mechanism.movable[-1]
    targets = {f"position {gk.quantity(f'position {body!r}', mechanism).name}": motion.position(body)[solved] + 0.01}
    at = motion.driver(0)[0][solved] + 0.1
    gk.fit(
        gk.design(mechanism, [gk.JointPoint(mechanism.joints[0].name)]), targets, at, driver=_first(mechanism), starts=1
    )


# --- what must not be ------------------------------------------------------------------------


def _allowed(motion: gk.Motion) -> float:
    """Share of the largest force or power that may be missing."""
    solved, size = motion.solved, motion.program.geometry.size
    places = [float(np.abs(motion.position(body)[solved]).max()) for body in motion.program.mechanism.movable]
    return (LOST + 1e3 * EPS * max(places, default=0.0) / size) / max(EPS, float(motion.conditioning[:, solved].min()))


def require_balanced(forces: gk.Forces) -> None:
    """Raise an error where forces are not finite or their power is not what kinetic energy and gravity gain."""
    require_finite(forces)
    motion, solved = forces.motion, forces.motion.solved
    powers, rates = list(forces.power().values()), rate_of_energy(motion)
    if not solved.any() or not powers:
        return
    bodies = motion.program.mechanism.movable
    speed = np.max([np.abs(motion.velocity(body)).max(axis=1) for body in bodies], axis=0)
    spin = np.max(
        [np.abs(motion.angular_velocity(body).reshape(len(solved), -1)).max(axis=1) for body in bodies], axis=0
    )
    speed = speed + spin * motion.program.geometry.size
    passed = [np.abs(rows).max(axis=0) * speed for rows in forces.reactions.values()]
    passed.append(forces.energy().kinetic * (spin + speed / motion.program.geometry.size))
    terms = [np.abs(x[solved]) for x in (*powers, *rates, *passed)]
    missing = np.abs(sum(powers) - sum(rates))[solved]
    if not (missing <= _allowed(motion) * np.max(terms, axis=0) + DUST).all():
        raise AssertionError(f"power of {missing.max():.3g} W is missing, of {np.max(terms):.3g} W")


def require_free(forces: gk.Forces, freed: gk.Mechanism) -> None:
    """Raise an error where something would have to drive what a simulation moved freely, or its energy changes."""
    require_balanced(forces)
    motion, solved = forces.motion, forces.motion.solved
    held = {name for name, driver in _drivers(freed).items() if driver.law is not None}
    size = motion.program.geometry.size
    largest = max((float(np.abs(rows[..., solved]).max()) for rows in forces.reactions.values()), default=0.0)
    largest = max([largest, *(float(np.abs(each.amount[..., solved]).max()) for each in forces.acting.values())])
    weights = [freed.body[body].mass * float(np.linalg.norm(freed.gravity)) for body in freed.movable]
    largest = max([largest, *weights])  # what falls freely carries nothing but the roundings of its weight
    for name in forces.drivers.keys() - held:
        force = float(np.abs(forces.drivers[name][solved]).max(initial=0.0))
        if not force <= _allowed(motion) * largest * max(1.0, size) + IDLE:
            raise AssertionError(f"{force:.3g} N m drive what moves freely, of forces of {largest:.3g} N")
    if held or any(not isinstance(x, gk.Spring | gk.JointSpring) or x.damping or x.damping_table for x in freed.forces):
        return
    energy = forces.energy()
    scale = max(float(np.abs(part[solved]).max(initial=0.0)) for part in energy)
    change = float(np.ptp(energy.total[solved]))
    if not change <= GAINED * scale + IDLE:
        raise AssertionError(f"energy changes by {change:.3g} J, of {scale:.3g} J")


def require_rest(rest: gk.Linearization) -> None:
    """Raise an error where a position that is called one of rest is not finite, not closed, or must be driven."""
    require_closed(rest.motion)
    for values in (rest.position, rest.mass, rest.stiffness, rest.damping):
        if not np.isfinite(values).all():
            raise AssertionError("a position of rest is not finite")
    rest.text()
