"""What can vary of a mechanism: geometry of bodies, laws, masses and forces, modes; each with one text form.

A changed point or axis belongs to one body and is changed in the coordinates of that body, which are the global ones
of the reference configuration. Nothing else changes there: coordinates of joints keep their zeros and their meaning,
rods and wheels their sizes. So the reference configuration of a variant need not close; a group is put together from
what is fixed in its bodies, starting from where it is nominally.

The text forms are ``C``, ``C@coupler``, ``C@coupler.x`` of points, ``joint D``, ``axis guide``, ``length crank A-B``,
``rate A``, ``offset pose.x``, ``coefficients[2] A``, ``rise[0] A`` of laws, ``mass arm``, ``center arm.x``,
``inertia arm`` of bodies, ``stiffness spring``, ``force push.x`` of forces, ``mode rocker``, ``number a``; see
`groupkin.text_forms` for names in them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from groupkin.errors import ParameterError, shown
from groupkin.messages import hint
from groupkin.text_forms import NAME, plain, requoted, words, written


class _Written:
    """Something with a text form."""

    def __str__(self) -> str:
        return write(self)  # type: ignore[arg-type]


@dataclass(frozen=True)
class Point(_Written):
    """A named point on one body, or on all bodies that carry it; `component` x, y or z, or all of them; m."""

    point: str
    body: str = ""
    component: str = ""


@dataclass(frozen=True)
class JointPoint(_Written):
    """The point of a joint, on both of its bodies or on one; m.

    Other joints of a body stay where they are, also those at a point of the same name.
    """

    joint: str
    body: str = ""
    component: str = ""


@dataclass(frozen=True)
class Axis(_Written):
    """The axis of a joint on one of its bodies, or on both; of any length but zero, nominally of length 1.

    The joint's frame on the body turns with it by the smallest rotation.
    """

    joint: str
    body: str = ""
    component: str = ""


@dataclass(frozen=True)
class Length(_Written):
    """The distance of two named points of a body, m. They are moved as little as possible to meet it."""

    body: str
    between: tuple[str, str]


@dataclass(frozen=True)
class LawValue(_Written):
    """A number of the motion law of a driver, in the units of the law (m, rad, s, Hz).

    Parameters
    ----------
    joint : str
    field : str
        Of the law, such as ``offset`` of a `Harmonic`.
    index : int, optional
        Of a field that is a sequence.
    freedom : str, optional
        Which of the driven freedoms of the joint; needed where there are several.
    """

    joint: str
    field: str
    index: int | None = None
    freedom: str = ""


@dataclass(frozen=True)
class LoadNumber(_Written):
    """A number of the mass of a body, or of a force; in kg, m, kg m² and the units of the force.

    Parameters
    ----------
    field : str
        One of `LOADS`: numbers of bodies (`OF_BODIES`) and of forces (`OF_FORCES`).
    name : str
        Of the body or the force.
    component : str, optional
        Of a vector x, y or z; of a tensor xx, yy, zz, xy, xz or yz. A center without one stands for all of them.
    """

    field: str
    name: str
    component: str = ""


@dataclass(frozen=True)
class AssemblyMode(_Written):
    """The assembly mode of a group, by the name of one of its bodies: numbers as `groupkin modes` lists them."""

    group: str


@dataclass(frozen=True)
class NamedValue(_Written):
    """A value of the mechanism, with all numbers that are computed from it; as it is given, without a unit.

    Numbers of constructions are values named after their points, such as ``C.lengths[0]``, in m and rad.
    """

    name: str


Dimension = Point | JointPoint | Axis | Length | NamedValue
"""What changes the geometry of bodies."""

Target = Dimension | LawValue | LoadNumber | AssemblyMode


def single(target: Target, dimension: int) -> list[Target]:
    """Take a point, axis or center apart into its components; others are single numbers."""
    match target:
        case Point(component="") | JointPoint(component="") | Axis(component="") | LoadNumber("center", component=""):
            return [replace(target, component=axis) for axis in "xyz"[:dimension]]
    return [target]


def label(target: Target) -> str:
    """Make the default name of a parameter."""
    match target:
        case Point(point, body, component):
            parts = [body, point, component]
        case JointPoint(joint, body, component) | Axis(joint, body, component):
            kind = "axis" if isinstance(target, Axis) else "point" if body else ""
            parts = [joint, body, kind, component]
        case Length(body, between):
            parts = [body, "-".join(between)]
        case LawValue(joint, field, index, freedom):
            parts = [joint, freedom, field, "" if index is None else str(index)]
        case LoadNumber(field, name, component):
            parts = [name, field, component]
        case AssemblyMode(group):
            parts = ["mode", group]
        case NamedValue(name):
            parts = [name]
    return ".".join(part for part in parts if part)


# --- text form -------------------------------------------------------------------------------

NUMBERS = (
    *("value", "rate", "offset", "coefficients", "amplitude", "frequency", "phase", "cosine", "sine"),
    *("rise", "duration"),
)
"""Numbers of laws, which a text that is no parameter may begin with."""

OF_BODIES = ("mass", "center", "inertia")
"""Numbers of bodies that vary."""

OF_FORCES = (
    *("stiffness", "damping", "preload", "length", "position", "coefficient", "radius", "efficiency"),
    *("force", "torque", "torsion", "torsion_damping"),
)
"""Numbers of forces that vary: all single ones but those that smooth friction, and exponents, which other units follow
from."""

LOADS = OF_BODIES + OF_FORCES

WORDS = tuple(dict.fromkeys(("joint", "axis", "length", "mode", "number", *LOADS)))
"""First words of parameters that are no numbers of laws."""

_POINT = re.compile(rf"({NAME})(?:@({NAME}))?(?:\.({NAME}))?")
_LENGTH = re.compile(rf"({NAME})-({NAME})")
_FIELD = re.compile(rf"({NAME})(?:\[(-?[0-9]{{1,9}})\])?")
_FREEDOM = re.compile(rf"({NAME})(?:\.({NAME}))?")
_BODY = re.compile(rf"({NAME})")
_VALUE = re.compile(r"[\w/]+(?:\.\w+(?:\[\d+\])?)?")


def write(target: Target) -> str:
    """Write the text form of a parameter."""
    match target:
        case Point(point, body, component):
            return _term(point, body, component)
        case JointPoint(joint, body, component):
            return f"joint {_term(joint, body, component)}"
        case Axis(joint, body, component):
            return f"axis {_term(joint, body, component)}"
        case Length(body, between):
            return f"length {written(body)} {'-'.join(map(written, between))}"
        case LawValue(joint, field, index, freedom):
            place = "" if index is None else f"[{index}]"
            return f"{written(field, WORDS)}{place} {_term(joint, '', freedom)}"
        case LoadNumber(field, name, component):
            return f"{field} {_term(name, '', component)}"
        case AssemblyMode(group):
            return f"mode {written(group)}"
        case NamedValue(name):
            return f"number {name if _VALUE.fullmatch(name) else written(name)}"


def _term(name: str, body: str, component: str) -> str:
    on = f"@{written(body)}" if body else ""
    return written(name) + on + (f".{written(component)}" if component else "")


def parse(text: str | Target) -> Target:
    """Read the text form of a parameter.

    Raises
    ------
    ParameterError

    Examples
    --------
    >>> parse("C@coupler.x")
    Point(point='C', body='coupler', component='x')
    >>> parse("length crank A-B"), parse("coefficients[2] A")
    (Length(body='crank', between=('A', 'B')), LawValue(joint='A', field='coefficients', index=2, freedom=''))
    """
    if not isinstance(text, str):
        return text
    match words(text):
        case [term] if found := _POINT.fullmatch(term):
            return Point(*map(plain, found.groups()))
        case ["joint", term] if found := _POINT.fullmatch(term):
            return JointPoint(*map(plain, found.groups()))
        case ["axis", term] if found := _POINT.fullmatch(term):
            return Axis(*map(plain, found.groups()))
        case ["length", body, pair] if (on := _BODY.fullmatch(body)) and (found := _LENGTH.fullmatch(pair)):
            return Length(plain(on[1]), (plain(found[1]), plain(found[2])))
        case ["mode", body] if found := _BODY.fullmatch(body):
            return AssemblyMode(plain(found[1]))
        case ["number", name] if _VALUE.fullmatch(name) or _BODY.fullmatch(name):
            return NamedValue(name if _VALUE.fullmatch(name) else plain(name))
        case [field, term] if field in LOADS and (found := _FREEDOM.fullmatch(term)):
            return LoadNumber(field, plain(found[1]), plain(found[2]))
        case [number, term] if (law := _FIELD.fullmatch(number)) and (found := _FREEDOM.fullmatch(term)):
            if number not in WORDS:
                index = None if law[2] is None else int(law[2])
                return LawValue(plain(found[1]), plain(law[1]), index, plain(found[2]))
    first = next(iter(words(text)), "")
    meant = "" if first == "length" else requoted(text, (*WORDS, *NUMBERS))
    near = f" (did you mean `{meant}`?)" if meant else "" if first in WORDS else hint(first, WORDS)
    raise ParameterError(
        f"{shown(text)} is no parameter{near}. Parameters are written like "
        "`C@coupler.x`, `joint D`, `axis guide`, `length crank A-B`, `rate A`, `offset pose.x`, `coefficients[2] A`, "
        "`mass arm`, `center arm.x`, `stiffness spring`, `mode rocker` or `number a`; names with blanks, quotes, "
        "brackets or one of - @ . are quoted, as in `joint 'main bearing'`"
    )
