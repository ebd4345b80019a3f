"""Derivatives of designs: against a closed formula, differences of designs beside them, and what is refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import groupkin as gk
from groupkin.errors import ArgumentError, NotModeledError, QuantityError
from groupkin.kinematics.derivatives import map_of_design
from groupkin.kinematics.motion.quantities import quantity
from groupkin.kinematics.program import closed_forms
from tests.groupkin.kinematics.test_every_pair import EVERY, moved
from tests.support.coupled import ALL as COUPLED
from tests.support.design_differences import check_derivatives, parameters_of
from tests.support.examples import described
from tests.support.mechanisms import crank_rocker
from tests.support.random_mechanisms import FREE, Chain, on_rods
from tests.support.shares import in_part

TIMES = np.linspace(0.013, 0.3, 4)


def all_orders(body: str) -> list[str]:
    kinds = ("position", "velocity", "acceleration", "angular_velocity", "angular_acceleration", "rotation")
    return [f"{kind} '{body}'" for kind in kinds]


@pytest.mark.smoke
def test_a_slider_crank_follows_its_formula() -> None:
    """x = r cos φ + √(l² - r² sin² φ) of the piston, with φ = ω t, and x', derived by r, l and ω."""
    mechanism = described("slider_crank").mechanism
    of = gk.design(mechanism, ["length crank A-B", "length rod B-C", f"rate '{mechanism.drivers[0].joint}'"])
    times = np.linspace(0.001, 0.1, 25)
    found = of.solve(of.nominal, times, derivatives=True)
    (r, length, omega), phi = of.nominal, found.motion.driven[0, 0]
    s, c = np.sin(phi), np.cos(phi)
    root = np.sqrt(length**2 - (r * s) ** 2)
    by_angle = -r * s - r**2 * s * c / root
    by_angle_twice = -r * c - r**2 * (c**2 - s**2) / root - r**4 * (s * c) ** 2 / root**3
    expected = {
        "joint cylinder": [c - r * s**2 / root, length / root, by_angle * times],
        "joint_rate cylinder": [
            omega * (-s - 2.0 * r * s * c / root - r**3 * s**3 * c / root**3),
            omega * r**2 * s * c * length / root**3,
            by_angle + omega * times * by_angle_twice,
        ],
    }
    for of_piston, formulas in expected.items():
        for slope, formula in zip(found.read(of_piston), formulas, strict=True):
            # roundings of sums that cancel each other in part
            np.testing.assert_allclose(slope, formula, rtol=1e-11, atol=1e-11 * np.abs(formula).max())


def test_a_four_bar_with_outputs() -> None:
    outputs = {
        "reach": "norm({position P} - {position D})",
        "swing": "atan2({velocity P.y}, {velocity P.x} + 10 m/s) * {output reach} / 1 m",
        "bent": "abs({angle rocker} - 10 rad) ** 0.5 * 1 rad ** 0.5",
        "open": "{transmission_angle B-C-D} * 2",
        "fixed": "3 mm",
    }
    mechanism = described("four_bar").mechanism
    with_outputs = gk.Mechanism(
        2, mechanism.bodies, mechanism.joints, mechanism.drivers, points=mechanism.points, outputs=outputs
    )
    of = gk.design(with_outputs, ["C@coupler.x", "P.y", "length crank A-B", "rate A"])
    quantities = ["angle rocker", "joint C", "joint_rate C", "acceleration P.norm", "velocity P.x"]
    quantities += ["transmission_angle B-C-D", "output reach", "output_rate reach", "output_acceleration reach"]
    quantities += ["output swing", "output_rate swing", "output_acceleration bent"]
    quantities += ["output open", "output fixed"]
    values = of.nominal * (1.0 + 0.02 * np.arange(of.nominal.size))
    assert check_derivatives(of, TIMES, [*all_orders("coupler"), *quantities], values, 5e-4) == of.nominal.size


EXAMPLES = ["stephenson_six_bar", "delta_robot", "spatial_four_bar", "stewart_inverse", "five_rod_suspension"]


@pytest.mark.exhaustive
@pytest.mark.parametrize("name", EXAMPLES)
def test_examples(name: str) -> None:
    program = gk.program(described(name).mechanism)
    last = program.mechanism.movable[-1]
    for text in parameters_of(program)[::4]:
        check_derivatives(gk.design(program, [text]), TIMES, all_orders(last))


def check_pair(dimension: int, chain: Chain, follower: str, reverse: float) -> None:
    program = moved(dimension, chain, follower, reverse).program
    joint, body = program.mechanism.joints[-1], program.mechanism.movable[-1]
    quantities = all_orders(body)
    step = 2e-3
    if program.mechanism.form(joint).curved:
        parameters, step = [f"amplitude {name}" for name in laws(program)], 2e-4  # splines have breaks
    else:
        parameters = parameters_of(program)
        quantities += [f"joint '{joint.name}'", f"joint_rate '{joint.name}'"]
    for text in parameters[:: max(1, len(parameters) // 3)]:
        check_derivatives(gk.design(program, [text]), TIMES, quantities, step=step)


def laws(program: gk.Program) -> list[str]:
    """Names of all drivers in parameters."""
    joints = program.mechanism.joint
    return [
        f"{each.joint}.{program.mechanism.freedoms(joints[each.joint])[each.freedom].name}" for each in program.drivers
    ]


@pytest.mark.parametrize(("dimension", "symbol", "freedoms", "follower"), in_part(EVERY, len(EVERY)))
def test_every_driven_pair(dimension: int, symbol: str, freedoms: int, follower: str) -> None:
    numbers = "".join(str(1 + k) for k in range(freedoms))
    check_pair(dimension, [(-1, 0, f"{symbol}*{numbers}")], follower, 0.0)


@pytest.mark.exhaustive
@pytest.mark.parametrize(("dimension", "symbol", "freedoms", "follower"), EVERY)
def test_every_pair_on_rods(dimension: int, symbol: str, freedoms: int, follower: str) -> None:
    check_pair(dimension, on_rods(symbol, freedoms), follower, 0.5)


@pytest.mark.exhaustive
@pytest.mark.parametrize(("dimension", "symbol", "freedoms", "follower"), EVERY)
def test_every_pair_that_is_cut(
    dimension: int, symbol: str, freedoms: int, follower: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(closed_forms, "roles", lambda group: None)
    hinges = {2: 3, 3: 6}[dimension] - freedoms
    chain = [(k - 1, k, "R") for k in range(hinges)] or [(-1, 0, FREE[dimension])]
    check_pair(dimension, [*chain, (len(chain) - 1, -1, symbol)], follower, 0.5)


@pytest.mark.exhaustive
@pytest.mark.parametrize("make", list(COUPLED.values()))
def test_couplings(make: Callable[[], object]) -> None:
    mechanism = make().mechanism  # type: ignore[attr-defined]
    program = gk.program(mechanism)
    starts = [f"rate {driver.joint}" for driver in program.drivers if isinstance(driver.law, gk.Ramp)]
    body = program.mechanism.movable[-1]
    for text in [*starts, *parameters_of(program)[::4]]:
        check_derivatives(gk.design(program, [text]), TIMES, all_orders(body), step=5e-4)


TRACED = [
    ("four_bar", ["joint A", "P", "length crank A-B"]),
    ("stephenson_six_bar", ["joint A"]),
    ("spatial_four_bar", ["joint guide@ground", "axis guide@ground"]),
    ("delta_robot", ["joint S1@base"]),
]


@pytest.mark.parametrize(("name", "parameters"), in_part(TRACED, 4))
def test_maps_that_are_traced_are_those_that_are_made_anew(
    name: str, parameters: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    of = gk.design(described(name).mechanism, parameters)
    values = of.nominal + 1e-3 * of.program.geometry.size
    body = of.program.mechanism.movable[-1]
    found = of.solve(values, TIMES, derivatives=True)
    wanted = [quantity(text, of.program) for text in all_orders(body)]
    traced = map_of_design.map_of_design(of.program, of.parameters, values, found.motion, wanted)
    monkeypatch.setattr(map_of_design, "traced_map", lambda *_: None)
    anew = map_of_design.map_of_design(of.program, of.parameters, values, found.motion, wanted)
    assert anew.made is not traced.made
    way = np.random.default_rng(0).normal(size=(3, values.size, 1, TIMES.size))

    def turns_and_shifts(each: map_of_design.DesignMap) -> NDArray[np.float64]:
        drivers = np.zeros((3, len(of.program.drivers), 1, TIMES.size))
        x = np.concatenate([drivers, np.einsum("cp,kpmn->kcmn", each.matrix, way)], axis=1)
        return each.apply(each.made.given(found.motion, 3), x)

    one, other = turns_and_shifts(traced), turns_and_shifts(anew)
    # roundings over the conditioning, of lengths 1e-13 by differences
    bound = 1e-11 / found.motion.conditioning.min() ** 2
    np.testing.assert_allclose(one, other, rtol=bound, atol=bound * np.abs(other).max())


def test_numbers_of_laws() -> None:
    for law, fields in [
        (gk.Harmonic(0.3, 1.3, 0.4, 0.2), ("amplitude", "frequency", "phase", "offset")),
        (gk.Fourier(0.7, (0.1, 0.05), (0.3,), 0.2), ("frequency", "cosine[1]", "sine[0]")),
        (gk.Polynomial((0.1, 0.5, 0.2)), ("coefficients[2]",)),
        (gk.Rise("cycloid", 0.6, 1.1, 0.1, -0.05), ("rise", "duration", "start", "begin")),
        (gk.Rise("s-curve", 0.6, 1.3), ("rise", "duration")),
        (gk.Sequence([gk.Rise("cycloid", 0.3, 0.4), gk.Rise("3-4-5", -0.2, 0.7)]), ("rise[1]", "start")),
        (gk.Spline(np.linspace(0, 1, 6).tolist(), [0.0, 0.1, 0.3, 0.2, 0.4, 0.5]), ("values[2]",)),
    ]:
        of = gk.design(crank_rocker(law), [f"{field} A" for field in fields])
        assert check_derivatives(of, TIMES, all_orders("rocker")) == len(fields)
    limited = gk.Rise("cycloid", 0.5, speed=1.0)
    for other, number in ((law, "times[2]"), (gk.Rise("trapezoid", 0.5, 1.0), "duration"), (limited, "rise")):
        of = gk.design(crank_rocker(other), [f"{number} A"])
        with pytest.raises(NotModeledError, match="not smooth"):
            of.solve([0.4], TIMES, derivatives=True).read("angle rocker")


def test_what_has_no_derivatives_is_refused() -> None:
    of = gk.design(crank_rocker(gk.Ramp(1.0)), ["rate A"])
    found = of.solve(of.nominal, TIMES, derivatives=True)
    assert "rate A" in repr(found)
    with pytest.raises(NotModeledError, match="conditioning"):
        found.read("conditioning")
    with pytest.raises(QuantityError):
        found.read("nothing at all")
    with pytest.raises(ArgumentError, match="shape"):
        found.gradient({"angle rocker": [1.0]})
    with pytest.raises(ArgumentError, match="at least"):
        found.gradient({})


@pytest.mark.parametrize(
    ("name", "parameters", "quantities"),
    [
        ("four_bar", ["C@coupler", "P", "A@ground.x"], ["acceleration P", "joint D", "transmission_angle B-C-D"]),
        ("four_bar", ["C@coupler", "start A"], ["position P.y", "joint_rate D"]),
        ("slider_crank", ["B@crank", gk.Axis("cylinder")], ["velocity piston"]),
        ("spatial_four_bar", [gk.JointPoint("A", "crank")], ["position slider", "angular_acceleration rod"]),
        ("planar_3rrr", [gk.JointPoint("O1", "base")], ["rotation platform"]),
    ],
)
def test_derivatives_of_many_designs_are_those_of_each(name: str, parameters: list[Any], quantities: list[str]) -> None:
    """In another order of sums; where a design cannot be solved they are NaN."""
    of = gk.design(described(name).mechanism, parameters)
    rng, size = np.random.default_rng(0), of.program.geometry.size
    rows = of.nominal + 1e-3 * size * rng.normal(size=(4, of.nominal.size))
    rows[2, 0] += 30.0 * size
    found = of.solve(rows, TIMES, keep=quantities, derivatives=True)
    assert found.solved.tolist() == [True, True, False, True]
    for k in (0, 1, 3):
        alone = of.solve(rows[k], TIMES, derivatives=True)
        for each in quantities:
            expected = alone.read(each)
            np.testing.assert_allclose(found.derivatives(each)[k], expected, atol=1e-12 * np.abs(expected).max())
    assert all(np.isnan(found.derivatives(each)[2, :, -1]).all() for each in quantities)
    with pytest.raises(QuantityError, match="derivatives of `conditioning` are not kept"):
        found.derivatives("conditioning")
