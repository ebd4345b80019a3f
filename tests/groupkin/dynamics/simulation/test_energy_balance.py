"""The energy that simulations follow: against that of the motion, and where it is lost."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

import groupkin as gk
from groupkin.dynamics.simulation import integration, scipy_methods
from groupkin.dynamics.simulation.free_motion import FreeMotion
from groupkin.dynamics.simulation.integration import Found, integrate
from groupkin.dynamics.simulation.simulation import free_motion
from groupkin.errors import EnergyError, EnergyWarning
from sglibrary.dynamics.energy import FIRST, KINETIC, POTENTIAL, WORK
from sglibrary.dynamics.steps import AT, Integration

Array = NDArray[np.float64]

TIMES = np.linspace(0.0, 1.5, 16)
OIL = gk.JointSpring("oil", "pin", stiffness=3.0, damping=1.0, preload=0.5)
PUSH = gk.Force("push", "tip", (1.6, 0.3), (3.0, 4.0), law=gk.Harmonic(1.0, 0.7))
STEP = gk.Driver("pin", gk.Harmonic(0.5, 0.8))


def chain(dimension: int, **changes: object) -> gk.Mechanism:
    """Two bodies one after another, of which the first may be driven by a law."""
    more = [0.1] * (dimension - 2)
    moments = {2: 0.02, 3: (0.02, 0.05, 0.04)}[dimension]
    axis = {2: {}, 3: {"axis": (0.1, -0.2, 1.0)}}[dimension]
    arm = gk.Body("arm", mass=1.0, center=(1.0, 0.0, *more), inertia=moments)
    tip = gk.Body("tip", mass=0.7, center=(1.5, 0.2, *more), inertia=moments)
    joints = [
        gk.Joint("pin", "R", ("frame", "arm"), point=(0, 0, *more), **axis),
        gk.Joint("elbow", "R", ("arm", "tip"), point=(1, 0.1, *more), **axis),
    ]
    gravity = (0.0, -9.81, *more)
    return gk.Mechanism(dimension, ["frame", arm, tip], joints, gravity=gravity, **changes)  # type: ignore[arg-type]


def pushed(dimension: int) -> gk.Force:
    return PUSH if dimension == 2 else gk.Force("push", "tip", (1.6, 0.3, 0.0), (3.0, 4.0, 1.0), law=PUSH.law)


def balanced(mechanism: gk.Mechanism, method: str) -> tuple[Integration, gk.Motion]:
    """The numbers of a simulation at its end, and its motion."""
    free = free_motion(mechanism)
    found = Found(TIMES, np.zeros((2 * len(free.free), TIMES.size)), [(0, free)])
    for row, driver in zip(found.values, free.free, strict=False):
        row[0] = free.program.drivers[driver].reference
    return integrate(found, method, 1e-9, None), gk.simulate(mechanism, TIMES, method=method, rtol=1e-9)  # type: ignore[arg-type]


@pytest.mark.parametrize("method", ["explicit", "implicit", "DOP853", "RK23", "Radau", "LSODA"])
@pytest.mark.parametrize("dimension", [2, 3])
@pytest.mark.parametrize("driven", [False, True], ids=["free", "driven"])
def test_energies_and_work_are_those_of_the_motion(method: str, dimension: int, driven: bool) -> None:
    """T and V by inverse dynamics, and the work of forces and drivers by quadrature of their powers."""
    drivers = [STEP] if driven else []
    mechanism = chain(dimension, forces=[OIL, pushed(dimension)], drivers=drivers)
    if method == "RK23":
        mechanism = chain(dimension, drivers=drivers)
    run, motion = balanced(mechanism, method)
    found = gk.inverse_dynamics(motion)
    energy = found.energy()
    scale = max(np.ptp(energy.kinetic), np.ptp(energy.gravity))
    assert abs(run.numbers[KINETIC] - energy.kinetic[-1]) < 1e-6 * scale
    assert (
        abs(
            (run.numbers[POTENTIAL] - energy.gravity[-1]) - (run.numbers[FIRST] - energy.kinetic[0] - energy.gravity[0])
        )
        < 1e-6 * scale
    )
    supplied = run.numbers[KINETIC] + run.numbers[POTENTIAL] - run.numbers[FIRST]
    assert abs(run.numbers[WORK] - supplied) < 1e-6 * scale
    assert (abs(run.numbers[WORK]) > 1e-2 * scale) == bool(mechanism.forces or driven)


def losing(monkeypatch: pytest.MonkeyPatch, share: float) -> None:
    """Let simulations lose a share of all rates in the step after 0.7 s."""
    known, lost = integration._advance, list[float]()

    def advance(free: FreeMotion, run: Integration, implicit: bool, most: int, watch: bool) -> int:
        stands = known(free, run, implicit, 1, watch)
        if run.numbers[AT] > 0.7 and not lost:
            lost.append(float(run.numbers[AT]))
            run.y[len(free.free) :] *= 1.0 - share
        return stands

    monkeypatch.setattr(integration, "_advance", advance)


@pytest.mark.parametrize("method", ["explicit", "implicit"])
def test_velocity_that_is_lost_is_an_error(method: str, monkeypatch: pytest.MonkeyPatch) -> None:
    losing(monkeypatch, 0.1)
    with pytest.raises(EnergyError, match="does not balance at t = ") as error:
        gk.simulate(chain(2, name="chain"), TIMES, method=method)  # type: ignore[arg-type]
    assert error.value.mechanism == "chain"
    assert TIMES[0] < error.value.time < TIMES[-1]
    assert error.value.share > 1e-3
    assert error.value.motion is None or error.value.motion.times[-1] <= error.value.time


@pytest.mark.parametrize("method", ["explicit", "implicit"])
def test_a_little_that_is_lost_is_a_warning(method: str, monkeypatch: pytest.MonkeyPatch) -> None:
    losing(monkeypatch, 1e-5)
    with pytest.warns(EnergyWarning, match="balances worse than 1e-06 of what is moved from t = "):
        motion = gk.simulate(chain(2), TIMES, method=method)  # type: ignore[arg-type]
    assert motion.solved.all()


def test_work_that_is_missing_is_an_error_with_scipy(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scipy_methods, "supply", lambda *given: None)
    with pytest.raises(EnergyError):
        gk.simulate(chain(2, forces=[OIL]), TIMES, method="DOP853")


@pytest.mark.parametrize("swing", [0.0, 1e-12, 1e-9, 1e-6, 1e-3])
@pytest.mark.parametrize("stiffness", [0.0, 1.0, 1e6])
@pytest.mark.parametrize("method", ["auto", "implicit", "DOP853"])
def test_small_motions_about_rest_do_not_warn(swing: float, stiffness: float, method: str) -> None:
    """What tolerances leave open is more than what moves."""
    arm = gk.Body("arm", mass=1.0, center=(0.0, -1.0))
    pin = gk.Joint("pin", "R", ("frame", "arm"), point=(0, 0))
    spring = gk.JointSpring("hold", "pin", stiffness=stiffness)
    pendulum = gk.Mechanism(2, ["frame", arm], [pin], gravity=(0.0, -9.81), forces=[spring] if stiffness else [])
    gk.simulate(pendulum, [0.0, 0.3], {"pin": swing}, method=method)  # type: ignore[arg-type]


def test_energy_at_the_dead_center_of_one_unknown() -> None:
    """The free coordinate of a group by Newton's method with one unknown comes to rest at t = 1.62 s.

    Velocity and energy there are those of equations in the coordinates of all bodies, with multipliers.
    """
    joints = [
        gk.Joint("slot", "CR", ("f", "rod"), point=(-0.043, -0.93), axis=(0.491, -0.871)),
        gk.Joint("pin", "R", ("rod", "crank"), point=(0.625, -0.257)),
        gk.Joint("main", "R", ("f", "crank"), point=(-0.261, -0.612)),
    ]
    rod = gk.Body("rod", mass=1.332, center=(-0.035, -0.207), inertia=0.2544)
    crank = gk.Body("crank", mass=1.342, center=(-0.661, 0.077), inertia=0.1953)
    mechanism = gk.Mechanism(2, ["f", rod, crank], joints, [gk.Driver("pin")], gravity=(4.47, -3.7))
    motion = gk.simulate(mechanism, np.linspace(0, 1.8, 361), {"pin": (0.0, -0.35)})
    assert np.allclose(motion.angular_velocity("crank")[324], 3.3503, atol=1e-4)
    energy = gk.inverse_dynamics(motion).energy().total
    assert np.abs(energy - 3.62420).max() < 1e-5
