"""Solving: times, failures, sub-steps, blocks and memory that is used again."""

from __future__ import annotations

from copy import copy
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import ArrayLike, NDArray

from groupkin.errors import (
    CannotAssembleError,
    DeterminedByCountOnlyError,
    GroupkinError,
    LawError,
    NotAssembledError,
    TimesError,
)
from groupkin.kinematics.motion.motion import Motion
from groupkin.kinematics.program import closed_forms
from groupkin.kinematics.program.building import build
from groupkin.kinematics.solver import solve, warm_up
from groupkin.kinematics.solving import crossings, motion_memory
from groupkin.kinematics.solving.run import check_times, crossed
from groupkin.mechanism.laws.laws import Constant, Harmonic, Law, Polynomial, Ramp, Spline
from groupkin.mechanism.mechanism import Body, Driver, Joint, Mechanism
from sglibrary import status as codes
from sglibrary.run.near_singular import FEW, touching
from tests.support.mechanisms import crank_rocker
from tests.support.random_mechanisms import JIT

Array = NDArray[np.float64]

STEPS = 200 if JIT else 20


def robot(law: Law) -> Mechanism:
    """A platform on three legs, each of two bodies, whose crank angles are driven: one group of four bodies."""
    rng = np.random.default_rng(4)
    joints, drivers, bodies = [], [], ["ground", "platform"]
    for k, angle in enumerate((0.3, 2.4, 4.5)):
        out = np.array([np.cos(angle), np.sin(angle)])
        foot, knee, top = 2.0 * out, 1.2 * out + rng.uniform(0.4, 0.6) * np.array([-out[1], out[0]]), 0.4 * out
        bodies += [f"upper{k}", f"lower{k}"]
        joints += [
            Joint(f"foot{k}", "R", ("ground", f"lower{k}"), point=foot),
            Joint(f"knee{k}", "R", (f"lower{k}", f"upper{k}"), point=knee),
            Joint(f"top{k}", "R", (f"upper{k}", "platform"), point=top),
        ]
        drivers.append(Driver(f"foot{k}", law if k == 0 else Harmonic(0.1, 0.5)))
    return Mechanism(2, bodies, joints, drivers)


def same(first: Motion, second: Motion, tolerance: float) -> None:
    for name in ("q", "v", "a"):
        np.testing.assert_allclose(getattr(first, name), getattr(second, name), rtol=0, atol=tolerance)


# --- times -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("times", "message"),
    [
        ([0.0, np.nan, 1.0], r"times\[1\] is not a finite number"),
        ([0.0, 1.0, np.inf], r"times\[2\] is not a finite number"),
        ([0.0, 1.0, 0.5], r"times must go one way: times\[1\] = 1 s is followed by 0.5 s"),
        ([1.0, 1.0, 0.5, 0.75], r"times\[2\] = 0.5 s is followed by 0.75 s"),
        ([[0.0, 1.0]], r"not of shape \(1, 2\)"),
        ([], r"not of shape \(0,\)"),
        ("soon", "times must be numbers in seconds, not 'soon'"),
    ],
)
def test_wrong_times_are_refused(times: Any, message: str) -> None:
    with pytest.raises(TimesError, match=message):
        solve(crank_rocker(), times)


@pytest.mark.parametrize("times", [0.5, [0.5], [3.0, 2.0, 2.0], [1.0, 1.0, 2.0], np.array([1, 2])])
def test_times_that_go_one_way_are_taken(times: ArrayLike) -> None:
    np.testing.assert_array_equal(check_times(times), np.atleast_1d(np.asarray(times, float)))


@pytest.mark.parametrize("mechanism", [crank_rocker(), robot(Harmonic(0.3, 0.5))], ids=["closed form", "Newton"])
class TestAnyOrderOfTimes:
    times = np.linspace(0.0, 1.0, 41 if JIT else 9)

    def test_decreasing(self, mechanism: Mechanism) -> None:
        forward, backward = solve(mechanism, self.times), solve(mechanism, self.times[::-1])
        for name in ("q", "v", "a"):  # Newton ends within rounding of the same point from either side
            np.testing.assert_allclose(getattr(backward, name)[:, ::-1], getattr(forward, name), atol=1e-10)

    def test_single(self, mechanism: Mechanism) -> None:
        motion = solve(mechanism, self.times)
        for k in (0, 4, -1):
            same(solve(mechanism, self.times[k]), motion.at(np.array([k])), 1e-10)

    def test_repeated(self, mechanism: Mechanism) -> None:
        motion, thrice = solve(mechanism, self.times), solve(mechanism, np.repeat(self.times, 3))
        for k in range(3):  # exactly equal states for equal times
            np.testing.assert_array_equal(thrice.q[:, k::3], thrice.q[:, ::3])
            np.testing.assert_array_equal(thrice.v[:, k::3], thrice.v[:, ::3])
            np.testing.assert_array_equal(thrice.a[:, k::3], thrice.a[:, ::3])
        for name in ("q", "v", "a"):
            np.testing.assert_allclose(getattr(thrice, name)[:, ::3], getattr(motion, name), atol=1e-10)


# --- failures --------------------------------------------------------------------------------


LIMITED = 1.5  # a rocker too short for the crank to turn fully


@pytest.mark.smoke
def test_out_of_reach_raises_with_group_time_names_and_what_was_solved() -> None:
    mechanism, times = crank_rocker(rocker=LIMITED), np.linspace(0.0, 1.0, STEPS)
    with pytest.raises(CannotAssembleError) as caught:
        solve(mechanism, times)
    error, failed = caught.value, int(np.flatnonzero(times == caught.value.time)[0])
    message = rf"group 2 (coupler, rocker; 3R2D) at t = {error.time:.6g} s cannot be assembled"
    assert message in str(error)
    assert f"There A is driven to {2 * np.pi * error.time:.6g} rad; reference 0 rad. Shorten" in str(error)
    assert error.group == 2
    assert 0 < failed < STEPS - 1
    assert error.motion.solved.tolist() == [True] * failed + [False] * (STEPS - failed)
    before = solve(mechanism, times[:failed])
    for name in ("q", "v", "a"):
        np.testing.assert_array_equal(getattr(error.motion, name)[:, :failed], getattr(before, name))
        assert np.isnan(getattr(error.motion, name)[:, failed:]).all()


def test_failure_at_the_first_time_says_that_nothing_was_solved() -> None:
    with pytest.raises(CannotAssembleError, match="no step was solved"):
        solve(crank_rocker(rocker=LIMITED), [0.5, 0.6])


@pytest.mark.parametrize("newton", [False, True])
def test_nan_goes_on_after_a_failure(newton: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    # there and back again: the crank swings out of reach and returns
    mechanism = crank_rocker(Harmonic(3.0, 0.5), rocker=LIMITED)
    times = np.linspace(0.0, 1.0, STEPS + 1)
    if newton:
        monkeypatch.setattr(closed_forms, "roles", lambda group: None)
    motion = solve(build(mechanism), times, on_failure="nan")
    assert set(motion.program.solvers) == ({"Newton"} if newton else {"driven R", "RRR"})
    assert motion.solved[[0, -1]].all()
    assert not motion.solved[STEPS // 2]
    assert np.isnan(motion.position("rocker")[~motion.solved]).all()
    assert np.isfinite(motion.position("crank")).all()
    # an iteration may also run out where nothing can be found
    allowed = {codes.CANNOT_ASSEMBLE, codes.NOT_CONVERGED} if newton else {codes.CANNOT_ASSEMBLE}
    assert set(motion.status[1, ~motion.solved]) <= allowed
    np.testing.assert_allclose(motion.rotation("rocker")[-1], np.eye(2), atol=1e-9)


@pytest.mark.smoke
def test_newton_and_the_closed_form_fail_at_the_same_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    mechanism, times = crank_rocker(Harmonic(3.0, 0.5), rocker=LIMITED), np.linspace(0.0, 0.5, STEPS)
    closed = solve(mechanism, times, on_failure="nan")
    monkeypatch.setattr(closed_forms, "roles", lambda group: None)
    iterated = solve(build(mechanism), times, on_failure="nan")
    np.testing.assert_array_equal(iterated.solved, closed.solved)


def test_what_to_do_on_failure_is_checked() -> None:
    with pytest.raises(ValueError, match='must be "raise" or "nan", not \'ignore\''):
        solve(crank_rocker(), [0.0], on_failure="ignore")


def test_a_driver_without_a_law_is_refused() -> None:
    joint = Joint("A", "R", ("ground", "arm"), point=(0, 0))
    with pytest.raises(LawError, match=r"driver of joint 'A' \(angle\) has no motion law"):
        solve(Mechanism(2, ["ground", "arm"], [joint], [Driver("A")]), [0.0])


def test_an_open_mechanism_is_refused_unless_assembled() -> None:
    points = {"A": (0, 0), "B": (1, 0.1), "C": (3, 2), "D": (4, 0)}
    ends = {"A": ("ground", "crank"), "B": ("crank", "rod"), "C": ("rod", "rocker"), "D": ("rocker", "ground")}
    joints = [Joint(name, "R", bodies, point=name) for name, bodies in ends.items()]
    bodies = ["ground", "crank", Body("rod", lengths={("B", "C"): 3.0}), "rocker"]
    mechanism = Mechanism(2, bodies, joints, [Driver("A", Harmonic(0.2, 1.0))], points=points)
    with pytest.raises(NotAssembledError):
        solve(mechanism, [0.0])
    motion = solve(mechanism, np.linspace(0.0, 1.0, 5), assemble=True)
    rod = motion.position("C") - motion.position("B")
    np.testing.assert_allclose(np.linalg.norm(rod, axis=1), 3.0, rtol=1e-9)  # the assembly's tolerance, well kept


def test_what_is_determined_by_count_only_is_refused() -> None:
    ends = [("ground", "a"), ("a", "b"), ("b", "ground")]
    axes = [(1, 0), (0, 1), (1, 1)]
    joints = [Joint(str(k), "P", e, point=(k, 0), axis=x) for k, (e, x) in enumerate(zip(ends, axes, strict=True))]
    mechanism = Mechanism(2, ["ground", "a", "b"], joints)
    with pytest.raises(DeterminedByCountOnlyError, match=r"group 1 \(a, b; 3P2D\) .* but rank 5|rank 1"):
        solve(mechanism, [0.0])


# --- far from the reference ------------------------------------------------------------------


@pytest.mark.parametrize("start", [2.0, -2.0, 2 * np.pi + 1.0])
def test_a_start_far_from_the_reference_is_reached(start: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """Newton's method gets there in sub-steps, on the branch that the closed form selects by a sign."""
    mechanism, times = crank_rocker(Ramp(1.0, start)), np.linspace(0.0, 0.5, 6)
    closed = solve(mechanism, times)
    monkeypatch.setattr(closed_forms, "roles", lambda group: None)
    iterated = solve(build(mechanism), times)
    for body in mechanism.movable:
        np.testing.assert_allclose(iterated.position(body), closed.position(body), atol=1e-10)
        np.testing.assert_allclose(iterated.angular_velocity(body), closed.angular_velocity(body), atol=1e-10)


def test_steps_too_long_for_newton_are_divided(monkeypatch: pytest.MonkeyPatch) -> None:
    mechanism, times = crank_rocker(Ramp(2 * np.pi)), np.linspace(0.0, 1.0, 4)  # a third of a turn each
    closed = solve(mechanism, times)
    monkeypatch.setattr(closed_forms, "roles", lambda group: None)
    iterated = solve(build(mechanism), times)
    np.testing.assert_allclose(iterated.position("rocker"), closed.position("rocker"), atol=1e-10)
    np.testing.assert_allclose(iterated.acceleration("C"), closed.acceleration("C"), atol=1e-8)


# --- memory and blocks -----------------------------------------------------------------------


def test_out_is_filled_again() -> None:
    ready, times = build(crank_rocker()), np.linspace(0.0, 1.0, 7)
    first = solve(ready, times)
    kept = first.q.copy()
    again = solve(ready, times + 0.1, out=first)
    assert again.q is first.q
    assert again.a is first.a
    np.testing.assert_array_equal(again.q, solve(ready, times + 0.1).q)
    assert not np.array_equal(again.q, kept)
    np.testing.assert_array_equal(again.times, times + 0.1)


def test_memory_of_the_solver_serves_the_motion_it_was_made_for_only() -> None:
    ready, times = build(crank_rocker()), np.linspace(0.0, 1.0, 7)
    first, expected = solve(ready, times), solve(ready, times + 0.1)
    assert solve(ready, times, out=first).memory is first.memory
    assert first.at(np.arange(2)).memory is None
    assert copy(first).memory is None  # and so in another process, where its addresses mean nothing
    elsewhere = replace(first, q=np.full_like(first.q, np.nan))
    for motion in (solve(ready, times + 0.1, out=elsewhere), solve(ready, times + 0.1, out=first, block=3)):
        for name in ("q", "v", "a", "status", "conditioning"):
            np.testing.assert_array_equal(getattr(motion, name), getattr(expected, name))
    assert np.isfinite(elsewhere.q).all()


def test_points_attached_to_other_bodies_are_not_kept_but_read() -> None:
    """The coupler's point is its pin on the crank, and follows from the crank; its other pin is on the rocker too."""
    motion = solve(crank_rocker(), np.linspace(0.0, 1.0, 7))
    program = motion.program
    assert len(motion.q) == 6  # a direction of each body
    assert program.attached
    assert not set(program.attached) & set(program.kept)
    for order in range(3):
        ends = [motion.point_on(body, program.geometry.joints["C"].points[0], order) for body in ("coupler", "rocker")]
        np.testing.assert_allclose(ends[0], ends[1], rtol=0, atol=1e-13 * (2 * np.pi) ** order * 10)
    np.testing.assert_allclose(motion.position("coupler")[:, 0], np.cos(2 * np.pi * motion.times), atol=1e-15)


def test_out_must_fit() -> None:
    ready = build(crank_rocker())
    motion = solve(ready, [0.0, 1.0])
    with pytest.raises(GroupkinError, match="same program with the same number of steps"):
        solve(ready, [0.0], out=motion)
    with pytest.raises(GroupkinError, match="same program"):
        solve(build(crank_rocker()), [0.0, 1.0], out=motion)


def test_out_of_a_failed_solve_is_clean_again() -> None:
    ready, times = build(crank_rocker(Polynomial((0.0, 2 * np.pi)), rocker=LIMITED)), np.linspace(0.0, 1.0, STEPS)
    motion = solve(ready, times, on_failure="nan")
    good = solve(ready, np.linspace(0.0, 0.1, STEPS), out=motion)
    assert good.solved.all()
    assert np.isfinite(good.q).all()


def test_progress_counts_the_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(motion_memory, "LONG", 4)
    seen: list[tuple[int, int]] = []
    solve(crank_rocker(), np.linspace(0.0, 1.0, 10), block=4, progress=lambda *x: seen.append(x))
    assert seen == [(4, 10), (8, 10), (10, 10)]


def test_the_first_failure_is_found_in_a_later_chunk(monkeypatch: pytest.MonkeyPatch) -> None:
    mechanism, times = crank_rocker(rocker=LIMITED), np.linspace(0.0, 1.0, STEPS)
    with pytest.raises(CannotAssembleError) as whole:
        solve(mechanism, times)
    monkeypatch.setattr(motion_memory, "LONG", 2)
    with pytest.raises(CannotAssembleError) as parts:
        solve(mechanism, times, block=2)
    assert parts.value.time == whole.value.time
    np.testing.assert_array_equal(parts.value.motion.q, whole.value.motion.q)


def test_out_in_other_memory_is_refused() -> None:
    ready, times = build(crank_rocker()), np.linspace(0.0, 1.0, 7)
    motion = solve(ready, times)
    with pytest.raises(GroupkinError, match="whole rows in memory"):
        solve(ready, times, out=replace(motion, q=np.asfortranarray(motion.q)))


def test_a_law_that_ends_too_early_is_refused_before_anything_is_solved() -> None:
    ready = build(crank_rocker(Spline(np.linspace(0.0, 1.0, 9), np.linspace(0.0, 1.0, 9))))
    motion = solve(ready, np.linspace(0.0, 1.0, 7))
    kept = motion.q.copy()
    with pytest.raises(LawError, match=r"driver of joint .*: samples cover 0 s to 1 s, .* at t = 1\.5 s"):
        solve(ready, np.linspace(0.0, 1.5, 7), out=motion)
    np.testing.assert_array_equal(motion.q, kept)


def test_a_middle_rotation_driven_past_a_quarter_turn_is_refused() -> None:
    joint = Joint("ball", "S", ("ground", "arm"), point=(0, 0, 0))
    drivers = [Driver("ball", Ramp(1.0), "angle_y"), *(Driver("ball", Constant(), f"angle_{x}") for x in "xz")]
    mechanism = Mechanism(3, ["ground", "arm"], [joint], drivers)
    assert solve(mechanism, [0.0, 1.5]).solved.all()
    with pytest.raises(LawError, match=r"'ball'.* driven to 1\.6 rad at t = 1\.6 s.* must stay within π/2"):
        solve(mechanism, [0.0, 1.5, 1.6])


def test_a_free_middle_rotation_does_not_slip_past_a_quarter_turn() -> None:
    """A tie rod whose spin is held at one end by angle_z: its angle_y reaches π/2 when the knuckle has swung far."""
    joints = [
        Joint("lower", "R", ("chassis", "arm"), point=(0, 0.3, 0.2), axis=(1, 0, 0)),
        Joint("upper", "R", ("chassis", "wish"), point=(0, 0.38, 0.45), axis=(1, 0, -0.08)),
        Joint("low ball", "S", ("arm", "knuckle"), point=(0, 0.7, 0.18)),
        Joint("high ball", "S", ("wish", "knuckle"), point=(-0.02, 0.66, 0.48)),
        Joint("outer", "S", ("tie", "knuckle"), point=(0.13, 0.69, 0.27)),
        Joint("inner", "S", ("chassis", "tie"), point=(0.12, 0.36, 0.28)),
    ]
    drivers = [Driver("lower", Harmonic(np.pi / 18, 1.0)), Driver("outer", Constant(), "angle_z")]
    bodies = ["chassis", "arm", "wish", "knuckle", "tie"]
    motion = solve(Mechanism(3, bodies, joints, drivers), np.linspace(0, 1, 1001), on_failure="nan")
    assert not motion.solved.all()
    # the held angle is what it should be wherever the motion is called solved
    held = motion.joint("outer")[2, motion.solved]
    np.testing.assert_allclose(held, 0.0, atol=1e-9)


@pytest.mark.parametrize("steps", [3, 100, 361, 512, 1000])
def test_what_a_motion_needs_is_compiled_before_its_clock_starts(steps: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The search for singular positions too, for arrays as they lie in memory."""
    layouts: list[bool] = []

    def seen(conditioning: Array, groups: NDArray[np.int64]) -> bool:
        layouts.append(conditioning.flags.c_contiguous)
        return touching(conditioning, groups)

    monkeypatch.setattr(crossings, "touching", seen)
    program, times = build(crank_rocker()), np.linspace(0.0, 0.1, steps)
    warm_up(program, times)
    before = list(layouts)
    crossed(solve(program, times))
    after = layouts[len(before) :]
    assert set(after) <= set(before)
    assert bool(before) == bool(after) == (steps > FEW)
