"""What is kept of a motion, and units of results: the same in datasets, tables and files."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest
import xarray as xr

import groupkin as gk
from groupkin.errors import ArgumentError, OutputError, QuantityError, UnknownNameError
from groupkin.kinematics.motion.labeled_arrays import table
from groupkin.mechanism.units import Units
from tests.support.mechanisms import FOUR_BAR

TIMES = np.linspace(0.0, 0.5, 6)
KEEP = [
    "velocity P",
    "P.x",
    "tilt",
    "arm",
    "joint b",
    "rotation crank",
    "output_rate tilt",
    "conditioning",
    "output time",
]
LABELS = {
    "P.velocity": "m/s",
    "P.position.x": "m",
    "tilt": "rad",
    "arm": "m",
    "b.joint": "rad",
    "crank.rotation": "1",
    "tilt.output_rate": "rad/s",
    "conditioning": "1",
    "output time": "m^2",
}
OUTPUTS = {"tilt": "atan2({arm.y}, {arm.x})", "arm": "{position P} - {position C}", "time": "norm({arm}) * 3 mm"}
FILE = Units("mm", "deg")
IN_FILE = {"m": (1e3, "mm"), "m/s": (1e3, "mm/s"), "m/s^2": (1e3, "mm/s^2"), "m^2": (1e6, "mm^2"), "1": (1.0, "1")} | {
    f"rad{per}": (180.0 / np.pi, f"deg{per}") for per in ("", "/s", "/s^2")
}


@cache
def kept() -> gk.Motion:
    return gk.solve(replace(FOUR_BAR, outputs=OUTPUTS, units=FILE), TIMES, keep=KEEP)


def test_a_dataset_holds_what_is_kept() -> None:
    data = kept().to_xarray()
    assert {str(name): data[name].units for name in data.data_vars} == LABELS
    for text, name in zip(KEEP, LABELS, strict=True):
        np.testing.assert_array_equal(data[name], kept().read(text))
        assert data[name].long_name == str(gk.quantity(text, kept().program))
    assert set(data.coords) == {"time", "axis", "local_axis"}
    assert data["P.velocity"].dims == ("time", "axis")
    assert data["crank.rotation"].dims == ("time", "axis", "local_axis")


def test_without_keep_all_is_held_and_outputs_are_with_it() -> None:
    whole = replace(kept(), keep=None).to_xarray()
    assert {"tilt", "arm", "output time", "position", "status"} <= set(whole.data_vars)
    np.testing.assert_array_equal(whole["arm"], kept().read("arm"))
    names, columns = table(replace(kept(), keep=None))
    assert names[-4:] == ["tilt [rad]", "arm.x [m]", "arm.y [m]", "output time [m^2]"]
    np.testing.assert_array_equal(columns[-3], kept().read("arm.x"))


def test_all_can_be_read_still() -> None:
    assert kept().acceleration("rocker").shape == (6, 2)
    again = gk.solve(kept().program, TIMES, out=kept())
    assert again.keep is None
    assert gk.solve(kept().program, TIMES, keep=["P"], out=again).keep == (gk.Quantity("position", "P"),)
    assert kept().at(np.array([1, 2])).to_xarray().sizes["time"] == 2


def test_a_failed_motion_keeps_the_same() -> None:
    points = dict(FOUR_BAR.points) | {"B": (1.0, 0.0), "C": (2.0, 1.0)}
    with pytest.raises(gk.GroupkinError) as failed:
        gk.solve(replace(FOUR_BAR, points=points), TIMES, keep=["P", "P"])
    assert failed.value.motion.keep == (gk.Quantity("position", "P"),)  # type: ignore[attr-defined]


@pytest.mark.parametrize("choice", ["file", FILE])
@pytest.mark.parametrize("all_of_it", [False, True])
def test_units_are_converted_and_told(choice: str | Units, all_of_it: bool) -> None:
    motion = replace(kept(), keep=None) if all_of_it else kept()
    data, other = motion.to_xarray(), motion.to_xarray(units=choice)  # type: ignore[arg-type]
    for name in data.data_vars:
        if "units" in data[name].attrs:
            factor, unit = IN_FILE[data[name].units]
            assert other[name].units == unit
            np.testing.assert_allclose(other[name], factor * data[name], rtol=1e-15)
    np.testing.assert_array_equal(other.time, data.time)
    assert (data.comment, other.comment) == (
        "meters, radians, seconds; global components",
        "lengths in mm, angles in deg, seconds; global components",
    )
    if all_of_it:
        assert set(other.coordinate_units.values) == {"deg"}
        np.testing.assert_allclose(other.joint_coordinate, np.rad2deg(data.joint_coordinate), rtol=1e-15)
    (names, columns), (others, scaled) = table(motion), table(motion, choice)  # type: ignore[arg-type]
    for name, column, other_name, values in zip(names, columns, others, scaled, strict=True):
        label, unit = name[:-1].split(" [")
        factor, expected = IN_FILE.get(unit, (1.0, unit))
        assert other_name == f"{label} [{expected}]"
        np.testing.assert_allclose(values, factor * column, rtol=1e-15)


def test_units_of_the_coordinates_of_a_joint_that_turns_and_slides() -> None:
    joint = gk.Joint("pose", "FP", ("ground", "arm"))
    drivers = [gk.Driver("pose", gk.Ramp(0.5), name) for name in ("x", "y", "angle")]
    mechanism = gk.Mechanism(2, ["ground", "arm"], [joint], drivers, units=FILE)
    motion = gk.solve(mechanism, TIMES, keep=["joint pose", "joint_rate pose.angle"])
    data = motion.to_xarray(units="file")
    assert data["pose.joint"].units == "mm, mm, deg"
    np.testing.assert_allclose(data["pose.joint"][-1], [250.0, 250.0, np.rad2deg(0.25)], rtol=1e-14)
    assert data.freedom_pose.values.tolist() == ["x", "y", "angle"]
    assert table(motion, "file")[0][1:4] == ["pose.joint.x [mm]", "pose.joint.y [mm]", "pose.joint.angle [deg]"]


@pytest.mark.parametrize("suffix", [".nc", ".zarr", ".csv", ".npz"])
def test_files_hold_what_is_kept(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"motion{suffix}"
    replace(kept(), keep=None).save(path)  # which is replaced
    kept().save(path, units="file")
    kept().save(path, units="file")
    names, columns = table(kept(), "file")
    if suffix == ".csv":
        assert path.read_text().split("\n")[0] == ",".join(names)
        np.testing.assert_array_equal(np.loadtxt(path, delimiter=",", skiprows=1), np.stack(columns, axis=1))
    elif suffix == ".npz":
        with np.load(path) as data:
            assert set(data) == {"names", "values"}
            assert data["names"].tolist() == names
    else:
        expected = kept().to_xarray(units="file")
        opened = xr.open_zarr(path, consolidated=False) if suffix == ".zarr" else xr.open_dataset(path)
        with opened as data:
            assert set(data.variables) == set(expected.variables)
            for name in expected.data_vars:
                np.testing.assert_array_equal(data[name], expected[name])
                assert data[name].units == expected[name].units


def test_a_folder_to_which_something_was_added_is_no_motion(tmp_path: Path) -> None:
    path = tmp_path / "motion.zarr"
    kept().save(path)
    xr.Dataset({"torque": ("time", TIMES)}).to_zarr(path, mode="a", consolidated=False)
    with pytest.raises(OutputError, match=r"exists and is no motion"):
        kept().save(path)


@pytest.mark.parametrize("suffix", [".nc", ".zarr"])
def test_names_with_slashes_are_refused_where_they_would_be_groups(tmp_path: Path, suffix: str) -> None:
    motion = gk.solve(replace(FOUR_BAR, outputs={"a/b": "{P.x}"}), TIMES, keep=["a/b"])
    with pytest.raises(OutputError, match=r"the name 'a/b' has a slash; choose another format"):
        motion.save(tmp_path / f"motion{suffix}")
    motion.save(tmp_path / "motion.csv")
    assert (tmp_path / "motion.csv").read_text().startswith("time [s],a/b [m]\n")


def test_what_cannot_be_kept_is_refused_before_anything_is_solved() -> None:
    for keep, error, message in (
        (["position Q"], UnknownNameError, r"there is no body or point 'Q'"),
        (["spring rate"], QuantityError, r"there is no kind 'spring'"),
        ([], QuantityError, r"nothing is kept: name a quantity"),
        ("position P", QuantityError, r"keep must be a list of quantities, not 'position P'"),
        ([3], ArgumentError, r"keep\[0\] must be a text or a Quantity, not 3"),
    ):
        with pytest.raises(error, match=message):
            gk.solve(FOUR_BAR, [np.inf], keep=keep)
    with pytest.raises(ArgumentError, match=r"units must be 'file' or 'SI' or a Units, not 'inch'"):
        kept().to_xarray(units="inch")
