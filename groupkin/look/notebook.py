"""What a notebook shows of mechanisms, structures and motions; where nothing can be drawn, it shows their text."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, ParamSpec

from groupkin.errors import GroupkinError
from groupkin.look.markup import Html, element, group_sign, joined, picture, table
from groupkin.look.scenes.configurations import check_shown
from groupkin.mechanism.mechanism import Mechanism
from groupkin.picture_files import check_matplotlib
from groupkin.showing import Shown
from groupkin.structure import tables

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from groupkin.kinematics.motion.motion import Motion
    from groupkin.kinematics.motion.quantities import Quantity
    from groupkin.structure.decomposition import Structure

P = ParamSpec("P")

MOST_FRAMES = 300
"""Steps of a motion that a notebook holds."""

PAGE_HEIGHT = 620
"""Of a page that plays a motion, in pixels."""

STYLE = (
    ".groupkin figure{margin:0;max-width:44rem;background:#fff;color:#1b2430;padding:.6rem;border-radius:6px}"
    ".groupkin svg,.groupkin img{max-width:100%;height:auto}"
    ".groupkin figcaption{color:#5b6472;font-size:.85rem;padding-top:.4rem}"
    ".groupkin table{font-size:.85rem}.groupkin table td,.groupkin table th{text-align:left}"
    ".groupkin .group{display:inline-block;width:.7em;height:.7em;border-radius:2px;margin-right:.35em}"
)
"""Of what is shown, on white also in dark notebooks, for which the pictures are not made."""


def _or_text(show: Callable[P, str]) -> Callable[P, str | None]:
    """Give nothing where something cannot be drawn, so that a notebook shows its text instead."""

    @wraps(show)
    def shown(*args: P.args, **kwargs: P.kwargs) -> str | None:
        try:
            check_matplotlib()
            return show(*args, **kwargs)
        except GroupkinError:
            return None

    return shown


# --- pictures --------------------------------------------------------------------------------


@_or_text
def mechanism_html(mechanism: Mechanism) -> str:
    """The mechanism in its reference configuration."""
    return _picture(mechanism)


@_or_text
def structure_html(structure: Structure) -> str:
    """The structural diagram, with a table of the groups."""
    from groupkin.look.drawing import structure_picture

    cells = [(group_sign(int(row[0])), *row[1:]) for row in tables.rows(structure)]
    summary = tables.summary(structure)
    return framed(structure_picture(structure, "diagram"), summary, table(tables.COLUMNS, cells))


def draw(
    what: Mechanism | Motion,
    out: str | Path | None = None,
    kind: str | None = None,
    colors: str | None = None,
    names: str | None = None,
    time: float | Sequence[float] | None = None,
) -> Shown | None:
    """Draw a mechanism, its motion or its structure into a file, or without one into what a notebook shows.

    Raises
    ------
    ArgumentError, TimesError, NoGeometryError, NotModeledError, OutputError, NotDeterminedError
        See `groupkin.draw`.
    """
    from groupkin.look.drawing import draw as into_file

    if out is not None:
        into_file(what, out, kind, time, colors, names)
        return None
    check_matplotlib()
    name = what.name if isinstance(what, Mechanism) else what.program.mechanism.name
    return Shown(f"Picture of {name}; give `out` to write a file", _picture(what, kind, time, colors, names))


def _picture(
    what: Mechanism | Motion,
    kind: str | None = None,
    time: float | Sequence[float] | None = None,
    colors: str | None = None,
    names: str | None = None,
) -> str:
    from groupkin.analysis import analyze
    from groupkin.look.drawing import figure_of

    structure = analyze(what) if isinstance(what, Mechanism) else what.program.structure
    return framed(figure_of(what, kind, time, colors, names), tables.summary(structure))


def framed(figure: Figure, caption: str, below: Html | None = None) -> str:
    """A picture with its caption, and something below it."""
    shown = joined([picture(figure, caption), element("figcaption", caption)])
    parts = [element("style", Html(STYLE)), element("figure", shown), below or Html()]
    return element("div", joined(parts), class_="groupkin")


# --- motions ---------------------------------------------------------------------------------


def motion_html(motion: Motion) -> str | None:
    """The page that plays a motion; nothing where it cannot be shown, so that a notebook shows its text instead."""
    try:
        return _played(motion)
    except GroupkinError:
        return None


def animate(
    motion: Motion,
    out: str | Path | None = None,
    trace: Sequence[str] | None = None,
    plot: Sequence[str | Quantity] | None = None,
    seconds: float | None = None,
    colors: str | None = None,
    names: str | None = None,
) -> Shown | str:
    """Write a motion as a page or a film, see `groupkin.animate`; without a file as what a notebook shows.

    Raises
    ------
    ArgumentError, TimesError, OutputError, UnknownNameError, QuantityError
    """
    from groupkin.errors import ArgumentError
    from groupkin.look.animation import animate as into_file

    if out is not None:
        return into_file(motion, out, trace, plot, seconds, colors=colors, names=names)
    if seconds is not None:
        raise ArgumentError("seconds belong to a film; give `out`, such as motion.gif")
    check_shown(colors, names)
    name = motion.program.mechanism.name
    return Shown(
        f"Page of the motion of {name}; give `out` to write a file", _played(motion, trace, plot, colors, names)
    )


def _played(
    motion: Motion,
    trace: Sequence[str] | None = None,
    plot: Sequence[str | Quantity] | None = None,
    colors: str | None = None,
    names: str | None = None,
) -> str:
    """A page in a frame that lets it run its script, and nothing else."""
    from groupkin.look.page.page import page

    made = page(motion, trace, plot, most_frames=MOST_FRAMES, colors=colors, names=names)
    # as much of a notebook as is wide; what the page says is inside
    frame = (
        f'<iframe sandbox="allow-scripts" srcdoc="{escape(made.text)}" width="100%" height="{PAGE_HEIGHT}" '
        'style="border:1px solid #d5dae1;border-radius:6px"></iframe>'
    )
    more = "; motion.animate('motion.html') writes all that fit into 3 MB" if made.note else ""
    return f"{frame}<br><small>{escape(made.note + more)}</small>" if made.note else frame
