"""What may come of one input: a result that closes, or an error of the project, within seconds."""

from __future__ import annotations

import io
import signal
import time
import traceback
import warnings
from collections.abc import Callable, Iterator
from contextlib import redirect_stderr, redirect_stdout, suppress
from random import Random
from typing import Any, NamedTuple

import numpy as np
from numba.core import event

import groupkin as gk
from groupkin.errors import GroupkinError, GroupkinWarning

HANG = 20
"""Seconds that an input may take, compilation aside."""

PATIENCE = 6
"""Times as many seconds of the clock, as a process may sleep or share its core."""

SIGNALS = (signal.SIGPROF, signal.SIGALRM)

EPS = float(np.finfo(float).eps)


class Pass(NamedTuple):
    """One thing that is done with an input.

    Attributes
    ----------
    name : str
        What its outcomes are counted as.
    what : str
        The input in words.
    run : callable
    kept : bytes
        Content of a file by which the input can be repeated.
    """

    name: str
    what: str
    run: Callable[[], object]
    kept: bytes = b""


Maker = Callable[[Random, int], Iterator[Pass]]
"""From random numbers and the number of an input to what is done with it; each pass is run before the next is asked."""


class Hang(BaseException):
    """An input took too long."""


class Compilation(event.Listener):
    """How long kernels have been compiled in this process, s of the process and of the clock."""

    def __init__(self) -> None:
        self.depth, self.began, self.taken = 0, np.zeros(2), np.zeros(2)

    def on_start(self, _: Any) -> None:
        self.began = self.began if self.depth else _now()
        self.depth += 1

    def on_end(self, _: Any) -> None:
        self.depth -= 1
        self.taken = self.taken if self.depth else self.taken + _now() - self.began

    def so_far(self) -> Any:
        return self.taken + (_now() - self.began if self.depth else 0.0)


def _now() -> Any:
    return np.array([time.process_time(), time.monotonic()])


compilation = Compilation()
event.register("numba:compiler_lock", compilation)


def outcome(run: Callable[[], Any]) -> str:
    """Run one input; returns "ok", "refused", or in several lines what must not be."""
    began = _now() - compilation.so_far()

    def ring(*_: object) -> None:
        left = np.array([HANG, PATIENCE * HANG]) - (_now() - compilation.so_far() - began)
        if left.min() <= 0.0:
            raise Hang
        _limit(left[0])

    before = [signal.signal(number, ring) for number in SIGNALS]
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
        with suppress(Hang):  # which may come too late
            _limit(0)
        _limit(0)
        for number, handler in zip(SIGNALS, before, strict=True):
            signal.signal(number, handler)
    return "ok"


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
