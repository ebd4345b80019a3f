"""Arrows of forces in pages: what they are, and that they are switched and scaled."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

import groupkin as gk
from groupkin.dynamics.reactions.forces import Forces
from groupkin.errors import ArgumentError
from groupkin.look.page.page import page
from tests.groupkin.look.page.test_page import data_of, numbers
from tests.support.browser import browser
from tests.support.paths import EXAMPLES

PRESS = EXAMPLES / "eccentric_press.toml"


@cache
def press() -> Forces:
    described = gk.read(PRESS)
    return gk.inverse_dynamics(described.mechanism, described.motion.times)


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    with browser() as started:
        yield started


def test_arrows_begin_where_forces_act_and_are_shares_of_the_largest() -> None:
    forces = press()
    motion = forces.motion
    data = data_of(page(motion, most_frames=51, forces=forces).text)
    steps = np.searchsorted(motion.times, numbers(data["times"], np.float64))
    arrows = {arrow["name"]: arrow for arrow in data["forces"]["arrows"]}
    assert set(arrows) == {"A", "B", "C", "slide", "balancer on ram", "work on ram"}
    largest = np.linalg.norm(forces.reaction("C").force, axis=1).max()
    assert data["forces"]["scale"] == f"forces up to {1e-3 * largest:.4g} kN"
    expected = {
        "B": (motion.point_on("crank", (0.05, 0.0)), forces.reaction("B").force),
        "work on ram": (motion.position("C"), forces.force("work")),
    }
    for name, (at, force) in expected.items():
        places = numbers(arrows[name]["at"]).reshape(-1, 2) * data["size"] + data["center"]
        shares = numbers(arrows[name]["force"]).reshape(-1, 2)
        assert np.allclose(places, at[steps], rtol=0, atol=1e-6 * data["size"])  # numbers of four bytes
        assert np.allclose(shares, force[steps] / largest, rtol=0, atol=1e-6)
    assert [arrow["kind"] for arrow in arrows.values()] == ["joint"] * 4 + ["point"] * 2


def test_pages_of_motions_have_no_arrows() -> None:
    assert data_of(page(press().motion, most_frames=3).text)["forces"] is None


def test_arrows_are_switched_and_scaled_in_the_browser(chromium: Any, tmp_path: Path) -> None:
    file = tmp_path / "press.html"
    assert gk.animate(press(), file) == ""
    tab = chromium.new_context(offline=True, viewport={"width": 1100, "height": 720}).new_page()
    said: list[str] = []
    tab.on("pageerror", lambda error: said.append(str(error)))
    tab.goto(file.as_uri())
    tab.wait_for_selector("body[data-ready]", timeout=20_000)
    step = int(np.abs(press().force("work")[:, 1]).argmax())
    tab.evaluate(f"groupkin.seek({step})")

    def tall(name: str) -> float:
        tab.wait_for_timeout(100)
        height: float = tab.locator(f"[data-force='{name}']").evaluate("path => path.getBBox().height")
        return height

    once = tall("work on ram")
    assert once > 50  # pixels: it is 120 of 122 kN, the longest arrow 0.3 of the size
    tab.get_by_label("Length of arrows").select_option("2")
    assert tall("work on ram") == pytest.approx(2 * once, abs=1.0)  # pixels
    tab.get_by_label("Forces", exact=True).select_option("joint")
    assert tall("work on ram") == 0
    assert tall("C") > 50
    tab.get_by_label("Forces", exact=True).select_option("none")
    assert tall("C") == 0
    assert not said


def test_films_show_no_arrows_and_the_command_says_so(tmp_path: Path) -> None:
    from groupkin.cli.main import main

    with pytest.raises(ArgumentError, match=r"arrows of forces are for pages \(.html\) only"):
        gk.animate(press(), tmp_path / "press.gif")
    file = tmp_path / "press.html"
    result = CliRunner().invoke(main, ["animate", str(PRESS), "--forces", "--out", str(file)])
    assert result.exit_code == 0, result.output
    assert data_of(file.read_text(encoding="utf-8"))["forces"]["arrows"]
