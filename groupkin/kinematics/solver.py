"""The front door: programs of mechanisms, and their motions at given times."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import ArrayLike

from groupkin.arguments import Count, checked, tried_first, types_checked
from groupkin.errors import ArgumentError, GroupkinWarning, RangeWarning, TimesError
from groupkin.kinematics.modes.modes import Choice, numbers, with_modes
from groupkin.kinematics.motion.labeled_arrays import kept
from groupkin.kinematics.motion.motion import Motion
from groupkin.kinematics.motion.outputs import outputs_of
from groupkin.kinematics.motion.quantities import Quantity
from groupkin.kinematics.motion.ranges import outside, ranges_of
from groupkin.kinematics.program.building import reference_program
from groupkin.kinematics.program.program import Program
from groupkin.kinematics.program.solver_choice import SUBSTITUTE, wanted_solver
from groupkin.kinematics.solving.pruned import pruned
from groupkin.kinematics.solving.run import crossed, fill_again, run
from groupkin.kinematics.solving.state_memory import pitch_of
from groupkin.mechanism.files.reading import MechanismFile
from groupkin.mechanism.mechanism import Mechanism
from sglibrary.array_types import Array


@tried_first(fill_again)
@types_checked
def solve(
    mechanism: Mechanism | MechanismFile | Program,
    times: ArrayLike | None = None,
    *,
    on_failure: str = "raise",
    on_singular: str = "fail",
    out: Motion | None = None,
    block: Count | None = None,
    assemble: bool = False,
    modes: Choice | None = None,
    solver: str | None = None,
    keep: Sequence[str | Quantity] | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Motion:
    """Position, velocity and acceleration of every body at the given times.

    Parameters
    ----------
    mechanism : Mechanism, MechanismFile or Program
        Or the path of a file, as wherever a mechanism is an argument. A program (`groupkin.program`) is solved without
        being built again.
    times : (n,) array_like
        s; increasing, decreasing or repeated, not mixed. Of a file, those of the file by default.
    on_failure : {"raise", "nan"}
        Raise at the first step that cannot be solved, or write NaN there and go on; see `Motion.status`.
    on_singular : {"fail", "continue"}
        Fail at singular positions of closed forms, or go straight through those behind which the motion goes on
        smoothly, with other assembly modes from there on; see `Motion.passages`.
    out : Motion, optional
        A motion of the same program and number of steps, whose memory is used again.
    block : int
        Steps that are solved together; of closed forms it does not change the results.
    assemble : bool
        Close a reference configuration that is only approximate, see `program`.
    modes : mapping of str or int to int, optional
        Assembly modes of groups, see `program`.
    solver : {"substitute", "newton"}, optional
        Of groups without a closed form, see `program`.
    keep : sequence of str or Quantity, optional
        What `Motion.to_xarray`, `Motion.save` and tables hold, such as ``position P`` or the name of an output;
        default: everything. The motion is solved, and can be read, as a whole.
    progress : callable, optional
        Called with the number of steps done and of all steps.

    Returns
    -------
    Motion

    Raises
    ------
    TimesError, MechanismError, StructureError, QuantityError
    CannotAssembleError, SingularPositionError, NotConvergedError
        With group and time, and the motion up to there as ``error.motion``.
    """
    prepared, times = program_and_times(mechanism, times, assemble=assemble, modes=modes, solver=solver)
    chosen = prepared.keep if keep is None else kept(keep, prepared)
    motion = run(
        prepared,
        times,
        on_failure=on_failure,
        on_singular=on_singular,
        out=out,
        block=block,
        keep=chosen,
        progress=progress,
    )
    if prepared.mechanism.has_ranges:
        warn_of_ranges(motion)
    return motion


def warn_of_ranges(motion: Motion) -> None:
    """Warn of the ends of ranges that a motion passes, with the first time and the worst."""
    for passed in outside(motion):
        warnings.warn(
            f"{passed.text(motion.program.mechanism)}; see Motion.outside, and groupkin limits for how far drivers go",
            RangeWarning,
            stacklevel=5,  # where `solve` is called, which checks its arguments
        )


def motion_of(
    mechanism: Mechanism | MechanismFile | Program | Motion, times: ArrayLike | None, needed: str = "in s"
) -> Motion:
    """A motion that is given, or that of a mechanism at times.

    Parameters
    ----------
    mechanism : Mechanism, MechanismFile, Program or Motion
    times : (n,) array_like, optional
        s; none of a motion, and of a file those of the file by default.
    needed : str
        What the times must be, for a message.

    Raises
    ------
    ArgumentError, TimesError, SolveError
    """
    if isinstance(mechanism, Motion):
        if times is not None:
            raise ArgumentError("times are those of the motion; leave them out, or give a mechanism")
        return mechanism
    if times is None and not isinstance(mechanism, MechanismFile):
        raise TimesError(f"times are needed: pass an array of times {needed}; groupkin.read keeps those of a file")
    return solve(mechanism, times)


def program_and_times(
    mechanism: Mechanism | MechanismFile | Program,
    times: ArrayLike | None,
    *,
    assemble: bool = False,
    modes: Choice | None = None,
    solver: str | None = None,
) -> tuple[Program, ArrayLike]:
    """The program that is to be solved, and when, from what users give to `solve`.

    Raises
    ------
    TimesError, ArgumentError
    """
    if isinstance(mechanism, MechanismFile):
        mechanism, times = mechanism.at(times)
    if times is None:
        raise TimesError("solve needs times, s, such as numpy.linspace(0, 1, 101); groupkin.read keeps those of a file")
    if isinstance(mechanism, Program):
        if solver is not None:
            raise ArgumentError("solver is chosen when a program is made: groupkin.program(mechanism, solver=...)")
        if modes and mechanism.keep is not None:
            raise ArgumentError("modes are chosen when a program that keeps less than everything is made")
        return np.errstate(all="ignore")(with_modes)(mechanism, modes) if modes else mechanism, times
    return program(mechanism, assemble=assemble, modes=modes, solver=solver or SUBSTITUTE), times


@checked
def program(
    mechanism: Mechanism,
    *,
    assemble: bool = False,
    modes: Choice | None = None,
    solver: str = SUBSTITUTE,
    keep: Sequence[str | Quantity] | None = None,
) -> Program:
    """Decompose a mechanism and choose a solver for every group, once for any number of motions.

    Parameters
    ----------
    assemble : bool
        Close a reference configuration that is only approximate instead of refusing it.
    modes : mapping of str or int to int, optional
        Assembly modes other than the reference configuration's, which are 1: for a group, by its number or the name of
        one of its bodies, the number that `groupkin.assembly_modes` lists. They go before those of the mechanism.
    solver : {"substitute", "newton"}
        Of groups without a closed form: around a hub where they have one, else, or always, by Newton's method for any
        group.
    keep : sequence of str or Quantity, optional
        What motions are for, such as ``position P``: groups that nothing of it needs are not solved, and their bodies
        cannot be read; default: everything.

    Raises
    ------
    MechanismError, StructureError, QuantityError
    """
    outputs_of(mechanism)  # refuses formulas that do not fit the mechanism
    ranges_of(mechanism)  # as well as ranges of what it does not have
    reference = reference_program(mechanism, assemble, wanted_solver(solver))
    declared, overriding = (numbers(reference.structure, chosen) for chosen in (reference.mechanism.modes, modes or {}))
    whole = with_modes(reference, declared | overriding)
    return whole if keep is None else pruned(whole, kept(keep, whole))


def warm_up(program: Program, times: Array) -> None:
    """Compile all that a motion at these times needs, or load it from the cache, by solving some of its steps.

    They are so many that singular positions between them are looked for, and lie in memory as those of the motion, for
    functions are compiled for arrays with and without gaps.
    """
    few = 16 if pitch_of(times.size) == times.size else 15
    with warnings.catch_warnings(action="ignore", category=GroupkinWarning):  # the motion itself warns
        crossed(run(program, times[:few], on_failure="nan", block=1), "nan")
