"""Motions as labeled arrays and as files: values, units, names, and places that cannot be written."""

from __future__ import annotations

import csv
import errno
import os
import resource
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import xarray as xr
from numpy.typing import NDArray

from groupkin.errors import OutputError
from groupkin.kinematics.motion import motion_files
from groupkin.kinematics.motion.motion import Motion
from groupkin.kinematics.solver import solve
from groupkin.mechanism.files.reading import load
from groupkin.mechanism.laws.laws import Harmonic, Ramp
from groupkin.mechanism.mechanism import Driver, Joint, Mechanism
from groupkin.mechanism.units import Choice
from tests.support import fake_sweep
from tests.support.paths import EXAMPLES
from tests.support.shares import in_part

Array = NDArray[np.float64]

SUFFIXES = [".nc", ".zarr", ".csv", ".npz"]
TIMES = np.linspace(0.0, 1.0, 11)


@cache
def planar() -> Motion:
    return solve(load(EXAMPLES / "four_bar.toml"), TIMES)


@cache
def spatial() -> Motion:
    return solve(load(EXAMPLES / "spatial_four_bar.toml"), TIMES)


@cache
def partial() -> Motion:
    """Its crank is too long for the rocker: only the first steps are solved."""
    points = {"A": (0.0, 0.0), "B": (1.0, 0.0), "C": (2.0, 1.0), "D": (3.0, 0.0)}
    ends = {"A": ("ground", "crank"), "B": ("crank", "coupler"), "C": ("coupler", "rocker"), "D": ("rocker", "ground")}
    joints = [Joint(name, "R", bodies, point=name) for name, bodies in ends.items()]
    mechanism = Mechanism(2, ["ground", "crank", "coupler", "rocker"], joints, [Driver("A", Ramp(3.0))], points=points)
    motion = solve(mechanism, TIMES, on_failure="nan")
    assert 0 < motion.solved.sum() < TIMES.size
    return motion


def arm(body: str = "arm", joint: str = "A", **given: Any) -> Motion:
    """A body that turns and slides on the frame, under any names."""
    joints = [Joint(joint, "FP", ("ground", body))]
    drivers = [Driver(joint, Harmonic(0.1 + k, 1.0, 1.0), name) for k, name in enumerate(("x", "y", "angle"))]
    return solve(Mechanism(2, ["ground", body], joints, drivers, **given), TIMES)


MOTIONS = [pytest.param(motion, id=motion.__name__) for motion in (planar, spatial, partial)]


def listed(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


# --- labeled arrays --------------------------------------------------------------------------


@pytest.mark.parametrize("motion", MOTIONS)
def test_every_value_of_the_dataset_is_the_motions(motion: Callable[[], Motion]) -> None:
    moved = motion()
    data, mechanism = moved.to_xarray(), moved.program.mechanism
    np.testing.assert_array_equal(data.time, moved.times)
    assert data.body.values.tolist() == list(mechanism.movable)
    for body in mechanism.movable:
        of_body = data.sel(body=body)
        for name in ("position", "velocity", "acceleration", "rotation", "angular_velocity", "angular_acceleration"):
            np.testing.assert_array_equal(of_body[name], getattr(moved, name)(body))
    assert set(data.point.values) == set(moved.program.geometry.points)
    for point in moved.program.geometry.points:
        for name in ("position", "velocity", "acceleration"):
            np.testing.assert_array_equal(data[f"point_{name}"].sel(point=point), getattr(moved, name)(point))
    for joint in mechanism.joints:
        names = [f"{joint.name}.{freedom.name}" for freedom in mechanism.freedoms(joint)]
        np.testing.assert_array_equal(data.joint_coordinate.sel(coordinate=names).T, moved.joint(joint.name))
    np.testing.assert_array_equal(data.status.T, moved.status)
    np.testing.assert_array_equal(data.conditioning.T, moved.conditioning)
    assert data.group.values.tolist() == [group.number for group in moved.program.structure.groups]
    assert data.title == mechanism.name


@pytest.mark.parametrize(("motion", "axes"), [(planar, "xy"), (spatial, "xyz")])
def test_dimensions_and_units(motion: Callable[[], Motion], axes: str) -> None:
    data = motion().to_xarray()
    place, turn = ("time", "body", "axis"), ("time", "body") if axes == "xy" else ("time", "body", "axis")
    expected = {
        "position": (place, "m"),
        "velocity": (place, "m/s"),
        "acceleration": (place, "m/s^2"),
        "rotation": (("time", "body", "axis", "local_axis"), "1"),
        "angular_velocity": (turn, "rad/s"),
        "angular_acceleration": (turn, "rad/s^2"),
        "point_position": (("time", "point", "axis"), "m"),
        "point_velocity": (("time", "point", "axis"), "m/s"),
        "point_acceleration": (("time", "point", "axis"), "m/s^2"),
        "conditioning": (("time", "group"), "1"),
    }
    assert {name: (data[name].dims, data[name].units) for name in expected} == expected
    assert set(data.data_vars) == {*expected, "joint_coordinate", "status"}
    assert data.time.units == "s"
    assert data.axis.values.tolist() == data.local_axis.values.tolist() == list(axes)


def test_units_of_joint_coordinates() -> None:
    data = spatial().to_xarray()
    units = dict(zip(data.coordinate.values.tolist(), data.coordinate_units.values.tolist(), strict=True))
    assert units["bore.displacement"] == "m"
    assert units["bore.angle"] == "rad"
    assert {unit for name, unit in units.items() if "angle" in name} == {"rad"}


def test_the_meaning_of_a_status_is_told() -> None:
    data = partial().to_xarray()
    code = int(data.status.sel(group=2)[-1])
    assert f"{code}: cannot assemble" in data.status.meaning


def test_a_frame_alone_has_a_motion_without_bodies(tmp_path: Path) -> None:
    motion = solve(Mechanism(2, ["ground"], []), TIMES)
    data = motion.to_xarray()
    assert data.sizes == {"time": 11, "body": 0, "point": 0, "axis": 2, "local_axis": 2, "coordinate": 0, "group": 0}
    for suffix in SUFFIXES:
        motion.save(tmp_path / f"motion{suffix}")
    assert np.loadtxt(tmp_path / "motion.csv", skiprows=1).tolist() == TIMES.tolist()


# --- tables ----------------------------------------------------------------------------------


@pytest.mark.parametrize("motion", MOTIONS)
def test_every_column_is_the_motions(motion: Callable[[], Motion]) -> None:
    moved = motion()
    names, values = motion_files.table(moved)
    assert len(set(names)) == len(names)
    columns = dict(zip(names, values, strict=True))
    np.testing.assert_array_equal(columns.pop("time [s]"), moved.times)
    axes = "xyz"[: moved.program.mechanism.dimension]
    for place in (*moved.program.mechanism.movable, *moved.program.geometry.points):
        for prefix, unit, name in (("", "m", "position"), ("v", "m/s", "velocity"), ("a", "m/s^2", "acceleration")):
            found = [columns.pop(f"{place}.{prefix}{axis} [{unit}]") for axis in axes]
            np.testing.assert_array_equal(found, getattr(moved, name)(place).T)
    for body in moved.program.mechanism.movable:
        for word, unit, name in (("omega", "rad/s", "angular_velocity"), ("alpha", "rad/s^2", "angular_acceleration")):
            endings = [""] if len(axes) == 2 else [f"_{axis}" for axis in axes]
            found = [columns.pop(f"{body}.{word}{ending} [{unit}]") for ending in endings]
            np.testing.assert_array_equal(np.squeeze(found), getattr(moved, name)(body).T)
        if len(axes) == 2:
            np.testing.assert_array_equal(columns.pop(f"{body}.angle [rad]"), moved.angle(body))
        else:
            found = [columns.pop(f"{body}.r{i}{j} [1]") for i in axes for j in axes]
            np.testing.assert_array_equal(np.array(found).T.reshape(-1, 3, 3), moved.rotation(body))
    for joint in moved.program.mechanism.joints:
        for freedom, row in zip(moved.program.mechanism.freedoms(joint), moved.joint(joint.name), strict=True):
            np.testing.assert_array_equal(columns.pop(f"{joint.name}.{freedom.name} [{freedom.unit}]"), row)
    for group in moved.program.structure.groups:
        np.testing.assert_array_equal(
            columns.pop(f"group {group.number}.status [code]"), moved.status[group.number - 1]
        )
    assert not columns


def test_what_bears_one_name_is_told_apart() -> None:
    joints = [Joint("A", "R", ("ground", "A"), point=(0, 0), reference=0.5), Joint("B", "R", ("A", "B"), point="P")]
    drivers = [Driver("A", Ramp(1.0, 0.5)), Driver("B", Ramp(1.0))]
    moved = solve(Mechanism(2, ["ground", "B", "A"], joints, drivers, points={"P": (1, 0)}), TIMES)
    for motion in (arm("A", "A"), moved):
        names, values = motion_files.table(motion)
        assert len(set(names)) == len(names)
    columns = dict(zip(names, values, strict=True))
    np.testing.assert_array_equal(columns["A.x [m]"], 0.0)  # the body's origin
    assert columns["P.x [m]"][0] == pytest.approx(1.0)
    np.testing.assert_array_equal(columns["A.angle [rad]"], moved.angle("A"))
    np.testing.assert_array_equal(columns["joint A.angle [rad]"], moved.joint("A")[0])
    assert columns["joint A.angle [rad]"][0] == pytest.approx(0.5 + columns["A.angle [rad]"][0])


# --- files -----------------------------------------------------------------------------------


@contextmanager
def silent() -> Iterator[None]:
    """No warnings: users would see them."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


def opened(path: Path) -> xr.Dataset:
    if path.suffix == ".zarr":
        return xr.open_zarr(path, consolidated=False).load()
    with xr.open_dataset(path, engine="h5netcdf") as data:
        return data.load()


@pytest.mark.smoke
@pytest.mark.parametrize("motion", MOTIONS)
@pytest.mark.parametrize("suffix", [".nc", ".zarr"])
def test_datasets_come_back_as_they_were(tmp_path: Path, motion: Callable[[], Motion], suffix: str) -> None:
    path, data = tmp_path / f"motion{suffix}", motion().to_xarray()
    with silent():
        motion().save(path)
        found = opened(path)
    assert set(found.variables) == set(data.variables)
    for name, variable in data.variables.items():
        assert found[name].dims == variable.dims
        assert found[name].attrs == variable.attrs
        np.testing.assert_array_equal(found[name].values, variable.values)
        if variable.dtype.kind != "U":
            assert found[name].dtype == variable.dtype
    assert found.attrs == data.attrs
    assert listed(tmp_path) == [path.name]


@pytest.mark.parametrize("motion", MOTIONS)
def test_csv_comes_back_as_it_was(tmp_path: Path, motion: Callable[[], Motion]) -> None:
    motion().save(tmp_path / "motion.csv")
    names, values = motion_files.table(motion())
    found = np.loadtxt(tmp_path / "motion.csv", delimiter=",", skiprows=1)
    np.testing.assert_array_equal(found, np.stack(values, axis=1))
    with (tmp_path / "motion.csv").open(newline="") as file:
        assert next(csv.reader(file)) == names
    assert listed(tmp_path) == ["motion.csv"]


@pytest.mark.smoke
@pytest.mark.parametrize("motion", MOTIONS)
def test_npz_comes_back_as_it_was(tmp_path: Path, motion: Callable[[], Motion]) -> None:
    motion().save(str(tmp_path / "motion.npz"))
    names, values = motion_files.table(motion())
    with np.load(tmp_path / "motion.npz") as found:
        assert found["names"].tolist() == names
        np.testing.assert_array_equal(found["values"], np.stack(values, axis=1))
        np.testing.assert_array_equal(found["status"], motion().status)
        np.testing.assert_array_equal(found["conditioning"], motion().conditioning)
    assert listed(tmp_path) == ["motion.npz"]


def test_csv_is_written_in_parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    partial().save(tmp_path / "whole.csv")
    monkeypatch.setattr(motion_files, "ROWS", 4)
    partial().save(tmp_path / "parts.csv")
    assert (tmp_path / "parts.csv").read_bytes() == (tmp_path / "whole.csv").read_bytes()
    assert (tmp_path / "whole.csv").read_text().count("\n") == 1 + TIMES.size


@pytest.mark.smoke
def test_csv_is_read_by_pandas(tmp_path: Path) -> None:
    import pandas as pd

    partial().save(tmp_path / "motion.csv")
    data = pd.read_csv(tmp_path / "motion.csv", dtype=str).astype(float)  # its own reading misses last bits
    names, values = motion_files.table(partial())
    assert list(data.columns) == names
    np.testing.assert_array_equal(data.to_numpy(), np.stack(values, axis=1))


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_suffixes_may_be_capitals(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"MOTION{suffix.upper()}"
    planar().save(path)
    planar().save(path)
    assert listed(tmp_path) == [path.name]
    planar().save(tmp_path / f"other{suffix}")
    if suffix in (".csv", ".npz"):
        assert path.stat().st_size == (tmp_path / f"other{suffix}").stat().st_size
    else:
        path = path.rename(tmp_path / f"renamed{suffix}")
        assert opened(path).identical(opened(tmp_path / f"other{suffix}"))


def test_no_conventions_are_claimed() -> None:
    attributes = planar().to_xarray().attrs
    assert attributes == {"title": "Four-bar linkage", "comment": "meters, radians, seconds; global components"}


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_any_names_can_be_written(tmp_path: Path, suffix: str) -> None:
    body, joint = 'Gelenk "1", links/rechts', "ζεύξη [α]"
    motion, path = arm(body, joint), tmp_path / f"Bewegung ü{suffix}"
    with silent():
        motion.save(path)
    first = f"{body}.x [m]"
    if suffix == ".csv":
        with path.open(newline="", encoding="utf-8") as file:
            names = next(csv.reader(file))
        values = np.loadtxt(path, delimiter=",", skiprows=1, encoding="utf-8")
        np.testing.assert_array_equal(values[:, names.index(first)], motion.position(body)[:, 0])
        assert f"{joint}.angle [rad]" in names
    elif suffix == ".npz":
        with np.load(path) as found:
            assert first in found["names"]
    else:
        found = opened(path)
        np.testing.assert_array_equal(found.position.sel(body=body), motion.position(body))
        np.testing.assert_array_equal(found.joint_coordinate.sel(coordinate=f"{joint}.x"), motion.joint(joint)[0])


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_an_older_file_is_replaced(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"motion{suffix}"
    spatial().save(path)
    planar().save(path)
    assert listed(tmp_path) == [path.name]
    if suffix == ".zarr":
        assert opened(path).title == planar().program.mechanism.name
    else:
        planar().save(tmp_path / f"other{suffix}")
        assert path.stat().st_size == (tmp_path / f"other{suffix}").stat().st_size


# --- places that cannot be written -----------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("motion.txt", "unknown format .txt; use .nc, .zarr, .csv or .npz"),
        ("motion", r"unknown format \(no suffix\)"),
        ("nowhere/motion.nc", "the folder .*nowhere does not exist; create it first"),
        ("file/motion.nc", "the folder .*file does not exist"),
        ("folder.csv", "exists and is no file; choose another name"),
        ("folder.zarr", "exists and is no motion that groupkin has written; choose another name"),
        ("file.zarr", "exists and is no folder"),
        (300 * "n" + ".csv", "n.csv cannot be written: File name too long; choose a shorter name"),
        (300 * "n" + ".zarr", "n.zarr cannot be written: File name too long; choose a shorter name"),
        ("a\0b.csv", "cannot be written: .*null"),
        ("circle.csv", "cannot be written: Too many levels of symbolic links"),
    ],
)
@pytest.mark.parametrize(
    "attempt", [motion_files.check_target, lambda path: planar().save(path)], ids=["check", "save"]
)
def test_targets_that_cannot_be_are_refused(
    tmp_path: Path, attempt: Callable[[Path], None], name: str, message: str
) -> None:
    for taken in ("folder.csv", "folder.zarr"):
        (tmp_path / taken).mkdir()
        (tmp_path / taken / "precious").write_text("kept")
    for taken in ("file", "file.zarr"):
        (tmp_path / taken).write_text("kept")
    (tmp_path / "circle.csv").symlink_to("circle.csv")
    before = sorted(tmp_path.rglob("*"))
    with pytest.raises(OutputError, match=message):
        attempt(tmp_path / name)
    assert sorted(tmp_path.rglob("*")) == before
    assert {path.read_text() for path in before if path.is_file()} == {"kept"}


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_targets_that_can_be_leave_no_trace_of_the_check(tmp_path: Path, suffix: str) -> None:
    motion_files.check_target(tmp_path / f"motion{suffix}")
    assert not listed(tmp_path)


def test_an_empty_folder_may_become_a_store(tmp_path: Path) -> None:
    (tmp_path / "motion.zarr").mkdir()
    planar().save(tmp_path / "motion.zarr")
    assert opened(tmp_path / "motion.zarr").sizes["time"] == TIMES.size


@pytest.mark.skipif(not Path("/proc/self").is_dir(), reason="no folder that nobody can write to")
@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_folder_that_cannot_be_written_is_refused_at_once(suffix: str) -> None:
    with pytest.raises(OutputError, match=rf"/proc/motion{suffix} cannot be written: .*; choose another place"):
        motion_files.check_target(f"/proc/motion{suffix}")


@pytest.mark.parametrize(("suffix", "package"), [(".nc", "xarray"), (".nc", "h5netcdf"), (".zarr", "zarr")])
def test_a_missing_package_is_named_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, suffix: str, package: str
) -> None:
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(OutputError, match=rf"package {package}: pip install 'groupkin\[io\]'"):
        motion_files.check_target(tmp_path / f"motion{suffix}")
    motion_files.check_target(tmp_path / "motion.csv")


@contextmanager
def largest_file(size: int) -> Iterator[None]:
    """Files cannot grow beyond some bytes, as on a full disk."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@pytest.mark.parametrize("older", [True, False], ids=["with an older file", "without"])
@pytest.mark.parametrize("suffix", SUFFIXES)
def test_when_the_disk_is_full_the_older_file_stays(tmp_path: Path, suffix: str, older: bool) -> None:
    path = tmp_path / f"motion{suffix}"
    if older:
        spatial().save(path)
    before = {found: found.read_bytes() for found in tmp_path.rglob("*") if found.is_file()}
    with largest_file(50), pytest.raises(OutputError, match=f"motion{suffix} cannot be written: File too large"):
        planar().save(path)
    assert {found: found.read_bytes() for found in tmp_path.rglob("*") if found.is_file()} == before
    assert len(listed(tmp_path)) == older


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_what_was_half_written_is_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, suffix: str) -> None:
    halves = []

    def fail(motion: Motion, path: Path, units: str) -> None:
        if suffix == ".zarr":
            (path / "zarr.json").write_text("half")
        else:
            path.write_text("half")
        halves.append(path)
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    path = tmp_path / f"motion{suffix}"
    planar().save(path)
    size = path.stat().st_size
    monkeypatch.setattr(motion_files, {".nc": "_netcdf"}.get(suffix, f"_{suffix[1:]}"), fail)
    with pytest.raises(OutputError, match=r"cannot be written: No space left on device; free some space on the disk"):
        planar().save(path)
    assert halves
    assert halves != [path]
    assert listed(tmp_path) == [path.name]
    assert path.stat().st_size == size


# --- what may be replaced --------------------------------------------------------------------


def another_dataset(path: Path) -> None:
    xr.Dataset({"position": ("time", TIMES)}, attrs=planar().to_xarray().attrs).to_zarr(path, consolidated=False)


def with_a_note(path: Path) -> None:
    planar().save(path)
    (path / "position" / "note.txt").write_text("precious")


def with_another_array(path: Path) -> None:
    planar().save(path)
    xr.Dataset({"torque": ("time", TIMES)}).to_zarr(path, mode="a", consolidated=False)


def with_a_link(path: Path) -> None:
    planar().save(path)
    (path / "note").symlink_to("nowhere")


def batch_store(path: Path) -> None:
    fake_sweep.batch(fake_sweep.Sweep(), path)


@pytest.mark.parametrize(
    "attempt", in_part([motion_files.check_target, lambda path: planar().save(path)], 4), ids=["check", "save"]
)
@pytest.mark.parametrize("make", [another_dataset, with_a_note, with_another_array, with_a_link, batch_store])
def test_a_folder_that_is_no_motion_is_not_replaced(
    tmp_path: Path, attempt: Callable[[Path], None], make: Callable[[Path], None]
) -> None:
    path = tmp_path / "kept.zarr"
    make(path)
    before = {file: file.read_bytes() for file in path.rglob("*") if file.is_file()}
    with pytest.raises(OutputError, match="exists and is no motion that groupkin has written"):
        attempt(path)
    assert {file: file.read_bytes() for file in path.rglob("*") if file.is_file()} == before
    assert listed(tmp_path) == ["kept.zarr"]


def test_the_arrays_of_a_motion_are_those_it_is_known_by() -> None:
    for motion in (planar(), spatial(), partial()):
        assert set(motion.to_xarray().variables) == motion_files.ARRAYS


def test_what_takes_the_place_of_a_motion_while_it_is_written_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, written = tmp_path / "motion.zarr", motion_files._zarr

    def overtaken(motion: Motion, aside: Path, units: Choice) -> None:
        written(motion, aside, units)
        path.mkdir()
        (path / "precious").touch()

    monkeypatch.setattr(motion_files, "_zarr", overtaken)
    with pytest.raises(OutputError, match=r"motion.zarr exists and has just been changed"):
        planar().save(path)
    assert listed(tmp_path) == ["motion.zarr"]
    assert listed(path) == ["precious"]


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_two_that_save_under_one_name_do_not_collide(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, suffix: str
) -> None:
    path, name = tmp_path / f"motion{suffix}", {".nc": "_netcdf"}.get(suffix, f"_{suffix[1:]}")
    written = getattr(motion_files, name)

    def overtaken(motion: Motion, aside: Path, units: Choice) -> None:
        written(motion, aside, units)
        monkeypatch.setattr(motion_files, name, written)
        spatial().save(path)

    monkeypatch.setattr(motion_files, name, overtaken)
    planar().save(path)
    assert listed(tmp_path) == [path.name]
    planar().save(tmp_path / f"other{suffix}")
    if suffix == ".zarr":
        assert opened(path).identical(opened(tmp_path / "other.zarr"))
    else:
        assert path.stat().st_size == (tmp_path / f"other{suffix}").stat().st_size


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_names_like_those_of_drafts_belong_to_the_user(tmp_path: Path, suffix: str) -> None:
    own, victim = tmp_path / f".motion.partial{suffix}", tmp_path / "victim"
    victim.write_text("precious")
    for make in (lambda: own.write_text("precious"), lambda: own.symlink_to(victim)):
        own.unlink(missing_ok=True)
        make()
        planar().save(tmp_path / f"motion{suffix}")
        assert own.read_text() == victim.read_text() == "precious"
    assert listed(tmp_path) == sorted([own.name, f"motion{suffix}", "victim"])


@pytest.mark.parametrize("suffix", in_part(SUFFIXES, 3))
@pytest.mark.parametrize("before", ["nothing", "a motion", "an empty folder"])
def test_a_link_stays_and_what_it_points_to_is_replaced(tmp_path: Path, suffix: str, before: str) -> None:
    disk = tmp_path / "disk"
    disk.mkdir()
    path, target = tmp_path / f"motion{suffix}", disk / f"kept{suffix}"
    path.symlink_to(target)
    if before == "a motion":
        spatial().save(target)
    elif before == "an empty folder" and suffix == ".zarr":
        target.mkdir()
    motion_files.check_target(path)
    planar().save(path)
    assert path.is_symlink()
    assert listed(disk) == [target.name]
    planar().save(tmp_path / f"other{suffix}")
    if suffix == ".zarr":
        assert opened(target).identical(opened(tmp_path / "other.zarr"))
    else:
        assert target.stat().st_size == (tmp_path / f"other{suffix}").stat().st_size


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_the_longest_names_are_written(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"{'n' * (255 - len(suffix))}{suffix}"
    motion_files.check_target(path)
    planar().save(path)
    assert listed(tmp_path) == [path.name]


# --- a motion that cannot be written ---------------------------------------------------------


def test_a_motion_that_cannot_be_written_is_kept_and_the_message_says_where(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(motion: Motion, path: Path, units: str) -> None:
        raise ValueError("VLEN strings do not support embedded NULLs")

    place = tmp_path / "temporary"
    place.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(place))
    monkeypatch.setattr(motion_files, "_netcdf", refuse)
    with pytest.raises(OutputError, match=r"cannot be written as .nc: VLEN .*; choose another format") as refused:
        motion_files.save_or_keep(planar(), tmp_path / "motion.nc")
    (kept,) = place.iterdir()
    assert str(refused.value).endswith(f"The motion is kept in {kept}")
    planar().save(tmp_path / "other.npz")
    assert kept.read_bytes() == (tmp_path / "other.npz").read_bytes()
    assert listed(tmp_path) == ["other.npz", "temporary"]


def test_that_a_motion_cannot_be_kept_either_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = tmp_path / "temporary"
    place.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(place))
    with (
        largest_file(50),
        pytest.raises(OutputError, match=r"csv cannot be written: .*\. Nor can the motion be kept in"),
    ):
        motion_files.save_or_keep(planar(), tmp_path / "motion.csv")
    assert not listed(place)
