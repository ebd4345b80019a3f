"""Outputs: formulas of quantities, read from motions with their derivatives, and refused where they do not fit."""

from __future__ import annotations

import pickle
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import groupkin as gk
from groupkin.errors import FormulaError, NotModeledError, QuantityError, UnknownNameError
from groupkin.kinematics.motion.outputs import bases
from groupkin.kinematics.motion.quantities import components, quantity, unit
from groupkin.mechanism.files.reading import parse
from tests.support.mechanisms import FOUR_BAR

OUTPUTS = {
    "tilt": "atan2({arm.y}, {arm.x}) - 90 deg",  # before what it needs
    "arm": "{position P} - {position C}",
    "reach": "norm({arm} + {arm})",
    "span": "{P.norm} * sin({angle rocker}) - {joint b} * 1 m / 1 rad",
    "gain": "{output_rate tilt} / {angular_velocity crank}",
    "a name, 'quoted' {x}": "{position P.x} - 3 mm",
    "again": "2 * {'a name, ''quoted'' {x}'}",
    "fixed": "2 * 3 mm",
    "worst": "min({conditioning}, {conditioning rocker}) * 2",
}
TIMES = np.linspace(0.0, 0.5, 201)


def with_outputs(**outputs: str) -> gk.Mechanism:
    return replace(FOUR_BAR, outputs=outputs)


@cache
def motion() -> gk.Motion:
    return gk.solve(replace(FOUR_BAR, outputs=OUTPUTS), TIMES)


# --- values ----------------------------------------------------------------------------------


def test_values_are_those_of_the_quantities() -> None:
    found = motion()
    arm = found.position("P") - found.position("C")
    span = np.linalg.norm(found.position("P"), axis=1) * np.sin(found.angle("rocker")) - found.joint("b")[0]
    expected = {
        "arm": arm,
        "tilt": np.arctan2(arm[:, 1], arm[:, 0]) - np.pi / 2,
        "reach": 2.0 * np.linalg.norm(arm, axis=1),
        "span": span,
        "'a name, ''quoted'' {x}'": found.position("P")[:, 0] - 0.003,
        "again": 2.0 * (found.position("P")[:, 0] - 0.003),
        "fixed": np.full(TIMES.size, 0.006),
        "worst": 2.0 * found.read("conditioning"),
        "arm.y": arm[:, 1],
        "arm.norm": np.linalg.norm(arm, axis=1),
    }
    for name, values in expected.items():
        np.testing.assert_allclose(found.read(name), values, rtol=1e-14, atol=1e-14, err_msg=name)


@pytest.mark.parametrize("name", ["tilt", "arm", "arm.x", "again", "fixed", "arm.norm"])
def test_derivatives_are_those_of_differences(name: str) -> None:
    found, mechanism = motion(), motion().program.mechanism
    base = quantity(name, mechanism)
    value, rate = found.read(base), found.read(replace(base, kind="output_rate"))
    if name == "arm.norm":  # the norm of the rate, as of a velocity
        np.testing.assert_array_equal(rate, np.linalg.norm(found.read("output_rate arm"), axis=1))
        return
    acceleration = found.read(replace(base, kind="output_acceleration"))
    step = TIMES[1] - TIMES[0]
    unwrapped = np.unwrap(value, axis=0) if name == "tilt" else value  # atan2 jumps by whole turns
    for x, slope in ((unwrapped, rate), (rate, acceleration)):
        difference = (x[:-4] - 8.0 * x[1:-3] + 8.0 * x[3:-1] - x[4:]) / (12.0 * step)
        # step^4 times fifth derivatives, which are up to some ten thousands here
        np.testing.assert_allclose(slope[2:-2], difference, atol=30.0 * step**4 * 6.0**5, rtol=0.0)


def test_formulas_may_have_derivatives_of_outputs() -> None:
    found = motion()
    gain = found.read("output_rate tilt") / found.angular_velocity("crank")
    np.testing.assert_array_equal(found.read("gain"), gain)
    slope = found.read("output_rate gain")
    np.testing.assert_allclose(slope, found.read("output_acceleration tilt") / 6.0, rtol=1e-9, atol=1e-9)


def test_units_and_components() -> None:
    mechanism = motion().program.mechanism
    units = {"tilt": "rad", "arm": "m", "output_rate arm.x": "m/s", "output_acceleration tilt": "rad/s^2", "gain": "1"}
    assert {name: unit(quantity(name, mechanism), mechanism) for name in units} == units
    assert components(quantity("arm", mechanism), mechanism) == (("axis",), (("x", "y"),))
    assert components(quantity("tilt", mechanism), mechanism) == ((), ())
    assert [str(each) for each in bases(quantity("output_rate tilt", mechanism), mechanism)] == [
        *("position P", "velocity P", "position C", "velocity C")
    ]


def test_evaluated_motions_have_outputs() -> None:
    found = motion().program.evaluate([[0.1, 0.2]])
    arm = found.position("P") - found.position("C")
    np.testing.assert_array_equal(found.read("arm"), arm)


def test_what_is_not_solved_has_no_output() -> None:
    points = dict(FOUR_BAR.points) | {"B": (1.0, 0.0), "C": (2.0, 1.0)}  # the crank is too long for the rocker
    mechanism = replace(FOUR_BAR, points=points, outputs={"far": "{position A.x} + 1 m", "high": "{P.y}"})
    found = gk.solve(mechanism, TIMES, on_failure="nan")
    assert 0 < found.solved.sum() < TIMES.size
    for name in mechanism.outputs:
        np.testing.assert_array_equal(np.isfinite(found.read(name)), found.solved)


# --- refusals --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{position Q} - {P}", "there is no body or point 'Q'.*\n  {position Q} - {P}\n  \\^"),
        ("{P.x} + {angle crank}", "`\\+` needs a number in m like the first operand, not a number in rad"),
        ("{a}", "`a` can be read as|there is no|joint"),
        ("{nothing} * 2", "there is no body, point, joint or output 'nothing'"),
        ("{velocity}", "there is no body, point, joint or output"),
        ("{speed P}", "there is no kind 'speed'"),
        ("{rotation crank}", "is a matrix: use points of the body"),
        ("{P.z}", "has the components x, y, norm, not 'z'"),
        ("{velocity out}", "'out' is an output, not a body or point; its derivatives are `output_rate`"),
        ("{out}", "outputs need each other in a circle: 'out' → 'out'"),
    ],
)
def test_formulas_that_do_not_fit_the_mechanism_are_refused(text: str, message: str) -> None:
    mechanism = with_outputs(out=text)
    if text == "{a}":
        assert gk.program(mechanism).mechanism.outputs  # a joint's coordinate
        return
    with pytest.raises(FormulaError, match=message):
        gk.program(mechanism)
    with pytest.raises(FormulaError, match=message):
        gk.quantity("position P", mechanism)


def test_circles_are_told() -> None:
    circle = with_outputs(one="{two}", two="2 * {output_rate three}", three="{one}", other="{P.x}")
    with pytest.raises(FormulaError, match=r"in a circle: '(\w+)' → '\w+' → '\w+' → '\1'; write one of them without"):
        gk.program(circle)


def test_long_chains_of_outputs_are_read_one_after_another() -> None:
    chain = {f"n{k}": f"{{n{k - 1}}} + {{n{k - 1}}}" for k in range(1, 900)}  # 2^900 terms if they were put in
    mechanism = replace(FOUR_BAR, outputs=dict(reversed(chain.items())) | {"n0": "{P.x} / (1 m)"})
    found = gk.solve(mechanism, TIMES[:3])
    np.testing.assert_array_equal(found.read("n899"), 2.0**899 * found.position("P")[:, 0])


def test_a_value_that_is_not_finite_is_an_error_with_its_time_and_place() -> None:
    mechanism = with_outputs(root="1 m + sqrt({inner} - 1.5 m) * sqrt(1 m)", inner="{P.x}", pole="log(0) * {P.x}")
    found = gk.solve(mechanism, TIMES)
    step = int(np.argmax(found.position("P")[:, 0] < 1.5))
    with pytest.raises(QuantityError) as refused:
        found.read("root")
    assert f"at t = {TIMES[step]:.6g} s: output 'root', `sqrt({{inner}} - 1.5 m)`, has no value there" in str(
        refused.value
    )
    with pytest.raises(QuantityError, match=r"output 'pole', `log\(0\)`, has no value there"):
        found.read("pole")


@pytest.mark.parametrize(
    ("text", "derivative", "message"),
    [
        ("{joint_acceleration b}", "output_rate out", "needs the derivative of `joint_acceleration b`"),
        ("{conditioning}", "output_rate out", "needs the derivative of `conditioning`"),
        ("{acceleration P.x}", "output_rate out", "needs the derivative of `acceleration P.x`"),
        ("{output_rate inner}", "output_acceleration out", "a third derivative of output 'inner'"),
    ],
)
def test_derivatives_that_are_not_computed_are_refused(text: str, derivative: str, message: str) -> None:
    mechanism = with_outputs(out=text, inner="{P.x}")
    found = gk.solve(mechanism, TIMES[:2])
    assert np.isfinite(found.read("out")).all()
    with pytest.raises(NotModeledError, match=message):
        found.read(derivative)
    with pytest.raises(NotModeledError, match=message):
        gk.solve(mechanism, TIMES[:2], keep=[derivative])


def test_names_that_mean_more_than_one_thing_need_a_kind() -> None:
    mechanism = with_outputs(P="2 * {position P.x}", out="{output P} + {position P.x}")
    with pytest.raises(QuantityError, match=r"`P` can be read as `position P` or `output P`; write one of them"):
        quantity("P", mechanism)
    found = gk.solve(mechanism, TIMES[:2])
    np.testing.assert_allclose(found.read("out"), 3.0 * found.position("P")[:, 0], rtol=1e-15)
    with pytest.raises(UnknownNameError, match=r"there is no output 'Q'"):
        quantity("output Q", mechanism)


# --- mechanisms and files --------------------------------------------------------------------


@pytest.mark.parametrize("suffix", [".toml", ".json"])
def test_outputs_are_written_and_read(tmp_path: Path, suffix: str) -> None:
    mechanism = replace(FOUR_BAR, outputs=OUTPUTS | {"lines": "1 +\n  2", "Größe 中": "{P.x}"})
    for units in (gk.Units(), gk.Units("mm", "deg")):
        gk.save(mechanism, tmp_path / f"four_bar{suffix}", units=units)
        assert gk.load(tmp_path / f"four_bar{suffix}").outputs == mechanism.outputs
    assert pickle.loads(pickle.dumps(mechanism)) == mechanism
    assert mechanism != FOUR_BAR


def test_formulas_in_files_are_refused_with_the_name_of_the_file(tmp_path: Path) -> None:
    gk.save(replace(FOUR_BAR, outputs={"camber": "{P.x} - 7"}), tmp_path / "car.toml")
    text = (tmp_path / "car.toml").read_text()
    (tmp_path / "car.toml").write_text(text.replace("- 7", "- import(7)"))
    with pytest.raises(FormulaError, match=r"(?s)car.toml: output 'camber': .*\n  {P.x} - import\(7\)\n *\^"):
        gk.load(tmp_path / "car.toml")
    with pytest.raises(gk.GroupkinError, match=r"outputs\.one: must be a valid string, not 3"):
        parse({"dimension": 2, "bodies": ["a"], "joints": [], "outputs": {"one": 3}})
    with pytest.raises(gk.GroupkinError, match=r"outputs\['one'\] must be a text, not 3"):
        replace(FOUR_BAR, outputs={"one": 3})
