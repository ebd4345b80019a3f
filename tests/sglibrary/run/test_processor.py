"""Code for systems and processors that the tests do not run on: generated here, and searched for what these lack."""

from __future__ import annotations

import pickle
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import llvmlite.binding as llvm
import numpy as np
import pytest
from numba import float64, int64, types, uint8
from numba.core import config

import groupkin as gk
import routes
from sglibrary.catalog import GROUPS
from sglibrary.iterative.tables import TEXTS
from sglibrary.run import motion_loop, team_loop
from sglibrary.written_out import KINDS, KINDS_OF_PREPARED, PREPARED
from tests.support.paths import EXAMPLES, ROOT, SUPPORT
from tests.support.shares import in_part

pytestmark = pytest.mark.skipif(bool(config.DISABLE_JIT), reason="nothing is compiled")

MACHINES = {
    "x86_64-unknown-linux-gnu": "x86-64",
    "x86_64-apple-darwin": "x86-64",
    "x86_64-pc-windows-msvc": "x86-64",
    "aarch64-unknown-linux-gnu": "cortex-a72",
    "arm64-apple-darwin": "apple-m1",
    "aarch64-pc-windows-msvc": "generic",
}
"""Systems, each with a processor that has no more than all of its kind."""

EVERYWHERE = {
    *("sin", "cos", "sqrt", "floor", "fma", "fmod", "memcpy", "memset", "memmove"),
    *("tan", "asin", "acos", "atan", "atan2", "exp", "log", "erf", "pow"),  # of formulas of couplings
}
"""What the C library has on every system."""
OF_SYSTEM = {
    "linux": {"sched_yield", "sincos"},
    "darwin": {"sched_yield", "__sincos_stret", "bzero", "memset_pattern16"},
    "windows": {"SwitchToThread", "__chkstk"},
}
OF_COMPILER = ("Py", "_Py", "numba_", "NRT_", "groupkin_")
"""What Python, numba and other kernels bring along begins with these."""

ROWS, NUMBERS, COUNTS = types.Array(float64, 2, "C"), types.Array(float64, 1, "C"), types.Array(int64, 1, "C")
KERNEL = (ROWS, ROWS, ROWS, NUMBERS, COUNTS, NUMBERS, types.Array(uint8, 1, "C"), NUMBERS, int64)
"""Types of the arguments of all kernels (`sglibrary.convention`)."""
Function = tuple[Any, ...]
"""Module, name, types of the arguments, and what it is made of."""

SMALL: list[Function] = [
    ("sglibrary.run.team_loop", "reached", (types.Array(int64, 2, "C"), int64, int64, int64)),
    ("sglibrary.run.team_loop", "now", ()),
    ("sglibrary.run.copy", "stream", (ROWS, int64, ROWS, COUNTS, int64)),
]


def loops() -> list[Function]:
    """Those over the blocks of a motion, of one worker and of teams."""
    mechanism, times = gk.load(EXAMPLES / "slider_crank.toml"), np.linspace(0, 0.1, 5000)
    gk.solve(mechanism, times)
    routes.solve(mechanism, times, workers=2, split="time", route="sequential", block=256, cache=False)
    functions = (team_loop.share_all, motion_loop.solve_steps)
    return [(f.py_func.__module__, f.py_func.__name__, types) for f in functions for types in f.signatures]


def kernels() -> list[Function]:
    """One of every fifth kind of group, and what all share that are iterated."""
    found = {(solver.motion.py_func.__module__, solver.motion.py_func.__name__, KERNEL) for solver in GROUPS}
    line_by_line = (f"code {TEXTS + k}" for k in range(3))
    shared: list[Function] = [
        ("sglibrary.written_out", "solve_steps", KINDS),
        ("sglibrary.written_out", "made_of", KERNEL, True, True, *line_by_line),
    ]
    shared += [(each.py_func.__module__, name, KINDS_OF_PREPARED) for name, each in PREPARED.items()]
    return [*sorted(found, key=lambda function: function[:2])[::5], *shared]


def assembly(folder: Path, triple: str, functions: list[Function]) -> str:
    file = folder / "functions"
    file.write_bytes(pickle.dumps(functions))
    command = [sys.executable, str(SUPPORT / "foreign_code.py"), triple, MACHINES[triple], str(file)]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    return result.stdout


def called(code: str, triple: str) -> set[str]:
    """Names of the functions that are called and not defined there."""
    names = set(re.findall(r'^\s+(?:callq?|jmp|bl?)\s+"?([A-Za-z_][\w.$]*)', code, re.MULTILINE))
    names -= set(re.findall(r'^"?([\w.$]+)"?:', code, re.MULTILINE))
    return {name.removeprefix("_") for name in names} if "darwin" in triple else names


def check(code: str, triple: str) -> None:
    """Find nothing in the code that its system or its processor lacks."""
    system = next(name for name in OF_SYSTEM if name in triple)
    ours = {name for name in called(code, triple) if not name.startswith(OF_COMPILER)}
    assert ours <= EVERYWHERE | OF_SYSTEM[system]
    if triple.startswith("x86"):
        assert not re.search(r"%[yz]mm\d", code)
    else:
        assert "llvm.readcyclecounter" not in code, "some versions of LLVM read a register of the system there"
        assert {name.lower() for name in re.findall(r"\bmrs\s+\w+,\s*(\w+)", code)} <= {"cntvct_el0"}


def require(triple: str) -> None:
    llvm.initialize_all_targets()
    try:
        llvm.Target.from_triple(triple)
    except RuntimeError:
        pytest.skip("this LLVM does not know the processor")


@pytest.mark.parametrize("triple", in_part(["x86_64-pc-windows-msvc", "arm64-apple-darwin"], 2))
def test_other_machines_have_what_small_functions_need(tmp_path, triple):
    require(triple)
    code = assembly(tmp_path, triple, SMALL)
    check(code, triple)
    assert ("SwitchToThread" if "windows" in triple else "sched_yield") in called(code, triple)
    assert ("rdtsc" if triple.startswith("x86") else "cntvct_el0") in code.lower()


@pytest.mark.long
@pytest.mark.parametrize("functions", [loops, kernels])
@pytest.mark.parametrize("triple", MACHINES)
def test_other_machines_have_what_is_needed(tmp_path, triple, functions):
    require(triple)
    check(assembly(tmp_path, triple, functions()), triple)
