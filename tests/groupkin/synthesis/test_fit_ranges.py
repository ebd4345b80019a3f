"""Fits keep the ranges of their mechanism: the best designs lie on the ends that bite, by closed formulas."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

import groupkin as gk
from groupkin.cli.main import main
from groupkin.errors import FitError
from groupkin.synthesis.files import read_fit
from groupkin.tolerances import ON_RANGE
from tests.support.ranged import ROD, slide, slider_crank

AT = np.linspace(0.0, 2 * np.pi, 13)[:-1]
TARGETS = {"joint bore": slide(AT / (2 * np.pi), 0.06)}
BOUNDS = {"number r": (0.02, 0.08)}


def engine(parameters: list[str], **asked: Any) -> gk.Fit:
    given = {"at": AT, "starts": 1, "full_turn": True, "bounds": BOUNDS}
    return gk.fit(gk.design(asked.pop("of", slider_crank()), parameters), TARGETS, **(given | asked))


def test_the_best_slider_crank_goes_just_to_the_end_of_its_range() -> None:
    """Its slide is at r + l at most, which the range has at 0.17 m, while the targets are those of r = 0.06 m."""
    found = engine(["number r"])
    assert found.values[0] == pytest.approx(0.17 - ROD, abs=1e-8)  # of the logarithms that keep it inside
    assert found.values[0] <= 0.17 - ROD + ON_RANGE
    expected = ((slide(AT / (2 * np.pi), 0.17 - ROD) - TARGETS["joint bore"]) ** 2).sum()
    assert found.error == pytest.approx(expected, rel=1e-6)
    assert found.outside == ()


def test_the_lower_end_bites_as_well() -> None:
    """The slide is at l - r at least."""
    found = engine(["number r"], of=slider_crank((0.085, "inf")))
    assert found.values[0] == pytest.approx(ROD - 0.085, abs=1e-8)


def test_ranges_that_are_ignored_are_told() -> None:
    found = engine(["number r"], ranges=False)
    assert found.values[0] == pytest.approx(0.06, abs=1e-9)
    (left,) = found.outside
    assert left.stop.range.name == "bore"
    assert left.worst == pytest.approx(0.06 + ROD, abs=1e-6)  # near a dead center, at one of 361 values of the driver


def test_an_end_that_is_an_unknown_is_moved() -> None:
    found = engine(["number r", "number most"], bounds={**BOUNDS, "number most": (0.16, 0.185)})
    assert found.values == pytest.approx([0.185 - ROD, 0.185], abs=1e-8)
    changed = found.mechanism()
    assert changed.joint["bore"].range == (-np.inf, found.values[1])
    assert found.motion().outside == ()


def test_a_fit_that_cannot_keep_a_range_names_it() -> None:
    with pytest.raises(
        FitError, match=r"upper end of the range of bore, 0\.17 m, at 0\.1[89]\d* m\); widen the bounds or"
    ):
        engine(["number r"], bounds={"number r": (0.05, 0.08)})


def crank(reach: tuple[float, float]) -> gk.Mechanism:
    joints = [gk.Joint("A", "R", ("frame", "crank"), point=(0, 0))]
    bodies = ["frame", gk.Body("crank", points={"P": (1, 0)})]
    mechanism = gk.Mechanism(2, bodies, joints, [gk.Driver("A", gk.Ramp(1.0))])
    return replace(mechanism, ranges={"distance frame-P": reach})


@pytest.mark.parametrize(("reach", "expected"), [((0.0, 0.9), 0.9), ((1.2, 5.0), 1.2), ((0.5, 1.5), 1.0)])
def test_the_nearest_allowed_point_is_on_the_circle(reach: tuple[float, float], expected: float) -> None:
    """Two targets of a point that turns by a right angle, at a distance of 1."""
    wanted = {"position P": [(0.6, 0.8), (-0.8, 0.6)]}
    found = gk.fit(gk.design(crank(reach), ["P"]), wanted, at=[0.0, np.pi / 2], starts=2)
    np.testing.assert_allclose(found.values, expected * np.array([0.6, 0.8]), atol=2e-7)
    assert found.error == pytest.approx(2 * (1 - expected) ** 2, abs=1e-7)


def test_a_driver_with_a_range_stays_in_it_where_timing_is_free() -> None:
    """The targets are met at 0.3 and 0.9 rad; a range from 0.5 rad on lets the first be missed."""
    joints = [replace(crank((0.0, 2.0)).joints[0], range=(0.5, 2.0))]
    mechanism = replace(crank((0.0, 2.0)), joints=joints, points={})
    wanted = {"position P": [(np.cos(x), np.sin(x)) for x in (0.3, 0.6, 0.9)]}
    bounds = {"P.x": (0.999, 1.001), "P.y": (-0.001, 0.001)}
    found = gk.fit(gk.design(mechanism, ["P"]), wanted, starts=4, bounds=bounds)
    assert found.at.min() >= 0.5 - 1e-9
    assert found.at[0] == pytest.approx(0.5, abs=1e-6)
    free = gk.fit(gk.design(mechanism, ["P"]), wanted, starts=4, bounds=bounds, ranges=False)
    assert free.error < 1e-12 < 1e-3 < found.error


def test_where_timing_is_free_designs_need_not_keep_ranges_where_they_do_not_go() -> None:
    """The crank could turn fully, and its slide would leave its range at three quarters of a turn."""
    at = np.linspace(0.2, 1.6, 5)
    wanted = {"position C": np.stack([slide(at / (2 * np.pi)), np.zeros(5)], axis=1)}
    design = gk.design(slider_crank((-1.0, 0.12)), ["number r", "number l"])
    bounds = {"number r": (0.03, 0.07), "number l": (0.1, 0.2)}
    found = gk.fit(design, wanted, starts=4, bounds=bounds)
    assert found.error < 1e-16
    assert found.outside == ()


def test_the_file_and_the_command(tmp_path: Path) -> None:
    gk.save(slider_crank(), tmp_path / "engine.toml")
    asked = {
        "mechanism": "engine.toml",
        "parameters": ["number r"],
        "targets": {"joint bore": TARGETS["joint bore"].tolist()},
        "at": AT.tolist(),
        "bounds": {"number r": [0.02, 0.08]},
        "full_turn": True,
        "starts": 1,
    }
    (tmp_path / "kept.json").write_text(json.dumps(asked))
    (tmp_path / "free.json").write_text(json.dumps({**asked, "ranges": False}))
    assert [read_fit(tmp_path / f"{name}.json")[1]["ranges"] for name in ("kept", "free")] == [True, False]
    told = CliRunner().invoke(main, ["fit", str(tmp_path / "free.json")]).output
    assert "It passes the upper end of the range of bore, 0.17 m, at 0.19 m" in told
