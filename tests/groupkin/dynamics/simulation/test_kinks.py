"""Steps that end where stops begin to push: rebounds against closed formulas, and what the balance of energy tells."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import groupkin as gk
from groupkin.dynamics.acting.compressions import largest_compressions
from groupkin.errors import EnergyWarning
from tests.groupkin.dynamics.acting.test_stops import MASS, block
from tests.support.command_line import succeeded

K = 40e3
W = np.sqrt(K / MASS)
"""Of the block on its stop, rad/s."""
WAY = 0.1
"""From the start to the upper end, m."""
SPEEDS = np.geomspace(0.01, 20.0, 23)


def buffered(damping: float = 0.0) -> gk.Mechanism:
    """A block without weight between two stops, of which it starts at the lower one."""
    return block(gk.Stop("buffer", "bore", stiffness=K, damping=damping), (0.0, WAY), gravity=0.0)


def rebound(speed: float) -> np.ndarray[Any, np.dtype[np.float64]]:
    """The start, the deepest position, the way back, and deepest at the lower end."""
    return np.cumsum([0.0, WAY / speed + 0.5 * np.pi / W, 0.5 * np.pi / W + 0.5 * WAY / speed, 0.5 * WAY / speed])


@pytest.mark.complete
@pytest.mark.parametrize("speed", SPEEDS)
@pytest.mark.parametrize("rtol", [1e-8, 1e-11])
def test_a_rebound_keeps_its_energy(speed: float, rtol: float) -> None:
    """Depth v / w, and back with the same speed after half an oscillation; errors are ten tolerances at most.

    The absolute tolerance of the speed is that of 1 m/s, so that to 1e-11 all energies are right to 1e-8.
    """
    motion = gk.simulate(buffered(), rebound(speed), {"bore": (0.0, speed)}, rtol=rtol)
    error = 10.0 * rtol * (1.0 + 1.0 / speed)
    expected = [0.0, WAY + speed / W, 0.5 * WAY, 0.0]
    assert np.abs(motion.joint("bore")[0] - expected).max() < error * (WAY + speed / W)
    assert np.abs(motion.joint_rate("bore")[0, [2, 3]] / speed + 1.0).max() < error
    energy = gk.inverse_dynamics(motion).energy().total
    assert np.ptp(energy) < error * energy[0]


ERRORS = {"implicit": 1e-6, "DOP853": 1e-8, "RK45": 1e-6, "RK23": 1e-5, "Radau": 1e-6, "BDF": 1e-4, "LSODA": 1e-4}
"""Shares of the energy at rtol 1e-9, by the order of the method."""


@pytest.mark.parametrize("method", ERRORS)
def test_all_methods_end_steps_at_stops(method: Any) -> None:
    motion = gk.simulate(buffered(), np.linspace(0.0, 0.3, 4), {"bore": (0.0, 1.0)}, method=method, rtol=1e-9)
    energy = gk.inverse_dynamics(motion).energy().total
    assert np.ptp(energy) < ERRORS[method] * energy[0]


def test_many_bumps_keep_the_energy_and_have_the_bits_of_single_simulations() -> None:
    times = np.linspace(0.0, 0.5, 6)
    many = gk.simulate_many(buffered(), times, {"bore": np.stack([0.0 * SPEEDS, SPEEDS], axis=1)})
    assert not many._singly
    for k, speed in enumerate(SPEEDS):
        single = gk.simulate(buffered(), times, {"bore": (0.0, speed)})
        assert (many.values[k] == single.joint("bore")).all()
        assert (many.rates[k] == single.joint_rate("bore")).all()
        energy = gk.inverse_dynamics(single).energy().total
        assert np.ptp(energy) < 1e-7 * energy[0]


@pytest.mark.parametrize("start", [(WAY, 0.0), (WAY, 1.0), (WAY, -1.0), (0.0, 0.0), (WAY + 0.01, 0.0), (WAY, 1e-14)])
def test_starts_at_the_end_of_a_range(start: tuple[float, float]) -> None:
    """At rest there it stays; from beyond it is thrown back."""
    end = 0.25 * np.pi / W
    motion = gk.simulate(buffered(), [0.0, end], {"bore": start})
    beyond, speed = start[0] - WAY, start[1]
    pushed = WAY + beyond * np.cos(W * end) + speed / W * np.sin(W * end)
    free = start[0] + speed * end
    assert abs(motion.joint("bore")[0, -1] - (pushed if beyond > 0.0 or speed > 0.0 else free)) < 1e-9


def test_a_group_by_newtons_method_bumps_against_a_stop() -> None:
    """The angle of the stop is that of a group that is followed; nothing else takes or gives energy."""
    joints = [
        gk.Joint("slot", "CR", ("f", "rod"), point=(-0.043, -0.93), axis=(0.491, -0.871)),
        gk.Joint("pin", "R", ("rod", "crank"), point=(0.625, -0.257)),
        gk.Joint("main", "R", ("f", "crank"), point=(-0.261, -0.612), range=(-0.05, 0.05)),
    ]
    rod = gk.Body("rod", mass=1.332, center=(-0.035, -0.207), inertia=0.2544)
    crank = gk.Body("crank", mass=1.342, center=(-0.661, 0.077), inertia=0.1953)
    stop = gk.Stop("bump", "main", stiffness=500.0)
    mechanism = gk.Mechanism(2, ["f", rod, crank], joints, [gk.Driver("pin")], gravity=(4.47, -3.7), forces=[stop])
    motion = gk.simulate(mechanism, np.linspace(0.0, 0.8, 81), {"pin": (0.0, -0.35)})
    assert largest_compressions(motion)
    assert motion.program.iterates
    energy = gk.inverse_dynamics(motion).energy()
    assert np.ptp(energy.total) < 1e-7 * np.ptp(energy.springs)


def test_steps_of_one_length_that_are_too_long_for_a_stop_are_told() -> None:
    """They pass its ends; the balance of energy takes what it stores from the position."""
    with pytest.warns(EnergyWarning, match="shorter steps") as seen:
        motion = gk.simulate(buffered(), [0.0, 0.15], {"bore": (0.0, 1.0)}, step=5e-3)
    energy = gk.inverse_dynamics(motion).energy().total
    assert abs(energy[-1] / energy[0] - 1.0) > 1e-2
    assert len(seen) == 1


def test_a_driven_frame_does_the_work_of_its_stop() -> None:
    """A stop between two blocks, one of which a law moves: what is stored is not taken for work twice."""
    cart = gk.Body("cart", mass=1.0, center=(0.0, 0.0))
    load = gk.Body("load", mass=MASS, center=(0.0, 0.0))
    rail = gk.Joint("rail", "P", ("frame", "cart"), point=(0.0, 0.0), axis=(1.0, 0.0))
    bore = gk.Joint("bore", "P", ("cart", "load"), point=(0.0, 0.0), axis=(1.0, 0.0), range=(-0.01, 0.01))
    mechanism = gk.Mechanism(
        2,
        ["frame", cart, load],
        [rail, bore],
        [gk.Driver("rail", gk.Harmonic(0.05, 2.0)), gk.Driver("bore")],
        forces=[gk.Stop("buffer", "bore", stiffness=K, damping=0.5)],
    )
    motion = gk.simulate(mechanism, np.linspace(0.0, 2.0, 2001), rtol=1e-10)
    assert {each.end.end for each in largest_compressions(motion)} == {"lower", "upper"}


@pytest.mark.parametrize("damping", [0.0, 2.0])
@pytest.mark.parametrize("steps", [41, 301])
def test_the_largest_compression_is_found_between_steps(damping: float, steps: int) -> None:
    """Undamped v / w; damped by d: δ' solves k δ²/2 = m/d² (d v - ln(1 + d v))  (Hunt and Crossley 1975)."""
    motion = gk.simulate(buffered(damping), np.linspace(0.0, 0.2, steps), {"bore": (0.0, 1.0)}, rtol=1e-11)
    (found,) = largest_compressions(motion)
    share = 1.0 if damping == 0.0 else np.sqrt(2.0 * (damping - np.log1p(damping))) / damping
    depth = share / W
    assert found.depth == pytest.approx(depth, rel=1e-5 if steps == 301 else 2e-2)
    assert found.force == pytest.approx(K * found.depth, rel=1e-9)
    assert (found.name, found.end.end) == ("buffer", "upper")
    if damping == 0.0:
        assert found.time == pytest.approx(WAY + 0.5 * np.pi / W, abs=1e-5 if steps == 301 else 1e-3)


FILE = """
name = "shuttle"
dimension = 2
units = { length = "mm", mass = "kg", force = "N" }
bodies = ["frame", { name = "block", mass = 2, center = [0, 0] }]
joints = [
  { name = "bore", type = "P", bodies = ["frame", "block"], point = [0, 0], axis = [1, 0], range = [0, 100] },
]
forces = [{ name = "buffer", type = "stop", joint = "bore", stiffness = 40 }]
motion = { duration = 0.2, steps = 201 }
"""


def test_the_command_line_prints_compressions(tmp_path: Path) -> None:
    file = tmp_path / "shuttle.toml"
    file.write_text(FILE)
    given = ("simulate", str(file), "--start", "bore=0,1000")
    printed = succeeded(*given)
    assert "\nbuffer: compressed by up to 7.071 mm, 282.8 N, at t = 0.1111" in printed
    assert ", bore at its upper end\n" in printed
    assert "work of drivers" not in printed
    (found,) = json.loads(succeeded(*given, "--json", "--units", "file"))["compressions"]
    assert (found["stop"], found["end"]) == ("buffer", "upper")
    assert found["depth [mm]"] == pytest.approx(1000.0 / W, rel=1e-5)
    assert found["force [N]"] == pytest.approx(K / W, rel=1e-5)
    assert found["time"] == pytest.approx(WAY + 0.5 * np.pi / W, abs=1e-5)
    assert "compressed" not in succeeded("simulate", str(file), "--start", "bore=50,0")
