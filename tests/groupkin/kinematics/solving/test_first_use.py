"""The second process that compiles what all iterated programs share."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import cache, partial
from pathlib import Path
from typing import IO, Any
from unittest import mock

import numpy as np
import pytest
from numba.core import config

import groupkin as gk
from groupkin.child_processes import python_command
from groupkin.kinematics.program import first_use
from groupkin.kinematics.program.program import Call
from groupkin.kinematics.solving.shared_loops import signature
from groupkin.kinematics.solving.tracking import track
from sglibrary.iterative.knot_loop import advance
from sglibrary.written_out import made_of
from tests.support.paths import ROOT

pytestmark = pytest.mark.skipif(bool(config.DISABLE_JIT), reason="nothing is compiled")

BEGUN = 2
"""Kernels that the other process has begun."""

FIRST = """
import logging, sys
import numpy as np
import groupkin as gk

logging.basicConfig(level=logging.INFO, stream=sys.stdout)
gk.solve(gk.load("examples/planar_3rrr.toml"), np.linspace(0.0, 0.1, 30))
"""


@cache
def rotor() -> Sequence[Call]:
    """Calls of a program with iterated groups and closed forms."""
    return gk.program(gk.load(ROOT / "examples" / "rotor_control.toml")).calls


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[list[str]]]:
    """Commands of processes that are started, as on a machine with two processors where nothing was compiled."""
    rotor()
    commands: list[list[str]] = []

    def start(command: list[str], stdin: IO[bytes], stdout: IO[bytes], **_: Any) -> mock.Mock:
        commands.append([*command, stdin.read().decode()])
        stdout.write(b"." * BEGUN)
        stdout.flush()
        return mock.Mock(poll=lambda: 0)

    monkeypatch.setattr(first_use, "_running", [])
    monkeypatch.setattr(first_use, "is_kept", lambda _: False)
    monkeypatch.setattr(first_use, "advance", mock.Mock(signatures=[]))
    monkeypatch.setattr(first_use, "processors", lambda: 2)
    ends: list[Callable[[], None]] = []
    monkeypatch.setattr(first_use.atexit, "register", lambda end, second: ends.append(partial(end, second)))
    monkeypatch.setattr(subprocess, "Popen", start)
    monkeypatch.delitem(sys.modules, "mpi4py.MPI", raising=False)
    yield commands
    for end in ends:
        end()


@pytest.mark.parametrize("name", ["stewart_forward", "rotor_control"])
def test_it_compiles_what_programs_need(name: str) -> None:
    program, times = gk.program(gk.load(ROOT / "examples" / f"{name}.toml")), np.linspace(0.0, 0.1, 30)
    times.flags.writeable = False
    gk.solve(program, times)
    track(program, times, True)
    assert advance.signatures == [signature()]


def test_it_starts_once(started: list[list[str]]) -> None:
    calls = rotor()
    first_use.begin(calls)
    first_use.begin(calls)
    [[*command, given]] = started
    assert command == python_command("groupkin.kinematics.solving.shared_loops")
    kernels = [made_of(*made) if len(made) == 5 else made for made in json.loads(given)]
    assert [call.kernel for call in calls if call.knot is not None and call.kernel not in kernels] == []
    assert ["sglibrary.attachments", "motion"] in kernels


def test_kernels_that_it_has_not_begun_are_compiled_here(
    started: list[list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    compiled: list[Any] = []
    monkeypatch.setattr(first_use, "handle", compiled.append)
    first_use.begin(rotor())
    kernels = list(first_use._running[0].kernels)
    first_use.finish()
    assert len(kernels) > BEGUN
    assert compiled == kernels[: BEGUN - 1 : -1]
    first_use.finish()
    assert len(compiled) == len(kernels) - BEGUN


def test_it_does_not_start_for_closed_forms(started: list[list[str]]) -> None:
    first_use.begin([call for call in rotor() if call.knot is None])
    assert not started


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("processors", lambda: 1),
        ("is_kept", lambda _: True),
        ("advance", mock.Mock(signatures=[()])),
    ],
)
def test_it_does_not_start_where_it_helps_nobody(
    started: list[list[str]], monkeypatch: pytest.MonkeyPatch, name: str, found: Any
) -> None:
    monkeypatch.setattr(first_use, name, found)
    first_use.begin(rotor())
    assert not started


def test_ranks_do_not_start_it(started: list[list[str]], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "mpi4py.MPI", mock.Mock())
    first_use.begin(rotor())
    assert not started


def test_no_more_processes_are_allowed(started: list[list[str]], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(subprocess, "Popen", mock.Mock(side_effect=OSError))
    first_use.begin(rotor())
    assert first_use._running == []
    first_use.finish()


@pytest.mark.exhaustive
@pytest.mark.skipif(first_use.processors() < 2, reason="there is no processor for it")
def test_the_first_solve_finds_what_it_compiled(tmp_path: Path) -> None:
    environment = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path)}
    command = [sys.executable, "-c", FIRST]
    run = subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, text=True, timeout=250, check=True)
    assert "written_out.solve_steps" in run.stdout
    for name in ("knot_loop.advance", "motion_loop.solve_steps", "made_of"):
        assert name not in run.stdout
