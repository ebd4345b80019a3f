"""Quantities of robots of many samples, from motions in which one driver after another moves alone at unit rate."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from groupkin.errors import QuantityError
from groupkin.kinematics.jacobians.inverses import invert
from groupkin.kinematics.jacobians.matrices import Jacobian
from groupkin.kinematics.jacobians.robot_measures import ERRORS, measure
from groupkin.kinematics.motion.freedoms import freedoms_of
from groupkin.kinematics.motion.quantities import Quantity, places, unit
from groupkin.kinematics.motion.robots import inputs_of, of_inputs
from groupkin.kinematics.program.program import Program
from groupkin.kinematics.samples.sources import Components
from groupkin.mechanism.mechanism import Mechanism
from groupkin.mechanism.robots import Robot
from sglibrary.array_types import Array, Flags

ReadQuantity = Callable[[Quantity], Components]
"""Reads the components of a quantity of samples, each of a shape that broadcasts to (samples, times)."""


def alone(drivers: Array, number: int) -> Array:
    """Return driver rows (n, d, 5, t) at the same values, of which one moves at unit rate and all others stand."""
    found = drivers.copy()
    found[:, :, 1:3] = 0.0
    found[:, number, 1] = 1.0
    return found


def needs_of(robot: Robot, program: Program) -> tuple[Quantity, ...]:
    """List the rates that are read of a robot: of its tool, and of the freedoms that it names."""
    body = program.geometry.points[robot.tool][0] if robot.tool in program.geometry.points else robot.tool
    inputs = inputs_of(robot, program.mechanism)
    every_driven = {*inputs} <= {*drivers_of(program)}
    rates = (Quantity("joint_rate", each.name, each.component) for each in (() if every_driven else inputs))
    return Quantity("angular_velocity", body), Quantity("velocity", robot.tool), *rates


def drivers_of(program: Program) -> list[Quantity]:
    """List the driven freedoms in the order of the drivers."""
    return [freedoms_of(Quantity("joint", x.joint), program.mechanism)[x.freedom] for x in program.drivers]


def require_no_parameters(wanted: Quantity, mechanism: Mechanism) -> None:
    """Refuse errors of parameters, by which derivatives are not computed of many designs at once.

    Raises
    ------
    QuantityError
    """
    robot = mechanism.robot.get(wanted.name)
    if wanted.kind in ERRORS and robot is not None and (others := of_inputs(robot.errors, robot, mechanism)[1]):
        raise QuantityError(
            f"`{wanted}`: errors of parameters, such as `{next(iter(others))}`, are not computed of many designs at "
            "once; solve them one after another, or state errors of drivers alone"
        )


def robot_components(wanted: Quantity, program: Program, moved: Sequence[ReadQuantity], lost: Flags) -> Components:
    """Compute a quantity of a robot from the rates of its tool where each driver moves alone.

    Parameters
    ----------
    wanted : Quantity
    program : Program
    moved : sequence of callable
        One for each driver.
    lost : (n, t) array of bool
        Where a sample is not solved.
    """
    mechanism, d = program.mechanism, program.mechanism.dimension
    robot, rows = mechanism.robot[wanted.name], 3 * (d - 1)
    needs = needs_of(robot, program)
    columns = [[np.broadcast_to(row, lost.shape).ravel() for need in needs for row in read(need)] for read in moved]
    rates = np.array(columns).swapaxes(0, 1)
    outputs, freedoms = rates[:rows], inputs_of(robot, mechanism)
    if len(rates) == rows:
        outputs = outputs[:, [*map(drivers_of(program).index, freedoms)]]
    else:
        inverse = np.empty(rates[rows:].shape)
        invert(np.ascontiguousarray(rates[rows:]), inverse)
        outputs = np.einsum("ijn,jkn->ikn", outputs, inverse)
    values = outputs.transpose(2, 0, 1)
    values[lost.ravel()] = np.nan
    of_tool = Jacobian(
        np.zeros(lost.size),
        values,
        tuple(map(str, range(rows))),
        tuple(map(str, freedoms)),
        ("rad",) * (rows - d) + ("m",) * d,
        tuple(unit(each, mechanism) for each in freedoms),
        (values, None),
    )
    found = measure(wanted.kind, robot, mechanism, of_tool, np.zeros((lost.size, d, 0)))
    every = [x.reshape(lost.shape) for x in (found.T if found.ndim == 2 else found[None])]
    return tuple(every[k] for k in places(wanted, mechanism))
