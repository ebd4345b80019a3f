"""Groups by rank that are kept for the same mechanism."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import groupkin as gk
from groupkin.model.determination import kept_structures, positions, rank_groups
from groupkin.model.geometry.geometry import resolve
from tests.support.over_constrained import FAMILIES, over_constrained


@pytest.fixture(autouse=True)
def directory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache directory and memory, in which everything is kept."""
    monkeypatch.setenv("GROUPKIN_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(kept_structures, "SLOW", 0.0)
    kept_structures._memory.clear()
    return tmp_path / "structures"


@pytest.fixture
def searches(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """A list that has an entry for each mechanism whose positions were sought."""
    found: list[object] = []

    def spied(cluster: object) -> object:
        found.append(cluster)
        return positions.driven_positions(cluster)  # type: ignore[arg-type]

    monkeypatch.setattr(rank_groups, "driven_positions", spied)
    return found


@pytest.mark.parametrize("name", [name for name in FAMILIES if name != "3-UPU"][::3])
def test_what_is_read_is_what_was_found(name: str, directory: Path) -> None:
    first = gk.analyze(over_constrained(name, 0))
    kept_structures._memory.clear()
    again = gk.analyze(over_constrained(name, 0))
    assert (again.groups, again.spins, again.redundancies) == (first.groups, first.spins, first.redundancies)
    assert len(list(directory.glob("*.json"))) == 1


def test_it_is_found_once(searches: list[object], directory: Path) -> None:
    mechanism = over_constrained("Bennett", 0)
    gk.analyze(mechanism)
    gk.solve(mechanism, [0.0, 0.1])
    kept_structures._memory.clear()
    gk.program(mechanism)
    assert len(searches) == 1


def test_another_mechanism_has_its_own(searches: list[object]) -> None:
    mechanism = over_constrained("Bennett", 0)
    point = np.array(mechanism.joint["A"].point)
    moved = [
        replace(joint, point=tuple(point + 1e-15 * np.abs(point))) if joint.name == "A" else joint
        for joint in mechanism.joints
    ]
    others = [replace(mechanism, joints=moved), replace(mechanism, misfit=1e-3)]
    others.append(replace(mechanism, drivers=[gk.Driver("D", gk.Ramp(0.1))]))
    for count, each in enumerate([mechanism, *others], 1):
        gk.analyze(each)
        assert len(searches) == count


@pytest.mark.parametrize("damage", ["", "{", "[]", '{"sum": 1}', "altered"])
def test_a_damaged_file_is_ignored(damage: str, searches: list[object], directory: Path) -> None:
    mechanism = over_constrained("Bennett", 0)
    first = gk.analyze(mechanism)
    (file,) = directory.glob("*.json")
    if damage == "altered":
        content = json.loads(file.read_text())
        content["data"]["members"] = [[0, 1, 2]]
        damage = json.dumps(content)
    file.write_text(damage)
    kept_structures._memory.clear()
    assert gk.analyze(mechanism).groups == first.groups
    assert len(searches) == 2


def test_a_directory_that_cannot_be_written_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("GROUPKIN_CACHE_DIR", str(tmp_path / "file"))
    assert gk.analyze(over_constrained("Bennett", 0)).redundancies


def test_files_do_not_grow_without_bound(directory: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kept_structures, "IN_FILES", 3)
    for seed in range(5):
        gk.analyze(over_constrained("Bennett", seed))
    assert len(list(directory.iterdir())) == 3


def difference(x: Any) -> Any:
    return x[0] - x[1]


def slopes(x: Any, first: Any, second: Any) -> None:
    first[0], first[1] = 1.0, -1.0
    second[0, 0] = second[0, 1] = second[1, 0] = second[1, 1] = 0.0


def test_couplings_by_functions_are_not_kept(directory: Path) -> None:
    mechanism = over_constrained("Bennett", 0)
    coupling = gk.Coupling("k", of=("joint A", "joint D"), function=difference, derivatives=slopes)
    assert kept_structures.key_of(replace(mechanism, couplings=[coupling]), resolve(mechanism)) == ""
