"""How the tool of a robot moves by dimensions that have errors."""

from __future__ import annotations

import numpy as np

from groupkin.errors import QuantityError
from groupkin.kinematics.derivatives.derivatives import Derivatives
from groupkin.kinematics.design.design import Design, design
from groupkin.kinematics.motion.motion import Motion
from groupkin.kinematics.motion.quantities import Quantity
from groupkin.kinematics.parameters.nominal_values import nominal_value
from groupkin.kinematics.program.once_per_program import once_per_program
from groupkin.kinematics.program.program import Program
from groupkin.mechanism.robots import Robot
from sglibrary.array_types import Array


def tool_changes(motion: Motion, robot: Robot, parameters: tuple[str, ...]) -> Array:
    """Differentiate the tool's position by parameters, (n, d, parameters) in SI units.

    Raises
    ------
    QuantityError
        If a parameter is several numbers.
    ParameterError, UnknownNameError, NotModeledError
    """
    made = _design(motion.program, robot.name, parameters)
    found = Derivatives(motion, made.program, made.parameters, made.nominal)
    return np.moveaxis(found.read(Quantity("position", robot.tool)), 0, -1)


@once_per_program
def _design(program: Program, robot: str, parameters: tuple[str, ...]) -> Design:
    for text in parameters:
        if nominal_value(text, program).shape:
            raise QuantityError(f"robot {robot!r}: `{text}` of `errors` is several numbers; name one, as `{text}.x`")
    return design(program, parameters)
