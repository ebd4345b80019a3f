"""Forces of actuators by formulas, against linear algebra and the general way."""

from __future__ import annotations

import numpy as np
import pytest

import groupkin as gk
from groupkin.dynamics.reactions import carrier
from groupkin.dynamics.reactions.freedom_wrenches import eliminated
from groupkin.errors import LoadError
from sglibrary.code.graph import Graph
from sglibrary.code.kernel import gathered, kernel_of
from tests.support.examples import described
from tests.support.loaded import loaded

CASES = {
    "stewart_inverse": [f"leg_{k}" for k in range(1, 7)],
    "four_bar": ["D"],
    "slider_crank": ["cylinder"],
    "spatial_four_bar": ["bore.angle"],
    "planar_3rrr": ["E1", "E2", "M3"],
}
"""Joints that push instead of the drivers."""


@pytest.mark.parametrize("size", [1, 2, 4, 6])
def test_elimination_with_pivots(size: int) -> None:
    """Of any matrix, one with zeros on its diagonal included."""
    rng, n = np.random.default_rng(size), 24
    matrix, right = rng.normal(size=(n, size, size)), rng.normal(size=(n, size))
    if size > 1:
        matrix[: n // 2, np.arange(size), np.arange(size)] = 0.0
    graph, width = Graph(), size * (size + 1)
    table = [[graph.value("q", i * (size + 1) + k, 0) for k in range(size + 1)] for i in range(size)]
    found, ratio = eliminated(graph, table, 1e-9)
    code = gathered(graph.text([(x, f"q {width + k} 0") for k, x in enumerate([*found, ratio])]))
    q = np.zeros((width + size + 1, n))
    q[:width] = np.concatenate([matrix, right[:, :, None]], axis=2).reshape(n, width).T
    rows = np.array([row for _, row in code.rows])
    kernel_of(code.text)(q, q, q, np.zeros(0), rows, np.array(code.constants), np.zeros(n, np.uint8), np.zeros(n), n)
    expected = np.linalg.solve(matrix, right[:, :, None])[:, :, 0].T
    bound = 1e-14 * np.linalg.cond(matrix) * np.abs(expected).max(axis=0)
    assert (np.abs(q[width:-1] - expected) <= bound).all()
    assert ((q[-1] > 0) & (q[-1] <= 1)).all()


@pytest.mark.parametrize("name", list(CASES))
def test_formulas_say_what_the_general_way_says(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    file = described(name)
    motion = gk.solve(loaded(file.mechanism), np.linspace(0.1, 0.9 * file.motion.duration, 9))
    found = gk.inverse_dynamics(motion, actuators=CASES[name])
    monkeypatch.setattr(carrier, "have_formulas", lambda *_: False)
    expected = gk.inverse_dynamics(motion, actuators=CASES[name])
    for each, of_each in ((found.drivers, expected.drivers), (found.reactions, expected.reactions)):
        largest = max(np.abs(x).max() for x in of_each.values())
        for key, values in of_each.items():
            assert np.abs(each[key] - values).max() <= 1e-11 * largest, key


def test_actuators_that_stand_still_where_the_mechanism_moves_are_named() -> None:
    """A crank in its dead center cannot be turned by the slide."""
    joints = [
        gk.Joint("main", "R", ("block", "crank"), point=(0.0, 0.0)),
        gk.Joint("big end", "R", ("crank", "rod"), point=(0.1, 0.0)),
        gk.Joint("pin", "R", ("rod", "piston"), point=(0.5, 0.0)),
        gk.Joint("bore", "P", ("block", "piston"), point=(0.5, 0.0), axis=(1.0, 0.0)),
    ]
    crank = gk.Body("crank", mass=1.0, center=(0.05, 0.0))
    still = gk.Mechanism(
        2,
        ["block", crank, "rod", "piston"],
        joints,
        [gk.Driver("main", gk.Ramp(rate=1.0))],
        gravity=(0.0, -9.81),
    )
    assert np.isfinite(gk.inverse_dynamics(still, [0.5], actuators=["bore"]).driver("bore")).all()
    for time in (0.0, 1e-14):  # where the slide moves by rounding errors of the crank alone
        with pytest.raises(LoadError, match=f"cannot carry the load at t = {time:g} s"):
            gk.inverse_dynamics(still, [0.5, time], actuators=["bore"])
