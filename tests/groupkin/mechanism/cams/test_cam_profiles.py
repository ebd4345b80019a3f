"""Profiles of cams: angles and radii are those of closed formulas; files and drawings."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import ezdxf
import numpy as np
import pytest
from click.testing import CliRunner
from numpy.typing import NDArray

import groupkin as gk
from groupkin.cli.main import main
from groupkin.errors import GeometryError, GroupkinError, GroupkinWarning
from tests.support.made_cams import turn

Array = NDArray[np.float64]


@pytest.mark.parametrize(("clockwise", "offset"), [(False, 0.0), (False, 0.006), (True, 0.006), (True, -0.01)])
def test_pressure_angles_of_rollers(clockwise: bool, offset: float) -> None:
    """By Norton (2009), Eq. (7.3): tan φ = (s' ∓ ε) / (s + √(r² - ε²))."""
    follower = gk.Follower("roller", radius=0.008, offset=offset)
    cam = gk.cam_profile(turn("cycloid", 0.01), follower, 0.03, clockwise=clockwise)
    lift, slope, _ = cam.law.at(cam.angles)
    eccentric = -offset if clockwise else offset
    expected = np.arctan2(slope - eccentric, lift + math.sqrt(0.038**2 - offset**2))
    assert np.abs(np.abs(cam.pressure_angle) - np.abs(expected)).max() < 1e-14
    assert np.ptp(np.sign(cam.pressure_angle * expected)[np.abs(expected) > 1e-9]) == 0.0


def test_radii_of_curvature() -> None:
    """Of a face base + s + s''; of a roller's pitch curve that of its parametric form."""
    law = turn("4-5-6-7", 0.01)
    face = gk.cam_profile(law, gk.Follower("face"), 0.06)
    lift, slope, bend = law.at(face.angles)
    assert np.abs(face.curvature_radius - (0.06 + lift + bend)).max() < 1e-14
    assert not face.pressure_angle.any()
    roller = gk.cam_profile(law, gk.Follower("roller", radius=0.008), 0.04)
    r = 0.048 + lift
    expected = (r**2 + slope**2) ** 1.5 / (r**2 + 2.0 * slope**2 - r * bend) - 0.008
    assert np.abs(roller.curvature_radius / expected - 1.0).max() < 1e-12


def test_an_eccentric_disc() -> None:
    """A face on a circle beside the axis moves by a cosine."""
    law = gk.Fourier(0.5 / math.pi, [-0.01], offset=0.01)
    cam = gk.cam_profile(law, gk.Follower("face"), 0.03, points=90)
    center = np.array([0.0, 0.01])
    center[1] = cam.profile[:, 1].mean()
    assert np.abs(np.hypot(*(cam.profile - cam.profile.mean(axis=0)).T) - 0.04).max() < 1e-15
    assert np.abs(np.hypot(*cam.profile.mean(axis=0)) - 0.01) < 1e-15
    assert np.abs(cam.curvature_radius - 0.04).max() < 1e-15


def test_undercut_profiles_are_named() -> None:
    law = turn("cycloid", 0.02)
    with pytest.warns(
        GroupkinWarning, match=r"undercut between .*° and .*°.* take a larger radius of the base circle, or"
    ):
        cam = gk.cam_profile(law, gk.Follower("face"), 0.01)
    bend = law.at(cam.angles)[0] + law.at(cam.angles)[2]
    assert np.array_equal(cam.undercut, cam.angles[0.01 + bend <= 0.0])
    with pytest.warns(GroupkinWarning, match="or a smaller roller"):
        cam = gk.cam_profile(law, gk.Follower("roller", radius=0.05), 0.002)
    assert cam.undercut.size
    assert "least radius of curvature -" in repr(cam)


WRONG: list[tuple[dict[str, Any], dict[str, Any], str]] = [
    ({"kind": "roller"}, {}, "a roller has a positive radius"),
    ({"kind": "edge", "radius": 0.01}, {}, "a roller has a positive radius"),
    ({"kind": "face", "motion": "swinging"}, {}, "the distance of its pivot"),
    ({"kind": "edge", "motion": "swinging", "pivot": 0.1}, {}, "the length of its arm"),
    ({"kind": "edge", "offset": 0.05}, {}, "an offset of 0.05 m does not meet the base circle"),
    ({"kind": "edge", "motion": "swinging", "pivot": 0.1, "arm": 0.01}, {}, "does not reach the base circle"),
    ({"kind": "face", "motion": "swinging", "pivot": 0.02}, {}, "does not reach the base circle"),
    ({"kind": "face"}, {"base": 0.0}, "needs a positive radius"),
    ({"kind": "face"}, {"law": gk.Ramp(0.01)}, "is the same after one turn; it is 0 at 0° and 0.0628319 at 360°"),
    (
        {"kind": "face", "motion": "swinging", "pivot": 0.1},
        {"law": gk.Harmonic(3.0, 0.5 / math.pi)},
        "as fast as the cam",
    ),
]


@pytest.mark.complete
@pytest.mark.parametrize(("follower", "more", "message"), WRONG)
def test_cams_that_are_impossible(follower: dict[str, Any], more: dict[str, Any], message: str) -> None:
    with pytest.raises(GeometryError, match=message):
        gk.cam_profile(**{"law": turn("cycloid", 0.01), "base": 0.03, "follower": gk.Follower(**follower)} | more)


# --- files ---------------------------------------------------------------------------------------

FILE = """
name = "Feeder"
dimension = 2
units = { length = "mm", angle = "deg" }
bodies = ["frame", "cam", "tappet"]
points = { C = [0, 48] }

[[joints]]
name = "camshaft"
type = "R"
bodies = ["frame", "cam"]
point = [0, 0]

[[joints]]
name = "guide"
type = "P"
bodies = ["frame", "tappet"]
point = "C"
axis = [0, 1]

[[joints]]
name = "flank"
type = "L"
bodies = ["cam", "tappet"]
point = "C"
radius = 8

[joints.curve]
follower = { type = "roller", radius = 8 }
base = 40

[joints.curve.law]
type = "sequence"
periodic = true
pieces = [
  { type = "modified sine", rise = 10, duration = 120 },
  { type = "dwell", duration = 40 },
  { type = "cycloid", rise = -10, duration = 100 },
  { type = "dwell", duration = 100 },
]

[[drivers]]
joint = "camshaft"
law = { type = "ramp", rate = 360 }
"""


def test_a_cam_from_a_timing_diagram_to_a_drawing(tmp_path: Path) -> None:
    file = tmp_path / "feeder.toml"
    file.write_text(FILE)
    motion = gk.solve(gk.load(file), np.array([0.0, 60.0, 120.0, 150.0, 210.0, 300.0]) / 360.0)
    assert np.abs(1e3 * motion.joint("guide")[0] - [0.0, 5.0, 10.0, 10.0, 5.0, 0.0]).max() < 1e-5
    dxf, table = tmp_path / "cam.dxf", tmp_path / "cam.csv"
    result = CliRunner().invoke(main, ["export", str(file), "--out", str(dxf), "--out", str(table)])
    assert result.exit_code == 0
    assert f"written: {dxf}, flank, in mm" in result.stderr
    drawing = ezdxf.readfile(dxf)  # type: ignore[attr-defined]
    (line,) = drawing.modelspace()
    assert (line.dxftype(), line.closed, line.dxf.layer, drawing.units) == ("LWPOLYLINE", True, "flank", 4)
    curve = gk.load(file).joint["flank"].curve
    assert curve is not None
    assert np.allclose([point[:2] for point in line.get_points()], 1e3 * np.array(curve.points), rtol=1e-14)
    read = np.loadtxt(table, delimiter=",", skiprows=1)
    assert np.abs(1e-3 * read - np.array(curve.points)).max() < 1e-16


def test_exports_in_meters_of_curves_from_elsewhere(tmp_path: Path) -> None:
    inner, outer = tmp_path / "inner", tmp_path / "points.csv"
    inner.mkdir()
    curve = gk.cam_profile(turn("3-4-5", 0.01), gk.Follower("roller", radius=0.008), 0.04).curve
    outer.write_text("x, y\n" + "\n".join(f"{1e3 * x!r}, {1e3 * y!r}" for x, y in curve.points))
    file, table = inner / "feeder.toml", tmp_path / "cam.csv"
    given = 'radius = 8\ncurve = { csv = "../points.csv", closed = true }'
    file.write_text(FILE[: FILE.index("[joints.curve]")].replace("radius = 8", given))
    command = ["export", str(file), "--out", str(table), "--joint", "flank", "--units", "SI"]
    refused = CliRunner().invoke(main, command)
    assert refused.exit_code == 2
    assert "is not in the folder" in refused.output
    assert CliRunner().invoke(main, [*command, "--files-anywhere"]).exit_code == 0
    assert np.abs(np.loadtxt(table, delimiter=",", skiprows=1) - np.array(curve.points)).max() < 1e-16


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("base = 40", "", "needs `law`, `follower` and `base`"),
        ("base = 40", "base = 40\npoints = [[0, 0]]", "either `points`, or `csv`, or the `law`"),
        ('type = "roller", radius = 8', 'type = "roller"', "a roller has a positive radius"),
        ("rise = -10", "rise = -9", "is the same after one turn"),
    ],
)
def test_files_of_cams_that_are_wrong(tmp_path: Path, old: str, new: str, message: str) -> None:
    (tmp_path / "feeder.toml").write_text(FILE.replace(old, new))
    with pytest.raises(GroupkinError, match=message):
        gk.load(tmp_path / "feeder.toml")


@pytest.mark.parametrize(
    ("options", "message"),
    [([], "say what is written"), (["--out", "x.txt"], "ends in .dxf or .csv"),
     (["--out", "x.dxf", "--joint", "cam"], "no joint 'cam'"),
     (["--out", "x.dxf", "--joint", "guide"], "joint 'guide' has no curve")],
)  # fmt: skip
def test_exports_that_are_impossible(tmp_path: Path, options: list[str], message: str) -> None:
    (tmp_path / "feeder.toml").write_text(FILE)
    result = CliRunner().invoke(main, ["export", str(tmp_path / "feeder.toml"), *options])
    assert result.exit_code == 2
    assert message in result.output
