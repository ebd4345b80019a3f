"""Motion under forces by groups against an integration in absolute coordinates."""

from __future__ import annotations

import time
import warnings

import numpy as np
from numpy.typing import NDArray

import groupkin as gk
from groupkin.errors import GroupkinError, MassError, SimulationError
from tests.oracles.outcome import Outcome
from tests.support import dae

Array = NDArray[np.float64]

RTOL = 1e-11
"""Relative tolerance of both integrations."""

FINER = (1e-12, 1e-13)
"""Tolerances with which a simulation must agree where it does not by `RTOL`."""

ALLOWED = 1e-8
"""Difference of positions, in sizes, and of rotations that is none; or ten times what a finer tolerance changes."""

PATIENCE = 60.0
"""CPU time (s) of one simulation."""

FULL = 1e-3
"""Smallest over largest singular value of all equations from which on their rank is full beyond doubt."""

SPREAD = 1e-3
"""Change by a ten times finer tolerance, relative to the size, from which on a motion is too sensitive to compare."""

ENDS = {
    "end of its table": "a table ends",
    "comes to a quarter turn": "a quarter turn",
    "but those of cams": "cams alone could lead on",
}
"""Why a simulation ends where the oracle goes on, by what its message says."""


def compare(mechanism: gk.Mechanism, start: dict[str, tuple[float, float]], times: Array) -> Outcome:
    """Simulate in both ways, and compare all poses at some times."""
    began = time.process_time()

    def patient(reached: float) -> None:
        if time.process_time() - began > PATIENCE:
            raise TimeoutError(f"t = {reached:.3g} s")

    try:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", ".*may lack whole turns")  # poses have none
            motion = gk.simulate(mechanism, times, start, rtol=RTOL, progress=patient)
        refusal = None
    except TimeoutError as error:
        return Outcome("takes too long", 0.0, str(error))
    except MassError:
        return Outcome("no mass moves")
    except SimulationError as error:
        motion, refusal = error.motion, error
    except GroupkinError as error:
        return Outcome("refused", 0.0, f"{type(error).__name__}: {error}")
    path = _path(mechanism, times, start, RTOL)
    count = len(path.times) if motion is None else min(len(path.times), motion.times.size)
    found = Outcome("agree") if motion is None or count < 2 else _compared(mechanism, start, times, motion, path)
    if found.kind != "agree":
        return found
    size = found.size
    if refusal is None:
        return Outcome("agree", size) if len(path.times) == len(times) else Outcome("oracle stopped", size)
    ended = next((kind for text, kind in ENDS.items() if text in str(refusal)), None)
    if ended is not None:
        return Outcome(ended, size)
    stopped = 0.0 if motion is None else float(motion.times[-1])
    near = [value for time, value in path.at if stopped - 0.05 <= time <= stopped + 2 * float(times[1] - times[0])]
    if len(path.times) > count and min(near, default=0.0) > FULL:
        return Outcome("stopped", float(min(near)), f"{refusal} (smallest singular value {min(near):.2g})")
    return Outcome("both stopped", size, str(refusal))


def _compared(
    mechanism: gk.Mechanism, start: dict[str, tuple[float, float]], times: Array, motion: gk.Motion, path: dae.Path
) -> Outcome:
    """Compare the poses of both, and those by finer tolerances where they differ."""
    count = min(len(path.times), motion.times.size)
    gaps = differences(mechanism, path, motion, count)
    if (gaps <= ALLOWED).all():
        return Outcome("agree", float(gaps.max() / ALLOWED))
    finer = _path(mechanism, times, start, 0.1 * RTOL)
    count = min(count, len(finer.times))
    gaps = gaps[:count]
    spread = between(path, finer, motion.program.geometry.size, count)
    bound = np.maximum(ALLOWED, 10.0 * np.maximum.accumulate(spread))
    worst = int(np.argmax(gaps / bound))
    size = float(gaps[worst] / bound[worst])
    if size <= 1.0:
        return Outcome("too sensitive" if spread.max() > SPREAD else "agree", size)
    if any(_agrees(mechanism, start, times[:count], rtol, path, bound) for rtol in FINER):
        return Outcome("agree by finer tolerances", size)
    where = f"at t = {times[worst]:.3g} s, smallest singular value {path.smallest:.2g}"
    return Outcome("different", size, f"{gaps[worst]:.2g} {where}")


def _agrees(
    mechanism: gk.Mechanism,
    start: dict[str, tuple[float, float]],
    times: Array,
    rtol: float,
    path: dae.Path,
    bound: Array,
) -> bool:
    """Whether a finer tolerance agrees: kinks of curves and of friction are hidden from estimates of errors."""
    try:
        motion = gk.simulate(mechanism, times, start, rtol=rtol)
    except GroupkinError:
        return False
    return bool((differences(mechanism, path, motion, times.size) <= bound).all())


def _path(mechanism: gk.Mechanism, times: Array, start: dict[str, tuple[float, float]], rtol: float) -> dae.Path:
    try:
        return dae.integrate(mechanism, times, start, rtol)
    except dae.LostError as error:
        if error.path is None:
            raise
        return error.path


def differences(mechanism: gk.Mechanism, path: dae.Path, motion: gk.Motion, count: int) -> Array:
    """Largest differences (count,) of positions, in sizes, and of rotations of all bodies."""
    size, d = motion.program.geometry.size, mechanism.dimension
    found = np.zeros(count)
    for k, body in enumerate(mechanism.movable):
        origin = np.zeros(3)
        origin[:d] = motion.program.geometry.origins[body]
        turns = np.array(path.rotations[:count])[:, k]
        at = np.array(path.places[:count])[:, k] + turns @ origin
        found = np.maximum(found, np.abs(at[:, :d] - motion.position(body)[:count]).max(axis=1) / size)
        found = np.maximum(found, np.abs(turns[:, :d, :d] - motion.rotation(body)[:count]).max(axis=(1, 2)))
    return np.where(np.isfinite(found), found, np.inf)


def between(one: dae.Path, other: dae.Path, size: float, count: int) -> Array:
    """The same between two paths."""
    found = np.zeros(count)
    for name, unit in (("places", size), ("rotations", 1.0)):
        apart = np.array(getattr(one, name)[:count]) - np.array(getattr(other, name)[:count])
        found = np.maximum(found, np.abs(apart).reshape(count, -1).max(axis=1, initial=0.0) / unit)
    return found
