"""A mechanism that is only its frame: all functions work, or say that there is nothing."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import groupkin as gk
from groupkin.errors import OutputError, SimulationError

TIMES = np.array([0.0, 1.0])
POINTS: dict[int, dict[str, tuple[float, ...]]] = {2: {}, 3: {"P": (1.0, 2.0, 3.0)}}

WORKS: dict[str, Callable[[gk.Mechanism, Path], Any]] = {
    "analyze": lambda still, _: gk.analyze(still),
    "repr": lambda still, _: (repr(still), repr(gk.solve(still, TIMES))),
    "solve": lambda still, _: gk.solve(still, TIMES).position(still.frame),
    "evaluate": lambda still, _: gk.program(still).evaluate([]),
    "globally": lambda still, _: gk.solve_globally(still, TIMES),
    "save": lambda still, folder: gk.solve(still, TIMES).save(folder / "motion.csv"),
    "to_xarray": lambda still, _: gk.solve(still, TIMES).to_xarray(),
    "forces": lambda still, _: gk.inverse_dynamics(still, TIMES).to_xarray(),
    "modes": lambda still, _: gk.assembly_modes(still),
    "transform": lambda still, _: gk.transform(still),
    "report": lambda still, folder: gk.report(still, folder / "report.html"),
    "report of a motion": lambda still, folder: gk.report(gk.solve(still, TIMES), folder / "report.html"),
    "in a notebook": lambda still, _: still._repr_html_(),
    "motion in a notebook": lambda still, _: gk.solve(still, TIMES)._repr_html_(),
}

NOTHING: dict[str, Callable[[gk.Mechanism, Path], Any]] = {
    "draw": lambda still, folder: gk.draw(still, folder / "picture.svg"),
    "graph": lambda still, folder: gk.draw(still, folder / "picture.svg", "graph"),
    "diagram": lambda still, folder: gk.draw(still, folder / "picture.svg", "diagram"),
    "draw a motion": lambda still, folder: gk.draw(gk.solve(still, TIMES), folder / "picture.svg", time=0.5),
    "page": lambda still, folder: gk.animate(still, folder / "page.html"),
    "film": lambda still, folder: gk.animate(still, folder / "film.gif"),
    "page of forces": lambda still, folder: gk.animate(gk.inverse_dynamics(still, TIMES), folder / "page.html"),
    "simulate": lambda still, _: gk.simulate(still, TIMES),
    "equilibrium": lambda still, _: gk.equilibrium(still),
}


def still(dimension: int) -> gk.Mechanism:
    return gk.Mechanism(dimension, [gk.Body("frame", points=list(POINTS[dimension]))], [], points=POINTS[dimension])


@pytest.mark.parametrize("dimension", [2, 3])
@pytest.mark.parametrize("what", list(WORKS))
def test_what_works(what: str, dimension: int, tmp_path: Path) -> None:
    WORKS[what](still(dimension), tmp_path)


@pytest.mark.parametrize("dimension", [2, 3])
@pytest.mark.parametrize("what", list(NOTHING))
def test_what_needs_bodies_says_so(what: str, dimension: int, tmp_path: Path) -> None:
    with pytest.raises((OutputError, SimulationError), match="mechanism has no body besides the frame 'frame'"):
        NOTHING[what](still(dimension), tmp_path)
