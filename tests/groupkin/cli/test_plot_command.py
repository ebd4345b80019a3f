"""The command ``plot``."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.support.command_line import FOUR_BAR, LINKAGE, refused, run, written


@pytest.mark.parametrize(("suffix", "start"), [(".svg", b"<?xml"), (".png", b"\x89PNG"), (".pdf", b"%PDF")])
def test_every_format(tmp_path: Path, suffix: str, start: bytes) -> None:
    file = tmp_path / f"plot{suffix}"
    result = run("plot", FOUR_BAR, "joint D", "position P", "--steps", 11, "--out", file)
    assert result.exit_code == 0, result.stderr
    assert f"written: {file}" in result.stderr
    assert file.read_bytes().startswith(start)


def test_options_of_the_motion_and_of_the_plot(tmp_path: Path) -> None:
    file = tmp_path / "plot.svg"
    options = ("--against", "joint A", "--steps", 21, "--duration", 0.5, "--width", 178, "--modes", "rocker=2")
    result = run("plot", FOUR_BAR, "joint D", *options, "--out", file)
    assert result.exit_code == 0, result.stderr
    svg = file.read_text()
    assert "joint A (°)" in svg
    assert 'width="504.56' in svg  # points
    plain = tmp_path / "plain.svg"
    assert run("plot", FOUR_BAR, "joint D", *options[:-2], "--out", plain).exit_code == 0
    assert plain.read_text() != svg


def test_a_motion_that_solve_has_written(tmp_path: Path) -> None:
    pytest.importorskip("h5netcdf")
    for suffix in ("nc", "zarr"):
        stored, file = tmp_path / f"motion.{suffix}", tmp_path / f"{suffix}.svg"
        assert run("solve", FOUR_BAR, "--steps", 11, "--out", stored).exit_code == 0
        assert run("plot", stored, "joint D", "--out", file).exit_code == 0
        assert "joint D (rad)" in file.read_text()
        message = refused("plot", stored, "angle rocker", "--out", file)
        assert "the motion has no `angle rocker`" in message
        assert "It has position, velocity, acceleration of crank, coupler, rocker, A, B" in message
        result = run("plot", stored, "joint D", "--steps", 5, "--out", file)
        assert (result.exit_code, "belong to mechanism files" in result.stderr) == (2, True)
    (tmp_path / "broken.nc").write_text("no netCDF")
    assert "cannot be read as a motion" in refused("plot", tmp_path / "broken.nc", "joint D", "--out", file)
    assert "does not exist" in refused("plot", tmp_path / "none.nc", "joint D", "--out", file)


def test_a_stored_motion_is_plotted_in_the_units_in_which_it_was_written(tmp_path: Path) -> None:
    pytest.importorskip("h5netcdf")
    stored, file = tmp_path / "motion.nc", tmp_path / "plot.svg"
    for units, label in (("file", "joint D (°)"), ("SI", "joint D (rad)")):
        assert run("solve", FOUR_BAR, "--steps", 11, "--units", units, "--out", stored).exit_code == 0
        assert run("plot", stored, "joint D", "--out", file).exit_code == 0
        assert label in file.read_text()


@pytest.mark.parametrize("suffix", ["nc", "zarr"])
def test_what_solve_has_kept_is_plotted_by_the_texts_of_keep(tmp_path: Path, suffix: str) -> None:
    pytest.importorskip("h5netcdf")
    stored, file, keep = tmp_path / f"kept.{suffix}", tmp_path / "plot.svg", ("position P", "joint D", "angle rocker")
    options = [word for text in keep for word in ("--keep", text)]
    assert run("solve", FOUR_BAR, "--steps", 11, *options, "--out", stored).exit_code == 0
    result = run("plot", stored, *keep, "position P.x", "--against", "joint D", "--out", file)
    assert result.exit_code == 0, result.stderr
    message = refused("plot", stored, "joint C", "--out", file)
    assert {f"`{text}`" for text in keep} == set(message.partition("It has ")[2].strip().split(", "))


def test_steps_that_fail_are_reported_and_noted(tmp_path: Path) -> None:
    result = run("plot", written(tmp_path, LINKAGE), "joint D", "--out", tmp_path / "x.svg")
    assert result.exit_code == 0, result.stderr
    assert "failed: group 2 (coupler, rocker): cannot assemble from t = " in result.stderr
    assert "of 51 steps not solved (shaded)" in (tmp_path / "x.svg").read_text()


def test_a_motion_of_which_no_step_is_solved(tmp_path: Path) -> None:
    never = LINKAGE.replace("rate = 3.0", "rate = 0.0, start = 2.5")
    assert "no step was solved" in refused("plot", written(tmp_path, never), "joint D", "--out", tmp_path / "x.svg")
    assert not (tmp_path / "x.svg").exists()


def test_what_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    out = ("--out", tmp_path / "x.svg")
    assert "there is no body or point 'Q'; there are ground, crank" in refused("plot", FOUR_BAR, "velocity Q", *out)
    assert "there is no kind 'speed'" in refused("plot", FOUR_BAR, "speed P", *out)
    assert "can be read as `position A` or `joint A`" in refused("plot", FOUR_BAR, "A", *out)
    assert "there is no joint 'Q'" in refused("plot", FOUR_BAR, "joint D", "--against", "joint Q", *out)
    assert "a picture ends in" in refused("plot", FOUR_BAR, "joint D", "--out", tmp_path / "x.gif")
    for name in ("motion.csv", "motion.npz"):
        message = refused("plot", name, "joint D", *out)
        assert "a mechanism file ends in .toml or .json, a motion that is plotted in .nc or .zarr, not" in message
    assert "width must be from 50" in refused("plot", FOUR_BAR, "joint D", "--width", "3", *out)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    assert "pip install 'groupkin[look]'" in refused("plot", FOUR_BAR, "joint D", *out)
    assert list(tmp_path.iterdir()) == []
