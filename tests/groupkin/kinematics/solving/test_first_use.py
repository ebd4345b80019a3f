"""The second process that compiles what programs, simulations and fits share."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import IO, Any, cast
from unittest import mock

import numpy as np
import pytest
from numba.core import config

import groupkin as gk
from groupkin.child_processes import python_command
from groupkin.dynamics.simulation import shared_steps
from groupkin.kinematics.program import first_use
from groupkin.kinematics.program.program import Call
from groupkin.kinematics.solving.shared_loops import STEPS, signature
from groupkin.kinematics.solving.tracking import track
from sglibrary import kernel_cache
from sglibrary.iterative.knot_loop import advance
from sglibrary.run.motion_loop import solve_steps
from sglibrary.written_out import made_of
from tests.support.paths import ROOT

pytestmark = pytest.mark.skipif(bool(config.DISABLE_JIT), reason="nothing is compiled")

LOGGED = """
import logging, sys
import numpy as np
import groupkin as gk

logging.basicConfig(level=logging.INFO, stream=sys.stdout, format="%(message)s")
"""
SOLVED = """
gk.solve(gk.load("examples/planar_3rrr.toml"), np.linspace(0.0, 0.1, 30))
"""
SIMULATED = """
from dataclasses import replace
four_bar = gk.load("examples/four_bar.toml")
bodies = [replace(four_bar.body[each], mass=1.0, center=(0.1, 0.1), inertia=0.01) for each in four_bar.movable]
joint = gk.Driver(four_bar.drivers[0].joint)
free = replace(four_bar, bodies=[four_bar.frame, *bodies], drivers=[joint], gravity=(0.0, -9.81))
gk.simulate(free, np.linspace(0.0, 0.1, 30))
"""
FITTED = """
four_bar = gk.load("examples/four_bar.toml")
gk.fit(gk.design(four_bar, ["P"]), {"position P": [(0.1, 0.21), (0.06, 0.21)]}, at=[0.0, 0.1], starts=1)
"""


@cache
def rotor() -> Sequence[Call]:
    """Calls of a program with iterated groups and closed forms."""
    return gk.program(gk.load(ROOT / "examples" / "rotor_control.toml")).calls


class Started:
    """A process that is started, and what it is given."""

    def __init__(self, command: list[str], stdin: int, stdout: IO[bytes], **_: Any):
        self.command, self.stdout, self.stdin, self.given = command, stdout, mock.MagicMock(), []
        self.stdin.write = lambda line: self.given.append(json.loads(line))
        self.ends: list[int | None] = []

    def poll(self) -> int | None:
        return self.ends.pop(0) if self.ends else None

    def told(self, text: str) -> None:
        self.stdout.write(text.encode())
        self.stdout.flush()

    def given_at_last(self, count: int) -> list[Any]:
        while len(self.given) < count:
            time.sleep(0.005)
        return self.given

    terminate = wait = lambda self: None


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Started]]:
    """Processes that are started, as on a machine with two processors where nothing was compiled."""
    rotor()
    processes: list[Started] = []

    def start(*given: Any, **named: Any) -> Started:
        processes.append(Started(*given, **named))
        return processes[-1]

    monkeypatch.setattr(first_use, "_running", [])
    monkeypatch.setattr(first_use, "_given", set())
    monkeypatch.setattr(first_use, "is_kept", lambda _: False)
    for name in ("advance", "solve_steps"):
        monkeypatch.setattr(first_use, name, mock.Mock(signatures=[]))
    monkeypatch.setattr(first_use, "processors", lambda: 2)
    monkeypatch.setattr(first_use, "IDLE", 0.1)
    monkeypatch.setattr(kernel_cache, "ON_MISSING", [])
    ends: list[Callable[[], None]] = []
    monkeypatch.setattr(first_use.atexit, "register", lambda end, second: ends.append(partial(end, second)))
    monkeypatch.setattr(subprocess, "Popen", start)
    monkeypatch.delitem(sys.modules, "mpi4py.MPI", raising=False)
    monkeypatch.delenv(first_use.NO_MORE, raising=False)
    yield processes
    for end in ends:
        end()


@pytest.mark.parametrize("name", ["stewart_forward", "rotor_control"])
def test_it_compiles_what_programs_need(name: str) -> None:
    program, times = gk.program(gk.load(ROOT / "examples" / f"{name}.toml")), np.linspace(0.0, 0.1, 30)
    times.flags.writeable = False
    gk.solve(program, times)
    track(program, times, True)
    assert advance.signatures == [signature()]
    assert solve_steps.signatures == [STEPS]


@pytest.mark.parametrize("kind", shared_steps.ADVANCE)
def test_it_compiles_what_simulations_need(kind: str) -> None:
    """With forces of several kinds, driven, and in space."""
    swinging = gk.load(ROOT / "examples" / "stewart_inverse.toml")
    bodies = [replace(body, mass=1.0, center=(0.1, 0.0, 0.5), inertia=np.eye(3)) for body in swinging.bodies[1:]]
    free = replace(
        swinging,
        bodies=[swinging.bodies[0], *bodies],
        drivers=[replace(driver, law=None) if k < 2 else driver for k, driver in enumerate(swinging.drivers)],
        forces=[gk.JointSpring("spring", "pose", freedom="x", stiffness=1e4)],
        gravity=(0.0, 0.0, -9.81),
    )
    times = np.linspace(0.0, 0.002, 3)
    if kind == "of many":
        gk.simulate_many(free, times, {"pose.x": np.array([0.0, 0.001]), "pose.y": np.zeros(2)})
    elif kind == "of one length":
        gk.simulate(free, times, step=0.001)
    else:
        gk.simulate(free, times, method=cast(Any, kind))
    assert shared_steps.ADVANCE[kind].signatures == [shared_steps.signature(kind)]


def test_it_starts_once(started: list[Started]) -> None:
    calls = rotor()
    first_use.begin(calls)
    first_use.begin(calls)
    kernels = first_use.in_order(calls)
    [process] = started
    assert process.command == python_command("groupkin.kinematics.program.first_use")
    steps, knots, *others = process.given_at_last(2 + len(kernels))
    assert [steps[-1], knots[-1]] == ["compile_steps", "compile_knots"]
    assert {function for _, function, _ in others} == {"compile_kernel"}
    assert [made_of(*made) if len(made) == 5 else made[1] for *_, made in others] == [
        kernel if hasattr(kernel, "texts") else kernel.__name__ for kernel in kernels
    ]
    first = [call.kernel for call in calls if call.knot is not None]
    assert kernels[: len(first)] == first


def test_it_goes_on_while_it_is_given_more_and_ends_where_it_is_not(started: list[Started]) -> None:
    first_use.ahead(solve_never, ["module", "first"])
    first_use.ahead(solve_never, ["module", "second", 2])
    [process] = started
    assert process.given_at_last(2) == [["module", "first"], ["module", "second", 2]]
    while not process.stdin.__exit__.called:
        time.sleep(0.01)
    process.ends = [0]
    first_use.ahead(solve_never, ["module", "third"])
    assert len(started) == 2


def test_what_it_compiles_is_waited_for(started: list[Started]) -> None:
    first_use.ahead(solve_never, ["module", "first"])
    [process] = started
    process.told("+other\n-other\n+wanted\n")
    threading.Timer(0.2, process.told, ["-wanted\n"]).start()
    [wait] = kernel_cache.ON_MISSING
    began = time.perf_counter()
    wait("other")
    wait("never")
    assert time.perf_counter() - began < 0.2
    wait("wanted")
    assert time.perf_counter() - began >= 0.2
    process.told("+wanted\n")
    process.ends = [None, 1, 1]
    wait("wanted")  # nothing is to be waited for from a process that failed


solve_never = mock.Mock(signatures=[])
"""What was never compiled."""


def test_it_only_compiles_loops_that_are_needed(started: list[Started]) -> None:
    first_use.begin([call for call in rotor() if call.knot is None])
    [process] = started
    assert "compile_knots" not in {function for _, function, *_ in process.given_at_last(2)}


@pytest.mark.parametrize(("name", "found"), [("processors", lambda: 1), ("is_kept", lambda _: True)])
def test_it_does_not_start_where_it_helps_nobody(
    started: list[Started], monkeypatch: pytest.MonkeyPatch, name: str, found: Any
) -> None:
    monkeypatch.setattr(first_use, name, found)
    first_use.begin(rotor())
    assert not started


def test_what_is_compiled_needs_no_process(started: list[Started], monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("advance", "solve_steps"):
        monkeypatch.setattr(first_use, name, mock.Mock(signatures=[()]))
    first_use.begin(rotor())
    assert not started


def test_ranks_and_processes_that_compile_do_not_start_it(
    started: list[Started], monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setenv(first_use.NO_MORE, "1")
        first_use.begin(rotor())
    monkeypatch.setitem(sys.modules, "mpi4py.MPI", mock.Mock())
    first_use.begin(rotor())
    assert not started


def test_no_more_processes_are_allowed(started: list[Started], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(subprocess, "Popen", mock.Mock(side_effect=OSError))
    first_use.begin(rotor())
    assert first_use._running == []


@pytest.mark.exhaustive
@pytest.mark.skipif(first_use.processors() < 2, reason="there is no processor for it")
@pytest.mark.parametrize(
    ("code", "here", "there"),
    [
        (SOLVED, "written_out.solve_steps", ("knot_loop.advance", "motion_loop.solve_steps")),
        (SIMULATED, "equations.evaluate_equations", ("explicit.advance", "motion_loop.solve_steps")),
        (FITTED, "schedule.run_steps", ("sample_loop.solve_samples",)),
    ],
    ids=["solve", "simulate", "fit"],
)
def test_the_first_use_finds_what_it_compiled(tmp_path: Path, code: str, here: str, there: tuple[str, ...]) -> None:
    environment = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path)}
    command = [sys.executable, "-c", LOGGED + code]
    run = subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, text=True, timeout=250, check=True)
    lines = run.stdout.splitlines()
    assert any(line.startswith(f"compiling {here}") for line in lines)
    for name in there:
        assert f"compiling {name}" not in lines
