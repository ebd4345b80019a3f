"""Times at which cams and wheels would have to pull, ropes to push, wheels to slip, and teeth change flanks."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import groupkin as gk
from groupkin.errors import GeometryError

TURN = np.linspace(0.0, 1.0, 401)
ECCENTRIC, RADIUS, MASS, WEIGHT = 0.01, 0.04, 0.5, 9.81


def circle(center: float, radius: float, count: int = 240) -> gk.Curve:
    angles = 2 * np.pi * np.arange(count) / count
    return gk.Curve([(center + radius * np.cos(x), radius * np.sin(x)) for x in angles], closed=True)


def tappet(speed: float, follower: dict[str, Any], top: float, clockwise: bool = False) -> gk.Mechanism:
    """An eccentric disk that lifts a tappet of 0.5 kg along y; its center is at the left in the reference."""
    outline = circle(-ECCENTRIC, RADIUS)
    if clockwise:
        outline = replace(outline, points=list(reversed(outline.points)))
    curve = {"curves": (outline, follower["other"])} if "other" in follower else {"curve": outline, **follower}
    joints = [
        gk.Joint("shaft", "R", ("frame", "cam"), point=(0.0, 0.0)),
        gk.Joint("guide", "P", ("frame", "tappet"), point=(-ECCENTRIC, top), axis=(0.0, 1.0)),
        gk.Joint("contact", "L", ("cam", "tappet"), **curve),
    ]
    body = gk.Body("tappet", mass=MASS, center=(-ECCENTRIC, top))
    driver = gk.Driver("shaft", gk.Ramp(rate=speed))
    return gk.Mechanism(2, ["frame", "cam", body], joints, [driver], gravity=(0.0, -WEIGHT))


FACE = {"point": (-ECCENTRIC, RADIUS), "axis": (0.0, 1.0)}


@pytest.mark.parametrize("clockwise", [False, True])
def test_a_flat_tappet_jumps_as_its_closed_formula_says(clockwise: bool) -> None:
    """It moves as y = R - e sin ωt: it would have to be pulled where its acceleration, e ω² sin ωt, is below -g."""
    speed = 1.4 * np.sqrt(WEIGHT / ECCENTRIC)
    times = np.linspace(0.0, 2 * np.pi / speed, 2001)
    forces = gk.inverse_dynamics(tappet(speed, FACE, RADIUS, clockwise), times)
    (loss,) = forces.contact_losses()
    assert (loss.joint, loss.must) == ("contact", "pull")
    angle = float(np.arcsin(1 / 1.4**2))
    assert loss.start == pytest.approx((np.pi + angle) / speed, rel=1e-5)
    assert loss.end == pytest.approx((2 * np.pi - angle) / speed, rel=1e-5)
    assert loss.most == pytest.approx(MASS * WEIGHT * (1.4**2 - 1), rel=1e-6)
    slow = gk.inverse_dynamics(tappet(speed / 1.5, FACE, RADIUS, clockwise), times)
    assert not slow.contact_losses()


@pytest.mark.parametrize(
    ("follower", "top"),
    [
        ({"point": (-ECCENTRIC, RADIUS + 0.01), "radius": 0.01}, RADIUS + 0.01),
        ({"point": (-ECCENTRIC, RADIUS)}, RADIUS),
        ({"other": gk.Curve([(x, RADIUS + (x + ECCENTRIC) ** 2) for x in np.linspace(-0.06, 0.04, 41)])}, RADIUS),
    ],
)
@pytest.mark.parametrize("clockwise", [False, True])
def test_other_followers_are_pushed_as_long_as_they_are_slow(
    follower: dict[str, Any], top: float, clockwise: bool
) -> None:
    times = np.linspace(0.0, 2.0, 101)
    assert not gk.inverse_dynamics(tappet(np.pi, follower, top, clockwise), times).contact_losses()
    fast = gk.inverse_dynamics(tappet(60.0 * np.pi, follower, top, clockwise), times / 60.0)
    losses = fast.contact_losses()
    assert {loss.must for loss in losses} == {"pull"}
    assert 0.3 < sum(loss.end - loss.start for loss in losses) / times[-1] * 60.0 < 0.7


def test_a_roller_inside_a_ring_is_pushed_inward() -> None:
    """Held up by a ring around it, it is pushed by its lowest point, and would have to be pulled at the top."""
    ring = gk.Curve(circle(-ECCENTRIC, RADIUS).points, closed=True)
    joints = [
        gk.Joint("shaft", "R", ("frame", "ring"), point=(0.0, 0.0)),
        gk.Joint("guide", "P", ("frame", "tappet"), point=(-ECCENTRIC, -0.03), axis=(0.0, 1.0)),
        gk.Joint("contact", "L", ("ring", "tappet"), point=(-ECCENTRIC, -0.03), curve=ring, radius=0.01),
    ]
    body = gk.Body("tappet", mass=MASS, center=(-ECCENTRIC, -0.03))
    for gravity, must in (((0.0, -WEIGHT), set()), ((0.0, WEIGHT), {"pull"})):
        driver = gk.Driver("shaft", gk.Ramp(rate=1.0))
        held = gk.Mechanism(2, ["frame", "ring", body], joints, [driver], gravity=gravity)
        losses = gk.inverse_dynamics(held, np.linspace(0.0, 6.0, 61)).contact_losses()
        assert {loss.must for loss in losses} == must
        if must:
            assert (losses[0].start, losses[-1].end) == (0.0, 6.0)


def cart(adhesion: float | None, law: object, up: float = 1.0, inertia: float = 0.9) -> gk.Mechanism:
    """A wheel of 10 kg whose axle stands free in height in a cart that is led along x."""
    center = (0.0, 0.5 * up)
    wheel = gk.Body("wheel", mass=10.0, center=center, inertia=inertia)
    joints = [
        gk.Joint("tread", "RW", ("road", "wheel"), points=((0.0, 0.0), center), axis=(1.0, 0.0), adhesion=adhesion),
        gk.Joint("axle", "CR", ("cart", "wheel"), point=center, axis=(0.0, 1.0)),
        gk.Joint("level", "P", ("road", "cart"), point=center, axis=(1.0, 0.0)),
    ]
    return gk.Mechanism(
        2,
        ["road", wheel, "cart"],
        joints,
        [gk.Driver("level", law)],
        gravity=(0.0, -10.0 * up),  # type: ignore[arg-type]
    )


@pytest.mark.parametrize("up", [1.0, -1.0])
def test_a_wheel_slips_where_the_tangential_force_exceeds_its_adhesion(up: float) -> None:
    """The tread turns the wheel: J a / r², beside its weight of 100 N; a road above it holds it where weights rise."""
    swing = gk.Harmonic(amplitude=1.0, frequency=1.0)
    most = 0.9 * (2 * np.pi) ** 2 / 0.5**2 / 100.0
    for adhesion, slips in ((None, False), (1.01 * most, False), (0.8 * most, True)):
        losses = gk.inverse_dynamics(cart(adhesion, swing, up), TURN).contact_losses()
        assert {loss.must for loss in losses} == ({"slip"} if slips else set())
    assert max(loss.most for loss in losses) == pytest.approx(most, rel=1e-4)
    first = losses[0]
    assert np.sin(2 * np.pi * first.start) == pytest.approx(0.8, abs=1e-3)
    assert first.start + first.end == pytest.approx(0.5)
    assert len(losses) == 2


def test_a_wheel_that_is_lifted_would_have_to_pull() -> None:
    base = cart(0.5, gk.Constant(0.0), inertia=0.0)
    up = gk.Force("crane", "wheel", (0.0, 0.5), (0.0, 300.0), gk.Harmonic(amplitude=1.0, frequency=1.0))
    (loss,) = gk.inverse_dynamics(replace(base, forces=[up]), TURN).contact_losses()
    assert loss.must == "pull"
    assert loss.most == pytest.approx(200.0)
    assert np.sin(2 * np.pi * loss.start) == pytest.approx(1 / 3, abs=1e-3)
    assert loss.start + loss.end == pytest.approx(0.5)


@pytest.mark.parametrize("dimension", [2, 3])
def test_a_rope_would_have_to_push(dimension: int) -> None:
    """A load on a rope and a slide, lowered faster than it falls."""
    zero = (0.0,) * (dimension - 1)
    ends = ((*zero, 2.0), (*zero, 1.0))
    down = gk.Driver("hoist", gk.Harmonic(amplitude=1.0, frequency=1.0))
    kind = "SPSP" if dimension == 3 else "RD"
    joints = [
        gk.Joint("hoist", "P", ("frame", "drum"), point=ends[0], axis=(*zero, 1.0)),
        gk.Joint("rope", kind, ("drum", "load"), points=ends, rope=True),
        gk.Joint("guide", "P", ("frame", "load"), point=ends[1], axis=(*zero, 1.0)),
    ]
    load = gk.Body("load", mass=2.0, center=ends[1])
    lift = gk.Mechanism(dimension, ["frame", "drum", load], joints, [down], gravity=(*zero, -10.0))
    losses = gk.inverse_dynamics(lift, TURN).contact_losses()
    assert [loss.must for loss in losses] == ["push"]
    assert losses[0].most == pytest.approx(2.0 * ((2 * np.pi) ** 2 - 10.0), rel=1e-4)
    assert np.sin(2 * np.pi * losses[0].start) == pytest.approx(10.0 / (2 * np.pi) ** 2, abs=1e-3)
    rods = [replace(joint, rope=False) for joint in joints]
    assert not gk.inverse_dynamics(replace(lift, joints=rods), TURN).contact_losses()


def test_gears_and_racks_change_flanks() -> None:
    """A wheel that swings is pushed and held back by turns; more of the time is what is usual."""
    gears = [
        gk.Joint("one", "R", ("frame", "pinion"), point=(0.0, 0.0)),
        gk.Joint("two", "R", ("frame", "wheel"), point=(0.3, 0.0)),
        gk.Joint("teeth", "EO", ("pinion", "wheel"), points=((0.0, 0.0), (0.3, 0.0)), radii=(0.1, 0.2)),
    ]
    wheel = gk.Body("wheel", mass=1.0, center=(0.3, 0.0), inertia=2.0)
    swing = gk.Driver("one", gk.Harmonic(amplitude=1.0, frequency=1.0))
    for torque, number in ((0.0, 1), (30.0, 1), (100.0, 0)):
        load = gk.Torque("load", "wheel", torque)
        geared = gk.Mechanism(2, ["frame", "pinion", wheel], gears, [swing], forces=[load])
        losses = gk.inverse_dynamics(geared, TURN).contact_losses()
        assert [loss.must for loss in losses] == ["change flanks"] * number
        if number:
            assert losses[0].end - losses[0].start == pytest.approx(
                0.5 - np.arcsin(torque / (2.0 * 0.5 * (2 * np.pi) ** 2)) / np.pi, abs=5e-3
            )
    rack = [
        gk.Joint("one", "R", ("frame", "pinion"), point=(0.0, 0.1)),
        gk.Joint("two", "P", ("frame", "rack"), point=(0.0, 0.0), axis=(1.0, 0.0)),
        gk.Joint("teeth", "RP", ("rack", "pinion"), points=((0.0, 0.0), (0.0, 0.1)), axis=(1.0, 0.0)),
    ]
    bar = gk.Body("rack", mass=3.0, center=(0.0, 0.0))
    racked = gk.inverse_dynamics(gk.Mechanism(2, ["frame", "pinion", bar], rack, [swing]), TURN)
    assert {loss.must for loss in racked.contact_losses()} == {"change flanks"}


def test_joints_that_are_driven_are_left_out() -> None:
    base = cart(0.1, gk.Constant(0.0))
    driven = replace(base, drivers=[gk.Driver("tread", gk.Harmonic(amplitude=1.0, frequency=1.0))])
    assert not gk.inverse_dynamics(driven, TURN).contact_losses()


@pytest.mark.parametrize(
    ("joint", "message"),
    [
        (gk.Joint("a", "R", ("frame", "arm"), point=(0, 0), adhesion=0.3), "only a rolling wheel RW has an adhesion"),
        (gk.Joint("a", "R", ("frame", "arm"), point=(0, 0), rope=True), "only a rod SPSP or RD can be a rope"),
        (
            gk.Joint("a", "RW", ("frame", "arm"), points=((0, 0), (0, 1)), axis=(1, 0), adhesion=-0.3),
            "adhesion must be a positive number, not -0.3",
        ),
    ],
)
def test_what_no_contact_has_is_refused(joint: gk.Joint, message: str) -> None:
    with pytest.raises(GeometryError, match=message):
        gk.Mechanism(2, ["frame", "arm"], [joint])
