"""Values and constructions in files: formulas of numbers, wherever a number stands, and back again."""

from __future__ import annotations

import copy
import math
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import groupkin as gk
from groupkin.errors import GroupkinError
from groupkin.mechanism.files.decoding import Folder
from groupkin.mechanism.files.reading import convert
from groupkin.mechanism.files.schema import json_schema
from groupkin.mechanism.files.value_formulas import FORMULAS, read_values
from groupkin.mechanism.files.writing import as_data
from groupkin.mechanism.values import Value, formula
from tests.support.examples import SOLVABLE
from tests.support.paths import EXAMPLES

FOUR_BAR = """
dimension = 2
units = { length = "mm", angle = "deg" }
values = { a = 30, b = "2 * a + 10", phi = 60 }
bodies = ["frame", "crank", { name = "coupler", points = ["P"] }, "rocker"]
joints = [
  { name = "A", type = "R", bodies = ["frame", "crank"], point = "A" },
  { name = "B", type = "R", bodies = ["crank", "coupler"], point = "B" },
  { name = "C", type = "R", bodies = ["coupler", "rocker"], point = "C" },
  { name = "D", type = "R", bodies = ["frame", "rocker"], point = "D" },
]
drivers = [{ joint = "A", law = { type = "ramp", rate = "4 * phi" } }]

[points]
A = [0, 0]
D = [100, 0]
B = { from = "A", length = "a", angle = "phi" }
C = { from = ["B", "D"], lengths = ["b", 80], side = "left" }
P = { on = ["B", "C"], share = 0.5, offset = "-a / 3" }
"""


def loaded(tmp_path: Path, text: str) -> gk.Mechanism:
    file = tmp_path / "bars.toml"
    file.write_text(text)
    return gk.load(file)


def test_a_file_of_lengths_and_angles(tmp_path: Path) -> None:
    bars = loaded(tmp_path, FOUR_BAR)
    at = {name: 1e3 * x for name, x in bars.positions.items()}
    assert np.abs(at["B"] - [15.0, 15.0 * math.sqrt(3.0)]).max() < 1e-12
    lengths = [math.dist(at[x], at[y]) for x, y in ("AB", "BC", "CD")]
    assert lengths == pytest.approx([30.0, 70.0, 80.0], rel=1e-14)
    driver = bars.drivers[0].law
    assert isinstance(driver, gk.Ramp)
    assert driver.rate == pytest.approx(math.radians(240.0), rel=1e-15)
    assert set(bars.values) == {"a", "phi", "C.lengths[1]", "P.share"}
    motion = gk.solve(bars, [0.0])  # without a guess, and nothing to assemble
    assert gk.max_residual(motion) < 1e-15


def test_it_is_saved_as_it_is_stated(tmp_path: Path) -> None:
    bars = loaded(tmp_path, FOUR_BAR)
    gk.save(bars, tmp_path / "again.toml")
    text = (tmp_path / "again.toml").read_text()
    assert gk.load(tmp_path / "again.toml") == bars
    for line in ('b = "2 * a + 10"', 'B = { from = "A", length = "a", angle = "phi" }', 'rate = "4 * phi"'):
        assert line in text
    gk.save(bars, tmp_path / "meters.json", units=gk.Units("m", "rad"))
    assert np.abs(gk.load(tmp_path / "meters.json").positions["P"] - bars.positions["P"]).max() < 1e-16


def numbers(part: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], float]]:
    """All numbers in the data of a file, and where they stand."""
    entries = part.items() if isinstance(part, dict) else enumerate(part) if isinstance(part, list) else ()
    for key, entry in entries:
        yield from numbers(entry, (*path, key))
    if isinstance(part, int | float) and not isinstance(part, bool):
        yield path, part


LAWS = """
dimension = 2
units = { length = "mm", angle = "deg" }
bodies = ["frame", "a", "b", "c", "d"]
joints = [
  { name = "A", type = "R", bodies = ["frame", "a"], point = [0, 0] },
  { name = "B", type = "P", bodies = ["frame", "b"], point = [0, 10], axis = [1, 0.5] },
  { name = "C", type = "R", bodies = ["frame", "c"], point = [0, 20] },
  { name = "D", type = "P", bodies = ["frame", "d"], point = [0, 30], axis = [1, 0] },
]
drivers = [
  { joint = "A", law = { type = "ramp", rate = 360, start = 3 } },
  { joint = "B", law = { type = "cycloid", rise = 20, duration = 0.5, begin = 0.1, start = 2 } },
  { joint = "C", law = { type = "s-curve", rise = 40, speed = 200, acceleration = 4000, jerk = 100000 } },
  { joint = "D", over = "A", law = { type = "sequence", start = 1, begin = 20, periodic = true, pieces = [
    { type = "3-4-5", rise = 12, duration = 120 }, { type = "dwell", duration = 60 },
    { type = "modified sine", rise = -12, duration = 100 }, { type = "dwell", duration = 80 } ] } },
]
"""


def each_a_value(data: dict[str, Any], folder: Path) -> None:
    """Let each number in turn be a value: the mechanism is equal, saved too, and knows what follows from the value."""
    plain = convert(data, Folder(folder)).mechanism
    for place, number in numbers(data):
        if place[0] in ("dimension", "modes", "motion"):
            continue
        changed = copy.deepcopy(data)
        part = changed
        for key in place[:-1]:
            part = part[key]
        part[place[-1]], changed["values"] = "some", {"some": number}
        found = convert(changed, Folder(folder)).mechanism
        assert found == plain, place
        assert found.values == {"some": number}, place
        saved = convert(as_data(found)).mechanism
        assert saved == plain, place
        assert saved.values == {"some": number}, place


@pytest.mark.parametrize("example", SOLVABLE)
def test_a_value_stands_wherever_a_number_stands(example: str) -> None:
    each_a_value(tomllib.loads((EXAMPLES / f"{example}.toml").read_text()), EXAMPLES)


def test_a_value_stands_wherever_a_law_has_a_number(tmp_path: Path) -> None:
    each_a_value(tomllib.loads(LAWS), tmp_path)


CHAIN = """
dimension = 3
units = { length = "mm", angle = "deg" }
values = { reach = 300 }
chains = { arm = [{ angle = 30, offset = 100, twist = 90 }, { length = "reach", angle = 40 }, { length = 200 }] }
bodies = ["base", "column", "upper", { name = "lower", points = ["arm3"] }]
joints = [
  { name = "turn", type = "R", bodies = ["base", "column"], axis = ["arm0", "arm0z"] },
  { name = "lift", type = "R", bodies = ["column", "upper"], axis = ["arm1", "arm1z"] },
  { name = "bend", type = "R", bodies = ["upper", "lower"], axis = ["arm2", "arm2z"] },
]
drivers = [
  { joint = "turn", law = { type = "ramp", rate = 30 } },
  { joint = "lift", law = { type = "ramp", rate = 20 } },
  { joint = "bend", law = { type = "ramp", rate = -40 } },
]
"""


def test_a_chain_by_rows(tmp_path: Path) -> None:
    arm = loaded(tmp_path, CHAIN)
    motion = gk.solve(arm, [0.0, 1.0])
    yaw, lift, bend = (np.radians([30.0, 60.0]), np.radians([40.0, 60.0]), np.radians([0.0, -40.0]))
    out = 0.3 * np.cos(lift) + 0.2 * np.cos(lift + bend)
    up = 0.1 + 0.3 * np.sin(lift) + 0.2 * np.sin(lift + bend)
    expected = np.stack([out * np.cos(yaw), out * np.sin(yaw), up], axis=1)
    assert np.abs(motion.position("arm3") - expected).max() < 1e-14
    gk.save(arm, tmp_path / "again.toml")
    assert gk.load(tmp_path / "again.toml") == arm
    design = gk.design(arm, ["number reach", "number arm1.twist"])
    longer = gk.solve(loaded(tmp_path, CHAIN.replace("reach = 300", "reach = 310")), [0.0, 1.0])
    assert np.abs(design.solve([310.0, np.pi / 2], [0.0, 1.0]).position("arm3") - longer.position("arm3")).max() < 1e-14


def test_formulas_are_those_of_their_numbers() -> None:
    stated = {
        "a": 30.0,
        "b": "2 * a + 10",
        "c": "sqrt(a ** 2 + b ** 2) - hypot(a, b)",
        "d": "sin(a) + cos(2 * a) - tan(45)",
        "e": "atan2(a, a) + asin(0.5) + acos(0.5) + atan(1)",
        "f": "-(a - b) / (a / b) - (a - (b - 1))",
        "g": "abs(-a) * pi",
    }
    found = read_values(stated, math.pi / 180.0)
    expected = [30.0, 70.0, 0.0, 0.0, 45.0 + 30.0 + 60.0 + 45.0, 40.0 / (3.0 / 7.0) + 39.0, 30.0 * math.pi]
    assert [float(x) for x in found.values()] == pytest.approx(expected, abs=1e-13)
    for x in found.values():  # written, they are read as the same
        text = formula(x, by_name=False)
        assert text is not None
        if x.operation and not {"sin(", "cos(", "atan2("} & {text[k : k + n] for k in range(len(text)) for n in (4, 6)}:
            assert read_values({**stated, "again": text}, 1.0)["again"] == x


def test_conversions_there_and_back_leave_a_value() -> None:
    a = Value("a", 30.0)
    assert (0.001 * a) / 0.001 is a
    assert formula((math.pi / 180.0 * (2.0 * a)) / (math.pi / 180.0)) == "2 * a"


WRONG = [
    (
        'b = "2 * a + 10"',
        'b = "2 * c"',
        "values: value 'b': there is no value 'c'",
    ),
    ('b = "2 * a + 10"', 'b = "2 * b"', "values need each other in a circle: 'b' → 'b'"),
    ('b = "2 * a + 10"', 'b = "a / 0"', "this has no value"),
    ('b = "2 * a + 10"', 'b = "2 mm"', "leave the unit out"),
    ('b = "2 * a + 10"', 'b = "{crank}"', "formulas of values, not of quantities"),
    ('b = "2 * a + 10"', 'b = "exp(a)"', "`exp` is none of the functions of values, which are sqrt"),
    ('b = "2 * a + 10"', "sin = 3", "value 'sin' needs another name: it means something else in formulas"),
    ('b = "2 * a + 10"', '"2b" = 3', "value '2b' needs another name: it is no word"),
    ('length = "a"', 'length = "z"', r"points\.B\.length: there is no value 'z'"),
    ('length = "a"', "length = true", "points.B.length"),
    ('lengths = ["b", 80]', 'lengths = [10, "a"]', "point 'C': no point is 10 mm from B, 30 mm from D"),
    ('lengths = ["b", 80]', 'lengths = ["b", "-a"]', "lengths"),
    ('from = "A", length', 'form = "A", length', r"points\.B.*unknown key 'form' \(did you mean from\?\)"),
    ('from = "A", length', 'from = "Z", length', "point 'B' is constructed from 'Z', which is no named point"),
]


@pytest.mark.parametrize(("old", "new", "message"), WRONG)
def test_what_is_wrong_is_said_with_its_place(tmp_path: Path, old: str, new: str, message: str) -> None:
    assert old in FOUR_BAR
    with pytest.raises(GroupkinError, match=message):
        loaded(tmp_path, FOUR_BAR.replace(old, new))


def test_the_schema_allows_formulas_for_numbers() -> None:
    points = json_schema()["$defs"]["Polar"]["properties"]
    assert points["length"]["anyOf"] == [{"type": "number"}, {"type": "string"}]
    assert json_schema()["properties"]["values"]


def test_every_function_is_tried() -> None:
    tried = {"+", "-", "*", "/", "**", "plus", "minus", "sqrt", "abs", "hypot"}
    assert set(FORMULAS) == tried | {"sin", "cos", "tan", "asin", "acos", "atan", "atan2"}
