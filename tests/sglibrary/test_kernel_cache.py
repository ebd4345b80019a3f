"""Compiled functions on disk: many processes at once, sources that change, files that are damaged."""

from __future__ import annotations

import contextlib
import importlib.util
import os
import subprocess
import sys
import time
import types
from pathlib import Path

import pytest
from numba import float64, int64
from numba.core import config
from numba.core.types import Dummy, Opaque

from sglibrary.kernel_cache import _Files
from tests.support.paths import ROOT

pytestmark = pytest.mark.skipif(bool(config.DISABLE_JIT), reason="nothing is compiled")

KERNELS = """
from sglibrary.convention import allocating

@allocating
def halved(x):
    return x / 2

@allocating
def next_to(x):
    return x + 1

@allocating
def squared(x):
    return x * x
"""

PROGRAM = """
import sys, time
from pathlib import Path
import numpy as np
import kernels

values = [3, 3.5, 3 + 1j, np.float32(3.5), np.int32(7), np.arange(4), np.arange(4.0), np.arange(4.0)[::2]]
mine = [values[int(k) % len(values)] for k in sys.argv[1].split(",")]
Path(f"ready {sys.argv[1]}").touch()
while not Path("go").exists():
    time.sleep(0.001)
for name in ("halved", "next_to", "squared"):
    function = getattr(kernels, name)
    for x in mine:
        found, expected = function(x), function.py_func(x)
        assert np.array_equal(found, expected), (name, x, found, expected)
    print(name, sum(function.stats.cache_hits.values()), sum(function.stats.cache_misses.values()))
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "kernels.py").write_text(KERNELS)
    return tmp_path


def begin(folder: Path, which: str) -> subprocess.Popen[str]:
    variables = {"NUMBA_CACHE_DIR": str(folder / "cache"), "PYTHONPATH": f"{ROOT}{os.pathsep}{folder}"}
    return subprocess.Popen(
        [sys.executable, "-c", PROGRAM, which],
        cwd=folder,
        env=os.environ | variables,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )


def hits_and_misses(process: subprocess.Popen[str]) -> tuple[int, int]:
    """Of all functions of a process that has found right values."""
    said = process.communicate(timeout=200)[0]
    assert process.returncode == 0, said
    counts = [line.split()[1:] for line in said.splitlines()]
    return sum(int(hits) for hits, _ in counts), sum(int(misses) for _, misses in counts)


@pytest.mark.parametrize(
    "count",
    [
        pytest.param(2, marks=pytest.mark.exhaustive),
        pytest.param(4, marks=pytest.mark.exhaustive),
        pytest.param(24, marks=pytest.mark.long),
    ],
)
def test_many_processes_that_compile_at_once_keep_what_is_theirs(folder, count):
    """Each for another type of argument; 24 are more than there are types, so that some compile the same."""
    processes = [begin(folder, str(k)) for k in range(count)]
    end = time.monotonic() + 200
    while len(list(folder.glob("ready *"))) < count:
        assert time.monotonic() < end, [process.poll() for process in processes]
        time.sleep(0.01)
    (folder / "go").touch()
    assert {sum(hits_and_misses(process)) for process in processes} == {3}
    types = range(min(count, 8))
    assert hits_and_misses(begin(folder, ",".join(map(str, types)))) == (3 * len(types), 0)


MADE = """
import sys
import numpy as np
from sglibrary.code.kernel import kernel_of
from sglibrary.run.calls import SIGNATURE, handle

texts = {"sum": "q 0 0;+ 0 0;= 1 q 1 0", "product": "q 0 0;* 0 0;* 0 1;= 2 q 1 0"}
kernels = {name: kernel_of(texts[name]) for name in sys.argv[1:]}
for kernel in kernels.values():
    kernel.compile(SIGNATURE)
values = []
for kernel in kernels.values():
    q = np.full((2, 8), 3.0)
    kernel(q, q, q, np.zeros(0), np.arange(2), np.zeros(0), np.zeros(8, np.uint8), np.zeros(8), 8)
    values.append(q[1, 0])
print(*values, len({handle(kernel) for kernel in kernels.values()}))
"""


def test_kernels_that_different_processes_made_are_told_apart(tmp_path: Path) -> None:
    """Each is the first that its process compiled; one that loads both calls each at an address of its own."""
    variables = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path), "PYTHONPATH": str(ROOT)}

    def said(*names: str) -> str:
        command = [sys.executable, "-c", MADE, *names]
        return subprocess.run(command, env=variables, capture_output=True, text=True, check=True, timeout=200).stdout

    assert said("sum") == "6.0 1\n"
    assert said("product") == "27.0 1\n"
    assert said("sum", "product") == "6.0 27.0 2\n"
    assert said("product", "sum") == "27.0 6.0 2\n"


@pytest.mark.parametrize("survived", [0, 1])
def test_a_process_that_dies_while_it_writes_leaves_nobody_the_code_of_others(folder, monkeypatch, survived):
    """Another one has saved the same function for another type since this one began."""
    monkeypatch.setattr(config, "CACHE_DIR", str(folder / "cache"))
    mine, theirs = (import_module_from(folder / "kernels.py").halved._cache for _ in range(2))
    for cache in (mine, theirs):
        cache._impl.locator.ensure_cache_path()
    replace, seen = os.replace, []

    def interrupted(source, target):
        monkeypatch.setattr(os, "replace", replace)
        if not seen:
            theirs._cache_file.save("their key", "their code")
        seen.append(target)
        if len(seen) > survived:
            raise KeyboardInterrupt
        replace(source, target)
        monkeypatch.setattr(os, "replace", interrupted)

    monkeypatch.setattr(os, "replace", interrupted)
    with contextlib.suppress(KeyboardInterrupt):
        mine._cache_file.save("my key", "my code")
    monkeypatch.setattr(os, "replace", replace)
    assert mine._cache_file.load("my key") in (None, "my code")
    assert mine._cache_file.load("their key") == "their code"


def import_module_from(path: Path) -> types.ModuleType:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def compiled_files(folder: Path) -> list[Path]:
    return sorted((folder / "cache").rglob("*.nb?"))


@pytest.mark.smoke
def test_damaged_files_are_compiled_again(folder):
    (folder / "go").touch()
    assert hits_and_misses(begin(folder, "1")) == (0, 3)
    truncated, altered, empty = compiled_files(folder)
    whole = truncated.read_bytes(), altered.read_bytes()
    truncated.write_bytes(whole[0][:-1])
    altered.write_bytes(whole[1][:-9] + bytes([whole[1][-9] ^ 1]) + whole[1][-8:])
    empty.write_bytes(b"")
    assert hits_and_misses(begin(folder, "1")) == (0, 3)
    assert hits_and_misses(begin(folder, "1")) == (3, 0)
    assert compiled_files(folder) == [truncated, altered, empty]


def test_what_was_compiled_from_other_formulas_is_not_taken(folder):
    before, after = (_Files(folder, "kernel", sources) for sources in (b"version 1", b"version 2"))
    key = ((float64,), ("linux", "", ""), ("bytecode", ""))
    before.save(key, "old code")
    assert (before.load(key), after.load(key)) == ("old code", None)
    after.save(key, "new code")
    assert (before.load(key), after.load(key)) == (None, "new code")
    assert after.load(((int64,), *key[1:])) is None
    after.flush()
    assert after.load(key) is None


@pytest.mark.smoke
def test_keys_of_the_same_name_are_told_apart(folder):
    files = _Files(folder, "kernel", b"")
    one, other = Opaque("thing"), Dummy("thing")
    assert repr(one) == repr(other)
    files.save((one,), "one")
    assert (files.load((one,)), files.load((other,))) == ("one", None)
