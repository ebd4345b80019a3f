"""Several positions, designs or mechanisms in one picture: what is drawn where, in which colors, above what."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from matplotlib.colors import to_hex, to_rgb
from matplotlib.lines import Line2D
from matplotlib.patches import Polygon
from matplotlib.text import Text

import groupkin as gk
from groupkin.cli.main import main
from groupkin.errors import ArgumentError, TimesError
from groupkin.look.drawing import figure_of
from groupkin.look.palette import GROUPS, PAPER, mixed
from groupkin.look.scenes.configurations import reference_configuration
from groupkin.look.scenes.overlays import Layer
from groupkin.look.scenes.plane_scene import plane_scene
from groupkin.look.scenes.scene import Tone
from groupkin.look.scenes.sight import SCREEN
from tests.groupkin.look.scenes.test_mechanism_pictures import found, four_bar, nearest_color
from tests.support.paths import EXAMPLES

FOUR_BAR, CRANK = str(EXAMPLES / "four_bar.toml"), str(EXAMPLES / "slider_crank.toml")


@cache
def stewart() -> gk.Motion:
    return gk.solve(gk.load(EXAMPLES / "stewart_inverse.toml"), np.linspace(0.0, 2.0, 21))


def inside(areas: list[Any], point: Any) -> bool:
    return any(area.get_path().contains_point(point, radius=1e-9) for area in areas)


@pytest.mark.smoke
def test_each_position_is_where_the_motion_is_then_the_earlier_the_paler_and_the_lower() -> None:
    motion, times = four_bar(), [0.0, 0.1, 0.3]
    figure = figure_of(motion, time=times)
    whites, levels = [], []
    for time, suffix in zip(times, (" at t = 0 s", " at t = 0.1 s", ""), strict=True):
        step = int(np.abs(motion.times - time).argmin())
        coupler = found(figure, Polygon, f"body coupler{suffix}")
        for point in (motion.position("B")[step], motion.position("P")[step]):
            assert inside(coupler, point)
        assert nearest_color(coupler[0].get_facecolor()) == GROUPS[1]
        whites.append(min(to_rgb(coupler[0].get_facecolor())))
        levels.append(max(area.get_zorder() for area in coupler))
    assert whites[0] > whites[1] > whites[2]
    assert levels[0] < levels[1] < levels[2]


def test_the_last_position_is_drawn_as_it_is_alone_and_frame_and_drivers_once() -> None:
    figure, alone = figure_of(four_bar(), time=[0.3, 0.0]), figure_of(four_bar(), time=0.3)
    for gid in ("body crank", "body coupler", "joint A", "driver A", "path P", "name D", "legend 2"):
        ours, theirs = (
            [(type(artist), artist.get_zorder()) for artist in one.findobj(lambda a, gid=gid: a.get_gid() == gid)]
            for one in (figure, alone)
        )
        assert ours == theirs, gid
        assert theirs, gid
    gids = {str(artist.get_gid()) for artist in figure.findobj()}
    assert not {gid for gid in gids if gid.startswith("driver") and " at " in gid}
    (caption,) = found(figure, Text, "caption")
    assert caption.get_text() == "t = 0, 0.3 s, the earlier, the paler"


def test_many_times_are_named_by_the_first_and_the_last() -> None:
    (caption,) = found(figure_of(four_bar(), time=np.linspace(0.0, 0.5, 11)), Text, "caption")
    assert caption.get_text() == "t = 0, 0.05, …, 0.5 s, the earlier, the paler"


def test_equal_times_are_one_position() -> None:
    figure = figure_of(four_bar(), time=[0.3, 0.3])
    assert [text.get_text() for text in found(figure, Text, "caption")] == ["t = 0.3 s"]
    assert not [a for a in figure.findobj(Polygon) if " at " in str(a.get_gid())]


def test_positions_in_space_throw_one_shadow_and_pale_edges() -> None:
    motion = stewart()
    figure, alone = figure_of(motion, time=[0.0, 0.5]), figure_of(motion, time=0.5)
    step = int(np.abs(motion.times).argmin())
    pale = found(figure, Polygon, "body rod_1 at t = 0 s")
    assert inside(pale, motion.position("P1")[step] @ SCREEN)
    assert len(found(figure, Polygon, "shadow")) == len(found(alone, Polygon, "shadow"))
    edges = {to_hex(area.get_edgecolor()) for area in pale if area.get_edgecolor()[3]}
    assert edges == {mixed("#1B2430", 0.55).lower()}
    assert len(found(figure, Line2D, "driver pose")) == len(found(alone, Line2D, "driver pose")) > 0


@pytest.mark.parametrize("name", ["four_bar", "spatial_four_bar"])
def test_variants_have_one_color_each_with_their_names(name: str) -> None:
    mechanism = gk.load(EXAMPLES / f"{name}.toml")
    figure = figure_of([mechanism, mechanism], labels=["old", "new <script>"])
    for color, variant in zip(GROUPS, ("old", "new <script>"), strict=False):
        for body in mechanism.movable:
            areas = found(figure, Polygon, f"body {body} of {variant}")
            assert nearest_color(areas[0].get_facecolor()) == color
        (square,) = found(figure, Polygon, f"key {variant}")
        assert to_hex(square.get_facecolor()) == color.lower()
        assert [text.get_text() for text in found(figure, Text, f"key {variant}")] == [variant]
    assert not [text for text in figure.findobj(Text) if str(text.get_gid()).startswith("legend")]


def test_designs_are_drawn_where_each_is_with_paths_of_their_own() -> None:
    design = gk.design(gk.load(FOUR_BAR), ["length crank A-B"])
    motions = [design.solve([length], np.linspace(0.0, 1.0, 21)) for length in (0.05, 0.06)]
    figure = figure_of(motions, time=0.25)
    for k, motion in enumerate(motions, 1):
        assert inside(found(figure, Polygon, f"body crank of Four-bar linkage {k}"), motion.position("B")[5])
        (path,) = found(figure, Line2D, f"path P of Four-bar linkage {k}")
        np.testing.assert_array_equal(path.get_xydata(), motion.position("P"))
        assert to_hex(path.get_color()) == GROUPS[k - 1].lower()


def test_all_variants_are_in_the_picture() -> None:
    small, large = gk.load(CRANK), gk.load(FOUR_BAR)
    (axes,) = figure_of([large, small]).axes
    low, high = (np.array([axis[end] for axis in (axes.get_xlim(), axes.get_ylim())]) for end in (0, 1))
    for mechanism in (small, large):
        scene = plane_scene(reference_configuration(mechanism))
        points = np.concatenate([shape.points for shape in scene.shapes if shape.gid.startswith("body")])
        assert (points > low).all()
        assert (points < high).all()


def test_what_is_refused() -> None:
    mechanism, motion = gk.load(FOUR_BAR), four_bar()
    with pytest.raises(ArgumentError, match="1 to 30 positions, not 0"):
        figure_of(motion, time=[])
    with pytest.raises(ArgumentError, match="1 to 30 positions, not 41"):
        figure_of(motion, time=motion.times)
    with pytest.raises(TimesError, match="does not reach 2 s"):
        figure_of(motion, time=[0.0, 2.0])
    with pytest.raises(ArgumentError, match="1 to 8 mechanisms over each other, not 9"):
        figure_of([mechanism] * 9)
    with pytest.raises(ArgumentError, match="in the plane and mechanisms in space"):
        figure_of([mechanism, gk.load(EXAMPLES / "spatial_four_bar.toml")])
    with pytest.raises(ArgumentError, match="at one time"):
        figure_of([motion, motion], time=[0.0, 0.1])
    with pytest.raises(ArgumentError, match="as mechanisms"):
        figure_of([mechanism, mechanism], kind="graph")
    with pytest.raises(ArgumentError, match="a time belongs to"):
        figure_of([mechanism, motion], time=0.1)
    with pytest.raises(ArgumentError, match="2 different texts"):
        figure_of([motion, motion], labels=["one"])
    with pytest.raises(ArgumentError, match="give a list"):
        figure_of(motion, labels=["one"])


def test_a_notebook_shows_positions() -> None:
    shown = four_bar().draw(time=[0.1, 0.3])
    assert shown is not None
    assert "t = 0.1, 0.3 s, the earlier, the paler" in shown.html


def test_the_command_draws_positions_and_other_files(tmp_path: Path) -> None:
    runner, out = CliRunner(), tmp_path / "picture.svg"
    done = runner.invoke(main, ["draw", FOUR_BAR, "--time", "0.1", "--time", "0.33", "--out", str(out)])
    assert done.exit_code == 0, done.output
    assert "body crank at t = 0.1 s" in out.read_text()
    assert "t = 0.1, 0.33 s, the earlier, the paler" in out.read_text()
    done = runner.invoke(main, ["draw", FOUR_BAR, "--with", CRANK, "--with", FOUR_BAR, "--out", str(out)])
    assert done.exit_code == 0, done.output
    for name in ("examples/four_bar 1", "slider_crank", "examples/four_bar 2"):
        assert f'id="key {name}"' in out.read_text()
    done = runner.invoke(main, ["draw", FOUR_BAR, "--time", "0", "--time", "1", "--with", CRANK, "--out", str(out)])
    assert done.exit_code == 2
    assert "--with draws several mechanisms at one --time" in done.output


def test_tones_keep_their_share() -> None:
    layer = Layer(reference_configuration(gk.load(FOUR_BAR)), "one", dye=3)
    assert layer.tone(Tone(1, 0.25)).hex == Tone(3, 0.25).hex
    assert layer.tone(Tone("ink")).hex == Tone("ink").hex
    assert Layer(layer.view, "pale", pale=1.0).tone(Tone(1)).hex == PAPER
