"""Named values and numbers of constructions as parameters: designs are mechanisms made anew, with derivatives."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import cluster
import groupkin as gk
from groupkin.errors import FormulaError, ParameterError
from groupkin.mechanism.constructions.construction import Construction

Array = NDArray[np.float64]

TIMES = np.linspace(0.0, 0.5, 11)
QUANTITIES = ("position P", "velocity P", "acceleration P", "joint D", "angular_acceleration rocker")

Made = Callable[[float], gk.Mechanism]


def four_bar(point: Construction | tuple[float, float], crank: float = 0.03, rate: float = 2.0) -> gk.Mechanism:
    """A four-bar linkage whose coupler carries a point."""
    a = gk.Value("a", crank)
    points: dict[str, Any] = {
        "A": (0.0, 0.0),
        "D": (0.1, 0.0),
        "B": gk.Polar("A", a, math.pi / 3),
        "C": gk.Circles(("B", "D"), (0.05 + 2.0 * a / 3.0, 0.08), "left"),
        "P": point,
    }
    joints = [
        gk.Joint("A", "R", ("frame", "crank"), point="A"),
        gk.Joint("B", "R", ("crank", "coupler"), point="B"),
        gk.Joint("C", "R", ("coupler", "rocker"), point="C"),
        gk.Joint("D", "R", ("frame", "rocker"), point="D"),
    ]
    bodies = ["frame", "crank", gk.Body("coupler", points=["P"]), "rocker"]
    return gk.Mechanism(2, bodies, joints, [gk.Driver("A", gk.Ramp(rate))], points=points)


CONSTRUCTED: dict[str, tuple[float, Callable[[float], Construction]]] = {
    "P.length": (0.04, lambda x: gk.Polar("B", x, 0.7)),
    "P.angle": (0.7, lambda x: gk.Polar("B", 0.04, x, line=("B", "C"))),
    "P.lengths[0]": (0.05, lambda x: gk.Circles(("B", "C"), (x, 0.06), "left")),
    "P.lengths[1]": (0.06, lambda x: gk.Circles(("B", "C"), (0.05, x), "right")),
    "P.distance": (0.03, lambda x: gk.Along(("B", "C"), distance=x)),
    "P.share": (0.4, lambda x: gk.Along(("B", "C"), share=x, offset=0.01)),
    "P.offset": (0.02, lambda x: gk.Along(("B", "C"), share=0.4, offset=x)),
    "P.by[1]": (0.03, lambda x: gk.Shifted("C", (0.01, x))),
    "P.angle (turned)": (0.5, lambda x: gk.Turned("C", "B", x)),
    "P.length (reach)": (0.1, lambda x: gk.Reach("C", x, ("A", "B"))),
}


def named(name: str) -> tuple[str, float, Made]:
    """The parameter of a number, its nominal value, and the mechanism made with another."""
    if name == "a":
        return "number a", 0.03, lambda x: four_bar(gk.Mirrored("B", ("C", "D")), crank=x)
    if name == "a, by a foot":
        return "number a", 0.03, lambda x: four_bar(gk.Foot("A", ("B", "C")), crank=x)
    if name == "a, by a crossing":
        return "number a", 0.03, lambda x: four_bar(gk.Crossing((("A", "B"), ("D", "C"))), crank=x)
    nominal, construction = CONSTRUCTED[name]
    return f"number {name.partition(' ')[0]}", nominal, lambda x: four_bar(construction(x))


NUMBERS = ["a", "a, by a foot", "a, by a crossing", *CONSTRUCTED]


@pytest.mark.parametrize("name", NUMBERS)
def test_a_design_is_the_mechanism_made_anew(name: str) -> None:
    parameter, nominal, made = named(name)
    design = gk.design(made(nominal), [parameter])
    assert design.nominal == pytest.approx([nominal], rel=1e-15)
    for x in (nominal, 1.02 * nominal):
        motion, other = design.solve([x], TIMES), gk.solve(made(x), TIMES)
        for of in QUANTITIES:
            expected = other.read(gk.quantity(of, made(x)))
            assert np.abs(motion.read(gk.quantity(of, made(x))) - expected).max() <= 1e-12 * np.abs(expected).max()
    anew = design.mechanism([1.02 * nominal])
    assert np.abs(gk.solve(anew, TIMES).position("P") - other.position("P")).max() < 1e-13


@pytest.mark.parametrize("name", NUMBERS)
def test_derivatives_are_those_of_differences(name: str) -> None:
    parameter, nominal, made = named(name)
    found = gk.design(made(nominal), [parameter]).solve([nominal], TIMES, derivatives=True)
    many = gk.design(made(nominal), [parameter]).solve([[nominal], [nominal]], TIMES, keep=QUANTITIES, derivatives=True)
    h = 1e-4 * nominal
    for of in QUANTITIES:
        wanted = gk.quantity(of, made(nominal))
        sides = {k: gk.solve(made(nominal + k * h), TIMES).read(wanted) for k in (-2, -1, 1, 2)}
        # of fourth order: off by h^4 of the fifth derivative, and by roundings over h
        slope = (8 * (sides[1] - sides[-1]) - (sides[2] - sides[-2])) / (12 * h)
        size = np.abs(sides[1]).max() / nominal
        assert np.abs(found.read(of)[0].reshape(slope.shape) - slope).max() < 1e-8 * size
        assert np.abs(many.derivatives(of)[1, 0].reshape(slope.shape) - slope).max() < 1e-8 * size


def test_values_of_laws() -> None:
    """One value sets a length and two numbers of a law."""

    def made(x: float) -> gk.Mechanism:
        a = gk.Value("a", x)
        points: dict[str, Any] = {"A": (0.0, 0.0), "T": gk.Shifted("A", (a, 0.0))}
        swing = gk.Harmonic(amplitude=3.0 * a, frequency=1.0, offset=a * a)
        joint = gk.Joint("A", "R", ("frame", "arm"), point="A")
        return gk.Mechanism(2, ["frame", gk.Body("arm", points=["T"])], [joint], [gk.Driver("A", swing)], points=points)

    design = gk.design(made(0.2), ["number a"])
    motion, other = design.solve([0.25], TIMES, derivatives=True), gk.solve(made(0.25), TIMES)
    assert np.abs(design.solve([0.25], TIMES).position("T") - other.position("T")).max() < 1e-15
    h = 1e-4
    slope = (gk.solve(made(0.25 + h), TIMES).velocity("T") - gk.solve(made(0.25 - h), TIMES).velocity("T")) / (2 * h)
    assert np.abs(motion.read("velocity T")[0] - slope).max() < 1e-6
    many = design.solve([[0.2], [0.25]], TIMES, keep=["velocity T"], derivatives=True)
    assert np.abs(many.read("velocity T")[1] - other.velocity("T")).max() < 1e-14
    assert np.abs(many.derivatives("velocity T")[1, 0] - slope).max() < 1e-6


def test_values_in_sweeps_tolerances_and_fits() -> None:
    _, _, made = named("P.length")
    bars = made(0.04)
    sweep = cluster.sweep(
        bars,
        parameters=[cluster.Parameter("number a", cluster.Grid([0.028, 0.03, 0.032]))],
        times=TIMES,
        keep=[cluster.TimeHistory("position P")],
    )
    results = cluster.solve(sweep)
    expected = gk.solve(four_bar(gk.Polar("B", 0.04, 0.7), crank=0.032), TIMES).position("P")
    assert np.abs(results["P.position"].values[2] - expected).max() < 1e-13
    design = gk.design(bars, ["number a", "number P.length"])
    tolerance = design.tolerance({"number a": 1e-4}, TIMES, keep=["position P"])
    assert np.abs(tolerance.slopes[gk.quantity("position P", bars)]).max() > 0.5
    wanted = gk.solve(four_bar(gk.Polar("B", 0.042, 0.7), crank=0.031), np.linspace(0.0, 0.5, 7))
    fit = gk.fit(
        design,
        {"position P": wanted.position("P")},
        at=wanted.joint("A")[0],
        bounds={"number a": (0.025, 0.035), "number P.length": (0.03, 0.05)},
    )
    assert fit.values == pytest.approx([0.031, 0.042], rel=1e-6)


def test_two_values_of_one_number() -> None:
    design = gk.design(named("P.length")[2](0.04), ["number a", "number C.lengths[1]", "number B.angle"])
    motion = design.solve([0.031, 0.081, 1.0], TIMES)
    assert motion.solved.all()


# --- refusals ----------------------------------------------------------------------------------


def heavy(x: float) -> gk.Mechanism:
    """An arm whose length and mass are one value."""
    a = gk.Value("a", x)
    arm = gk.Body("arm", points={"T": (a, 0.0)}, mass=10.0 * a, center="T")
    joint = gk.Joint("A", "R", ("frame", "arm"), point=(0.0, 0.0))
    return gk.Mechanism(2, ["frame", arm], [joint], [gk.Driver("A", gk.Ramp(1.0))])


def test_a_value_of_a_length_and_a_mass() -> None:
    found = gk.inverse_dynamics(gk.design(heavy(0.2), ["number a"]).solve([0.3], TIMES)).reaction("A").force
    expected = gk.inverse_dynamics(gk.solve(heavy(0.3), TIMES)).reaction("A").force
    assert np.abs(found - expected).max() <= 1e-14 * np.abs(expected).max()


def test_values_that_designs_do_not_vary() -> None:
    falling = replace(heavy(0.2), gravity=(0.0, -50.0 * gk.Value("a", 0.2)))
    with pytest.raises(ParameterError, match="value 'a' is also in gravity 1, which no design varies"):
        gk.design(falling, ["number a"])


def test_values_that_are_not_there() -> None:
    with pytest.raises(ParameterError, match=r"no value 'b'.*it has 'B.angle', 'a'"):
        gk.design(named("a")[2](0.03), ["number b"])


def test_a_name_has_one_number() -> None:
    points = {"A": (gk.Value("a", 0.1), 0.0), "B": (gk.Value("a", 0.2), 0.0)}
    with pytest.raises(FormulaError, match=r"value 'a' is both 0\.1 and 0\.2"):
        _ = gk.Mechanism(2, ["frame"], [], points=points).values


def test_a_point_and_what_it_is_constructed_from_change_the_same() -> None:
    with pytest.raises(ParameterError, match="change the same"):
        gk.design(named("a")[2](0.03), ["number a", "B.x"])


def test_values_of_rises_sequences_and_laws_over_drivers() -> None:
    def made(x: float) -> gk.Mechanism:
        a = gk.Value("a", x)
        joints = [
            gk.Joint(name, "R", ("frame", body), point=(0.0, 0.0)) for name, body in zip("ABC", "abc", strict=True)
        ]
        lift = gk.Sequence([gk.Rise("cycloid", a, 2.0), gk.Dwell(1.0), gk.Rise("3-4-5", -a, 2.0)], periodic=True)
        drivers = [
            gk.Driver("A", gk.Ramp(2.0)),
            gk.Driver("B", gk.Rise("modified sine", 3.0 * a, 0.4, start=a)),
            gk.Driver("C", gk.Over("A", lift)),
        ]
        return gk.Mechanism(2, ["frame", "a", "b", "c"], joints, drivers)

    design = gk.design(made(0.5), ["number a"])
    found, expected = design.solve([0.6], TIMES, derivatives=True), gk.solve(made(0.6), TIMES)
    motion, h = design.solve([0.6], TIMES), 1e-4
    for joint in "BC":
        assert np.abs(motion.joint(joint) - expected.joint(joint)).max() < 1e-14
        ends = [gk.solve(made(0.6 + side * h), TIMES).joint(joint) for side in (1, -1)]
        assert np.abs(found.read(f"joint {joint}")[0] - (ends[0] - ends[1])[0] / (2 * h)).max() < 1e-9


def loaded(x: float) -> gk.Mechanism:
    """The four-bar linkage with masses and forces at its points, those of joints too."""
    bars = four_bar(gk.Along(("B", "C"), share=0.5, offset=0.01), crank=x)
    coupler = gk.Body("coupler", points=["P"], mass=2.0, center="P", inertia=0.001)
    bodies = ["frame", "crank", coupler, gk.Body("rocker", mass=1.0, center="C")]
    forces = [
        gk.Spring("spring", ("frame", "coupler"), ((0.05, 0.2), "P"), stiffness=100.0, length=0.1),
        gk.Force("push", "rocker", "C", (1.0, 2.0)),
    ]
    return replace(bars, bodies=bodies, forces=forces, gravity=(0.0, -9.81))


@pytest.mark.parametrize("parameter", ["number a", "number C.lengths[1]", "C.x", "P.y", "B.x"])
def test_masses_and_forces_go_with_their_points(parameter: str) -> None:
    bars = loaded(0.03)
    design = gk.design(bars, [parameter])
    changed = design.nominal * 1.02
    of_design = gk.inverse_dynamics(design.solve(changed, TIMES)).driving("A")
    anew = gk.inverse_dynamics(gk.solve(design.mechanism(changed), TIMES)).driving("A")
    assert np.abs(of_design - anew).max() < 1e-13
    if parameter == "number a":
        expected = gk.inverse_dynamics(gk.solve(loaded(0.0306), TIMES)).driving("A")
        assert np.abs(of_design - expected).max() < 1e-13
    sweep = cluster.sweep(
        bars,
        parameters=[cluster.Parameter(parameter, cluster.Grid(changed.tolist()))],
        times=TIMES,
        keep=[cluster.TimeHistory("driver A")],
    )
    assert np.abs(cluster.solve(sweep)["A.driver"].values[0] - anew.ravel()).max() < 1e-13
