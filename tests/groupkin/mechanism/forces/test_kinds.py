"""Every kind of force has the same names in its class, its schema, converted and written files, and the documents."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from typing import Any, get_args

import pytest

import groupkin as gk
from groupkin.dynamics.acting.acting import module_of
from groupkin.mechanism.files import force_schema
from groupkin.mechanism.files.schema import json_schema
from groupkin.mechanism.forces.forces import KINDS, Load
from groupkin.mechanism.units import Units

ROOT = Path(__file__).resolve().parents[4]
FILES = (ROOT / "docs" / "files.md").read_text()
UNITS = Units("mm", "deg", "g", "kN")

PLACES: dict[str, Any] = {
    "name": "x",
    "between": ["frame", "arm"],
    "points": [[100.0, 0.0], [300.0, 40.0]],
    "point": [300.0, 40.0],
    "joint": "pin",
    "freedom": "angle",
    "body": "arm",
    "axes": "arm",
    "law": {"type": "ramp", "rate": 2.0, "start": 1.0},
    "axial": False,
    "side": "left",
    "curve": {"points": [[300.0 * k, -700.0 - 3.0 * k**2] for k in range(-4, 5)]},
    "table": [[-1.0, -3.0], [0.0, 0.5], [2.0, 4.0]],
    "damping_table": [[-1.0, -3.0], [0.0, 0.5], [2.0, 4.0]],
    "exponent": 1.5,
}
"""What keys that are no numbers, or have few values, are in the files of this test; all others are numbers."""

CHANGED: dict[str, dict[str, Any]] = {
    "joint_spring": {"freedom": None},
    "joint_force": {"freedom": None},
    "joint_friction": {"freedom": None},
    "joint_inertia": {"freedom": None},
    "stop": {"freedom": None},
    "friction": {"efficiency": None, "length": None, "axial": None},
    "force": {"force": [0.3, 0.4]},
    "contact": {"line": None, "curves": None},
}
"""Keys of a kind that are otherwise in the file, or None that exclude others or need another joint."""


def stated(kind: str) -> dict[str, Any]:
    """An entry of a file with as many keys as go together."""
    keys = [key for key in force_schema_of(kind).model_fields if key != "type"]
    entry = {key: PLACES.get(key, 0.25) for key in keys} | CHANGED.get(kind, {})
    return {"type": kind, **{key: value for key, value in entry.items() if value is not None}}


def file_of(entry: dict[str, Any]) -> dict[str, Any]:
    return {
        "dimension": 2,
        "units": {"length": "mm", "angle": "deg", "mass": "g", "force": "kN"},
        "bodies": ["frame", "arm"],
        "joints": [{"name": "pin", "type": "R", "bodies": ["frame", "arm"], "point": [0, 0], "range": [-30, 30]}],
        "drivers": [{"joint": "pin"}],
        "forces": [entry],
    }


def force_schema_of(kind: str) -> Any:
    name = KINDS[kind].__name__
    schema = getattr(force_schema, name, None)
    assert schema is not None, f"{kind}: groupkin/mechanism/files/force_schema.py lacks a class {name}"
    return schema


def of_class(kind: str) -> set[str]:
    """Fields of a class that files hold."""
    return {field.name for field in fields(KINDS[kind])} - {"function", "of"}


def of_schema(kind: str) -> set[str]:
    return set(force_schema_of(kind).model_fields) - {"type"}


def of_json_schema(kind: str) -> set[str]:
    parts = [part.get("properties", {}) for part in json_schema()["$defs"].values()]
    return next((set(x) - {"type"} for x in parts if x.get("type", {}).get("const") == kind), set())


def of_documents(kind: str) -> set[str]:
    """Keys that the row of a kind in docs/files.md names."""
    row = re.search(rf"^\| `{kind}` \|(.*)$", FILES, re.M)
    return {"name", *re.findall(r"`(\w+)`", row[1])} & of_class(kind) if row else set()


def of_docstring(kind: str) -> set[str]:
    """Parameters that the docstring of a class describes."""
    text = KINDS[kind].__doc__ or ""
    listed = re.findall(r"^    (\w+(?:, \w+)*) : ", text, re.M)
    return {name for names in listed for name in names.split(", ")} - {"function", "of"}


SOURCES: dict[str, Callable[[str], set[str]]] = {
    "the schema in groupkin/mechanism/files/force_schema.py": of_schema,
    "the union `Load` in groupkin/mechanism/files/force_schema.py": of_json_schema,
    "its row in docs/files.md": of_documents,
    "the docstring of its class": of_docstring,
}


@pytest.mark.complete
@pytest.mark.parametrize("kind", KINDS)
def test_fields_have_the_same_names_everywhere(kind: str) -> None:
    for place, names in SOURCES.items():
        missing, more = of_class(kind) - names(kind), names(kind) - of_class(kind)
        assert not missing, f"{kind}: {place} lacks {sorted(missing)}, which the class has"
        assert not more, f"{kind}: {place} has {sorted(more)}, which the class lacks"


@pytest.mark.complete
@pytest.mark.parametrize("kind", KINDS)
def test_numbers_have_units(kind: str) -> None:
    pattern = re.compile(r"float|Stiffness")
    numbers = {each.name for each in fields(KINDS[kind]) if pattern.search(str(each.type))}
    assert numbers == set(KINDS[kind].UNITS), f"{kind}: its UNITS are not those of its numbers {sorted(numbers)}"


@pytest.mark.complete
@pytest.mark.parametrize("kind", KINDS)
def test_files_are_converted_and_written(kind: str, tmp_path: Path) -> None:
    entry = stated(kind)
    if kind == "friction":
        entry["radius"] = 12.0
    file = tmp_path / "stated.json"
    file.write_text(json.dumps(file_of(entry)))
    mechanism = gk.load(file)
    (found,) = mechanism.forces
    assert type(found) is KINDS[kind]
    for name, factor in found.factors(mechanism, UNITS).items():
        value, given = getattr(found, name), entry.get(name)
        if isinstance(given, float):
            assert value == given * factor, f"{kind}: groupkin/mechanism/files/conversion.py does not convert {name}"
    target = tmp_path / "written.json"
    gk.save(mechanism, target)
    assert gk.load(target).forces == mechanism.forces, f"{kind}: groupkin/mechanism/files/writing.py loses something"
    unknown = of_class(kind) - entry.keys() - {key for key, value in CHANGED.get(kind, {}).items() if value is None}
    assert not unknown, f"{kind}: this test states no {sorted(unknown)}; add them to PLACES or CHANGED"


def test_every_kind_is_listed_everywhere() -> None:
    assert set(KINDS.values()) == set(get_args(Load)), "KINDS and Load in groupkin/mechanism/forces/forces.py differ"
    for kind, made in KINDS.items():
        assert getattr(gk, made.__name__, None) is made, f"{kind}: groupkin/__init__.pyi lacks {made.__name__}"
        assert made.__module__.rpartition(".")[2] == kind, f"{kind}: its class is in {made.__module__}"
        if made is not gk.Friction:  # which depends on what its joint carries
            module = module_of(made.__new__(made))
            missing = [name for name in ("acting", "add", "coded") if not hasattr(module, name)]
            assert not missing, f"{kind}: {module.__name__} lacks {missing}"
