"""The table of kinematic pairs: symbols, names and freedoms.

Symbols and numbers of freedoms follow Table 3 of Celdran, Saura and Dopico (2022). The order of the freedoms of a
pair is part of its meaning: a driver count of w drives the first w of them, and several rotations are intrinsic
rotations in the order listed.
"""

from __future__ import annotations

import difflib
from dataclasses import dataclass

from groupkin.errors import UnknownJointTypeError, UnknownNameError


@dataclass(frozen=True)
class Freedom:
    """One freedom of a pair: a rotation about, or a displacement along, an axis (0, 1, 2) of the joint frame."""

    name: str
    axis: int
    rotation: bool

    @property
    def unit(self) -> str:
        return "rad" if self.rotation else "m"


@dataclass(frozen=True)
class Pair:
    """A kinematic pair; `plane` and `space` are its freedoms there, None where it does not exist.

    `modeled` says whether the solvers have its equations; a pair without them can be analyzed only.
    """

    symbol: str
    name: str
    plane: tuple[Freedom, ...] | None
    space: tuple[Freedom, ...] | None
    modeled: bool = True


def _turn(name: str, axis: int) -> Freedom:
    return Freedom(name, axis, True)


def _slide(name: str, axis: int) -> Freedom:
    return Freedom(name, axis, False)


_ANGLES = (_turn("angle_x", 0), _turn("angle_y", 1), _turn("angle_z", 2))
_SHIFTS = (_slide("x", 0), _slide("y", 1), _slide("z", 2))

# In the order of the published table, which is the order of the symbols in a group's label.
PAIRS: dict[str, Pair] = {
    pair.symbol: pair
    for pair in (
        Pair("R", "revolute", (_turn("angle", 2),), (_turn("angle", 2),)),
        Pair("P", "prismatic", (_slide("displacement", 0),), (_slide("displacement", 2),)),
        Pair("C", "cylindrical", None, (_slide("displacement", 2), _turn("angle", 2))),
        Pair("ER", "slotted spherical", None, (_turn("angle_1", 2), _turn("angle_2", 2)), modeled=False),
        Pair("U", "universal", None, (_turn("angle_1", 2), _turn("angle_2", 2))),
        Pair("S", "spherical", None, _ANGLES),
        Pair("FP", "free body in the plane", (*_SHIFTS[:2], _turn("angle", 2)), None),
        Pair("F", "free body in space", None, _SHIFTS + _ANGLES),
    )
}

NEEDS: dict[tuple[str, int], tuple[str, ...]] = {
    ("R", 2): ("point",),
    ("P", 2): ("point", "axis"),
    ("FP", 2): (),
    ("R", 3): ("point", "axis"),
    ("P", 3): ("point", "axis"),
    ("C", 3): ("point", "axis"),
    ("U", 3): ("point", "axes"),
    ("S", 3): ("point",),
    ("F", 3): (),
}
"""Keys of a joint that make up its geometry, by symbol and dimension; `point` may be given as `points`."""

EQUATIONS_PER_BODY = {2: 3, 3: 6}
"""Freedoms of a body without joints, by dimension: B in Eq. (2) of Celdran et al. (2022)."""


def freedoms(symbol: str, dimension: int) -> tuple[Freedom, ...]:
    """Freedoms of a pair in the plane (2) or in space (3).

    Raises
    ------
    UnknownJointTypeError
        If there is no such pair, or not in this dimension; the message names the nearest ones.

    Examples
    --------
    >>> [freedom.name for freedom in freedoms("C", 3)]
    ['displacement', 'angle']
    """
    where = "the plane" if dimension == 2 else "space"
    existing = {s: p.plane if dimension == 2 else p.space for s, p in PAIRS.items()}
    found = existing.get(symbol)
    if found is not None:
        return found
    options = [f"{s} ({PAIRS[s].name})" for s, f in existing.items() if f is not None]
    if symbol in PAIRS:
        what = f"joint type {symbol} ({PAIRS[symbol].name}) does not exist in {where}"
    else:
        what = f"unknown joint type {symbol!r}"
        near = _nearest_symbol(symbol, [s for s, f in existing.items() if f is not None])
        what += f"; did you mean {near}?" if near else ""
    raise UnknownJointTypeError(f"{what}; the types in {where} are {', '.join(options)}")


def freedom_index(symbol: str, dimension: int, name: str | None) -> int:
    """Index of a named freedom of a pair; None is allowed where the pair has only one."""
    names = [freedom.name for freedom in freedoms(symbol, dimension)]
    if name is None and len(names) == 1:
        return 0
    if name is None:
        raise UnknownNameError(f"a pair {symbol} has several freedoms: name one of {', '.join(names)}")
    if name not in names:
        raise UnknownNameError(f"a pair {symbol} has no freedom {name!r}; it has {', '.join(names)}")
    return names.index(name)


def _nearest_symbol(given: str, symbols: list[str]) -> str:
    """The pair whose symbol or name looks most like what was given, such as ``R (revolute)``; empty if none does."""
    words = {s: s for s in symbols} | {PAIRS[s].name: s for s in symbols}
    found = dict.fromkeys(words[near] for near in _close(given, list(words)) + _close(str(given).lower(), list(words)))
    return " or ".join(f"{s} ({PAIRS[s].name})" for s in found)


def _close(name: str, options: list[str]) -> list[str]:
    return difflib.get_close_matches(str(name), options, n=3, cutoff=0.6)


def nearest(name: str, options: list[str]) -> str:
    """The options that look most like a name, for messages; empty if none does."""
    return " or ".join(_close(name, options))


def counted(number: int, one: str, more: str = "") -> str:
    """A number with its noun, for messages: ``1 body``, ``2 bodies``."""
    return f"{number} {one if number == 1 else more or one + 's'}"
