"""Groups solved by iteration stay in their assembly mode however far apart the times are."""

from __future__ import annotations

import time
import warnings
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from groupkin.errors import (
    CannotAssembleError,
    GroupkinWarning,
    LawError,
    SingularPositionError,
    SolveError,
    TooManyKnotsError,
)
from groupkin.kinematics.program import closed_forms
from groupkin.kinematics.program.building import build
from groupkin.kinematics.program.program import Program
from groupkin.kinematics.solver import solve
from groupkin.kinematics.solving import tracking
from groupkin.kinematics.solving.tracking import track
from groupkin.mechanism.files.reading import load
from groupkin.mechanism.laws.laws import Constant, Harmonic, Law, Polynomial, Ramp, Samples
from groupkin.mechanism.mechanism import Driver, Joint, Mechanism
from groupkin.structure.generation import generate
from sglibrary import status as codes
from sglibrary.catalog import GROUPS, Solver
from sglibrary.iterative.knots import TIME
from tests.support import oracle
from tests.support.paths import EXAMPLES
from tests.support.random_mechanisms import JIT, Workshop
from tests.support.shares import in_part

MODES = [solver for solver in GROUPS if solver.modes]


def iterated(mechanism: Mechanism, monkeypatch: pytest.MonkeyPatch) -> Program:
    """The mechanism's program with every group solved by iteration."""
    with monkeypatch.context() as patched:
        patched.setattr(closed_forms, "roles", lambda group: None)
        return build(mechanism)


def linkage(law: Law, points: dict[str, tuple[float, float]]) -> Mechanism:
    joints = [
        Joint("A", "R", ("ground", "crank"), point="A"),
        Joint("B", "R", ("crank", "coupler"), point="B"),
        Joint("C", "R", ("coupler", "rocker"), point="C"),
        Joint("D", "R", ("rocker", "ground"), point="D"),
    ]
    return Mechanism(2, ["ground", "crank", "coupler", "rocker"], joints, [Driver("A", law)], points=points)


OPEN = {"A": (0.0, 0.0), "B": (0.0, 1.0), "C": (3.0, 2.5), "D": (3.0, 0.0)}
PARALLELOGRAM = {"A": (0.0, 0.0), "B": (0.5, 1.0), "C": (3.5, 1.0), "D": (3.0, 0.0)}


@pytest.mark.filterwarnings("ignore:.*passes a singular position between")  # such motions are not compared
@pytest.mark.parametrize("examples", in_part([8, 80], 2))
def test_the_mode_is_that_of_the_closed_form_at_times_far_apart(examples: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Several swings of the drivers between two times: the sign of a closed form does not depend on the past."""

    @settings(
        max_examples=examples if JIT else 3,
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
    )
    @given(st.sampled_from(MODES), st.integers(0, 2**32 - 1), st.floats(0.1, 1.0))
    def check(solver: Solver, seed: int, amplitude: float) -> None:
        rng = np.random.default_rng(seed)
        shop = Workshop(solver.dimension, rng, amplitude)
        shop.make_tree(solver.chain, [shop.moving_body(), shop.moving_body()])
        mechanism = shop.mechanism()
        try:
            dense = solve(mechanism, np.linspace(0.0, 5.0, 1001 if JIT else 101), on_failure="nan")
        except LawError:  # the random carrier turns too far
            assume(False)
        assume(dense.solved.all() and dense.conditioning.min() > 0.01)
        times = np.sort(rng.uniform(0.0, 5.0, 6))
        closed, found = solve(mechanism, times), solve(iterated(mechanism, monkeypatch), times)
        gap = oracle.differences(oracle.of_motion(closed), oracle.of_motion(found), closed.program.geometry.size)
        assert gap.max() < 1e-9 / dense.conditioning.min()

    check()


@pytest.mark.parametrize("law", [Ramp(2 * np.pi), Harmonic(3.0, 2.0), Polynomial((0.0, 0.0, 40.0))])
@pytest.mark.parametrize("count", [2, 5, 301])
def test_a_crank_turns_any_number_of_times_between_two_steps(
    law: Law, count: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    mechanism, times = linkage(law, OPEN), np.linspace(0.0, 1.7, count)
    closed, found = solve(mechanism, times), solve(iterated(mechanism, monkeypatch), times)
    np.testing.assert_allclose(found.position("C"), closed.position("C"), atol=1e-10)
    np.testing.assert_allclose(found.acceleration("C"), closed.acceleration("C"), rtol=1e-8, atol=1e-8)


def test_a_blow_between_two_times_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """The driver rests at all times asked for, and goes out and back by most of its reach between two of them."""
    rest = (0.0, 0.0, 0.0)
    law = Samples((0.0, 1.1, 1.5, 1.9, 5.0), (0.0, 0.0, 2.5, 0.0, 0.0), (*rest, 0.0, 0.0), (*rest, 0.0, 0.0))
    program = iterated(linkage(law, OPEN), monkeypatch)
    times = np.arange(6.0)
    motion = solve(program, times)
    np.testing.assert_allclose(motion.rotation("rocker"), np.eye(2) + np.zeros((6, 1, 1)), atol=1e-9)
    knots = track(program, times, False)[-1][2:].reshape(-1, program.calls[-1].knot.size)[:, TIME]  # type: ignore[union-attr]
    assert ((knots > 1.1) & (knots < 1.9)).sum() > 4


def test_knots_do_not_depend_on_the_times_between(monkeypatch: pytest.MonkeyPatch) -> None:
    program = iterated(linkage(Ramp(5.0), OPEN), monkeypatch)
    few, many = track(program, np.array([0.0, 2.0]), False), track(program, np.linspace(0.0, 2.0, 99), False)
    for one, other in zip(few, many, strict=True):
        np.testing.assert_array_equal(one, other)


class InPython(Law):
    """A harmonic that is known by its values alone."""

    def at(self, times: object) -> np.ndarray:
        return Harmonic(3.0, 0.5).at(np.atleast_1d(np.asarray(times, float)))

    @property
    def everywhere(self) -> bool:
        return True


@pytest.mark.parametrize("points", [OPEN, OPEN | {"C": (1.6, 1.4), "D": (2.4, 0.0)}], ids=["whole", "out of reach"])
@pytest.mark.parametrize("resume", [False, True])
def test_laws_in_python_lead_to_the_same_knots(
    points: dict[str, tuple[float, float]], resume: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Compiled code stops for their values and goes on with them."""
    times = np.linspace(0.0, 4.0, 91)
    coded, given = (iterated(linkage(law, points), monkeypatch) for law in (Harmonic(3.0, 0.5), InPython()))
    for one, other in zip(track(coded, times, resume), track(given, times, resume), strict=True):
        np.testing.assert_array_equal(one, other)


def test_knots_do_not_depend_on_the_room_for_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """They are moved when they need more of it."""
    program, times = iterated(six_bar(Ramp(2 * np.pi)), monkeypatch), np.linspace(0.0, 10.0, 11)
    at_once = track(program, times, False)
    monkeypatch.setattr(tracking, "ROOM", tracking.TOGETHER)
    in_pieces = track(program, times, False)
    assert min(knots[0] for knots in at_once if knots.size > 1) > tracking.TOGETHER
    for one, other in zip(at_once, in_pieces, strict=True):
        np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("name", ["stephenson_six_bar", "planar_3rrr", "rotor_control"])
def test_a_motion_that_is_filled_again_is_that_of_a_new_one(name: str) -> None:
    """At more knots than there is room for, at fewer, from a start away from the reference, and backward."""
    program = build(load(EXAMPLES / f"{name}.toml"))
    motion = solve(program, np.linspace(0.0, 1.0, 41))
    for first, last in [(0.0, 1.0), (0.0, 7.0), (0.0, 0.2), (0.3, 1.0), (1.0, 0.0)]:
        times = np.linspace(first, last, 41)
        motion, expected = solve(program, times, out=motion), solve(program, times)
        for found in ("q", "v", "a", "conditioning", "status"):
            np.testing.assert_array_equal(getattr(motion, found), getattr(expected, found))


def test_times_may_run_backward(monkeypatch: pytest.MonkeyPatch) -> None:
    program = iterated(linkage(Ramp(5.0), OPEN), monkeypatch)
    times = np.linspace(0.0, 2.0, 50)
    forward, backward = solve(program, times), solve(program, times[::-1])
    np.testing.assert_allclose(backward.position("C")[::-1], forward.position("C"), atol=1e-10)
    np.testing.assert_allclose(backward.acceleration("C")[::-1], forward.acceleration("C"), atol=1e-7)


def test_a_swap_at_a_singular_position_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    """A parallelogram that folds flat could go on as an antiparallelogram: neither is chosen in silence."""
    program = iterated(linkage(Ramp(1.0), PARALLELOGRAM), monkeypatch)
    flat = np.arctan2(1.0, 0.5)  # clockwise
    before = solve(program, np.linspace(0.0, -flat + 0.01, 20))
    assert before.conditioning[-1, -1] < before.conditioning[-1, 0]
    with pytest.raises(SingularPositionError, match="singular position"):
        solve(program, np.linspace(0.0, -2.0, 20))


def test_what_comes_after_a_gap_is_in_the_same_mode(monkeypatch: pytest.MonkeyPatch) -> None:
    """A crank swings out of reach and back: the closed form knows its sign, Newton the sign of its determinant."""
    points = OPEN | {"C": (1.6, 1.4), "D": (2.4, 0.0)}
    mechanism, times = linkage(Harmonic(3.0, 0.5), points), np.linspace(0.0, 4.0, 91)
    closed = solve(mechanism, times, on_failure="nan")
    found = solve(iterated(mechanism, monkeypatch), times, on_failure="nan")
    assert 10 < closed.solved.sum() < 80
    np.testing.assert_array_equal(found.solved, closed.solved)
    np.testing.assert_allclose(found.position("C"), closed.position("C"), atol=1e-8)
    assert set(found.status[-1, ~found.solved]) == {codes.CANNOT_ASSEMBLE}


def test_beyond_reach_is_an_error_with_the_time(monkeypatch: pytest.MonkeyPatch) -> None:
    points = OPEN | {"C": (1.6, 1.4), "D": (2.4, 0.0)}
    program = iterated(linkage(Harmonic(3.0, 0.5), points), monkeypatch)
    times = np.linspace(0.0, 1.0, 41)
    with pytest.raises(CannotAssembleError, match="cannot be assembled") as caught:
        solve(program, times)
    last = int(caught.value.motion.solved.sum())
    assert caught.value.time == times[last]
    assert caught.value.motion.solved[:last].all()


@pytest.mark.parametrize("steps", [2, 3, 6, 11])
def test_few_times_after_a_gap_are_looked_at_one_by_one(steps: int) -> None:
    """The times asked for are farther apart than the drivers may move in one step of what is followed."""
    mechanism = generate(3, 1, 1, True)
    motion = solve(mechanism, np.linspace(0.0, 6.3, steps), on_failure="nan")
    assert motion.solved[0]
    assert not motion.solved.all()
    with pytest.raises(CannotAssembleError, match="there or on the way there from the step before; solved up to"):
        solve(mechanism, [0.0, 2 * np.pi])  # where it would close again


# --- no step is lost -------------------------------------------------------------------------


def six_bar(law: Law, scale: float = 1.0) -> Mechanism:
    """A mechanism with a triad, in other sizes."""
    mechanism = load(EXAMPLES / "stephenson_six_bar.toml")
    points = {name: scale * np.array(at) for name, at in mechanism.points.items()}
    return replace(mechanism, points=points, drivers=[Driver("O", law)])


@pytest.mark.skipif(not JIT, reason="a thousand knots")
def test_a_step_whose_pivots_become_small_while_it_is_solved() -> None:
    """So that its rows change places on the way."""
    program = build(six_bar(Ramp(2 * np.pi), scale=0.01))
    between = solve(program, [0.0, 1.76220176, 100.0]).q[:, 1]
    np.testing.assert_allclose(between, solve(program, [1.76220176]).q[:, 0], atol=1e-12)


@pytest.mark.parametrize("near", [1e-4, 3e-5, 1e-5, 3e-6])
def test_every_step_near_a_singular_position_is_solved(near: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rounding errors over the conditioning are all that is left of Newton's steps there."""
    mechanism = linkage(Ramp(1.0), PARALLELOGRAM)
    flat = -np.arctan2(1.0, 0.5)
    times = np.append(0.0, flat + near * np.linspace(3.0, 1.0, 101))
    closed, found = solve(mechanism, times), solve(iterated(mechanism, monkeypatch), times)
    gap = np.abs(found.position("C") - closed.position("C")).max(axis=1)
    assert (gap < 1e-14 / closed.conditioning[-1]).all()


# --- nan and raise ---------------------------------------------------------------------------


def behind_a_closed_form() -> Mechanism:
    """A body on a rod, out of reach for a while, and a group solved by Newton's method that hangs on it."""
    joints = [
        Joint("A", "R", ("f", "a"), point=(0.0, 0.0)),
        Joint("B", "SPSP", ("a", "c"), points=((0.0, 2.0), (2.0, 2.5))),
        Joint("E", "R", ("c", "f"), point=(3.0, 1.8)),
        Joint("G", "P", ("c", "d"), point=(2.4, 2.2), axis=(0.4, 0.9)),
        Joint("H", "R", ("d", "e"), point=(3.0, 4.0)),
        Joint("K", "SPSP", ("e", "f"), points=((4.0, 4.5), (6.0, 0.0))),
    ]
    return Mechanism(2, list("facde"), joints, [Driver("A", Harmonic(0.3, 1.0)), Driver("H", Ramp(0.2))])


def out_of_reach(seed: int) -> Mechanism:
    """A linkage of random size whose crank swings, out of reach and back for some of them."""
    rng = np.random.default_rng(seed)
    points = {name: np.add(at, rng.uniform(-0.4, 0.4, 2)) for name, at in (OPEN | {"C": (1.6, 1.4)}).items()}
    return linkage(Harmonic(rng.uniform(0.5, 3.0), rng.uniform(0.2, 1.0)), points | {"D": (2.4, 0.0)})


def require_the_same_failure(program: Program, times: np.ndarray) -> bool:
    """Both ways to treat failures end at the same step; whether there is one."""
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always", GroupkinWarning)
        going_on = solve(program, times, on_failure="nan")
    if going_on.solved.all() and not told:
        solve(program, times)
        return False
    with pytest.raises(SolveError) as caught:
        solve(program, times)
    error = caught.value
    step = int(np.flatnonzero(times == error.time)[0])
    by_crossing = any(f"{error.time:.6g} s: from there on" in str(one.message) for one in told)
    assert by_crossing or going_on.status[error.group - 1, step] not in (codes.SOLVED, codes.NO_INPUT)
    assert going_on.solved[:step].all()
    np.testing.assert_array_equal(error.motion.q[:, :step], going_on.q[:, :step])
    return True


def test_a_group_behind_one_that_was_out_of_reach_on_the_way() -> None:
    program, times = build(behind_a_closed_form()), np.array([0.0, 0.5])
    assert require_the_same_failure(program, times)
    with pytest.raises(CannotAssembleError, match=r"group 3 \(d, e; .*there or on the way there"):
        solve(program, times)


@pytest.mark.parametrize("steps", in_part([2, 3, 4, 7, 12, 40], 2))
def test_both_ways_to_treat_failures_see_the_same(steps: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Steps are so far apart that linkages go out of reach and come back between two of them."""
    failed = 0
    for seed in range(12 if JIT else 3):
        mechanism = out_of_reach(seed)
        for program in (build(mechanism), iterated(mechanism, monkeypatch)):
            failed += require_the_same_failure(program, np.linspace(0.0, 3.0, steps))
    assert failed


def test_after_the_step_that_fails_a_group_is_followed_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """Out of reach in the middle of every second swing, where no step is."""
    program = iterated(linkage(Harmonic(3.0, 0.5), OPEN | {"C": (1.6, 1.4), "D": (2.4, 0.0)}), monkeypatch)
    motion = solve(program, np.array([0.0, 0.98, 1.0, 1.5, 2.0, 2.98, 3.0]), on_failure="nan")
    assert motion.solved.tolist() == [True, False, True, True, True, False, True]


class Broken(Law):
    """A law without a value after half a second."""

    def at(self, times: object) -> np.ndarray:
        t = np.atleast_1d(np.asarray(times, float))
        return np.where(t > 0.5, np.nan, np.stack([0.1 * t, 0.1 + 0.0 * t, 0.0 * t]))

    @property
    def everywhere(self) -> bool:
        return True


def test_a_law_without_a_value_is_said() -> None:
    with pytest.raises(CannotAssembleError, match="the value of a driver is no finite number") as caught:
        solve(linkage(Broken(), OPEN), [0.0, 0.4, 0.6])
    assert caught.value.time == 0.6


# --- no search without end -------------------------------------------------------------------

ENDLESS = {
    "a frequency": (Harmonic(0.3, 1e15), [0.0, 1.0]),
    "a frequency in another unit": (Harmonic(0.3, 1e6), [0.0, 1.0]),
    "small and fast": (Harmonic(1e-12, 1e15), [0.0, 1.0]),
    "a rate": (Ramp(2 * np.pi * 1e6), [0.0, 1.0]),
    "a time": (Ramp(1.0), np.linspace(0.0, 1e8, 21)),
    "the way to the first time": (Ramp(1.0), [1e9]),
    "no finite rate": (Polynomial((*[0.0] * 9, 1e50)), [0.0, 1e40]),
}


@pytest.mark.parametrize(("law", "times"), ENDLESS.values(), ids=ENDLESS)
@pytest.mark.parametrize("on_failure", ["raise", "nan"])
@pytest.mark.filterwarnings("ignore:overflow:RuntimeWarning")  # of kernels without the compiler
def test_what_takes_too_many_knots_is_refused_at_once(law: Law, times: np.ndarray, on_failure: str) -> None:
    program, began = build(six_bar(law)), time.perf_counter()
    with pytest.raises(TooManyKnotsError, match=r"driver of joint 'O' \(angle\): at .* rad/s.* knots") as caught:
        solve(program, times, on_failure=on_failure)
    assert time.perf_counter() - began < 5.0
    assert caught.value.joint == "O"
    assert caught.value.knots > 2e5


def test_many_turns_are_not_refused() -> None:
    """The drivers of closed forms may do what they like, and those of others a million steps of an ordinary motion."""
    assert solve(linkage(Ramp(1e9), OPEN), [0.0, 1.0]).solved.all()
    tracking._require_few(build(six_bar(Ramp(2 * np.pi))), np.array([0.0, 2e4]), tracking.MOST)


def test_what_the_estimate_does_not_see_ends_as_well(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tracking, "MOST", 5)
    monkeypatch.setattr(tracking, "_estimate", lambda program, times: [(0.0, 0.0)])
    with pytest.raises(TooManyKnotsError):
        solve(six_bar(Ramp(100.0)), [0.0, 1.0])


def test_times_that_can_hardly_be_told_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    """A crank leaves its reach within few roundings of the time."""
    start = 1e9
    law = Samples((start, start + 1e-5), (0.0, 3.0), (0.0, 0.0), (0.0, 0.0))
    program = iterated(linkage(law, OPEN | {"C": (1.6, 1.4), "D": (2.4, 0.0)}), monkeypatch)
    with pytest.raises(SolveError):
        solve(program, [start, start + 1e-5])


def test_a_mechanism_at_rest_takes_no_knots(monkeypatch: pytest.MonkeyPatch) -> None:
    program = iterated(linkage(Constant(0.0), OPEN), monkeypatch)
    assert solve(program, [0.0, 1e12]).solved.all()
