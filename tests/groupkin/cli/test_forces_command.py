"""The command ``forces``, and forces in files."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import groupkin as gk
from tests.support.command_line import refused, run, succeeded, written
from tests.support.examples import described
from tests.support.loaded import loaded

CRANE = """
name = "Crane"
dimension = 2
units = { length = "mm", angle = "deg", mass = "t", force = "kN" }
gravity = [0, -9.81]
points = { T = [0, 2000] }
bodies = ["frame", { name = "arm", mass = 2, center = [500, 0], inertia = 1e6, points = { tip = [1000, 0] } }]
joints = [{ name = "pin", type = "R", bodies = ["frame", "arm"], point = [0, 0] }]
drivers = [{ joint = "pin", law = { type = "constant", value = 60 } }]
forces = [
  { name = "load", type = "force", body = "arm", point = "tip", force = [0, -10], law = LAW },
  { name = "tie", type = "spring", between = ["frame", "arm"], points = ["T", "tip"], stiffness = 0.01, length = 1000 },
  { name = "hinge", type = "joint_spring", joint = "pin", stiffness = 3, position = 10, damping = 1 },
  { name = "motor", type = "joint_force", joint = "pin", force = 200 },
  { name = "wind", type = "torque", body = "arm", torque = 70 },
]
motion = { duration = 0, steps = 1 }
""".replace("LAW", '{ type = "constant", value = 2 }')


@pytest.fixture
def crane(tmp_path: Path) -> Path:
    return written(tmp_path, CRANE, "crane.toml")


def expected() -> float:
    """Torque of the driver, N m."""
    cosine, tip = 0.5, np.array([0.5, np.sqrt(0.75)])
    way = np.array([0.0, 2.0]) - tip
    distance = float(np.linalg.norm(way))
    pull = 10e3 * (distance - 1.0)
    tie = pull * (tip[0] * way[1] - tip[1] * way[0]) / distance
    return 2000 * 9.81 * 0.5 * cosine + 20e3 * cosine - tie + 3.0 * 50 - 200.0 - 70.0


def test_units_of_masses_and_forces(crane: Path) -> None:
    """Moments are in kN mm, which are N m."""
    mechanism = gk.load(crane)
    assert mechanism.body["arm"].mass == 2000.0
    assert mechanism.body["arm"].inertia == pytest.approx(1000.0)
    assert gk.inverse_dynamics(mechanism, [0.0]).driver("pin")[0] == pytest.approx(expected(), rel=1e-13)


def test_forces_as_tables(crane: Path) -> None:
    text = succeeded("forces", crane)
    assert "Crane: 1 step, 2 t" in text
    assert f"{expected():.4g} kN mm" in text
    assert "frame – arm" in text
    assert "determined" in text
    rows = {line.split()[0]: " ".join(line.split()) for line in text.splitlines() if line.strip()}
    # the tip stays where the driver holds it: forces of springs are stiffness times extension, kN and mm
    length = float(np.hypot(500.0, 2000.0 - 1000.0 * np.sqrt(0.75)))
    pull = f"{0.01 * (length - 1000):.4g} kN"
    assert rows["tie"] == f"tie frame – arm {pull}, pulling 0 s {pull} {length:.4g} mm 0 W"
    assert rows["hinge"] == "hinge pin 150 kN mm 0 s 150 kN mm 60° 0 W"
    assert rows["motor"] == "motor pin 200 kN mm 0 s 200 kN mm 60° 0 W"
    assert rows["load"] == "load arm 20 kN 0 s 20 kN – 0 W"
    assert rows["wind"] == "wind arm 70 kN mm 0 s 70 kN mm – 0 W"


def test_a_spring_that_is_too_long_pushes(tmp_path: Path) -> None:
    file = written(tmp_path, CRANE.replace("length = 1000", "length = 2000"))
    assert ", pushing" in succeeded("forces", file)


def test_forces_as_data_and_files(crane: Path, tmp_path: Path) -> None:
    result = run("forces", crane, "--json", "--out", tmp_path / "f.csv")
    assert "written: " in result.stderr
    data = json.loads(result.stdout)
    assert data["drivers"]["pin"]["peak"] == pytest.approx(abs(expected()))
    assert data["forces"]["load"] == {"peak": 20e3, "rms": 20e3, "power": 0.0}
    header, row = (tmp_path / "f.csv").read_text().splitlines()
    values = dict(zip(header.split(","), map(float, row.split(",")), strict=True))
    assert values["driver pin [N*m]"] == pytest.approx(expected())
    assert values["force load.y [N]"] == -20e3
    assert run("forces", crane, "--out", tmp_path / "f.nc").exit_code == 0
    xarray = pytest.importorskip("xarray")
    with xarray.open_dataset(tmp_path / "f.nc", engine="h5netcdf") as stored:
        assert float(stored["driver_force"].sel(driver="pin")[0]) == pytest.approx(expected())
        assert stored["reaction_force"].attrs["units"] == "N"
        forces = stored["acting_force"]
        names, units = forces["force"].values, forces["force_unit"].values
        columns = [f"force {name} [{unit}]".replace("N m]", "N*m]") for name, unit in zip(names, units, strict=True)]
        assert columns == [column for column in values if column.startswith("force ")]
        np.testing.assert_allclose(forces.isel(time=0), [values[column] for column in columns], rtol=1e-12)


def test_a_dataset_has_the_forces_of_the_file_in_its_units(crane: Path) -> None:
    pytest.importorskip("xarray")
    forces = gk.inverse_dynamics(gk.load(crane), [0.0])
    data = forces.to_xarray(units="file")["acting_force"]
    assert data.attrs["units"] == "kN or kN mm"
    assert data.sel(force="tie") < 0  # a spring that pulls its ends together
    for name, unit, factor in (
        ("tie", "kN", 1e-3),
        ("load.y", "kN", 1e-3),
        ("motor", "kN mm", 1.0),
        ("wind", "kN mm", 1.0),
    ):
        row = data.sel(force=name)
        assert str(row["force_unit"].values) == unit
        assert float(row[0]) == pytest.approx(factor * np.ravel(forces.force(name.partition(".")[0]))[-1])


def test_statics_actuators_and_kept_reactions(crane: Path) -> None:
    assert "at rest" in succeeded("forces", crane, "--static")
    assert "pin" in succeeded("forces", crane, "--actuators", "pin", "--keep", "pin")
    assert "did you mean pin?" in refused("forces", crane, "--actuators", "pinn")
    assert "unknown format .txt" in refused("forces", crane, "--out", "f.txt")


def test_without_masses_it_says_so(tmp_path: Path) -> None:
    file = written(tmp_path, CRANE[: CRANE.index("forces =")].replace("mass = 2, ", "").replace("inertia = 1e6, ", ""))
    assert "no body has a mass and no forces act" in run("forces", file, "--steps", "2").stderr


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('type = "torque"', 'type = "torqe"', "torqe"),
        ("stiffness = 0.01", "stifness = 0.01", "did you mean stiffness?"),
        ('joint = "pin", force', 'joint = "pim", force', "did you mean pin?"),
        ('point = "tip", force', 'point = "tap", force', "did you mean tip?"),
        ("mass = 2,", "mass = -2,", "mass"),
        ("center = [500, 0], ", "", "give its `center`"),
        ("inertia = 1e6", "inertia = { xx = 1 }", "one number in the plane"),
        ("gravity = [0, -9.81]", "gravity = [0, 0, -9.81]", "2 numbers in the plane"),
        ('force = "kN"', 'force = "kn"', "kN"),
    ],
)
def test_what_is_wrong_in_a_file_is_told(tmp_path: Path, old: str, new: str, message: str) -> None:
    assert old in CRANE
    assert message in refused("forces", written(tmp_path, CRANE.replace(old, new), "crane.toml"))


@pytest.mark.parametrize("name", ["geared_press", "stewart_inverse", "four_bar"])
@pytest.mark.parametrize("units", [gk.Units("mm", "deg", "g", "kN"), gk.Units("in", "rad", "lb", "lbf"), gk.Units()])
def test_forces_are_written_and_read_again(tmp_path: Path, name: str, units: gk.Units) -> None:
    mechanism = loaded(described(name).mechanism)
    gk.save(mechanism, tmp_path / "a.toml", units=units)
    gk.save(gk.load(tmp_path / "a.toml"), tmp_path / "b.json", units=units)
    found = gk.load(tmp_path / "b.json")
    assert found.forces == gk.load(tmp_path / "a.toml").forces
    times = np.linspace(0.0, 0.3, 3)
    one, other = (gk.inverse_dynamics(each, times) for each in (mechanism, found))
    for driver, force in one.drivers.items():
        assert np.allclose(force, other.driver(driver), rtol=1e-11, atol=1e-11 * np.abs(force).max())


def test_pictures(crane: Path, tmp_path: Path) -> None:
    mechanism = loaded(described("four_bar").mechanism)
    forces = gk.inverse_dynamics(mechanism, np.linspace(0.0, 1.0, 41))
    what = ["driver A", "reaction B", "moment A", "power A", "energy", "energy kinetic", "shaking force"]
    what += ["shaking moment", "speed-torque A", "bearing A"]
    what += [f"force {load.name}" for load in mechanism.forces]
    figure = forces.plot(what, out=tmp_path / "forces.svg")
    text = (tmp_path / "forces.svg").read_text()
    assert "driver A (N mm)" in text
    assert len(figure.axes) == len(what)
    assert "force push (N)" in text
    assert "spring B angle" in text
    turned = forces.plot("force spring B angle").axes[0].lines  # N mm in this file
    assert any(np.allclose(line.get_ydata(), 1e3 * forces.force("spring B angle")) for line in turned)
    drawn = forces.plot("bearing B", axes="crank").axes[0]
    force = forces.reaction("B", axes="crank").force
    line = next(line for line in drawn.lines if len(line.get_xdata()) > 2)
    assert np.allclose(np.stack(line.get_data(), axis=1), force)
    spring = next(load.name for load in mechanism.forces if isinstance(load, gk.Spring))
    (line,) = [each for each in forces.plot(f"force {spring}").axes[0].lines if len(each.get_xdata()) > 2]
    assert np.allclose(line.get_ydata(), forces.force(spring))
    torque, rate = 1e3 * forces.driver("A"), np.degrees(forces.rate("A"))  # N mm and deg/s
    plane = forces.plot("speed-torque A").axes[0]
    assert any(np.allclose(np.stack(x.get_data()), [rate, torque]) for x in plane.lines if len(x.get_xdata()) == 41)
    rms = next(x for x in plane.lines if x.get_gid() == "RMS")
    assert np.allclose(np.abs(rms.get_ydata()), np.sqrt((torque**2).mean()))
    for line in (x for x in plane.lines if str(x.get_gid()).startswith("power")):
        watts = 1e-3 * np.radians(1.0) * np.abs(np.multiply(*line.get_data()))
        assert np.allclose(watts, float(str(line.get_gid()).split()[1]))
    over = forces.plot("reaction B", against="joint A").axes[0]
    assert np.allclose(over.lines[0].get_xdata(), np.degrees(forces.motion.joint("A")[0]))
    for wrong in ("shaking heat", "drivr A", "driver Z", "force Z", "energy heat", "power Z"):
        with pytest.raises(gk.GroupkinError):
            forces.plot(wrong)


def test_teeth_are_written_and_read_again(tmp_path: Path) -> None:
    mechanism = described("geared_press").mechanism
    teeth = {"pressure_angle": float(np.deg2rad(14.5)), "helix_angle": float(np.deg2rad(-8.0))}
    joints = [replace(joint, **teeth) if joint.type == "EO" else joint for joint in mechanism.joints]
    gk.save(replace(mechanism, joints=joints), tmp_path / "a.toml")
    assert "pressure_angle = 14.5, helix_angle = -8" in (tmp_path / "a.toml").read_text()
    found = gk.load(tmp_path / "a.toml")
    assert [joint.pressure_angle for joint in found.joints] == [joint.pressure_angle for joint in joints]


@pytest.mark.parametrize("name", ["eccentric_press", "stewart_inverse"])
def test_forces_are_arrows_in_pictures(tmp_path: Path, name: str) -> None:
    file = described(name)
    mechanism = file.mechanism if name == "eccentric_press" else loaded(file.mechanism)
    forces = gk.inverse_dynamics(mechanism, np.linspace(0.0, file.motion.duration, 11))
    forces.draw(0.3 * file.motion.duration, out=tmp_path / "f.svg")
    text = (tmp_path / "f.svg").read_text()
    assert "forces up to" in text
    for joint, rows in forces.reactions.items():
        assert (f'id="force {joint}"' in text) == (np.abs(rows[-mechanism.dimension :, 3]).max() > 0)
    for load in mechanism.forces:
        if isinstance(load, gk.Spring):
            assert f'id="force {load.name} on' in text
    with pytest.raises(gk.GroupkinError, match="does not reach 99 s"):
        forces.draw(99.0)


WHEEL = """
dimension = 2
units = { length = "mm", angle = "deg", force = "kN" }
gravity = [0, -9.81]
points = { R = [0, 0], W = [0, 300] }
bodies = ["road", { name = "wheel", mass = 100, center = [0, 300], inertia = 5e6 }, "cart"]
joints = [
  { name = "tread", type = "RW", bodies = ["road", "wheel"], points = ["R", "W"], axis = [1, 0], adhesion = 0.2 },
  { name = "axle", type = "CR", bodies = ["cart", "wheel"], point = [0, 300], axis = [0, 1] },
  { name = "level", type = "P", bodies = ["road", "cart"], point = [0, 300], axis = [1, 0] },
]
drivers = [{ joint = "level", law = { type = "harmonic", amplitude = 200, frequency = 1 } }]
motion = { duration = 1, steps = 401 }
"""


def test_slip_of_a_wheel_harmonics_and_plots(tmp_path: Path) -> None:
    file = written(tmp_path, WHEEL, "wheel.toml")
    picture = ("--plot", "speed-torque level", "--picture", tmp_path / "a.svg")
    text = run("forces", file, "--orders", "2", *picture).stdout
    rows = [" ".join(line.split()) for line in text.splitlines()]
    slips = [row for row in rows if row.startswith("tread slip")]
    assert len(slips) == 2
    largest = 5.0 * 0.2 * (2 * np.pi) ** 2 / 0.3**2 / 981.0
    assert f"{largest:.4g} of the normal force 0.25 s" in slips[0]
    total = 0.2 * (2 * np.pi) ** 2 * (100.0 + 5.0 / 0.3**2)
    assert f"driver level kN – {1e-3 * total:.4g} ∠ 90° –" in rows
    assert "force over speed of level" in (tmp_path / "a.svg").read_text()
    data = json.loads(succeeded("forces", file, "--json", "--orders", "1"))
    assert [loss["must"] for loss in data["contact_losses"]] == ["slip", "slip"]
    assert data["harmonics"]["driver level"]["amplitudes"][1] == pytest.approx(total)
    assert "belong together" in run("forces", file, "--plot", "driver level").stderr
    assert "last value must be the first again" in refused("forces", file, "--orders", "2", "--duration", "0.7")


HINGES = """
dimension = 3
units = { length = "mm", angle = "deg" }
gravity = [0, 0, -10]
bodies = ["wall", { name = "door", mass = 10, center = [500, 0, 1000] }]
joints = [
  { name = "low", type = "R", bodies = ["wall", "door"], point = [0, 0, 0], axis = [0, 0, 1] },
  { name = "high", type = "R", bodies = ["wall", "door"], point = [0, 0, 2000], axis = [0, 0, 1] },
]
drivers = [{ joint = "low", law = { type = "constant", value = 0 } }]
motion = { duration = 0, steps = 1 }
"""


def test_what_is_not_determined_is_marked(tmp_path: Path) -> None:
    file = written(tmp_path, HINGES, "door.toml")
    text = " ".join(succeeded("forces", file, "--length", "100000000").split())
    assert "high wall – door 50 N * 0 s 2.5e+04 N mm * 0 s Mz" in text
    assert "the least sum of force² + (moment / 1e+08 mm)² over all joints" in text
    stiff = " ".join(succeeded("forces", file, "--length", "0.001").split())
    assert "high wall – door 55.9 N * 0 s" in stiff  # half of the weight, and a couple of 25 N on 2 m
    assert "length must be a positive number of meters" in refused("forces", file, "--length", "0")
    forces = gk.inverse_dynamics(gk.load(file), [0.0])
    pytest.importorskip("xarray")
    data = forces.to_xarray()
    assert data["moment_determined"].sel(joint="high").values.tolist() == [False, False, True]
    assert not data["force_determined"].any()
    assert "x (not determined)" in [
        text.get_text().replace("\n", " ") for text in forces.plot("reaction low").axes[0].texts
    ]
