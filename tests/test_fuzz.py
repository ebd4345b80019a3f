"""A share of the fuzz: what files and callers get wrong ends in a result that closes or in an error of the project."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import numpy as np
import pytest

import groupkin as gk
from groupkin.errors import GroupkinError
from tests.fuzz import documents, files, loaded, misuse, watching
from tests.fuzz.running import fuzz
from tests.support.mechanisms import FOUR_BAR
from tests.support.motions import disturbed, four_bar

EXHAUSTIVE = [pytest.mark.exhaustive, pytest.mark.timeout(600)]


@pytest.mark.parametrize(
    ("numbers", "seconds"),
    [
        ({"input": 60}, 8.0),
        ({"misuse": 250}, 8.0),
        ({"loaded": 24}, 8.0),
        ({"model": 60}, 8.0),
        pytest.param({"damaged": 120}, 60.0, marks=EXHAUSTIVE),
        pytest.param({"model": 5000}, 300.0, marks=EXHAUSTIVE),
        pytest.param({"input": 400}, 40.0, marks=EXHAUSTIVE),
        pytest.param({"misuse": 1600}, 40.0, marks=EXHAUSTIVE),
        pytest.param({"loaded": 200}, 60.0, marks=EXHAUSTIVE),
    ],
)
def test_nothing_but_results_and_errors_of_the_project(numbers: dict[str, int], seconds: float) -> None:
    """A share with a fixed seed; `python -m tests.fuzz` goes on with others."""
    found = fuzz(numbers, seed=int(seconds), seconds=seconds)
    assert found.findings == []
    assert sum(number for name, number in found.counts.items() if name.endswith("refused")) > 5


def test_inputs_are_functions_of_the_seed_and_their_number(tmp_path: Path) -> None:
    good = files.seeds(tmp_path)
    read = [files.write_input(tmp_path, good, Random("input 0 7"))[0].read_bytes() for _ in range(2)]
    assert read[0] == read[1]
    calls, sources = misuse.calls(tmp_path), documents.documents()
    assert misuse.draw(calls, Random("misuse 0 7"))[0] == misuse.draw(calls, Random("misuse 0 7"))[0]
    assert documents.altered(sources, Random("loaded 0 7")) == documents.altered(sources, Random("loaded 0 7"))


def test_at_most_half_of_the_changed_documents_are_refused(tmp_path: Path) -> None:
    make = loaded.maker(tmp_path)
    loads = [next(make(Random(f"loaded 0 {k}"), k)) for k in range(200)]
    outcomes = [watching.outcome(each.run) for each in loads]
    assert set(outcomes) == {"ok", "refused"}
    assert outcomes.count("refused") <= 100


def test_every_right_call_and_good_file_passes(tmp_path: Path) -> None:
    for call in misuse.calls(tmp_path):
        if not any("nowhere" in str(value) for value in call.arguments.values()):
            call.use(call.function(**call.arguments))
    path = tmp_path / "listed.sweep.json"
    files.seeds(tmp_path)
    assert json.loads(path.read_text())["parameters"]
    files.run_input(path, "sweep", False)
    files.run_input(tmp_path / "four_bar.toml", "mechanism", True)


@pytest.mark.parametrize(
    ("run", "expected"),
    [
        (lambda: None, "ok"),
        (lambda: gk.load("nowhere.toml"), "refused"),
        (lambda: {}["key"], "KeyError"),
        (lambda: np.float64(1e308) * np.float64(10.0), "RuntimeWarning"),
        (lambda: watching.require_closed(disturbed(four_bar(), "q", 1e-6)), "AssertionError\n"),
        (lambda: watching.require_closed(disturbed(four_bar(), "a", np.nan)), "AssertionError\n"),
    ],
)
def test_what_must_not_be_is_found(run: object, expected: str) -> None:
    assert watching.outcome(run).startswith(expected)  # type: ignore[arg-type]


def test_messages_with_control_characters_are_found() -> None:
    class Raw(GroupkinError):
        def __str__(self) -> str:
            return "\x1b[2J"

    def fail() -> None:
        raise Raw

    assert watching.outcome(fail).startswith("MESSAGE")


def test_a_hang_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watching, "HANG", 1)

    def hang() -> None:
        while FOUR_BAR:
            pass

    assert watching.outcome(hang).startswith("HANG")
