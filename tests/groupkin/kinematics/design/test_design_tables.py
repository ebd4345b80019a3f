"""Designs solved by tables are those solved by the code that the tables were traced from."""

from __future__ import annotations

import pickle
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest

import groupkin as gk
from groupkin.kinematics.changed import changed_program
from groupkin.kinematics.design import many_designs, one_design, solve_one
from tests.support.paths import EXAMPLES

TIMES = np.linspace(0.0, 1.0, 21)

CASES: list[tuple[str, tuple[Any, ...], str]] = [
    ("four_bar", ("C@coupler", "P"), "P"),
    ("four_bar", ("D", "length crank A-B", "rate A"), "P"),
    ("slider_crank", ("B@crank", gk.Axis("cylinder")), "piston"),
    ("stephenson_six_bar", ("D",), "D"),
]


@cache
def design(name: str, parameters: tuple[Any, ...]) -> gk.Design:
    return gk.design(gk.load(EXAMPLES / f"{name}.toml"), parameters)


def rows(of: gk.Design, count: int = 5) -> np.ndarray[Any, Any]:
    changes = np.random.default_rng(0).normal(size=(count, of.nominal.size))
    return np.asarray(of.nominal + 1e-3 * of.program.geometry.size * changes)


@pytest.mark.parametrize(("name", "parameters", "point"), CASES)
def test_many_designs_are_those_of_the_code_that_was_traced(
    name: str, parameters: tuple[Any, ...], point: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    of, keep = design(name, parameters), [f"position {point}", f"acceleration {point}", "conditioning"]
    found = of.solve(rows(of), TIMES, keep=keep)
    assert one_design.tables_of(of.program, of.parameters).prototypes  # the table was taken
    monkeypatch.setattr(many_designs, "prototype_of", lambda variation: None)
    direct = of.solve(rows(of), TIMES, keep=keep)
    assert found.solved.all()
    assert direct.solved.all()
    for each in keep:  # roundings of some numbers; groups by iteration end within 2e-12
        scale = np.abs(direct.read(each)).max()
        np.testing.assert_allclose(found.read(each), direct.read(each), rtol=0.0, atol=1e-11 * scale)


@pytest.mark.parametrize(("name", "parameters", "point"), CASES)
def test_one_design_is_that_of_the_program_that_is_built(
    name: str, parameters: tuple[Any, ...], point: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    of = design(name, parameters)
    values = rows(of)[0]
    motion = of.solve(values, TIMES)
    again = of.solve(values, TIMES, out=of.solve(of.nominal, TIMES))
    monkeypatch.setattr(solve_one, "solve_directly", lambda *_: None)
    monkeypatch.setattr(changed_program, "parametric_of", lambda *_: None)
    direct = of.solve(values, TIMES)
    np.testing.assert_array_equal(again.q, motion.q)
    for order in (motion.position, motion.velocity, motion.acceleration):
        expected = getattr(direct, order.__name__)(point)
        np.testing.assert_allclose(order(point), expected, rtol=0.0, atol=1e-11 * np.abs(expected).max())
    assert gk.max_residual(motion) < 1e-10


def test_designs_for_which_a_table_is_not_right_are_solved_as_well() -> None:
    of = design("four_bar", ("length crank A-B",))
    found = of.solve([[0.045], [-0.1], [0.05], [9.0]], TIMES, keep=["position P"])
    assert found.solved.tolist() == [True, False, True, False]
    assert found.outcomes[1] == "dimensions are not possible"
    single = of.solve([0.05], TIMES)
    np.testing.assert_allclose(found.read("position P")[2], single.position("P"), rtol=0.0, atol=1e-15)


def test_the_program_of_a_design_is_made_when_it_is_read_and_can_be_kept() -> None:
    of = design("four_bar", ("C@coupler", "P"))
    values = rows(of)[1]
    motion = of.solve(values, TIMES)
    assert "geometry" not in motion.program.__dict__
    kept = pickle.loads(pickle.dumps(motion))
    np.testing.assert_array_equal(kept.position("P"), motion.position("P"))
    np.testing.assert_allclose(motion.program.geometry.points["P"][1], values[2:], rtol=1e-15)
    assert gk.solve(motion.program, TIMES).position("P") == pytest.approx(motion.position("P"), abs=1e-15)
    with pytest.raises(AttributeError):
        _ = motion.program.nothing


def test_threads_solve_designs_beside_each_other() -> None:
    of = design("four_bar", ("C@coupler", "P"))
    some = rows(of, 64)
    alone = [of.solve(values, TIMES).q for values in some]
    with ThreadPoolExecutor(4) as pool:
        together = list(pool.map(lambda values: of.solve(values, TIMES).q, some))
    np.testing.assert_array_equal(together, alone)


def test_memory_that_is_kept_has_the_laws_of_the_drivers_that_are_solved() -> None:
    design, times = gk.design(gk.load(EXAMPLES / "four_bar.toml"), ["C@coupler"]), np.linspace(0.0, 0.1, 20)
    program, (driven,) = design.program, design.program.drivers
    slower = (replace(driven, law=gk.Ramp(rate=0.3)),)

    def angle(drivers: Any) -> Any:
        motion = one_design.solve_directly(program, design.parameters, design.nominal, times, drivers)
        assert motion is not None
        return motion.angle("crank")

    first, slow, again = (angle(drivers) for drivers in (program.drivers, slower, program.drivers))
    np.testing.assert_array_equal(again, first)
    np.testing.assert_allclose(np.diff(slow), 0.3 * np.diff(times), rtol=1e-9)


def test_a_law_that_ends_takes_no_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    mechanism = gk.load(EXAMPLES / "four_bar.toml")
    ending = gk.Spline(times=(0.0, 0.1, 0.2, 0.3), values=(0.0, 0.1, 0.3, 0.6))
    design = gk.design(replace(mechanism, drivers=[gk.Driver("A", ending)]), ["C@coupler"])
    monkeypatch.setattr(one_design, "_memory", lambda *_: pytest.fail("memory is taken"))
    assert design.solve(design.nominal, [0.0, 0.15]).solved.all()
