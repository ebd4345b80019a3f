"""Freedoms that gears, racks and couplings make linear functions of driven ones: closed forms with all whole turns."""

from __future__ import annotations

import numpy as np
import pytest

import groupkin as gk
import routes

TIMES = np.linspace(0.0, 7.0, 57)
SAME = 1e-10
"""Difference from closed formulas, rad or m: roundings of angles of some turns."""


def wheel(name: str, other: str, at: tuple[float, ...], axis: tuple[float, ...] | None = None) -> gk.Joint:
    """A bearing named as the wheel on it."""
    return gk.Joint(name, "R", (other, name), point=at, axis=axis)


def spur_gears() -> gk.Mechanism:
    joints = [
        wheel("a", "frame", (0.0, 0.0)),
        wheel("b", "frame", (0.3, 0.0)),
        wheel("c", "frame", (0.3, 0.2)),
        gk.Joint("ab", "EO", ("a", "b"), points=((0.0, 0.0), (0.3, 0.0)), radii=(0.1, 0.2)),
        gk.Joint("cb", "EO", ("c", "b"), points=((0.3, 0.2), (0.3, 0.0)), radii=(0.05, 0.15)),
    ]
    return gk.Mechanism(2, ["frame", "a", "b", "c"], joints, [gk.Driver("a", gk.Ramp(3.0, 0.4))])


def planetary() -> gk.Mechanism:
    joints = [
        wheel("arm", "frame", (0.0, 0.0)),
        wheel("planet", "arm", (0.3, 0.0)),
        gk.Joint("ring", "EPI", ("frame", "planet"), points=((0.0, 0.0), (0.3, 0.0)), radii=(0.4, 0.1)),
        wheel("sun", "frame", (0.0, 0.0)),
        gk.Joint("mesh", "EO", ("sun", "planet"), points=((0.0, 0.0), (0.3, 0.0)), radii=(0.2, 0.1)),
    ]
    return gk.Mechanism(2, ["frame", "arm", "planet", "sun"], joints, [gk.Driver("arm", gk.Ramp(2.0))])


def rack(driven: str) -> gk.Mechanism:
    joints = [
        wheel("pinion", "frame", (0.0, 0.1)),
        gk.Joint("rack", "P", ("frame", "rack"), point=(0.0, 0.0), axis=(1.0, 0.0)),
        gk.Joint("mesh", "RP", ("rack", "pinion"), points=((0.0, 0.0), (0.0, 0.1)), axis=(1.0, 0.0)),
    ]
    return gk.Mechanism(2, ["frame", "pinion", "rack"], joints, [gk.Driver(driven, gk.Ramp(1.5))])


def bevel_gears() -> gk.Mechanism:
    joints = [
        wheel("a", "frame", (0.0, 0.0, 0.0), (0.0, 0.0, 1.0)),
        wheel("b", "frame", (0.2, 0.0, 0.1), (1.0, 0.0, 0.0)),
        gk.Joint(
            *("ab", "EO", ("a", "b")),
            points=((0.0, 0.0, 0.0), (0.2, 0.0, 0.1)),
            axes=((0.0, 0.0, 1.0), (1.0, 0.0, 0.0)),
            radii=(0.2, 0.1),
        ),
    ]
    return gk.Mechanism(3, ["frame", "a", "b"], joints, [gk.Driver("a", gk.Ramp(1.0))])


def train_by_formula(equation: str) -> gk.Mechanism:
    """A crank, an arm on it, and a slide beside them, the latter two led by formulas."""
    joints = [
        wheel("crank", "frame", (0.0, 0.0)),
        wheel("arm", "crank", (0.4, 0.0)),
        gk.Joint("slide", "P", ("frame", "slide"), point=(0.0, 1.0), axis=(1.0, 0.0)),
    ]
    feed = gk.Coupling("feed", "{joint slide} = (0.2 m) * {joint arm} / 2 rad + 3 mm")
    bodies = ["frame", "crank", "arm", "slide"]
    return gk.Mechanism(
        2, bodies, joints, [gk.Driver("crank", gk.Ramp(2.0))], couplings=[gk.Coupling("train", equation), feed]
    )


CASES = {
    "spur gears": (spur_gears, {"b": lambda u: -0.5 * u, "c": lambda u: 1.5 * u}),
    # the ring stands: the planet turns by 1 - 4 against the frame, by -4 against the arm (Willis 1870)
    "planetary": (planetary, {"planet": lambda u: -4.0 * u, "sun": lambda u: u + 2.0 * u}),
    "rack by pinion": (lambda: rack("pinion"), {"rack": lambda u: 0.1 * u}),
    "pinion by rack": (lambda: rack("rack"), {"pinion": lambda u: 10.0 * u}),
    "bevel gears": (bevel_gears, {"b": lambda u: -2.0 * u}),
    "formulas": (lambda: train_by_formula("{angle arm} = 3 * {angle crank}"), {"arm": lambda u: 2.0 * u}),
    "joints": (lambda: train_by_formula("{joint arm} - 2 * {joint crank} = 0 rad"), {"arm": lambda u: 2.0 * u}),
}


@pytest.mark.complete
@pytest.mark.parametrize("name", CASES)
def test_coupled_drivers_follow_all_turns_of_their_drivers(name):
    make, expected = CASES[name]
    program = gk.program(make(), assemble=True)
    assert not program.iterates
    motion = gk.solve(program, TIMES)
    assert gk.max_residual(motion) < SAME
    assert motion.conditioning.min() == 1.0
    assert [group.solver for group in gk.analyze(make()).groups] == list(program.solvers)
    u = motion.driver(0)[0]
    for joint, law in expected.items():
        values = motion.joint(joint)[0]
        start = values[0] - law(u[0])
        np.testing.assert_allclose(values, start + law(u), rtol=0, atol=SAME)
    found = gk.compare(motion)
    assert max(found.position, found.velocity, found.acceleration) < 1e-8
    assert all(len(gk.assembly_modes(program).of(k + 1)) == 1 for k in range(len(program.solvers)))


def test_what_is_no_linear_function_of_drivers_is_iterated():
    points = {"A": (0.0, 0.0), "B": (0.0, 1.0), "C": (3.0, 2.5), "D": (3.0, 0.0)}
    names = {"A": ("frame", "crank"), "B": ("crank", "coupler"), "C": ("coupler", "rocker"), "D": ("rocker", "frame")}
    joints = [gk.Joint(k, "R", ends, point=points[k]) for k, ends in names.items()]
    joints += [wheel("wheel", "frame", (4.0, 0.0))]
    mesh = gk.Joint("mesh", "EO", ("rocker", "wheel"), points=((3.0, 0.0), (4.0, 0.0)), radii=(0.5, 0.5))
    bodies = ["frame", "crank", "coupler", "rocker", "wheel"]
    on_rocker = gk.Mechanism(2, bodies, [*joints, mesh], [gk.Driver("A", gk.Ramp(1.0))])
    assert gk.program(on_rocker).solvers[-1] == "Newton"  # the turns of the rocker depend on the past
    beside = gk.Joint("mesh", "EO", ("crank", "wheel"), points=((0.1, 0.0), (4.0, 0.0)), radii=(0.5, 0.5))
    eccentric = gk.Mechanism(2, bodies, [*joints, beside], [gk.Driver("A", gk.Ramp(1.0))])
    assert gk.program(eccentric).solvers[-2:].count("Newton") == 1  # a wheel that turns about another point


def test_a_gear_no_longer_keeps_a_linkage_from_going_on_through_its_dead_center():
    joints = [
        gk.Joint("O", "R", ("frame", "a"), point=(0, 0)),
        gk.Joint("A", "R", ("a", "b"), point=(4, 0)),
        gk.Joint("B", "R", ("b", "c"), point=(8, 0)),
        gk.Joint("C", "R", ("c", "d"), point=(10, 96**0.5)),
        gk.Joint("D", "R", ("frame", "d"), point=(12, 0)),
    ]
    bodies, times = ["frame", "a", "b", "c", "d"], np.linspace(0, 2 * np.pi, 401)
    two = gk.Mechanism(2, bodies, joints, [gk.Driver("O", gk.Ramp(1.0)), gk.Driver("A", gk.Ramp(2.0))])
    train = [gk.Coupling("train", "{angle b} = 3 * {angle a}")]
    geared = gk.Mechanism(2, bodies, joints, [gk.Driver("O", gk.Ramp(1.0))], couplings=train)
    motions = [gk.solve(each, times, on_singular="continue") for each in (two, geared)]
    assert [len(motion.passages) for motion in motions] == [1, 1]
    # next to the passage both are interpolated, from velocities that have lost some digits
    np.testing.assert_allclose(motions[1].angle("d"), motions[0].angle("d"), rtol=0, atol=1e-9)


def test_designs_of_geared_mechanisms_are_those_of_changed_mechanisms():
    mechanism = gk.Mechanism(
        2,
        ["frame", "a", gk.Body("b", points=["T"]), "rod", "block"],
        [
            gk.Joint("O", "R", ("frame", "a"), point="O"),
            gk.Joint("B", "R", ("frame", "b"), point="B"),
            gk.Joint("mesh", "EO", ("a", "b"), points=("O", "B"), radii=(0.1, 0.2)),
            gk.Joint("pin", "R", ("b", "rod"), point="P"),
            gk.Joint("wrist", "R", ("rod", "block"), point="W"),
            gk.Joint("guide", "P", ("frame", "block"), point="W", axis=(1, 0)),
        ],
        [gk.Driver("O", gk.Ramp(2.0))],
        points={"O": (0, 0), "B": (0.3, 0), "P": (0.4, 0.05), "W": (0.9, 0), "T": (0.5, 0.1)},
    )
    design = gk.design(mechanism, ["B@frame", "P@b", "T"])
    shifts = np.array([[0.01, 0.02, 0.0, -0.01, 0.0, 0.03], [0.0, -0.01, 0.02, 0.0, 0.01, 0.0]])
    times, keep = np.linspace(0.0, 4.0, 9), ["position T", "joint B", "joint guide"]
    many = design.solve(design.nominal + shifts, times, keep=keep)
    assert many.solved.all()
    for k, shift in enumerate(shifts):
        one = design.solve(design.nominal + shift, times)
        assert gk.max_residual(one) < SAME
        for name in keep:
            np.testing.assert_allclose(one.read(name), many.read(name)[k], rtol=0, atol=SAME)
    derivatives = design.solve(design.nominal, times, derivatives=True).read("position T")
    step = 1e-6
    for k in range(design.nominal.size):
        there = [design.solve(design.nominal + x * np.eye(6)[k], times).position("T") for x in (step, -step)]
        np.testing.assert_allclose(derivatives[k], (there[0] - there[1]) / (2 * step), rtol=0, atol=1e-7)
    moved = gk.design(mechanism, ["B@b"])
    assert moved.solve(moved.nominal + np.array([0.01, 0.0]), times).solved.all()


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("split", ["time", "groups", "hybrid"])
def test_routes_give_the_same_bits(name, split):
    program = gk.program(CASES[name][0](), assemble=True)
    expected = gk.solve(program, TIMES)
    found = routes.solve(program, TIMES, workers=2, split=split, block=16, cache=False)
    for row in ("q", "v", "a", "status", "conditioning"):
        np.testing.assert_array_equal(getattr(found, row), getattr(expected, row))


@pytest.mark.complete
@pytest.mark.parametrize("name", CASES)
def test_other_ways_to_solve_give_the_same(name):
    program = gk.program(CASES[name][0](), assemble=True)
    expected = gk.solve(program, TIMES)
    for options in ({"on_failure": "nan"}, {"on_singular": "continue"}, {"block": 8}):
        found = gk.solve(program, TIMES, **options)
        np.testing.assert_array_equal(found.q, expected.q)
        np.testing.assert_array_equal(found.a, expected.a)
    values, rates, accelerations = np.moveaxis(expected.driven, 1, 0)
    for path in (False, True):
        found = program.evaluate(values, rates, accelerations, path=path)
        for own, other in ((found.q, expected.q), (found.v, expected.v), (found.a, expected.a)):
            np.testing.assert_allclose(own, other, rtol=0, atol=1e-11)
    last = program.mechanism.movable[-1]
    kept = gk.solve(program, TIMES, keep=[f"position {last}", f"velocity {last}"])
    np.testing.assert_array_equal(kept.position(last), expected.position(last))


def test_a_torque_accelerates_all_inertias_of_a_train():
    """Spur gears of inertias 0.3, 0.7 and 0.2 kg m², reduced to the first by squares of their ratios."""
    mechanism = spur_gears()
    inertias = {"a": 0.3, "b": 0.7, "c": 0.2}
    centers = {"a": (0.0, 0.0), "b": (0.3, 0.0), "c": (0.3, 0.2)}
    bodies = ["frame", *(gk.Body(k, mass=1.0, center=centers[k], inertia=inertias[k]) for k in inertias)]
    reduced = 0.3 + 0.25 * 0.7 + 2.25 * 0.2
    driven = gk.Mechanism(2, bodies, mechanism.joints, [gk.Driver("a", gk.Polynomial((0.0, 1.0, 1.0)))])
    needed = gk.inverse_dynamics(driven, [0.0, 1.0]).driving("a")
    np.testing.assert_allclose(needed, 2.0 * reduced, rtol=1e-12)
    torque = [gk.JointForce("motor", "a", force=4.0)]
    free = gk.Mechanism(2, bodies, mechanism.joints, [gk.Driver("a")], forces=torque)
    times = np.linspace(0.0, 3.0, 31)
    moved = gk.simulate(free, times)
    np.testing.assert_allclose(moved.joint("a")[0], 0.5 * 4.0 / reduced * times**2, rtol=0, atol=1e-6)
    np.testing.assert_allclose(moved.joint("c")[0], 1.5 * moved.joint("a")[0], rtol=0, atol=1e-9)


def test_gears_on_the_frame_turn_nothing() -> None:
    """A wheel that meshes with a gear of the frame stands still, whatever is driven beside it."""
    joints = [
        gk.Joint("A", "R", ("frame", "crank"), point=(0, 0)),
        gk.Joint("B", "R", ("frame", "wheel"), point=(0.06, 0)),
        gk.Joint("mesh", "EO", ("frame", "wheel"), points=((0, 0), (0.06, 0)), radii=(0.02, 0.04)),
    ]
    still = gk.Mechanism(2, ["frame", "crank", "wheel"], joints, [gk.Driver("A", gk.Ramp(1.0))])
    assert np.ptp(gk.solve(still, [0.0, 1.0, 2.0]).angle("wheel")) == 0.0
    assert gk.limits(still, "A").limits == ()


def test_an_angle_of_a_slide_leads_nothing() -> None:
    joints = [
        gk.Joint("guide", "P", ("frame", "rack"), point=(0, 0), axis=(1, 0)),
        gk.Joint("axle", "R", ("frame", "wheel"), point=(0, 0.1)),
        gk.Joint("teeth", "RD", ("rack", "wheel"), points=((0, 0), (0, 0.1))),
    ]
    coupling = gk.Coupling("k", "2 * {angle rack}")
    over = gk.Mechanism(2, ["frame", "rack", "wheel"], joints, couplings=[coupling])
    with pytest.raises(gk.errors.GroupkinError):
        gk.solve(over, [0.0])
