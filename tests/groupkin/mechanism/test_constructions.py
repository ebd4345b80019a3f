"""Points by construction: forty mechanisms of textbooks by lengths and angles alone, against closed formulas."""

from __future__ import annotations

import math
import pickle
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import groupkin as gk
from groupkin.errors import GeometryError, UnknownNameError
from groupkin.mechanism.constructions.construction import Construction, Placed, from_lengths
from groupkin.mechanism.values import names

Array = NDArray[np.float64]

TIMES = np.linspace(0.0, 1.0, 61)
ROUNDED = 1e-12  # roundings, over conditionings above 0.05


def linkage(bodies: list[str], joints: list[tuple[str, str, str, str]], points: dict[str, Any], **more: Any) -> Any:
    """A mechanism whose joints are R, named after their points, or P along an axis; the crank turns once."""
    made = [
        gk.Joint(name, kind, (first, second), point=name, axis=more.get("axis") if kind == "P" else None)
        for name, kind, first, second in joints
    ]
    return gk.Mechanism(2, bodies, made, [gk.Driver("A", gk.Ramp(more.get("rate", 2 * math.pi)))], points=points)


# --- four-bar linkages ------------------------------------------------------------------------

FOUR_BARS = [
    # ground, crank, coupler, rocker (mm), crank angle (deg), side: textbook kinds, Grashof and not
    (100, 30, 70, 80, 60, "left"),
    (100, 30, 70, 80, 60, "right"),
    (200, 60, 180, 120, 30, "left"),
    (120, 40, 100, 90, 200, "left"),
    (90, 30, 90, 30, 70, "left"),  # parallelogram
    (60, 100, 90, 80, 45, "left"),  # double crank
    (50, 90, 80, 70, 120, "right"),
    (160, 50, 120, 120, 300, "left"),
    (220, 70, 200, 140, 10, "right"),
    (75, 25, 65, 50, 90, "left"),
    (300, 100, 250, 250, 150, "left"),
    (400, 120, 380, 200, 250, "right"),
]


@pytest.mark.parametrize("stated", FOUR_BARS)
def test_four_bars(stated: tuple[float, float, float, float, float, str]) -> None:
    d, a, b, c, angle, side = stated
    start = math.radians(angle)
    bars = linkage(
        ["frame", "crank", "coupler", "rocker"],
        [("A", "R", "frame", "crank"), ("B", "R", "crank", "coupler"), ("C", "R", "coupler", "rocker"),
         ("D", "R", "frame", "rocker")],
        {
            "A": (0.0, 0.0),
            "D": gk.Polar("A", 1e-3 * d, 0.0),
            "B": gk.Polar("A", 1e-3 * a, start),
            "C": gk.Circles(("B", "D"), (1e-3 * b, 1e-3 * c), side),  # type: ignore[arg-type]
        },
        rate=0.5,
    )  # fmt: skip
    motion = gk.solve(bars, TIMES)
    theta = start + motion.joint("A")[0]
    # the two circles about B and D, by the law of cosines in the triangle B-D-C
    bx, by = a * np.cos(theta), a * np.sin(theta)
    diagonal = np.hypot(d - bx, by)
    inner = np.arccos((b**2 + diagonal**2 - c**2) / (2 * b * diagonal))
    way = np.arctan2(-by, d - bx) + (inner if side == "left" else -inner)
    expected = 1e-3 * np.stack([bx + b * np.cos(way), by + b * np.sin(way)], axis=1)
    assert np.abs(motion.position("C") - expected).max() < ROUNDED / motion.conditioning.min()


# --- slider-cranks ----------------------------------------------------------------------------

SLIDER_CRANKS = [
    # crank, rod, offset (mm), crank angle (deg), toward or away
    (40, 120, 0, 30, True),
    (40, 120, 20, 30, True),
    (40, 120, -20, 150, True),
    (40, 120, 15, 80, False),
    (25, 100, 10, 270, True),
    (60, 200, 0, 0, True),
    (60, 200, 50, 45, True),
    (50, 250, -30, 225, False),
    (30, 75, 5, 100, True),
    (80, 300, 100, 340, True),
]


@pytest.mark.parametrize("stated", SLIDER_CRANKS)
def test_slider_cranks(stated: tuple[float, float, float, float, bool]) -> None:
    a, b, e, angle, far = stated
    start = math.radians(angle)
    machine = linkage(
        ["frame", "crank", "rod", "slider"],
        [("A", "R", "frame", "crank"), ("B", "R", "crank", "rod"), ("C", "R", "rod", "slider"),
         ("G", "P", "frame", "slider")],
        {
            "A": (0.0, 0.0),
            "G": gk.Shifted("A", (0.0, 1e-3 * e)),
            "H": gk.Shifted("G", (1.0, 0.0)),
            "B": gk.Polar("A", 1e-3 * a, start),
            "C": gk.Reach("B", 1e-3 * b, ("G", "H"), far),
        },
        axis=(1.0, 0.0),
    )  # fmt: skip
    motion = gk.solve(machine, TIMES)
    theta = start + motion.joint("A")[0]
    root = np.sqrt(b**2 - (a * np.sin(theta) - e) ** 2)
    expected = 1e-3 * (a * np.cos(theta) + (root if far else -root))
    assert np.abs(motion.position("C")[:, 0] - expected).max() < ROUNDED / motion.conditioning.min()


# --- inverted slider-cranks, and others --------------------------------------------------------

QUICK_RETURNS = [(60, 20, 0), (100, 30, 90), (80, 35, 200), (50, 10, 300), (120, 60, 45), (45, 20, 160)]


@pytest.mark.parametrize("stated", QUICK_RETURNS)
def test_quick_returns(stated: tuple[float, float, float]) -> None:
    """A block on the crank slides along a swinging arm."""
    d, a, angle = stated
    points = {
        "A": (0.0, 0.0),
        "O": gk.Polar("A", 1e-3 * d, -0.5 * math.pi),
        "B": gk.Polar("A", 1e-3 * a, math.radians(angle)),
    }
    at = from_lengths(points)
    along = (at["B"][0] - at["O"][0], at["B"][1] - at["O"][1])
    joints = [
        gk.Joint("A", "R", ("frame", "crank"), point="A"),
        gk.Joint("B", "R", ("crank", "block"), point="B"),
        gk.Joint("S", "P", ("arm", "block"), point="B", axis=along),
        gk.Joint("O", "R", ("frame", "arm"), point="O"),
    ]
    drivers = [gk.Driver("A", gk.Ramp(2 * math.pi))]
    shaper = gk.Mechanism(2, ["frame", "crank", "block", "arm"], joints, drivers, points=points)
    motion = gk.solve(shaper, TIMES)
    theta = math.radians(angle) + motion.joint("A")[0]
    swing = np.unwrap(np.arctan2(d + a * np.sin(theta), a * np.cos(theta)))
    assert np.abs(motion.angle("arm") - motion.angle("arm")[0] - (swing - swing[0])).max() < ROUNDED


@pytest.mark.parametrize("angle", [20, 40, 110, 250])
def test_elliptic_trammels(angle: float) -> None:
    """A rod between two slides at right angles; its middle goes on a circle."""
    phi = math.radians(angle)
    points = {
        "A": (0.0, 0.0),
        "X": gk.Shifted("A", (0.1 * math.cos(phi), 0.0)),
        "E": gk.Shifted("A", (0.0, 1.0)),
        "Y": gk.Reach("X", 0.1, ("A", "E"), far=math.sin(phi) > 0.0),
        "M": gk.Along(("X", "Y"), share=0.5),
    }
    bodies = ["frame", "left", gk.Body("rod", points=["M"]), "right"]
    joints = [
        gk.Joint("G", "P", ("frame", "left"), point="X", axis=(1.0, 0.0)),
        gk.Joint("H", "P", ("frame", "right"), point="Y", axis=(0.0, 1.0)),
        gk.Joint("J", "R", ("left", "rod"), point="X"),
        gk.Joint("K", "R", ("right", "rod"), point="Y"),
    ]
    trammel = gk.Mechanism(2, bodies, joints, [gk.Driver("G", gk.Ramp(-0.01))], points=points)
    path = gk.solve(trammel, TIMES).position("M")
    assert np.abs(np.hypot(path[:, 0], path[:, 1]) - 0.05).max() < ROUNDED


@pytest.mark.parametrize("lengths", [(50, 105, 30), (60, 130, 50), (40, 90, 35), (80, 170, 60)])
def test_straight_line_cells(lengths: tuple[float, float, float]) -> None:
    """Peaucellier's cell: P is the inverse of B at A, so that it stays on a line while B goes on a circle through A."""
    crank, arm, side = (1e-3 * x for x in lengths)
    points: dict[str, Any] = {
        "A": (0.0, 0.0),
        "O": gk.Polar("A", crank, 0.0),
        "B": gk.Polar("O", crank, 0.3),
        "C": gk.Circles(("A", "B"), (arm, side), "left"),
        "D": gk.Circles(("A", "B"), (arm, side), "right"),
        "P": gk.Circles(("C", "D"), (side, side), "left"),
    }
    bodies = ["frame", "crank", "up", "down", "first", "second", "third", "fourth"]
    joints = [
        gk.Joint("O", "R", ("frame", "crank"), point="O"),
        gk.Joint("A", "R", ("frame", "up", "down"), point="A"),
        gk.Joint("B", "R", ("crank", "first", "second"), point="B"),
        gk.Joint("C", "R", ("up", "first", "third"), point="C"),
        gk.Joint("D", "R", ("down", "second", "fourth"), point="D"),
        gk.Joint("P", "R", ("third", "fourth"), point="P"),
    ]
    cell = gk.Mechanism(2, bodies, joints, [gk.Driver("O", gk.Ramp(0.3))], points=points)
    motion = gk.solve(cell, TIMES)
    expected = (arm**2 - side**2) / (2 * crank)  # the line's distance from A
    assert np.abs(motion.position("P")[:, 0] - expected).max() < ROUNDED / motion.conditioning.min()


@pytest.mark.parametrize("stated", [(30, 60, 80), (40, 100, 60), (20, 50, 50), (25, 80, 75)])
def test_points_at_three_distances_in_space(stated: tuple[float, float, float]) -> None:
    """The platform point of three rods."""
    lengths = tuple(0.1 + 1e-3 * x for x in stated)
    centers = {"A": (0.0, 0.0, 0.0), "B": (0.1, 0.0, 0.0), "C": (0.03, 0.09, 0.0)}
    for side, sign in (("left", 1.0), ("right", -1.0)):
        at = np.array(from_lengths({**centers, "P": gk.Circles(("A", "B", "C"), lengths, side)})["P"])  # type: ignore[arg-type]
        assert np.allclose([np.linalg.norm(at - np.array(x)) for x in centers.values()], lengths, rtol=1e-14)
        assert sign * at[2] > 0.0


# --- each construction -------------------------------------------------------------------------

START = {"A": (0.0, 0.0), "B": (0.3, 0.1), "C": (0.1, 0.4)}
CASES: list[tuple[Construction, tuple[float, float]]] = [
    (gk.Polar("B", 0.2, math.pi / 2), (0.3, 0.3)),
    (gk.Polar("A", 0.1, math.pi / 2, line=("A", "B")), (-0.1 * math.sqrt(0.1), 0.3 * math.sqrt(0.1))),
    (gk.Along(("A", "B"), share=0.5), (0.15, 0.05)),
    (gk.Along(("A", "B"), distance=math.hypot(0.3, 0.1)), (0.3, 0.1)),
    (gk.Along(("A", "B"), share=0.0, offset=math.sqrt(0.1)), (-0.1, 0.3)),
    (gk.Shifted("B", (0.1, -0.1)), (0.4, 0.0)),
    (gk.Mirrored("B", "x"), (0.3, -0.1)),
    (gk.Mirrored("B", "y"), (-0.3, 0.1)),
    (gk.Mirrored("B", ("A", "C")), (1.4 / 17 - 0.3, 5.6 / 17 - 0.1)),
    (gk.Turned("B", "A", math.pi / 2), (-0.1, 0.3)),
    (gk.Crossing((("A", "B"), ("C", "D"))), (0.1, 0.1 / 3)),
    (gk.Foot("C", ("A", "E")), (0.1, 0.0)),
    (gk.Reach("C", 0.5, ("A", "E")), (0.4, 0.0)),
    (gk.Reach("C", 0.5, ("A", "E"), far=False), (-0.2, 0.0)),
]


@pytest.mark.parametrize(("construction", "expected"), CASES)
def test_each_construction(construction: Construction, expected: tuple[float, float]) -> None:
    points = {**START, "D": (0.1, 0.0), "E": (1.0, 0.0), "P": construction}
    found = from_lengths(points)["P"]
    assert np.abs(np.array(found) - expected).max() < 1e-15
    assert isinstance(found, Placed)
    again = pickle.loads(pickle.dumps(found))
    assert again == found
    assert again.construction == found.construction
    assert names(*again) == names(*found)


def test_constructions_in_space() -> None:
    start = {"A": (0.0, 0.0, 0.0), "B": (0.1, 0.2, 0.3)}
    made = {
        "P": gk.Polar("A", 2.0, math.pi / 2, elevation=math.pi / 6),
        "Q": gk.Mirrored("B", "xz"),
        "R": gk.Turned("B", "A", math.pi / 2, "x"),
        "S": gk.Along(("A", "B"), share=2.0),
    }
    found = from_lengths({**start, **made})
    expected = {"P": (0, math.sqrt(3), 1), "Q": (0.1, -0.2, 0.3), "R": (0.1, -0.3, 0.2), "S": (0.2, 0.4, 0.6)}
    for name, at in expected.items():
        assert np.abs(np.array(found[name]) - at).max() < 1e-15


def test_a_chain_of_denavit_and_hartenberg() -> None:
    """Frames of a robot arm are products of the moves of its rows."""

    def about(axis: int, angle: float) -> Array:
        turn = np.eye(4)
        i, j = (axis + 1) % 3, (axis + 2) % 3
        turn[[i, i, j, j], [i, j, i, j]] = math.cos(angle), -math.sin(angle), math.sin(angle), math.cos(angle)
        return turn

    def shift(x: float, z: float) -> Array:
        move = np.eye(4)
        move[[0, 2], 3] = x, z
        return move

    rng = np.random.default_rng(0)
    keys = ("length", "twist", "offset", "angle")
    rows = [dict(zip(keys, rng.uniform(-2.0, 2.0, 4).tolist(), strict=True)) for _ in range(6)]
    found = from_lengths(gk.from_denavit_hartenberg("arm", rows))
    frame = np.eye(4)
    for k, row in enumerate(rows, 1):
        frame = frame @ about(2, row["angle"]) @ shift(row["length"], row["offset"]) @ about(0, row["twist"])
        assert np.abs(np.array(found[f"arm{k}"]) - frame[:3, 3]).max() < 1e-14
        assert np.abs(np.array(found[f"arm{k}z"]) - frame[:3, 2] - frame[:3, 3]).max() < 1e-14
        assert np.abs(np.array(found[f"arm{k}x"]) - frame[:3, 0] - frame[:3, 3]).max() < 1e-14
    assert names(*found["arm1"]) == ("arm1.offset", "arm1.angle", "arm1.length")


WRONG: list[tuple[dict[str, Any], type[Exception], str]] = [
    ({"P": gk.Polar("Z", 1.0, 0.0)}, UnknownNameError, "point 'P' is constructed from 'Z'.*no named point"),
    ({"P": gk.Polar("Q", 1.0, 0.0), "Q": gk.Polar("P", 1.0, 0.0)}, GeometryError, "in a circle: 'P' → 'Q' → 'P'|'Q'"),
    ({"P": gk.Polar("P", 1.0, 0.0)}, GeometryError, "in a circle: 'P' → 'P'"),
    (
        {"P": gk.Circles(("A", "B"), (0.1, 0.1))},
        GeometryError,
        "no point is 0.1 m from A, 0.1 m from B: A and B are 0.31",
    ),
    ({"P": gk.Reach("C", 0.1, ("A", "E"))}, GeometryError, "no point of the line A-E is 0.1 m from C, which is 0.4 m"),
    ({"P": gk.Crossing((("A", "E"), ("A", "F")))}, GeometryError, "lines A-E and A-F are parallel"),
    ({"P": gk.Foot("A", ("B", "G"))}, GeometryError, "points B and G coincide"),
    ({"P": gk.Along(("A", "B"))}, GeometryError, "either the distance from the first point or the share"),
    ({"P": gk.Along(("A", "B"), 0.1, 0.5)}, GeometryError, "either the distance from the first point or the share"),
    ({"P": gk.Mirrored("A", "xy")}, GeometryError, "mirrored at x, y or a line of the plane"),
    ({"P": gk.Shifted("A", (1.0, 2.0, 3.0))}, GeometryError, "must have 2 components, not 3"),
    ({"P": gk.Circles(("A", "B", "C"), (0.1, 0.1, 0.1))}, GeometryError, "needs 2 centers and 2 lengths in the plane"),
]


@pytest.mark.parametrize(("made", "kind", "message"), WRONG)
def test_constructions_without_a_solution(made: dict[str, Any], kind: type[Exception], message: str) -> None:
    points = {**START, "E": (1.0, 0.0), "F": (2.0, 0.0), "G": (0.3, 0.1), **made}
    with pytest.raises(kind, match=message):
        from_lengths(points)


def test_messages_are_in_the_units_of_the_mechanism() -> None:
    points: dict[str, Any] = {"A": (0.0, 0.0), "B": (0.3, 0.0), "P": gk.Circles(("A", "B"), (0.1, 0.1))}
    with pytest.raises(GeometryError, match="100 mm from A, 100 mm from B: A and B are 300 mm apart"):
        gk.Mechanism(2, ["frame"], [], points=points, units=gk.Units("mm"))


def test_there_are_forty_mechanisms() -> None:
    others = 4 + 4 + 4  # trammels, cells, platforms
    assert len(FOUR_BARS) + len(SLIDER_CRANKS) + len(QUICK_RETURNS) + others == 40
