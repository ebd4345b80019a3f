"""Assembly modes tell which ranges they leave, against closed formulas."""

from __future__ import annotations

import json
from dataclasses import replace
from math import atan2
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

import groupkin as gk
from groupkin.cli.main import main
from groupkin.kinematics.modes.mode_listing import as_data, rows
from tests.support.examples import EXAMPLES


def dyad(elbow: tuple[float, float] | None = None) -> gk.Mechanism:
    """A crank that is not moved, and two rods that meet above or below the line between their ends."""
    joints = [
        gk.Joint("A", "R", ("frame", "crank"), point=(0.0, 0.0)),
        gk.Joint("B", "R", ("crank", "rod"), point=(-1.0, 0.0)),
        gk.Joint("C", "R", ("rod", "rocker"), point=(1.0, 1.5), range=elbow),
        gk.Joint("D", "R", ("rocker", "frame"), point=(3.0, 0.0)),
    ]
    drivers = [gk.Driver("A", gk.Constant(0.0))]
    return gk.Mechanism(2, ["frame", "crank", "rod", "rocker"], joints, drivers, name="dyad")


FOLDED = 4 * atan2(1.5, 2.0)
"""By how much the elbow is turned in the other mode, in which both rods are mirrored: twice the angle of each."""


def test_a_mode_says_which_ranges_it_leaves_and_by_which_value() -> None:
    listing = gk.assembly_modes(dyad((-0.5, 0.5)))
    first, second = listing.of(2)
    assert not first.outside
    (left,) = second.outside
    assert (left.stop.range.name, abs(left.worst)) == ("C", pytest.approx(FOLDED, abs=1e-12))
    assert left.stop.end == ("upper" if left.worst > 0 else "lower")
    assert not listing.outside
    assert len(listing.modes) == 3  # none is dropped
    assert [row[-1] for row in rows(listing)][:2] == ["", ""]
    assert rows(listing)[2][-1].startswith("C: ")


def test_a_range_of_a_point() -> None:
    bodies = ["frame", "crank", gk.Body("rod", points={"P": (1.0, 1.5)}), "rocker"]
    mechanism = replace(dyad(), bodies=bodies, ranges={"position P.y": (-0.1, 2.0)})
    first, second = gk.assembly_modes(mechanism).of(2)
    assert not first.outside
    assert [each.worst for each in second.outside] == [pytest.approx(-1.5, abs=1e-12)]


def test_chosen_modes_outside_are_told() -> None:
    mechanism = replace(dyad((-0.5, 0.5)), modes={"rocker": 2})
    for listing in (gk.assembly_modes(mechanism), gk.assembly_modes(gk.program(mechanism), 0.0)):
        assert abs(listing.outside[0].worst) == pytest.approx(FOLDED, abs=1e-12)
        assert "note: in the modes that it chooses it is outside of the range of C: " in repr(listing)
    assert not gk.assembly_modes(dyad((-0.5, 0.5)), 0.0).outside


def test_modes_without_ranges_are_listed_as_before() -> None:
    assert all(len(row) == 5 for row in rows(gk.assembly_modes(dyad())))


def test_the_command_says_so_in_text_and_data(tmp_path: Path) -> None:
    file = tmp_path / "dyad.toml"
    described = replace(dyad((-0.5, 0.5)), units=gk.Units("mm", "deg"), modes={"rocker": 2})
    gk.save(described, file)
    text = CliRunner().invoke(main, ["modes", str(file)]).output
    assert "it is outside of the range of C: " in text
    data = json.loads(CliRunner().invoke(main, ["modes", str(file), "--json", "--units", "file"]).output)
    (left,) = data["outside"]
    assert left["range"] == "joint C"
    assert abs(left["value"]) == pytest.approx(np.degrees(FOLDED))
    assert abs(left["limit"]) == pytest.approx(np.degrees(0.5))
    assert [mode["outside"] for mode in data["groups"][1]["modes"]] == [[], [left]]
    assert as_data(gk.assembly_modes(described))["outside"][0]["limit"] == pytest.approx(
        np.copysign(0.5, left["value"])
    )


def test_ranges_between_groups_that_do_not_depend_on_each_other() -> None:
    """Two dyads, one above the other: their elbows are 4 apart, or 4 ± 3 where one of them is folded, or both."""
    bodies, joints, drivers = ["frame"], [], []
    for k, (name, up) in enumerate((("low", 0.0), ("high", 4.0))):
        own = [f"{name} {part}" for part in ("crank", "rod", "rocker")]
        bodies += [own[0], gk.Body(own[1], points={f"P{k}": (1.0, 1.5 + up)}), own[2]]
        places = [(0.0, 0.0), (-1.0, 0.0), (1.0, 1.5), (3.0, 0.0)]
        ends = [("frame", own[0]), (own[0], own[1]), (own[1], own[2]), (own[2], "frame")]
        joints += [
            gk.Joint(f"{name} {letter}", "R", pair, point=(x, y + up))
            for letter, pair, (x, y) in zip("ABCD", ends, places, strict=True)
        ]
        drivers.append(gk.Driver(f"{name} A", gk.Constant(0.0)))
    mechanism = gk.Mechanism(2, bodies, joints, drivers, ranges={"distance P0-P1": (3.5, 6.0)})
    listing = gk.assembly_modes(mechanism)
    group = listing.structure.group_of
    first, second = (listing.of(group[f"{name} rod"].number) for name in ("low", "high"))
    assert all(not mode.outside for mode in first)  # the other group decides it as well, which comes later
    assert [[each.worst for each in mode.outside] for mode in second] == [[], [pytest.approx(1.0, abs=1e-12)]]


def test_a_mode_of_a_mechanism_in_space_at_a_time() -> None:
    """The rocker of an RSSR linkage: its two angles by the equation that they solve."""
    joints = [
        gk.Joint("A", "R", ("ground", "crank"), point=(0.0, 0.0, 0.0), axis=(0.0, 0.0, 1.0)),
        gk.Joint("B", "S", ("crank", "coupler"), point=(1.0, 0.0, 0.0)),
        gk.Joint("C", "S", ("coupler", "rocker"), point=(3.0, 1.0, 2.0)),
        gk.Joint("D", "R", ("rocker", "ground"), point=(3.0, 1.0, 0.0), axis=(1.0, 0.0, 0.0), range=(-0.2, 0.2)),
    ]
    mechanism = gk.Mechanism(3, ["ground", "crank", "coupler", "rocker"], joints, [gk.Driver("A", gk.Ramp(rate=1.0))])
    listing = gk.assembly_modes(mechanism, 0.3)
    modes = listing.of(listing.structure.group_of["rocker"].number)
    assert len(modes) == 2
    ball = np.array([np.cos(0.3), np.sin(0.3), 0.0])
    length = np.linalg.norm([2.0, 1.0, 2.0])
    for mode in modes:
        turn = mode.poses["rocker"][1]
        at = np.array([3.0, 1.0, 0.0]) + turn @ [0.0, 0.0, 2.0]
        assert np.linalg.norm(at - ball) == pytest.approx(length)
        angle = -atan2(turn[2, 1], turn[1, 1])  # the rocker is the first body of its bearing
        expected = [] if abs(angle) <= 0.2 else [pytest.approx(angle, abs=1e-12)]
        assert [each.worst for each in mode.outside] == expected
    assert any(mode.outside for mode in modes)


def test_a_range_of_the_conditioning_is_of_all_groups() -> None:
    mechanism = gk.load(EXAMPLES / "four_bar.toml")
    mechanism = replace(mechanism, ranges={"conditioning": (0.97, 1.0)})
    listing = gk.assembly_modes(mechanism)
    assert [round(each.worst, 12) for each in listing.outside] == [0.96]
    assert [[round(each.worst, 12) for each in mode.outside] for mode in listing.of(2)] == [[0.96], [0.96]]
