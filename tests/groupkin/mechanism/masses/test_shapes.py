"""Shapes of bodies: what closed surfaces weigh, files that are read, and what is refused."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import cluster
import groupkin as gk
from cluster.sweeps.description import as_text
from groupkin.errors import FileError, MassError, OutputError, ShapeError, UnknownNameError
from tests.support.surfaces import ball, box, obj, prism, stl

SINGLE = 2e-7
"""Relative rounding of the numbers in an STL file, which are single."""

FORMATS: list[tuple[Any, float]] = [(stl, SINGLE), (obj, 1e-12)]

TURN = Rotation.from_rotvec([0.4, -0.7, 1.1]).as_matrix()


def name(write: Any) -> str:
    return f"body.{write.__name__}"


@pytest.mark.parametrize(("write", "off"), FORMATS)
def test_a_box_has_the_mass_of_a_box(tmp_path: Path, write: Any, off: float) -> None:
    file = write(tmp_path / name(write), 1e3 * box((0.3, 0.2, 0.1), (0.05, 0.1, -0.2)))
    made = gk.Solid.shape(gk.Shape(file, at=(1.0, 2.0, 3.0), scale=1e-3))
    wanted = gk.Solid.box((1.05, 2.1, 2.8), (0.3, 0.2, 0.1))
    assert made.volume == pytest.approx(wanted.volume, rel=10 * off)
    np.testing.assert_allclose(made.center, wanted.center, rtol=10 * off)
    np.testing.assert_allclose(made.inertia, wanted.inertia, atol=50 * off * np.abs(wanted.inertia).max())


@pytest.mark.parametrize(("write", "off"), FORMATS)
def test_a_tilted_prism_has_the_mass_of_its_closed_formula(tmp_path: Path, write: Any, off: float) -> None:
    """The area of a regular n-gon is n R² sin(2π/n) / 2, its mean square radius R² (2 + cos(2π/n)) / 6."""
    sides, radius, height = 24, 0.1, 0.7
    angle = 2.0 * np.pi / sides
    volume = 0.5 * sides * radius**2 * np.sin(angle) * height
    about = volume * radius**2 * (2.0 + np.cos(angle)) / 6.0
    across = 0.5 * about + volume * height**2 / 12.0
    inertia = TURN @ np.diag([across, across, about]) @ TURN.T
    made = gk.Solid.shape(
        gk.Shape(write(tmp_path / name(write), prism(sides, radius, height)), (0.5, -0.2, 0.1), axes=TURN.T)
    )
    assert made.volume == pytest.approx(volume, rel=20 * off)
    np.testing.assert_allclose(made.center, [0.5, -0.2, 0.1], atol=off)
    np.testing.assert_allclose(made.inertia, inertia, atol=50 * off * across)


def test_ever_finer_cylinders_and_balls_approach_the_round_ones(tmp_path: Path) -> None:
    """Inscribed surfaces miss by the square of the lengths of their edges: a quarter for half the length."""
    round_ones = gk.Solid.sphere((0.0, 0.0, 0.0), 0.4), gk.Solid.disc((0.0, 0.0, 0.0), 0.4, 0.3)
    for wanted, make in zip(round_ones, (lambda n: ball(0.2, n), lambda n: prism(2 * n, 0.2, 0.3)), strict=True):
        gaps = []
        for n in (12, 24, 48):
            made = gk.Solid.shape(gk.Shape(stl(tmp_path / "round.stl", make(n))))
            gaps.append([wanted.volume - made.volume, *np.diag(wanted.inertia - made.inertia)])
            np.testing.assert_allclose(made.center, 0.0, atol=1e-8)
        ratios = np.array(gaps[:-1]) / gaps[1:]
        np.testing.assert_allclose(ratios, 4.0, rtol=0.05)
        assert 0.0 < gaps[-1][0] < 0.005 * wanted.volume


def test_mirrored_and_inverted_surfaces_weigh_the_same(tmp_path: Path) -> None:
    triangles = prism(7, 0.1, 0.4) + np.array([0.2, 0.1, 0.0])
    one = gk.Solid.shape(gk.Shape(stl(tmp_path / "one.stl", triangles)))
    inverted = gk.Solid.shape(gk.Shape(stl(tmp_path / "two.stl", triangles[:, ::-1])))
    mirror = np.diag([-1.0, 1.0, 1.0])
    mirrored = gk.Solid.shape(gk.Shape(tmp_path / "one.stl", axes=mirror))
    partly = np.concatenate([triangles[:5, ::-1], triangles[5:]])
    repaired = gk.Solid.shape(gk.Shape(stl(tmp_path / "three.stl", partly)))
    for each in (inverted, mirrored, repaired):
        assert each.volume == pytest.approx(one.volume)
    np.testing.assert_allclose(mirrored.center, mirror @ one.center, atol=1e-12)
    np.testing.assert_allclose(mirrored.inertia, mirror @ one.inertia @ mirror, atol=1e-12 * one.inertia.max())


def test_solids_are_taken_from_shapes_and_weigh_in_the_plane(tmp_path: Path) -> None:
    shape = gk.Shape(stl(tmp_path / "box.stl", box((0.3, 0.2, 0.1))), at=(1.0, 0.5))
    whole = gk.Solid.shape(shape, 2) - gk.Solid.disc((1.0, 0.5), 0.05, 0.1)
    plain = gk.Solid.box((1.0, 0.5), (0.3, 0.2, 0.1)) - gk.Solid.disc((1.0, 0.5), 0.05, 0.1)
    made, wanted = (each.body("plate", 7850.0, shape=shape) for each in (whole, plain))
    assert made.mass == pytest.approx(wanted.mass, rel=1e-6)
    assert made.center == pytest.approx(wanted.center)
    assert made.inertia == pytest.approx(wanted.inertia, rel=1e-6)


# --- files -----------------------------------------------------------------------------------


FILE = """
dimension = {dimension}
units = {{ length = "mm" }}
values = {{ a = 50 }}
points = {{ A = [{zeros}] }}
bodies = ["frame", {{ name = "crank", points = {{ P = [{tip}] }}, {body} }}]
joints = [{{ name = "A", type = "R", bodies = ["frame", "crank"], point = "A"{axis} }}]
drivers = [{{ joint = "A", law = {{ type = "ramp", rate = 6 }} }}]
"""


def written(folder: Path, body: str, dimension: int = 2) -> Path:
    axis = ", axis = [0, 0, 1]" if dimension == 3 else ""
    zeros, tip = ", ".join(["0"] * dimension), ", ".join(["200", "0", "0"][:dimension])
    file = folder / "crank.toml"
    file.write_text(FILE.format(body=body, dimension=dimension, axis=axis, zeros=zeros, tip=tip))
    return file


@pytest.mark.parametrize("dimension", [2, 3])
@pytest.mark.parametrize("at", ["", 'at = "P", ', "at = {numbers}, "])
@pytest.mark.parametrize("scale", ["", "scale = 10, "])
def test_density_gives_mass_in_the_units_of_the_file(tmp_path: Path, dimension: int, at: str, scale: str) -> None:
    (tmp_path / "parts").mkdir()
    factor, numbers = (10.0 if scale else 1.0), ["a", "2 * a", "-a"][:dimension]
    stl(tmp_path / "parts" / "box.stl", np.array(box((300, 200, 100))) / factor)
    text = f'{at.format(numbers=json.dumps(numbers))}{scale}file = "parts/box.stl"'
    body = gk.load(written(tmp_path, f"density = 7850, shape = {{ {text} }}", dimension)).body["crank"]
    center = (0.2, 0.0, 0.0) if "P" in at else (0.05, 0.1, -0.05) if at else (0.0, 0.0, 0.0)
    wanted = gk.Solid.box(center[:dimension], (0.3, 0.2, 0.1)).body("crank", 7850.0)
    assert body.mass == pytest.approx(wanted.mass, rel=1e-6)
    np.testing.assert_allclose(body.center, wanted.center, atol=1e-8)
    np.testing.assert_allclose(body.inertia, wanted.inertia, atol=1e-6 * np.max(wanted.inertia))


@pytest.mark.parametrize("suffix", [".toml", ".json"])
def test_saving_keeps_shape_and_mass(tmp_path: Path, suffix: str) -> None:
    (tmp_path / "parts").mkdir()
    stl(tmp_path / "parts" / "box.stl", box((300, 200, 100)))
    more = 'at = ["a", 0], scale = 0.5, axes = [[0, 1, 0], [-1, 0, 0], [0, 0, 1]]'
    file = written(tmp_path, f'density = 7850, shape = {{ file = "parts/box.stl", {more} }}')
    loaded = gk.load(file)
    for units in (None, gk.Units("m", "rad")):
        gk.save(loaded, tmp_path / f"again{suffix}", units=units)
        assert gk.load(tmp_path / f"again{suffix}") == loaded
    assert "parts/box.stl" in (tmp_path / f"again{suffix}").read_text()
    (tmp_path / "below").mkdir()
    with pytest.raises(OutputError, match=r"body 'crank': shape 'box.stl' is not in the folder .* copy it there"):
        gk.save(loaded, tmp_path / "below" / "again.toml")


def test_files_are_read_below_the_folder_only(tmp_path: Path) -> None:
    (tmp_path / "here").mkdir()
    stl(tmp_path / "box.stl", box((1, 1, 1)))
    file = written(tmp_path / "here", 'shape = { file = "../box.stl" }')
    with pytest.raises(FileError, match="not in the folder of the file that names it"):
        gk.load(file)
    assert gk.load(file, files_anywhere=True).body["crank"].shape is not None
    (tmp_path / "here" / "link.stl").symlink_to(tmp_path / "box.stl")
    with pytest.raises(FileError, match="not in the folder of the file that names it"):
        gk.load(written(tmp_path / "here", 'shape = { file = "link.stl" }'))


def test_materials_that_a_shape_names_are_not_read(tmp_path: Path) -> None:
    """Were the pipe opened, this would wait for ever."""
    import os

    os.mkfifo(tmp_path / "secret.mtl")
    file = obj(tmp_path / "box.obj", box((1, 1, 1)), "mtllib secret.mtl\nusemtl gray\n")
    assert gk.Solid.shape(gk.Shape(file)).volume == pytest.approx(1.0)


def test_objects_and_quadrangles_of_a_file_are_one_surface(tmp_path: Path) -> None:
    sides = [[1, 3, 4, 2], [5, 6, 8, 7], [1, 2, 6, 5], [3, 7, 8, 4], [1, 5, 7, 3], [2, 4, 8, 6]]
    lines = [f"v {x} {y} {z}" for dx in (0, 3) for z in (0, 1) for y in (0, 1) for x in (dx, dx + 1)]
    for k, name in enumerate(("one", "two")):
        lines += [f"o {name}", f"g {name}", f"usemtl {name}"]
        lines += [f"f {' '.join(str(8 * k + corner) for corner in side)}" for side in sides]
    (tmp_path / "boxes.obj").write_text("\n".join(lines))
    made = gk.Solid.shape(gk.Shape(tmp_path / "boxes.obj"))
    wanted = gk.Solid.box((0.5, 0.5, 0.5), (1, 1, 1)) + gk.Solid.box((3.5, 0.5, 0.5), (1, 1, 1))
    assert made.volume == pytest.approx(2.0)
    np.testing.assert_allclose(made.center, wanted.center)
    np.testing.assert_allclose(made.inertia, wanted.inertia, atol=1e-12)


OPEN = np.array(box((300, 200, 100)))[:-1]


@pytest.mark.parametrize(
    ("body", "error", "message"),
    [
        ('density = 1, shape = { file = "open.stl" }', ShapeError, r"'crank', shape 'open.stl': .* open, with 3 edges"),
        ('density = 1, shape = { file = "none.stl" }', ShapeError, r"'crank'.*\.shape: there is no file 'none.stl'"),
        ('shape = { file = "none.stl" }', ShapeError, r"no file 'none.stl'; check its name"),
        ('density = 1, shape = { file = "empty.stl" }', ShapeError, r"'empty.stl': (is no valid STL|has no triangles)"),
        ('density = 1, shape = { file = "text.obj" }', ShapeError, r"'text.obj': (is no valid OBJ|has no triangles)"),
        ('density = 1, shape = { file = "crank.toml" }', ShapeError, r"ends in \.stl or \.obj"),
        ('density = 1, mass = 2, center = "A", shape = { file = "box.stl" }', FileError, "leave these out"),
        ('shape = { file = "box.stl", scale = -1 }', FileError, "scale"),
        ('shape = { file = "box.stl", at = "Q" }', UnknownNameError, "shape of body 'crank' refers to 'Q'"),
        ('shape = { file = "box.stl", axes = [[1, 0, 0], [1, 0, 0], [0, 0, 1]] }', ShapeError, "perpendicular unit"),
        ('shape = { name = "box.stl" }', FileError, "name"),
    ],
)
def test_wrong_shapes_are_named(tmp_path: Path, body: str, error: type[Exception], message: str) -> None:
    stl(tmp_path / "box.stl", box((300, 200, 100)))
    stl(tmp_path / "open.stl", OPEN)
    (tmp_path / "empty.stl").write_bytes(b"")
    (tmp_path / "text.obj").write_text("nothing\n")
    with pytest.raises(error, match=message):
        gk.load(written(tmp_path, body))


def test_wrong_shapes_in_python() -> None:
    for more, message in (
        ({"scale": 0.0}, "scale must be a positive"),
        ({"scale": float("nan")}, "scale must be a positive"),
        ({"axes": np.eye(2)}, "three perpendicular unit vectors"),
        ({"axes": 2.0 * np.eye(3)}, "three perpendicular unit vectors"),
    ):
        with pytest.raises(ShapeError, match=message):
            gk.Shape("box.stl", **more)  # type: ignore[arg-type]
    with pytest.raises(MassError, match="needs coordinates"):
        gk.Solid.shape(gk.Shape("box.stl", at="A"))
    with pytest.raises(ShapeError, match="there is no such file"):
        gk.Solid.shape(gk.Shape("there is none.stl"))


def test_without_the_library_only_what_needs_it_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stl(tmp_path / "box.stl", box((300, 200, 100)))
    monkeypatch.setitem(sys.modules, "trimesh", None)
    mechanism = gk.load(written(tmp_path, 'shape = { file = "box.stl" }'))
    assert gk.solve(mechanism, [0.0, 1.0]).solved.all()
    with pytest.raises(ShapeError, match=r"pip install 'groupkin\[shapes\]'"):
        gk.draw(mechanism, tmp_path / "x.png")
    with pytest.raises(ShapeError, match=r"pip install 'groupkin\[shapes\]'"):
        gk.load(written(tmp_path, 'density = 1, shape = { file = "box.stl" }'))


# --- parts and sweeps ------------------------------------------------------------------------


@pytest.mark.parametrize("dimension", [2, 3])
@pytest.mark.parametrize("mirror", ["", "x", "y"])
def test_shapes_of_parts_go_with_their_bodies(tmp_path: Path, dimension: int, mirror: str) -> None:
    """The center of mass of what the shape encloses is where the center of the moved body is."""
    triangles = 1e-3 * (prism(5, 30, 100) + np.array([40, 10, 0]))
    at = (0.1, 0.02, -0.03)[:dimension]
    shape = gk.Shape(stl(tmp_path / "prism.stl", triangles), at=at)
    crank = gk.Solid.shape(shape, dimension).body("crank", 7850.0, shape=shape)
    point, more = (0.0,) * dimension, {} if dimension == 2 else {"axis": (0.0, 0.0, 1.0)}
    joint = gk.Joint("A", "R", ("frame", "crank"), point=point, **more)  # type: ignore[arg-type]
    one = gk.Mechanism(dimension, ["frame", crank], [joint], [gk.Driver("A", gk.Ramp(rate=1.0))])
    part = gk.Part(one, "left", at=(0.3, -0.1, 0.2)[:dimension], turn=0.7, mirror=mirror)
    moved = gk.Mechanism(dimension, ["frame"], [], parts=[part]).body["left/crank"]
    assert moved.shape is not None
    again = gk.Solid.shape(moved.shape, dimension).body("left/crank", 7850.0)
    np.testing.assert_allclose(again.center, moved.center, atol=1e-12)
    np.testing.assert_allclose(again.inertia, moved.inertia, atol=1e-9 * np.max(again.inertia))


def test_a_sweep_does_not_depend_on_what_bodies_look_like(tmp_path: Path) -> None:
    stl(tmp_path / "box.stl", box((300, 200, 100)))
    shown = gk.load(written(tmp_path, 'shape = { file = "box.stl" }'))
    plain = replace(shown, bodies=[replace(body, shape=None) for body in shown.body.values()])
    assert shown != plain
    texts = [
        as_text(cluster.sweep(each, [], [0.0, 1.0], [cluster.TimeHistory("position P")])) for each in (shown, plain)
    ]
    assert texts[0] == texts[1]
    np.testing.assert_array_equal(*(gk.solve(each, [0.0, 0.3]).position("P") for each in (shown, plain)))
