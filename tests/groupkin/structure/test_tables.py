"""Structures as tables and as data, against Tables 8 and 10 and Eqs. (12) and (13) of Celdran et al. (2022)."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from groupkin.analysis import analyze
from groupkin.mechanism.laws.laws import Ramp
from groupkin.mechanism.mechanism import Driver, Joint, Mechanism
from groupkin.structure import tables
from groupkin.structure.decomposition import Structure

# Bodies, type, freedoms from external pairs, internal pairs, freedoms to external pairs: as printed in Table 8.
ROTOR_CONTROL = [
    ("9, 10, 13", "1R1P1U1S3D", "10&1U.13&1P.", "9&10S.9&13R.", "9&6S.9&8R.9&11R.13&15R."),
    ("15", "1R3D", "15&13R.", "–", "15&16R."),
    ("3, 6", "1P1U1S3D", "3&1P.6&9S.", "3&6U.", "–"),
    ("11, 14, 16", "2R1U1S3D", "11&9R.16&15R.", "11&14U.14&16S.", "11&7S.16&12S."),
    ("4, 7", "1P1U1S3D", "4&1P.7&11S.", "4&7U.", "–"),
    ("8, 12", "1R1U1S3D", "8&9R.12&16S.", "8&12U.", "8&5S."),
    ("2, 5", "1P1U1S3D", "2&1P.5&8S.", "2&5U.", "–"),
]
GROUPS_OF_BODIES = [0, 7, 3, 5, 7, 3, 5, 6, 1, 1, 4, 6, 1, 4, 2, 4]  # Eq. (12)

PAIRS = """
1-2P 1-3P 1-4P 1-13P 8-9R 9-11R 9-13R 13-15R 15-16R
2-5U 3-6U 4-7U 1-10U 8-12U 11-14U 5-8S 6-9S 7-11S 9-10S 12-16S 14-16S
"""
DRIVEN = ("9-13", "13-15", "11-14")


def rotor_control() -> Structure:
    matrix, known = [["-"] * 16 for _ in range(16)], [[0] * 16 for _ in range(16)]
    for pair in PAIRS.split():
        i, j = (int(body) - 1 for body in pair[:-1].split("-"))
        matrix[i][j] = matrix[j][i] = pair[-1]
        known[i][j] = known[j][i] = int(pair[:-1] in DRIVEN)
    return analyze(Mechanism.from_adjacency(matrix, known, 3, "rotor"))


def cell(row: tuple[str, ...], column: str) -> str:
    return row[tables.COLUMNS.index(column)]


def printed(cell: str) -> set[str]:
    """The pairs of a cell of the paper, ``3&2S.4&1P.``, as they are printed here: ``2-3(S)``, ``1-4(P)``."""
    if cell == "–":
        return {"–"}
    pairs = [re.fullmatch(r"(\d+)&(\d+)([A-Z]+)", pair) for pair in cell.rstrip(".").split(".")]
    return {f"{min(a, b)}-{max(a, b)}({pair[3]})" for pair in pairs if pair for a, b in [(int(pair[1]), int(pair[2]))]}


def test_the_published_columns() -> None:
    rows = tables.rows(rotor_control())
    assert [(cell(row, "bodies"), cell(row, "type")) for row in rows] == [row[:2] for row in ROTOR_CONTROL]
    for (number, *joints), expected in zip(tables.joint_rows(rotor_control()), ROTOR_CONTROL, strict=True):
        assert number == str(ROTOR_CONTROL.index(expected) + 1)
        for own, given in zip(joints, expected[2:], strict=True):
            assert set(own.replace("*", "").split(", ")) == printed(given)


def test_driven_pairs_are_marked() -> None:
    found = {part for row in tables.joint_rows(rotor_control()) for part in ", ".join(row).split(", ") if "*" in part}
    assert found == {"9-13(R*)", "13-15(R*)", "11-14(U*)"}


def test_the_other_columns() -> None:
    rows = tables.rows(rotor_control())
    assert [len(row) for row in rows] == [len(tables.COLUMNS)] * 7
    assert [len(row) for row in tables.joint_rows(rotor_control())] == [len(tables.JOINT_COLUMNS)] * 7
    assert [cell(row, "group") for row in rows] == list("1234567")
    assert [cell(row, "after") for row in rows] == ["–", "1", "1", "1, 2", "4", "1, 4", "6"]
    assert [cell(row, "level") for row in rows] == ["1", "2", "2", "3", "4", "4", "5"]
    assert [cell(row, "solver") for row in rows] == [group.solver for group in rotor_control().groups]


@pytest.mark.parametrize(
    ("dimension", "text"), [(2, "1 movable body, 1 joint in the plane"), (3, "1 movable body, 1 joint in space")]
)
def test_summary(dimension: int, text: str) -> None:
    mechanism = Mechanism.from_adjacency(["-R", "R-"], [[0, 1], [1, 0]], dimension, "crank in the space")
    expected = f"crank in the space: {text}, mobility 1, 1 driven, 1 structural group"
    assert tables.summary(analyze(mechanism)) == expected


# --- as data ---------------------------------------------------------------------------------


def test_data_is_what_the_structure_says() -> None:
    structure = rotor_control()
    data = tables.as_data(structure)
    assert list(data) == ["mobility", "driven", "dimension", "groups", "redundancies"]
    assert (data["mobility"], data["driven"], data["dimension"]) == (3, 3, 3)
    assert json.loads(json.dumps(data)) == data  # nothing but lists, texts and numbers
    for group, found in zip(structure.groups, data["groups"], strict=True):
        for key, value in found.items():
            expected: Any = getattr(group, key)
            assert value == (list(expected) if isinstance(expected, tuple) else expected)
    assert data["groups"][3]["external"] == ["9-11", "15-16"]
    assert data["groups"][3]["given"] == ["7-11", "12-16"]


def test_the_matrix_is_added_on_request() -> None:
    structure = rotor_control()
    matrix = tables.as_data(structure, matrix=True)["matrix"]
    assert matrix == structure.matrix.tolist()
    assert matrix[0] == GROUPS_OF_BODIES


def test_matrix_as_text() -> None:
    structure = rotor_control()
    title, header, first, *rest = tables.matrix_text(structure).strip().splitlines()
    assert title.startswith("Results_SA")
    assert header.split() == [str(k) for k in range(1, 17)]
    assert first.split() == ["1", *map(str, GROUPS_OF_BODIES)]
    assert [line.split() for line in rest] == [
        [str(k), *map(str, row)] for k, row in enumerate(structure.matrix.tolist()[1:], 2)
    ]
    assert len({len(line) for line in (header, first, *rest)}) == 1  # columns stand under each other


def test_a_wide_matrix_is_headed_by_numbers() -> None:
    names = [f"body_with_a_long_name_{k}" for k in range(1, 7)]
    joints = [Joint(f"j{k}", "R", (names[k], names[k + 1])) for k in range(5)]
    structure = analyze(Mechanism(2, names, joints, [Driver(joint.name) for joint in joints]))
    _, header, *rows = tables.matrix_text(structure).strip().splitlines()
    assert header.split() == list("123456")
    expected = zip(names, structure.matrix.tolist(), strict=True)
    assert [row.split() for row in rows] == [
        [name, str(k), *map(str, row)] for k, (name, row) in enumerate(expected, 1)
    ]
    assert max(map(len, rows)) <= tables.WIDTH


def test_the_frame_comes_first_wherever_it_is_declared() -> None:
    joints = [Joint("A", "R", ("hand", "arm")), Joint("B", "R", ("arm", "base"))]
    mechanism = Mechanism(2, ["hand", "arm", "base"], joints, [Driver("A"), Driver("B")], frame="base")
    _, header, *rows = tables.matrix_text(analyze(mechanism)).strip().splitlines()
    assert header.split() == ["base", "hand", "arm"]
    assert [row.split() for row in rows] == [["base", "0", "2", "1"], ["hand", "0", "0", "2"], ["arm", "1", "0", "0"]]


def test_joints_are_counted_in_one_way() -> None:
    """A pin of three bodies is one joint, as it is stated, in whatever tells how many there are."""
    from groupkin.look.page.content import summary
    from groupkin.look.report.report import _summary
    from groupkin.look.report.subject import subject_of

    pins = {"A": ("base", "a"), "E": ("a", "b", "c"), "B": ("b", "d"), "D": ("base", "d"), "C": ("c", "slide")}
    points = {"A": (0.0, 0.0), "E": (0.0, 1.0), "B": (3.0, 2.5), "D": (3.0, 0.0), "C": (-3.0, 0.0)}
    joints = [Joint(name, "R", bodies, point=name) for name, bodies in pins.items()]
    guide = Joint("guide", "P", ("base", "slide"), point="C", axis=(1.0, 0.0))
    bodies = ["base", "a", "b", "c", "d", "slide"]
    mechanism = Mechanism(2, bodies, [*joints, guide], [Driver("A", Ramp(0.1))], points=points)
    structure = analyze(mechanism)
    texts = [repr(mechanism), tables.summary(structure), summary(structure), _summary(subject_of(mechanism, None))]
    assert [re.findall(r"(\d+) joints", text) for text in texts] == [["6"]] * 4
    assert len(mechanism.joints) == 7
