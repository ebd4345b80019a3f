"""Counterweights: full balance of a four-bar by Berkof and Lowen (1969), and least squares where there is none."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import groupkin as gk
from groupkin.errors import ArgumentError, GroupkinError, MassError, TimesError, UnknownNameError

TURN = np.linspace(0.0, 1.0, 61)
A, B, C, D = (0.0 + 0.0j), 1.0j, (3.0 + 2.5j), (3.0 + 0.0j)


def xy(z: complex) -> tuple[float, float]:
    return z.real, z.imag


def four_bar(coupler: complex, **more: Any) -> gk.Mechanism:
    """A crank-rocker with masses, that of the coupler at B + (C - B) · coupler."""
    bodies = [
        "ground",
        gk.Body("crank", mass=2.0, center=xy(A + (B - A) * (0.4 + 0.2j)), inertia=0.3),
        gk.Body("coupler", mass=3.0, center=xy(B + (C - B) * coupler), inertia=2.0),
        gk.Body("rocker", mass=1.5, center=xy(D + (C - D) * (0.5 - 0.1j)), inertia=0.7),
    ]
    ends = {"A": ("ground", "crank"), "B": ("crank", "coupler"), "C": ("coupler", "rocker"), "D": ("rocker", "ground")}
    places = {"A": A, "B": B, "C": C, "D": D}
    joints = [gk.Joint(name, "R", ends[name], point=xy(places[name])) for name in ends]
    return gk.Mechanism(2, bodies, joints, [gk.Driver("A", gk.Ramp(rate=2 * np.pi))], **more)


@pytest.mark.smoke
@pytest.mark.parametrize("coupler", [0.5, 0.3 + 0.4j])
def test_a_four_bar_is_balanced_as_published(coupler: complex) -> None:
    """In line and in general, whole links: m2 r2 = m3 r3' a2 / a3 along r3', m4 r4 = m3 r3 a4 / a3 against r3."""
    base = four_bar(coupler)
    found = gk.counterweights(base, {"crank": 0.3, "rocker": 0.5}, TURN)
    # mass vectors along their links, from A to B, B to C and D to C
    crank = 3.0 * abs(C - B) * (coupler - 1) * abs(B - A) / abs(C - B)
    rocker = -3.0 * abs(C - B) * coupler * abs(C - D) / abs(C - B)
    wanted = {
        "crank": (B - A) / abs(B - A) * crank - 2.0 * (B - A) * (0.4 + 0.2j),
        "rocker": (C - D) / abs(C - D) * rocker - 1.5 * (C - D) * (0.5 - 0.1j),
    }
    for body, pivot in (("crank", A), ("rocker", D)):
        weight = found.weights[body]
        vector = weight.mass * (complex(*weight.center) - pivot)
        assert abs(vector - wanted[body]) < 1e-10 * abs(wanted[body])
    assert found.after.force < 1e-12 * found.before.force
    balanced = gk.inverse_dynamics(found.mechanism, TURN)
    unbalanced = gk.inverse_dynamics(base, TURN)
    assert np.abs(balanced.shaking().force).max() < 1e-11 * np.abs(unbalanced.shaking().force).max()
    assert np.sqrt((balanced.shaking().moment ** 2).mean()) == pytest.approx(found.after.moment, rel=1e-10)
    assert np.sqrt((unbalanced.shaking().moment ** 2).mean()) == pytest.approx(found.before.moment, rel=1e-10)


@pytest.mark.parametrize("length", [None, 0.8])
def test_what_cannot_be_balanced_is_least(length: float | None) -> None:
    """One counterweight on the crank, with and without moments: no other one leaves less."""
    base = four_bar(0.4)
    found = gk.counterweights(base, {"crank": 0.3}, TURN, length=length, about=(1.0, 0.5))
    assert found.after.force < found.before.force
    weight = found.weights["crank"]

    def left(mass: float, angle: float) -> float:
        at = 0.3 * np.array([np.cos(angle), np.sin(angle)])
        body = base.body["crank"]
        total = body.mass + mass
        center = (body.mass * np.array(body.center) + mass * at) / total
        inertia = 0.3 + body.mass * ((body.center - center) ** 2).sum() + mass * ((at - center) ** 2).sum()
        heavy = replace(body, mass=total, center=tuple(center), inertia=inertia)
        bodies = [heavy if x.name == "crank" else x for x in base.body.values()]
        shaking = gk.inverse_dynamics(replace(base, bodies=bodies), TURN).shaking((1.0, 0.5))
        more = 0.0 if length is None else (shaking.moment**2).mean() / length**2
        return float((shaking.force**2).sum(axis=1).mean() + more)

    angle = float(np.arctan2(*weight.center[::-1]))
    least = left(weight.mass, angle)
    assert least == pytest.approx(found.after.force**2 + (0 if length is None else (found.after.moment / length) ** 2))
    for change in ((0.02, 0.0), (-0.02, 0.0), (0.0, 0.02), (0.0, -0.02)):
        assert left(weight.mass + change[0], angle + change[1]) > least


def test_half_of_the_pistons_mass_on_the_crank() -> None:
    """Of the first order of a slider-crank a counterweight opposite to the crank pin takes half (e.g. Den Hartog)."""
    joints = [
        gk.Joint("main", "R", ("block", "crank"), point=(0.0, 0.0)),
        gk.Joint("pin", "R", ("crank", "rod"), point=(0.05, 0.0)),
        gk.Joint("wrist", "R", ("rod", "piston"), point=(100.05, 0.0)),  # next to no second order
        gk.Joint("bore", "P", ("block", "piston"), point=(100.05, 0.0), axis=(1.0, 0.0)),
    ]
    bodies = ["block", "crank", "rod", gk.Body("piston", mass=0.8, center=(100.05, 0.0))]
    single = gk.Mechanism(2, bodies, joints, [gk.Driver("main", gk.Ramp(rate=2 * np.pi))])
    found = gk.counterweights(single, {"crank": 0.05}, TURN[:-1])
    assert found.weights["crank"].mass == pytest.approx(0.4, rel=1e-5)
    assert found.weights["crank"].center == pytest.approx([-0.05, 0.0], abs=1e-5)
    assert found.after.force == pytest.approx(found.before.force / np.sqrt(2), rel=1e-5)


def test_bodies_whose_pivots_move_and_bodies_in_space() -> None:
    """A coupler's counterweight has a mass that its pivot moves; a rotor in space is balanced across its axis."""
    base = four_bar(0.4)
    found = gk.counterweights(base, {"crank": 0.3, "coupler": 0.6, "rocker": 0.5}, TURN)
    assert found.after.force < 1e-6 * found.before.force
    pin = gk.Joint("pin", "R", ("frame", "rotor"), point=(0, 0, 0), axis=(0, 0, 1))
    rotor = gk.Body("rotor", mass=2.0, center=(0.3, 0.4, 0.7), inertia=(0.2, 0.3, 0.4))
    turning = gk.Mechanism(3, ["frame", rotor], [pin], [gk.Driver("pin", gk.Ramp(3.0))])
    held = gk.counterweights(turning, {"rotor": 0.25}, TURN)
    assert held.weights["rotor"].mass == pytest.approx(4.0)
    assert held.weights["rotor"].center == pytest.approx([-0.15, -0.2, 0.0])
    shaking = gk.inverse_dynamics(held.mechanism, TURN).shaking()
    assert np.abs(shaking.force).max() < 1e-12
    assert np.sqrt((shaking.moment**2).sum(axis=1).mean()) == pytest.approx(held.after.moment)


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        ({"arms": {"crnak": 0.1}}, UnknownNameError, "did you mean crank"),
        ({"arms": {"ground": 0.1}}, UnknownNameError, "no movable body"),
        ({"arms": {"crank": 0.0}}, ArgumentError, "arm of body 'crank' must be a positive number"),
        ({"length": -1.0}, ArgumentError, "length must be a positive number"),
        ({"times": None}, TimesError, "times are needed"),
        ({"about": (1.0, 2.0, 3.0)}, GroupkinError, "about must be 2 finite numbers"),
        ({"mechanism": replace(four_bar(0.4), bodies=["ground", "crank", "coupler", "rocker"])}, MassError, "no body"),
    ],
)
def test_what_cannot_be_is_refused(change: dict[str, Any], error: type[Exception], message: str) -> None:
    given: dict[str, Any] = {"mechanism": four_bar(0.4), "arms": {"crank": 0.3}, "times": TURN} | change
    with pytest.raises(error, match=message):
        gk.counterweights(**given)
