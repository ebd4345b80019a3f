"""Forces that are functions, compiled and in Python, in inverse dynamics, simulations and small motions."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numba import njit
from numpy.typing import NDArray

import groupkin as gk
from groupkin.dynamics.simulation.simulation import free_motion
from groupkin.errors import ForceError, LoadError, OutputError, QuantityError, SimulationError, UnknownNameError
from tests.support.energy import rate_of_energy
from tests.support.examples import described
from tests.support.loaded import loaded

Array = NDArray[np.float64]
TIMES = np.linspace(0.0, 1.0, 41)


def motor(t: Any, x: Any) -> Any:
    """Torque that falls with the rate of a shaft, and ripples with its angle."""
    return 5.0 - 0.3 * x[1] + 0.1 * np.sin(x[0]) + 0.01 * t


def drag(_: Any, x: Any) -> Any:
    return -4.0 * x[2] * abs(x[2]) - 0.1 * x[4], -3.0 * x[3]


def fan(_: Any, x: Any) -> Any:
    return -0.2 * x[0] * abs(x[0]) + 0.3 * x[1] * x[3]


def muscle(_: Any, x: Any) -> Any:
    return 20.0 * (x[0] - 1.0) ** 3 + 2.0 * x[1]


def four_bar(change: Callable[..., Any]) -> gk.Mechanism:
    """A crank-rocker with four kinds of forces, by functions that are changed somehow."""
    bodies = [
        gk.Body("crank", mass=1.0, center=(0.0, 0.5), inertia=0.1),
        gk.Body("coupler", mass=2.0, center=(1.5, 1.7), inertia=0.3),
        gk.Body("rocker", mass=1.5, center=(3.0, 1.2), inertia=0.2),
    ]
    places = {"A": (0.0, 0.0), "B": (0.0, 1.0), "C": (3.0, 2.5), "D": (3.0, 0.0)}
    names = ["ground", "crank", "coupler", "rocker", "ground"]
    joints = [gk.Joint(x, "R", (names[k], names[k + 1]), point=at) for k, (x, at) in enumerate(places.items())]
    forces = [
        gk.JointForce("motor", "A", function=change(motor)),
        gk.Force("drag", "coupler", (1.0, 2.0), function=change(drag), of=("joint C",), axes="crank"),
        gk.Torque("fan", "rocker", function=change(fan), of=("rotation crank",)),
        gk.Spring("muscle", ("ground", "coupler"), ((1.0, -1.0), (2.0, 2.0)), function=change(muscle)),
    ]
    return gk.Mechanism(2, ["ground", *bodies], joints, [gk.Driver("A")], gravity=(0.0, -9.81), forces=forces)


def test_compiled_functions_do_what_those_in_python_do() -> None:
    """In simulations, whose driver then has nothing to do, and in inverse dynamics, where no power is lost."""
    start: dict[str, Any] = {"A": (0.0, -2.0)}
    every = [four_bar(change) for change in (njit, lambda x: x)]
    for angle in (0.0, 1.0, 4.0):
        first, second = (free_motion(x).accelerations(0.3, np.array([angle]), np.array([-2.0])) for x in every)
        assert first == pytest.approx(second, rel=1e-13)
    motions = [gk.simulate(mechanism, TIMES, start, rtol=1e-11) for mechanism in every]
    for motion in motions:
        forces = gk.inverse_dynamics(motion)
        largest = max(np.abs(forces.force(name)).max() for name in ("motor", "drag", "fan", "muscle"))
        assert np.abs(forces.driver("A")).max() <= 1e-11 * largest
        powers, rates = list(forces.power().values()), rate_of_energy(motion)
        assert np.abs(sum(powers) - sum(rates)).max() <= 1e-11 * max(np.abs(x).max() for x in (*powers, *rates))
    assert np.allclose(forces.force("fan")[:, 0], fan(0.0, _of_fan(motions[1])), rtol=1e-12)


def _of_fan(motion: gk.Motion) -> list[Array]:
    return [motion.angular_velocity("rocker"), *motion.rotation("crank").reshape(-1, 4).T]


def test_functions_in_space_are_given_the_same_in_simulations() -> None:
    """Rotations in balls and bores, rates, axes and points: a driver that leads the same motion has nothing to do."""
    base = loaded(described("spatial_four_bar").mechanism)
    of = (
        "rotation rod",
        "angular_velocity rod",
        "joint bore",
        "joint B",
        "joint_rate B.angle_y",
        "velocity B.z",
        "joint A",
    )

    def push(t: Any, x: Any) -> Any:
        weights = np.arange(1.0, len(x) + 1.0)
        return [(weights * np.sin(x.T + k)).sum(axis=-1) * (1.0 + t) for k in range(3)]

    own = [
        gk.Force("own", "slider", "C", function=push, of=of, axes="bore"),
        gk.Torque("turn", "rod", function=push, of=of, axes="crank"),
        gk.JointForce("in bore", "bore", freedom="angle", function=lambda t, x: np.sin(x).sum(axis=0) + t, of=of),
    ]
    mechanism = replace(base, drivers=[gk.Driver("A")], forces=own)
    motion = gk.simulate(mechanism, np.linspace(0.0, 0.01, 6), {"A": (0.2, 3.0)}, rtol=1e-11)
    forces = gk.inverse_dynamics(motion)
    assert np.abs(forces.driver("A")).max() <= 1e-9 * np.abs(forces.force("own")).max()
    assert np.abs(forces.force("own")).max() > 1.0


def pendulum(function: Callable[..., Any] | None = None, **stated: Any) -> gk.Mechanism:
    arm = gk.Body("arm", mass=2.0, center=(0.0, -0.8), points={"tip": (0.0, -1.0)})
    pin = gk.Joint("pin", "R", ("frame", "arm"), point=(0.0, 0.0))
    forces = [gk.JointForce("own", "pin", function=function, **stated)] if function or stated else []
    return gk.Mechanism(2, ["frame", arm], [pin], gravity=(0.0, -9.81), forces=forces)


def test_rest_and_small_motions_by_a_function_are_those_of_a_spring() -> None:
    spring = gk.JointSpring("own", "pin", stiffness=5.0, damping=2.0, position=0.3)
    expected = gk.equilibrium(replace(pendulum(), forces=[spring]), {"pin": 0.1})
    found = gk.equilibrium(pendulum(njit(lambda _, x: -5.0 * (x[0] - 0.3) - 2.0 * x[1])), {"pin": 0.1})
    assert found.position == pytest.approx(expected.position, rel=1e-10)
    for name in ("mass", "damping", "stiffness"):
        assert np.allclose(getattr(found, name), getattr(expected, name), rtol=1e-8)
    hertz = [0.3, 2.0]
    responses = [x.frequency_response("own", "position tip.x", hertz) for x in (found, expected)]
    assert np.allclose(*responses, rtol=1e-6)


def test_at_rest_rates_are_zero() -> None:
    mechanism = replace(pendulum(lambda t, x: -3.0 * x[1] + x[0]), drivers=[gk.Driver("pin", gk.Ramp(rate=2.0))])
    moving, still = (gk.inverse_dynamics(mechanism, [0.0, 0.5], velocities=x).force("own") for x in (True, False))
    assert moving == pytest.approx([-6.0, -5.0])
    assert still == pytest.approx([0.0, 1.0])


def test_forces_in_the_axes_of_a_joint() -> None:
    """Along a guide that is itself carried by a turning arm."""
    arm, block = gk.Body("arm", mass=1.0, center=(0.0, 0.0), inertia=0.1), gk.Body("block", mass=1.0, center=(0.5, 0.0))
    pin = gk.Joint("pin", "R", ("frame", "arm"), point=(0.0, 0.0))
    guide = gk.Joint("guide", "P", ("arm", "block"), point=(0.5, 0.0), axis=(0.6, 0.8))
    drivers = [gk.Driver("pin", gk.Constant(0.7)), gk.Driver("guide", gk.Constant(0.1))]
    push = gk.Force("push", "block", (0.5, 0.0), (3.0, 0.0), axes="guide")
    mechanism = gk.Mechanism(2, ["frame", arm, block], [pin, guide], drivers, forces=[push])
    forces = gk.inverse_dynamics(mechanism, [0.0])
    assert forces.driver("guide") == pytest.approx([-3.0])
    turned = 0.7 + np.arctan2(0.8, 0.6)
    assert np.allclose(forces.force("push"), [[3.0 * np.cos(turned), 3.0 * np.sin(turned)]])
    free = replace(mechanism, drivers=[gk.Driver("pin"), gk.Driver("guide")])
    simulated = gk.inverse_dynamics(gk.simulate(free, np.linspace(0.0, 0.5, 6), {"pin": (0.0, 1.0)}, rtol=1e-11))
    assert max(np.abs(simulated.driver(name)).max() for name in ("pin", "guide")) <= 1e-10
    with pytest.raises(UnknownNameError, match=r"axes of 'guid', which is no body and no joint \(did you mean guide"):
        replace(mechanism, forces=[replace(push, axes="guid")])


def test_axes_of_joints_in_files(tmp_path: Any) -> None:
    mechanism = replace(pendulum(), forces=[gk.Force("push", "arm", "tip", (3.0, 1.0), axes="pin")])
    gk.save(mechanism, f"{tmp_path}/pushed.toml")
    assert gk.load(f"{tmp_path}/pushed.toml").forces[0] == mechanism.forces[0]


# --- errors ----------------------------------------------------------------------------------


def raises_late(t: Any, _: Any) -> Any:
    if np.any(np.asarray(t) > 0.3):
        raise ValueError("no more fuel")
    return 0.0


WRONG = [
    (lambda t, x: np.where(t < 0.3, 1.0, np.nan), LoadError, r"force 'own': its function gives nan at t = 0.5 s"),
    (raises_late, LoadError, r"force 'own': its function raised ValueError: no more fuel at t = 0.5 s"),
    (lambda t, x: (1.0, 2.0), LoadError, r"must give a number or an array \(3,\) for 3 steps, not an array of shape"),
    (lambda t, x: "strong", LoadError, r"gives nan at t = 0 s"),
    (lambda t: 1.0, LoadError, r"force 'own': its function raised TypeError: .* at t = 0 s"),
    (njit(lambda t, x: (1.0, 2.0)), LoadError, r"must give a number .* not an array of shape \(2,\)"),
    (
        njit(lambda t, x: 1.0 / (0.5 - t)),
        LoadError,
        r"force 'own': its function raised ZeroDivisionError: .* t = 0.5 s",
    ),
    (njit(lambda t, x: np.sqrt(0.3 - t)), LoadError, r"force 'own': its function gives nan at t = 0.5 s"),
]


@pytest.mark.smoke
@pytest.mark.parametrize(("function", "error", "message"), WRONG)
def test_functions_that_give_no_forces_are_named(function: Any, error: type[Exception], message: str) -> None:
    mechanism = replace(pendulum(function), drivers=[gk.Driver("pin", gk.Ramp(rate=1.0))])
    with pytest.raises(error, match=message):
        gk.inverse_dynamics(mechanism, [0.0, 0.5, 1.0])


STOPPING = [
    (lambda t, x: np.where(t < 0.3, 1.0, np.nan), r"after t = 0.3 s: force 'own': its function gives no finite number"),
    (raises_late, r"after t = 0.3 s: force 'own': its function raised ValueError: no more fuel at t = 0.3 s"),
    (njit(lambda t, x: np.sqrt(0.3 - t)), r"after t = 0.3 s: force 'own': its function gives no finite number"),
]


@pytest.mark.parametrize(("function", "message"), STOPPING)
def test_a_simulation_ends_where_a_function_does(function: Any, message: str) -> None:
    with pytest.raises(SimulationError, match=message) as caught:
        gk.simulate(pendulum(function), TIMES, {"pin": 0.5})
    assert caught.value.motion.times[-1] == pytest.approx(0.3, abs=0.03)
    with pytest.raises(LoadError, match="force 'own': its function"):  # and does not begin beyond
        gk.simulate(pendulum(function), [0.5, 1.0], {"pin": 0.5})
    with pytest.raises(LoadError, match="force 'own': its function"):
        gk.equilibrium(pendulum(function), time=0.5)


def test_an_interruption_in_a_function_is_one_of_the_simulation() -> None:
    def interrupted(t: Array, _: Array) -> float:
        if t[0] > 0.3:
            raise KeyboardInterrupt
        return 0.0

    with pytest.raises(KeyboardInterrupt):
        gk.simulate(pendulum(interrupted), TIMES, {"pin": 0.5})


def zero(_: Any, x: Any) -> Any:
    return 0.0 * x[0]


REFUSED = [
    ({"force": 1.0, "function": zero}, ForceError, "either a `force`, with or without a `law`, or a `function`"),
    ({"law": gk.Ramp(1.0), "function": zero}, ForceError, "either a `force`"),
    ({"of": ("velocity tip",), "force": 1.0}, ForceError, "are those of a `function`, which it lacks"),
    ({"freedom": "angle"}, ForceError, "needs either a `force` or a `function`"),
    ({"function": 3.0}, ForceError, "function must be a function, not 3.0"),
    ({"function": njit(lambda t, x: "strong")}, ForceError, "numba cannot compile .*: its result is none"),
    ({"function": njit(lambda t, x: x.size + nothing)}, ForceError, "force 'own': numba cannot compile .*nothing"),  # type: ignore[name-defined]  # noqa: F821
]


@pytest.mark.parametrize(("stated", "error", "message"), REFUSED)
def test_functions_that_are_not_stated_well_are_refused(stated: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        pendulum(**stated)


@pytest.mark.parametrize(
    ("text", "error", "message"),
    [
        (
            "acceleration tip",
            QuantityError,
            "force 'own' is of `acceleration tip`, but a function is given what the state",
        ),
        ("velocity tip.norm", QuantityError, "in components: position, velocity, rotation"),
        ("velocity top", UnknownNameError, "force 'own': there is no body or point 'top'"),
        ("speed tip", QuantityError, "force 'own': .* there is no kind 'speed'"),
    ],
)
def test_quantities_that_no_state_tells_are_refused(text: str, error: type[Exception], message: str) -> None:
    mechanism = pendulum(zero, of=(text,))
    with pytest.raises(error, match=message):
        gk.simulate(mechanism, TIMES)
    with pytest.raises(error, match=message):
        gk.inverse_dynamics(replace(mechanism, drivers=[gk.Driver("pin", gk.Ramp(rate=1.0))]), [0.0])


def test_functions_are_not_in_files_and_other_processes(tmp_path: Any) -> None:
    with pytest.raises(OutputError, match="force 'own' is a function in Python, which files do not hold"):
        gk.save(pendulum(zero), f"{tmp_path}/own.toml")
    with pytest.raises(ForceError, match="cannot be saved or sent to other processes"):
        pickle.dumps(pendulum(zero))
    plain = pendulum(force=2.0)
    assert pickle.loads(pickle.dumps(plain)) == plain
