"""Mutated robot models: bytes, numbers, texts and elements of good ones, changed at random."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from random import Random

import groupkin as gk
from tests.fuzz.mutations import NUMBERS, TEXTS, change_bytes
from tests.fuzz.watching import Maker, Pass
from tests.support.robot_models import LOOPS, MJCF, SDF, URDF

GOOD = {
    **{f"{name}.xml": text for name, text in MJCF.items()},
    **{f"{name}.sdf": text for name, text in SDF.items()},
    **{f"{name}.urdf": text for name, text in URDF.items()},
}
"""Good models by file name."""

NUMBER = re.compile(r"-?\d+\.?\d*(?:e-?\d+)?")
QUOTED = re.compile(r'"[^"]*"')
ELEMENT = re.compile(r"<(\w+)[^<>]*/>|<(\w+)(?:[^<>]*)>[^<>]*</\2>")
TAG = re.compile(r"<\w+")

WORDS = ("ball", "free", "hinge", "slide", "world", "base", "mesh", "universal", "screw", "gearbox", "include", "weld")
"""Texts that mean something in models."""


def mutated(text: str, random: Random) -> bytes:
    """Change a model in one to three places."""
    for _ in range(random.choice((1, 1, 2, 3))):
        match random.randrange(6):
            case 0:
                text = change_bytes(text.encode("utf-8", "surrogatepass"), random).decode("utf-8", "replace")
            case 1 | 2:
                text = _exchanged(text, NUMBER, random.choice(NUMBERS), random)
            case 3:
                text = _exchanged(text, QUOTED, f'"{random.choice((*TEXTS, *WORDS))}"', random)
            case 4:
                found = _any(text, ELEMENT, random)
                text = _exchanged(text, ELEMENT, random.choice(("", 2 * found)), random)
            case _:
                pattern = random.choice((TAG, QUOTED))
                text = _exchanged(text, pattern, _any(text, pattern, random), random)
    return text.encode("utf-8", "replace")


def _any(text: str, pattern: re.Pattern[str], random: Random) -> str:
    found = [each[0] for each in pattern.finditer(text)]
    return random.choice(found) if found else ""


def _exchanged(text: str, pattern: re.Pattern[str], new: str, random: Random) -> str:
    """Replace one of the places that a pattern finds."""
    places = [each.span() for each in pattern.finditer(text)]
    if not places:
        return text
    begin, end = random.choice(places)
    return text[:begin] + new + text[end:]


def maker(folder: Path) -> Maker:
    """Return what mutates one of the good models."""

    def passes(random: Random, _: int) -> Iterator[Pass]:
        name = random.choice(list(GOOD))
        text = mutated(GOOD[name], random)
        yield Pass("model", name, lambda: _read(folder, name, text, random), text)

    return passes


def _read(folder: Path, name: str, text: bytes, random: Random) -> None:
    """Read a mutated model, with options that fit to the good one."""
    path, loops = folder / name, folder / "loops.toml"
    path.write_bytes(text)
    bushing = name.startswith("bushing")
    loops.write_bytes(mutated(LOOPS, random) if random.random() < 0.3 else LOOPS.encode())
    gk.import_model(
        path,
        plane=random.random() < 0.3,
        masses=random.random() < 0.8,
        loops=loops if bushing else None,
        keyframe="home" if name == "leg.xml" else None,
    )
