"""Mechanism files: what they say is converted to meters and radians, and what is wrong is named with its place."""

from __future__ import annotations

import copy
import json
import subprocess
import sys
import tomllib
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from groupkin.errors import (
    ConflictingPointError,
    DuplicateNameError,
    FileError,
    GeometryError,
    LawError,
    MechanismError,
    TimesError,
    UnknownJointTypeError,
    UnknownNameError,
)
from groupkin.mechanism.files import reading
from groupkin.mechanism.files.schema import json_schema
from groupkin.mechanism.laws import laws
from groupkin.mechanism.mechanism import Mechanism
from tests.support.paths import EXAMPLES, ROOT

TOML = """
name = "Four-bar linkage"
description = "A crank and a rocker."
dimension = 2
frame = "ground"

[units]
length = "mm"
angle = "deg"

[points]
A = [0, 0]
# B is given where it is used
C = [3000, 2000]
D = [4000, 0]

[bodies]
ground = {}
crank = {}
coupler = { points = { P = [1500.0, 2500] } }
rocker = { origin = "D", points = ["C"], lengths = [{ between = ["C", "D"], value = 2236 }] }

[[joints]]
name = "A"
type = "R"
bodies = ["ground", "crank"]
point = "A"
reference = 90

[[joints]]
name = "B"
type = "R"
bodies = ["crank", "coupler"]
point = [0, 1000]

[[joints]]
name = "C"
type = "R"
bodies = ["coupler", "rocker"]
points = ["C", "C"]
reference = { angle = 30 }

[[joints]]
name = "D"
type = "R"
bodies = ["ground", "rocker"]
point = "D"

[[drivers]]
joint = "A"
law = { type = "ramp", rate = 360, start = 90 }

[motion]
duration = 2.0
steps = 5
start = 1.0
"""

SPACE: dict[str, Any] = {
    "dimension": 3,
    "units": {"length": "cm", "angle": "deg"},
    "bodies": ["ground", {"name": "slider", "origin": [1, 2, 3]}],
    "joints": [
        {
            "name": "J",
            "type": "C",
            "bodies": ["ground", "slider"],
            "points": [[0, 0, 0], [0, 0, 50]],
            "axis": [0, 0, 2],
        }
    ],
    "drivers": [{"joint": "J", "freedom": "displacement"}, {"joint": "J", "freedom": "angle"}],
}


def write(folder: Path, text: str, name: str = "four_bar.toml") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def law_of(law: dict[str, Any], freedom: str, folder: Path = Path()) -> laws.Law | None:
    data = copy.deepcopy(SPACE)
    data["drivers"] = [{"joint": "J", "freedom": freedom, "law": law}]
    return reading.parse(data, folder).drivers[0].law


@pytest.mark.smoke
def test_a_file_says_a_mechanism_in_meters_and_radians(tmp_path: Path) -> None:
    found = reading.read(write(tmp_path, TOML))
    mechanism = found.mechanism
    assert mechanism.name == "Four-bar linkage"
    assert found.description == "A crank and a rocker."
    assert (mechanism.dimension, mechanism.frame) == (2, "ground")
    assert list(mechanism.body) == ["ground", "crank", "coupler", "rocker"]
    np.testing.assert_allclose(mechanism.positions["P"], [1.5, 2.5])
    assert mechanism.body["rocker"].lengths == {("C", "D"): pytest.approx(2.236)}
    assert mechanism.body["rocker"].origin == "D"
    assert mechanism.joints[0].reference == pytest.approx(np.pi / 2)
    assert mechanism.joints[1].point == pytest.approx((0, 1))
    assert mechanism.joints[2].points == ("C", "C")
    assert mechanism.joints[2].reference == {"angle": pytest.approx(np.pi / 6)}
    np.testing.assert_allclose(mechanism.drivers[0].law.at([1.0])[:, 0], [2.5 * np.pi, 2 * np.pi, 0])
    np.testing.assert_allclose(found.motion.times, [1, 1.5, 2, 2.5, 3])


def test_json_says_the_same_as_toml(tmp_path: Path) -> None:
    import tomllib

    as_json = write(tmp_path, json.dumps({"$schema": "x.json", **tomllib.loads(TOML)}), "four_bar.json")
    assert reading.read(as_json) == reading.read(write(tmp_path, TOML))


def test_names_and_times_have_defaults(tmp_path: Path) -> None:
    text = TOML.replace('name = "Four-bar linkage"', "", 1).partition("[motion]")[0].replace('frame = "ground"', "")
    found = reading.read(write(tmp_path, text))
    assert found.mechanism.name == "four_bar"
    assert found.mechanism.frame == "ground"
    assert found.motion == reading.MotionSettings(1.0, 1001, 0.0)


def test_bodies_may_be_a_list() -> None:
    mechanism = reading.parse(SPACE)
    assert list(mechanism.body) == ["ground", "slider"]
    assert mechanism.body["slider"].origin == pytest.approx((0.01, 0.02, 0.03))
    assert mechanism.joints[0].axis == (0, 0, 2)
    assert mechanism.joints[0].points[1] == pytest.approx((0, 0, 0.5))


@pytest.mark.parametrize(("freedom", "unit"), [("displacement", 0.01), ("angle", np.pi / 180)])
def test_laws_have_the_unit_of_the_freedom_they_drive(freedom: str, unit: float) -> None:
    given = {
        "constant": {"value": 2},
        "ramp": {"rate": 2, "start": 1},
        "polynomial": {"coefficients": [1, 2, 3]},
        "fourier": {"frequency": 1, "cosine": [1, 2], "sine": [3], "offset": 4},
        "spline": {"times": [0, 1, 2, 3], "values": [0, 1, 0, 1]},
        "samples": {"times": [0, 3], "values": [0, 1], "rates": [0, 0], "accelerations": [0, 1]},
    }
    plain = {
        "constant": laws.Constant(2),
        "ramp": laws.Ramp(2, 1),
        "polynomial": laws.Polynomial((1, 2, 3)),
        "fourier": laws.Fourier(1, (1, 2), (3,), 4),
        "spline": laws.Spline((0, 1, 2, 3), (0, 1, 0, 1)),
        "samples": laws.Samples((0, 3), (0, 1), (0, 0), (0, 1)),
    }
    times = [0.3, 1.7]
    for kind, values in given.items():
        found = law_of({"type": kind, **values}, freedom)
        np.testing.assert_allclose(found.at(times), unit * plain[kind].at(times), err_msg=kind)


def test_a_screw_and_gears_in_a_file() -> None:
    joints = [
        {"name": "S", "type": "H", "bodies": ["g", "a"], "point": [0, 0, 0], "axis": [0, 0, 1], "pitch_per_turn": 4},
        {"name": "G", "type": "EO", "bodies": ["a", "b"], "points": [[0, 0, 0], [9, 0, 0]], "radii": [20, 31.5]},
    ]
    data = {"dimension": 3, "units": {"length": "mm", "angle": "deg"}, "bodies": ["g", "a", "b"], "joints": joints}
    screw, gears = reading.parse(data).joints
    assert screw.pitch == pytest.approx(0.004 / (2 * np.pi), rel=1e-15)
    assert gears.radii == (20, 31.5)


def test_a_phase_is_an_angle_whatever_is_driven() -> None:
    law = law_of({"type": "harmonic", "amplitude": 3, "frequency": 2, "phase": 90, "offset": 1}, "displacement")
    assert law == laws.Harmonic(0.03, 2, np.pi / 2, 0.01)


def test_a_driver_needs_no_law() -> None:
    assert [driver.law for driver in reading.parse(SPACE).drivers] == [None, None]


@pytest.mark.smoke
@pytest.mark.parametrize(
    ("text", "columns"),
    [
        ("0,0\n1,10\n2,20\n3,30\n", None),
        ("time,stroke\n0,0\n\n1,10\n2,20\n3,30\n", None),
        ("# measured\nforce;t;s\n9;0;0\n9;1;10\n9;2;20\n9;3;30\n", ["t", "s"]),
        ("\ufefft\ts\r\n0\t0\r\n1\t10\r\n2\t20\r\n3\t30\r\n", ["t", "s"]),
    ],
)
def test_samples_in_a_csv_file(tmp_path: Path, text: str, columns: list[str] | None) -> None:
    write(tmp_path, text, "stroke.csv")
    law = {"type": "spline", "csv": "stroke.csv"} | ({"columns": columns} if columns else {})
    found = law_of(law, "displacement", tmp_path)
    np.testing.assert_allclose(found.at([1.5])[:2, 0], [0.15, 0.1])


@pytest.mark.parametrize(
    ("text", "columns", "message"),
    [
        ("t,s\n0,0\n1,x\n", None, r"stroke.csv, line 3, column 2: must be a finite number$"),
        ("t,s\n0,0\n1\n", None, r"stroke.csv, line 3, column 2: must be a finite number, and is missing"),
        ("t,s\n0,0\n1,nan\n", None, r"line 3, column 2"),
        ("t,s\n", None, "has no samples"),
        ("", None, "has no samples"),
        ("t,s,f\n0,0,0\n", None, "has 3 columns, not 2; choose columns by name"),
        ("time,stroke\n0,0\n", ["time", "strok"], r"no column 'strok'; its first row names 2 others"),
        ("0,0\n1,1\n", ["t", "s"], "its first row has no names"),
        ("0,0\n1,1\n1,2\n3,4\n", None, "stroke.csv, line 3: times must increase, and this one is not after"),
        (
            "t,s\n0,0\n2,1\n# late\n1,2\n3,4\n",
            None,
            "stroke.csv, line 5: times must increase, and this one is not after",
        ),
        ("t,s\n0,1\n", None, "stroke.csv, line 2 alone: Spline: times must be at least two"),
        ("t,s\n0,1\n1,2\n", None, "stroke.csv, lines 2 to 3: Spline: degree 3 needs at least 4 samples, got 2"),
    ],
)
def test_a_wrong_csv_file_is_refused(tmp_path: Path, text: str, columns: list[str] | None, message: str) -> None:
    write(tmp_path, text, "stroke.csv")
    law = {"type": "spline", "csv": "stroke.csv"} | ({"columns": columns} if columns else {})
    with pytest.raises(LawError, match=r"drivers\[0\].law \(joint 'J'\): .*" + message):
        law_of(law, "displacement", tmp_path)


def test_an_absent_csv_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r"drivers\[0\].law.*no file .*stroke.csv; its path is relative"):
        law_of({"type": "spline", "csv": "stroke.csv"}, "angle", tmp_path)
    cam = """
    dimension = 2
    bodies = ["frame", "cam"]
    joints = [{ name = "lobe", type = "L", bodies = ["frame", "cam"], point = [0, 0], curve = { csv = "lobe.csv" } }]
    """
    message = r"^four_bar.toml: joints\[0\] \('lobe'\).curve: there is no file .*lobe.csv; its path is relative"
    with pytest.raises(FileError, match=message):
        reading.load(write(tmp_path, cam))


def test_the_published_form(tmp_path: Path) -> None:
    text = """
    dimension = 2
    [adjacency]
    matrix = [["-", "R", "-", "R"], ["R", "-", "R", "-"], ["-", "R", "-", "R"], ["R", "-", "R", "-"]]
    known_inputs = [[0, 1, 0, 0], [1, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]]
    """
    mechanism = reading.load(write(tmp_path, text))
    assert list(mechanism.body) == ["1", "2", "3", "4"]
    assert [driver.joint for driver in mechanism.drivers] == ["1-2"]
    assert mechanism.mobility == 1


@pytest.mark.parametrize("duration", ["", "duration = 0"])
def test_one_position_needs_no_duration(tmp_path: Path, duration: str) -> None:
    text = TOML.replace("duration = 2.0\nsteps = 5", f"{duration}\nsteps = 1")
    motion = reading.read(write(tmp_path, text)).motion
    np.testing.assert_array_equal(motion.times, [1.0])
    if duration:
        with pytest.raises(TimesError, match="3 steps need a duration greater than 0 s; for one position take 1 step"):
            _ = replace(motion, steps=3).times


WRONG = [
    ("point = ", "pont = ", FileError, r"joints\[0\] \('A'\): unknown key 'pont' \(did you mean point or points\?\)"),
    ("[bodies]", "[bodys]", FileError, r"toml: unknown key 'bodys' \(did you mean bodies or modes\?\)"),
    ("dimension = 2", "", FileError, "dimension: is missing"),
    ("dimension = 2", "dimension = 4", FileError, "dimension: must be 2 or 3, not 4"),
    ("dimension = 2", "dimension = true", FileError, "dimension: must be 2 or 3, not True"),
    ("dimension = 2", "dimension = 3", FileError, r"must be 3 numbers in space, not \[1500.0, 2500.0\]"),
    ('"ramp"', '"rampp"', FileError, r"drivers\[0\].law \(joint 'A'\): unknown type 'rampp' \(did you mean ramp\?\)"),
    ('"ramp"', '"sine"', FileError, r"unknown type 'sine' \(did you mean harmonic\?\); the types are constant, ramp"),
    ('"ramp"', '"sinus"', FileError, r"unknown type 'sinus' \(did you mean harmonic\?\)"),
    ('"ramp"', '"Fourier series"', FileError, r"unknown type 'Fourier series' \(did you mean fourier\?\)"),
    ('"ramp"', '"Cosine"', FileError, r"unknown type 'Cosine' \(did you mean harmonic\?\)"),
    ('"ramp"', '"constant speed"', FileError, r"unknown type 'constant speed' \(did you mean ramp\?\)"),
    ('"ramp"', '"linear"', FileError, r"unknown type 'linear' \(did you mean ramp\?\)"),
    ('"ramp"', '"csv"', FileError, r"unknown type 'csv' \(did you mean spline\?\)"),
    ('"ramp"', '"table"', FileError, r"unknown type 'table' \(did you mean spline or samples\?\)"),
    ('"ramp"', '"cubic"', FileError, r"unknown type 'cubic' \(did you mean polynomial\?\)"),
    ('type = "ramp", ', "", FileError, r"drivers\[0\].law \(joint 'A'\): needs a key 'type'"),
    ("law = {", "law = 3 #", FileError, r"drivers\[0\].law \(joint 'A'\): must be a table"),
    ("rate = 360", "rat = 360", FileError, r"drivers\[0\].law \(joint 'A'\): unknown key 'rat' \(did you mean rate"),
    ("rate = 360, ", "", FileError, r"drivers\[0\].law.rate \(joint 'A'\): is missing"),
    ("rate = 360", "rate = '3'", FileError, r"drivers\[0\].law.rate \(joint 'A'\): must be a valid number, not '3'"),
    ("rate = 360", "rate = '3 rad/s'", FileError, r"not '3 rad/s'; write the number alone: the units of a file"),
    ("rate = 360", "rate = nan", FileError, r"rate.*must be a finite number, not nan"),
    ("rate = 360", "rate = __import__('os')", FileError, r"no valid TOML: .*at line 51, column"),
    ("A = [0, 0]", "A = [0, 0", FileError, r"no valid TOML: .*at line 14"),
    ("A = [0, 0]", "A = [0, 0, 0]", FileError, r"points.A: must be 2 numbers in the plane, not \[0.0, 0.0, 0.0\]"),
    ("A = [0, 0]", "A = [0, inf]", FileError, r"points.A: must be 2 finite numbers in the plane"),
    ("A = [0, 0]", "A = [0, true]", FileError, r"points.A: must be 2 finite numbers in the plane"),
    ("A = [0, 0]", 'A = "B"', FileError, r"points.A: must be 2 finite numbers in the plane, not 'B'"),
    (
        "A = [0, 0]",
        "A = [0, '30 mm']",
        FileError,
        r"not \[0, '30 mm'\]; write the number alone: the units of",
    ),
    ("crank = {}", "crank = 3", FileError, r"bodies.crank: must be a table of keys and values, not 3"),
    ("crank = {}", "crank = { origin = 3 }", FileError, r"bodies.crank.origin: must be the name of a point or its"),
    ("{ P = [1500.0, 2500] }", "5", FileError, r"bodies.coupler.points: must be a table of points .*not 5"),
    ("value = 2236", "value = -1", FileError, r"bodies.rocker.lengths\[0\].value: must be greater than 0, not -1"),
    ("reference = 90", "reference = true", FileError, r"joints\[0\].reference \('A'\): must be an angle or"),
    ("reference = 90", "reference = { angel = 3 }", UnknownNameError, r"joint 'A': a pair R has no freedom 'angel'"),
    ('point = "A"', 'point = "E"', UnknownNameError, r"joint 'A' refers to 'E', which is no named point"),
    ('point = "D"', "", None, ""),
    ("P = [1500.0, 2500]", "crank = [1, 2]", DuplicateNameError, "point 'crank' has the name of a body"),
    ('bodies = ["ground", "crank"]', 'bodies = ["ground"]', FileError, r"joints\[0\].bodies.*at least 2 items"),
    ('bodies = ["ground", "crank"]', 'bodies = ["ground", "krank"]', UnknownNameError, "did you mean crank"),
    ('name = "A"', "", FileError, r"joints\[0\].name: is missing"),
    ('name = "A"', 'name = "B"', DuplicateNameError, "two joints are named 'B'"),
    ('type = "R"', 'type = "Rv"', UnknownJointTypeError, r"joint 'A': unknown joint type 'Rv' \(did you mean R"),
    ('type = "R"', 'type = "S"', UnknownJointTypeError, r"joint 'A'.*does not exist in the plane"),
    ('type = "R"', 'type = "P"\naxis = [0, 0]', GeometryError, r"axis of joint 'A' has zero length"),
    ("P = [1500.0, 2500]", "A = [1, 2]", ConflictingPointError, r"point 'A' has two positions"),
    ('joint = "A"\n', 'joint = "A"\nfreedom = "turn"\n', UnknownNameError, r"driver of joint 'A'.*no freedom 'turn'"),
    ('"mm"', '"mmm"', FileError, r"units.length: must be 'm', .*not 'mmm' \(did you mean mm\?\)"),
    ("duration = 2.0", "duration = 0", FileError, r"motion: 5 steps need a `duration` greater than 0; .*steps = 1"),
    ("duration = 2.0", "duration = -1", FileError, r"motion.duration: must be greater than or equal to 0, not -1"),
    ("[[drivers]]", "[drivers]", FileError, r"drivers: must be a list of tables, such as \[\[drivers\]\], not {"),
    ("dimension = 2", "", FileError, "dimension: is missing: 2 in the plane, 3 in space"),
    ("steps = 5", "steps = 5.5", FileError, r"motion.steps: must be a valid integer, not 5.5"),
    ("[motion]", "[adjacency]\nmatrix = []\nknown_inputs = []\n[motion]", FileError, "remove 'bodies'"),
]


@pytest.mark.smoke
@pytest.mark.parametrize(("old", "new", "error", "message"), WRONG)
def test_what_is_wrong_is_named_with_its_place(
    tmp_path: Path, old: str, new: str, error: type[MechanismError] | None, message: str
) -> None:
    assert old in TOML
    path = write(tmp_path, TOML.replace(old, new, 1))
    if error is None:
        reading.load(path)
        return
    with pytest.raises(error, match=message) as caught:
        reading.load(path)
    assert type(caught.value) is error
    assert str(caught.value).startswith("four_bar.toml: ")


def test_several_problems_are_reported_together(tmp_path: Path) -> None:
    path = write(tmp_path, TOML.replace("steps = 5", "steps = 0").replace("A = [0, 0]", "A = 3"))
    with pytest.raises(FileError) as caught:
        reading.load(path)
    assert [line.split(": ")[1] for line in str(caught.value).splitlines()] == ["points.A", "motion.steps"]


@pytest.mark.parametrize(
    ("length", "problem"), [('["C", "D"]', "appears twice"), ('["C", "C"]', "connects a point with itself")]
)
def test_a_length_is_given_once(tmp_path: Path, length: str, problem: str) -> None:
    text = TOML.replace("value = 2236 }", f"value = 2236 }}, {{ between = {length}, value = 3 }}")
    with pytest.raises(FileError, match=rf"bodies.rocker.lengths\[1\]: .* {problem}"):
        reading.load(write(tmp_path, text))


@pytest.mark.parametrize(
    ("law", "message"),
    [
        ({"type": "spline"}, "either `times` and `values`, or `csv`"),
        ({"type": "spline", "times": [0, 1]}, "either `times` and `values`, or `csv`"),
        ({"type": "spline", "csv": "a.csv", "times": [0, 1]}, "either `times` and `values`, or `csv`"),
        ({"type": "spline", "csv": "a.csv", "degree": 4}, "must be 3 or 5, not 4"),
        ({"type": "polynomial", "coefficients": []}, "at least 1 item"),
    ],
)
def test_a_law_that_says_too_little_or_too_much_is_refused(law: dict[str, Any], message: str) -> None:
    with pytest.raises(FileError, match=message):
        law_of(law, "angle")


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(FileError, match=r"no such file"):
        reading.load(tmp_path / "absent.toml")
    with pytest.raises(FileError, match=r"a mechanism file ends in .toml or .json, not '.yaml'"):
        reading.load(tmp_path / "absent.yaml")
    (tmp_path / "folder.toml").mkdir()
    with pytest.raises(FileError, match=r"cannot be read: it is a folder"):
        reading.load(tmp_path / "folder.toml")
    (tmp_path / "latin.toml").write_bytes(b'name = "\xe9"')
    with pytest.raises(FileError, match=r"latin.toml: byte 8 is not UTF-8 text"):
        reading.load(tmp_path / "latin.toml")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("{", r"no valid JSON: .*\(at line 1, column 2\)"),
        ("[]", r"must be a table of keys and values, not \[\]"),
        ('{"dimension": 2, "dimension": 3}', r"the key 'dimension' appears twice"),
        ("[" * 100_000, r"nested too deeply"),
        ("{}", r"dimension: is missing"),
        ('{"dimension": 2}', r"'bodies' is missing"),
        ('{"dimension": NaN, "bodies": [], "joints": []}', r"dimension: must be 2 or 3, not nan"),
        ('{"dimension": 2, "bodies": 3, "joints": []}', r"bodies: must be a table of bodies by name or a list"),
        ('{"dimension": 2, "bodies": [3], "joints": []}', r"bodies\[0\]: must be the name of a body or a table"),
        ('{"dimension": 2, "bodies": [{"nam": 1}], "joints": []}', r"bodies\[0\]: unknown key 'nam' \(did you mean"),
        ('{"dimension": 2, "bodies": [], "joints": []}', r"needs at least one body"),
    ],
)
def test_wrong_json_is_refused(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(MechanismError, match=r"^a\.json: .*" + message):
        reading.load(write(tmp_path, text, "a.json"))


@pytest.mark.smoke
def test_the_schema_is_json_and_describes_every_key() -> None:
    schema = json.loads(json.dumps(json_schema()))
    assert schema["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    assert schema["additionalProperties"] is False
    assert set(schema["properties"]) >= {"bodies", "joints", "drivers", "units", "motion", "adjacency"}
    for name, part in {"file": schema, **schema["$defs"]}.items():
        undescribed = [key for key, value in part["properties"].items() if not {"description", "const"} & set(value)]
        assert set(undescribed) <= {"value", "offset", "values"}, name


def test_pydantic_is_imported_only_when_a_file_is_read() -> None:
    code = "import sys, groupkin.mechanism.files.reading; sys.exit('pydantic' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False).returncode == 0


def test_long_texts_of_others_are_shortened_in_messages() -> None:
    law = {"type": "n" * 10_000}
    bodies, joint = ["ground", "arm"], {"name": "A", "type": "R", "bodies": ["ground", "arm"], "point": [0, 0]}
    with pytest.raises(FileError) as refusal:
        reading.parse({"dimension": 2, "bodies": bodies, "joints": [joint], "drivers": [{"joint": "A", "law": law}]})
    assert len(str(refusal.value)) < 400
    with pytest.raises(MechanismError) as refusal:
        Mechanism.from_adjacency([["n" * 10_000]], [[0]])
    assert len(str(refusal.value)) < 400


def test_joints_are_a_list_or_a_table_by_name(tmp_path: Path) -> None:
    """As bodies are."""
    text = (EXAMPLES / "four_bar.toml").read_text()
    data = tomllib.loads(text)
    listed = reading.parse(data)
    data["joints"] = {joint.pop("name"): joint for joint in data["joints"]}
    assert reading.parse(data) == listed
    write(tmp_path, json.dumps(data), "four_bar.json")
    assert reading.load(tmp_path / "four_bar.json") == replace(listed, name=data["name"])
    data["joints"]["B"]["axis"] = [0]
    with pytest.raises(FileError, match=r"joints\.B.*axis"):
        reading.parse(data)
    data["joints"]["B"] = {"type": "X", "bodies": ["crank", "coupler"]}
    with pytest.raises(MechanismError, match=r"joint 'B'.*'X'"):
        reading.parse(data)
    data["joints"] = 3
    with pytest.raises(FileError, match="a table of joints by name or a list of joints"):
        reading.parse(data)
