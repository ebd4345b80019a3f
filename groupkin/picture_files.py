"""Pictures as files: their formats, and names in them that are never interpreted."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING

from groupkin.durable_files import check_place, disk_errors, replacing_file
from groupkin.errors import OutputError

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SUFFIXES = (".svg", ".png", ".pdf")

UNDATED = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}}
"""Metadata, by suffix, with which the same picture is the same file."""


def write_picture(figure: Figure, path: Path) -> None:
    """Write a figure to a file; names in it are drawn as they are, whatever characters they have.

    Text in .svg stays text, and the same figure gives the same file.

    Raises
    ------
    OutputError
        If the file cannot be written.
    """
    picture = picture_bytes(figure, path.suffix.lower())
    with disk_errors(path, begun=False), replacing_file(path) as aside:
        aside.write_bytes(picture)


def picture_bytes(figure: Figure, suffix: str) -> bytes:
    """A figure as the content of a file that ends in one of `SUFFIXES`, see `write_picture`."""
    import matplotlib
    from matplotlib.text import Text

    for text in figure.findobj(Text):
        text.set_parse_math(False)
    file = BytesIO()
    with matplotlib.rc_context({"svg.fonttype": "none", "svg.hashsalt": "groupkin"}), any_signs():
        figure.savefig(file, format=suffix[1:], metadata=UNDATED.get(suffix))
    return file.getvalue()


@contextmanager
def any_signs() -> Iterator[None]:
    """Let signs that the font lacks be drawn as boxes, without a warning for each."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph")
        yield


def check_file(path: Path) -> None:
    """Refuse a file that no picture can be written to.

    Raises
    ------
    OutputError
        If its suffix is not among `SUFFIXES`, matplotlib is missing, or it could not be written.
    """
    if path.suffix.lower() not in SUFFIXES:
        raise OutputError(f"{path}: a picture ends in {', '.join(SUFFIXES)}")
    check_place(path)
    check_matplotlib()


def check_matplotlib() -> None:
    """Refuse pictures where matplotlib is missing.

    Raises
    ------
    OutputError
    """
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        raise OutputError("pictures need matplotlib: pip install 'groupkin[look]'") from None


def check_optional(out: str | Path | None) -> None:
    """Refuse pictures where matplotlib is missing, and a file, if one is given, that none can be written to.

    Raises
    ------
    OutputError
    """
    if out is not None:
        check_file(Path(out))
    check_matplotlib()


def write_optional(figure: Figure, out: str | Path | None) -> Figure:
    """Write a figure to a file, if one is given, and return it.

    Raises
    ------
    OutputError
        If the file cannot be written.
    """
    if out is not None:
        write_picture(figure, Path(out))
    return figure
