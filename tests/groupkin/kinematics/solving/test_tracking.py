"""Groups solved by iteration stay in their assembly mode however far apart the times are."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from groupkin.errors import CannotAssembleError, LawError, SingularPositionError
from groupkin.kinematics.program import closed_forms
from groupkin.kinematics.program.building import build
from groupkin.kinematics.program.program import Program
from groupkin.kinematics.solver import solve
from groupkin.kinematics.solving.tracking import track
from groupkin.mechanism.laws import Harmonic, Law, Polynomial, Ramp, Samples
from groupkin.mechanism.mechanism import Driver, Joint, Mechanism
from groupkin.structure.generation import generate
from sglibrary import status as codes
from sglibrary.catalog import GROUPS, Solver
from sglibrary.iterative.knots import TIME
from tests.support import oracle
from tests.support.random_mechanisms import JIT, Workshop

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
def test_the_mode_is_that_of_the_closed_form_at_times_far_apart(monkeypatch: pytest.MonkeyPatch) -> None:
    """Several swings of the drivers between two times: the sign of a closed form does not depend on the past."""

    @settings(
        max_examples=80 if JIT else 3,
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
    )
    @given(st.sampled_from(MODES), st.integers(0, 2**32 - 1), st.floats(0.1, 1.0))
    def check(solver: Solver, seed: int, amplitude: float) -> None:
        rng = np.random.default_rng(seed)
        shop = Workshop(solver.dimension, rng, amplitude)
        shop.grow(solver.chain, [shop.moving_body(), shop.moving_body()])
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
