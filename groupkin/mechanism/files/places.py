"""Where in a file is what a message names: ``joints[3].axis`` before what is said of the axis of a joint."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from groupkin.mechanism.files.schema import MechanismModel

KEYS = {key: key for key in ("axis", "reference", "range", "origin", "center")} | {"a length": "lengths"}
"""Words with which messages on a part begin, and the keys that they are about."""

_NAMED = re.compile(
    rf"(?:({'|'.join(KEYS)})(?: \d+)? of )?(a driver names joint|driver of joint|joint|body|coupling|force) '([^']*)'"
)


def placed(text: str, model: MechanismModel) -> str:
    """Put the path in a file before a message that begins with the name of a part."""
    found = _NAMED.match(text)
    if found is None:
        return text
    word, kind, name = found.groups()
    path = _path(kind, name, model)
    if not path:
        return text
    key = "joint" if kind == "a driver names joint" else KEYS.get(word or "", "")
    return f"{path}{f'.{key}' if key else ''}: {text}"


def _path(kind: str, name: str, model: MechanismModel) -> str:
    """The path of a part of some kind and name; empty if there is none."""
    if kind == "body":
        return _among("bodies", model.bodies or (), name)
    if kind in ("a driver names joint", "driver of joint"):
        numbers = [k for k, driver in enumerate(model.drivers) if driver.joint == name]
        return f"drivers[{numbers[0]}]" if numbers else ""
    parts: dict[str, tuple[str, Any]] = {
        "joint": ("joints", model.joints or ()),
        "coupling": ("couplings", model.couplings),
        "force": ("forces", model.forces),
    }
    return _among(*parts[kind], name)


def _among(key: str, parts: Mapping[str, Any] | Sequence[Any], name: str) -> str:
    if isinstance(parts, Mapping):
        return f"{key}.{name}" if name in parts else ""
    numbers = [k for k, part in enumerate(parts) if getattr(part, "name", part) == name]
    return f"{key}[{numbers[0]}]" if numbers else ""
