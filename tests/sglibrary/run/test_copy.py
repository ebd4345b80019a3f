"""Copies past the caches: what is copied, what is left alone, and when they may be used."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import sglibrary.run.copy
from groupkin.kinematics import solver
from groupkin.kinematics.motion.motion import Motion
from groupkin.kinematics.solving import motion_memory, run
from groupkin.mechanism.files.reading import load
from sglibrary.run.copy import WIDTH, fits, stream
from sglibrary.run.motion_loop import solve_steps
from sglibrary.run.task import Task, written
from tests.support.paths import EXAMPLES
from tests.support.random_mechanisms import JIT

Array = NDArray[np.float64]

EXAMPLE = EXAMPLES / "four_bar.toml"

compiled = pytest.mark.skipif(not JIT, reason="vector instructions need the compiler")


def aligned(rows: int, columns: int, pitch: int, offset: int = 0) -> tuple[Array, Array]:
    """A target (rows, columns), its rows `pitch` apart, and all the memory around it; `offset` spoils the alignment."""
    memory = np.full(rows * pitch + 64, -1.0)
    first = 16 + (-memory.ctypes.data // 8) % 8 + offset
    return memory[first : first + rows * pitch].reshape(rows, pitch)[:, :columns], memory


# --- what is copied --------------------------------------------------------------------------


@compiled
@pytest.mark.parametrize("n", [0, 1, 2, 3, 4, 5, 6, 7, 8, 31, 61, 64])
@pytest.mark.parametrize("start", [0, WIDTH, 64])
def test_the_same_as_a_plain_copy(n: int, start: int) -> None:
    rng = np.random.default_rng(n)
    source, rows = rng.normal(size=(9, 72)), np.array([7, 0, 3, 3, 8])
    target, memory = aligned(rows.size, 128, 136)
    place = target.ctypes.data // 8 - memory.ctypes.data // 8
    expected = memory.copy()
    expected[place : place + target.shape[0] * 136].reshape(-1, 136)[:, start : start + n] = source[rows, :n]
    stream(target, start, source, rows, n)
    np.testing.assert_array_equal(target[:, start : start + n], source[rows, :n])
    # up to a whole number of lanes more is overwritten, with what follows in the source; nothing else
    whole = -(-n // WIDTH) * WIDTH
    expected[place : place + target.shape[0] * 136].reshape(-1, 136)[:, start + n : start + whole] = source[
        rows, n:whole
    ]
    np.testing.assert_array_equal(memory, expected)


@compiled
def test_the_source_need_not_be_aligned() -> None:
    memory = np.random.default_rng(0).normal(size=3 * 24 + 3)
    target, _ = aligned(2, 24, 24)
    for offset in range(4):
        source = memory[offset : offset + 3 * 24].reshape(3, 24)
        stream(target, 0, source, np.array([2, 0]), 24)
        np.testing.assert_array_equal(target, source[[2, 0]])


@compiled
def test_all_bits_are_copied() -> None:
    special = np.array([np.nan, -0.0, np.inf, 5e-324, -np.inf, 1e308, 0.0, np.pi])[None]
    target, _ = aligned(1, 8, 8)
    stream(target, 0, special, np.array([0]), 8)
    np.testing.assert_array_equal(target.view(np.int64), special.view(np.int64))


# --- when it may be used ---------------------------------------------------------------------


@compiled
@pytest.mark.parametrize(("columns", "pitch"), [(64, 64), (61, 64), (64, 72), (1, WIDTH)])
def test_aligned_and_padded_rows_fit(columns: int, pitch: int) -> None:
    assert fits(aligned(3, columns, pitch)[0], 1024)


@pytest.mark.parametrize("offset", [1, 2, 4])
def test_rows_that_start_off_the_lanes_do_not_fit(offset: int) -> None:
    assert not fits(aligned(3, 60, 64, offset)[0], 1024)


@pytest.mark.parametrize("pitch", [65, 66, 68])
def test_rows_that_drift_off_the_lanes_do_not_fit(pitch: int) -> None:
    assert not fits(aligned(3, 60, pitch)[0], 1024)


@pytest.mark.parametrize("step", [1, 2, 4, 1020])
def test_steps_that_leave_the_lanes_do_not_fit(step: int) -> None:
    assert not fits(aligned(3, 60, 64)[0], step)


def test_rows_without_padding_do_not_fit() -> None:
    memory = aligned(1, 64, 64)[0]
    overlapping = np.lib.stride_tricks.as_strided(memory, (3, 18), (16 * 8, 8))  # rows of 18 that are 16 apart
    assert not fits(overlapping, 1024)


def test_columns_with_gaps_do_not_fit() -> None:
    assert not fits(aligned(3, 64, 64)[0][:, ::2], 1024)


def test_without_the_compiler_nothing_fits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sglibrary.run.copy, "DISABLE_JIT", 1)
    assert not fits(aligned(3, 64, 64)[0], 1024)


# --- in the solver ---------------------------------------------------------------------------


@pytest.fixture
def past_caches(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Of every pass of the solver, whether it wrote past the caches."""
    seen: list[bool] = []
    tasks: list[Task] = []

    def noted(task: Task) -> Any:
        tasks.append(task)
        return written(task)

    def watched(*args: Any) -> Any:
        seen.append(tasks[-1].results.past_caches)
        return solve_steps(*args)

    monkeypatch.setattr(motion_memory, "written", noted)
    monkeypatch.setattr(run, "solve_steps", watched)
    return seen


def solved(monkeypatch: pytest.MonkeyPatch, threshold: float, **given: Any) -> Motion:
    monkeypatch.setattr(motion_memory, "STREAMED", threshold)
    program = given.pop("program", None) or solver.program(load(EXAMPLE))
    return solver.solve(program, np.linspace(0.0, 1.0, 3 * 64 + 5), **{"block": 64} | given)


def assert_same_bits(first: Motion, second: Motion) -> None:
    for name in ("q", "v", "a", "status", "conditioning"):
        np.testing.assert_array_equal(getattr(first, name), getattr(second, name))


@compiled
@pytest.mark.parametrize("block", [8, 64, 1024])
def test_motions_do_not_depend_on_it(monkeypatch: pytest.MonkeyPatch, past_caches: list[bool], block: int) -> None:
    monkeypatch.setattr(motion_memory, "LONG", 128)
    plain = solved(monkeypatch, np.inf, block=block)
    assert not any(past_caches)
    streamed = solved(monkeypatch, 0, block=block)
    passes = 2 if block < 128 else 1
    assert past_caches == [False] * passes + [True] * passes
    assert np.isfinite(streamed.q).all()
    assert_same_bits(plain, streamed)


def test_memory_off_the_lanes_is_filled_in_the_plain_way(
    monkeypatch: pytest.MonkeyPatch, past_caches: list[bool]
) -> None:
    plain = solved(monkeypatch, np.inf)
    shifted = {
        name: aligned(*getattr(plain, name).shape, pitch=208, offset=1)[0] for name in ("q", "v", "a", "conditioning")
    }
    again = solved(monkeypatch, 0, program=plain.program, out=replace(plain, **shifted))
    assert not any(past_caches)
    assert again.q is shifted["q"]
    assert_same_bits(solved(monkeypatch, np.inf), again)


def test_blocks_off_the_lanes_are_copied_in_the_plain_way(
    monkeypatch: pytest.MonkeyPatch, past_caches: list[bool]
) -> None:
    odd = solved(monkeypatch, 0, block=63)
    assert not any(past_caches)
    np.testing.assert_allclose(odd.q, solved(monkeypatch, np.inf).q, rtol=0, atol=1e-15)
