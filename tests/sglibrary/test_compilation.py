"""What holds while kernels are compiled holds for nothing else: other libraries' functions are compiled as ever."""

from __future__ import annotations

import gc
import json
import operator
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from numba import njit, types
from numba.core import event
from numba.core.config import DISABLE_JIT  # type: ignore[attr-defined]
from numba.core.targetconfig import TargetConfig
from numba.core.types.functions import BaseFunction

from sglibrary import compilation
from sglibrary.convention import OPTIONS, UNCOUNTED, kernel
from tests.support.paths import ROOT

needs_compiler = pytest.mark.skipif(bool(DISABLE_JIT), reason="nothing is compiled")


def settings() -> tuple[Any, ...]:
    """What holds in the process, but for the number of LLVM's checks, which cannot be read."""
    return gc.get_threshold(), TargetConfig.values, BaseFunction.get_call_type


def compiled(options: dict[str, Any], kind: types.Type, mark: bool = True) -> None:
    """Compile three sums."""
    function = njit(**options)(lambda x, y: (x + y) + (y + x) + (x + x))
    if mark:
        compilation.mark(function)
    function.compile((kind, kind))
    assert function(*((2, 3) if isinstance(kind, types.Integer) else (2.0, 3.0))) == 14


@pytest.mark.smoke
@needs_compiler
def test_types_of_a_call_are_found_once_for_each_kind_of_caller(monkeypatch: pytest.MonkeyPatch) -> None:
    found, find = [], BaseFunction.get_call_type

    def noted(function: Any, *rest: Any) -> Any:
        found.append((function.typing_key, rest[1]))
        return find(function, *rest)

    monkeypatch.setattr(BaseFunction, "get_call_type", noted)
    monkeypatch.setattr(compilation, "_call_types", {})
    number, whole = types.float64, types.int64
    sums = [(operator.add, (number, number)), (operator.add, (whole, whole))]

    def asked(*arguments: Any) -> Any:
        found.clear()
        compiled(*arguments)
        return [found.count(each) for each in sums]

    assert asked(UNCOUNTED, number) == [1, 0]
    assert asked(UNCOUNTED, number) == [0, 0]
    assert asked(UNCOUNTED, whole) == [0, 1]
    assert asked(OPTIONS, number) == [1, 0]
    # whoever lets the order of sums change is not served from there, nor kept for others
    assert asked(OPTIONS | {"fastmath": True}, number)[0] > 1
    assert asked(OPTIONS, number) == [0, 0]
    # nor is a function of another library
    assert asked(OPTIONS, number, False)[0] > 1


# --- what holds when -------------------------------------------------------------------------


class Compiled:
    """A dispatcher, as the compiler names it when it begins."""

    def __init__(self, is_kernel: bool):
        if is_kernel:
            compilation.mark(self)


KERNEL, OTHER = Compiled(True), Compiled(False)


def tell(listener: event.Listener, dispatcher: Compiled, status: event.EventStatus) -> None:
    listener.notify(event.Event("numba:compile", status, data={"dispatcher": dispatcher}))


@pytest.fixture
def thresholds() -> Iterator[None]:
    before = gc.get_threshold()
    yield
    gc.set_threshold(*before)


@pytest.mark.smoke
@pytest.mark.usefixtures("thresholds")
@pytest.mark.parametrize("usual", [(700, 10, 10), (200_000, 5, 5), (0, 10, 10)])
def test_settings_hold_while_the_innermost_function_is_a_kernel(
    usual: tuple[int, int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    checks: list[str] = []
    monkeypatch.setattr(compilation.llvmlite.binding, "set_option", lambda _, option: checks.append(option))
    gc.set_threshold(*usual)
    listener, before = compilation._Settings(), settings()
    start, end = event.EventStatus.START, event.EventStatus.END
    steps = [
        (OTHER, start, False),
        (KERNEL, start, True),
        (KERNEL, start, True),
        (OTHER, start, False),
        (KERNEL, start, True),
        (KERNEL, end, False),
        (OTHER, end, True),
        (KERNEL, end, True),
        (KERNEL, end, False),
        (OTHER, end, False),
    ]
    for dispatcher, status, hold in steps:
        tell(listener, dispatcher, status)
        assert (settings() == before) is not hold
        # one who has switched the search off is not overruled
        assert gc.get_threshold()[0] == (max(100_000, usual[0]) if usual[0] and hold else usual[0])
        assert (bool(checks) and checks[-1].endswith("=8192")) is hold
    assert settings() == before
    assert checks[-1] == "--vectorize-memory-check-threshold=128"


@needs_compiler
def test_a_kernel_that_cannot_be_compiled_leaves_nothing_behind() -> None:
    before = settings()

    @kernel
    def broken(x):
        return x.no_such_attribute

    with pytest.raises(Exception, match="no_such_attribute"):
        broken.compile((types.float64,))
    assert settings() == before


# --- other libraries -------------------------------------------------------------------------

OTHER_LIBRARY = """
import gc, hashlib, json, re, sys, threading
import numpy as np
from numba import njit

def before(): {before}
def after(): {after}

before()

# 12 rows, of which each may overlap with those that are written: more checks than LLVM allows by itself
names = [f"x{{k}}" for k in range(24)]
lines = [f"        x{{k + 12}}[j] = x{{k}}[j] * 2.0 + x{{(k + 1) % 12}}[j]" for k in range(12)]
source = f"def rows({{', '.join(names)}}):\\n    for j in range(x0.size):\\n" + "\\n".join(lines)
exec(source)

@njit(error_model="numpy")
def summed(x, y):
    s = 0.0
    for j in range(x.size):
        s += x[j] / y[j]
    return s

@njit
def made(n):
    return np.linspace(0.0, 1.0, n).reshape((2, n // 2)).sum(axis=0) @ np.ones(n // 2)

def code(function, arguments):
    function(*arguments)
    (signature,) = function.signatures
    names = {{}}
    lines = (function.inspect_llvm(signature) + function.inspect_asm(signature)).splitlines()
    text = "\\n".join(line for line in lines if "Environment" not in line)  # with the lengths of names
    return re.sub(r"_ZN[\\w.$]+|\\.const\\.[\\w.@<>$]+", lambda m: names.setdefault(m[0], f"N{{len(names)}}"), text)

x = np.linspace(0.0, 1.0, 32)
cases = {{
    "rows": (njit(rows), [x.copy() for _ in names]),
    "rows with fast math": (njit(fastmath=True)(rows), [x.copy() for _ in names]),
    "sum": (summed, [x, x + 1.0]),
    "array": (made, [32]),
}}
found = {{name: code(*case) for name, case in cases.items()}}
after()
print(json.dumps({{name: hashlib.sha256(text.encode()).hexdigest() for name, text in found.items()}}))
"""

FIRST_KERNELS = """
    from sglibrary.planar.slides import rpp
    from sglibrary.run.calls import handle
    handle(rpp)"""

TOGETHER = f"""
    global thread
    def compile_kernels():{FIRST_KERNELS.replace(chr(10), chr(10) + "    ")}
    thread = threading.Thread(target=compile_kernels)
    thread.start()"""


def code_of_another_library(folder: Path, before: str = "pass", after: str = "pass") -> Any:
    """Digests of what is compiled in a process of its own."""
    command = [sys.executable, "-c", OTHER_LIBRARY.format(before=before, after=after)]
    environment = os.environ | {"NUMBA_CACHE_DIR": str(folder), "PYTHONHASHSEED": "0"}  # the names of constants
    run = subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    return json.loads(run.stdout)


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> Any:
    return code_of_another_library(tmp_path_factory.mktemp("alone"))


@needs_compiler
@pytest.mark.parametrize(
    ("before", "after"),
    [
        (FIRST_KERNELS, "pass"),
        pytest.param("import groupkin, sglibrary.catalog", "pass", marks=pytest.mark.exhaustive),
        pytest.param(TOGETHER, "thread.join()", marks=pytest.mark.exhaustive),
    ],
    ids=["kernels compiled before", "imported before", "kernels compiled at the same time"],
)
def test_another_library_is_compiled_as_without_this_one(alone: Any, tmp_path: Path, before: str, after: str) -> None:
    assert code_of_another_library(tmp_path, before, after) == alone


@needs_compiler
@pytest.mark.exhaustive
def test_the_rows_of_another_library_show_what_llvm_allows(alone: Any, tmp_path: Path) -> None:
    """With the settings of kernels they are compiled otherwise: the test above would see it."""
    found = code_of_another_library(tmp_path, "from sglibrary.compilation import _allow_checks; _allow_checks(8192)")
    assert found["rows"] != alone["rows"]
    assert found["sum"] == alone["sum"]
