"""Pages in a real browser: they play, turn, answer, and ask nobody for anything."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import groupkin as gk
from groupkin.look.page.page import page
from tests.groupkin.look.page.test_page import HOSTILE, hostile_mechanism
from tests.support.browser import browser
from tests.support.joint_ranges import piston, ranged
from tests.support.paths import EXAMPLES
from tests.support.surfaces import box, stl

STEPS = 101


@cache
def motion(name: str) -> gk.Motion:
    described = gk.read(EXAMPLES / f"{name}.toml")
    return gk.solve(described.mechanism, np.linspace(*described.motion.times[[0, -1]], STEPS))


@pytest.fixture(scope="module")
def chromium() -> Iterator[Any]:
    with browser() as started:
        yield started


class Opened:
    """A page that is open, with all that it has said and asked for."""

    def __init__(self, chromium: Any, file: Path, before: str = "", **settings: Any) -> None:
        self.context = chromium.new_context(offline=True, viewport={"width": 1100, "height": 720}, **settings)
        self.tab = self.context.new_page()
        self.tab.add_init_script(before)
        self.said: list[str] = []
        self.asked: list[str] = []
        self.tab.on("console", lambda message: self.hear(message.text))
        self.tab.on("pageerror", lambda error: self.said.append(str(error)))
        self.tab.on("request", lambda request: self.asked.append(request.url))
        self.tab.goto(file.as_uri())
        self.tab.wait_for_selector("body[data-ready]", timeout=20_000)

    def hear(self, text: str) -> None:
        if "GL Driver Message (OpenGL, Performance" not in text:  # of drawing by software, about the browser itself
            self.said.append(text)

    def frame(self) -> int:
        number: int = self.tab.evaluate("groupkin.frame()")
        return number

    def until(self, condition: str) -> None:
        """Wait for a condition; `wait_for_function` would need what the policy forbids."""
        for _ in range(200):
            if self.tab.evaluate(condition):
                return
            self.tab.wait_for_timeout(25)
        raise AssertionError(f"never: {condition}; the page has said {self.said}")


@pytest.fixture
def opened(chromium: Any, tmp_path: Path) -> Iterator[Any]:
    pages: list[Opened] = []

    def open_page(what: gk.Motion, **settings: Any) -> Opened:
        file = tmp_path / "motion.html"
        file.write_text(page(what).text, encoding="utf-8")
        pages.append(Opened(chromium, file, **settings))
        return pages[-1]

    yield open_page
    for each in pages:
        each.context.close()
        assert not each.said
        assert {url.split(":")[0] for url in each.asked} <= {"file", "data", "blob"}


def test_a_plane_mechanism_is_drawn_by_svg_and_plays(opened: Any) -> None:
    shown = opened(motion("four_bar"))
    drawing = shown.tab.locator("svg.drawing")
    assert drawing.locator("[data-shows='body crank']").count() == 1
    assert shown.tab.locator("canvas.webgl, .drawing canvas").count() == 0
    before = drawing.locator("[data-shows='body crank']").get_attribute("transform")
    shown.tab.keyboard.press("Space")
    shown.until("groupkin.frame() > 3")
    shown.tab.keyboard.press("Space")
    assert shown.tab.get_by_role("button", name="Play", exact=True).count() == 1
    assert drawing.locator("[data-shows='body crank']").get_attribute("transform") != before


def test_it_stops_at_the_end_unless_it_repeats(opened: Any) -> None:
    shown = opened(motion("four_bar"))
    shown.tab.keyboard.press("l")
    shown.tab.evaluate(f"groupkin.seek({STEPS - 3})")
    shown.tab.keyboard.press("Space")
    shown.until("!document.body.classList.contains('playing')")  # or the time is up
    assert shown.frame() == STEPS - 1


def test_scrubbing_by_keys_the_bar_and_the_plot(opened: Any) -> None:
    shown = opened(motion("four_bar"))
    shown.tab.keyboard.press("End")
    assert shown.frame() == STEPS - 1
    shown.tab.keyboard.press("ArrowLeft")
    shown.tab.keyboard.press("Shift+ArrowLeft")
    assert shown.frame() == STEPS - 12
    shown.tab.locator("input[type=range]").fill("40")
    assert shown.frame() == 40
    shown.until("document.querySelector('.clock').textContent.startsWith('0.40')")
    box = shown.tab.locator(".u-over").first.bounding_box()
    shown.tab.mouse.click(box["x"] + 0.75 * box["width"], box["y"] + 0.5 * box["height"])
    assert abs(shown.frame() - 75) <= 1


@pytest.mark.parametrize("name", ["four_bar", "stewart_inverse"])
def test_bodies_are_where_the_solver_puts_them(opened: Any, name: str) -> None:
    shown, solved = opened(motion(name)), motion(name)
    size = solved.program.geometry.size
    for step in (0, 37, STEPS - 1):
        shown.tab.evaluate(f"groupkin.seek({step})")
        for body in solved.program.mechanism.movable:
            matrix = np.array(shown.tab.evaluate("key => groupkin.matrix(key)", f"body {body}"))
            d = solved.program.mechanism.dimension
            # roundings of float32, in quaternions and in the sums that turn a point
            np.testing.assert_allclose(matrix[:, :d], solved.rotation(body)[step], atol=1e-6)
            np.testing.assert_allclose(matrix[:, d], solved.point_on(body, np.zeros(d))[step], atol=2e-6 * size)


@pytest.mark.parametrize("dimension", [2, 3])
def test_springs_reach_from_point_to_point_and_shapes_are_shown(opened: Any, tmp_path: Path, dimension: int) -> None:
    shape = gk.Shape(stl(tmp_path / "arm.stl", box((1.0, 0.2, 0.1))), (0.5, 0.0, 0.0)[:dimension])
    arm = gk.Body("arm", points={"M": (0.8, 0.0, 0.1)[:dimension]}, shape=shape)
    at, axis = (0.0,) * dimension, None if dimension == 2 else (0.0, 0.6, 0.8)
    strut = gk.Spring("strut", ("ground", "arm"), ((0.4, -0.9, 0.3)[:dimension], "M"), stiffness=1.0, damping=1.0)
    joint, driver = gk.Joint("A", "R", ("ground", "arm"), point=at, axis=axis), gk.Driver("A", gk.Ramp(rate=1.0))
    solved = gk.solve(
        gk.Mechanism(dimension, ["ground", arm], [joint], [driver], forces=[strut]), np.linspace(0, 1, 11)
    )
    shown = opened(solved)
    assert {"spring strut", "tube strut", "piston strut"} <= set(shown.tab.evaluate("groupkin.bodies()"))
    ends = solved.position("M") - np.array((0.4, -0.9, 0.3)[:dimension])
    for step in (0, 4, 10):
        shown.tab.evaluate(f"groupkin.seek({step})")
        for key, wanted in (("spring strut", ends[step]), ("tube strut", ends[step])):
            matrix = np.array(shown.tab.evaluate("key => groupkin.matrix(key)", key))
            length = np.linalg.norm(ends[0] if key.startswith("spring") else ends[step])
            np.testing.assert_allclose(matrix[:, 0] * length, wanted, atol=2e-6)
            np.testing.assert_allclose(matrix[:, dimension], (0.4, -0.9, 0.3)[:dimension], atol=2e-6)


def test_a_group_lights_up_and_is_kept_by_a_click(opened: Any) -> None:
    shown = opened(motion("four_bar"))
    crank, coupler = (shown.tab.locator(f"[data-shows='body {body}']") for body in ("crank", "coupler"))
    fills = crank.get_attribute("fill"), coupler.get_attribute("fill")
    node = shown.tab.locator("[data-group='2']")
    node.hover()
    assert shown.tab.locator(".numbers h2").text_content() == "Group 2"
    assert coupler.get_attribute("fill") == fills[1]
    dimmed = crank.get_attribute("fill")
    assert dimmed != fills[0]
    levels = [int(level) for level in dimmed.removeprefix("rgb(").removesuffix(")").split(",")]
    full = [int(level) for level in fills[0].removeprefix("rgb(").removesuffix(")").split(",")]
    np.testing.assert_allclose(levels, [x + 0.8 * (255 - x) for x in full], atol=1)  # of white paper, rounded
    shown.tab.mouse.move(300, 300)
    assert crank.get_attribute("fill") == fills[0]
    node.focus()
    shown.tab.keyboard.press("Enter")
    assert node.get_attribute("aria-pressed") == "true"
    shown.tab.locator(".numbers dl", has_text="coupler, rocker").wait_for()  # it is drawn with the next frame
    shown.tab.keyboard.press("Escape")
    assert node.get_attribute("aria-pressed") == "false"


def test_a_point_that_is_picked_is_traced_and_plotted(opened: Any) -> None:
    shown = opened(motion("four_bar"))
    plots, pin = shown.tab.locator("figure"), shown.tab.locator("[data-shows='joint C']").last.bounding_box()
    before = plots.count()
    shown.tab.mouse.click(pin["x"] + 0.5 * pin["width"], pin["y"] + 0.5 * pin["height"])
    assert plots.count() == before + 1
    assert "position C" in plots.first.text_content()
    assert shown.tab.locator(".name").all_text_contents() == ["P", "C"]
    place = 1e3 * motion("four_bar").position("C")[0]
    told = [float(text.replace("\u2212", "-")) for text in plots.first.locator("output").all_text_contents()]
    np.testing.assert_allclose(told, place, rtol=1e-3)  # four digits
    shown.tab.mouse.click(pin["x"] + 0.5 * pin["width"], pin["y"] + 0.5 * pin["height"])
    assert plots.count() == before


def test_a_mechanism_in_space_turns_zooms_and_has_orthographic_views(opened: Any) -> None:
    shown = opened(motion("stewart_inverse"))
    canvas = shown.tab.locator(".drawing canvas")
    box = canvas.bounding_box()
    where = "document.querySelector('.name').style.transform"
    shown.until(f"{where} !== ''")
    places = [shown.tab.evaluate(where)]
    middle = box["x"] + 0.5 * box["width"], box["y"] + 0.6 * box["height"]
    shown.tab.mouse.move(*middle)
    shown.tab.mouse.down()
    shown.tab.mouse.move(middle[0] + 160, middle[1] + 30, steps=4)
    shown.tab.mouse.up()
    shown.until(f"{where} !== '{places[0]}'")
    shown.tab.wait_for_timeout(100)
    places.append(shown.tab.evaluate(where))
    shown.tab.mouse.wheel(0, -300)
    shown.until(f"{where} !== '{places[1]}'")
    shown.tab.keyboard.press("4")
    # seen from above, z is a point, and x and y are the sheet's
    shown.until("Math.abs(document.querySelector('.axes line.z').getAttribute('y2')) < 0.1")
    assert float(shown.tab.locator(".axes line.x").get_attribute("x2")) == pytest.approx(24.0, abs=0.1)
    assert float(shown.tab.locator(".axes line.y").get_attribute("y2")) == pytest.approx(-24.0, abs=0.1)


def test_hostile_names_show_as_text(opened: Any) -> None:
    shown = opened(gk.solve(hostile_mechanism(), np.linspace(0.0, 1.0, 5)))
    assert shown.tab.locator("h1").text_content() == HOSTILE[0]
    assert shown.tab.title() == HOSTILE[0]
    assert shown.tab.locator(".name").all_text_contents() == [HOSTILE[3]]
    assert shown.tab.locator("script").count() == 2


def test_the_policy_stops_scripts_of_others(chromium: Any, tmp_path: Path) -> None:
    file = tmp_path / "altered.html"
    text = page(motion("four_bar")).text
    file.write_text(text.replace("</body>", "<script>document.title = 'taken'</script></body>"), encoding="utf-8")
    shown = Opened(chromium, file)
    assert shown.tab.title() == "Four-bar linkage"
    assert any("Content Security Policy" in text for text in shown.said)
    shown.context.close()


def test_dark_and_light(opened: Any) -> None:
    shown = opened(motion("four_bar"), color_scheme="dark")
    back = "getComputedStyle(document.body).backgroundColor"
    dark = shown.tab.evaluate(back)
    pin = shown.tab.locator("[data-shows='joint B']").last
    fill = pin.get_attribute("fill")
    shown.tab.get_by_role("button", name="Light or dark").click()
    assert shown.tab.evaluate(back) == "rgb(255, 255, 255)" != dark
    assert pin.get_attribute("fill") == "rgb(255,255,255)" != fill


def test_a_page_without_size_draws_when_it_is_seen(chromium: Any, tmp_path: Path) -> None:
    """As in a notebook, where the cell of a page may be out of view."""
    (tmp_path / "motion.html").write_text(page(motion("four_bar")).text, encoding="utf-8")
    around = "<body data-ready><iframe src='motion.html' style='width: 0; height: 0; border: 0'></iframe></body>"
    (tmp_path / "around.html").write_text(around, encoding="utf-8")
    shown = Opened(chromium, tmp_path / "around.html")
    within = shown.tab.frame_locator("iframe")
    within.locator("body[data-ready]").wait_for(state="attached")
    shown.tab.wait_for_timeout(200)
    shown.tab.evaluate("Object.assign(document.querySelector('iframe').style, { width: '900px', height: '600px' })")
    within.locator("svg.drawing[viewBox]").wait_for()
    zoom = float(within.locator(".drawing > g").get_attribute("transform").removeprefix("matrix(").split()[0])
    assert zoom > 10
    shown.context.close()
    assert not shown.said


def test_paths_lie_on_the_bodies(opened: Any) -> None:
    shown = opened(motion("four_bar"))
    order = "[...document.querySelectorAll('.drawing > g > *')].map((e) => e.dataset.shows || e.tagName)"
    listed = shown.tab.evaluate(order)
    path = listed.index("g")
    assert max(listed.index(f"body {body}") for body in ("crank", "coupler", "rocker")) < path
    assert path < listed.index("point P")


def test_nothing_is_drawn_while_nothing_moves(opened: Any) -> None:
    shown = opened(motion("stewart_inverse"))
    shown.tab.wait_for_timeout(500)
    count = "() => { const f = requestAnimationFrame; calls = 0; requestAnimationFrame = (g) => (calls++, f(g)); }"
    shown.tab.evaluate(count.replace("calls", "window.calls"))
    shown.tab.wait_for_timeout(500)
    assert shown.tab.evaluate("window.calls") == 0


def test_without_webgl_structure_and_plots_are_shown(opened: Any) -> None:
    without = "HTMLCanvasElement.prototype.getContext = new Proxy(HTMLCanvasElement.prototype.getContext, "
    without += "{ apply: (f, on, [kind]) => (kind === '2d' ? Reflect.apply(f, on, [kind]) : null) })"
    shown = opened(motion("stewart_inverse"), before=without)
    assert "no WebGL" in shown.tab.locator(".without").text_content()
    assert shown.tab.locator("[data-group]").count() == 7
    assert shown.tab.locator(".u-over").count() >= 2
    shown.tab.keyboard.press("End")
    assert shown.frame() == STEPS - 1


@pytest.mark.filterwarnings("ignore::groupkin.errors.RangeWarning")
def test_a_range_that_is_left_is_said_and_its_joint_is_ringed(opened: Any) -> None:
    times = np.linspace(0.0, 0.1, 41)
    shown = opened(gk.solve(ranged("slider_crank", cylinder=(0.085, float(piston(times[33])))), times))
    row, alarm, ring = ".ranges dd:not(.left)", ".alarm", ".rings .end"
    for step, told, outside in (
        (4, "94.16 mm, from 85 to ", False),
        (10, "80 mm, below 85", True),
        (33, ", at the upper end", False),
        (30, "180 mm, above ", True),
    ):
        shown.tab.evaluate(f"groupkin.seek({step})")
        shown.until(f"document.body.dataset.frame === '{step}'")
        assert told in shown.tab.inner_text(row)
        assert shown.tab.inner_text(alarm) == ("cylinder outside its range" if outside else "")
        assert shown.tab.evaluate(f"!document.querySelector('{ring}').hidden") == (step != 4)
    centers = [
        shown.tab.evaluate(f"(b => [b.x + b.width / 2, b.y + b.height / 2])({element}.getBoundingClientRect())")
        for element in (
            f"document.querySelector('{ring}')",
            "[...document.querySelectorAll('[data-shows=\"joint piston pin\"]')].at(-1)",
        )
    ]
    np.testing.assert_allclose(*centers, atol=1.0)
