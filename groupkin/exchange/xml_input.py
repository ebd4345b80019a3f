"""The boundary to XML: elements with their lines, read within limits and without entities."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from groupkin.arguments import LONGEST_NAME, is_name
from groupkin.errors import ModelError, shorter, shown
from groupkin.mechanism.files.decoding import read_text
from groupkin.mechanism.points import LARGEST
from sglibrary.array_types import Array

DEEPEST = 60
"""Largest depth of elements within each other; models of long arms nest their bodies."""

MOST = 200_000
"""Largest number of elements of a model with all files that it includes."""


@dataclass(eq=False)
class Element:
    """An element of an XML file.

    Attributes
    ----------
    tag : str
    attributes : dict of str to str
    line : int
    file : str
        Name of its file, for messages.
    children : list of Element
    text : str
    """

    tag: str
    attributes: dict[str, str]
    line: int
    file: str
    children: list[Element] = field(default_factory=list)
    text: str = ""

    @property
    def name(self) -> str:
        return self.attributes.get("name", "")

    @property
    def where(self) -> str:
        """Kind, name and place of the element, for messages."""
        name = f" {shown(self.name)}" if self.name else ""
        return f"{self.file}, line {self.line}: {shorter(self.tag)}{name}"

    def all(self, *tags: str) -> list[Element]:
        """Children with one of these tags."""
        return [child for child in self.children if child.tag in tags]

    def one(self, tag: str) -> Element | None:
        """Return the first child with a tag."""
        return next((child for child in self.children if child.tag == tag), None)

    def at(self, *path: str) -> Element | None:
        """Return the first descendant along a path of tags."""
        found: Element | None = self
        for tag in path:
            found = found.one(tag) if found is not None else None
        return found

    def walk(self) -> Iterator[Element]:
        """Yield the element and all below it."""
        waiting = [self]
        while waiting:
            found = waiting.pop()
            yield found
            waiting.extend(reversed(found.children))

    def text_of(self, *path: str, default: str = "") -> str:
        """Text of a descendant."""
        found = self.at(*path)
        return found.text.strip() if found is not None else default

    def numbers(self, text: str | None, count: int, default: Sequence[float] | None = None) -> Array:
        """Read numbers (count,) from a text of this element.

        Raises
        ------
        ModelError
            If they are missing without a default, not as many, or not finite.
        """
        if text is None:
            if default is None:
                raise ModelError(f"{self.where} needs {count} numbers, and has none")
            return np.array(default, float)
        try:
            found = [float(word) for word in text.split()]
        except ValueError:
            found = []
        if len(found) != count or not all(math.isfinite(x) and abs(x) <= LARGEST for x in found):
            expected = "a finite number" if count == 1 else f"{count} finite numbers"
            raise ModelError(f"{self.where} must have {expected}, not {shown(text)}")
        return np.array(found)

    def number(self, text: str | None, default: float | None = None) -> float:
        """Read one number from a text of this element."""
        return float(self.numbers(text, 1, None if default is None else [default])[0])

    def attribute(self, key: str) -> str:
        """Return the value of an attribute that must be there.

        Raises
        ------
        ModelError
        """
        if not self.attributes.get(key):
            raise ModelError(f"{self.where} has no `{key}`; give it")
        return self.attributes[key]


class _Target:
    """What the parser calls: builds elements, within limits."""

    def __init__(self, file: str):
        self.file = file
        self.parser: Any = None
        self.root: Element | None = None
        self.open: list[Element] = []
        self.count = 0

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        line = self.parser.parser.CurrentLineNumber if self.parser is not None else 0
        found = Element(tag.rpartition("}")[2], dict(attributes), line, self.file)
        self.count += 1
        if found.name and not is_name(found.name):
            raise ModelError(f"{found.where}: a name has 1 to {LONGEST_NAME} printable characters")
        if self.count > MOST or len(self.open) >= DEEPEST:
            raise ModelError(
                f"{found.where} is one element too many: at most {MOST} in {DEEPEST} levels are read; is it a model?"
            )
        if self.open:
            self.open[-1].children.append(found)
        else:
            self.root = self.root or found
        self.open.append(found)

    def end(self, tag: str) -> None:
        self.open.pop()

    def data(self, text: str) -> None:
        if self.open:
            self.open[-1].text += text

    def close(self) -> Element | None:
        return self.root


def read_xml(path: Path) -> Element:
    """Read the root element of an XML file.

    Raises
    ------
    ModelError
        If there is no such file, or it is not valid XML, has a document type or entities, or exceeds the limits.
    FileError
        If it cannot be read.
    """
    try:
        from defusedxml.common import DefusedXmlException
        from defusedxml.ElementTree import DefusedXMLParser, ParseError
    except ImportError:
        raise ModelError("models need defusedxml: pip install 'groupkin[models]'") from None
    try:
        text = read_text(path)
    except FileNotFoundError:
        raise ModelError(f"{path}: there is no such file; check its name and folder") from None
    target = _Target(path.name)
    parser: Any = DefusedXMLParser(target=target, forbid_dtd=True)
    target.parser = parser
    try:
        parser.feed(text)
        root = parser.close()
    except ParseError as error:
        raise ModelError(f"{path.name}: no valid XML: {error}") from None
    except DefusedXmlException:
        raise ModelError(
            f"{path.name}: it has a document type or entities, which no model needs and which are not read; "
            "remove <!DOCTYPE …>"
        ) from None
    except ModelError:
        raise
    except (ValueError, LookupError, AssertionError) as error:  # encodings that do not exist, characters of no text
        raise ModelError(f"{path.name}: no valid XML: {shown(str(error))}") from None
    if root is None:
        raise ModelError(f"{path.name}: no valid XML: it has no element")
    return root
