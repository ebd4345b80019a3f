"""Every degree of freedom of every pair, driven and free: power, equilibrium, and no force where nothing drives.

Axes in general positions hide what holds for ordinary ones alone, which are parallel to each other and meet in points;
so both are tried.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import groupkin as gk
from groupkin.errors import DeterminedByCountOnlyError, SimulationError, SolveError
from groupkin.mechanism.forces.force_checks import is_loose
from groupkin.mechanism.pairs import form
from tests.groupkin.kinematics.test_every_pair import EVERY
from tests.support.energy import rate_of_energy
from tests.support.equilibrium import space, unbalanced, unit_twists
from tests.support.random_mechanisms import Workshop, reference_value

Array = NDArray[np.float64]

TIMES = np.linspace(0.0, 0.2, 5)
GRAVITY = {2: (0.5, -9.81), 3: (0.5, 0.3, -9.81)}

ORDINARY_AXES = {
    **dict.fromkeys(("EO", "EPI"), ((0.0, 0.0, 1.0), (0.0, 0.0, 1.0))),
    **dict.fromkeys(("RW", "RP"), ((1.0, 0.0, 0.0), (0.0, 0.0, 1.0))),
}
ORDINARY_RADII = {"EO": (0.2, 0.3), "EPI": (0.8, 0.3)}


def ordinary(dimension: int, symbol: str) -> dict[str, Any]:
    """Axes along those of the frame, points that coincide where they may, and angles of zero."""
    point, found = np.array((0.2, 0.1, -0.3))[:dimension], dict[str, Any]()
    apart = np.array((0.3, 0.4, 0.0) if symbol in ("RW", "RP") else (0.5, 0.0, 0.0))[:dimension]
    for need in form(symbol, dimension).needs or ("point",):  # a free body may have points
        found |= {
            "point": {"points": (point, point)},
            "points": {"points": (point, point + apart)},
            "axis": {"axis": (1.0, 0.0) if dimension == 2 else (0.0, 1.0, 0.0)},
            "axes": {"axes": ORDINARY_AXES.get(symbol, ((0.0, 0.0, 1.0), (1.0, 0.0, 0.0)))},
            "radii": {"radii": ORDINARY_RADII.get(symbol)},
            "pitch": {"pitch": 0.1},
        }[need]
    return found


def heavy(name: str, dimension: int, rng: np.random.Generator) -> gk.Body:
    points = 0.3 * rng.normal(size=(3, 3))
    second = points @ points.T
    tensor = (np.trace(second) * np.eye(3) - second).tolist()
    center = tuple(0.3 * rng.normal(size=dimension))
    return gk.Body(name, mass=rng.uniform(1, 2), center=center, inertia=0.1 if dimension == 2 else tensor)


def on_pair(
    dimension: int, symbol: str, follower: str, seed: int, *, common: bool, loop: bool, reverse: bool, driven: set[int]
) -> gk.Mechanism:
    """An arm on the pair: on the frame alone, or on a driven body and closed by as many rods as freedoms are free."""
    rng, d = np.random.default_rng(seed), dimension
    shop = Workshop(d, rng, follower=follower)
    geometry = ordinary(d, symbol) if common and not follower else shop.geometry(symbol)
    pin = gk.Joint("pin", symbol, ("arm", "base") if reverse else ("base", "arm"), **geometry)
    bodies: list[gk.Body | str] = [heavy("base", d, rng) if loop else "base", heavy("arm", d, rng)]
    joints, drivers, frame = [pin], list[gk.Driver](), "base"
    if loop:
        axis = {"axis": shop.direction()} if d == 3 else {}
        joints.insert(0, gk.Joint("turn", "R", ("ground", "base"), point=shop.point(), **axis))
        drivers, frame, bodies = [gk.Driver("turn", gk.Harmonic(0.1, 0.3))], "ground", ["ground", *bodies]
    freedoms = gk.Mechanism(d, ["base", "arm"], [pin]).freedoms(pin)
    for k in sorted(driven):
        law = gk.Harmonic(0.1, rng.uniform(0.2, 0.6), 0.0, reference_value(pin, freedoms[k].name, d))
        drivers.append(gk.Driver("pin", law, freedoms[k].name))
    for k in range(len(freedoms) - len(driven) if loop else 0):
        joints.append(gk.Joint(f"rod {k}", "SPSP", ("ground", "arm"), points=(shop.point(), shop.point())))
    listed = bodies[::-1] if (len(driven) + reverse) % 2 else bodies
    mechanism = gk.Mechanism(d, listed, joints, drivers, frame=frame, gravity=GRAVITY[d])
    loads: list[Any] = [
        gk.Spring("spring", ("base", "arm"), (shop.point(), shop.point()), 20.0, damping=2.0),
        gk.Force("push", "arm", shop.point(), tuple(rng.normal(size=d)), gk.Harmonic(1.0, 0.7, 1.0)),
        gk.Torque("twist", "arm", 1.3 if d == 2 else (1.0, -2.0, 0.5)),
    ]
    for freedom in () if is_loose(mechanism, pin) else freedoms:
        name = freedom.name
        loads.append(gk.JointSpring(f"spring {name}", "pin", name, 5.0, 0.1, 1.0, 0.3))
        loads.append(gk.JointForce(f"force {name}", "pin", 0.7, name))
        loads.append(gk.JointFriction(f"friction {name}", "pin", 0.5, name, 0.2, 0.5))
        loads.append(gk.JointInertia(f"rotor {name}", "pin", 0.8, name))
    return replace(mechanism, forces=loads)


def moved(mechanism: gk.Mechanism) -> gk.Motion | None:
    """The motion, under the forces where anything is free; None where this geometry does not move well."""
    try:
        free = len(mechanism.joints) == 1 and len(mechanism.drivers) < mechanism.mobility
        motion = gk.simulate(mechanism, TIMES) if free else gk.solve(mechanism, TIMES)
    except (DeterminedByCountOnlyError, SolveError, SimulationError):
        return None
    return motion if motion.conditioning.min() > 0.02 else None


def check(motion: gk.Motion) -> None:
    """Power and equilibrium; and of each degree of freedom what its joint does along it, zero where nothing drives."""
    mechanism, conditioning = motion.program.mechanism, motion.conditioning.min()
    pin, forces = mechanism.joint["pin"], gk.inverse_dynamics(motion)
    powers, rates = list(forces.power().values()), rate_of_energy(motion)
    largest = max(np.abs(x).max() for x in (*powers, *rates))
    # simulated accelerations are those that the driving forces belong to, so that their errors do not count
    assert np.abs(sum(powers) - sum(rates)).max() <= 1e-9 / conditioning * largest
    left, most = unbalanced(forces)
    assert np.abs(left).max() <= 1e-11 * most
    reaction, (twists, _) = forces.reaction("pin"), unit_twists(motion, pin)
    moment = reaction.moment if mechanism.dimension == 3 else reaction.moment[:, None] * np.array([0.0, 0.0, 1.0])
    along = np.einsum("ni,nif->fn", np.concatenate([moment, space(reaction.force)], axis=1), twists)
    stated = {mechanism.driver_name("pin", k) for k in original(mechanism)}
    for k, force in enumerate(along):
        name = mechanism.driver_name("pin", k)
        assert np.abs(forces.drivers.get(name, 0.0) - force).max() <= 1e-9 / conditioning * most, name
        assert name in stated or np.abs(force).max() <= 1e-9 / conditioning * most, name


def original(mechanism: gk.Mechanism) -> list[int]:
    """Numbers of the freedoms of the pin that a law drives."""
    return [k for k, driver in mechanism.driven.get("pin", {}).items() if isinstance(driver.law, gk.Harmonic)]


CASES = [
    pytest.param(*every.values, common, loop, id=f"{every.id} {'ordinary' * common} {'loop' * loop}")
    for every, common, loop in product(EVERY, (True, False), (False, True))
    if not (common and every.values[3])
]


@pytest.mark.usefixtures("line_by_line")
@pytest.mark.parametrize(("dimension", "symbol", "count", "follower", "common", "loop"), CASES)
def test_every_degree_of_freedom(
    dimension: int, symbol: str, count: int, follower: str, common: bool, loop: bool
) -> None:
    others = {k for k in range(count) if np.random.default_rng(k).random() < 0.5}
    sets = [set(), set(range(count)), others, *({k} for k in range(count))]
    for driven, reverse in product(sets, (False, True)):
        kind = {"common": common, "loop": loop, "reverse": reverse, "driven": driven}
        motions = (moved(on_pair(dimension, symbol, follower, seed, **kind)) for seed in range(12))
        check(next(motion for motion in motions if motion is not None))


def test_a_free_ball_on_a_guide_needs_no_force() -> None:
    """Its rotations are about axes through the ball, wherever it is on the guide: z turns with x and y."""
    arm = gk.Body("arm", mass=1.3, center=(0.1, 0.05, -0.7), inertia=(0.1, 0.12, 0.03))
    guide = gk.Joint("guide", "SC", ("frame", "arm"), point=(0, 0, 0), axis=(0, 1, 0))
    mechanism = gk.Mechanism(3, ["frame", arm], [guide], gravity=GRAVITY[3])
    forces = gk.inverse_dynamics(gk.simulate(mechanism, np.linspace(0.0, 0.4, 9)))
    assert all(np.abs(force).max() < 1e-9 for force in forces.drivers.values())  # N m, of weights of 13 N
    assert np.ptp(forces.energy().total) < 1e-7  # J
