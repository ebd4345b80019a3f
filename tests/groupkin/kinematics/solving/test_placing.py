"""Motions that kernels write straight into: the same bits as by blocks that are copied, and nothing else is touched."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from numba.core.config import DISABLE_JIT

from groupkin.kinematics.motion.motion import Motion
from groupkin.kinematics.program.dataflow import flows, rows_of
from groupkin.kinematics.program.program import TIME_ROW, Program
from groupkin.kinematics.solver import program, solve
from groupkin.kinematics.solving import motion_memory, placing
from groupkin.kinematics.solving.block_sizes import block_of, wide_block
from groupkin.mechanism.files.reading import load
from sglibrary.catalog import GROUPS, Solver
from sglibrary.status import SOLVED
from tests.support.motions import assert_same_bits
from tests.support.platforms import platform
from tests.support.random_mechanisms import Workshop

pytestmark = pytest.mark.skipif(bool(DISABLE_JIT), reason="Python's integers are no remainders")

EXAMPLES = Path(__file__).parents[4] / "examples"
CLOSED = ("four_bar", "jansen_leg", "stewart_inverse")
HUBS = ("stephenson_six_bar", "stewart_forward", "delta_robot", "spatial_3prs")
NAMES = (*CLOSED, *HUBS, "assur_class_three", "cam_roller")


def example(name: str) -> Program:
    return program(load(EXAMPLES / f"{name}.toml"))


def in_place(motion: Motion) -> bool:
    assert motion.memory is not None
    return motion.memory.task.moving.inverse != 0


def copied(monkeypatch: pytest.MonkeyPatch, of: Program, times: np.ndarray) -> Motion:
    with monkeypatch.context() as patched:
        patched.setattr(motion_memory, "placed_rows", lambda *_: None)
        motion = solve(of, times, on_failure="nan")
    assert not in_place(motion)
    return motion


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("n", [1, 8, 127, 128, 512, 1300])
def test_bits_are_those_of_copied_blocks(monkeypatch: pytest.MonkeyPatch, name: str, n: int) -> None:
    of, times = example(name), np.linspace(0.0, 1.3, n)
    motion = solve(of, times)
    assert in_place(motion)
    assert_same_bits(motion, copied(monkeypatch, of, times))
    again = solve(of, times + 0.1, out=motion)
    assert again.q is motion.q
    assert_same_bits(again, copied(monkeypatch, of, times + 0.1))
    for block in (8, 24):
        assert in_place(solve(of, times, out=motion, block=block))
        assert_same_bits(motion, copied(monkeypatch, of, times))


@pytest.mark.parametrize("solver", [pytest.param(each, id=f"{each.name} {each.dimension}D") for each in GROUPS])
def test_groups_of_all_kinds_can_be_written_in_place(monkeypatch: pytest.MonkeyPatch, solver: Solver) -> None:
    shop = Workshop(solver.dimension, np.random.default_rng(1))
    shop.make_tree(solver.chain, [shop.arm(), shop.arm()], 0.5)
    of, times = program(shop.mechanism()), np.linspace(0.0, 1.0, 300)
    motion = solve(of, times, on_failure="nan")
    # some draw directions beside those of bodies, and some closed forms do not apply to this geometry
    assert in_place(motion) != writes_more_than_is_kept(of, solver)
    if not of.iterates:
        assert_same_bits(motion, copied(monkeypatch, of, times))


def writes_more_than_is_kept(of: Program, solver: Solver) -> bool:
    writes = flows(of)[of.solvers.index(solver.name)].writes
    return 0 < np.isin(writes, of.kept).sum() < solver.written


@pytest.mark.parametrize("name", NAMES)
def test_every_row_has_a_place_of_its_own(name: str) -> None:
    of, n = example(name), 300
    width = block_of(of, n, wide_block(of))
    found = placing._placing(of)
    placed = placing.placed_rows(of, n, width)
    assert found is not None
    assert placed is not None
    used = np.zeros((len(of.kept), placed.pitch), int)
    for row, slot in zip(found.row, found.slot, strict=True):
        if row >= 0:
            first, wide = (0, n) if slot < 0 else (-(-n // 8) * 8 + width * slot, width)
            assert first + wide <= placed.pitch
            used[row, first : first + wide] += 1
    assert used.max() == 1
    assert used[:, :n].all()
    assert not used[:, n : -(-n // 8) * 8].any()
    of_calls = [rows_of(call, of.solvers[call.group - 1], of.mechanism.dimension) for call in of.calls]
    needed = set[int]().union(*(read | written for read, written in of_calls))
    # closed forms do not read the times
    assert not (set(np.flatnonzero(found.row < 0).tolist()) - {TIME_ROW}) & needed
    assert (found.row[TIME_ROW] >= 0) == of.iterates


def test_memory_of_others_is_not_touched(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is behind the last step belongs to the solver only where the motion has all its memory."""
    of, times = example("four_bar"), np.linspace(0.0, 1.0, 300)
    for first, last in ((0, 296), (5, 300), (100, 200)):
        motion, whole = solve(of, times), solve(of, times)
        parts = {x: getattr(motion, x)[:, first:last] for x in ("q", "v", "a", "conditioning")}
        part = replace(motion, times=times[first:last], status=motion.status[:, first:last].copy(), **parts)
        again = solve(of, times[first:last] + 0.3, out=part)
        assert not in_place(again)
        assert_same_bits(again, copied(monkeypatch, of, times[first:last] + 0.3))
        for name, part_of in parts.items():
            getattr(whole, name)[:, first:last] = part_of
        assert_same_bits(motion, replace(whole, status=motion.status))


@pytest.mark.parametrize("name", CLOSED)
def test_evaluations_are_the_same(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    of = example(name)
    values = np.stack([driven.law.at(np.linspace(0.0, 1.0, 300))[0] for driven in of.drivers])
    values[0, 17] = np.nan
    motion = of.evaluate(values, 2.0 + values, 3.0 * values)
    assert in_place(motion)
    with monkeypatch.context() as patched:
        patched.setattr(motion_memory, "placed_rows", lambda *_: None)
        expected = of.evaluate(values, 2.0 + values, 3.0 * values)
    assert not in_place(expected)
    assert np.flatnonzero(~motion.solved).tolist() == [17]
    assert_same_bits(motion, expected)


@pytest.mark.parametrize(
    ("kind", "seed"), [("telescopes", 1), ("telescopes", 3), ("hinged legs", 1), ("hinged legs", 3)]
)
def test_platforms_beyond_reach_are_the_same(monkeypatch: pytest.MonkeyPatch, kind: str, seed: int) -> None:
    of, times = program(platform(kind, seed)), np.linspace(0.0, 6.0, 300)
    motion = solve(of, times, on_failure="nan")
    assert in_place(motion)
    assert not motion.solved.all()
    assert np.isnan(motion.position("platform")[motion.status[-1] != SOLVED]).all()
    assert_same_bits(motion, copied(monkeypatch, of, times))
