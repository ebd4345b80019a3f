"""Forces of samples, one sample after another: a program, a motion and inverse dynamics of each."""

from __future__ import annotations

import math
from collections.abc import Mapping

import numpy as np

from cluster.sweeps.description import Sweep
from groupkin.dynamics.reactions.inverse_dynamics import inverse_dynamics
from groupkin.errors import ForceError, LoadError, MassError
from groupkin.kinematics.changed.changed_program import changed_program
from groupkin.kinematics.modes.modes import numbers, with_modes
from groupkin.kinematics.motion.quantities import Quantity, components
from groupkin.kinematics.parameters.parameters import AssemblyMode, single
from groupkin.kinematics.program.program import Program
from groupkin.kinematics.samples.sample_bands import Band
from groupkin.kinematics.samples.sample_motions import NO_LOADS
from groupkin.kinematics.samples.sources import Components
from groupkin.kinematics.solving.run import run
from sglibrary.array_types import Ints


def read_forces(
    sweep: Sweep, band: Band, wanted: slice, failures: Ints
) -> tuple[Mapping[Quantity, Components], dict[int, tuple[int, int, int]]]:
    """Compute the forces that are kept of the wanted samples of a band, up to the step at which each fails.

    NaN from there on, and where no forces of the drivers hold the sample, such as where friction jams it.

    Returns
    -------
    mapping of Quantity to Components
    dict of int to (int, int, int)
        How samples end whose masses or forces are not possible, as `end_earlier` takes it.
    """
    if not sweep.forces:
        return {}, {}
    joints = [quantity.name for quantity in sweep.forces if quantity.kind != "driver"]
    shape = band.count, sweep.times.size
    found, impossible = {}, dict[int, tuple[int, int, int]]()
    for quantity in sweep.forces:
        _, labels = components(quantity, sweep.mechanism)
        found[quantity] = np.full((math.prod(map(len, labels)), *shape), np.nan)
    for k in range(*wanted.indices(band.count)):
        steps = int(failures[k, 0])
        if not steps:
            continue
        try:
            program = _program(sweep, band, band.samples.start + k)
        except (MassError, ForceError):
            impossible[k] = (0, -1, NO_LOADS)
            continue
        motion = run(program, sweep.times[:steps])
        try:
            forces = inverse_dynamics(motion, keep=joints)
        except LoadError:
            continue
        for quantity in sweep.forces:
            found[quantity][:, k, :steps] = forces.read(quantity).reshape(steps, -1).T
    return {quantity: tuple(values) for quantity, values in found.items()}, impossible


def _program(sweep: Sweep, band: Band, k: int) -> Program:
    """Make the program of sample k of the band's block."""
    program, modes, targets, values = sweep.program, dict[str, int](), [], []
    for parameter, x in zip(sweep.parameters, band.block.values, strict=True):
        if isinstance(parameter.target, AssemblyMode):
            modes[parameter.target.group] = int(x[k])
        else:
            targets += single(parameter.target, program.mechanism.dimension)
            values += np.ravel(x[k]).tolist()
    if modes:
        program = with_modes(program, program.modes | numbers(program.structure, modes))
    return changed_program(program, targets, np.array(values)) if targets else program
