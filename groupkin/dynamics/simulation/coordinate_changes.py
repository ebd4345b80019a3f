"""Other free coordinates where those that lead a mechanism come near a singular position.

Any set of free coordinates that determines a mechanism leads it on from any state, so the change is made at the end of
a step, at no particular place: the pose and its velocities, and with them all energies, are the same in both. Which
coordinates are free may change so (Wehage and Haug 1982), and from where three rotations in turn are counted, which are
singular where the second one is a quarter turn.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import islice
from typing import Any

import numpy as np

from groupkin.dynamics.acting.force_inputs import inputs
from groupkin.dynamics.bodies.coordinate_rows import freedom_rows
from groupkin.dynamics.simulation.free_motion import FreeMotion, equations_of
from groupkin.dynamics.simulation.other_coordinates import in_modes_of, in_rows_of
from groupkin.errors import MechanismError, StructureError
from groupkin.kinematics.motion.motion import Motion
from groupkin.kinematics.program.building import assemble, build
from groupkin.kinematics.program.program import Program, variant_of
from groupkin.mechanism.forces.part import InJoint, WithFunction
from groupkin.mechanism.laws.laws import Constant
from groupkin.mechanism.mechanism import Driver
from sglibrary.array_types import Array

Freedom = tuple[str, int]

ENOUGH = 0.4
"""Conditioning of free coordinates below which others are looked for."""

BETTER = 1.5
"""Factor by which the conditioning of others must be better."""

GOOD = 0.7
"""Conditioning from which on no better ones are looked for."""

MOST_TRIED = 6
"""Sets that are tried at a time, exchanges first by which the others move fastest, unless no step is possible."""

WOUND = 2.5
"""Angle of a spring from its reference, rad, from which on its joint stays free: whole turns are known up to 2.9."""

SLOWEST = 0.05
"""Rate of a freedom, rad or sizes of the mechanism, by that of a free coordinate that it may take the place of."""


def changed(free: FreeMotion, time: float, y: Array, thorough: bool = False) -> tuple[FreeMotion, Array] | None:
    """Choose better free coordinates at a state.

    Parameters
    ----------
    free : FreeMotion
    time : float
        s.
    y : (2 f,) array
        Free coordinates and their rates.
    thorough : bool
        Try all exchanges, and take groups by Newton's method where all had closed forms.

    Returns
    -------
    FreeMotion, (2 f,) array
        The equations of the other coordinates, and these with their rates; None if none are better.
    """
    here = free.configuration(time, *np.split(y, 2))
    if not here.solved.all():
        return None
    least, best = BETTER * free.conditioning_at(time, y), None
    for freedoms in islice(_choices(free, here), None if thorough else MOST_TRIED):
        found = at_pose(free, freedoms, here, thorough)
        if found is None:
            continue
        conditioning = found[0].conditioning_at(time, found[1])
        if conditioning > least:
            least, best = conditioning, found
        if conditioning > GOOD:
            break
    return best


def _choices(free: FreeMotion, here: Motion) -> Iterator[tuple[Freedom, ...]]:
    """List sets of freedoms: those that are free, if their rotations can be counted anew, then exchanges."""
    if _balls(free.program, free.freedoms):
        yield free.freedoms
    yield from _exchanges(free, here)


def _balls(program: Program, freedoms: tuple[Freedom, ...]) -> list[str]:
    """List joints whose last three rotations are free in all directions, and nothing depends on their angles."""
    mechanism = program.mechanism
    loaded = {load.joint for load in mechanism.forces if isinstance(load, InJoint)}
    loaded |= {joint for joint, _ in _felt(program)}
    loaded |= {each.joint.name for relation in mechanism.relations.values() for each in relation.coordinates}
    found = []
    for name in dict.fromkeys(joint for joint, _ in freedoms):
        form = mechanism.form(mechanism.joint[name])
        last = {(name, len(form.moves) - k) for k in (1, 2, 3)}
        if form.ball and form.bend is None and name not in loaded and last <= set(freedoms):
            found.append(name)
    return found


def _exchanges(free: FreeMotion, here: Motion) -> Iterator[tuple[Freedom, ...]]:
    """List sets of freedoms in which another one takes the place of a free coordinate, the fastest first."""
    program, own, count = free.program, free.freedoms, len(free.free)
    mechanism, size = program.mechanism, program.geometry.size
    rates = np.zeros((len(program.drivers), count))
    rates[free.free, np.arange(count)] = free.units
    assert here.inputs is not None
    moved = program.evaluate(np.repeat(here.inputs.values[:, 0], count, axis=1), rates, start=here)
    ratios = []
    for joint in mechanism.joints:
        if program.geometry.joints[joint.name].contact is not None:
            continue
        for k, row in enumerate(moved.joint_rate(joint.name)):
            if k in mechanism.driven.get(joint.name, {}):
                continue
            speeds = np.abs(row) / (1.0 if mechanism.freedoms(joint)[k].rotation else size)
            ratios += [(-float(x), i, (joint.name, k)) for i, x in enumerate(speeds) if x > SLOWEST]
    held = {i for i, freedom in enumerate(own) if _wound(here, freedom)}
    for _, i, freedom in [each for each in sorted(ratios) if each[1] not in held]:
        yield (*own[:i], freedom, *own[i + 1 :])


def _wound(here: Motion, freedom: Freedom) -> bool:
    """Whether a spring acts in a freedom that is far from its reference, so that its whole turns must be followed."""
    mechanism, program = here.program.mechanism, here.program
    elastic = (x for x in mechanism.forces if isinstance(x, InJoint) and x.counts_turns)
    if freedom not in _felt(program) and all(load.freedom_of(mechanism) != freedom for load in elastic):
        return False
    k = next(k for k, x in enumerate(program.drivers) if (x.joint, x.freedom) == freedom)
    if not program.drivers[k].rotation:
        return False
    return bool(abs(here.driver(k)[0, 0] - freedom_rows(program, *freedom).near) > WOUND)


def _felt(program: Program) -> set[Freedom]:
    """List the rotations in joints whose angles functions of the user are given."""
    own = [load for load in program.mechanism.forces if isinstance(load, WithFunction) and load.function is not None]
    return {each.freedom for load in own for each in inputs(program, load) if each.freedom is not None}


def at_pose(
    free: FreeMotion, freedoms: tuple[Freedom, ...], here: Motion, iterated: bool = False
) -> tuple[FreeMotion, Array] | None:
    """Make the equations of other free coordinates at a pose, with their values and rates there; None if it fails."""
    program = _program(free, freedoms)
    if program is None or (program.iterates and not (iterated or free.program.iterates)):
        return None
    program = _turned(program, freedoms, here)
    there = in_rows_of(program, here)
    values = np.array([_value(here, there, (x.joint, x.freedom)) for x in program.drivers])
    in_modes = in_modes_of(program, values[:, 0], there)
    if in_modes is None:
        return None
    found = with_laws_of(free, in_modes)
    return found, values[found.free].T.ravel()


def _turned(program: Program, freedoms: tuple[Freedom, ...], here: Motion) -> Program:
    """Count the rotations of joints that turn in all directions from a pose, far from where their angles are singular.

    The frames on their second bodies are those that agree with the first ones there.
    """
    turned = {}
    for name in _balls(program, freedoms):
        frames = program.geometry.joints[name].frames
        rotation, _ = here.placement(program.mechanism.joint[name].bodies, program.geometry.joints[name])
        turned[name] = np.stack([frames[0], frames[1] @ rotation[0].T])
    return _with_frames(program, turned)


def _with_frames(program: Program, frames: Mapping[str, Array]) -> Program:
    """Give joints other frames (2, d, d) on their bodies."""
    if not frames:
        return program
    joints = program.geometry.joints
    turned = {name: replace(joints[name], frames=each) for name, each in frames.items()}
    geometry = replace(program.geometry, joints={**joints, **turned})
    return variant_of(assemble(program.structure, geometry, program.solvers), ())


def with_laws_of(free: FreeMotion, program: Program) -> FreeMotion:
    """Make the equations of a program some of whose drivers have the laws of others."""
    laws = {(x.joint, x.freedom): law for x, law in zip(free.program.drivers, free.laws, strict=True)}
    of_drivers = tuple(laws.get((x.joint, x.freedom)) for x in program.drivers)
    return replace(equations_of(program, of_drivers), family=free.family)


def _value(here: Motion, there: Motion, freedom: Freedom) -> tuple[float, float]:
    """Value and rate of a freedom at a pose, those of a driver unchanged where they are counted alike."""
    before, after = (motion.program.geometry.joints[freedom[0]].frames for motion in (here, there))
    for k, driven in enumerate(here.program.drivers):
        if (driven.joint, driven.freedom) == freedom and np.array_equal(before, after):
            return float(here.driver(k)[0, 0]), float(here.driver(k)[1, 0])
    joint, k = freedom
    return float(there.joint(joint)[k, 0]), float(there.joint_rate(joint)[k, 0])


def _program(free: FreeMotion, freedoms: tuple[Freedom, ...]) -> Program | None:
    """Build the program of other free coordinates in the reference configuration; None if they do not determine it."""
    key = tuple(sorted(freedoms))
    if key not in free.family:
        mechanism = free.program.mechanism
        names = [(joint, mechanism.freedoms(mechanism.joint[joint])) for joint, _ in key]
        new = [
            Driver(joint, Constant(0.0), every[k].name if len(every) > 1 else None)
            for (joint, every), (_, k) in zip(names, key, strict=True)
        ]
        drivers = [*free.other_drivers(mechanism), *new]
        try:
            free.family[key] = build(replace(mechanism, drivers=drivers, modes={}), geometry=free.program.geometry)
        except (MechanismError, StructureError):
            free.family[key] = None
    return free.family[key]


# --- as data -----------------------------------------------------------------------------------


def described(free: FreeMotion) -> dict[str, Any]:
    """Describe free coordinates by numbers and names, from which `restored` makes them with the same bits."""
    program = free.program
    plain = free.family[tuple(sorted(free.freedoms))]
    assert plain is not None
    turned = [
        (name, joint.frames)
        for name, joint in program.geometry.joints.items()
        if not np.array_equal(joint.frames, plain.geometry.joints[name].frames)
    ]
    signs = [call.constants[list(call.signs)] for call in program.calls]
    starts = [call.knot for call in program.calls]
    references = [driven.reference for driven in program.drivers]
    return {
        "freedoms": list(free.freedoms),
        "turned": turned,
        "signs": signs,
        "starts": starts,
        "references": references,
    }


def restored(first: FreeMotion, data: Mapping[str, Any]) -> FreeMotion:
    """Make the free coordinates that `described` has described, given those at first.

    Raises
    ------
    ValueError, LookupError, TypeError
        If they cannot be of this mechanism.
    """
    program = _program(first, tuple((joint, int(k)) for joint, k in data["freedoms"]))
    if program is None or len(data["freedoms"]) != len(first.free):
        raise ValueError("free coordinates of another mechanism")
    turned = dict(data["turned"])
    for name, frames in turned.items():
        _require_like(frames, program.geometry.joints[name].frames)
    program = _with_frames(program, turned)
    calls = []
    for call, signs, knot in zip(program.calls, data["signs"], data["starts"], strict=True):
        constants = call.constants.copy()
        _require_like(signs, constants[list(call.signs)])
        constants[list(call.signs)] = signs
        if call.knot is not None or knot is not None:
            _require_like(knot, call.knot)
        calls.append(replace(call, constants=constants, knot=knot))
    pairs = zip(program.drivers, data["references"], strict=True)
    drivers = tuple(replace(driven, reference=float(value)) for driven, value in pairs)
    return with_laws_of(first, replace(program, calls=tuple(calls), drivers=drivers))


def _require_like(array: Any, other: Any) -> None:
    """Refuse numbers of another shape or type than others, or not finite where those are.

    Raises
    ------
    ValueError
    """
    alike = np.shape(array) == np.shape(other) and np.asarray(array).dtype == other.dtype
    if not alike or not (np.isfinite(array) | (np.isnan(array) & np.isnan(other))).all():
        raise ValueError("numbers of another mechanism")
