"""The command ``check``."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from groupkin.kinematics import solver
from groupkin.kinematics.motion.motion import Motion
from tests.support.command_line import (
    FOUR_BAR,
    LINKAGE,
    SOLVED,
    refused,
    run,
    succeeded,
    written,
)
from tests.support.shares import in_part


@pytest.mark.parametrize("path", in_part(SOLVED, 4), ids=lambda path: path.stem)
def test_examples_agree_with_the_global_formulation(path: Path) -> None:
    found = json.loads(succeeded("check", path, "--json"))
    assert set(found) == {"position", "velocity", "acceleration"}
    assert 0 <= found["position"] < 1e-9
    assert 0 <= found["velocity"] < 1e-7
    assert 0 <= found["acceleration"] < 1e-7


def test_check_prints_what_it_found() -> None:
    text = succeeded("check", FOUR_BAR, "--steps", 11)
    assert text.startswith("Four-bar linkage: groups against the global formulation at 11 steps\n")
    numbers = re.findall(r"^  (position|velocity|acceleration) +(\S+)$", text, re.MULTILINE)
    assert [name for name, _ in numbers] == ["position", "velocity", "acceleration"]
    assert max(float(number) for _, number in numbers) < 1e-9
    assert text.endswith("  they agree\n")


@pytest.mark.parametrize("json_too", [[], ["--json"]])
def test_a_wrong_motion_fails_the_check(monkeypatch: pytest.MonkeyPatch, json_too: list[str]) -> None:
    right = solver.solve

    def wrong(*arguments: Any, **settings: Any) -> Motion:
        motion = right(*arguments, **settings)
        motion.v[-1] += 1e-5
        return motion

    monkeypatch.setattr(solver, "solve", wrong)
    result = run("check", FOUR_BAR, "--steps", 11, *json_too)
    assert (result.exit_code, result.stderr) == (1, "")
    if json_too:
        found = json.loads(result.stdout)
        assert found["position"] < 1e-9
        assert found["velocity"] > 1e-7
    else:
        assert "they DIFFER" in result.stdout


def test_a_motion_out_of_reach_is_not_checked(tmp_path: Path) -> None:
    assert "cannot be assembled" in refused("check", written(tmp_path, LINKAGE))
