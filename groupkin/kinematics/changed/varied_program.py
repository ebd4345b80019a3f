"""The program that all variants of a mechanism share: with solvers that hold wherever its dimensions lead."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from groupkin.kinematics.parameters.nominal_values import nominal_value, scale
from groupkin.kinematics.parameters.parameters import Dimension, Target, single
from groupkin.kinematics.program.building import assemble
from groupkin.kinematics.program.program import Program, variant_of
from groupkin.kinematics.program.solver_choice import COUPLED, NEWTON
from groupkin.kinematics.program.variants import constants_of, in_modes_of
from groupkin.kinematics.samples.sample_geometry import geometry_of
from groupkin.model.coupled_drivers import coupled_drivers

ASIDE = 1e-3
"""By how much dimensions are changed to see what ends, relative to the mechanism's size: far beyond roundings."""


def varied_program(program: Program, targets: Sequence[Target]) -> Program:
    """Solve by Newton's method the groups that coupled drivers move in the nominal mechanism only.

    A gear whose center leaves its bearing no longer turns by a linear function of what drives it.

    Parameters
    ----------
    program : Program
        The nominal one.
    targets : sequence of Target
        What varies; checked.

    Returns
    -------
    Program
        The same one if nothing ends.
    """
    solvers, structure = list(program.solvers), program.structure
    split = [one for target in targets for one in single(target, program.mechanism.dimension)]
    dimensions = [target for target in split if isinstance(target, Dimension)]
    if not dimensions or not any(solver.startswith(COUPLED) for solver in solvers):
        return program
    shares = np.random.default_rng(0).uniform(0.5, 1.0, len(dimensions))
    changes = ASIDE * np.array([scale(target, program) for target in dimensions]) * shares
    values = {x: nominal_value(x, program) + np.array([change]) for x, change in zip(dimensions, changes, strict=True)}
    valid = constants_of(program, geometry_of(program, values, 1)).valid[:, 0]
    led = [
        group
        for group, solver, holds in zip(structure.groups, solvers, valid, strict=True)
        if solver.startswith(COUPLED) and holds
    ]
    found = coupled_drivers(structure.solved_as, led)  # without those that follow from what has ended
    for k, group in enumerate(structure.groups):
        if solvers[k].startswith(COUPLED) and group.number not in found:
            solvers[k] = NEWTON
    if tuple(solvers) == program.solvers:
        return program
    return in_modes_of(program, variant_of(assemble(structure, program.geometry, tuple(solvers)), ()))
