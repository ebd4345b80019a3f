"""The commands ``analyze``, ``generate`` and ``transform``."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

import groupkin as gk
from groupkin.kinematics.program.solver_choice import NO_SOLVER
from tests.support.command_line import (
    LINKAGE,
    MECHANISMS,
    PUBLISHED,
    SOLVERS,
    adjacency,
    changed,
    published,
    refused,
    run,
    succeeded,
    table,
    tables_in,
)
from tests.support.paths import EXAMPLES

ROTOR, NINE = str(EXAMPLES / "rotor_control.toml"), str(EXAMPLES / "nine_bar.toml")


# --- analyze ---------------------------------------------------------------------------------


def test_analyze_prints_the_published_table(tmp_path: Path) -> None:
    text = succeeded("analyze", adjacency(tmp_path, published("spatial_four_bar")))
    assert text.startswith(
        "spatial_four_bar: 3 movable bodies, 4 joints in space, mobility 1, 1 driven, 2 structural groups\n"
    )
    (crank, chain), joints = tables_in(text)
    assert list(crank) == list(chain) == ["group", "bodies", "type", "after", "level", "solver"]
    assert list(crank.values()) == ["1", "2", "1R3D", "–", "1", "driven R"]
    assert chain.pop("solver") in SOLVERS - {NO_SOLVER}
    assert list(chain.values()) == ["2", "3, 4", "1P1C1S3D", "1", "2"]
    # Fig. 11 of Celdran et al. (2022) for bodies 3 and 4: "3&2S.4&1P."
    assert joints == [
        {"group": "1", "external joints": "1-2(R*)", "internal joints": "–", "given on": "2-3(S)"},
        {"group": "2", "external joints": "1-4(P), 2-3(S)", "internal joints": "3-4(C)", "given on": "–"},
    ]
    assert text.endswith(
        "joints as name(type), * driven: with bodies solved before, within the group, with later groups\n"
    )


def test_analyze_prints_names_where_bodies_have_names() -> None:
    rows, joints = tables_in(succeeded("analyze", EXAMPLES / "rotor_control.toml"))
    assert [row["type"] for row in rows] == [group["type"] for group in published("rotor_control")["groups"]]
    assert rows[0]["bodies"] == "rocker, support_link, sleeve"
    assert joints[0]["external joints"] == "mast(P), L1(U)"
    assert joints[0]["internal joints"] == "rocker(R*), L2(S)"
    assert joints[6]["given on"] == "–"
    assert {row["solver"] for row in rows} <= SOLVERS


@pytest.mark.smoke
@pytest.mark.parametrize("path", MECHANISMS, ids=lambda path: path.stem)
def test_analyze_prints_and_returns_the_same(path: Path) -> None:
    text, data = succeeded("analyze", path), json.loads(succeeded("analyze", path, "--json"))
    assert f"mobility {data['mobility']}, {data['driven']} driven, {len(data['groups'])} structural group" in text
    assert max(len(line) for line in text.splitlines()[1:] if not line.startswith("note: ")) <= 100
    rows, joints = tables_in(text)
    for row, own, group in zip(rows, joints, data["groups"], strict=True):
        assert (row["group"], row["type"]) == (str(group["number"]), group["label"])
        assert (row["bodies"], row["solver"]) == (", ".join(group["bodies"]), group["solver"])
        assert (row["level"], row["after"]) == (str(group["level"]), ", ".join(map(str, group["depends_on"])) or "–")
        for column, key in (("external joints", "external"), ("internal joints", "internal"), ("given on", "given")):
            # name(type), where that of a pair of a multi-joint is itself pin(body, other)
            listed = re.findall(r"([^\s,(][^,(]*(?:\([^()]*, [^()]*\))?)\([A-Z]+[*0-9]*\)", own[column])
            assert listed == group[key]
        for note in group["notes"]:
            assert f"note: group {group['number']} ({row['bodies']}) {note}" in text


@pytest.mark.parametrize("case", PUBLISHED, ids=lambda case: case["name"])
def test_analyze_returns_the_published_structures(tmp_path: Path, case: dict[str, Any]) -> None:
    data = json.loads(succeeded("analyze", adjacency(tmp_path, case), "--json"))
    assert set(data) == {"mobility", "driven", "dimension", "groups", "redundancies"}
    assert data["mobility"] == data["driven"] == sum(joint["driven"] for joint in case["joints"])
    assert data["dimension"] == case["dimension"]
    found = [
        {"bodies": [int(body) for body in group["bodies"]], "type": group["label"], "depends_on": group["depends_on"]}
        for group in data["groups"]
    ]
    assert found == case["groups"]
    keys = {"number", "bodies", "label", "signature", "level", "depends_on", "external", "internal", "solver"}
    for number, group in enumerate(data["groups"], 1):
        assert set(group) == keys | {"given", "determined", "notes", "why", "couplings"}
        assert group["number"] == number
        assert group["solver"] in SOLVERS
        assert (group["solver"] == NO_SOLVER) == bool(group["notes"])


def test_analyze_adds_the_matrix(tmp_path: Path) -> None:
    expected = [[0, 1, 2, 2], [1, 0, 0, 0], [0, 2, 0, 0], [1, 0, 0, 0]]  # Eq. (11) of Celdran et al. (2022)
    path = adjacency(tmp_path, published("spatial_four_bar"))
    assert json.loads(succeeded("analyze", path, "--matrix", "--json"))["matrix"] == expected
    bare, text = succeeded("analyze", path), succeeded("analyze", path, "--matrix")
    assert text.startswith(bare)
    title, header, *rows = text.removeprefix(bare).strip().splitlines()
    assert title.startswith("Results_SA")
    assert header.split() == list("1234")
    assert [[int(cell) for cell in row.split()[1:]] for row in rows] == expected


def test_names_are_printed_as_they_are(tmp_path: Path) -> None:
    names = "rod:x:1", "[bold]link[/bold]", "Hebel č"
    old = "crank", "coupler", "rocker"
    path = changed(tmp_path, *((f'"{a}"', f'"{b}"') for a, b in zip(old, names, strict=True)))
    rows = table(succeeded("analyze", path))
    assert [row["bodies"] for row in rows] == [names[0], ", ".join(names[1:])]


# --- generate and transform ------------------------------------------------------------------


def worked(*words: str) -> Result:
    result = run(*words)
    assert result.exit_code == 0, result.output
    return result


def refusal(*words: str) -> str:
    result = run(*words)
    assert (result.exit_code, result.stdout) == (2, "")
    return result.stderr


def test_data_of_all_structures() -> None:
    data = json.loads(worked("transform", ROTOR, "--json").stdout)
    assert {key: data[key] for key in ("candidates", "valid", "distinct")} == {
        "candidates": 1576,
        "valid": 1031,
        "distinct": 546,
    }
    assert set(data) == {"candidates", "valid", "distinct", "structures"}
    assert len(data["structures"]) == 546
    best = data["structures"][0]
    assert best["drivers"] == {"left_slide": 1, "mast": 1, "roll": 1}  # the published one
    structure = gk.analyze(gk.load(EXAMPLES / "rotor_control_transformed.toml"))
    assert best["groups"] == [list(group.bodies) for group in structure.groups]
    assert best["symmetric"] == 2


def test_a_table_of_the_best() -> None:
    lines = worked("transform", ROTOR, "--top", "3", "--sort", "depth,-groups").stdout.splitlines()
    assert lines[0] == "Rotor control: 1576 ways to drive 3 freedoms, 1031 valid, 546 distinct"
    criteria = "driven joints groups largest closed depth width cost forces symmetric"
    assert lines[2].split() == criteria.split()
    assert len(lines) == 6
    assert len(worked("transform", ROTOR).stdout.splitlines()) == 13  # ten, unless more are asked for


def test_restrictions() -> None:
    words = ("--only", "mast", "--only", "roll", "--only", "A3", "--fix", "B3=1", "--at-most", "1", "--all", "--json")
    data = json.loads(worked("transform", ROTOR, *words).stdout)
    drivers = [entry["drivers"] for entry in data["structures"]]
    assert data["candidates"] == 3
    assert len(drivers) == data["valid"] > 0
    assert all(found["B3"] == 1 and set(found) <= {"mast", "roll", "A3", "B3"} for found in drivers)
    data = json.loads(worked("transform", ROTOR, "--type", "P", "--at-frame", "--driven", "mast", "--json").stdout)
    assert data["candidates"] == 3
    assert "4 freedoms must be driven, but the restrictions leave 0; remove one" in refusal(
        "transform", NINE, "--type", "P"
    )


def test_a_search_says_that_it_is_one() -> None:
    result = worked("transform", ROTOR, "--budget", "50", "--json")
    assert "1576 ways are too many to examine: a best-first search stopped after 50 valid ones" in result.stderr
    data = json.loads(result.stdout)
    assert (data["candidates"], data["valid"], data["complete"]) == (1576, 50, False)


def test_kept_and_asked_again(tmp_path: Path) -> None:
    path = str(tmp_path / "rotor.sqlite")
    assert "written" in worked("transform", ROTOR, "--out", path, "--top", "1").stderr
    words = ("--where", "groups >= 8 and closed = 1", "--where", "driver = left_slide")
    data = json.loads(worked("transform", "--from", path, *words, "--json").stdout)
    assert [entry["criteria"]["groups"] for entry in data["structures"]] == [9, 8]
    text = worked("transform", "--from", path, *words, "--sort", "-groups").stdout.splitlines()
    assert text[0] == "Rotor control: 2 structures of 546"
    assert [line.split()[-1] for line in text[3:]] == ["2", "2"]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((ROTOR, "--driven", "mats"), "there is no joint 'mats' (did you mean mast?)"),
        ((ROTOR, "--fix", "mast"), "--fix takes JOINT=NUMBER, as in --fix crank=1, not 'mast'"),
        ((ROTOR, "--sort", "size"), "there is no criterion 'size'"),
        ((ROTOR, "--out", "structures.txt"), "structures are written to a file that ends in .sqlite"),
        ((ROTOR, "--where", "groups = 9"), "use it with --from"),
        (("--from", "none.sqlite"), "none.sqlite: there is no such file"),
        (("--from", "none.sqlite", "--type", "P"), "other options restrict a search"),
        ((), "give a mechanism FILE, or structures saved before"),
        ((ROTOR, "--from", "none.sqlite"), "give a mechanism FILE, or structures saved before"),
    ],
)
def test_refusals(words: tuple[str, ...], message: str) -> None:
    assert message in refusal("transform", *words)


def test_generated_files_are_read(tmp_path: Path) -> None:
    for name in ("b.toml", "b.json"):
        path = tmp_path / name
        words = ("--assur-class", "3", "--groups", "4", "--seed", "1", "--drive-last", "--out", str(path))
        assert "ASSUR III-4B, 25 movable bodies" in worked("generate", *words).stdout
        assert gk.load(path) == gk.generate(3, 4, 1, drive_last=True)
    printed = tmp_path / "printed.toml"
    printed.write_text(worked("generate", "--assur-class", "1", "--groups", "2").stdout)
    assert gk.load(printed) == gk.generate(1, 2)


def test_generate_refuses() -> None:
    assert "ends in .toml or .json" in refusal("generate", "--assur-class", "1", "--groups", "1", "--out", "x.txt")
    assert "cannot be written" in refusal("generate", "--assur-class", "1", "--groups", "1", "--out", "none/x.toml")
    assert "a class from 1" in refusal("generate", "--assur-class", "0", "--groups", "1")


def test_linkages_of_so_many_bars(tmp_path: Path) -> None:
    lines = worked("generate", "--bars", "6").stdout.splitlines()
    assert lines[0] == "chains of 6 bars with mobility 1: 2 chains, 5 linkages, 9 driven"
    assert len(lines) == 2 + 1 + 9 + 1
    assert lines[3].split() == ["1", "1", "1", "1-2", "4+2", "1R2D,", "3R2D×2", "1", "2", "2", "375", "1"]
    store = str(tmp_path / "six.sqlite")
    data = json.loads(worked("generate", "--bars", "6", "--sort", "-largest,-frame", "--json", "--out", store).stdout)
    assert [entry["criteria"]["largest"] for entry in data["structures"]] == [4, 4, 4, 2, 2, 2, 2, 2, 2]
    kept = worked("transform", "--from", store, "--where", "chain = 2 and closed < 1", "--json").stdout
    assert json.loads(kept) == {**data, "structures": data["structures"][:3]}
    two = worked("generate", "--bars", "7", "--mobility", "2", "--anywhere", "--top", "2").stdout.splitlines()
    assert two[0].startswith("chains of 7 bars with mobility 2: 3 chains, 11 linkages,")
    assert len(two) == 6
    worked("generate", "--bars", "6", "--top", "2", "--picture", str(tmp_path / "sketch.svg"))
    worked("generate", "--bars", "6", "--top", "1", "--picture", str(tmp_path / "graph.svg"), "--graph")
    pictures = {path.name: path.read_text() for path in tmp_path.glob("*.svg")}
    assert pictures.keys() == {"sketch_1.svg", "sketch_2.svg", "graph_1.svg"}
    assert len(set(pictures.values())) == 3


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--bars", "7"), "no closed chain of revolute joints with 7 links has mobility 1: it has 4, 6, 8, … links"),
        (("--bars", "20"), "have 9 loops; they are listed up to 16 links"),
        (("--bars", "6", "--sort", "size"), "there is no criterion 'size'"),
        (("--bars", "6", "--out", "six.toml"), "structures are written to a file that ends in .sqlite"),
        (("--bars", "6", "--picture", "six.txt"), ".svg"),
        (("--bars", "6", "--seed", "0"), "--seed goes without --bars, which lists all linkages"),
        (("--assur-class", "1", "--groups", "2", "--top", "3"), "or --bars"),
        (("--groups", "2"), "give --assur-class and --groups, or --bars"),
    ],
)
def test_refused_options_of_generate(words: tuple[str, ...], message: str) -> None:
    assert message in refusal("generate", *words)


def test_size_and_drivers_are_printed_in_the_units_of_the_file(tmp_path: Path) -> None:
    text = succeeded("analyze", EXAMPLES / "slider_crank.toml")
    assert text.splitlines()[1:3] == ["size 120 × 50 mm", "driven from t = 0 s to 0.1 s: main bearing 90 … 450°"]
    platform = succeeded("analyze", EXAMPLES / "stewart_inverse.toml").splitlines()
    assert platform[1] == "size 837 × 940 × 500 mm"
    assert platform[2].startswith("driven from t = 0 s to 2 s: pose.x -80 … 80 mm, pose.y -60 … 60 mm")
    forgotten = tmp_path / "linkage.toml"
    forgotten.write_text(LINKAGE.replace('{ type = "ramp", rate = 3.0 }', '{ type = "constant", value = 90 }'))
    assert succeeded("analyze", forgotten).splitlines()[1:3] == ["size 3 × 1 m", "driven from t = 0 s to 1 s: A 90 rad"]
    forgotten.write_text(LINKAGE.replace('law = { type = "ramp", rate = 3.0 }', ""))
    assert succeeded("analyze", forgotten).splitlines()[2] == "driven from t = 0 s to 1 s: A without a law"
    covered = '{ type = "spline", times = [0, 0.1, 0.2, 0.3], values = [0, 1, 2, 3] }'
    forgotten.write_text(LINKAGE.replace('{ type = "ramp", rate = 3.0 }', covered))
    assert succeeded("analyze", forgotten).splitlines()[2].endswith("A by a law that does not cover these times")


@pytest.mark.parametrize(
    ("formula", "message"),
    [
        ("{position Q.x}", "there is no body or point 'Q'"),
        ("{position C.x} + {joint A}", "`+` needs a number in m like the first operand"),
    ],
)
def test_formulas_that_do_not_fit_the_mechanism_are_refused(tmp_path: Path, formula: str, message: str) -> None:
    path = tmp_path / "linkage.toml"
    path.write_text(f'{LINKAGE}\n[outputs]\nlean = "{formula}"\n')
    said = refused("analyze", path)
    assert said.startswith("linkage.toml: output 'lean': ")
    assert message in said


def test_a_long_motion_is_not_computed_to_tell_its_range(tmp_path: Path) -> None:
    path = tmp_path / "linkage.toml"
    path.write_text(LINKAGE.replace("steps = 51", "steps = 1000000000000"))
    assert "A 0 … 3 rad" in succeeded("analyze", path)


def test_solvers_and_why() -> None:
    told = succeeded("analyze", EXAMPLES / "stephenson_six_bar.toml", "--solvers")
    assert "3 rods and telescopes hold coupler, whose pose alone is iterated" in told
    direct = succeeded("analyze", EXAMPLES / "stephenson_six_bar.toml", "--solvers", "--solver", "newton")
    assert "hub" not in direct
    assert "as was asked for" in direct
