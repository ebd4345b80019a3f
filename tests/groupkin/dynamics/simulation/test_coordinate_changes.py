"""Free coordinates that are changed along the way: energy, other choices of them, whole turns, what they are."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

import groupkin as gk
from groupkin.dynamics.simulation import integration
from tests.support.mechanisms import crank_rocker, four_bar

Array = NDArray[np.float64]

NO_LINK_TURNS = {"A": (0.0, 0.0), "B": (0.0, 2.0), "C": (1.8, 3.0), "D": (3.0, 0.0)}
"""A frame of 3 m and links of 2, 2.06 and 3.23 m: shortest and longest are longer than both others."""


def swinging(points: dict[str, tuple[float, float]], free: str, **changes: object) -> gk.Mechanism:
    links = ("crank", "coupler", "rocker")
    bodies = ["ground", *(gk.Body(name, mass=1.0, center="middle", inertia=0.1) for name in links)]
    mechanism = four_bar(points, [gk.Driver(free)])
    return replace(mechanism, bodies=bodies, gravity=(0.0, -9.81), **changes)  # type: ignore[arg-type]


def relative_drift(motion: gk.Motion) -> float:
    energy = gk.inverse_dynamics(motion).energy()
    return float(np.ptp(energy.total) / max(np.abs(part).max() for part in energy))


@pytest.fixture
def changes(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Names of the coordinates that are changed to, as it happens."""
    names: list[str] = []
    known = integration.changed

    def told(*given: object) -> object:
        found = known(*given)  # type: ignore[arg-type]
        names.extend([] if found is None else found[0].names)
        return found

    monkeypatch.setattr(integration, "changed", told)
    return names


@pytest.mark.parametrize("rate", [1.0, 2.0, 2.7])
@pytest.mark.parametrize("rtol", [1e-12, 1e-13])
def test_energy_is_kept_over_many_changes(changes: list[str], rate: float, rtol: float) -> None:
    """No hinge of this four-bar turns around, so that each of them comes to dead centers."""
    motion = gk.simulate(swinging(NO_LINK_TURNS, "A"), np.linspace(0.0, 13.0, 1301), {"A": (0.0, rate)}, rtol=rtol)
    assert len(changes) >= (26 if rate == 2.0 else 20)
    assert set(changes) > {"A", "B"}
    assert motion.solved.all()
    # of steps, 1500 to 2000 whose errors come and go with the swings, and of dense output, which is the larger part
    assert relative_drift(motion) < (1e-10 if rtol == 1e-12 else 3e-11)


@pytest.mark.parametrize("method", ["explicit", "implicit", "DOP853", "LSODA"])
def test_any_free_coordinate_leads_to_the_same_motion(method: str) -> None:
    crank = swinging(dict(crank_rocker().positions), "A")
    times = np.linspace(0.0, 2.0, 41)
    expected = gk.simulate(crank, times, {"A": (0.0, 3.0)}, rtol=1e-12)
    rocker = replace(crank, drivers=[gk.Driver("D")])
    rate = float(expected.joint_rate("D")[0, 0])
    found = gk.simulate(rocker, times, {"D": (0.0, rate)}, method=method, rtol=1e-9)
    assert [driver.joint for driver in found.program.mechanism.drivers] == ["D"]
    for order in range(3):
        for body in crank.movable:
            turned = expected.rotation_rate(body, order)
            # errors of LSODA are 100 tolerances; a derivative is ten times as large as what it is of
            assert np.allclose(found.rotation_rate(body, order), turned, rtol=0, atol=1e-7 * 10**order)
    assert np.allclose(found.driver(0)[:2], [expected.joint("D")[0], expected.joint_rate("D")[0]], rtol=0, atol=1e-7)


def test_reactions_do_not_depend_on_what_is_free() -> None:
    crank, times = swinging(dict(crank_rocker().positions), "A"), np.linspace(0.0, 2.0, 201)
    expected = gk.simulate(crank, times, {"A": (0.0, 3.0)}, rtol=1e-12)
    rate = float(expected.joint_rate("D")[0, 0])
    found = gk.simulate(replace(crank, drivers=[gk.Driver("D")]), times, {"D": (0.0, rate)}, rtol=1e-12)
    forces = gk.inverse_dynamics(expected), gk.inverse_dynamics(found)
    for hinge in "ABCD":
        first, second = (each.reaction(hinge).force for each in forces)
        assert np.allclose(first, second, rtol=0, atol=1e-9 * np.abs(first).max())
    assert np.abs(forces[1].driver("D")).max() < 1e-9  # of gravity's 10 N m: nothing drives it
