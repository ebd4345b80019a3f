"""The table of kinematic pairs: symbols, names, freedoms, geometry, and equations where they close loops.

Symbols and numbers of freedoms follow Table 3 of Celdran, Saura and Dopico (2022); RW and HF are added. The order of
the freedoms of a pair is part of its meaning: a driver count of w drives the first w of them, and several rotations are
intrinsic rotations in the order listed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import Literal

from groupkin.errors import UnknownJointTypeError, UnknownNameError
from groupkin.messages import similar
from sglibrary.iterative.kinds import COINCIDE, DISTANCE, DOT, OFFSET


@dataclass(frozen=True)
class Freedom:
    """A move of a pair: a rotation about, or a displacement along, an axis (0, 1, 2) of the joint frame.

    `middle` marks rotations that must stay within a quarter turn: the one between two others that it could make
    parallel.
    """

    name: str
    axis: int
    rotation: bool
    middle: bool = False

    @property
    def unit(self) -> str:
        return "rad" if self.rotation else "m"


@dataclass(frozen=True)
class Form:
    """A pair in the plane or in space: the moves that take the first frame of a joint into the second.

    Attributes
    ----------
    moves : tuple of Freedom
    needs : tuple of str
        What its geometry is made of: fields of `groupkin.mechanism.parts.Joint`; "point" may be given as "points".
    cut : tuple of tuple of int, optional
        Its equations where a joint closes a loop: their kinds (`sglibrary.straight.equations`), each with the axes of
        the first and second frame in it. Without them the joint becomes moves to a frame that is welded to the body.
    frames : str
        How the two frames of a joint lie: with their z axes (in the plane x) along the joint's "axis"; with their z
        axes along two "crossed" axes and x perpendicular to both; along the "line" on which a wheel rolls; with x
        from center to center ("centers"); at the contact with a "curve". The latter pair is never part of a tree.
    coupled : (int, int), optional
        Two moves of which a linear combination is constant; the second of them is no freedom.
    held : int, optional
        A move that keeps its value; it is no freedom, and the pair is never part of a tree.
    bend : int, optional
        The move before which the frame has a fixed turn.
    perpendicular : bool
        Its two axes must be perpendicular.
    raised : bool
        The first frame is moved along its normal to the height of the second.
    """

    moves: tuple[Freedom, ...]
    needs: tuple[str, ...] = ()
    cut: tuple[tuple[int, ...], ...] | None = None
    frames: Literal["axis", "crossed", "line", "centers", "curve"] = "axis"
    coupled: tuple[int, int] | None = None
    held: int | None = None
    bend: int | None = None
    perpendicular: bool = False
    raised: bool = False

    @property
    def places(self) -> tuple[int, ...]:
        """Numbers of the moves that are freedoms."""
        tied = (self.coupled[1] if self.coupled else None, self.held)
        return tuple(k for k in range(len(self.moves)) if k not in tied)

    @property
    def freedoms(self) -> tuple[Freedom, ...]:
        return tuple(self.moves[k] for k in self.places)

    @property
    def ball(self) -> bool:
        """Its last three moves are rotations about x, y and z, which together allow any orientation."""
        return [(move.axis, move.rotation) for move in self.moves[-3:]] == [(0, True), (1, True), (2, True)]

    @property
    def geared(self) -> bool:
        """Its two coupled moves are rotations of wheels."""
        return self.coupled is not None and all(self.moves[k].rotation for k in self.coupled)

    @property
    def curved(self) -> bool:
        """Its first move leads along a curve."""
        return self.frames == "curve"

    @cached_property
    def hinge(self) -> bool:
        """It allows one rotation only."""
        return len(self.moves) == 1 and self.moves[0].rotation

    @cached_property
    def slide(self) -> bool:
        """It allows one displacement only."""
        return len(self.moves) == 1 and not self.moves[0].rotation

    @cached_property
    def spherical(self) -> bool:
        """It allows any rotation about a point, and nothing else."""
        return self.ball and len(self.moves) == 3

    @cached_property
    def axial(self) -> bool:
        """It allows in space a rotation about its axis, a displacement along it, or both independently."""
        return self.coupled is None and self.bend is None and all(move.axis == 2 for move in self.moves)


@dataclass(frozen=True)
class Pair:
    """A kinematic pair.

    Attributes
    ----------
    symbol, name : str
    plane, space : Form or None
        Its forms there; None where it does not exist.
    modeled : bool
        The solvers have its equations; a pair without them can be analyzed only.
    shared : bool
        More than two bodies may share it: the moves of the first to the second and of the second to the third make
        one of the first to the third.
    mesh : int
        Of gears: 1 where one lies inside the other and they turn in the same direction, otherwise -1.
    looser : dict of str to str
        Pairs in space that allow what this one does, and more, by symbol; each with the directions of its axis, slot
        or normal in the frame of this one: some of x, y, z, and of u and v halfway between x and y, and y and -x.
    """

    symbol: str
    name: str
    plane: Form | None
    space: Form | None
    modeled: bool = True
    shared: bool = False
    mesh: int = 0
    looser: Mapping[str, str] = field(default_factory=dict)

    @property
    def cam(self) -> bool:
        """Its first body carries a curve."""
        return self.plane is not None and self.plane.curved


def _turn(name: str, axis: int, middle: bool = False) -> Freedom:
    return Freedom(name, axis, True, middle)


def _slide(name: str, axis: int) -> Freedom:
    return Freedom(name, axis, False)


def _form(*moves: Freedom, needs: str = "", **more: object) -> Form:
    return Form(moves, tuple(needs.split()), **more)  # type: ignore[arg-type]


def _counted(number: int) -> Form:
    """The form of a pair that can be analyzed only."""
    return Form(tuple(_slide(f"freedom_{k + 1}", 0) for k in range(number)))


_ANGLES = (_turn("angle_x", 0), _turn("angle_y", 1, middle=True), _turn("angle_z", 2))
_X, _Y, _Z = _slide("x", 0), _slide("y", 1), _slide("z", 2)
_ANGLE = _turn("angle", 2)
_TWO = (_turn("angle_1", 2), _turn("angle_2", 2))
_ALONG, _UP = _slide("displacement", 0), _slide("displacement", 2)
# out of the plane of two wheels, or off the axis of a screw: zero where shafts are held by joints
_TILTS = (_turn("tilt_x", 0), _turn("tilt_y", 1, middle=True))
_LOOSE = (_slide("shift", 2), *_TILTS)

_POINT, _PARALLEL, _SQUARE = (COINCIDE,), ((DOT, 2, 0), (DOT, 2, 1)), ((DOT, 0, 1), (DOT, 1, 2), (DOT, 2, 0))
_HOLD_SLIDE, _HOLD_TURN = ((DOT, 0, 1), (OFFSET, 1)), (_POINT, (DOT, 0, 1))  # in the plane

_UNIVERSAL = _form(*_TWO, needs="point axes", cut=(_POINT, (DOT, 2, 2)), frames="crossed", bend=1)
_GEARS = (
    _form(_ANGLE, _slide("distance", 0), _turn("turn", 2), needs="points radii", frames="centers", coupled=(0, 2)),
    _form(
        *(_ANGLE, _slide("distance", 0), *_LOOSE, _turn("turn", 2)),
        needs="points axes radii",
        frames="centers",
        coupled=(0, 5),
        bend=3,
    ),
)
_BAR = _form(_TWO[0], _slide("length", 0), _TWO[1], needs="points", cut=((DISTANCE,),), frames="centers", held=1)
_ROD = _form(
    *(_turn("azimuth", 2), _turn("elevation", 1, middle=True), _slide("length", 0), *_ANGLES),
    needs="points",
    cut=((DISTANCE,),),
    frames="centers",
    held=2,
)
_CONTACT = _slide("contact", 0)
FOLLOWERS: dict[str, Form] = {
    "": _form(_CONTACT, _ANGLE, needs="point curve", cut=(_POINT,), frames="curve"),
    "face": _form(_CONTACT, _slide("slide", 0), needs="point axis curve", cut=_HOLD_SLIDE, frames="curve"),
    "curve": _form(_CONTACT, _slide("contact_2", 0), needs="curves", cut=_HOLD_TURN, frames="curve"),
}
"""Forms of the pair L by what touches the curve: a point or roller, a flat face, or another curve."""

# In the order of the published table, which is the order of the symbols in a group's label.
PAIRS: dict[str, Pair] = {
    pair.symbol: pair
    for pair in (
        Pair(
            *("R", "revolute"),
            _form(_ANGLE, needs="point", cut=(_POINT,)),
            _form(_ANGLE, needs="point axis", cut=(_POINT, *_PARALLEL)),
            shared=True,
            looser={"SC": "zxyuv", "SP": "zxyuv", "PL": "z", "CR": "xyuv", "C": "z", "U": "xyuv"},
        ),
        Pair(
            *("P", "prismatic"),
            _form(_ALONG, needs="point axis", cut=_HOLD_SLIDE),
            _form(_UP, needs="point axis", cut=(*_SQUARE, (OFFSET, 0), (OFFSET, 1))),
            looser={"SC": "z", "SP": "xyuv", "PL": "xyuv", "C": "z"},
        ),
        Pair(
            *("H", "helical", None),
            _form(_ANGLE, _UP, needs="point axis pitch", coupled=(0, 1)),
            looser={"C": "z", "HF": "z"},
        ),
        Pair("CPEP", "contact at five points", None, _counted(1), modeled=False),
        Pair(
            *("RW", "rolling wheel"),
            _form(_ALONG, _ANGLE, needs="points axis", frames="line", coupled=(0, 1), raised=True),
            _form(_ALONG, _ANGLE, needs="points axes", frames="line", coupled=(0, 1), perpendicular=True, raised=True),
        ),
        Pair(
            *("C", "cylindrical", None),
            _form(_UP, _ANGLE, needs="point axis", cut=(*_PARALLEL, (OFFSET, 0), (OFFSET, 1))),
            shared=True,
            looser={"SC": "z", "SP": "xyuv", "CR": "xyuv"},
        ),
        Pair("ER", "slotted spherical", None, _UNIVERSAL, looser={"SC": "xyz", "SP": "xyz", "S": ""}),
        Pair("U", "universal", None, _UNIVERSAL, looser={"SC": "xyz", "SP": "xyz", "S": ""}),
        Pair("L", "cam", FOLLOWERS[""], None),
        Pair("EO", "outer gears", *_GEARS, mesh=-1),
        Pair("EPI", "inner gears", *_GEARS, mesh=1),
        Pair("CTEP", "contact at four points", None, _counted(2), modeled=False),
        Pair(
            *("RP", "pure rolling"),
            _form(_ALONG, _slide("distance", 1), _ANGLE, needs="points axis", frames="line", coupled=(0, 2)),
            _form(
                *(_ALONG, _slide("distance", 1), *_LOOSE, _ANGLE),
                needs="points axes",
                frames="line",
                coupled=(0, 5),
                perpendicular=True,
            ),
        ),
        Pair("RD", "rolling and sliding", _BAR, None),
        Pair(
            *("S", "spherical", None),
            _form(*_ANGLES, needs="point", cut=(_POINT,)),
            shared=True,
            looser={"SC": "xyz", "SP": "xyz"},
        ),
        Pair("PL", "planar", None, _form(_X, _Y, _ANGLE, needs="point axis", cut=(*_PARALLEL, (OFFSET, 2)))),
        Pair(
            *("CR", "slotted cylindrical"),
            _form(_ALONG, _ANGLE, needs="point axis", cut=((OFFSET, 1),)),
            _form(
                *(_ALONG, _slide("shift", 2), _ANGLE),
                needs="point axes",
                cut=(*_PARALLEL, (OFFSET, 1)),
                perpendicular=True,
            ),
        ),
        Pair("CTRP", "contact at three points", None, _counted(3), modeled=False),
        Pair("FP", "free body in the plane", _form(_X, _Y, _ANGLE, cut=()), None),
        Pair(
            *("SC", "sphere on cylinder", None),
            _form(_UP, *_ANGLES, needs="point axis", cut=((OFFSET, 0), (OFFSET, 1))),
            looser={"SP": "xyuv"},
        ),
        Pair(
            *("PC", "plane on cylinder", None),
            _form(
                *(_X, _Y, *_TWO),
                needs="point axes",
                cut=((DOT, 2, 2), (OFFSET, 2)),
                frames="crossed",
                bend=3,
                perpendicular=True,
                raised=True,
            ),
        ),
        Pair("CBIP", "contact at two points", None, _counted(4), modeled=False),
        Pair("SP", "sphere on plane", None, _form(_X, _Y, *_ANGLES, needs="point axis", cut=((OFFSET, 2),))),
        Pair("SPSP", "rod between spheres", _BAR, _ROD),
        Pair(
            *("HF", "floating nut", None),
            _form(_X, _Y, _UP, *_TILTS, _ANGLE, needs="point axis pitch", coupled=(5, 2)),
        ),
        Pair("F", "free body in space", None, _form(_X, _Y, _Z, *_ANGLES, cut=())),
    )
}

EQUATIONS_PER_BODY = {2: 3, 3: 6}
"""Freedoms of a body without joints, by dimension: B in Eq. (2) of Celdran et al. (2022)."""


@cache
def form(symbol: str, dimension: int, follower: str = "") -> Form:
    """The form of a pair in the plane (2) or in space (3), that of L by its follower.

    Raises
    ------
    UnknownJointTypeError
        If there is no such pair, or not in this dimension; the message names the nearest ones.
    """
    where = "the plane" if dimension == 2 else "space"
    existing = {s: p.plane if dimension == 2 else p.space for s, p in PAIRS.items()}
    existing_form = existing.get(symbol)
    if existing_form is not None:
        return FOLLOWERS[follower] if existing_form.curved else existing_form
    solved = [f"{s} ({PAIRS[s].name})" for s, f in existing.items() if f is not None and PAIRS[s].modeled]
    others = [s for s, f in existing.items() if f is not None and not PAIRS[s].modeled]
    if symbol in PAIRS:
        what = f"joint type {symbol} ({PAIRS[symbol].name}) does not exist in {where}"
    else:
        what = f"unknown joint type {symbol!r}"
        near = _nearest_symbol(symbol, [s for s, f in existing.items() if f is not None])
        what += f" (did you mean {near}?)" if near else ""
    analyzed = f"; for analysis only: {', '.join(others)}" if others else ""
    raise UnknownJointTypeError(f"{what}; the types in {where} are {', '.join(solved)}{analyzed}")


def freedoms(symbol: str, dimension: int, follower: str = "") -> tuple[Freedom, ...]:
    """Freedoms of a pair in the plane (2) or in space (3); raises as `form`.

    Examples
    --------
    >>> [freedom.name for freedom in freedoms("C", 3)]
    ['displacement', 'angle']
    """
    return form(symbol, dimension, follower).freedoms


def freedom_index(symbol: str, dimension: int, name: str | None, follower: str = "") -> int:
    """Index of a freedom of a pair by its name, which may be None where the pair has only one."""
    names = [freedom.name for freedom in freedoms(symbol, dimension, follower)]
    if name is None and len(names) == 1:
        return 0
    if name is None:
        raise UnknownNameError(f"a pair {symbol} has several freedoms: choose one of {', '.join(names)}")
    if name not in names:
        raise UnknownNameError(f"a pair {symbol} has no freedom {name!r}; it has {', '.join(names)}")
    return names.index(name)


def _nearest_symbol(name: str, symbols: list[str]) -> str:
    """The pairs whose symbol or name looks most like a name, such as ``R (revolute)``; empty if none does."""
    words = {s: s for s in symbols} | {PAIRS[s].name: s for s in symbols}
    close = similar(name, list(words)) + similar(str(name).lower(), list(words))
    return " or ".join(f"{s} ({PAIRS[s].name})" for s in dict.fromkeys(words[near] for near in close))
