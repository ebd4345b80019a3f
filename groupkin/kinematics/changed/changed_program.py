"""The program of one design by the way that holds for all: geometry and constants of a single variant."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from groupkin.errors import ForceError, LawError, MassError, ParameterError
from groupkin.kinematics.changed.parametric_program import computed, parametric_of, program_at
from groupkin.kinematics.parameters.load_numbers import with_load_numbers
from groupkin.kinematics.parameters.named_values import law_values, load_values, named
from groupkin.kinematics.parameters.nominal_values import driver_of, unit
from groupkin.kinematics.parameters.parameters import Dimension, Target
from groupkin.kinematics.program.program import Driven, Program, linked_driven, variant_of
from groupkin.kinematics.program.variants import constants_of
from groupkin.kinematics.samples.sample_blocks import shapeless
from groupkin.kinematics.samples.sample_geometry import geometry_of
from groupkin.kinematics.samples.sample_motions import changed_law
from groupkin.structure.decomposition import Structure

Array = NDArray[np.float64]

LISTED = 6
"""Parameters whose values a message states."""


def changed_program(program: Program, targets: Sequence[Target], values: Array) -> Program:
    """Make the program of a design: geometry, laws, masses and forces; other numbers of its mechanism are nominal.

    Parameters
    ----------
    program : Program
        The nominal one.
    targets : sequence of Target
    values : (parameters,) array

    Raises
    ------
    ParameterError, LawError, MassError, ForceError
        If the values are impossible: the message names the group, law, body or force, and the values.
    """
    where = partial(told, program, targets, values)
    changed = _changed(program, targets, values, where)
    drivers = with_laws(program, targets, values, where)
    structure = with_loads(program, targets, values, where)
    return replace(changed, structure=structure, drivers=drivers, named=named(targets, values.tolist()))


def _changed(program: Program, targets: Sequence[Target], values: Array, where: Callable[[], str]) -> Program:
    """Change the geometry of a program: by its table where that holds."""
    parametric = parametric_of(program, tuple(targets))
    if parametric is not None:
        work, valid = computed(parametric, values[:, None])
        if valid[0]:
            return program_at(parametric, work[:, 0])
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
    changed = law_values(program, targets, values)
    if not changed:
        return program.drivers
    drivers = list(program.drivers)
    try:
        for target, value in changed.items():
            k = driver_of(target, program)
            drivers[k] = replace(drivers[k], law=changed_law(drivers[k].law, target, float(value)))
    except LawError as error:
        raise LawError(f"{error} ({where()})") from None
    return linked_driven(drivers)


def with_loads(program: Program, targets: Sequence[Target], values: Array, where: Callable[[], str]) -> Structure:
    """Change the masses and forces of the mechanism of a structure; the structure itself, if none is changed.

    Raises
    ------
    MassError, ForceError
    """
    numbers = load_values(program, targets, values)
    if not numbers:
        return program.structure
    try:
        return replace(program.structure, mechanism=with_load_numbers(program, numbers))
    except (MassError, ForceError) as error:
        raise type(error)(f"{error} ({where()})") from None


def told(program: Program, targets: Sequence[Target], values: Array) -> str:
    """Write the values of parameters for messages."""
    say = program.mechanism.units.text
    each = [f"{target} = {say(float(x), unit(target, program))}" for target, x in zip(targets, values, strict=True)]
    return ", ".join(each[:LISTED]) + (f" and {len(each) - LISTED} more" if len(each) > LISTED else "")
