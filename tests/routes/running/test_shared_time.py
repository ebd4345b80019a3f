"""The loop over steps shared by threads: the bits, errors and warnings of the plain call, whatever is asked for."""

from __future__ import annotations

import threading
import warnings
from dataclasses import replace

import numpy as np
import pytest

import groupkin as gk
import routes
from groupkin.errors import ArgumentError, GroupkinError, LawError, RouteError, SolveError
from groupkin.mechanism.laws.laws import Law
from routes.running import shared_time
from tests.support.paths import EXAMPLES
from tests.support.shares import in_part

NAMES = ("q", "v", "a", "status", "conditioning")
SOLVED = sorted(
    path.stem for path in EXAMPLES.glob("*.toml") if path.suffixes == [".toml"] and path.stem != "micro_manipulator"
)


def same(found: gk.Motion | None, expected: gk.Motion) -> None:
    assert found is not None
    for name in NAMES:
        np.testing.assert_array_equal(getattr(found, name), getattr(expected, name))


def described(name: str, steps: int) -> tuple[gk.Program, np.ndarray]:  # type: ignore[type-arg]
    file = gk.read(EXAMPLES / f"{name}.toml")
    return gk.program(file.mechanism), np.linspace(*file.motion.times[[0, -1]], steps)


@pytest.mark.parametrize("workers", [1, 2, 3])
@pytest.mark.parametrize("name", SOLVED)
def test_all_examples_have_the_bits_of_the_plain_call(name: str, workers: int) -> None:
    """In the motion's own memory and, of long motions, past the caches; in memory that is used again."""
    pool = routes.threads(workers)
    for steps in (1, 3, 50, 1001, 20_001, 100_003):
        program, times = described(name, steps)
        expected, out = gk.solve(program, times, on_failure="nan"), None
        for _ in range(2):
            out = routes.solve(program, times, workers=pool, split="time", on_failure="nan", out=out)
            same(out, expected)
        plain = gk.solve(program, times, on_failure="nan")
        same(routes.solve(program, times, workers=pool, split="time", on_failure="nan", out=plain), expected)


@pytest.mark.parametrize("block", [8, 40, 128, 1000])
@pytest.mark.parametrize("name", in_part(["four_bar", "stewart_inverse", "rotor_control", "rear_axle"], 2))
def test_blocks_of_any_size(name: str, block: int) -> None:
    program, times = described(name, 3001)
    expected = gk.solve(program, times, block=block)
    same(routes.solve(program, times, workers=2, split="time", block=block), expected)
    same(routes.solve(program, times, workers=1, block=block), expected)


# --- what fails --------------------------------------------------------------------------------


def short_coupler() -> gk.Mechanism:
    """A four-bar whose crank cannot turn fully."""
    joints = [
        gk.Joint("A", "R", ("frame", "crank"), point=(0.0, 0.0)),
        gk.Joint("B", "R", ("crank", "coupler"), point=(1.0, 0.0)),
        gk.Joint("C", "R", ("coupler", "rocker"), point=(2.0, 1.0)),
        gk.Joint("D", "R", ("rocker", "frame"), point=(3.0, 0.0)),
    ]
    bodies = ["frame", "crank", "coupler", "rocker"]
    return gk.Mechanism(2, bodies, joints, [gk.Driver("A", gk.Ramp(1.0))])


@pytest.mark.parametrize("steps", [12, 200, 30_000])
@pytest.mark.parametrize("workers", [2, 3])
def test_the_first_failure_is_that_of_the_plain_call(steps: int, workers: int) -> None:
    program, times = gk.program(short_coupler()), np.linspace(0.0, 3.0, steps)
    with pytest.raises(SolveError) as plain:
        gk.solve(program, times)
    with pytest.raises(type(plain.value)) as shared:
        routes.solve(program, times, workers=workers, split="time")
    assert str(shared.value) == str(plain.value)
    assert shared.value.motion is not None
    assert plain.value.motion is not None
    until = int(plain.value.motion.solved.argmin())
    np.testing.assert_array_equal(shared.value.motion.q[:, :until], plain.value.motion.q[:, :until])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        same(
            routes.solve(program, times, workers=workers, split="time", on_failure="nan"),
            gk.solve(program, times, on_failure="nan"),
        )


def parallelogram(rate: float = 6.0) -> gk.Mechanism:
    joints = [
        gk.Joint("A", "R", ("frame", "left"), point=(0.0, 0.0)),
        gk.Joint("B", "R", ("left", "bar"), point=(0.0, 1.0)),
        gk.Joint("C", "R", ("bar", "right"), point=(2.0, 1.0)),
        gk.Joint("D", "R", ("right", "frame"), point=(2.0, 0.0)),
    ]
    return gk.Mechanism(2, ["frame", "left", "bar", "right"], joints, [gk.Driver("A", gk.Ramp(rate))])


@pytest.mark.parametrize("shift", range(8))
def test_singular_positions_where_spans_meet_are_seen(shift: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Wherever the steps of two workers meet: shortly before the position, at it, or behind."""
    monkeypatch.setattr(shared_time, "span_for", lambda motion, workers: 8)
    program = gk.program(parallelogram())
    singular = np.pi / 2 / 6.0
    step = 0.011
    times = singular + step * (np.arange(64) - 32 - shift + 0.37)
    assert times[0] < singular < times[-1]
    with pytest.raises(SolveError) as plain:
        gk.solve(program, times)
    with pytest.raises(type(plain.value)) as shared:
        routes.solve(program, times, workers=2, split="time")
    assert str(shared.value) == str(plain.value)
    going_on = gk.solve(program, times, on_singular="continue")
    found = routes.solve(program, times, workers=2, split="time", on_singular="continue")
    same(found, going_on)
    assert found is not None
    assert found.passages == going_on.passages


class Breaks(Law):
    """A law of Python's that has no values behind 0.7 s."""

    def at(self, times):  # type: ignore[no-untyped-def]
        t = np.atleast_1d(times)
        if t.size > 2 and t.max() > 0.7:
            raise LawError("the driver broke")
        return np.stack([t, np.ones(t.size), np.zeros(t.size)])


def test_laws_in_python_are_evaluated_by_all_and_their_errors_raised() -> None:
    crank = replace(parallelogram(), drivers=[gk.Driver("A", Breaks())])
    with pytest.raises(LawError, match="the driver broke"):
        routes.solve(crank, np.linspace(0.0, 1.0, 50_000), workers=2, split="time")
    times = np.linspace(0.0, 0.6, 50_000)
    same(routes.solve(gk.program(crank), times, workers=2, split="time"), gk.solve(gk.program(crank), times))


def test_a_solution_can_be_interrupted(monkeypatch: pytest.MonkeyPatch) -> None:
    program, times = described("rotor_control", 50_000)
    solve, calls = shared_time.fill_span, []

    def interrupted(*given):  # type: ignore[no-untyped-def]
        calls.append(threading.current_thread())
        if len(calls) == 3:
            raise KeyboardInterrupt
        return solve(*given)

    monkeypatch.setattr(shared_time, "fill_span", interrupted)
    with pytest.raises(KeyboardInterrupt):
        routes.solve(program, times, workers=2, split="time")
    assert len(calls) < 16  # nobody takes all that is left


# --- what is asked for ---------------------------------------------------------------------------


def test_arguments_are_those_of_the_plain_call() -> None:
    file = gk.read(EXAMPLES / "planar_3rrr.toml")
    told: list[tuple[int, int]] = []
    for workers in (1, 2):
        told.clear()
        found = routes.solve(
            file, workers=workers, split="time", keep=["position stage"] if "stage" in file.mechanism.body else None,
            solver="newton", progress=lambda done, steps: told.append((done, steps)),
        )  # fmt: skip
        assert found is not None
        same(found, gk.solve(file, solver="newton"))
        assert told[-1] == (file.motion.times.size,) * 2
    program, times = described("four_bar", 101)
    kept = routes.solve(program, times, workers=2, split="time", keep=["angle coupler"])
    assert kept is not None
    assert [str(each) for each in kept.keep or ()] == ["angle coupler"]


def test_what_is_no_use_together_is_refused() -> None:
    program, times = described("four_bar", 101)
    with pytest.raises(ArgumentError, match="share time"):
        routes.solve(program, times, workers=2, split="groups", block=16, on_singular="continue")
    with pytest.raises(RouteError, match="3 workers cannot be divided into pairs"):
        routes.solve(program, times, workers=3, split="hybrid")
    with pytest.raises(ArgumentError, match="on_singular"):
        routes.solve(program, times, on_singular="perhaps")
    with pytest.raises(GroupkinError, match="same program"):
        routes.solve(program, times, workers=2, split="time", out=gk.solve(program, times[:50]))


@pytest.mark.parametrize("split", ["groups", "time"])
def test_memory_is_used_again(split: str) -> None:
    program, times = described("stewart_inverse", 501)
    first = routes.solve(program, times, workers=2, split=split, block=64, route="parallel")
    assert first is not None
    again = routes.solve(program, times, workers=2, split=split, block=64, route="parallel", out=first)
    assert again is not None
    assert again.q is first.q


def test_few_steps_are_left_to_one_worker() -> None:
    program, times = described("four_bar", 101)
    best = routes.choose_route(program, times, 2).best
    assert (best.workers, best.split) == (1, "time")
    same(routes.solve(program, times, workers=2), gk.solve(program, times))
