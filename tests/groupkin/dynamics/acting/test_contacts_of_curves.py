"""Contacts of two curves, and at several places: against many points, closed formulas, energies and simulations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.spatial import KDTree

import groupkin as gk
from groupkin.dynamics.acting.contacts import outlines, touching
from groupkin.errors import ForceError
from sglibrary.dynamics.curves import SIDE
from tests.support.energy import rate_of_energy

Array = NDArray[np.float64]
PLANE = ("x", "y", "angle")
FULL = np.linspace(0.0, 2 * np.pi, 72, endpoint=False)


def oval(a: float, b: float, center: Sequence[float] = (0.0, 0.0), ripple: float = 0.0) -> gk.Curve:
    size = 1.0 + ripple * np.cos(5 * FULL)
    x, y = center[0] + a * size * np.cos(FULL), center[1] + b * size * np.sin(FULL)
    return gk.Curve(np.stack([x, y], axis=1).tolist(), True)


WAVES = gk.Curve([(x, 0.05 * np.sin(3.0 * x)) for x in np.linspace(-2.0, 4.0, 90)])
TOUCH = {"stiffness": 1e5, "damping": 0.5, "coefficient": 0.4}


def loose(load: gk.Contact, at: Sequence[float] = (0.0, 0.0), drivers: Any = (), **changes: Any) -> gk.Mechanism:
    """A body of 2 kg that may move and turn in all directions."""
    block = gk.Body("block", mass=2.0, center=tuple(at), inertia=0.03)
    joint = gk.Joint("free", "FP", ("frame", "block"), points=(tuple(at), tuple(at)))
    return gk.Mechanism(2, ["frame", block], [joint], drivers, forces=[load], **changes)


def moved(load: gk.Contact, laws: Sequence[gk.Law], times: Any, at: Sequence[float] = (0.0, 0.0)) -> gk.Forces:
    drivers = [gk.Driver("free", law, name) for law, name in zip(laws, PLANE, strict=True)]
    return gk.inverse_dynamics(loose(load, at, drivers), times)


SWAY = gk.Spline(tuple(range(12)), tuple(np.sin(2.2 * k) for k in range(12)))
ROUND = gk.Spline(tuple(range(12)), tuple(0.9 * k for k in range(12)))


@pytest.mark.parametrize(
    ("first", "second", "height", "along", "up"),
    [
        (WAVES, (0.3, 0.2), 0.25, 0.5, 0.06),
        (WAVES, (0.3, 0.3, 0.05), 0.3, 0.5, 0.04),  # which touches at two places
        (oval(0.5, 0.4, (0.0, -0.4)), (0.3, 0.2), 0.25, 0.1, 0.06),
        (oval(0.5, 0.4), (0.3, 0.3), 0.0, 0.2, 0.12),  # within a ring
    ],
)
def test_the_places_are_those_of_many_points(
    first: gk.Curve, second: tuple[float, ...], height: float, along: float, up: float
) -> None:
    center = (0.0, height)
    curves = first, oval(*second[:2], center, *second[2:])
    load = gk.Contact("touch", ("frame", "block"), curves=curves, **TOUCH)
    forces = moved(load, (SWAY.scaled(along), SWAY.scaled(up), ROUND), np.linspace(0.0, 11.0, 34), center)
    motion, touch, found = forces.motion, touching(forces.motion, load, True), 0
    shapes = outlines(motion.program, load)
    side = shapes.curves[shapes.bodies.index("frame")][SIDE]
    under, over = (_many(curve) for curve in curves)
    for j in range(motion.times.size):
        points = motion.point_on("block", np.zeros(2))[j] + over[0][::4] @ motion.rotation("block")[j].T
        depths = _depths(under, points, side)
        lowest = depths[(depths <= np.roll(depths, 1)) & (depths < np.roll(depths, -1))]
        places = sorted(lowest[lowest < -1e-4])
        gaps = -_sunk(load, touch, j)
        assert np.allclose(sorted(gaps[gaps < -1e-4]), places, atol=3e-5)  # of points 1 mm apart
        if not places:
            assert touch.gap[j] == pytest.approx(depths.min(), abs=1e-4)
        found += len(places)
    assert found > 3


def _many(curve: gk.Curve) -> tuple[Array, Array]:
    u = np.linspace(curve.spline.t[curve.spline.k], curve.spline.t[-curve.spline.k - 1], 6000)
    return curve.spline(u), curve.spline(u, 1)


def _depths(many: tuple[Array, Array], points: Array, side: float) -> Array:
    k = KDTree(many[0]).query(points)[1]
    (x, y), (tx, ty) = (points - many[0][k]).T, many[1][k].T
    return np.asarray(side * (tx * y - ty * x) / np.hypot(tx, ty))


def _sunk(load: gk.Contact, touch: Any, j: int) -> Array:
    """Depths of the places, from the forces."""
    push, rate = touch.amounts[::2, j], touch.rates[::2, j]
    return np.asarray((push / load.stiffness / (1.0 - load.damping * rate)) ** (1 / load.exponent))


def test_two_circles_and_an_exchange_of_them() -> None:
    """Splines through 72 points of circles; which of them is stated first does not matter."""
    first, second = oval(0.5, 0.5, (0.0, -0.5)), oval(0.2, 0.2, (0.1, 0.19))
    laws = (gk.Harmonic(amplitude=0.02, frequency=0.3), gk.Ramp(rate=-0.005), gk.Ramp(rate=3.0))
    times, load = np.linspace(0.0, 2.0, 21), gk.Contact("touch", ("frame", "block"), curves=(first, second), **TOUCH)
    one = moved(load, laws, times)
    two = moved(replace(load, between=("block", "frame"), curves=(second, first)), laws, times)
    center = one.motion.point_on("block", (0.1, 0.19))
    gap = np.linalg.norm(center - (0.0, -0.5), axis=1) - 0.7
    assert np.allclose(one.acting["touch"].coordinate, gap, atol=1e-6)
    assert (gap < 0).any()
    scale = np.abs(one.force("touch")).max()
    assert np.allclose(one.force("touch"), two.force("touch"), rtol=0, atol=1e-10 * scale)
    for name in PLANE:
        found = [x.driver(f"free.{name}") for x in (one, two)]
        assert np.allclose(*found, rtol=0, atol=1e-10 * max(scale, np.abs(found[0]).max()))


def test_a_flat_follower_on_an_eccentric() -> None:
    """A face 0.1 m above the center of a disc that turns about a point 0.03 m beside it."""
    cam = oval(0.1, 0.1, (0.03, 0.0))
    bodies = ["frame", gk.Body("cam"), gk.Body("lifter", mass=1.0, center=(0.0, 0.1))]
    shaft = gk.Joint("shaft", "R", ("frame", "cam"), point=(0.0, 0.0))
    guide = gk.Joint("guide", "P", ("frame", "lifter"), point=(0.0, 0.1), axis=(0.0, 1.0))
    face = gk.Contact("face", ("cam", "lifter"), curve=cam, line=((-0.2, 0.1), (0.2, 0.1)), stiffness=1e6)
    drivers = [gk.Driver("shaft", gk.Ramp(rate=5.0)), gk.Driver("guide", gk.Constant(0.0))]
    times = np.linspace(0.0, 2.0, 41)
    swapped = replace(face, between=("lifter", "cam"), curve=None, line=None, curves=(_flat(), cam))
    for load in (face, swapped):
        mechanism = gk.Mechanism(2, bodies, [shaft, guide], drivers, forces=[load])
        forces = gk.inverse_dynamics(mechanism, times)
        gap = -0.03 * np.sin(5.0 * times)
        assert np.allclose(forces.acting["face"].coordinate, gap, atol=1e-8)
        expected = 1e6 * np.maximum(-gap, 0.0) ** 1.5
        assert np.allclose(forces.force("face")[:, 0], expected, atol=1e-3)
        assert np.allclose(forces.driver("guide"), -expected, atol=1e-3)
        assert np.allclose(forces.driver("shaft"), 0.03 * np.cos(5.0 * times) * expected, atol=1e-3)


def _flat() -> gk.Curve:
    return gk.Curve([(x, 0.1) for x in np.linspace(-0.2, 0.2, 7)])


@pytest.mark.parametrize(
    ("curves", "height"),
    [((WAVES, oval(0.3, 0.2, (0.0, 0.21))), 0.0), ((WAVES, oval(0.3, 0.3, (0.0, 0.33), ripple=0.05)), -0.02)],
)
def test_power_of_outlines_is_the_rate_of_their_energy_and_friction(curves: Any, height: float) -> None:
    load = gk.Contact("touch", ("frame", "block"), curves=curves, **TOUCH)
    laws = (gk.Ramp(rate=1.0), gk.Harmonic(amplitude=0.015, frequency=3.0, offset=height), gk.Ramp(rate=-5.0))
    forces = moved(load, laws, np.linspace(0.0, 2.0, 201), (0.0, 0.2))
    powers, rates = list(forces.power().values()), rate_of_energy(forces.motion)
    assert np.abs(sum(powers) - sum(rates)).max() <= 1e-12 * max(np.abs(x).max() for x in (*powers, *rates))
    assert 0.1 < (forces.force("touch") > 0.0).any(axis=1).mean() < 1.0
    step = 1e-6  # without damping and friction its power is what its energy falls by
    elastic = replace(load, damping=0.0, coefficient=0.0)
    middle = np.linspace(0.05, 1.9, 8)
    found = moved(elastic, laws, np.sort(np.concatenate([middle - step, middle, middle + step])), (0.0, 0.2))
    energy, power = found.energy().springs.reshape(-1, 3), found.power()["touch"].reshape(-1, 3)
    assert np.allclose(power[:, 1], -(energy[:, 2] - energy[:, 0]) / (2 * step), atol=1e-5 * np.abs(power).max())


def test_an_egg_rolls_to_rest_and_its_simulation_is_that_of_inverse_dynamics() -> None:
    """On wavy ground, bouncing at first, without other forces than its contact and weight."""
    load = gk.Contact("touch", ("frame", "block"), curves=(WAVES, oval(0.3, 0.2, (0.0, 0.26))), side="left", **TOUCH)
    mechanism = loose(replace(load, damping=1.0, speed=0.05), (0.03, 0.26), gravity=(0.0, -9.81))
    motion = gk.simulate(mechanism, np.linspace(0.0, 0.6, 31), {"free.x": (0.0, 0.5)}, rtol=1e-10)
    forces = gk.inverse_dynamics(motion)
    scale = np.abs(forces.force("touch")).max()
    assert scale > 20.0
    assert max(np.abs(x).max() for x in forces.drivers.values()) <= 1e-9 * scale
    assert (np.diff(forces.energy().total) <= 1e-7).all()
    balanced = replace(mechanism, forces=[replace(mechanism.forces[0], coefficient=0.0, damping=0.0)])
    kept = gk.inverse_dynamics(gk.simulate(balanced, motion.times, rtol=1e-10)).energy().total
    assert np.allclose(kept, kept[0], rtol=1e-7)


VALLEY = gk.Curve([(x, abs(x) * 0.75 if abs(x) > 0.08 else 0.03 + 4.6875 * x * x) for x in np.linspace(-0.6, 0.6, 241)])


@pytest.mark.parametrize("outline", [True, False])
def test_a_wheel_in_a_valley_rests_on_both_sides(outline: bool) -> None:
    """On flanks with a slope of 3 to 4, each of which carries half of its weight over the cosine."""
    center = (0.0, 0.3749)  # 0.1 mm deep
    circle = {"curve": VALLEY, "point": center, "radius": 0.3}
    shape: dict[str, Any] = {"curves": (VALLEY, oval(0.3, 0.3, center))} if outline else circle
    load = gk.Contact("rest", ("frame", "block"), **shape, stiffness=1e6, damping=0.5)
    held = [gk.Driver("free", gk.Constant(0.0), name) for name in ("x", "angle")]
    rest = gk.equilibrium(loose(load, center, [gk.Driver("free", freedom="y"), *held], gravity=(0.0, -9.81)))
    forces = gk.inverse_dynamics(rest.motion)
    pushes = forces.force("rest")[0, ::2]
    assert forces.acting["rest"].parts == ("normal", "tangential", "normal 2", "tangential 2")
    assert pushes == pytest.approx([0.5 * 2.0 * 9.81 / 0.8] * 2, rel=1e-4)
    assert np.abs(forces.driver("free.x")).max() <= 1e-6


def test_ends_are_corners() -> None:
    """The end of a table pushes a wheel that comes from beside it, as does the end of a blade that pokes into it."""
    table = gk.Curve([(x, 0.0) for x in np.linspace(-1.0, 0.0, 9)])
    wheel = oval(0.2, 0.2, (0.15, 0.1))
    load = gk.Contact("corner", ("frame", "block"), curves=(table, wheel), side="left", stiffness=1e5)
    laws = (gk.Constant(0.0), gk.Constant(0.0), gk.Ramp(rate=1.0))
    for stated in (load, replace(load, between=("block", "frame"), curves=(wheel, table), side="right")):
        forces = moved(stated, laws, [0.0])
        gap = np.hypot(0.15, 0.1) - 0.2
        assert forces.acting["corner"].coordinate == pytest.approx([gap], abs=1e-6)
        assert forces.force("corner")[0, 0] == pytest.approx(1e5 * (-gap) ** 1.5, rel=1e-3)
        drivers = [forces.driver(f"free.{name}")[0] for name in ("x", "y")]
        assert np.allclose(drivers, -1e5 * (-gap) ** 1.5 * np.array([0.15, 0.1]) / np.hypot(0.15, 0.1), rtol=1e-3)


def test_a_circle_over_a_gap_touches_both_ends() -> None:
    notch = gk.Curve([(-0.1, 0.0), (-0.1, -0.1), (-0.05, -0.3), (0.05, -0.3), (0.1, -0.1), (0.1, 0.0)])
    load = gk.Contact("gap", ("frame", "block"), (0.0, 0.17), 0.2, notch, stiffness=1e5)
    forces = moved(load, (gk.Constant(0.0), gk.Constant(0.0), gk.Constant(0.0)), [0.0], (0.0, 0.17))
    depth = 0.2 - np.hypot(0.1, 0.17)
    assert forces.force("gap")[0, ::2] == pytest.approx([1e5 * depth**1.5] * 2)
    assert forces.driver("free.x") == pytest.approx([0.0], abs=1e-9)


WRONG = [
    ({"curve": WAVES}, "needs a `curve` or a `line`"),
    ({"curves": (WAVES, WAVES), "curve": WAVES}, "or two `curves`"),
    ({"curves": (WAVES,)}, "`curves` must be two, one on each body, not 1"),
    ({"curves": (WAVES, WAVES), "radius": 0.1}, "its radius is that of a circle, whose `point` it lacks"),
    ({"curves": (WAVES, WAVES), "point": (0.0, 0.0)}, "or two `curves`"),
]


@pytest.mark.parametrize(("stated", "message"), WRONG)
def test_contacts_that_are_none_are_refused(stated: Any, message: str) -> None:
    with pytest.raises(ForceError, match=message):
        loose(gk.Contact("touch", ("frame", "block"), **{"stiffness": 1.0, **stated}))


def test_contacts_of_curves_in_files_and_pictures(tmp_path: Any) -> None:
    pair = gk.Contact("pair", ("frame", "block"), curves=(WAVES, oval(0.3, 0.2, (0.0, 0.2))), **TOUCH)
    face = gk.Contact(
        "face", ("block", "frame"), curve=oval(0.3, 0.2, (0.0, 0.2)), line=((-1.0, -0.1), (1.0, -0.1)), **TOUCH
    )
    mechanism = replace(loose(pair), forces=[pair, face], units=gk.Units("mm", "deg", force="kN"))
    gk.save(mechanism, f"{tmp_path}/pair.toml")
    again = gk.load(f"{tmp_path}/pair.toml").forces
    assert np.allclose(again[0].curves[1].points, pair.curves[1].points)
    assert np.allclose(again[1].line, face.line)
    assert again[1].point is None
    assert again[0].stiffness == pytest.approx(1e5)
    forces = moved(pair, (gk.Constant(0.0),) * 3, [0.0, 0.1])
    forces.draw(0.0, out=f"{tmp_path}/pair.svg")
    forces.plot("force pair", out=f"{tmp_path}/force.svg")
    forces.save(f"{tmp_path}/pair.csv")
