"""The examples that come with the package: files of mechanisms, fits and sweeps."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path

from groupkin.arguments import checked
from groupkin.messages import unknown
from groupkin.showing import InNotebooks

FOLDERS = (Path(__file__).with_name("example_data"), Path(__file__).parent.parent / "examples")
"""Where the examples are: in an installed package, and in the project."""

FIRST = re.compile(r".*?(?=[:.?;]\s| \(|$)", re.DOTALL)
"""The beginning of a text, up to a colon, a bracket, or the end of its first sentence."""


@dataclass(frozen=True)
class Examples(InNotebooks):
    """The examples: `groupkin.example` gives the path of one.

    Attributes
    ----------
    about : mapping of str to str
        What each example is, by its name.
    """

    about: Mapping[str, str]

    def __repr__(self) -> str:
        from groupkin.structure.tables import aligned

        lines = aligned(("name", "what it is"), [*self.about.items()])
        title = f"{len(self.about)} examples; groupkin.example(name) is the path of one"
        return "\n".join([title, "", *lines])

    def __iter__(self) -> Iterator[str]:
        return iter(self.about)

    def __len__(self) -> int:
        return len(self.about)


def examples() -> Examples:
    """List the examples that come with the package, by their names, with what each is.

    Examples
    --------
    >>> examples().about["slider_crank"]
    'Slider-crank'
    """
    return Examples({name: _about(path) for name, path in _paths().items()})


@checked
def example(name: str) -> Path:
    """Return the path of an example, which functions take in place of a mechanism, a fit or a sweep.

    Parameters
    ----------
    name : str
        One of `examples`, such as ``four_bar``.

    Raises
    ------
    UnknownNameError
        If there is no such example.

    Examples
    --------
    >>> import groupkin as gk
    >>> gk.solve(gk.example("four_bar"))
    <Motion of Four-bar linkage: 3 movable bodies, 361 steps from 0 s to 1 s>
    """
    paths = _paths()
    if name.removesuffix(".toml") not in paths:
        raise unknown("example", name, list(paths))
    return paths[name.removesuffix(".toml")]


def with_named_files(path: Path) -> list[Path]:
    """An example and the files beside it that it names, and those that these name."""
    found = [path]
    for each in found:
        text = each.read_text(encoding="utf-8")
        found += [file for file in sorted(path.parent.iterdir()) if f'"{file.name}"' in text and file not in found]
    return found


def _paths() -> dict[str, Path]:
    folder = next(folder for folder in FOLDERS if folder.is_dir())
    return {path.name.removesuffix(".toml"): path for path in sorted(folder.glob("*.toml"))}


def _about(path: Path) -> str:
    """The beginning of the comment that a file begins with."""
    lines = takewhile(lambda line: line.startswith("#"), path.read_text(encoding="utf-8").splitlines())
    found = FIRST.match(" ".join(line.removeprefix("#").strip() for line in lines))
    return found[0] if found else ""
