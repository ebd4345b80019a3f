"""Words of messages: names that look like another, lists, numbers with their nouns, names that do not exist."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager

from groupkin.errors import ArgumentError, GroupkinError, UnknownNameError, shown

FEW = 12
"""Names that a message about an unknown one lists, at most."""


def similar(name: str, options: list[str]) -> list[str]:
    """Options that differ from a name only in the case of letters, pairs of such a joint, or those that look like it.

    Examples
    --------
    >>> similar("E", ["E(rod, ram)", "E(rod, crank)", "F"]), similar("rokcer", ["Rocker", "rocker", "rod"])
    (['E(rod, ram)', 'E(rod, crank)'], ['rocker', 'Rocker'])
    """
    same = [option for option in options if option.lower() == str(name).lower()]
    same = same or [option for option in options if option.startswith(f"{name}(")][:3]
    return same or difflib.get_close_matches(str(name), options, n=3, cutoff=0.6)


def nearest(name: str, options: Iterable[str]) -> str:
    """The options that look most like a name, joined by "or"; empty if none does."""
    return " or ".join(similar(name, list(options)))


def hint(name: str, options: Iterable[str]) -> str:
    """Ask in a message for the options that look most like a name: `` (did you mean rocker?)``, or nothing."""
    near = nearest(name, options)
    return f" (did you mean {near}?)" if near else ""


def distinct(names: Iterable[str]) -> list[str]:
    """Number those of some names that are the same.

    Examples
    --------
    >>> distinct(["crane", "press", "crane"])
    ['crane 1', 'press', 'crane 2']
    """
    given = list(names)
    return [f"{name} {given[: k + 1].count(name)}" if given.count(name) > 1 else name for k, name in enumerate(given)]


def one_label_each(own: Sequence[str], labels: Sequence[str] | None) -> list[str]:
    """Labels of things that are shown together: given ones, or their names, numbered where these are the same.

    Raises
    ------
    ArgumentError
        If not every thing has one of its own.
    """
    if labels is None:
        return distinct(own)
    if len(labels) != len(own) or len(set(labels)) != len(own) or not all(labels):
        raise ArgumentError(f"labels must be {counted(len(own), 'different text')}, one for each, not {list(labels)}")
    return list(labels)


def listed(names: Iterable[str], most: int = 12) -> str:
    """Join the first names of some, and count the others.

    Examples
    --------
    >>> listed(["A", "B", "C"]), listed(["A", "B", "C"], most=2)
    ('A, B, C', 'A, B and 1 more')
    """
    every = list(names)
    more = len(every) - most
    return ", ".join(every[:most]) + (f" and {more} more" if more > 0 else "")


def counted(number: int, singular: str, plural: str = "") -> str:
    """Join a number and its noun: ``1 body``, ``2 bodies``."""
    return f"{number} {singular if number == 1 else plural or singular + 's'}"


def suggestion(name: str, names: Sequence[str]) -> str:
    """Make the end of a message about an unknown name: similar names, or all names if they are few."""
    near = nearest(name, names)
    there = f"; there are {', '.join(names)}" if 0 < len(names) <= FEW else ""
    return f"; did you mean {near}?" if near else there


def no_attribute(package: str, name: str, names: Sequence[str]) -> AttributeError:
    """Make the error for a public name that a package does not have."""
    error = AttributeError(f"{package} has no {shown(name)}{hint(name, names)}")
    error.name = name
    return error


def unknown(kind: str, name: str, names: Sequence[str]) -> UnknownNameError:
    """Make the error for a name that does not exist."""
    return UnknownNameError(f"there is no {kind} {shown(name)}{suggestion(name, names)}")


@contextmanager
def prefixed(prefix: str) -> Iterator[None]:
    """Begin messages with the file or key that they are about."""
    try:
        yield
    except GroupkinError as error:
        error.args = (f"{prefix}: {error}", *error.args[1:])
        raise
