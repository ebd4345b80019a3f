"""Motion under forces: direct dynamics of the coordinates that no law drives."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Literal
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import ArrayLike

from groupkin.arguments import checked, floats
from groupkin.dynamics.simulation.checkpoints import digest, opened
from groupkin.dynamics.simulation.coordinate_changes import at_pose
from groupkin.dynamics.simulation.events import Event, Watch, checked_events, range_ends, require_way, unstopped
from groupkin.dynamics.simulation.free_motion import FreeMotion, Start, equations_of, starting_values, with_free_drivers
from groupkin.dynamics.simulation.integration import OTHERS, Found, integrate, warn_of_energy
from groupkin.dynamics.simulation.joined_motion import motion_of, with_nothing_after
from groupkin.dynamics.simulation.shared_steps import compile_ahead
from groupkin.errors import ArgumentError, GroupkinWarning, RangeWarning, SimulationError, TimesError, shown
from groupkin.kinematics.motion.motion import Motion
from groupkin.kinematics.solver import program
from groupkin.mechanism.files.reading import MechanismFile
from groupkin.mechanism.laws.laws import Constant
from groupkin.mechanism.mechanism import Mechanism
from groupkin.mechanism.points import LARGEST
from groupkin.messages import counted
from groupkin.tolerances import RTOL, TIGHTEST_RTOL
from sglibrary.array_types import Array

Ranges = Literal["warn", "ignore", "event", "end"]

Method = Literal["auto", "explicit", "implicit", "DOP853", "RK45", "RK23", "Radau", "BDF", "LSODA"]

TO_EVENTS = ("event", "end")
"""Where ranges are events."""

LOOSEST = 0.1
"""Largest relative tolerance of a simulation."""

MOST_STEPS = 1e9
"""Of one length."""


_prepared: WeakKeyDictionary[Mechanism, FreeMotion] = WeakKeyDictionary()
"""Equations of mechanisms, which nothing changes."""


def free_motion(mechanism: Mechanism, assemble: bool = False) -> FreeMotion:
    """Prepare the equations of motion of a mechanism; drivers without a law are free, and added where any lack.

    Raises
    ------
    SimulationError
        If nothing is free.
    """
    known = _prepared.get(mechanism)
    if known is None or known.program.mechanism.units != mechanism.units:
        known = _free_motion(mechanism, assemble)
        if not known.program.iterates and not assemble:  # what is iterated has a memory
            _prepared[mechanism] = known
    return replace(known)  # with memory of its own


def _free_motion(mechanism: Mechanism, assemble: bool) -> FreeMotion:
    whole = with_free_drivers(mechanism, assemble)
    laws = {(joint, k): driver.law for joint, drivers in whole.driven.items() for k, driver in drivers.items()}
    # a program needs laws, which evaluation at given values does not use
    drivers = [replace(driver, law=driver.law or Constant(0.0)) for driver in whole.drivers]
    built = program(replace(whole, drivers=drivers), assemble=assemble)
    of_drivers = tuple(laws[driven.joint, driven.freedom] for driven in built.drivers)
    if not of_drivers:
        raise SimulationError(
            f"nothing of {mechanism.name} is free: its joints leave no motion; remove the joint that holds it"
            if mechanism.movable
            else f"{mechanism.name} has no body besides the frame {mechanism.frame!r}, so nothing moves"
        )
    if None not in of_drivers:
        raise SimulationError(
            f"{mechanism.name} has {counted(len(of_drivers), 'driver')}, each with a law, so nothing is free; "
            "leave out the `law` of a driver, or the driver"
        )
    return equations_of(built, of_drivers)


@checked
def simulate(
    mechanism: Mechanism | MechanismFile,
    times: ArrayLike | None = None,
    start: Start | Motion | None = None,
    *,
    method: Method = "auto",
    step: float | None = None,
    rtol: float = RTOL,
    atol: float | None = None,
    events: Sequence[Event] = (),
    ranges: Ranges = "warn",
    on_singular: Literal["fail", "continue"] = "fail",
    on_failure: Literal["raise", "nan"] = "raise",
    checkpoint: str | Path | None = None,
    resume: bool = False,
    assemble: bool = False,
    progress: Callable[[float], None] | None = None,
) -> Motion:
    """Compute the motion of a mechanism under its forces.

    Drivers without a law are free. Where drivers lack, free ones are added, so that a pendulum needs none; drivers with
    a law move as it says.

    Parameters
    ----------
    mechanism : Mechanism or MechanismFile
        Or the path of a file. With masses, and perhaps gravity and forces. What is prepared of it is kept as long as
        it is.
    times : (n,) array_like
        At least two, increasing, s. Of a file, those of the file by default.
    start : mapping of str to float or (float, float), or Motion, optional
        Values, or values and rates, of free coordinates at the first time, by joint or ``joint.freedom``: rad and
        rad/s, m and m/s. Or a motion of the same bodies and joints, at whose last state this one begins. Default: at
        rest in the reference configuration.
    method : {"auto", "explicit", "implicit", "DOP853", "RK45", "RK23", "Radau", "BDF", "LSODA"}
        Compiled: the explicit method of Dormand and Prince of order 8, or RODAS4, an implicit one of order 4 for stiff
        springs and dampers; "auto" begins with the first and goes on with the second where that is stiff. The others
        are those of `scipy.integrate`; so are all where groups are solved by Newton's method (DOP853 and Radau).
    step : float, optional
        Length of all steps, s, as real-time simulators take them, instead of tolerances: with the method of Runge and
        Kutta of order 4 or, if the method is "implicit", RODAS4, which is linearly implicit. Only for closed forms.
    rtol, atol : float
        Relative tolerance; absolute one of coordinates and rates, by default ``rtol`` times rad, or sizes of the
        mechanism, and per second.
    events : sequence of Event
        What is looked for along the way; one that is terminal ends the motion.
    ranges : {"warn", "ignore", "event", "end"}
        What to do where the motion leaves the range of a joint or another quantity: warn with the first time and the
        worst, unless a `Stop` pushes it back; nothing; record an event such as ``bore at its upper end`` each time an
        end is passed outwards; or end there.
    on_singular : {"fail", "continue"}
        Fail at singular positions that no free coordinates lead through, as of a parallelogram in line, or go straight
        through those behind which the motion goes on smoothly; see `Motion.passages`.
    on_failure : {"raise", "nan"}
        Raise where the simulation cannot go on, or warn and return the motion with NaN from there on.
    checkpoint : str or Path, optional
        A file in which is kept, every few seconds and at the end, how far the simulation is.
    resume : bool
        Go on from the checkpoint, if there is one; the results have the same bits as without an interruption.
    assemble : bool
        Assemble a reference configuration whose joints do not close exactly.
    progress : callable, optional
        Called with the time that is reached, s.

    Returns
    -------
    Motion
        Like any other; its free drivers have the computed values, rates and accelerations as their laws, so that
        `inverse_dynamics` gives its reactions and energies. Its `events` are those that occurred; where a terminal one
        ended it, its last time is that of the event.

    Raises
    ------
    SimulationError
        If nothing is free, the mechanism cannot be assembled at the start, it starts outside ranges at which it is to
        end, or the integration cannot go on: with the time, and why. Its `motion` is what was computed before, as it is
        of a KeyboardInterrupt.
    CheckpointError
        If there is a checkpoint and `resume` is False, or it is of another simulation.
    ChatteringError
        If an event occurs again and again.
    MassError
        If no mass moves with a free coordinate.
    LawError
        If a law does not cover the times, or only Python evaluates it.
    LoadError
        If a function of a force gives no finite numbers at the start, or the angle of a `Stop` is whole turns away.
    EnergyError
        If the energy that is stored, lost and supplied does not balance to a thousandth of what is moved; there is an
        EnergyWarning where it does not to a hundred times `rtol`.
    NotDeterminedError
        If the mechanism cannot be determined by more drivers.

    Examples
    --------
    >>> import groupkin as gk
    >>> arm = gk.Body("arm", mass=1.0, center=(1.0, 0.0))
    >>> pin = gk.Joint("pin", "R", ("frame", "arm"), point=(0, 0))
    >>> motion = simulate(gk.Mechanism(2, ["frame", arm], [pin], gravity=(0.0, -9.81)), [0.0, 0.5, 1.0])
    >>> motion.joint("pin").round(4) + 0.0
    array([[ 0.    , -1.169 , -2.9758]])
    """
    if isinstance(mechanism, MechanismFile):
        mechanism, times = mechanism.at(times)
    if times is None:
        raise TimesError("a simulation needs times, s, such as numpy.linspace(0, 1, 101); groupkin.read keeps a file's")
    kind = "of one length" if step is not None else "implicit" if method == "implicit" else "explicit"
    if method in ("auto", kind):
        compile_ahead(kind)
    free = free_motion(mechanism, assemble)
    t = checked_request(free, times, rtol, atol)
    if step is not None:
        _require_step(free, method, step, float(t[-1] - t[0]))
        if rtol != RTOL or atol is not None:
            raise ArgumentError("steps of one length have no tolerances; leave out rtol and atol, or the step")
    free, y = _begun(free, start)
    free.require_mass(t[0], y[: len(free.free)])
    free.require_forces(t[0], y)
    ends = range_ends(free.motion_at(t[:1], y[:, None], near=True), ranges == "end") if ranges in TO_EVENTS else ()
    watched = checked_events([*events, *ends], free.program.mechanism)
    straight = on_singular == "continue"
    found = Found(t, np.zeros((y.size, t.size)), [(0, free)], watch=Watch(watched), straight=straight, atol=atol)
    found.values[:, 0] = y
    if checkpoint is not None:
        _require_kept(free, method)
        asked = digest(free, t, y, method, step, rtol, atol, watched, on_singular)
        found.checkpoint = opened(Path(checkpoint), asked, resume)
    try:
        run = integrate(found, method, rtol, progress, step or 0.0)
    except (SimulationError, KeyboardInterrupt) as error:
        error.motion = motion_of(found) if found.reached > 1 else None  # type: ignore[union-attr]
        if on_failure == "raise" or not isinstance(error, SimulationError) or error.motion is None:
            raise
        warnings.warn(f"{error}; the motion is NaN from there on", GroupkinWarning, stacklevel=3)
        motion = with_nothing_after(error.motion, t)
    else:
        if found.last is not None and found.last[0] == t[0]:
            require_way(found.watch.seen[-1].name, watched, free.program.mechanism)
        warn_of_energy(found, run)
        motion = motion_of(found)
    if ranges == "warn" and mechanism.has_ranges:
        for passed in unstopped(motion.outside, mechanism):
            remedy = 'see Motion.outside; ranges="end" ends a simulation there, and a Stop keeps a joint within'
            warnings.warn(f"{passed.text(mechanism)}; {remedy}", RangeWarning, stacklevel=4)
    return motion


def _begun(free: FreeMotion, start: Start | Motion | None) -> tuple[FreeMotion, Array]:
    """Begin at given values, or at the last state of a motion: the equations, and the state (2 f,).

    Raises
    ------
    UnknownNameError, ArgumentError
    """
    if not isinstance(start, Motion):
        return free, np.concatenate(starting_values(free, start))
    theirs, own = start.program.mechanism, free.program.mechanism
    if list(theirs.body) != list(own.body) or list(theirs.joint) != list(own.joint):
        raise ArgumentError(f"start is a motion of {theirs.name}, with other bodies or joints than {own.name}")
    solved = np.flatnonzero(start.solved)
    found = at_pose(free, free.freedoms, start.at(solved[-1:])) if solved.size else None
    if found is None:
        raise ArgumentError(
            f"start: {', '.join(free.names)} do not lead to the last pose of the motion; leave other drivers without a "
            "law, or give values"
        )
    return found


def _require_kept(free: FreeMotion, method: str) -> None:
    """Refuse methods whose state cannot be kept.

    Raises
    ------
    ArgumentError
    """
    used = OTHERS.get(method, method) if free.program.iterates else method
    if used in ("Radau", "BDF", "LSODA"):
        raise ArgumentError(
            f"method {used} keeps no checkpoint; those that do are explicit, implicit, DOP853, RK45, RK23"
        )


def _require_step(free: FreeMotion, method: str, step: float, span: float) -> None:
    """Refuse steps of one length where nothing takes them.

    Raises
    ------
    ArgumentError
    """
    if not span / MOST_STEPS <= step <= span:
        raise ArgumentError(
            f"step must be a time from {span / MOST_STEPS:.3g} s to that of the whole motion, {span:.6g} s, not "
            f"{shown(step)}"
        )
    if method not in ("auto", "explicit", "implicit"):
        raise ArgumentError(f'steps of one length are those of method "explicit" or "implicit", not {method!r}')
    if free.program.iterates:
        raise ArgumentError(
            "steps of one length need closed forms, but Newton's method solves groups here; leave out the step, or "
            "take free coordinates with which all groups have closed forms (groupkin transform)"
        )


def checked_request(free: FreeMotion, times: ArrayLike, rtol: float, atol: float | None) -> Array:
    """Check times, which are returned as an array, tolerances, and laws at these times.

    Raises
    ------
    TimesError, ArgumentError, LawError
    """
    t = np.atleast_1d(floats(times))
    if t.ndim != 1 or t.size < 2 or not np.isfinite(t).all() or not (np.diff(t) > 0).all():
        raise TimesError(
            f"a simulation needs at least two times that increase, in s, such as np.linspace(0.0, 1.0, 1001), not "
            f"{shown(times)}"
        )
    if not TIGHTEST_RTOL <= rtol <= LOOSEST or (atol is not None and not 0.0 < atol <= LARGEST):
        raise ArgumentError(
            f"rtol must be from {TIGHTEST_RTOL:g} to {LOOSEST:g}, and atol positive, not {rtol:g} and {atol}"
        )
    _require_laws(free, t)
    return t


def _require_laws(free: FreeMotion, t: Array) -> None:
    """Refuse times that a law of a driver or force does not cover.

    Raises
    ------
    LawError
    """
    for driven, law in zip(free.program.drivers, free.laws, strict=True):
        if law is not None:
            law.labeled(f"driver of joint {driven.joint!r}").at(t[[0, -1]])
    for load in free.program.mechanism.forces:
        law = getattr(load, "law", None)
        if law is not None:
            law.labeled(f"law of force {load.name!r}").at(t[[0, -1]])
