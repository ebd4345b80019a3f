"""Pieces of HTML pages: tables, and pictures within the text; whatever is in a name, it is shown as text."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterable, Sequence
from html import escape
from typing import TYPE_CHECKING

from groupkin.look.palette import dark, group_color
from groupkin.picture_files import picture_bytes

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST_VECTORS = 400_000
"""Bytes of an .svg up to which a picture is one; what is larger is made of pixels."""

ROOT_STYLE = "stroke-linejoin:round;stroke-linecap:butt"
"""What matplotlib says about all elements of a picture, which within a page would be all elements of the page."""


COLOR = re.compile("((?:fill|stroke): ?)(#[0-9a-fA-F]{6})")
"""A color in a style of a picture."""


class Html(str):
    """Text that is HTML already, and is not escaped again."""


def text(value: object) -> Html:
    """Escape a value, unless it is HTML.

    Examples
    --------
    >>> text("a < b"), text(Html("<b>c</b>"))
    ('a &lt; b', '<b>c</b>')
    """
    return value if isinstance(value, Html) else Html(escape(str(value)))


def element(tag: str, content: object = "", **attributes: str) -> Html:
    """Write an element; attributes end in an underscore where Python has their names as words.

    Examples
    --------
    >>> element("p", "a < b", class_="note")
    '<p class="note">a &lt; b</p>'
    """
    listed = "".join(f' {name.rstrip("_")}="{escape(value)}"' for name, value in attributes.items())
    return Html(f"<{tag}{listed}>{text(content)}</{tag}>")


def joined(parts: Iterable[str], by: str = "") -> Html:
    """Put pieces of HTML together."""
    return Html(by.join(parts))


def table(columns: Sequence[str], rows: Sequence[Sequence[object]], numbers: Iterable[str] = ()) -> Html:
    """Write a table, with columns of numbers aligned at their right.

    It is empty without rows, and has no head if no column has a name.
    """
    if not rows:
        return Html()
    right = {columns.index(name) for name in numbers}
    kinds = [{"class_": "number"} if k in right else {} for k in range(len(columns))]
    head = joined(element("th", name, **kind) for name, kind in zip(columns, kinds, strict=True))
    lines = [
        element("tr", joined(element("td", cell, **kind) for cell, kind in zip(row, kinds, strict=True)))
        for row in rows
    ]
    body = element("tbody", joined(lines))
    if not any(columns):
        return element("table", body, class_="plain")
    return element("table", joined([element("thead", element("tr", head)), body]))


def group_sign(number: int) -> Html:
    """The number of a group beside a square of its color."""
    square = element("span", class_="group", style=f"background:{themed(group_color(number))}")
    return joined([square, element("b", number)])


def themed(color: str) -> str:
    """A color of a style that a page may replace where it is shown in the dark.

    Examples
    --------
    >>> themed("#0072B2")
    'var(--x0072b2,#0072b2)'
    """
    return f"var(--x{color[1:]},{color})".lower()


def dark_colors(page: str) -> str:
    """Style rules by which the colors of a page that it may replace are those of pictures on dark paper."""
    names = sorted(set(re.findall(r"var\(--x([0-9a-f]{6}),", page)))
    return ":root{" + ";".join(f"--x{name}:{dark(f'#{name}')}" for name in names) + "}"


def picture(figure: Figure, what: str) -> Html:
    """Show a figure within a page; `what` stands for it where it cannot be seen."""
    vectors = picture_bytes(figure, ".svg")
    if len(vectors) > MOST_VECTORS:
        pixels = base64.b64encode(picture_bytes(figure, ".png")).decode()
        width = str(round(96 * figure.get_size_inches()[0]))
        return Html(f'<img src="data:image/png;base64,{pixels}" alt="{escape(what)}" width="{width}">')
    return inline_svg(vectors.decode(), what)


def inline_svg(vectors: str, what: str) -> Html:
    """Turn what matplotlib wrote into an element of a page, without ids and rules that would concern the rest of it."""
    vectors = vectors[vectors.index("<svg") :]
    vectors = re.sub(r"\s*<metadata>.*?</metadata>|\s*<style[^>]*>.*?</style>", "", vectors, flags=re.DOTALL)
    vectors = re.sub(r'<g id="[^"]*"', "<g", vectors).replace("<defs> </defs>", "")
    vectors = re.sub("<[^>]*>", lambda tag: COLOR.sub(lambda found: f"{found[1]}{themed(found[2])}", tag[0]), vectors)
    vectors = re.sub(r"\s*\n\s*", " ", vectors).replace("> <", "><")
    return Html(vectors.replace("<svg", f'<svg role="img" aria-label="{escape(what)}" style="{ROOT_STYLE}"', 1).strip())
