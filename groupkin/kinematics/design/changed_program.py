"""The program of one design by the way that holds for all: geometry and constants of a single variant."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial

import numpy as np
from numpy.typing import ArrayLike, NDArray

from groupkin.errors import CannotAssembleError, LawError, ParameterError, SolveError
from groupkin.kinematics.design.one_design import solve_directly, tables_of
from groupkin.kinematics.design.parametric_program import computed, program_at
from groupkin.kinematics.motion.motion import Motion
from groupkin.kinematics.motion.residuals import residuals
from groupkin.kinematics.parameters.checks import eased_joints
from groupkin.kinematics.parameters.nominal_values import driver_of, unit
from groupkin.kinematics.parameters.parameters import Dimension, LawValue, Target
from groupkin.kinematics.program.program import Driven, Program, variant_of
from groupkin.kinematics.program.variants import constants_of
from groupkin.kinematics.samples.sample_blocks import shapeless
from groupkin.kinematics.samples.sample_geometry import geometry_of
from groupkin.kinematics.samples.sample_motions import changed_law
from groupkin.kinematics.solving.run import check_times, run
from groupkin.model.geometry.assembly import TOLERANCE

Array = NDArray[np.float64]

LISTED = 6
"""Parameters whose values a message states."""


def changed_program(program: Program, targets: Sequence[Target], values: Array) -> Program:
    """Make the program of a design; its geometry and laws are changed, `program.mechanism` is the nominal one.

    Parameters
    ----------
    program : Program
        The nominal one.
    targets : sequence of Target
    values : (parameters,) array

    Raises
    ------
    ParameterError, LawError
        If the values are impossible: the message names the group or the law, and the values.
    """
    where = partial(told, program, targets, values)
    changed = _changed(program, targets, values, where)
    return replace(changed, drivers=with_laws(program, targets, values, where))


def _changed(program: Program, targets: Sequence[Target], values: Array, where: Callable[[], str]) -> Program:
    """Change the geometry of a program: by its table where that holds."""
    tables = tables_of(program, tuple(targets))
    if tables is not None:
        work, valid = computed(tables.parametric, values[:, None])
        if valid[0]:
            return program_at(tables.parametric, work[:, 0])
    given = zip(targets, values, strict=True)
    dimensions = {target: np.array([x]) for target, x in given if isinstance(target, Dimension)}
    return _with_dimensions(program, dimensions, where) if dimensions else program


def _with_dimensions(program: Program, dimensions: Mapping[Dimension, Array], where: Callable[[], str]) -> Program:
    geometry = geometry_of(program, dimensions, 1)
    if shapeless(geometry, 1)[0]:
        raise ParameterError(
            f"{where()}: no such body: lengths of it contradict each other, or an axis has no direction or is turned "
            "over; choose values closer to the nominal ones"
        )
    variants = constants_of(program, geometry)
    for group, valid in zip(program.structure.groups, variants.valid[:, 0], strict=True):
        if not valid:
            raise ParameterError(
                f"{where()}: group {group.number} ({', '.join(group.bodies)}; {group.label}) cannot be solved by its "
                "closed form: a length vanishes, or axes are no longer parallel, perpendicular or apart as they are "
                "nominally; keep them so, or solve design.mechanism(values) itself"
            )
    return variant_of(variants.family, 0)


def with_laws(
    program: Program, targets: Sequence[Target], values: Array, where: Callable[[], str]
) -> tuple[Driven, ...]:
    """Change the laws of drivers; the drivers themselves, if none is changed.

    Raises
    ------
    LawError
    """
    if not any(isinstance(target, LawValue) for target in targets):
        return program.drivers
    drivers = list(program.drivers)
    try:
        for target, value in zip(targets, values, strict=True):
            if isinstance(target, LawValue):
                k = driver_of(target, program)
                drivers[k] = replace(drivers[k], law=changed_law(drivers[k].law, target, float(value)))
    except LawError as error:
        raise LawError(f"{error} ({where()})") from None
    return tuple(drivers)


def solve_one(
    program: Program, targets: tuple[Target, ...], values: Array, times: ArrayLike, out: Motion | None = None
) -> Motion:
    """Solve one design; its errors name the values of the parameters.

    Raises
    ------
    ParameterError, TimesError, CannotAssembleError, SingularPositionError, NotConvergedError
    """
    t = check_times(times)
    drivers = with_laws(program, targets, values, partial(told, program, targets, values))
    motion = solve_directly(program, targets, values, t, drivers, out)
    if motion is not None:
        return motion
    try:
        motion = run(changed_program(program, targets, values), t)
    except SolveError as error:
        error.args = (f"{error.args[0]} ({told(program, targets, values)})", *error.args[1:])
        raise
    if any(isinstance(target, Dimension) for target in targets):
        _require_closed(motion, partial(told, program, targets, values))
    return motion


def _require_closed(motion: Motion, where: Callable[[], str]) -> None:
    """Refuse a design in which eased joints, whose rows repeat those of others, have opened.

    Raises
    ------
    CannotAssembleError
    """
    program = motion.program
    for name in eased_joints(program):
        gap = residuals(motion, name)
        if (gap > TOLERANCE).any():
            step, bodies = int(np.argmax(gap > TOLERANCE)), program.mechanism.joint[name].bodies
            group = max(program.structure.group_of[b].number for b in bodies if b in program.structure.group_of)
            together = next(r for r in program.structure.redundancies if any(x.name == name for x in r.eased))
            raise CannotAssembleError(
                f"joint {name!r} opens at t = {motion.times[step]:.6g} s with {where()}: its rows repeat those of "
                f"others ({', '.join(together.joints)} are {together.what}), so dimensions of "
                f"{', '.join(together.bodies)} must change together, so that the rows still agree",
                group,
                float(motion.times[step]),
                motion,
            )


def told(program: Program, targets: Sequence[Target], values: Array) -> str:
    """Write the values of parameters for messages."""
    say = program.mechanism.units.text
    each = [f"{target} = {say(float(x), unit(target, program))}" for target, x in zip(targets, values, strict=True)]
    return ", ".join(each[:LISTED]) + (f" and {len(each) - LISTED} more" if len(each) > LISTED else "")
