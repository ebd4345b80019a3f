"""Solids against integrals over many points, and against the same solid cut into others."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import qmc

import groupkin as gk
from groupkin.errors import GroupkinError, MassError
from groupkin.mechanism.masses.mass_checks import inertia_tensor

Array = NDArray[np.float64]

POINTS = 2.0 * qmc.Sobol(3, seed=0).random_base2(19) - 1.0


def about_axis(points: Array, axis: Array, center: Array) -> tuple[Array, Array]:
    """Distances of points from an axis, and along it."""
    along = (points - center) @ axis
    return np.linalg.norm(points - center - along[:, None] * axis, axis=1), along


START, END = np.array([0.1, -0.2, 0.3]), np.array([0.5, 0.4, -0.1])
AXIS = (END - START) / np.linalg.norm(END - START)
SIDE = np.cross([0.0, 0.0, 1.0], AXIS) / np.linalg.norm(np.cross([0.0, 0.0, 1.0], AXIS))


def in_tube(x: Array) -> NDArray[np.bool_]:
    far, along = about_axis(x, AXIS, START)
    return (far < 0.2) & (far > 0.1) & (along > 0) & (along < np.linalg.norm(END - START))


def in_bar(x: Array) -> NDArray[np.bool_]:
    _, along = about_axis(x, AXIS, START)
    wide, thick = (x - START) @ SIDE, (x - START) @ np.cross(AXIS, SIDE)
    return (along > 0) & (along < np.linalg.norm(END - START)) & (np.abs(wide) < 0.15) & (np.abs(thick) < 0.1)


def in_plate(x: Array) -> NDArray[np.bool_]:
    far, along = about_axis(x, np.array([0.0, 1.0, 0.0]), np.array([0.3, 0.1, 0.0]))
    return (np.abs(x - [0.2, 0.1, 0.0]) < [0.5, 0.1, 0.4]).all(axis=1) & ~((far < 0.15) & (np.abs(along) < 0.1))


SOLIDS = [
    (gk.Solid.rod((START, END), 0.4, hole=0.2), in_tube),
    (gk.Solid.bar((START, END), 0.3, 0.2), in_bar),
    (
        gk.Solid.box((0.2, 0.1, 0.0), (1.0, 0.2, 0.8)) - gk.Solid.disc((0.3, 0.1, 0.0), 0.3, 0.2, axis=(0, 1, 0)),
        in_plate,
    ),
    (gk.Solid.sphere((0.1, 0.2, -0.3), 1.2), lambda x: np.linalg.norm(x - [0.1, 0.2, -0.3], axis=1) < 0.6),
]


@pytest.mark.parametrize(("solid", "inside"), SOLIDS)
def test_solids_are_the_integrals_over_them(solid: gk.Solid, inside: object) -> None:
    body = solid.body("x", density=1.0)
    points = POINTS[inside(POINTS)]  # type: ignore[operator]
    weight = 8.0 / len(POINTS)
    mean = points.mean(axis=0)
    arms = points - mean
    tensor = weight * ((arms * arms).sum() * np.eye(3) - arms.T @ arms)
    # a few thousand of the points are inside; wrong factors are 2, 3 or 4
    assert body.mass == pytest.approx(weight * len(points), rel=1e-2)
    assert np.allclose(body.center, mean, atol=3e-3)  # type: ignore[arg-type]
    assert np.allclose(inertia_tensor(body, 3), tensor, rtol=0, atol=2e-2 * np.abs(tensor).max())


def test_halves_make_the_whole() -> None:
    whole = gk.Solid.rod(((0.0, 0.0), (0.6, 0.8)), 0.1, hole=0.04)
    halves = gk.Solid.rod(((0.0, 0.0), (0.3, 0.4)), 0.1, hole=0.04) + gk.Solid.rod(((0.3, 0.4), (0.6, 0.8)), 0.1, 0.04)
    for one, two in zip(vars(whole).values(), vars(halves).values(), strict=True):
        assert np.allclose(one, two, rtol=1e-13)


def test_bodies_of_the_plane() -> None:
    """A disc of steel: m d² / 8 about its axis, whatever else it has."""
    body = gk.Solid.disc((0.1, 0.2), 0.3, 0.02).body("disc", 7850.0, points={"P": (0.1, 0.3)})
    mass = 7850.0 * np.pi / 4 * 0.3**2 * 0.02
    assert (body.mass, body.inertia) == (pytest.approx(mass), pytest.approx(mass * 0.3**2 / 8))
    assert body.center == (0.1, 0.2)
    assert body.points == {"P": (0.1, 0.3)}


WRONG = [
    (lambda: gk.Solid.rod(((0, 0), (1, 0)), 0.0), "sizes of a solid must be positive"),
    (lambda: gk.Solid.rod(((0, 0), (0, 0)), 0.1), "sizes of a solid must be positive"),
    (lambda: gk.Solid.rod(((0, 0), (1, 0)), 0.1, hole=0.1), "less than that of its solid"),
    (lambda: gk.Solid.box((0, 0), (1, 1)), "three lengths, along x, y and z"),
    (lambda: gk.Solid.sphere((0, 0, 0, 0), 1.0), "two or three finite coordinates"),
    (lambda: gk.Solid.sphere(5.0, 1.0), "two or three finite coordinates"),
    (lambda: gk.Solid.bar(((0, 0, 0), (0, 0, 1)), 0.1, 0.1), "across its length"),
    (lambda: gk.Solid.sphere((0, 0), 1.0) - gk.Solid.sphere((0, 0), 1.0), "more must be left"),
    (lambda: gk.Solid.sphere((0, 0), 1.0).body("b", -1.0), "density must be a positive number"),
]


@pytest.mark.parametrize(("make", "message"), WRONG)
def test_solids_that_are_none_are_refused(make: object, message: str) -> None:
    with pytest.raises(MassError, match=message):
        make()  # type: ignore[operator]


FILE = """
dimension = 2
units = {{ length = "mm" }}
bodies = ["frame", {{ name = "crank", {body} }}]
joints = [{{ name = "A", type = "R", bodies = ["frame", "crank"], point = "A" }}]
points = {{ A = [0, 0], B = [300, 0] }}
"""


def test_solids_in_files(tmp_path: object) -> None:
    """A bar with a hole and a counterweight; points may be named."""
    solids = """density = 7850, solids = [
      { type = "bar", ends = ["A", "B"], width = 40, thickness = 10 },
      { type = "disc", center = "A", diameter = 20, thickness = 10, subtract = true },
      { type = "sphere", center = [-50, 0], diameter = 60 },
    ]"""
    path = Path(f"{tmp_path}/crank.toml")
    path.write_text(FILE.format(body=solids))
    bar = gk.Solid.bar(((0, 0), (0.3, 0)), 0.04, 0.01)
    whole = bar - gk.Solid.disc((0, 0), 0.02, 0.01) + gk.Solid.sphere((-0.05, 0), 0.06)
    made, read = whole.body("crank", 7850.0), gk.load(path).body["crank"]
    assert (read.mass, read.inertia) == (pytest.approx(made.mass), pytest.approx(made.inertia))
    assert read.center == pytest.approx(made.center)


BOX = """
dimension = 3
units = { length = "mm" }
bodies = ["frame", { name = "arm", density = 7850, solids = [
  { type = "box", center = [150, 20, 5], size = [300, 40, 10] },
  { type = "sphere", center = [-50, 10, 20], diameter = 60 },
] }]
joints = [{ name = "A", type = "R", bodies = ["frame", "arm"], point = [0, 0, 0], axis = [0, 0, 1] }]
"""


@pytest.mark.parametrize("suffix", [".toml", ".json"])
def test_what_solids_give_is_saved_and_loaded_with_the_same_bits(tmp_path: Path, suffix: str) -> None:
    first, again = tmp_path / "arm.toml", tmp_path / f"again{suffix}"
    first.write_text(BOX)
    whole = gk.load(first)
    gk.save(whole, again)
    assert gk.load(again) == whole
    tensor = inertia_tensor(whole.body["arm"], 3)
    assert tensor[0, 1] != 0.0
    assert np.array_equal(tensor, inertia_tensor(gk.load(again).body["arm"], 3))


@pytest.mark.parametrize(
    "inertia", [2, (1, 2, 2.5), ((1, 0.1, 0), (0.1, 2, 0), (0, 0, 2.5)), {"xx": 1, "yy": 2, "zz": 2.5, "xy": 0}]
)
def test_inertias_are_saved_in_the_form_in_which_they_are_stated(tmp_path: Path, inertia: Any) -> None:
    arm = gk.Body("arm", mass=1.0, center=(0.5, 0.5, 0.5), inertia=inertia)
    pin = gk.Joint("A", "R", ("frame", "arm"), point=(0, 0, 0), axis=(0, 0, 1))
    whole, file = gk.Mechanism(3, ["frame", arm], [pin]), tmp_path / "arm.toml"
    gk.save(whole, file)
    assert gk.load(file).body["arm"].inertia == inertia


@pytest.mark.parametrize(
    ("inertia", "message"),
    [
        ('[1, [2, 0, 0], "x"]', r"inertia\[2\].*must be a valid number, not 'x'"),
        ("[[1, 0, 0], [0, 1]]", "symmetric tensor"),
        ("[[1, 0], [0, 1]]", r"or a tensor \(3, 3\)"),
    ],
)
def test_tensors_that_are_none_are_refused(tmp_path: Path, inertia: str, message: str) -> None:
    file, begin = tmp_path / "arm.toml", BOX.index("density")
    file.write_text(f"{BOX[:begin]}inertia = {inertia}{BOX[BOX.index(' }]') :]}")
    with pytest.raises(GroupkinError, match=message):
        gk.load(file)


WRONG_FILES = [
    ("density = 7850", "a `density` needs `solids` or a `shape`"),
    ('solids = [{ type = "sphere", center = "A", diameter = 1 }]', "`solids` need a `density`"),
    (
        'density = 1, mass = 2, center = "A", solids = [{ type = "sphere", center = "A", diameter = 1 }]',
        "leave these out",
    ),
    ('density = 1, solids = [{ type = "sphere", center = "Q", diameter = 1 }]', "'Q', which is no named point"),
    ('density = 1, solids = [{ type = "rod", ends = ["A", "A"], diameter = 1 }]', "solids.0. of body 'crank'"),
    ('density = 1, solids = [{ type = "cube", center = "A" }]', "unknown type 'cube'"),
    ('density = 1, solids = [{ type = "sphere", center = "A", diameter = 1, subtract = true }]', "not subtracted from"),
]


@pytest.mark.parametrize(("body", "message"), WRONG_FILES)
def test_wrong_solids_in_files_are_named(tmp_path: object, body: str, message: str) -> None:
    path = Path(f"{tmp_path}/crank.toml")
    path.write_text(FILE.format(body=body))
    with pytest.raises(GroupkinError, match=message):
        gk.load(path)


@pytest.mark.parametrize("dimension", [2, 3])
def test_inertias_about_another_point_are_those_about_the_center(dimension: int, tmp_path: Path) -> None:
    """By the theorem of parallel axes, written out; the same motion needs the same forces."""
    arm, mass = np.array([0.3, -0.2, 0.5])[:dimension], 2.5
    tensor = np.array([[0.7, 0.1, 0.0], [0.1, 0.6, -0.05], [0.0, -0.05, 0.4]])
    x, y, z = np.append(arm, np.zeros(3 - dimension))
    shift = [[y * y + z * z, -x * y, -x * z], [-x * y, x * x + z * z, -y * z], [-x * z, -y * z, x * x + y * y]]
    other = tensor + mass * np.array(shift)
    moments = [float(i[2, 2]) if dimension == 2 else i.tolist() for i in (tensor, other)]
    pin = gk.Joint("pin", "R", ("frame", "arm"), point=(0.0,) * dimension, axis=None if dimension == 2 else (1, 2, 3))

    points = {"corner": (0.1,) * dimension}

    def forces(**stated: object) -> gk.Forces:
        body = gk.Body("arm", mass=mass, center=tuple(0.1 + arm), points=points, **stated)  # type: ignore[arg-type]
        mechanism = gk.Mechanism(dimension, ["frame", body], [pin], [gk.Driver("pin", gk.Harmonic(1.0, 1.0))])
        gk.save(mechanism, tmp_path / "arm.toml")
        return gk.inverse_dynamics(gk.load(tmp_path / "arm.toml"), [0.1, 0.3])

    expected, named = forces(inertia=moments[0]), forces(inertia=moments[1], about="corner")
    for found in (named, forces(inertia=moments[1], about=(0.1,) * dimension)):
        assert np.allclose(found.driver("pin"), expected.driver("pin"), rtol=1e-12)
        assert np.allclose(found.reactions["pin"], expected.reactions["pin"], rtol=1e-10, atol=1e-10)
        assert found.energy().kinetic == pytest.approx(expected.energy().kinetic, rel=1e-12)
    free = replace(named.motion.program.mechanism, drivers=[gk.Driver("pin")], gravity=(0.0, -9.81, 0.0)[:dimension])
    motion = gk.inverse_dynamics(gk.simulate(free, [0.0, 0.2], rtol=1e-11))
    assert np.abs(motion.driver("pin")).max() <= 1e-10
    with pytest.raises(MassError, match=r"negative principal moment .* about its center of mass"):
        forces(inertia=0.01, about="corner")
    with pytest.raises(MassError, match="so its `center` is needed as a point as well"):
        replace(free, bodies=["frame", gk.Body("arm", inertia=1.0, about=points["corner"])])
