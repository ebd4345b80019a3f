"""The commands ``library`` and ``schema``."""

from __future__ import annotations

import json
import shutil
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import groupkin as gk
from groupkin.errors import GroupkinError
from groupkin.kinematics import library
from sglibrary.catalog import COUPLED, GROUPS, REPEATING
from tests.support.command_line import FOUR_BAR, LINKAGE, MECHANISMS, changed, refused, run, succeeded, written
from tests.support.paths import EXAMPLES

KINDS_OF_GROUPS = (*GROUPS, *REPEATING, *COUPLED)

# --- library ---------------------------------------------------------------------------------


def test_library_as_a_table() -> None:
    lines = succeeded("library").splitlines()
    assert lines[0] == f"{len(KINDS_OF_GROUPS)} kinds of structural groups have a closed form"
    assert lines[2].split() == ["solver", "type", "chain", "modes", "by", "signature"]
    rows = [line.split() for line in lines[3:]]
    assert [row[0] for row in rows] == [*(solver.name.split()[0] for solver in KINDS_OF_GROUPS), "hub", "Newton"]
    assert ["RRR", "3R2D", "▮─R─○─R─○─R─▮", "2", "closed", "form", "2D", "0:R", "1:R", "0-1:R"] in rows
    assert rows[-1][3:] == ["by", "search", "iteration", "any", "other", "group"]


def test_library_with_costs(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[int, Any]] = []
    monkeypatch.setattr(library, "step_cost", lambda *given: asked.append(given) or 12.34)
    lines = succeeded("library", "--measure").splitlines()
    assert "ns per step" in lines[2]
    assert all("12.3" in line for line in lines[3:-1])
    assert lines[-1].startswith("ns per step: position, velocity and acceleration")
    assert [chain for _, chain, *_ in asked[:-2]] == [solver.chain for solver in KINDS_OF_GROUPS]
    data = json.loads(succeeded("library", "--json"))
    assert [entry["nanoseconds"] for entry in data] == [None] * (len(KINDS_OF_GROUPS) + 2)
    assert next(entry for entry in data if entry["name"] == "RRR") == {
        "name": "RRR",
        "dimension": 2,
        "signature": "2D 0:R 1:R 0-1:R",
        "label": "3R2D",
        "picture": "▮─R─○─R─○─R─▮",
        "modes": 2,
        "closed": True,
        "nanoseconds": None,
    }


# --- schema ----------------------------------------------------------------------------------


KINDS = {"object": dict, "array": list, "string": str, "boolean": bool, "number": (int, float), "integer": int}
RULES: dict[str, Any] = {
    "$ref": lambda rule, value, _, root: accepts(root["$defs"][rule.removeprefix("#/$defs/")], value, root),
    "anyOf": lambda rule, value, _, root: any(accepts(option, value, root) for option in rule),
    "allOf": lambda rule, value, _, root: all(accepts(part, value, root) for part in rule),
    "oneOf": lambda rule, value, _, root: sum(accepts(option, value, root) for option in rule) == 1,
    "type": lambda rule, value, *_: (value is None) if rule == "null" else isinstance(value, KINDS[rule]),
    "const": lambda rule, value, *_: value == rule,
    "enum": lambda rule, value, *_: value in rule,
    "required": lambda rule, value, *_: set(rule) <= set(value),
    "properties": lambda rule, value, _, root: all(
        accepts(rule[key], value[key], root) for key in set(rule) & set(value)
    ),
    "additionalProperties": lambda rule, value, schema, root: all(
        rule and accepts(rule, value[key], root) for key in set(value) - set(schema.get("properties", {}))
    ),
    "propertyNames": lambda rule, value, _, root: all(accepts(rule, key, root) for key in value),
    "items": lambda rule, value, _, root: all(accepts(rule, item, root) for item in value),
    "minItems": lambda rule, value, *_: len(value) >= rule,
    "minProperties": lambda rule, value, *_: len(value) >= rule,
    "maxItems": lambda rule, value, *_: len(value) <= rule,
    "minLength": lambda rule, value, *_: len(value) >= rule,
    "maxLength": lambda rule, value, *_: len(value) <= rule,
    "minimum": lambda rule, value, *_: value >= rule,
    "exclusiveMinimum": lambda rule, value, *_: value > rule,
    "maximum": lambda rule, value, *_: value <= rule,
    "exclusiveMaximum": lambda rule, value, *_: value < rule,
    **dict.fromkeys(("$schema", "$defs", "title", "description", "default", "discriminator"), lambda *_: True),
}
"""As much of JSON Schema as the schemas of files use; another keyword is a `KeyError`."""


def accepts(schema: dict[str, Any], value: Any, root: dict[str, Any]) -> bool:
    """Whether a JSON Schema, a part of `root`, accepts a value."""
    # the type first: the other rules hold for values of that type
    keywords = sorted(schema, key=lambda keyword: keyword != "type")
    return all(RULES[keyword](schema[keyword], value, schema, root) for keyword in keywords)


@cache
def printed_schema(*kind: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(succeeded("schema", *kind))
    return found


def test_the_schema_is_one_for_editors() -> None:
    schema = printed_schema()
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert (schema["title"], schema["type"]) == ("groupkin mechanism", "object")
    assert {"dimension", "bodies", "joints", "drivers", "units", "motion", "adjacency"} <= set(schema["properties"])
    for name, part in schema["properties"].items():
        assert part.get("description"), name  # shown while one types


@pytest.mark.smoke
@pytest.mark.parametrize("path", MECHANISMS, ids=lambda path: path.stem)
def test_the_schema_accepts_the_examples(path: Path) -> None:
    assert accepts(printed_schema(), tomllib.loads(path.read_text()), printed_schema())


@pytest.mark.parametrize(
    "changes",
    [
        [("dimension = 2", "dimension = 4")],
        [("dimension = 2", "")],
        [('point = "C"', 'pont = "C"')],
        [("C = [2, 1]", "C = [2, [1]]")],  # a text may be a formula of values
        [("C = [2, 1]", "C = [2]")],
        [('["coupler", "rocker"]\npoint', '["coupler"]\npoint')],
        [('type = "ramp"', 'type = "rampp"')],
        [("steps = 51", "steps = 0")],
        [("steps = 51", "steps = 5.5")],
        [("duration = 1", "duration = 0")],
        [("[motion]", '[units]\nlength = "mile"\n[motion]')],
    ],
)
def test_the_schema_refuses_what_is_refused(tmp_path: Path, changes: list[tuple[str, str]]) -> None:
    assert accepts(printed_schema(), tomllib.loads(LINKAGE), printed_schema())
    path = changed(tmp_path, *changes)
    assert not accepts(printed_schema(), tomllib.loads(path.read_text()), printed_schema())
    refused("analyze", path)


def test_there_is_a_schema_of_each_kind_of_file() -> None:
    assert printed_schema("mechanism") == printed_schema()
    assert printed_schema("sweep")["title"] == "groupkin sweep"
    fit = printed_schema("fit")
    assert accepts(fit, tomllib.loads((EXAMPLES / "coupler_curve.fit.toml").read_text()), fit)
    misused = run("schema", "sweeps")
    assert misused.exit_code == 2
    assert "'mechanism', 'sweep', 'fit'" in misused.output


SWEEPS = sorted(EXAMPLES.glob("*.sweep.toml"))
TOLERANCE = EXAMPLES / "four_bar_tolerance.sweep.toml"


@pytest.mark.parametrize("path", SWEEPS, ids=lambda path: path.stem)
def test_the_schema_of_sweeps_accepts_the_examples(path: Path) -> None:
    schema = printed_schema("sweep")
    assert accepts(schema, tomllib.loads(path.read_text()), schema)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("samples = 10000", "sampels = 10000"),
        ("samples = 10000", "samples = 0"),
        ("samples = 10000", 'method = "sobel"'),
        ('mechanism = "four_bar.toml"', ""),
        ('parameter = "length crank A-B"', 'length = ["A"]\nbody = "crank"'),
        ('parameter = "length crank A-B"', ""),
        ('parameter = "length crank A-B"', 'parameter = "length crank A-B"\npoint = "A"'),
        ("normal = {", "grid = [1, 2]\nnormal = {"),
        ("deviation = 0.05,", ""),
        ('range = "position P.x"', 'range = { component = "x" }'),
        ('path_length = "P"', 'path_length = "P"\nconditioning = true'),
    ],
)
def test_the_schema_of_sweeps_refuses_what_is_refused(tmp_path: Path, old: str, new: str) -> None:
    from cluster import read_sweep

    text = TOLERANCE.read_text()
    assert old in text
    path = written(tmp_path, text.replace(old, new, 1), "a.sweep.toml")
    shutil.copy(FOUR_BAR, tmp_path)
    schema = printed_schema("sweep")
    assert not accepts(schema, tomllib.loads(path.read_text()), schema)
    with pytest.raises(GroupkinError):
        read_sweep(path)


# --- examples --------------------------------------------------------------------------------


def test_examples_are_listed_with_what_they_are() -> None:
    lines = succeeded("examples").splitlines()
    names = {path.name.removesuffix(".toml") for path in EXAMPLES.glob("*.toml")}
    assert {line.split()[0] for line in lines[1:] if line[:1].strip()} == names == set(gk.examples())
    assert all(10 < len(about) < 120 or name == "slider_crank" for name, about in gk.examples().about.items())
    assert succeeded("examples", "four_bar").strip() == str(EXAMPLES / "four_bar.toml") == str(gk.example("four_bar"))
    assert gk.example("four_bar.toml") == gk.example("four_bar")
    assert "did you mean four_bar" in refused("examples", "fourbar")
    assert "--copy belongs to" in run("examples", "--copy", "here").stderr


def test_an_example_is_copied_with_the_files_that_it_names(tmp_path: Path) -> None:
    assert run("examples", "four_bar_tolerance.sweep", "--copy", tmp_path / "new").exit_code == 0
    assert run("examples", "cam_roller", "--copy", tmp_path / "new").exit_code == 0
    copied = {path.name for path in (tmp_path / "new").iterdir()}
    assert copied == {"four_bar_tolerance.sweep.toml", "four_bar.toml", "cam_roller.toml", "cam_roller.csv"}
    assert gk.solve(tmp_path / "new" / "cam_roller.toml").solved.all()
    assert "exists, and is not replaced" in refused("examples", "four_bar", "--copy", tmp_path / "new")
