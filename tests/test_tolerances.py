"""Tolerances stand in one table per package, all are used, and the page about accuracy quotes them rightly."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

import groupkin.tolerances
import sglibrary.tolerances
from tests.support.paths import ROOT

TABLES = {"groupkin": groupkin.tolerances, "sglibrary": sglibrary.tolerances}
NAME = re.compile(r"\b[A-Z][A-Z_]+\b")
LARGEST = 1e-5
"""Largest number in the code that needs a reason in a table; larger ones are seen to be policies of searches."""

ELSEWHERE = {
    "cluster/stores/progress.py": "seconds",
    "cluster/sweeps/sampling.py": "gigabytes per number",
    "groupkin/dynamics/simulation/integration.py": "seconds",
    "groupkin/dynamics/simulation/many_simulations.py": "seconds",
    "groupkin/mechanism/units.py": "meters per micrometer",
    "groupkin/model/determination/hold_spins.py": "order of axes that are equally good",
    "groupkin/model/tree_making.py": "order of joints that are equally good",
    "routes/planning/costs.py": "seconds",
    "routes/planning/prediction.py": "seconds",
    "routes/timing/program_costs.py": "seconds per byte",
    "sglibrary/dynamics/explicit.py": "first step of an integration (Hairer, Norsett, Wanner 1993, II.4)",
    "sglibrary/trigonometry.py": "coefficients of series",
}
"""Modules with small numbers that are no tolerances, and what these are; drawings have theirs in `groupkin/look`."""


def sources() -> list[Path]:
    found = [
        path for package in ("cluster", "groupkin", "routes", "sglibrary") for path in (ROOT / package).rglob("*.py")
    ]
    return [path for path in found if path.name != "tolerances.py" or path.parent.parent != ROOT]


def small_numbers(path: Path) -> list[int]:
    """Lines with numbers that are small, but no guards against zero."""
    numbers = (node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.Constant))
    return [x.lineno for x in numbers if isinstance(x.value, float) and 1e-30 < abs(x.value) <= LARGEST]


def test_small_numbers_stand_in_the_tables() -> None:
    files = {path.relative_to(ROOT).as_posix(): small_numbers(path) for path in sources()}
    outside = {name: lines for name, lines in files.items() if lines and not name.startswith("groupkin/look/")}
    assert outside.keys() == ELSEWHERE.keys()


@pytest.mark.parametrize("package", TABLES)
def test_every_tolerance_is_used(package: str) -> None:
    line = re.compile(rf"from {package}\.tolerances import (\([^)]*\)|.*)")
    used = {name for path in sources() for names in line.findall(path.read_text()) for name in NAME.findall(names)}
    assert used == {name for name in vars(TABLES[package]) if name.isupper()}


def test_the_page_quotes_the_tables() -> None:
    rows = re.findall(r"^\|.*?\| (.*?) \| `([A-Z_]+)` \|$", (ROOT / "docs" / "accuracy.md").read_text(), re.MULTILINE)
    values = {name: value for table in TABLES.values() for name, value in vars(table).items() if name.isupper()}
    quoted = {name: re.search(r"\d+e-\d+", text) for text, name in rows}
    assert len(rows) > 10
    assert all(name in values for name in quoted)
    own = {"CENTRAL_STEP", "DESIGN_STEP"}  # steps, whose errors follow from them
    wrong = {n: m[0] for n, m in quoted.items() if m and n not in own and float(m[0]) != values[n]}
    assert not wrong
