"""Rows of Jacobians: which rates a quantity needs, and its own by the drivers from those."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import product

import numpy as np
from numpy.typing import NDArray

from groupkin.errors import NotModeledError, QuantityError, UnknownNameError
from groupkin.kinematics.motion.kinds import origin
from groupkin.kinematics.motion.motion import Motion
from groupkin.kinematics.motion.outputs import bases
from groupkin.kinematics.motion.quantities import Quantity, check, components, parse, places, quantity, unit
from groupkin.kinematics.program.program import Program
from groupkin.kinematics.rates.quantity_changes import Moves, Reader, Reading, along, reading
from groupkin.mechanism.carriers import why_on_none
from groupkin.messages import unknown
from groupkin.text_forms import plain, words

Array = NDArray[np.float64]

OF_POSES = ("distance", "transmission_angle", "relative_position", "relative_angle")
"""Kinds that are computed from where bodies are alone."""

POSSIBLE = (
    "there are rates of `position P`, `angle body`, `angular_velocity body`, `joint J`, `output O`, distances, "
    "transmission angles, relative positions and angles, and of a whole body, as `twist body`, or `twist P` with the "
    "velocity of one of its points"
)


@dataclass(frozen=True)
class Row:
    """Some rows of a Jacobian.

    Attributes
    ----------
    names, units : tuple of str
    rates : range, optional
        Rates that they are.
    read : Reader, optional
        How they are read from all rates, if they are not rates.
    drivers : tuple of int
        Numbers of the drivers that they are, if they are drivers; then they need no rates.
    """

    names: tuple[str, ...]
    units: tuple[str, ...]
    rates: range = range(0)
    read: Reader | None = None
    drivers: tuple[int, ...] = ()

    def at(self, motion: Motion, rates: Array) -> Array:
        """Compute the rows (rows, drivers, n) from all rates that are needed (rates, drivers, n)."""
        if self.drivers:
            own = np.eye(rates.shape[1])[list(self.drivers), :, None]
            found = np.broadcast_to(own, (len(own), rates.shape[1], motion.times.size))
            return np.where(motion.placed, found, np.nan) if motion.status.any() else found
        found = rates[self.rates.start : self.rates.stop]
        return found if self.read is None else along(motion, self.read).of(rates[None])


def rows_of(text: str | Quantity, moves: Moves) -> list[Row]:
    """Read what rates are asked of, and collect what they need.

    Raises
    ------
    QuantityError, UnknownNameError, NotModeledError
    """
    mechanism = moves.program.mechanism
    parts = words(text) if isinstance(text, str) else []
    if len(parts) == 2 and parts[0] == "twist":
        return _twist(plain(parts[1]), moves)
    if len(parts) == 1 and plain(parts[0]) in mechanism.body:
        return _twist(plain(parts[0]), moves)
    given = parse(text)
    if given.kind == "twist":
        return _twist(given.name, moves)
    return _of_quantity(quantity(given, mechanism), moves)


def _of_quantity(wanted: Quantity, moves: Moves) -> list[Row]:
    mechanism, names = moves.program.mechanism, _names(wanted, moves.program)
    kind, order = origin(wanted.kind)
    of = replace(wanted, kind=kind)
    norm = wanted.component == "norm" and wanted.kind != "position"
    if norm or order > 1 or kind not in ("position", "angle", "joint", "output", *OF_POSES):
        raise QuantityError(f"rates of `{wanted}` by drivers are not computed; {POSSIBLE}")
    driven = _driven(of, moves.program) if kind == "joint" else ()
    if driven:
        return [Row(names, _units(of, names, moves.program), drivers=driven)]
    for base in bases(of, mechanism):
        if base.kind not in ("position", "angle", "rotation", "joint"):
            raise NotModeledError(
                f"`{wanted}` is computed from `{base}`: rates by drivers are computed of outputs of positions, angles "
                "and joint coordinates only"
            )
        if base.kind == "joint" and not _driven(base, moves.program):
            check(Quantity("joint_rate", base.name), mechanism)  # refuses cams
    return [_row(of, names, moves)]


def _row(of: Quantity, names: tuple[str, ...], moves: Moves) -> Row:
    """Write rows for a quantity, or for the turn of a body."""
    read, units = reading(of, moves), _units(of, names, moves.program)
    if isinstance(read, Reading) and np.array_equal(read.matrices, np.eye(len(read.moves))[None, ..., None]):
        return Row(names, units, range(read.moves[0], read.moves[-1] + 1))
    return Row(names, units, read=read)


def _units(of: Quantity, names: tuple[str, ...], program: Program) -> tuple[str, ...]:
    each = tuple(unit(of, program.mechanism).split(", "))
    return each * (len(names) // len(each))


def _driven(of: Quantity, program: Program) -> tuple[int, ...]:
    """Return the numbers of the drivers of the coordinates of a joint; none unless all are driven."""
    numbers = {driven.freedom: k for k, driven in enumerate(program.drivers) if driven.joint == of.name}
    chosen = places(of, program.mechanism)
    return tuple(numbers[k] for k in chosen) if set(chosen) <= set(numbers) else ()


def _names(wanted: Quantity, program: Program) -> tuple[str, ...]:
    """Write the names of the components of a quantity."""
    labels = list(product(*components(wanted, program.mechanism)[1]))
    return tuple(str(replace(wanted, component=label[0])) if label else str(wanted) for label in labels)


def _twist(name: str, moves: Moves) -> list[Row]:
    geometry, mechanism = moves.program.geometry, moves.program.mechanism
    if name in mechanism.positions and name not in geometry.points:
        raise UnknownNameError(why_on_none(mechanism, name))
    if name not in geometry.points and name not in mechanism.body:
        raise unknown("body or point", name, [*mechanism.body, *geometry.points])
    body = geometry.points[name][0] if name in geometry.points else name
    spin, velocity = Quantity("angular_velocity", body), Quantity("velocity", name)
    return [
        _row(Quantity("angle", body), _names(spin, moves.program), moves),
        _row(Quantity("position", name), _names(velocity, moves.program), moves),
    ]
