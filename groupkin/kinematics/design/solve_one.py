"""One design solved: directly where closed forms allow it, else by its program, with its values in errors."""

from __future__ import annotations

from functools import partial

from numpy.typing import ArrayLike

from groupkin.errors import CannotAssembleError, SolveError
from groupkin.kinematics.changed.changed_program import changed_program, told, with_laws
from groupkin.kinematics.design.joint_opening import must_change_together
from groupkin.kinematics.design.one_design import solve_directly
from groupkin.kinematics.motion.motion import Motion
from groupkin.kinematics.parameters.parameters import Target
from groupkin.kinematics.program.program import Program
from groupkin.kinematics.solving.run import check_times, run
from sglibrary.array_types import Array


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
        why = must_change_together(program, targets, t) if isinstance(error, CannotAssembleError) else ""
        error.args = (f"{error.args[0]} ({told(program, targets, values)}){why}", *error.args[1:])
        raise
    return motion
