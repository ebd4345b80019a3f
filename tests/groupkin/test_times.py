"""A number of steps is not taken for a time by any function that takes times."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import cluster
import groupkin as gk
import routes
from groupkin.errors import TimesError

CRANK = gk.Mechanism(
    2,
    ["frame", gk.Body("crank", mass=1.0, center=(1.0, 0.0))],
    [gk.Joint("A", "R", ("frame", "crank"), point=(0.0, 0.0))],
    [gk.Driver("A", gk.Ramp(1.0))],
)
FREE = replace(CRANK, drivers=[gk.Driver("A")])

TAKES: dict[str, Callable[[Any], Any]] = {
    "groupkin.solve": lambda times: gk.solve(CRANK, times),
    "groupkin.solve_globally": lambda times: gk.solve_globally(CRANK, times),
    "groupkin.inverse_dynamics": lambda times: gk.inverse_dynamics(CRANK, times),
    "groupkin.counterweights": lambda times: gk.counterweights(CRANK, {"crank": 0.1}, times),
    "groupkin.simulate": lambda times: gk.simulate(FREE, times),
    "groupkin.simulate_many": lambda times: gk.simulate_many(FREE, times, {"A": [0.0]}),
    "groupkin.Design.solve": lambda times: gk.design(CRANK, ["rate A"]).solve([1.0], times),
    "groupkin.Design.tolerance": lambda times: gk.design(CRANK, ["rate A"]).tolerance([1.0], times, keep=["A"]),
    "routes.solve": lambda times: routes.solve(CRANK, times),
    "routes.inverse_dynamics": lambda times: routes.inverse_dynamics(CRANK, times),
    "cluster.sweep": lambda times: cluster.sweep(CRANK, [], times, []),
}
"""Every public function and method that takes times as anything like an array."""


def taking_times() -> set[str]:
    found = set()
    for package in (gk, routes, cluster):
        for name in package.__all__:
            whole = getattr(package, name)
            functions = {name: whole} if inspect.isfunction(whole) else {}
            if name == "Design":
                functions = {f"{name}.{key}": value for key, value in inspect.getmembers(whole, inspect.isfunction)}
            for key, function in functions.items():
                annotation = str(inspect.signature(function).parameters.get("times", ""))
                found |= {f"{package.__name__}.{key}"} if "ArrayLike" in annotation else set()
    return found


def test_all_functions_that_take_times_are_tried() -> None:
    assert taking_times() == set(TAKES)


@pytest.mark.parametrize("name", list(TAKES))
@pytest.mark.parametrize("steps", [1001, 1, np.int64(1001), np.array(1001)], ids=["int", "one", "numpy", "0-d"])
def test_a_number_of_steps_is_refused_with_the_remedy(name: str, steps: object) -> None:
    remedy = "sequence of at least one" if name == "groupkin.solve_globally" else r"np\.linspace\(0\.0, 1\.0, \d+\)"
    with pytest.raises(TimesError, match=remedy):
        TAKES[name](steps)


@pytest.mark.parametrize("time", [0, 0.0, 2.0, [1001], (3,)])
def test_one_time_is_still_one_time(time: object) -> None:
    motion = gk.solve(CRANK, time)  # type: ignore[arg-type]
    np.testing.assert_allclose(
        motion.rotation("crank")[0, :, 0], [np.cos(time).item(), np.sin(time).item()], atol=1e-12
    )
