"""Drawings at true scale: places in files, layers, and what is refused."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

import groupkin as gk
from groupkin.look.true_scale import LAYERS
from groupkin.mechanism.units import Units
from tests.support.command_line import refused, run
from tests.support.paths import EXAMPLES

ezdxf = pytest.importorskip("ezdxf")

PLANE = [path.stem for path in sorted(EXAMPLES.glob("*.toml")) if "." not in path.stem and gk.load(path).dimension == 2]


def places(svg: Path) -> dict[str, np.ndarray]:
    """Where named points are in an SVG drawing, m."""
    (group,) = [g for g in ElementTree.parse(svg).getroot().iter() if g.get("id") == "points"]
    circles, texts = [e for e in group if "cx" in e.attrib], [e for e in group if e.text]
    return {
        name: np.array([float(dot.attrib["cx"]), -float(dot.attrib["cy"])]) / 1000.0
        for dot, text in zip(circles, texts, strict=True)
        for name in str(text.text).split(", ")
    }


@pytest.mark.parametrize("name", PLANE)
def test_joints_are_where_they_move(tmp_path: Path, name: str) -> None:
    """In both files, at a time within the motion, in meters; paths go through the points."""
    motion = gk.solve(EXAMPLES / f"{name}.toml")
    mechanism, step = motion.program.mechanism, motion.times.size // 3
    layers = gk.export_drawing(motion, tmp_path / "a.svg", time=float(motion.times[step]))
    assert gk.export_drawing(motion, tmp_path / "a.dxf", time=float(motion.times[step]), units=Units()) == layers
    found, drawing = places(tmp_path / "a.svg"), ezdxf.readfile(tmp_path / "a.dxf")
    dots = np.array([dot.dxf.location.vec2 for dot in drawing.modelspace().query("POINT")])
    for joint in mechanism.joints:
        if joint.type == "R":
            at = motion.point_on(joint.bodies[0], motion.program.geometry.joints[joint.name].points[0])[step]
            assert np.allclose(found[(joint.of or joint).name], at, rtol=0.0, atol=1e-8)
            assert np.linalg.norm(dots - at, axis=1).min() < 1e-8
    assert {f"body {body}" for body in mechanism.movable} | {"joints", "points"} <= set(layers)
    others = {*LAYERS.values(), "forces", "paths", "profiles", "points"}
    assert set(layers) <= {f"body {body}" for body in mechanism.body} | others
    kept = {layer.dxf.name for layer in drawing.layers}
    assert len(kept & {layer.replace("(", "_").replace(")", "_").replace(",", "_") for layer in layers}) == len(layers)


def test_units_and_profiles_of_a_cam(tmp_path: Path) -> None:
    mechanism = gk.load(EXAMPLES / "cam_roller.toml")
    assert "profiles" in gk.export_drawing(mechanism, tmp_path / "cam.dxf")
    drawing = ezdxf.readfile(tmp_path / "cam.dxf")
    assert drawing.units == 4  # mm
    (profile,) = [line for line in drawing.modelspace().query("LWPOLYLINE") if line.dxf.layer == "profiles"]
    (joint,) = [joint for joint in mechanism.joints if joint.curve is not None]
    radii = np.linalg.norm(np.array([x[:2] for x in profile]), axis=1)
    stated = np.linalg.norm(np.array(joint.curve.points), axis=1) * 1000.0
    assert profile.closed
    assert np.allclose([radii.min(), radii.max()], [stated.min(), stated.max()], rtol=1e-3)


def test_an_svg_is_as_large_as_the_mechanism(tmp_path: Path) -> None:
    gk.export_drawing(gk.load(EXAMPLES / "slider_crank.toml"), tmp_path / "a.svg")
    root = ElementTree.parse(tmp_path / "a.svg").getroot()
    width, height = (float(root.attrib[key].removesuffix("mm")) for key in ("width", "height"))
    assert [width, height] == pytest.approx([float(x) for x in root.attrib["viewBox"].split()[2:]])


def test_by_command(tmp_path: Path) -> None:
    files = [tmp_path / "press.dxf", tmp_path / "press.svg"]
    told = run("export", EXAMPLES / "geared_press.toml", "--drawing", files[0], "--drawing", files[1], "--time", 0.1)
    assert told.exit_code == 0
    assert all(f"written: {file}, body wheel," in told.stderr for file in files)


def test_what_is_refused(tmp_path: Path) -> None:
    assert "mechanism in space" in refused("export", EXAMPLES / "delta_robot.toml", "--drawing", tmp_path / "a.dxf")
    assert ".dxf or .svg" in refused("export", EXAMPLES / "four_bar.toml", "--drawing", tmp_path / "a.stl")
    assert "say what is written" in refused("export", EXAMPLES / "four_bar.toml")
