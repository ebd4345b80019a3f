"""Closed forms as expressions: their own Python, run with numbers that remember how they were computed.

They are traced where nothing is compiled. Sines and roots of `math` are those of the numbers then.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Callable
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from groupkin.kinematics.solver import solve
from sglibrary.catalog import GROUPS
from sglibrary.chain import Solver
from sglibrary.traced import Trace, Traced
from tests.sglibrary.test_catalog import ALL, draw
from tests.support.random_mechanisms import JIT

Array = NDArray[np.float64]

pytestmark = [
    pytest.mark.complete,
    pytest.mark.skipif(JIT, reason="compiled code takes plain numbers"),
    pytest.mark.filterwarnings("ignore:.*passes a singular position"),  # cases that are drawn and not taken
]

TIMES = np.linspace(0.0, 1.0, 3)
METHODS = {"sqrt": "sqrt", "fabs": "__abs__", "sin": "sin", "cos": "cos", "atan2": "arctan2"}
"""Functions of `math`, and the methods of traced numbers that compute them."""


def lifted(name: str, method: str) -> Callable[..., Any]:
    """A function of `math` for traced numbers too."""
    plain = getattr(math, name)
    return lambda x, *more: getattr(x, method)(*more) if isinstance(x, Traced) else plain(x, *more)


@pytest.fixture
def traceable(monkeypatch: pytest.MonkeyPatch) -> None:
    """The library with a `math` that traced numbers go through."""
    names = {name: getattr(math, name) for name in dir(math) if not name.startswith("_")}
    other = SimpleNamespace(**names | {name: lifted(name, method) for name, method in METHODS.items()})
    for name, module in list(sys.modules.items()):
        if name.startswith("sglibrary") and name != "sglibrary.traced" and getattr(module, "math", None) is math:
            monkeypatch.setattr(module, "math", other)


def states(solver: Solver, seed: int) -> tuple[Any, list[Array], list[Array]]:
    """A call of the solver, and the whole state (rows of q, v and a, n) before it and after it."""
    case = draw(solver, seed, times=TIMES)
    call = next(each for each in case.program.calls if each.group == case.group + 1)
    seen: list[Array] = []

    def watched(*arguments: Any) -> None:
        steps = arguments[-1]
        seen.append(np.concatenate([x[:, :steps] for x in arguments[:3]]))
        call.kernel(*arguments)
        seen.append(np.concatenate([x[:, :steps] for x in arguments[:3]]))

    calls = tuple(replace(each, kernel=watched) if each is call else each for each in case.program.calls)
    solve(replace(case.program, calls=calls), TIMES)
    return call, seen[::2], seen[1::2]


@pytest.mark.usefixtures("traceable")
@pytest.mark.parametrize("seed", [0, 1, 2])
@pytest.mark.parametrize("solver", ALL)
def test_a_trace_computes_the_bits_of_the_form(solver: Solver, seed: int) -> None:
    call, before, after = states(solver, seed)
    trace, rows = Trace(), len(before[0])
    traced = np.array([[trace.input(k, x)] for k, x in enumerate(before[0][:, 0])], object)
    state = np.split(traced, 3)
    call.kernel(*state, np.zeros(8), call.rows, call.constants, np.zeros(1, np.uint8), np.empty(1, object), 1)
    nodes = trace.nodes(np.concatenate(state)[:, 0])
    table, places = trace.table(rows)
    for start, end in zip(before, after, strict=True):
        computed = table.work(start)[places[nodes]]
        written = np.isfinite(end)
        assert np.array_equal(computed[written], end[written])
        assert not np.array_equal(start, end)


def test_all_forms_are_traced() -> None:
    assert len(ALL) == len(GROUPS) == 57
