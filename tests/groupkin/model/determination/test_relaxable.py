"""Joints that could be looser pairs, so that an over-constrained mechanism is exactly constrained."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

import groupkin as gk
from groupkin.errors import MisfitError
from groupkin.mechanism.pairs import PAIRS
from groupkin.model.determination.misfits import relaxable
from groupkin.model.geometry.geometry import resolve
from tests.support.command_line import succeeded
from tests.support.over_constrained import FAMILIES, over_constrained
from tests.support.shares import in_part

REDUNDANT = [name for name in FAMILIES if name != "3-UPU"]


@pytest.mark.parametrize("name", in_part(REDUNDANT, 4))
def test_with_looser_pairs_counting_determines_the_mechanism(name: str) -> None:
    mechanism = over_constrained(name, 0)
    structure = gk.analyze(mechanism)
    looser = {joint.name: joint for joint in relaxable(structure, resolve(mechanism))}
    assert looser
    joints = [replace(looser.get(joint.name, joint), point=joint.point) for joint in mechanism.joints]
    found = gk.analyze(replace(mechanism, joints=joints))
    assert not found.redundancies
    assert found.mobility == structure.mobility


def test_what_counts_right_has_none() -> None:
    mechanism = over_constrained("3-UPU", 0)
    assert relaxable(gk.analyze(mechanism), resolve(mechanism)) == ()


def test_the_command_names_them(tmp_path: Path) -> None:
    path = tmp_path / "bennett.toml"
    gk.save(over_constrained("Bennett", 0), path)
    assert "note: exactly constrained it would be with B as SC (sphere on cylinder)" in succeeded("analyze", path)
    assert json.loads(succeeded("analyze", path, "--json"))["looser"] == {"B": "SC"}


def test_refused_dimensions_name_them_as_a_way_out() -> None:
    exact = over_constrained("Bennett", 0)
    moved = replace(exact.joint["C"], point=tuple(x + 1e-4 for x in exact.joint["C"].point))  # type: ignore[union-attr]
    off = replace(exact, joints=[moved if joint.name == "C" else joint for joint in exact.joints])
    with pytest.raises(MisfitError, match=r"or let joints be looser pairs: B as SC \(") as caught:
        gk.analyze(off)
    assert PAIRS["SC"].name in str(caught.value)
