"""`groupkin field`: a quantity over a section of the workspace."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import groupkin as gk
from groupkin.cli.main import main
from groupkin.kinematics import fields
from tests.support.paths import EXAMPLES

STEWART = str(EXAMPLES / "stewart_inverse.toml")
SECTION = ["--over", "pose.x", "-100", "100", "--over", "joint pose.angle_x", "-20", "20", "--steps", "5"]
LEGS = [word for k in range(1, 7) for word in ("--by", f"leg_{k}")]


def run(*words: str) -> tuple[int, str]:
    result = CliRunner().invoke(main, ["field", *words])
    return result.exit_code, result.output


def test_a_quantity_in_the_units_of_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    def spied(*given: object) -> object:
        asked.append(given[2:5])
        return field(*given)  # type: ignore[arg-type]

    field = fields.field
    monkeypatch.setattr(fields, "field", spied)
    out = tmp_path / "field.svg"
    code, text = run(STEWART, "leg_1", *SECTION, "--at", "pose.z", "10", "--out", str(out))
    assert (code, out.exists()) == (0, True), text
    ranges, held, steps = asked[0]
    assert ranges["joint pose.x"] == pytest.approx((-0.1, 0.1))  # type: ignore[index]
    assert ranges["joint pose.angle_x"] == pytest.approx((-0.349066, 0.349066), rel=1e-6)  # type: ignore[index]
    assert held == pytest.approx({"joint pose.z": 0.01})
    assert steps == 5
    assert "joint leg_1 (mm)" in out.read_text()


def test_values_as_data_in_the_units_of_the_file() -> None:
    result = CliRunner().invoke(main, ["field", STEWART, "leg_1", *SECTION, "--json"])
    found = json.loads(result.stdout)
    ranges = {"pose.x": (-0.1, 0.1), "pose.angle_x": tuple(np.deg2rad([-20, 20]))}
    wanted = gk.field(
        gk.program(gk.load(STEWART)), "joint leg_1", {f"joint {name}": ends for name, ends in ranges.items()}, steps=5
    )
    assert np.allclose(np.array(found["values"], float), 1000.0 * wanted.values, rtol=1e-12, equal_nan=True)
    assert [side[-1] for side in found["over"].values()] == pytest.approx([100.0, 20.0])
    assert found["status"] == wanted.status.tolist()


def test_the_distance_from_singular_positions(tmp_path: Path) -> None:
    out = tmp_path / "field.svg"
    code, text = run(STEWART, "joint pose", *LEGS, "--length", "350", *SECTION, "--out", str(out))
    assert (code, out.exists()) == (0, True), text
    assert "distance from singular positions" in out.read_text()
    code, text = run(STEWART, "joint pose", *LEGS, *SECTION, "--out", str(out))
    assert code == 2
    assert "state a characteristic `length`" in text


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("leg_1", "--over", "pose.x", "0", "1"), "a field is over two driven freedoms; state --over twice"),
        (("leg_1", *SECTION, "--length", "3"), "--length belongs to --by"),
        (("leg_1", *SECTION, "--at", "leg_2", "3"), "'joint leg_2' is not one driven freedom; there are joint pose.x"),
        (("leg_1", *SECTION, "--at", "leg", "3"), "there is no joint 'leg'; did you mean leg_"),
        (("joint pose", *SECTION), "is one number at each step"),
    ],
)
def test_what_is_refused(tmp_path: Path, words: tuple[str, ...], message: str) -> None:
    out = tmp_path / "field.svg"
    code, text = run(STEWART, *words, "--out", str(out))
    assert code == 2
    assert message in text
    assert not out.exists()
