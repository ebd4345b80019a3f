"""Fits: known designs are found again, published problems are solved, what cannot be fitted is refused."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from scipy.optimize import minimize

import groupkin as gk
from groupkin.cli.main import main
from groupkin.errors import FitError, GroupkinError, GroupkinWarning, QuantityError, UnknownNameError
from groupkin.synthesis import search_starts
from groupkin.synthesis.fit import Fit, Search
from groupkin.synthesis.problem import Problem
from groupkin.synthesis.statement import stated
from tests.support.paths import EXAMPLES

MECHANISM = gk.load(EXAMPLES / "coupler_curve.toml")
LENGTHS = ["length crank A-B", "length coupler B-C", "length rocker C-D"]
DESIGN = gk.design(MECHANISM, [*LENGTHS, "P@coupler"])
WANTED = DESIGN.nominal * [1.1, 0.95, 1.05, 0.9, 1.2]
DRIVEN = np.linspace(0.3, 5.0, 9)

pytestmark = pytest.mark.usefixtures("few_samples")


@pytest.fixture
def few_samples(monkeypatch: pytest.MonkeyPatch) -> None:
    """Look at fewer designs before searching, as the problems here are simple."""
    monkeypatch.setattr(search_starts, "SAMPLES", 256)


def done_by(values: Any, quantity: str, driven: Any = DRIVEN) -> Any:
    """What a design does at values of the crank."""
    crank = replace(MECHANISM, drivers=[gk.Driver("A", gk.Ramp(1.0))])
    return gk.design(crank, DESIGN.names).solve(values, driven).read(quantity)  # type: ignore[union-attr]


@pytest.mark.parametrize("quantities", [["position P"], ["joint D"], ["position P", "angle coupler"]])
def test_a_known_design_is_found_again(quantities: list[str]) -> None:
    """A path, a function and a motion, at given values of the crank; a rocker's angle says nothing of P."""
    design = gk.design(MECHANISM, LENGTHS if quantities == ["joint D"] else DESIGN.names)
    targets = {each: done_by(WANTED, each) for each in quantities}
    found = gk.fit(design, targets, DRIVEN, starts=3, length=0.02)
    assert found.error < 1e-20
    np.testing.assert_allclose(found.values, WANTED[: design.nominal.size], rtol=1e-6)
    assert all(np.abs(miss).max() < 1e-9 for miss in found.misses.values())
    motion = found.motion(3)  # at values of the crank, whatever its law is
    np.testing.assert_allclose(motion.joint("A")[0], DRIVEN[[0, 4, 8]], rtol=1e-15)
    for each, target in targets.items():
        np.testing.assert_allclose(motion.read(each), target[[0, 4, 8]], atol=1e-9)
    assert motion.program.mechanism.name == MECHANISM.name


@pytest.mark.smoke
def test_a_shift_is_found_with_the_design() -> None:
    found = gk.fit(DESIGN, {"position P": done_by(WANTED, "position P")}, DRIVEN - 0.7, shifted=True, starts=4)
    assert found.error < 1e-18
    np.testing.assert_allclose((found.at - DRIVEN) % (2 * np.pi) % (2 * np.pi - 1e-6), 0.0, atol=1e-5)


@pytest.mark.parametrize("direction", [1, -1])
def test_points_are_met_in_order_in_either_direction(direction: int) -> None:
    targets = done_by(WANTED, "position P")[::direction]
    found = gk.fit(DESIGN, {"position P": targets}, starts=6, full_turn=True)
    assert found.error < 1e-16
    assert (direction * np.diff(found.at) > 0).all()


def test_derivatives_agree_with_differences() -> None:
    """Of free timing, in both directions."""
    problem = stated(
        DESIGN, {"position P": done_by(WANTED, "position P")}, None, False, None, None, None, None, True, True, None
    )
    ways = np.array([1.0, -1.0])
    unknowns = np.tile(np.concatenate([WANTED, [1.0], np.full(8, 0.3)]), (2, 1))
    jacobian = problem.jacobian(unknowns, ways)
    for k in range(unknowns.shape[1]):
        step = 1e-5 * np.eye(unknowns.shape[1])[k] * (0.01 if k < 5 else 1.0)
        ends = [problem.residuals(unknowns + sign * step, ways) for sign in (1.0, -1.0)]
        slope = (ends[0] - ends[1]) / (2 * step[k])
        # central differences of steps of 1e-7 m lose half the digits
        np.testing.assert_allclose(jacobian[:, :, k], slope, atol=1e-6)


def test_every_unknown_stays_within_its_bounds_and_the_transmission_angle_above_its_least() -> None:
    bounds = {"length crank A-B": (0.0102, 0.0105), "P@coupler": (0.018, 0.022)}
    found = gk.fit(
        DESIGN,
        {"position P": done_by(WANTED, "position P")},
        DRIVEN,
        bounds=bounds,
        least={"transmission_angle B-C-D": 0.7},
        full_turn=True,
        starts=4,
    )
    assert 0.0102 <= found.values[0] <= 0.0105
    assert ((found.values[3:] >= 0.018) & (found.values[3:] <= 0.022)).all()
    assert found.motion().read("transmission_angle B-C-D").min() > 0.7 - 1e-9
    assert found.error > 0


def four_bar(lengths: Any, driven: Any) -> tuple[Any, Any, Any]:
    """Turns of the coupler's line B-C, ends of the crank and cosines of the transmission angle, by triangles."""
    crank, coupler, rocker = lengths
    end = crank * np.exp(1j * driven)
    way = 0.035 - end
    far, cosine = np.abs(way), (coupler**2 + rocker**2 - np.abs(way) ** 2) / (2.0 * coupler * rocker)
    inside = (coupler**2 + far**2 - rocker**2) / (2.0 * coupler * far)
    return np.exp(1j * (np.angle(way) + np.arccos(np.clip(inside, -1.0, 1.0)))), end, cosine


def least_misses(lengths: Any, driven: Any, targets: Any) -> float:
    """Squared misses in mm² of the best point of a coupler, in which they are linear."""
    turns, ends, _ = four_bar(lengths, driven)
    misses = targets @ [1.0, 1j] - ends
    point = np.mean(misses / turns)
    return float(1e6 * np.sum(np.abs(misses - point * turns) ** 2))


@pytest.mark.parametrize("edge", ["transmission angle", "full turn"])
def test_where_designs_stop_being_allowed_the_best_one_is_found(edge: str) -> None:
    """As good as what sequential quadratic programming finds with formulas of a four-bar around it, and from afar."""
    if edge == "full turn":
        driven, least = np.linspace(0.6, 2.5, 9), {}
        turns, ends, _ = four_bar([0.011, 0.023, 0.0204], driven)  # whose crank cannot turn fully
        points = ends + (0.016 + 0.013j) * turns
        targets = np.stack([points.real, points.imag], axis=1)
    else:
        driven, least, targets = DRIVEN, {"transmission_angle B-C-D": 1.0}, done_by(WANTED, "position P")
    found = gk.fit(DESIGN, {"position P": targets}, driven, full_turn=True, least=least, starts=3)
    turn = np.linspace(driven[0], driven[0] + 2 * np.pi, 361)

    def room(lengths: Any) -> Any:
        crank, coupler, rocker = lengths
        if least:
            return np.cos(1.0) - np.abs(four_bar(lengths, turn)[2])
        return 1e3 * np.array([coupler + rocker - crank - 0.035, 0.035 - crank - abs(coupler - rocker)])  # Grashof

    lengths = found.values[:3]
    assert least_misses(lengths, driven, targets) == pytest.approx(1e6 * found.error, rel=1e-4)
    assert room(lengths).min() < 1e-3
    around = lengths * (1.0 + 0.05 * np.random.default_rng(0).normal(size=(4, 3)))
    size = DESIGN.nominal[:3]  # of lengths that are not near 1 the reference does not always find its way
    others = [
        minimize(
            lambda x: least_misses(x * size, driven, targets),
            x / size,
            method="SLSQP",
            constraints={"type": "ineq", "fun": lambda x: room(x * size)},
            bounds=[(1 / 3, 3)] * 3,
            options={"ftol": 1e-12},
        )
        for x in [lengths, *around, size]
    ]
    best = min(each.fun for each in others if room(each.x * size).min() > -1e-6)  # 1e-4 of the error
    assert 1e6 * found.error < 1.001 * best


@pytest.mark.parametrize(
    ("targets", "settings", "error", "message"),
    [
        ({}, {}, FitError, "there are no targets"),
        ({"position Q": [(0, 0)]}, {}, UnknownNameError, "Q"),
        ({"velocity P": [(0, 0)]}, {}, QuantityError, "does not follow from positions"),
        ({"position P": [0.0, 0.1]}, {}, FitError, "targets of `position P` are 2 finite numbers for each point"),
        ({"position P": [(0, 0)], "angle coupler": [0, 1]}, {"length": 1.0}, FitError, "`angle coupler` 2$"),
        ({"position P": [(0, 0)] * 3, "angle coupler": [0, 1, 2]}, {}, FitError, "state a positive `length`"),
        ({"position P": [(0, 0)]}, {"at": [0.0]}, FitError, "2 numbers cannot determine 5 parameters"),
        ({"position P": [(0, 0)] * 3}, {"at": [0.0]}, FitError, "a value of the driver for each of 3 points"),
        ({"position P": [(0, 0)] * 3}, {"shifted": True}, FitError, "shifted belongs to `at`"),
        ({"position P": [(0, 0)] * 5}, {"bounds": {"P": (0, 1)}}, UnknownNameError, "no parameter 'P'"),
        ({"position P": [(0, 0)] * 5}, {"bounds": {"P@coupler": (1, 0)}}, FitError, "a least and a larger number"),
        ({"position P": [(0, 0)] * 5}, {"driver": "B"}, UnknownNameError, "there is no driver 'B'"),
        ({"position P": [(0, 0)] * 5}, {"span": (1, 1)}, FitError, "span has a least and a larger value"),
        ({"position P": [(0, 0)] * 201}, {}, FitError, "201 points are more than 200: state where the driver is"),
        ({"position P": [(0, 0)] * 5}, {"starts": 10**6}, FitError, "starts is at most 1024, not 1000000"),
        ({"position P": [(9, 9)] * 9}, {"at": DRIVEN}, FitError, "target 1 of `position P` is out of reach: 9000 mm"),
        (
            {"position P": [(0, 0)] * 9},
            {"at": DRIVEN, "least": {"transmission_angle B-C-D": 1.57}},
            FitError,
            "none of",
        ),
    ],
)
def test_what_cannot_be_fitted(
    targets: dict[str, Any], settings: dict[str, Any], error: type[GroupkinError], message: str
) -> None:
    with pytest.raises(error, match=message):
        gk.fit(DESIGN, targets, **settings)


def asked(count: int, full_turn: bool = False) -> Problem:
    """Ask for points on the path of the wanted design, met at unknown values of the crank."""
    targets = {"position P": done_by(WANTED, "position P", DRIVEN[:count])}
    return stated(DESIGN, targets, None, False, None, None, None, None, True, full_turn, None)


def test_more_unknowns_than_numbers_are_warned_of(recwarn: pytest.WarningsRecorder) -> None:
    assert asked(5).timings == 5
    assert not recwarn.list
    with pytest.warns(GroupkinWarning, match="8 numbers to be met by 9 unknowns"):
        asked(4)


def test_numbers_of_laws_are_no_unknowns() -> None:
    with pytest.raises(FitError, match="`rate A` is no unknown of a fit"):
        gk.fit(gk.design(MECHANISM, ["rate A"]), {"joint D": [0.0]}, [0.0])


def test_a_fit_that_was_stopped_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the same result; searches of another fit are not taken over."""
    targets, log = {"position P": done_by(WANTED, "position P") + 1e-3}, tmp_path / "searches.json"
    whole = gk.fit(DESIGN, targets, DRIVEN, starts=4)

    class Stop(Exception):
        pass

    def stop(done: int, count: int) -> None:
        if done == len(search_starts.ROUNDS) + 2:
            raise Stop

    with pytest.raises(Stop):
        gk.fit(DESIGN, targets, DRIVEN, starts=4, log=log, progress=stop)
    assert len(json.loads(log.read_text().partition("\n")[2])["done"]) == 2
    monkeypatch.setattr(search_starts, "_looked_at", None)  # which need not be done again
    again = gk.fit(DESIGN, targets, DRIVEN, starts=4, log=log)
    assert again.error == whole.error
    assert (again.values == whole.values).all()
    assert again.evaluations < whole.evaluations
    with pytest.raises(FitError, match="is of another fit: mechanism, targets"):
        gk.fit(DESIGN, targets, DRIVEN + 0.1, starts=4, log=log)


def test_designs_on_several_branches_are_refused() -> None:
    """The crank cannot go from one point to the next where the linkage has a dead center between them."""
    lengths = gk.design(MECHANISM, ["length coupler B-C", "length rocker C-D"])
    bounds = {"length coupler B-C": (0.0101, 0.0151), "length rocker C-D": (0.0101, 0.0151)}
    with pytest.raises(FitError, match="can be assembled on the way"):
        gk.fit(lengths, {"position P": done_by(WANTED, "position P")}, DRIVEN, bounds=bounds)


def test_the_command(tmp_path: Path) -> None:
    source = (EXAMPLES / "coupler_curve.fit.toml").read_text()
    (tmp_path / "coupler_curve.toml").write_text((EXAMPLES / "coupler_curve.toml").read_text())
    file, out, draw = tmp_path / "few.fit.toml", tmp_path / "found.toml", tmp_path / "found.svg"
    file.write_text(source.replace("starts = 16", "starts = 2"))
    result = CliRunner().invoke(main, ["fit", str(file), "--out", str(out), "--picture", str(draw)])
    assert result.exit_code == 0, result.output
    assert "position P: off its 10 targets by" in result.output
    assert "</svg>" in draw.read_text()
    assert gk.load(out).name == MECHANISM.name
    result = CliRunner().invoke(main, ["fit", str(file), "--json"])
    data = json.loads(result.stdout)
    assert data["parameters"].keys() == set(gk.design(MECHANISM, ["A@frame", "D@frame", *DESIGN.names]).names)
    file.write_text(source.replace("[20, 10], [17.66, 15.142]", "[20, 10], [17.66]"))
    result = CliRunner().invoke(main, ["fit", str(file)])
    assert result.exit_code == 2
    assert "few.fit.toml: the rows of the targets of 'position P' have different lengths" in result.output
    file.write_text(source.replace("[targets]", "[target]"))
    result = CliRunner().invoke(main, ["fit", str(file)])
    assert result.exit_code == 2
    assert "targets" in result.output


def test_names_of_files_in_fits_are_short(tmp_path: Path) -> None:
    source = (EXAMPLES / "coupler_curve.fit.toml").read_text()
    (tmp_path / "far.fit.toml").write_text(source.replace("coupler_curve.toml", "a." * 4000 + "toml"))
    result = CliRunner().invoke(main, ["fit", str(tmp_path / "far.fit.toml")])
    assert result.exit_code == 2
    assert "mechanism" in result.output
    assert len(result.output) < 400


def test_a_fit_whose_searches_end_in_different_places_names_starts() -> None:
    """Unless half of them agree, or the targets are met."""
    met = gk.fit(DESIGN, {"position P": done_by(WANTED, "position P")}, DRIVEN, starts=1)
    assert met.found_again == 1

    def ending_at(*errors: float) -> Fit:
        searches = tuple(Search(met.values, met.at, error) for error in errors)
        refused = Search(met.values, met.at, 0.0, "on several branches")
        return replace(met, error=min(errors), searches=(*searches, refused))

    apart = ending_at(1e-6, 2e-6, 3e-6, 4e-6)
    assert "1 of 5 searches found this design" in apart.advice
    assert "more `starts` may find a better one" in repr(apart)
    for agreed in (ending_at(1e-6, 1.001e-6, 1e-6, 4e-6), ending_at(1e-25, 2e-6, 3e-6, 4e-6)):
        assert agreed.advice == ""
        assert "starts" not in repr(agreed)
