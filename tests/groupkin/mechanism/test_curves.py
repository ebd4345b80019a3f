"""Curves through points, and what files and joints say of them."""

from __future__ import annotations

import contextlib
import warnings
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from groupkin.errors import FileError, GeometryError, LawError, MechanismError
from groupkin.mechanism.curves import Curve
from groupkin.mechanism.files import reading
from groupkin.mechanism.mechanism import Joint, Mechanism

Array = NDArray[np.float64]


def ellipse(points: int = 60) -> Array:
    turns = 2 * np.pi * np.arange(points) / points
    return np.stack([3.0 * np.cos(turns), 2.0 * np.sin(turns)], axis=1)


@pytest.mark.parametrize("closed", [True, False])
def test_a_curve_goes_through_its_points_at_unit_speed(closed: bool) -> None:
    spline = Curve(ellipse(), closed).spline
    length = spline.t[-6]
    tries = np.linspace(0.0, length, 2001)
    gaps = np.linalg.norm(spline(tries)[:, None] - ellipse(), axis=-1).min(axis=0)
    assert gaps.max() < 0.5 * length / 2000  # as far as the places tried are apart
    # of a spline through points it never is exactly; the error of the first derivative is of order h⁵
    np.testing.assert_allclose(np.linalg.norm(spline(tries, 1), axis=-1), 1.0, atol=2e-5 if closed else 1e-3)
    np.testing.assert_allclose((spline(tries) / [3.0, 2.0] * (spline(tries) / [3.0, 2.0])).sum(-1), 1.0, atol=1e-4)


def test_a_closed_curve_is_smooth_where_it_closes() -> None:
    spline = Curve(ellipse(), closed=True).spline
    for order in range(5):
        scale = np.abs(spline(np.linspace(0, spline.t[-6], 500), order)).max()
        np.testing.assert_allclose(spline(spline.t[-6] - 1e-9, order), spline(0.0, order), atol=1e-6 * scale)


@pytest.mark.smoke
def test_the_length_of_a_circle() -> None:
    turns = 2 * np.pi * np.arange(60) / 60
    spline = Curve(np.stack([np.cos(turns), np.sin(turns)], axis=1), closed=True).spline
    assert spline.t[-6] == pytest.approx(2 * np.pi, rel=1e-9)


@pytest.mark.parametrize(
    ("points", "closed", "message"),
    [
        (ellipse(5), True, "a curve needs at least 6 points, got 5"),
        (ellipse(8)[:, :1], True, "points of two finite coordinates each"),
        ([[0, 1], [2, "x"]], False, "points of two finite coordinates each"),
        (np.full((8, 2), np.nan), False, "points of two finite coordinates each"),
        (np.append(ellipse(8), ellipse(8)[:1], axis=0), True, "returns to its first point by itself; remove"),
        (np.repeat(ellipse(8), 2, axis=0), False, r"two successive points of a curve coincide: \(3.0, 0.0\)"),
    ],
)
def test_points_that_make_no_curve_are_refused(points: Any, closed: bool, message: str) -> None:
    with pytest.raises(GeometryError, match=message):
        Curve(points, closed)


# --- joints ------------------------------------------------------------------------------------

OVAL = Curve(ellipse(), closed=True)
CAM = Joint("touch", "L", ("frame", "cam"), curve=OVAL, point=(3, 0))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"radius": 0.0}, "joint 'touch': its radius must be a positive number, not 0.0"),
        (
            {"radius": 1.0, "axis": (1, 0)},
            "touch' has `axis`, the normal of a flat face, and cannot have `radius`",
        ),
        ({"curves": (OVAL, OVAL)}, "joint 'touch' has `curves`, and cannot have `curve` as well"),
        ({"curve": None, "curves": (OVAL, OVAL)}, "joint 'touch' has `curves`, and cannot have `point` as well"),
        ({"curve": None, "curves": (OVAL,), "point": None}, "`curves` must be two, one on each body"),
        ({"point": None, "points": ((0, 0), (1, 0))}, "a cam takes one `point`, of its second body, not `points`"),
        ({"axes": ((1, 0), (0, 1))}, "in the plane has no axes; remove `axes`"),
        ({"type": "R", "point": (0, 0)}, r"type R \(revolute\) in the plane has no curve; remove `curve`"),
        (
            {"type": "R", "curve": None, "radius": 1.0},
            r"type R \(revolute\) in the plane has no radius; remove `radius`",
        ),
        ({"axis": (1, 0), "reference": 0.5}, "reference of joint 'touch': it has no angle; do not give it"),
    ],
)
def test_cams_that_say_too_much_are_refused(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(GeometryError, match=message):
        Mechanism(2, ["frame", "cam"], [replace(CAM, **changes)])


def test_a_point_far_away_is_no_curve() -> None:
    angles = np.linspace(0.0, 6.2, 71)
    points = 20.0 * np.stack([np.cos(angles), np.sin(angles)], axis=1)
    points[5, 0] = -75244.0
    with pytest.raises(GeometryError, match="steps between the points of a curve differ so much"):
        _ = Curve(points.tolist(), closed=True).spline  # type: ignore[arg-type]


def test_points_are_not_a_curve() -> None:
    with pytest.raises(MechanismError, match="Joint 'touch': curve must be a Curve, not"):
        replace(CAM, curve=[[0, 0], [1, 0]])  # type: ignore[arg-type]


# --- files -------------------------------------------------------------------------------------


def data(curve: Any, **more: Any) -> dict[str, Any]:
    joint = {"name": "touch", "type": "L", "bodies": ["frame", "cam"], "point": [3, 0], "curve": curve} | more
    joint = {key: value for key, value in joint.items() if value is not None}
    return {"dimension": 2, "units": {"length": "mm"}, "bodies": ["frame", "cam"], "joints": [joint]}


def test_a_curve_in_a_file_is_in_its_units() -> None:
    mechanism = reading.parse(data({"points": ellipse().tolist(), "closed": True}, radius=2.0))
    assert mechanism.joints[0].curve == Curve(1e-3 * ellipse(), closed=True)
    assert mechanism.joints[0].radius == pytest.approx(0.002)
    both = reading.parse(data(None, point=None, curves=[{"points": ellipse().tolist(), "closed": True}] * 2))
    assert both.joints[0].curves == (Curve(1e-3 * ellipse(), closed=True),) * 2


def test_a_curve_in_a_csv_file(tmp_path: Path) -> None:
    lines = ["x, angle, y", *(f"{x}, 0, {y}" for x, y in ellipse())]
    (tmp_path / "flank.csv").write_text("\n".join(lines), encoding="utf-8")
    found = reading.parse(data({"csv": "flank.csv", "columns": ["x", "y"]}), tmp_path).joints[0].curve
    assert found is not None
    np.testing.assert_allclose(found.points, 1e-3 * ellipse())
    assert not found.closed


@pytest.mark.parametrize(
    ("curve", "error", "message"),
    [
        (
            {},
            FileError,
            r"joints\[0\].curve \('touch'\): a curve has either `points`, or `csv`, or the `law` of a follower",
        ),
        (
            {"points": ellipse().tolist(), "csv": "x"},
            FileError,
            r"a curve has either `points`, or `csv`, or the `law` of a follower",
        ),
        ({"points": ellipse(4).tolist()}, GeometryError, r"joints\[0\] \('touch'\).curve: a curve needs at least 6"),
        ({"points": [[0, 0, 0]] * 8}, FileError, r"\('touch'\).curve.points\[0\]: must be 2 numbers in the plane"),
        ({"csv": "no.csv"}, FileError, r"there is no file .*no.csv"),
        ({"pionts": []}, FileError, r"unknown key 'pionts' \(did you mean points\?\)"),
    ],
)
def test_wrong_curves_in_files_are_named(tmp_path: Path, curve: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        reading.parse(data(curve), tmp_path)


def test_a_csv_file_with_a_wrong_cell_is_refused(tmp_path: Path) -> None:
    (tmp_path / "flank.csv").write_text("x,y\n1,2\n3,four\n", encoding="utf-8")
    with pytest.raises(LawError, match=r"\('touch'\).curve: flank.csv, line 3, column 2: must be a finite number"):
        reading.parse(data({"csv": "flank.csv"}), tmp_path)


@pytest.mark.parametrize("far", [1e3, 1e4, 1e6])
def test_a_point_very_far_away_is_no_warning(far: float) -> None:
    angles = np.linspace(0.0, 2 * np.pi, 12, endpoint=False)
    points = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    points[5] *= far
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with contextlib.suppress(GeometryError):
            assert np.isfinite(Curve(points.tolist(), closed=True).spline(0.5)).all()
