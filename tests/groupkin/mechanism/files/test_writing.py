"""Mechanism files that are written load to an equal mechanism, as TOML and as JSON, in any units."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import groupkin as gk
from groupkin.arguments import is_name
from groupkin.errors import OutputError
from groupkin.mechanism.files.reading import parse, read
from groupkin.mechanism.files.writing import as_data, as_toml, divided
from tests.support.paths import EXAMPLES
from tests.support.random_mechanisms import CHAINS, HIGHER, Workshop
from tests.support.shares import in_part

MECHANISMS = sorted(path for path in EXAMPLES.glob("*.toml") if path.suffixes == [".toml"])
SUFFIXES = (".toml", ".json")
LAWS = [
    gk.Constant(0.1),
    gk.Ramp(-2.0, 0.3),
    gk.Polynomial([0.1, 2.0, 1 / 3]),
    gk.Harmonic(0.2, 1.5, phase=0.7, offset=1e-3),
    gk.Fourier(2.0, cosine=(0.1, 0.2), sine=(0.3,), offset=0.4),
    gk.Spline([0.0, 0.1, 0.2, 0.3], [0.0, 0.1, 0.3, 0.2]),
    gk.Spline([0.0, 0.1, 0.2, 0.3], [0.1, 0.2, 0.3, 0.1], periodic=True),
    gk.Samples([0.0, 1.0], [0.0, 1 / 3], [1 / 7, 0.0], [0.0, 0.0]),
    gk.Rise("modified sine", 0.7, 0.3, start=0.1, begin=-0.1),
    gk.Rise("s-curve", -0.7, speed=3.0, acceleration=1.0 / 3.0, jerk=10.0),
    gk.Rise("trapezoid", 0.7, 0.3, shares=(1, 2, 0.5)),
    gk.Sequence(
        [gk.Rise("3-4-5", 0.1, 0.15), gk.ConstantVelocity(1 / 3, 1 / 7), gk.Rise("4-5-6-7", 0.1, 0.15), gk.Dwell(0.1)],
        start=0.2,
        periodic=True,
    ),
]


def copies(mechanism: gk.Mechanism, folder: Path, **options: Any) -> list[gk.Mechanism]:
    for suffix in SUFFIXES:
        gk.save(mechanism, folder / f"copy{suffix}", **options)
    return [gk.load(folder / f"copy{suffix}") for suffix in SUFFIXES]


@pytest.mark.parametrize("file", in_part(MECHANISMS, 4), ids=lambda path: path.stem)
def test_examples(file: Path, tmp_path: Path) -> None:
    described = read(file)
    for suffix in SUFFIXES:
        gk.save(described, tmp_path / f"copy{suffix}")  # type: ignore[arg-type]
        again = read(tmp_path / f"copy{suffix}")
        assert again == described
        assert again.units == described.units == again.mechanism.units
    for copy in copies(described.mechanism, tmp_path, units=gk.Units()):
        assert copy == described.mechanism


@given(
    st.sampled_from([(d, name) for d in (2, 3) for name in sorted({**CHAINS[d], **HIGHER[d]})]),
    st.integers(0, 2**32 - 1),
    st.sampled_from([gk.Units("mm", "deg"), gk.Units("in", "rad"), gk.Units("km", "deg")]),
)
def test_random_mechanisms(kind: tuple[int, str], seed: int, units: gk.Units) -> None:
    dimension, name = kind
    shop = Workshop(dimension, np.random.default_rng(seed))
    shop.make_tree({**CHAINS[dimension], **HIGHER[dimension]}[name])
    mechanism = shop.mechanism()
    data = as_data(mechanism)
    assert parse(data) == mechanism
    assert parse(tomllib.loads(as_toml(data))) == mechanism
    assert parse(json.loads(json.dumps(data))) == mechanism
    # in other units off by a rounding once, and then no more
    once = parse(as_data(mechanism, units))
    assert once.units == units
    assert parse(as_data(once)) == once
    for first, second in zip(once.joints, mechanism.joints, strict=True):
        for ours, theirs in ((first.point, second.point), (first.points, second.points), (first.pitch, second.pitch)):
            if ours is not None:
                np.testing.assert_allclose(ours, theirs, rtol=3e-16)  # type: ignore[arg-type]


@pytest.mark.parametrize("law", LAWS, ids=lambda law: type(law).__name__)
@pytest.mark.parametrize("units", [gk.Units(), gk.Units("mm", "deg")], ids=["SI", "mm, deg"])
def test_laws(law: Any, units: gk.Units, tmp_path: Path) -> None:
    joint = gk.Joint("hinge", "R", ("wall", "door"), point=(0.0, 0.0))
    door = gk.Mechanism(2, ["wall", "door"], [joint], [gk.Driver("hinge", law)], units=units)
    for copy in copies(door, tmp_path):
        np.testing.assert_allclose(copy.drivers[0].law.at([0.1, 0.2]), law.at([0.1, 0.2]), rtol=1e-14, atol=1e-15)  # type: ignore[union-attr]
        assert copy.drivers[0].law == law or units != gk.Units()


def cam() -> gk.Mechanism:
    turns = np.linspace(0, 2 * np.pi, 12, endpoint=False)
    curve = gk.Curve(np.stack([np.cos(turns), np.sin(turns)], axis=1), closed=True)  # type: ignore[arg-type]
    return gk.Mechanism(
        2,
        ["frame", "cam", "follower"],
        [
            gk.Joint("A", "R", ("frame", "cam"), point=(0.1, 0.0)),
            gk.Joint("touch", "L", ("cam", "follower"), point=(0.0, 1.1), curve=curve, radius=0.1),
            gk.Joint("guide", "P", ("frame", "follower"), point=(0.0, 2.0), axis=(0, 1)),
        ],
        [gk.Driver("A", gk.Ramp(1.0))],
    )


def pin() -> gk.Mechanism:
    return gk.Mechanism(
        2,
        ["frame", "a", gk.Body("b", origin=(0.1, 1 / 3), points={"T": (0.5, 0.7)}), "c"],
        [
            gk.Joint("pin", "R", ("a", "b", "c"), point=[0.3, 0.3]),
            gk.Joint("A", "R", ("frame", "a"), point=np.zeros(2)),
        ],
        [gk.Driver("pin", gk.Ramp(1.0), between=("c", "b")), gk.Driver("A")],
        frame="c",
        modes={"b": 2},
        name='pin "of" three bodies é 🔩',
    )


def named() -> gk.Mechanism:
    return gk.Mechanism(
        3,
        [gk.Body("chassis"), gk.Body("arm", points=["tip"], lengths={("LF", "tip"): 0.5})],
        [gk.Joint("hinge", "R", ("chassis", "arm"), axis=["LF", "LR"], reference={"angle": 0.3})],
        points={"LF": (0.1, 0.2, 0.3), "LR": (0.4, 0.2, 0.3), "tip": (0.1, 0.7, 0.3), "unused ": (1, -0.0, 2)},
    )


def screw() -> gk.Mechanism:
    joint = gk.Joint("H", "H", ("nut", "screw"), point=(0, 0, 0), axis=(0, 0, 1), pitch=0.1234567890123457)
    return gk.Mechanism(3, ["nut", "screw"], [joint], [gk.Driver("H", gk.Ramp(1 / 3), freedom="angle")])


def gears(first: float, second: float) -> Callable[[], gk.Mechanism]:
    def make() -> gk.Mechanism:
        joints = [
            gk.Joint("A", "R", ("frame", "a"), point=(0.0, 0.0)),
            gk.Joint("B", "R", ("frame", "b"), point=(0.06, 0.0)),
            gk.Joint("teeth", "EO", ("a", "b"), points=((0.0, 0.0), (0.06, 0.0)), radii=(first, second)),
        ]
        return gk.Mechanism(2, ["frame", "a", "b"], joints, [gk.Driver("A", gk.Ramp(1.0))])

    return make


def published() -> gk.Mechanism:
    inputs = [[0, 1, 0, 0], [1, 0, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0]]
    return gk.Mechanism.from_adjacency(["-R-R", "R-R-", "-R-R", "R-R-"], inputs, dimension=2)


@pytest.mark.smoke
@pytest.mark.parametrize(
    "make", [cam, pin, named, screw, gears(0.04, 0.02), gears(17, 23), gears(0.04, 0.03), gears(40, 20), published],
    ids=["cam", "pin", "named", "screw", "lengths", "teeth", "misfit", "many teeth", "published"],
)  # fmt: skip
def test_all_that_a_mechanism_may_have(make: Callable[[], gk.Mechanism], tmp_path: Path) -> None:
    mechanism = make()
    for copy in copies(mechanism, tmp_path):
        assert copy == mechanism
    once = copies(mechanism, tmp_path, units=gk.Units("mm", "deg"))[0]
    for copy in copies(once, tmp_path):
        assert copy == once
    if mechanism.joints[-1].radii:
        ratio = [np.divide(*each.joint["teeth"].radii) for each in (once, mechanism)]  # type: ignore[call-overload]
        assert ratio[0] == pytest.approx(ratio[1], rel=1e-15)


@given(st.text(min_size=1).filter(is_name))
def test_any_name(name: str) -> None:
    hinge = gk.Joint(name, "R", (name, name + "2"), point=name + "3")
    mechanism = gk.Mechanism(2, [name, name + "2"], [hinge], points={name + "3": (0, 0)}, name=name)
    assert parse(tomllib.loads(as_toml(as_data(mechanism)))) == mechanism


@given(
    st.floats(1e-200, 1e6) | st.floats(-1e6, -1e-200) | st.just(0.0),
    st.sampled_from([1e-3, 0.1, 0.0254, 0.3048, 1e3, np.pi / 180]),
)
def test_numbers_of_a_file_are_found_again(stated: float, factor: float) -> None:
    value = factor * stated
    assert factor * divided(value, factor) == value
    decimal = float(f"{stated:.8g}")
    assert divided(factor * decimal, factor) == decimal  # as it was written, without digits of rounding errors


def test_times_are_written_where_given(tmp_path: Path) -> None:
    gk.save(named(), tmp_path / "a.toml", motion={"duration": 2, "steps": 5})
    np.testing.assert_array_equal(gk.read(tmp_path / "a.toml").motion.times, [0, 0.5, 1, 1.5, 2])


@dataclass(frozen=True)
class Mine(gk.Ramp):
    pass


def test_what_a_file_cannot_hold_is_refused(tmp_path: Path) -> None:
    door = screw()
    with pytest.raises(OutputError, match=r"'H' has a law of its own kind, Mine, .* gk.Samples"):
        gk.save(replace(door, drivers=[gk.Driver("H", Mine(1.0), freedom="angle")]), tmp_path / "a.toml")
    with pytest.raises(OutputError, match=r"ends in .toml or .json"):
        gk.save(door, tmp_path / "a.csv")
    with pytest.raises(OutputError, match="cannot be written: No such file"):
        gk.save(door, tmp_path / "nowhere" / "a.toml")
    with pytest.raises(OutputError, match="unknown key 'step'"):
        gk.save(door, tmp_path / "a.toml", motion={"step": 3})
    assert list(tmp_path.iterdir()) == []
