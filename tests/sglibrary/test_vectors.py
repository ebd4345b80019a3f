"""Rows read and written without overlap checks, and the rule that makes this correct."""

from __future__ import annotations

import ast
from pathlib import Path

import numpy as np
import pytest
from numba import njit
from numba.core.errors import TypingError

import sglibrary
from sglibrary.vectors import get, lessen, put, read, space, write
from tests.support.random_mechanisms import JIT

SOURCES = sorted(Path(sglibrary.__file__).parent.rglob("*.py"))
READ, WRITE = {"get", "read"}, {"put", "write", "lessen"}


@njit
def shifted(x, source, target, row, n):
    u, w = space(x, source, n), space(x, target, n)
    for j in range(n):
        a, b, c = get(u, j)
        put(w, j, (a + 1.0, b + 2.0, c + read((x, source + 3), j)))
        lessen(row, j, a)


@pytest.mark.smoke
def test_vectors_are_read_and_written_in_place() -> None:
    rng = np.random.default_rng(0)
    for n in (0, 1, 5, 64, 67):
        x, row = rng.normal(size=(9, 70)), rng.normal(size=70)
        row[3] = np.nan
        expected = x.copy()
        expected[5:8, :n] = x[1:4, :n] + np.stack([np.full(n, 1.0), np.full(n, 2.0), x[4, :n]])
        smaller = row.copy()
        smaller[:n] = np.minimum(row[:n], x[1, :n])
        shifted(x, 1, 5, row, n)
        np.testing.assert_array_equal(x, expected)
        np.testing.assert_array_equal(row, smaller)


@pytest.mark.skipif(not JIT, reason="a matter of compiled code")
def test_rows_with_gaps_are_refused() -> None:
    with pytest.raises(TypingError, match="contiguous"):
        shifted(np.zeros((9, 70))[:, ::2], 1, 5, np.zeros(35), 3)

    @njit
    def fill(row):
        write(row, 0, 1.0)

    with pytest.raises(TypingError, match="contiguous"):
        fill(np.zeros(6)[::2])


def _used(tree: ast.AST, names: set[str]) -> list[str]:
    """What is read or written, as source: the first argument of every call of these functions."""
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)]
    return [ast.unparse(call.args[0]) for call in calls if isinstance(call.func, ast.Name) and call.func.id in names]


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.stem)
def test_no_function_reads_what_it_writes(path: Path) -> None:
    """LLVM takes their word for it; what one loop writes and another reads needs two kernels."""
    if path.name == "vectors.py":
        return
    for function in ast.walk(ast.parse(path.read_text())):
        if not isinstance(function, ast.FunctionDef):
            continue
        written = _used(function, WRITE)
        assert not set(written) & set(_used(function, READ)), function.name
        assert len(written) == len(set(written)), function.name
        loops = [node for node in ast.walk(function) if isinstance(node, ast.For)]
        assert sum(bool(_used(loop, READ | WRITE)) for loop in loops) <= 1, function.name
