"""What a notebook shows: pictures with their captions, pages in frames, and text where nothing can be drawn."""

from __future__ import annotations

import html
import re
import sys
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

import groupkin as gk
import routes
from groupkin.errors import ArgumentError, OutputError
from groupkin.look.notebook import MOST_FRAMES
from groupkin.showing import Shown
from tests.support.paths import EXAMPLES

HOSTILE = ("<script>alert(1)</script>", "</svg></style>", "'\"&amp;", "]]>--><!--$\\frac{$")


def four_bar() -> gk.Mechanism:
    return gk.load(EXAMPLES / "four_bar.toml")


def hostile() -> gk.Mechanism:
    ground, arm, pin, point = HOSTILE
    joint = gk.Joint(pin, "R", (ground, arm), point=(0, 0))
    bodies = [ground, gk.Body(arm, points={point: (1.0, 0.5)})]
    return gk.Mechanism(2, bodies, [joint], [gk.Driver(pin, gk.Ramp(rate=1.0))], name=HOSTILE[0])


def shown(what: gk.Mechanism | gk.Structure | gk.Motion | routes.Tree) -> str:
    text = what._repr_html_()
    assert text is not None
    return text


@pytest.mark.smoke
def test_a_mechanism_is_a_picture_with_a_caption() -> None:
    text = shown(four_bar())
    assert "3 movable bodies, 4 joints in the plane, mobility 1" in text
    root = ElementTree.fromstring(text)  # a single element, all of whose elements are closed
    words = [each.text for each in root.iter("{http://www.w3.org/2000/svg}text")]
    assert {"A", "B", "C", "D"} <= set(words)


def test_a_structure_is_its_diagram_and_a_table() -> None:
    text = shown(gk.analyze(four_bar()))
    rows = re.findall("<tr>(.*?)</tr>", text)
    assert len(rows) == 3
    assert "coupler, rocker" in rows[2]
    assert "3R2D" in rows[2]
    assert text.count("<svg") == 1


def test_a_tree_of_routes_is_its_picture() -> None:
    tree = routes.tree(gk.analyze(gk.load(EXAMPLES / "jansen_leg.toml")))
    text = shown(tree)
    assert f"{tree.count()} routes" in text
    assert "(2 ‖ 3)" in text
    assert routes.tree(gk.analyze(four_bar())) == routes.tree(gk.analyze(four_bar()))


def test_a_motion_is_a_page_in_a_frame_that_may_only_run_its_script() -> None:
    motion = gk.solve(four_bar(), np.linspace(0.0, 1.0, 1001))
    text = shown(motion)
    (sandbox,) = re.findall('<iframe sandbox="([^"]*)"', text)
    assert sandbox == "allow-scripts"
    (page,) = re.findall('srcdoc="([^"]*)"', text)
    assert html.unescape(page).startswith("<!DOCTYPE html>")
    assert f"{MOST_FRAMES} of 1001 steps" in text.split("</iframe>")[1]
    assert shown(gk.solve(four_bar(), [0.0, 0.1])).endswith("</iframe>")  # nothing was left out


def test_without_a_file_pictures_and_pages_are_shown(tmp_path: Path) -> None:
    mechanism = four_bar()
    motion = gk.solve(mechanism, [0.0, 0.1])
    picture, page = mechanism.draw(kind="graph"), motion.animate(trace=["P"])
    assert isinstance(picture, Shown)
    assert isinstance(page, Shown)
    assert "<svg" in picture._repr_html_()
    assert "<iframe" in page._repr_html_()
    assert repr(picture) == "<Picture of Four-bar linkage; give `out` to write a file>"
    assert mechanism.draw(tmp_path / "a.svg") is None
    assert motion.animate(tmp_path / "a.html") == ""
    assert {path.name for path in tmp_path.iterdir()} == {"a.svg", "a.html"}
    with pytest.raises(ArgumentError, match="seconds belong to a film"):
        motion.animate(seconds=2.0)


def test_names_are_never_markup() -> None:
    mechanism = hostile()
    motion = gk.solve(mechanism, [0.0, 1.0])
    for what in (mechanism, gk.analyze(mechanism)):
        text = shown(what)
        assert "<script" not in text
        words = "".join(ElementTree.fromstring(text).itertext())
        assert HOSTILE[0] in words
    text = shown(motion)
    assert "<script" not in text  # it is within the value of an attribute
    assert text.count(">") == 2


def test_what_cannot_be_drawn_is_text(monkeypatch: pytest.MonkeyPatch) -> None:
    manipulator = gk.load(EXAMPLES / "micro_manipulator.toml")  # without geometry
    assert manipulator._repr_html_() is None
    assert shown(gk.analyze(manipulator))
    assert gk.solve(four_bar(), [0.0]).at(np.array([], np.int64))._repr_html_() is None
    structure = gk.analyze(four_bar())
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    assert four_bar()._repr_html_() is None
    assert structure._repr_html_() is None
    assert routes.tree(structure)._repr_html_() is None
    with pytest.raises(OutputError, match="pip install"):
        four_bar().draw()
