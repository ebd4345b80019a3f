"""The command line as tests run it, and the files they give it."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

from click.testing import CliRunner, Result

from groupkin.cli.main import main
from groupkin.kinematics.program.solver_choice import HUB, NEWTON, NO_SOLVER
from sglibrary.catalog import GROUPS, REPEATING
from tests.support.paths import EXAMPLES, ROOT

MECHANISMS = sorted(path for path in EXAMPLES.glob("*.toml") if path.suffixes == [".toml"])
SOLVED = [path for path in MECHANISMS if path.stem != "micro_manipulator"]
FOUR_BAR = EXAMPLES / "four_bar.toml"
PUBLISHED = json.loads((ROOT / "tests" / "data" / "published_structures.json").read_text())
SCRIPT = Path(sys.executable).parent / "groupkin"
SOLVERS = {solver.name for solver in (*GROUPS, *REPEATING)} | {HUB, NEWTON, NO_SOLVER}

LINKAGE = """
dimension = 2
bodies = ["ground", "crank", "coupler", "rocker"]
[points]
A = [0, 0]
B = [1, 0]
C = [2, 1]
D = [3, 0]
[[joints]]
name = "A"
type = "R"
bodies = ["ground", "crank"]
point = "A"
[[joints]]
name = "B"
type = "R"
bodies = ["crank", "coupler"]
point = "B"
[[joints]]
name = "C"
type = "R"
bodies = ["coupler", "rocker"]
point = "C"
[[joints]]
name = "D"
type = "R"
bodies = ["rocker", "ground"]
point = "D"
[[drivers]]
joint = "A"
law = { type = "ramp", rate = 3.0 }
[motion]
duration = 1
steps = 51
"""
"""A four-bar whose crank, turned far enough, is out of the rocker's reach."""


def run(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments], prog_name="groupkin")


def succeeded(*arguments: object) -> str:
    """Standard output of a command that works and says nothing else."""
    result = run(*arguments)
    assert (result.exit_code, result.stderr) == (0, "")
    return result.stdout


def refused(*arguments: object) -> str:
    """The one message of a command that refuses, on standard error alone."""
    result = run(*arguments)
    assert result.exit_code == 2
    assert result.stdout == ""
    return the_message(result.stderr)


def the_message(text: str) -> str:
    assert text.startswith("groupkin: ")
    assert text.count("groupkin: ") == 1
    assert "Traceback" not in text
    return text.removeprefix("groupkin: ").rstrip("\n")


def written(folder: Path, text: str, name: str = "linkage.toml") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def changed(folder: Path, *changes: tuple[str, str]) -> Path:
    """The linkage with something else in it."""
    text = LINKAGE
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    return written(folder, text)


def adjacency(folder: Path, case: dict[str, Any]) -> Path:
    """A published mechanism as a JSON file in the published form."""
    count = max(body for joint in case["joints"] for body in joint["bodies"])
    matrix, known = [["-"] * count for _ in range(count)], [[0] * count for _ in range(count)]
    for joint in case["joints"]:
        for a, b in (joint["bodies"], joint["bodies"][::-1]):
            matrix[a - 1][b - 1], known[a - 1][b - 1] = joint["type"], joint["driven"]
    form = {"matrix": matrix, "known_inputs": known}
    data = {"name": case["name"], "dimension": case["dimension"], "adjacency": form}
    return written(folder, json.dumps(data), f"{case['name']}.json")


def published(name: str) -> dict[str, Any]:
    return next(case for case in PUBLISHED if case["name"] == name)


def tables_in(text: str) -> list[list[dict[str, str]]]:
    """The rows of every printed table, by column; cells that take several lines are joined."""
    found: list[list[dict[str, str]]] = []
    header = ""
    for line in text.splitlines():
        if line.startswith("group  "):
            header = line
            found.append([])
        elif header and re.match(r"[ \d]+\S", line):
            starts = [match.start() for match in re.finditer(r"\S+(?: \S+)*", header)]
            cells = [line[a:b].strip() for a, b in zip(starts, [*starts[1:], None], strict=True)]
            names = re.split(r"\s{2,}", header.strip())
            if cells[0]:
                found[-1].append(dict(zip(names, cells, strict=True)))
            else:
                row = found[-1][-1]
                row.update({name: f"{row[name]} {cell}".strip() for name, cell in zip(names, cells, strict=True)})
        else:
            header = ""
    return found


def table(text: str) -> list[dict[str, str]]:
    """The rows of the table of groups."""
    return tables_in(text)[0]


KERNELS = ("groupkin: compiling", "groupkin: loading")
"""What commands say where kernels are not in the cache yet, or the machine is busy."""


def process(*arguments: object, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run the installed program; left out is that it loads and compiles kernels."""
    command = [str(SCRIPT), *map(str, arguments)]
    result = subprocess.run(
        command, capture_output=True, text=True, encoding="utf-8", env=os.environ | environment, check=False
    )
    lines = result.stderr.splitlines(keepends=True)
    result.stderr = "".join(line for line in lines if not line.startswith(KERNELS))
    return result
