"""Radii of gears: lengths that must fit the distance of the centers, or numbers of teeth."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Any

import pytest

from groupkin.analysis import analyze
from groupkin.errors import GeometryError, GroupkinWarning
from groupkin.mechanism.files import reading
from groupkin.mechanism.laws.laws import Ramp
from groupkin.mechanism.mechanism import Driver, Joint, Mechanism

AXES = ((0.0, 0.0, 1.0), (0.0, 0.0, 1.0))


def wheels(radii: tuple[float, float], pair: str = "EO", distance: float = 0.06, **more: Any) -> Mechanism:
    dimension = 3 if more else 2
    ends = [(0.0,) * dimension, (distance, *(0.0,) * (dimension - 1))]
    axis = {"axis": (0.0, 0.0, 1.0)} if more else {}
    joints = [Joint(name, "R", ("frame", name), point=at, **axis) for name, at in zip("ab", ends, strict=True)]
    joints.append(Joint("teeth", pair, ("a", "b"), points=(ends[0], ends[1]), radii=radii, **more))
    return Mechanism(dimension, ["frame", "a", "b"], joints, [Driver("a", Ramp(1.0))])


def in_a_file(radii: list[float], length: str = "mm") -> Mechanism:
    found = wheels((1, 1), distance=60)
    joints = [
        {"name": j.name, "type": j.type, "bodies": list(j.bodies)}
        | ({"points": [list(at) for at in j.points], "radii": radii} if j.points else {"point": list(j.point)})  # type: ignore[arg-type,misc]
        for j in found.joints
    ]
    data: Mapping[str, Any] = {
        "dimension": 2,
        "units": {"length": length},
        "bodies": list(found.body),
        "joints": joints,
        "drivers": [{"joint": "a", "law": {"type": "ramp", "rate": 1}}],
    }
    return reading.parse(data)


def messages(mechanism: Mechanism) -> list[str]:
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        analyze(mechanism)
    return [str(each.message) for each in seen if issubclass(each.category, GroupkinWarning)]


@pytest.mark.smoke
def test_radii_that_fit_are_taken_as_they_are() -> None:
    assert messages(wheels((0.04, 0.02))) == []
    assert messages(wheels((0.08, 0.02), "EPI")) == []
    assert messages(wheels((0.0401, 0.02))) != []


def test_numbers_of_teeth_fit_any_distance() -> None:
    assert messages(wheels((17, 41))) == []
    assert messages(in_a_file([17, 23])) == []
    assert messages(in_a_file([17, 41])) != []  # 58 mm nearly fit 60 mm
    assert in_a_file([17, 23]).joint["teeth"].radii == (17, 23)


def test_radii_that_do_not_fit_are_named_with_what_they_stand_for() -> None:
    assert messages(wheels((0.03, 0.015))) == [
        "joint 'teeth' (outer gears a and b): its radii add up to 0.045 m, but its centers are 0.06 m apart; only the "
        "ratio of the radii counts, as if they were 0.04 m and 0.02 m"
    ]
    (found,) = messages(wheels((0.03, 0.015), "EPI"))
    assert "differ by 0.015 m, but its centers are 0.06 m apart" in found
    assert "0.12 m and 0.06 m" in found


def test_in_a_file_they_have_its_unit() -> None:
    assert in_a_file([40, 20]).joint["teeth"].radii == pytest.approx((0.04, 0.02))
    assert messages(in_a_file([37.5, 20])) == [
        "joint 'teeth' (outer gears a and b): its radii add up to 57.5 mm, but its centers are 60 mm apart; only the "
        "ratio of the radii counts, as if they were 39.1304 mm and 20.8696 mm"
    ]


def test_crossed_axes_have_no_distance_to_fit() -> None:
    assert messages(wheels((0.03, 0.015), axes=((0, 0, 1), (0, 1, 0)))) == []
    assert messages(wheels((0.03, 0.015), axes=AXES)) != []


def test_inner_gears_of_one_size_cannot_have_two_centers() -> None:
    with pytest.raises(GeometryError, match=r"'teeth' \(inner gears a and b\): .* same radius .* 0.06 m apart"):
        analyze(wheels((20, 20), "EPI"))
