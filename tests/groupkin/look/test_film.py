"""Films: frames that show the mechanism where it is."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path as File

import numpy as np
import pytest
from matplotlib.path import Path
from PIL import Image

import groupkin as gk
from groupkin.errors import ArgumentError, OutputError, UnknownNameError
from groupkin.look.film import _film, ffmpeg, write_film
from groupkin.look.scenes.configurations import configuration_at, shown_as
from groupkin.look.scenes.plane_scene import plane_scene
from groupkin.look.scenes.sight import SCREEN
from tests.support.joint_ranges import piston, ranged
from tests.support.paths import EXAMPLES


def motion(name: str, steps: int = 9) -> gk.Motion:
    described = gk.read(EXAMPLES / f"{name}.toml")
    return gk.solve(described.mechanism, np.linspace(*described.motion.times[[0, -1]], steps))


@pytest.mark.smoke
def test_plane_frames_are_the_still_pictures() -> None:
    solved = motion("four_bar")
    figure, update = _film(configuration_at(solved, 0), solved, {})
    update(5)
    still = plane_scene(configuration_at(solved, 5))
    for shape in still.shapes:
        if shape.gid.startswith("driver"):  # which show the sense of the first step
            continue
        artists = figure.findobj(lambda artist, gid=shape.gid: artist.get_gid() == gid)
        outlines = [artist.get_xy() if hasattr(artist, "get_xy") else artist.get_xydata() for artist in artists]
        places = [Path(outline).interpolated(400).vertices for outline in outlines]
        wanted = shape.points[~np.isnan(shape.points).any(axis=1)]
        reach = 0.14 * still.r  # a side of the polygons that circles are, which turn in films only
        assert any(
            all(np.nanmin(np.linalg.norm(place - point, axis=1)) < reach for point in wanted) for place in places
        ), shape.gid


def test_bodies_in_space_cover_their_points_in_every_frame() -> None:
    solved = motion("stewart_inverse")
    figure, update = _film(configuration_at(solved, 0), solved, {})
    from matplotlib.patches import Polygon

    update(4)
    areas = [area.get_path() for area in figure.findobj(Polygon) if area.get_visible()]
    for name in ("T", "P1", "P4"):
        at = solved.position(name)[4] @ SCREEN
        assert any(area.contains_point(at) for area in areas)


@pytest.mark.parametrize("name", ["four_bar", "stewart_inverse"])
def test_paths_of_chosen_points_are_on_the_bodies(name: str) -> None:
    solved = motion(name)
    joint = "C" if name == "four_bar" else "leg_1"
    view = configuration_at(solved, 0, [joint])
    figure, _ = _film(view, solved, {})
    (path,) = figure.findobj(lambda artist: artist.get_gid() == f"path {joint}")
    bodies = figure.findobj(lambda artist: str(artist.get_gid()).startswith("body "))
    assert all(body.get_zorder() < path.get_zorder() for body in bodies)
    drawn = path.get_xydata() if name == "four_bar" else None
    if drawn is not None:
        np.testing.assert_allclose(drawn, solved.position("C"))
    with pytest.raises(UnknownNameError, match="no point or joint 'nowhere'"):
        configuration_at(solved, 0, ["nowhere"])


def test_as_long_as_wanted(tmp_path: File) -> None:
    solved, seen = motion("four_bar"), list[tuple[int, int]]()
    assert write_film(solved, tmp_path / "x.gif", 0.2, lambda *done: seen.append(done)) == 5
    assert seen == [(k, 5) for k in range(1, 6)]
    (tmp_path / "x.gif").unlink()
    assert not list(tmp_path.iterdir())


@pytest.mark.smoke
@pytest.mark.parametrize("suffix", [".mp4", ".webm"])
def test_videos(tmp_path: File, suffix: str) -> None:
    try:
        program = ffmpeg()
    except OutputError:
        pytest.skip("there is no ffmpeg")
    out = tmp_path / f"motion{suffix}"
    gk.animate(motion("four_bar"), out, seconds=0.2)
    said = subprocess.run([program, "-i", str(out), "-f", "null", "-"], capture_output=True, text=True, check=True)
    assert "frame=    5" in said.stderr.replace("\r", "\n")


def test_a_missing_ffmpeg(tmp_path: File, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: None)
    monkeypatch.setitem(sys.modules, "imageio_ffmpeg", None)
    with pytest.raises(OutputError, match="videos need ffmpeg"):
        gk.animate(motion("four_bar"), tmp_path / "x.webm")
    assert not list(tmp_path.iterdir())


def test_an_ffmpeg_that_fails(tmp_path: File, monkeypatch: pytest.MonkeyPatch) -> None:
    broken = tmp_path / "ffmpeg"
    broken.write_text("#!/bin/sh\necho cannot encode >&2\nexit 3\n")
    broken.chmod(0o755)
    monkeypatch.setattr(shutil, "which", lambda name: str(broken))
    with pytest.raises(OutputError, match="cannot encode"):
        gk.animate(motion("four_bar"), tmp_path / "x.mp4", seconds=0.2)
    assert [path.name for path in tmp_path.iterdir()] == ["ffmpeg"]


@pytest.mark.filterwarnings("ignore::groupkin.errors.RangeWarning")
def test_rings_come_and_go_with_the_ends_of_ranges(tmp_path: File) -> None:
    times = np.linspace(0.0, 0.1, 41)
    solved = gk.solve(ranged("slider_crank", cylinder=(0.085, 0.175)), times)
    beyond = (piston(times) <= 0.085) | (piston(times) >= 0.175)
    figure, update = _film(configuration_at(solved, 0), solved, {"cylinder": beyond})
    (ring,) = figure.findobj(lambda artist: artist.get_gid() == "at end cylinder")
    for step in (0, 10, 20, 30):
        update(step)
        assert ring.get_visible() == beyond[step]
        np.testing.assert_allclose(ring.get_xydata()[:-1].mean(axis=0), [piston(times[step]), 0.0], atol=1e-9)
    write_film(solved, tmp_path / "a.gif", 0.4)
    with Image.open(tmp_path / "a.gif") as film:
        red = []
        for frame in range(film.n_frames):
            film.seek(frame)
            pixels = np.asarray(film.convert("RGB")).reshape(-1, 3).astype(int)
            red.append(bool((np.abs(pixels - [0xC2, 0x20, 0x20]).max(axis=1) < 24).any()))
    shown = np.abs(times[:, None] - np.linspace(0.0, 0.1, film.n_frames)).argmin(axis=0)
    assert red == beyond[shown].tolist()


@pytest.mark.parametrize("name", ["four_bar", "stewart_inverse"])
def test_names_move_with_the_bodies_that_they_name(name: str) -> None:
    solved = motion(name)
    first = shown_as(configuration_at(solved, 0), "bodies", "bodies")
    figure, update = _film(first, solved, {}, named=True)
    texts = {text.get_text(): text for text in figure.axes[0].texts if str(text.get_gid()).startswith("name ")}
    assert texts.keys() & set(solved.program.mechanism.movable)
    sheet = np.eye(2) if first.mechanism.dimension == 2 else SCREEN
    away = {}
    for step in (0, 5):
        update(step)
        view = configuration_at(solved, step)
        for body, text in texts.items():
            away.setdefault(body, []).append(np.array(text.get_position()) - view.points(body).mean(axis=0) @ sheet)
    for before, after in away.values():
        assert np.abs(after - before).max() < 1e-9 * first.geometry.size


def test_bodies_of_a_film_have_the_colors_that_were_asked_for(tmp_path: File) -> None:
    solved = motion("four_bar")
    figure, _ = _film(shown_as(configuration_at(solved, 0), "bodies", None), solved, {})
    legend = [text.get_text() for text in figure.axes[0].texts if str(text.get_gid()).startswith("legend ")]
    assert set(solved.program.mechanism.movable) <= set(legend)
    assert not [text for text in figure.axes[0].texts if str(text.get_gid()).startswith("name ")]
    for suffix in ("gif", "html"):
        with pytest.raises(ArgumentError, match=r"colors is groups or bodies, not 'joints'"):
            gk.animate(solved, tmp_path / f"film.{suffix}", colors="joints")
