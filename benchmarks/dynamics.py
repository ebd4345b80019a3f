"""Motion under forces: Andrews' squeezer against its reference, one evaluation of its equations, a stiff four-bar.

python benchmarks/dynamics.py

All in one process, warm, the least of some runs; scipy's methods are beside the compiled ones, with the same compiled
equations. Times are those of the whole call of `gk.simulate`, in CPU time of the thread: other work on the machine
counts less.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numba
import numpy as np
from timing import least_of

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import groupkin as gk
from groupkin.dynamics.simulation.free_motion import starting_values
from groupkin.dynamics.simulation.simulation import free_motion
from sglibrary.convention import OPTIONS
from sglibrary.dynamics.equations import accelerations
from tests.support.mechanisms import crank_rocker
from tests.support.squeezer import ANGLE, AT_LAST, BETA, squeezer

RUNS = 15
STIFF_RATE = 1e7
"""At which the oil of the stiff four-bar slows it down, 1/s."""


def squeezers() -> None:
    """Error of the crank's angle at 0.03 s, after 15.8 rad."""
    print(f"{'squeezer':<12} {'rtol':>8} {'error, rad':>12} {'ms':>9}")
    mechanism = squeezer()
    cases = [("auto", rtol) for rtol in (1e-8, 1e-9, 1e-10, 5e-11, 1e-12)]
    cases += [("implicit", 1e-8), ("DOP853", 1e-8), ("DOP853", 1e-10), ("DOP853", 1e-12), ("Radau", 1e-8)]
    for method, rtol in cases:
        call: Any = partial(gk.simulate, mechanism, [0.0, AT_LAST], method=method, rtol=rtol)
        error = call().driver(0)[0, -1] + BETA - ANGLE
        print(f"{method:<12} {rtol:>8g} {error:>12.1e} {1e3 * least_of(call, RUNS if method == 'auto' else 2):>9.2f}")


@numba.njit(**OPTIONS)  # type: ignore[untyped-decorator]
def repeated(problem: Any, room: Any, times: Any, y: Any, out: Any, count: int) -> None:
    for _ in range(count):
        accelerations(problem, room, times, y, out)


def evaluations() -> None:
    """One evaluation of the equations of the squeezer."""
    print(f"\n{'lanes':<12} {'ns per lane':>12}")
    free = free_motion(squeezer())
    z = starting_values(free, None)[0]
    for lanes in (1, 8, 128):
        y = np.ones((2, lanes))
        y[0] = z[0] + np.linspace(0.0, 0.3, lanes)
        every = (free.problem, free.room(lanes), np.zeros(lanes), y, np.empty((2, lanes)))
        repeated(*every, 1)
        count = 4000 // lanes + 100
        print(f"{lanes:<12} {1e9 * least_of(partial(repeated, *every, count), RUNS) / count / lanes:>12.0f}")


def stiff() -> None:
    """A four-bar whose crank a spring and oil hold, for 0.5 s; against the implicit method at its tightest."""
    links = ("crank", "coupler", "rocker")
    bodies = ["ground", *(gk.Body(name, mass=1.0, center="middle", inertia=0.1) for name in links)]
    bare = replace(crank_rocker(), drivers=[gk.Driver("A")], bodies=bodies)
    free = free_motion(bare)
    mass = float(free.equations(0.0, starting_values(free, None)[0], np.zeros(1))[0][0, 0])
    oil = gk.JointSpring("oil", "A", stiffness=2 * STIFF_RATE * mass, position=1.0, damping=STIFF_RATE * mass)
    mechanism = replace(bare, gravity=(0.0, -9.81), forces=[oil])
    reference = gk.simulate(mechanism, [0.0, 0.5], method="implicit", rtol=1e-12).driver(0)[0, -1]
    print(f"\n{'stiff':<12} {'rtol':>8} {'error, rad':>12} {'ms':>9}")
    cases = [("auto", 1e-6), ("auto", 1e-8), ("implicit", 1e-6), ("implicit", 1e-8), ("LSODA", 1e-8), ("Radau", 1e-8)]
    for method, rtol in cases:
        call: Any = partial(gk.simulate, mechanism, [0.0, 0.5], method=method, rtol=rtol)
        error = call().driver(0)[0, -1] - reference
        runs = 2 if method in ("LSODA", "Radau") else RUNS
        print(f"{method:<12} {rtol:>8g} {error:>12.1e} {1e3 * least_of(call, runs):>9.2f}")


if __name__ == "__main__":
    squeezers()
    evaluations()
    stiff()
