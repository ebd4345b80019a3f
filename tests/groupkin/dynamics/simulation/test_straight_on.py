"""Motions straight through singular positions that no free coordinates lead through; what is left where they fail."""

from __future__ import annotations

import numpy as np
import pytest

import groupkin as gk
from groupkin.errors import GroupkinWarning, SimulationError
from tests.groupkin.dynamics.simulation.test_simulation import parallelogram


def four_bars(count: int) -> gk.Mechanism:
    """The chain of four-bars of the library of the IFToMM (A02): cranks of 1 m that couplers join at their tops."""

    def bar(name: str, x: float, y: float) -> gk.Body:
        return gk.Body(name, mass=1.0, center=(x, y), inertia=1.0 / 12.0)

    cranks = [bar(f"crank {k}", k, 0.5) for k in range(count + 1)]
    couplers = [bar(f"coupler {k}", k + 0.5, 1.0) for k in range(count)]
    joints = [gk.Joint(f"A{k}", "R", ("frame", f"crank {k}"), point=(k, 0.0)) for k in range(count + 1)]
    for k in range(count):
        joints.append(gk.Joint(f"B{k}", "R", (f"crank {k}", f"coupler {k}"), point=(k, 1.0)))
        joints.append(gk.Joint(f"C{k}", "R", (f"coupler {k}", f"crank {k + 1}"), point=(k + 1.0, 1.0)))
    return gk.Mechanism(2, ["frame", *cranks, *couplers], joints, [gk.Driver("A0")], gravity=(0.0, -9.81))


def test_two_four_bars_go_over_the_top_ten_times_in_line() -> None:
    """The published positions of the first top, to all of their digits."""
    # errors of steps grow a hundredfold in 10 s: with 1e-10 they reach the last digit
    motion = gk.simulate(four_bars(2), [0, 1, 2, 4, 10], {"A0": (0.0, -1.0)}, rtol=1e-12, on_singular="continue")
    published = [0.0, -0.19502030, 0.05781580, 0.11761610, 0.32845811]
    assert np.allclose(-np.sin(motion.joint("A0")[0]), published, rtol=0, atol=5.1e-9)
    assert len(motion.passages) == 10
    times = [0.0, *(x.time for x in motion.passages)]
    in_line = gk.simulate(four_bars(2), times, {"A0": (0.0, -1.0)}, rtol=1e-10, on_singular="continue")
    # times are as exact as the conditioning is straight within 0.02 rad
    assert np.allclose(np.cos(in_line.joint("A0")[0, 1:]), 0.0, rtol=0, atol=1e-3)
    assert all(set(x.groups) == {2, 3} for x in motion.passages)
    assert np.ptp(gk.inverse_dynamics(motion).energy().total) < 1e-9 * 35.835


def test_steps_next_to_a_singular_position_are_solved() -> None:
    """Cranks of a parallelogram that turn evenly; and the coupler stays parallel to the frame."""
    times = np.linspace(0.0, 3.0, 30001)
    motion = gk.simulate(parallelogram(), times, {"A": (0.0, -2.0)}, rtol=1e-11, on_singular="continue")
    assert motion.solved.all()
    assert len(motion.passages) == 2
    assert np.allclose([x.time for x in motion.passages], [np.pi / 4, 3 * np.pi / 4], rtol=0, atol=1e-5)
    for name, rate in (("crank", -2.0), ("coupler", 0.0), ("rocker", -2.0)):
        turned = np.exp(1j * rate * times)
        for order in range(3):
            x, y = motion.rotation_rate(name, order)[:, :, 0].T
            # a velocity is off by roundings over the conditioning squared, an acceleration by its cube
            error = (1e-11, 1e-9, 1e-6)[order]
            assert np.allclose(x + 1j * y, (1j * rate) ** order * turned, rtol=0, atol=error)


def test_what_follows_a_failure_is_nan_where_asked_for() -> None:
    times = np.linspace(0.0, 3.0, 31)
    with pytest.warns(GroupkinWarning, match=r"cannot go on after t = .* the motion is NaN from there on"):
        motion = gk.simulate(parallelogram(), times, {"A": (0.0, -2.0)}, on_failure="nan")
    assert np.array_equal(motion.times, times)
    known = times < np.pi / 4
    assert np.array_equal(motion.solved, known)
    assert np.isnan(motion.position("coupler")[~known]).all()
    assert np.allclose(motion.angle("rocker")[known], -2.0 * times[known], rtol=0, atol=1e-6)
    with pytest.raises(SimulationError):
        gk.simulate(parallelogram(), times, {"A": (0.0, -2.0)})


def test_a_dead_center_is_none_where_it_goes_straight_on() -> None:
    """The end of a slider's way, where another coordinate leads on, straight on or not."""
    engine = gk.Mechanism(
        2,
        [
            "frame",
            gk.Body("crank", mass=1.0, center=(0.3, 0.4), inertia=0.1),
            gk.Body("rod", mass=1.0, center=(1.2, 0.4), inertia=0.2),
            gk.Body("piston", mass=1.0, center=(1.8, 0.0)),
        ],
        [
            gk.Joint("bearing", "R", ("frame", "crank"), point=(0.0, 0.0)),
            gk.Joint("pin", "R", ("crank", "rod"), point=(0.6, 0.8)),
            gk.Joint("wrist", "R", ("rod", "piston"), point=(1.8, 0.0)),
            gk.Joint("bore", "P", ("frame", "piston"), point=(1.8, 0.0), axis=(1.0, 0.0)),
        ],
        [gk.Driver("bore")],
        gravity=(0.0, -9.81),
    )
    times = np.linspace(0.0, 3.0, 31)
    found = [gk.simulate(engine, times, {"bore": (0.0, -6.0)}, rtol=1e-10, on_singular=x) for x in ("fail", "continue")]
    assert found[1].passages == ()
    assert np.ptp(found[0].joint("bearing")) > 2 * np.pi
    assert np.array_equal(found[0].q, found[1].q)
