"""The examples that can be solved."""

from __future__ import annotations

import groupkin as gk
from groupkin.mechanism.files.reading import MechanismFile
from tests.support.paths import EXAMPLES

SOLVABLE = [
    path.stem
    for path in sorted(EXAMPLES.glob("*.toml"))
    if path.suffixes == [".toml"] and path.stem != "micro_manipulator"  # which has no geometry
]


def described(name: str) -> MechanismFile:
    return gk.read(EXAMPLES / f"{name}.toml")
