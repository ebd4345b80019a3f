"""What may come of one input: a result that closes, or an error of the project, within seconds."""

from __future__ import annotations

import io
import signal
import traceback
import warnings
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from typing import Any

import numpy as np
from numba.core.compiler_lock import global_compiler_lock

import groupkin as gk
from groupkin.errors import GroupkinError, GroupkinWarning

HANG = 20
"""Seconds that an input may take, compilation aside."""

PATIENCE = 6

SIGNALS = (signal.SIGPROF, signal.SIGALRM)

EPS = float(np.finfo(float).eps)


class Hang(BaseException):
    """An input took too long."""


def outcome(run: Callable[[], Any]) -> str:
    """Run one input; returns "ok", "refused", or in several lines what must not be."""
    before = [signal.signal(number, _ring) for number in SIGNALS]
    _limit(HANG)
    try:
        with warnings.catch_warnings(), redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
            warnings.simplefilter("error")
            warnings.simplefilter("ignore", GroupkinWarning)
            run()
    except GroupkinError as error:
        text = str(error)
        lines = all(line.isprintable() for line in text.split("\n"))
        return "refused" if text and lines and len(text) < 6000 else f"MESSAGE {text[:300]!r}"
    except Hang:
        return f"HANG over {HANG} s\n{traceback.format_exc(limit=-12)}"
    except BaseException as error:  # a panic of a library is no Exception
        return f"{type(error).__name__}\n{traceback.format_exc(limit=-8)}"
    finally:
        _limit(0)
        for number, handler in zip(SIGNALS, before, strict=True):
            signal.signal(number, handler)
    return "ok"


def _ring(*_: object) -> None:
    if not global_compiler_lock.is_locked():
        raise Hang
    _limit(HANG)  # kernels that are compiled the first time may take long


def _limit(seconds: float) -> None:
    """Ring after seconds of this process, and after `PATIENCE` times as many if it sleeps or shares its core."""
    signal.setitimer(signal.ITIMER_PROF, seconds)
    signal.setitimer(signal.ITIMER_REAL, PATIENCE * seconds)


def require_closed(motion: gk.Motion) -> None:
    """Raise an error for steps that are called solved but are NaN or do not close."""
    solved, program = motion.solved, motion.program
    if not solved.any():
        return
    for name in ("q", "v", "a"):
        if not np.isfinite(getattr(motion, name)[:, solved]).all():
            raise AssertionError(f"{name} is not finite at steps that are called solved")
    largest = max((float(np.abs(motion.position(body)[solved]).max()) for body in program.mechanism.movable), default=0)
    allowed = 1e-9 + 8 * EPS * largest / program.geometry.size
    residual = gk.max_residual(motion)
    if not residual <= allowed:
        raise AssertionError(f"a residual of {residual:.3g} is called solved; allowed is {allowed:.3g}")


def require_finite(forces: gk.Forces) -> None:
    """Raise an error where forces of solved steps are no numbers."""
    for values in (*forces.drivers.values(), *forces.reactions.values()):
        if not np.isfinite(values[..., forces.motion.solved]).all():
            raise AssertionError("forces of solved steps are not finite")
