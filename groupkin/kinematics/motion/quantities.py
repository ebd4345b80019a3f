"""Quantities: what can be read from a motion, with units, components and one text form each.

`KINDS` is the table of all of them. The text form begins with the kind: ``position P``, ``velocity P.norm``,
``angle crank``, ``joint pose.x``, ``conditioning``; see `groupkin.text_forms` for names in it. A name without
a kind is read where only one of position, angle, rotation, joint coordinate and output is possible.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from groupkin.arguments import check_fields, checked
from groupkin.by_name import function
from groupkin.errors import GroupkinError, NotModeledError, QuantityError, UnknownNameError, shown
from groupkin.kinematics.motion.kinds import BARE, EVERY, FORCES, KINDS, SEVERAL, origin
from groupkin.kinematics.motion.motion import Motion
from groupkin.kinematics.program.program import Program
from groupkin.mechanism.carriers import on_body, why_on_none
from groupkin.mechanism.mechanism import Mechanism
from groupkin.mechanism.pairs import freedom_index
from groupkin.mechanism.units import powers, unit_text
from groupkin.messages import hint, unknown
from groupkin.text_forms import NAME, plain, requoted, words, written

if TYPE_CHECKING:
    from groupkin.kinematics.motion.outputs import Output

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Quantity:
    """Something that can be read from a motion; as a text its text form, such as ``velocity P.norm``.

    Parameters
    ----------
    kind : str
        One of `KINDS`.
    of : str or tuple of str
        Name of a point, body, joint or output, or of two or three points; of conditioning and residual it may be empty.
    component : str
        x, y, z or ``norm`` of a vector, a freedom of a joint; all components if empty.
    """

    kind: str
    of: str | tuple[str, ...] = ""
    component: str = ""

    def __post_init__(self) -> None:
        if isinstance(self.of, list):
            object.__setattr__(self, "of", tuple(self.of))
        if not isinstance(self.of, str | tuple) or not all(isinstance(name, str) for name in self.of):
            raise QuantityError(f"Quantity: of must be a name, or several, not {shown(self.of)}")

    def __str__(self) -> str:
        names = self.names
        term = "-".join(written(name, () if self.kind else EVERY) for name in names) if any(names) else ""
        end = f".{written(self.component)}" if self.component else ""
        return " ".join(word for word in (self.kind, term + end) if word)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of what it is of."""
        return (self.of,) if isinstance(self.of, str) else self.of

    @property
    def name(self) -> str:
        """Name of what it is of; of several points, their names joined by hyphens."""
        return self.of if isinstance(self.of, str) else "-".join(self.of)

    @property
    def label(self) -> str:
        """Default name in results."""
        kind = "" if (self.kind == "joint" and self.component) or self.kind == "output" else self.kind
        return ".".join(part for part in (self.name, kind, self.component) if part)


# --- text form -------------------------------------------------------------------------------

TERM = re.compile(rf"({NAME})(?:\.({NAME}))?")
"""A name, and that of a component or freedom."""

OF_FORCES = ("force", "bearing", "power")
"""Words that belong to forces, not to motions."""


def parse(text: str | Quantity) -> Quantity:
    """Read the text form of a quantity, whose kind stays empty where it is not stated.

    Raises
    ------
    QuantityError

    Examples
    --------
    >>> parse("velocity P.norm")
    Quantity(kind='velocity', of='P', component='norm')
    >>> print(parse("joint 'main bearing'"), parse("crank"))
    joint 'main bearing' crank
    """
    if isinstance(text, Quantity):
        return text
    parts = words(text)
    whole = len(parts) == 1 and parts[0] in KINDS and KINDS[parts[0]].of in ("groups", "joints")
    kind = parts[0] if whole or len(parts) == 2 else ""
    if whole:
        return Quantity(kind)
    if kind and kind not in EVERY:
        forces = " (groupkin forces --plot and Forces.plot show forces)" if kind in OF_FORCES else ""
        near = forces or hint(kind, EVERY) or _in_quotes(text)
        raise QuantityError(f"{shown(text)} is no quantity: there is no kind {shown(kind)}{near}. {HELP}")
    several = SEVERAL.get(EVERY[kind].of, ()) if kind else ()
    names_of = rf"{'-'.join([f'({NAME})'] * len(several))}(?:\.({NAME}))?"
    found = (re.compile(names_of) if several else TERM).fullmatch(parts[-1]) if len(parts) in (1, 2) else None
    if found is None:
        like = f"; it is written like `{EVERY[kind].like}`" if several else ""
        raise QuantityError(f"{shown(text)} is no quantity{_in_quotes(text)}{like}. {HELP}")
    names = [plain(name) for name in found.groups()]
    return Quantity(kind, tuple(names[:-1]), names[-1]) if several else Quantity(kind, *names)


def _in_quotes(text: str) -> str:
    """Propose a text with quotes around its name of several words, for a message."""
    first, _, rest = text.strip().partition(" ")
    names = rest.split("-")
    if first in EVERY and len(names) == len(SEVERAL.get(EVERY[first].of, ())) > 0 and "'" not in rest:
        meant = f"{first} {'-'.join(written(name.strip()) for name in names)}"
    else:
        meant = requoted(text, EVERY)
    return f" (did you mean `{meant}`?)" if meant else ""


HELP = (
    "Quantities are written like `velocity P.norm` or `joint 'main bearing'`: names with blanks, quotes, brackets or "
    "one of - @ . are quoted"
)
"""End of messages about texts that are no quantity."""


@checked
def quantity(text: str | Quantity, mechanism: Mechanism | Program, forces: bool = False) -> Quantity:
    """Read the text form of a quantity of a mechanism, or check a quantity.

    Parameters
    ----------
    text : str or Quantity
        Such as ``velocity P.norm``; or a name alone, with or without a component, where only one of position, angle,
        rotation, joint coordinate and output is possible.
    mechanism : Mechanism or Program
    forces : bool
        Whether it may be one of the kinds of `FORCES`.

    Returns
    -------
    Quantity

    Raises
    ------
    QuantityError, UnknownNameError, NotModeledError
        If it cannot be read, is not unique, or the mechanism does not have it.

    Examples
    --------
    >>> from groupkin.mechanism.parts import Joint
    >>> crank = Mechanism(2, ["frame", "crank"], [Joint("pin", "R", ("frame", "crank"), point=(0, 0))])
    >>> print(quantity("pin", crank))
    joint pin
    """
    within = mechanism.mechanism if isinstance(mechanism, Program) else mechanism
    given = parse(text)
    check_fields(given, QuantityError)
    if given.kind in FORCES and forces:
        check(given, within, forces=True)
        return given
    return resolved(given, within, _outputs(within))


def _outputs(mechanism: Mechanism) -> Mapping[str, Output]:
    """Return the outputs of a mechanism, which are quantities made of others."""
    from groupkin.kinematics.motion.outputs import outputs_of

    return outputs_of(mechanism) if mechanism.outputs else {}


def resolved(text: str | Quantity, within: Mechanism, outputs: Mapping[str, Output]) -> Quantity:
    """Read the text form of a quantity, as `quantity` does, in a formula that may name some outputs."""
    given = parse(text)
    if given.kind:
        check(given, within, outputs)
        return given
    readings, errors = [], []
    for kind in BARE:
        try:
            check(replace(given, kind=kind), within, outputs)
        except GroupkinError as error:
            errors.append(error)
        else:
            readings.append(replace(given, kind=kind))
    if len(readings) == 1:
        return readings[0]
    if readings:
        options = " or ".join(f"`{reading}`" for reading in readings)
        raise QuantityError(f"`{given}` can be read as {options}; write one of them")
    if given.of in (*within.body, *within.positions):
        raise errors[0]
    if given.of in (*within.joint, *within.outputs):
        raise errors[BARE.index("joint" if given.of in within.joint else "output")]
    names = [*within.body, *_points(within), *within.joint, *within.outputs]
    raise unknown("body, point, joint or output" if within.outputs else "body, point or joint", given.name, names)


# --- what mechanisms have --------------------------------------------------------------------


def _points(mechanism: Mechanism) -> list[str]:
    """List the named points that are on bodies."""
    return [name for name in mechanism.positions if on_body(mechanism, name)]


def check(
    quantity: Quantity, mechanism: Mechanism, outputs: Mapping[str, Output] | None = None, forces: bool = False
) -> None:
    """Refuse a quantity that a mechanism does not have, that names others than some outputs, or that is a force.

    Raises
    ------
    QuantityError, UnknownNameError, NotModeledError
    """
    kind = EVERY.get(quantity.kind)
    if kind is None:
        raise QuantityError(f"there is no quantity {shown(quantity.kind)}{hint(quantity.kind, EVERY)}")
    if quantity.kind in FORCES and not forces:
        raise QuantityError(
            f"`{quantity}` is a force, which a motion alone does not have: read it from "
            "groupkin.inverse_dynamics(motion), or keep it in a sweep"
        )
    names = quantity.names
    several = SEVERAL.get(kind.of, ())
    if len(names) != (len(several) or 1):
        like = f", as `{kind.like}`" if several else ""
        raise QuantityError(
            f"{quantity.kind} is of {kind.of if several else 'one name'}{like}, not of {shown(quantity.of)}"
        )
    if several and len(set(names)) < len(names):
        raise QuantityError(f"`{quantity}` needs {len(names)} different names")
    if kind.dimension not in (0, mechanism.dimension):
        where, other = ("the plane", INSTEAD[2]) if kind.dimension == 2 else ("space", INSTEAD[3])
        raise QuantityError(f"{quantity.kind} is of mechanisms in {where}; {other}")
    if names == ("",) and kind.of in ("groups", "joints") and not quantity.component:
        return
    for name, of in zip(names, several or (kind.of,), strict=True):
        _check_name(name, of, mechanism)
    if kind.of == "two joints":
        _check_ratio(quantity, mechanism)
    if kind.of == "robot":
        function("groupkin.kinematics.motion.robots:check_robot")(quantity, mechanism)
    joint = mechanism.joint[names[0]] if kind.shape == "freedoms" else None
    if joint is not None and quantity.component:
        freedom_index(joint.type, mechanism.dimension, quantity.component, joint.follower)
    if joint is not None and quantity.kind in ("joint_rate", "joint_acceleration") and mechanism.form(joint).curved:
        raise NotModeledError(f"joint {joint.name!r} is a cam: rates of its coordinates are not computed")
    if quantity.kind == "angle" and mechanism.dimension == 3:
        raise QuantityError(f"body {quantity.of!r} moves in space: read its rotation instead of an angle")
    axes = _axes(quantity, mechanism, outputs)
    allowed = (*axes, "norm") if axes else ()
    if joint is None and quantity.component and quantity.component not in allowed:
        has = f"has the components {', '.join(allowed)}" if allowed else "has no components to choose from"
        raise QuantityError(f"`{replace(quantity, component='')}` {has}, not {shown(quantity.component)}")


INSTEAD = {
    2: "in space read `screw_point`, `screw_direction` and `screw_pitch`, or `relative_position`",
    3: "in the plane read `instant_center`",
}
"""What to read where a kind is not of the plane or of space."""


def _check_ratio(quantity: Quantity, mechanism: Mechanism) -> None:
    """Refuse joints that have not one freedom each, or no rate."""
    for name in quantity.names:
        joint = mechanism.joint[name]
        if len(mechanism.freedoms(joint)) != 1 or mechanism.form(joint).curved:
            raise QuantityError(f"`{quantity}`: joint {name!r} has not one freedom with a rate; take a joint that has")


def _check_name(name: str, of: str, mechanism: Mechanism) -> None:
    """Refuse a name that is not one of those that a kind of quantities is of."""
    points = _points(mechanism) if of in ("body or point", "point") else []
    what, names = {
        "joint": ("joint", list(mechanism.joint)),
        "joints": ("joint", list(mechanism.joint)),
        "groups": ("movable body", list(mechanism.movable)),
        "body": ("body", list(mechanism.body)),
        "output": ("output", list(mechanism.outputs)),
        "driver": ("driven freedom", [_freedom_name(text) for text in mechanism.driven_freedoms]),
        "robot": ("robot", list(mechanism.robot)),
    }.get(of, ("body or point", [*mechanism.body, *points]))
    if name in names:
        return
    if points and name in mechanism.outputs:
        raise UnknownNameError(
            f"{name!r} is an output, not a body or point; its derivatives are `output_rate` and `output_acceleration`"
        )
    if points and name in mechanism.positions:
        raise UnknownNameError(why_on_none(mechanism, name))
    if what == "joint" and name in mechanism.shared:
        pairs = [written(joint.name) for joint in mechanism.joints if joint.of is mechanism.shared[name]]
        raise UnknownNameError(f"joint {name!r} joins several bodies; name one of its pairs: {', '.join(pairs)}")
    raise unknown(what, name, names)


def driven_freedom(name: str, mechanism: Mechanism) -> Quantity:
    """Return the driven freedom of a name such as ``wheel.z``."""
    return next(each for each in map(parse, mechanism.driven_freedoms) if _freedom_name(each) == name)


def _freedom_name(freedom: str | Quantity) -> str:
    given = parse(freedom)
    return f"{given.name}.{given.component}" if given.component else given.name


def _axes(quantity: Quantity, mechanism: Mechanism, outputs: Mapping[str, Output] | None) -> tuple[str, ...]:
    """Return the names of the components of vectors, none for other quantities."""
    shape, axes = EVERY[quantity.kind].shape, tuple("xyz"[: mechanism.dimension])
    if shape == "formula":
        return axes[: (_outputs(mechanism) if outputs is None else outputs)[quantity.names[0]].size]
    return axes if shape == "vector" or (shape == "spin" and len(axes) == 3) else ()


Labels = tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]
"""Names of dimensions, and the labels along each of them."""


def components(quantity: Quantity, mechanism: Mechanism, outputs: Mapping[str, Output] | None = None) -> Labels:
    """Return the dimensions of a quantity beyond times, and their labels."""
    kind, axes = EVERY[quantity.kind], tuple("xyz"[: mechanism.dimension])
    if quantity.component:
        return (), ()
    if kind.shape == "matrix":
        return ("axis", "local_axis"), (axes, axes)
    if kind.shape == "freedoms":
        freedoms = tuple(freedom.name for freedom in mechanism.freedoms(mechanism.joint[quantity.name]))
        return ((f"freedom_{quantity.name}",), (freedoms,)) if len(freedoms) > 1 else ((), ())
    along = _axes(quantity, mechanism, outputs)
    return (("axis",), (along,)) if along else ((), ())


def places(quantity: Quantity, mechanism: Mechanism) -> range:
    """Return the numbers of a component, or of all, among the components of a quantity."""
    labels = components(replace(quantity, component=""), mechanism)[1]
    if EVERY[quantity.kind].shape == "freedoms":  # also where there is one, or none
        labels = (tuple(freedom.name for freedom in mechanism.freedoms(mechanism.joint[quantity.name])),)
    first = labels[0].index(quantity.component) if quantity.component else 0
    return range(first, first + 1 if quantity.component else prod(map(len, labels)))


def unit(quantity: Quantity, mechanism: Mechanism, outputs: Mapping[str, Output] | None = None) -> str:
    """Return the unit of a quantity, or the units of its components."""
    kind = EVERY[quantity.kind]
    if kind.shape == "formula":
        value = (_outputs(mechanism) if outputs is None else outputs)[quantity.names[0]].unit
        by = f"/{unit(driven_freedom(quantity.names[1], mechanism), mechanism)}" if quantity.names[1:] else ""
        exponents = powers(value + kind.unit + by)
        assert exponents is not None
        return unit_text(exponents)
    if kind.of == "two joints":
        over, under = (mechanism.freedoms(mechanism.joint[name])[0].unit for name in quantity.names)
        return ("1" if over == under else f"{over}/{under}") + "/s" * origin(quantity.kind)[1]
    if kind.of == "robot" and not kind.unit:
        return str(function("groupkin.kinematics.motion.robots:unit_of_robot")(quantity, mechanism))
    if kind.shape != "freedoms":
        return kind.unit
    chosen = places(quantity, mechanism)
    freedoms = mechanism.freedoms(mechanism.joint[quantity.name])[chosen.start : chosen.stop]
    if quantity.kind == "driver":
        units = ["N*m" if freedom.rotation else "N" for freedom in freedoms]
    else:
        units = [freedom.unit + kind.unit for freedom in freedoms]
    return units[0] if len(set(units)) == 1 else ", ".join(units)


# --- reading ---------------------------------------------------------------------------------


def read(motion: Motion, what: str | Quantity) -> Array:
    """Read a quantity of a motion; see `Motion.read`."""
    return read_from(motion, quantity(what, motion.program.mechanism), motion.program.mechanism)


def read_from(source: Any, wanted: Quantity, mechanism: Mechanism) -> Array:
    """Read a quantity of a motion, or one of the kinds of `FORCES` of its forces."""
    kind = EVERY[wanted.kind]
    values = kind.read(source, wanted.of)
    if wanted.component == "norm":
        return np.asarray(np.sqrt(sum(x * x for x in values.T)))
    if wanted.component or (kind.shape == "freedoms" and values.shape[1] == 1):
        return values[:, places(wanted, mechanism)[0]]
    return values
