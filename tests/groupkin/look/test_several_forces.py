"""Several forces in one picture and one plot, and forces at several times."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np
import pytest
from matplotlib.lines import Line2D
from matplotlib.text import Text

import groupkin as gk
from groupkin.errors import ArgumentError
from groupkin.look.drawing import figure_of
from groupkin.look.force_arrows import LONGEST
from tests.support.paths import EXAMPLES

TIME = 0.35  # the press works


@cache
def press(factor: float = 1.0) -> gk.Forces:
    """The forces of a press whose bodies are heavier."""
    described = gk.read(EXAMPLES / "eccentric_press.toml")
    bodies = [replace(body, mass=factor * body.mass) for body in described.mechanism.bodies]
    return gk.inverse_dynamics(gk.solve(replace(described.mechanism, bodies=bodies), described.motion.times))


def test_each_has_a_line_by_its_name_in_one_panel() -> None:
    light, heavy = press(), press(9.0)
    figure = gk.plot([light, heavy], ["driver A", "reaction B"], labels=["light", "heavy"])
    assert len(figure.axes) == 2
    for name, forces in (("light", light), ("heavy", heavy)):
        (drawn,) = figure.findobj(
            lambda each, gid=f"line driver A of {name}": each.get_gid() == gid and isinstance(each, Line2D)
        )
        values = np.asarray(drawn.get_ydata(), float)
        peak = np.nanmax(forces.driver("A"))
        assert np.nanmax(values) == pytest.approx(peak, rel=1e-12)  # kN mm are N m
    texts = {text.get_text() for text in figure.findobj(Text)}
    assert {"light", "heavy", "light, x", "heavy, y"} <= texts


def test_one_is_plotted_as_by_its_method() -> None:
    lines = [
        figure.axes[0].lines[0].get_xydata() for figure in (gk.plot(press(), "driver A"), press().plot("driver A"))
    ]
    assert np.array_equal(*lines)


def test_arrows_of_several_have_one_scale() -> None:
    forces = [press(), press(9.0)]
    figure = figure_of(forces, time=TIME, labels=["light", "heavy"])
    most = max(np.linalg.norm(each.reaction(joint).force, axis=1).max() for each in forces for joint in each.reactions)
    for name, each in zip(("light", "heavy"), forces, strict=True):
        step = int(np.abs(each.motion.times - TIME).argmin())
        (shaft,) = figure.findobj(lambda one, gid=f"force B of {name}": one.get_gid() == gid)
        (tip,) = figure.findobj(lambda one, gid=f"tip B of {name}": one.get_gid() == gid)
        tail, head = shaft.get_xydata()[0], tip.get_xy()[0]
        wanted = LONGEST * each.motion.program.geometry.size * each.reaction("B").force[step] / most
        assert np.allclose(head - tail, wanted, rtol=0, atol=1e-12)
    assert any(text.get_text().startswith("forces up to") for text in figure.findobj(Text))


def test_at_several_times_the_earlier_arrows_are_paler() -> None:
    figure = press().draw(time=[0.33, TIME])
    shafts = [each for each in figure.findobj(Line2D) if str(each.get_gid()).startswith("force B")]
    assert len(shafts) == 2
    pale, full = (np.mean([int(each.get_color()[k : k + 2], 16) for k in (1, 3, 5)]) for each in shafts)
    assert pale > full
    captions = [text.get_text() for text in figure.findobj(Text) if text.get_gid() == "caption"]
    assert sorted(text.split()[0] for text in captions) == ["forces", "t"]


def test_what_does_not_go_together_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ArgumentError, match="plotted apart from motions"):
        gk.plot([press(), press().motion], "driver A")
    with pytest.raises(ArgumentError, match="axes belong to forces"):
        gk.plot(press().motion, "joint A", axes="joint")
    with pytest.raises(ArgumentError, match="plot each by itself"):
        gk.plot([press(), press(9.0)], "speed-torque A")
    with pytest.raises(ArgumentError, match="names is joints or bodies"):
        press().draw(names="groups")


def test_a_picture_of_forces_shows_itself_in_a_notebook() -> None:
    assert press().draw(time=TIME)._repr_png_()[0].startswith(b"\x89PNG")
