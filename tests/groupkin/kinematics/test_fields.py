"""Fields: which positions are reached, cannot be assembled, are singular or outside of ranges."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import groupkin as gk
from groupkin.cli.main import main
from groupkin.errors import ArgumentError
from groupkin.kinematics.fields import MEANING, NOT_ASSEMBLED, OUTSIDE, REACHED, SINGULAR


def five_bar() -> gk.Mechanism:
    """Two cranks of length 1, 2 apart, and two rods of length 1.5 that meet in P."""
    points = {"A": (0.0, 0.0), "B": (0.0, 1.0), "C": (2.0, 1.0), "D": (2.0, 0.0), "P": (1.0, 1.0 + np.sqrt(1.25))}
    ends = [("A", "ground", "left"), ("B", "left", "one"), ("P", "one", "two"), ("C", "right", "two")]
    joints = [gk.Joint(name, "R", bodies, point=name) for name, *bodies in [*ends, ("D", "ground", "right")]]
    drivers = [gk.Driver("A", gk.Constant(0.0)), gk.Driver("D", gk.Constant(0.0))]
    return gk.Mechanism(2, ["ground", "left", "one", "two", "right"], joints, drivers, points=points)


OVER = {"joint A": (-1.0, 1.8), "joint D": (-1.0, 1.0)}


def heights(found: gk.Field) -> np.ndarray:
    """The height of P by two circles; NaN where they do not meet."""
    b = 1j * np.exp(1j * found.sides[0])[None, :]
    c = 2.0 + 1j * np.exp(1j * found.sides[1])[:, None]
    half = 0.5 * abs(c - b)
    across = np.sqrt(np.where(half < 1.5, 1.5**2 - half**2, np.nan))
    return np.asarray((0.5 * (b + c) + 1j * across * (c - b) / abs(c - b)).imag)


def test_positions_outside_of_ranges_are_told_from_those_that_cannot_be_assembled() -> None:
    mechanism = replace(five_bar(), ranges={"position P.y": (0.5, 1.9)})
    found = gk.field(gk.program(mechanism), "position P.x", OVER, steps=31)
    height = heights(found)
    expected = np.where(np.isnan(height), NOT_ASSEMBLED, REACHED)
    expected[(height > 1.9) | (height < 0.5)] = OUTSIDE
    assert (found.status == expected).all()
    assert {REACHED, NOT_ASSEMBLED, OUTSIDE} == set(expected.ravel().tolist())
    assert (np.isfinite(found.values) == (expected == REACHED)).all()
    assert found.outside == {"position P.y": int((expected == OUTSIDE).sum())}
    counts = [int((expected == code).sum()) for code in range(4)]
    assert list(found.counts.values()) == counts
    assert found.summary == (
        f"961 positions: {counts[0]} reached, {counts[1]} cannot be assembled, {counts[3]} outside of ranges "
        f"(position P.y {counts[3]})"
    )


def test_ranges_of_the_drivers_are_those_of_each_position_by_itself() -> None:
    joints = [replace(x, range=(-0.5, 1.0)) if x.name == "A" else x for x in five_bar().joints]
    program = gk.program(replace(five_bar(), joints=joints))
    found = gk.field(program, "position P.y", {"joint A": (-1.0, 1.8), "joint D": (-0.1, 0.1)}, steps=15)
    a = found.sides[0]
    assert ((found.status == OUTSIDE) == ((a < -0.5) | (a > 1.0)) & (found.status != NOT_ASSEMBLED)).all()
    assert (found.status == OUTSIDE).any()
    turned = gk.field(
        program, "position P.y", {"joint A": (2 * np.pi - 0.4, 2 * np.pi), "joint D": (-0.1, 0.1)}, steps=5
    )
    assert (turned.status == REACHED).all()


def test_singular_positions_are_told_from_both() -> None:
    """Two slides across each other, and a rod between them that is as long as they are apart at the corner."""
    joints = [
        gk.Joint("x", "P", ("frame", "cart"), point=(0, 0), axis=(1, 0)),
        gk.Joint("y", "P", ("cart", "lift"), point=(0, 0), axis=(0, 1)),
        gk.Joint("pin", "R", ("lift", "rod"), point=(0, 0)),
        gk.Joint("end", "R", ("rod", "rocker"), point=(1.0, 0.0)),
        gk.Joint("D", "R", ("rocker", "frame"), point=(1.0, 1.0), range=(-0.7, 0.7)),
    ]
    drivers = [gk.Driver(name, gk.Constant(0.0)) for name in "xy"]
    program = gk.program(gk.Mechanism(2, ["frame", "cart", "lift", "rod", "rocker"], joints, drivers))
    # the ends are sqrt(2) apart at first, and 2, straight, where x = -1 and y = 1
    found = gk.field(program, "conditioning", {"joint x": (-1.0, 0.0), "joint y": (0.0, 1.0)}, steps=3)
    far = np.hypot(1.0 - found.sides[0][None, :], 1.0 - found.sides[1][:, None])
    assert found.status[-1, 0] == SINGULAR
    assert (found.status[far > 2.0] == NOT_ASSEMBLED).all()
    assert found.status[0, -1] == REACHED
    assert MEANING[SINGULAR] in found.summary


def test_the_command_tells_and_gives_data(tmp_path: Path) -> None:
    file = tmp_path / "five_bar.toml"
    gk.save(replace(five_bar(), ranges={"position P.y": (0.5, 1.9)}, units=gk.Units("mm", "deg")), file)
    over = ["--over", "A", "-57.3", "100", "--over", "D", "-57.3", "57.3", "--steps", "9"]
    told = CliRunner().invoke(main, ["field", str(file), "position P.y", *over, "--out", str(tmp_path / "f.svg")])
    assert "81 positions: " in told.output
    assert "outside of ranges (position P.y" in told.output
    data = json.loads(CliRunner().invoke(main, ["field", str(file), "position P.y", *over, "--json"]).output)
    assert data["over"]["joint A"][0] == pytest.approx(-57.3)
    found = gk.field(
        gk.program(gk.load(file)),
        "position P.y",
        {"joint A": tuple(np.radians([-57.3, 100])), "joint D": tuple(np.radians([-57.3, 57.3]))},
        steps=9,
    )
    assert data["status"] == found.status.tolist()
    values = np.array([[np.nan if x is None else x for x in row] for row in data["values"]])
    np.testing.assert_allclose(values, 1000.0 * found.values, rtol=1e-12)
    assert data["positions"]["outside of ranges"] == data["outside"]["position P.y"]
    refused = CliRunner().invoke(main, ["field", str(file), "position P.y", *over])
    assert refused.exit_code == 2
    assert "state --out, or --json" in refused.output


def test_too_many_steps_are_refused() -> None:
    with pytest.raises(ArgumentError, match="steps are from 2 to 1000, not 1001"):
        gk.field(gk.program(five_bar()), "position P.y", OVER, steps=1001)
