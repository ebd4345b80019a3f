"""Rows of Jacobians: which rates a quantity needs, and its own by the drivers from those.

The rates of points, of angles and of joints with one move are expressions. Those of other joints, of norms and of
outputs are computed from such.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from itertools import product

import numpy as np
from numpy.typing import NDArray

from groupkin.errors import NotModeledError, QuantityError, UnknownNameError
from groupkin.kinematics.jacobians.slides import one_move
from groupkin.kinematics.motion.motion import Motion
from groupkin.kinematics.motion.outputs import bases, gradient
from groupkin.kinematics.motion.quantities import Quantity, check, components, parse, quantity, unit
from groupkin.kinematics.program.program import Program
from groupkin.kinematics.rates.formulas import Formulas
from groupkin.mechanism.carriers import why_on_none
from groupkin.messages import unknown
from groupkin.model.geometry.coordinates import STEP, coordinate_rates
from groupkin.text_forms import plain, words
from sglibrary.code.graph import Expr

Array = NDArray[np.float64]
Reader = Callable[[Motion, Array], Array]
"""Computes rows (rows, drivers, n) from rates (rates, drivers, n) at the positions of a motion."""

RATES = {"velocity": "position", "angular_velocity": "angle", "joint_rate": "joint"}
"""Kinds of rates, and those of what they are the rates of."""

POSSIBLE = (
    "there are rates of `position P`, `angle body`, `angular_velocity body`, `joint J`, `output O`, and of a whole "
    "body, as `twist body`, or `twist P` with the velocity of one of its points"
)


@dataclass
class Rows:
    """Rows while they are collected.

    Attributes
    ----------
    program : Program
    rates : list of Expr
        That are needed.
    """

    program: Program
    rates: list[Expr] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.formulas = Formulas(self.program)

    def need(self, rates: list[Expr]) -> slice:
        """Add rates; which of all they will be."""
        self.rates += rates
        return slice(len(self.rates) - len(rates), len(self.rates))


@dataclass(frozen=True)
class Row:
    """Some rows of a Jacobian.

    Attributes
    ----------
    names, units : tuple of str
    rates : slice
        Those that they need.
    read : callable, optional
        Computes them from these; default: they are these.
    drivers : tuple of int
        Numbers of the drivers that they are, if they are drivers; then they need no others.
    """

    names: tuple[str, ...]
    units: tuple[str, ...]
    rates: slice
    read: Reader | None = None
    drivers: tuple[int, ...] = ()

    def at(self, motion: Motion, rates: Array) -> Array:
        """Compute the rows (rows, drivers, n)."""
        if self.drivers:
            own = np.eye(rates.shape[1])[list(self.drivers), :, None]
            found = np.broadcast_to(own, (len(own), rates.shape[1], motion.times.size))
            return np.where(motion.placed, found, np.nan) if motion.status.any() else found
        return rates[self.rates] if self.read is None else self.read(motion, rates[self.rates])


def rows_of(text: str | Quantity, rows: Rows) -> Row:
    """Read what rates are asked of, and collect what they need.

    Raises
    ------
    QuantityError, UnknownNameError, NotModeledError
    """
    mechanism = rows.program.mechanism
    parts = words(text) if isinstance(text, str) else []
    if len(parts) == 2 and parts[0] == "twist":
        return _twist(plain(parts[1]), rows)
    if len(parts) == 1 and plain(parts[0]) in mechanism.body:
        return _twist(plain(parts[0]), rows)
    given = parse(text)
    if given.kind == "twist":
        return _twist(given.name, rows)
    wanted = quantity(given, mechanism)
    kind = RATES.get(wanted.kind, wanted.kind)
    made = {"position": _position, "angle": _angle, "joint": _joint, "output": _output}.get(kind)
    if made is None or (wanted.component == "norm" and wanted.kind != "position"):
        raise QuantityError(f"rates of `{wanted}` by drivers are not computed; {POSSIBLE}")
    return made(wanted, rows)


def _names(wanted: Quantity, program: Program) -> tuple[str, ...]:
    """Write the names of the components of a quantity."""
    labels = list(product(*components(wanted, program.mechanism)[1]))
    return tuple(str(replace(wanted, component=label[0])) if label else str(wanted) for label in labels)


def _velocities(rows: Rows, body: str, local: Array) -> tuple[list[Expr], list[Expr]]:
    """The angular velocity of a body and the velocity of one of its points."""
    found = rows.formulas.velocities(body, local)
    d = rows.program.mechanism.dimension
    return found[:-d], found[-d:]


def _place(rows: Rows, name: str) -> tuple[str, Array]:
    """Find the body of a point, and its local coordinates (d,), m; of a body, those of its origin."""
    geometry = rows.program.geometry
    return geometry.points[name] if name in geometry.points else (name, geometry.origins[name])


def _twist(name: str, rows: Rows) -> Row:
    geometry, mechanism = rows.program.geometry, rows.program.mechanism
    if name in mechanism.positions and name not in geometry.points:
        raise UnknownNameError(why_on_none(mechanism, name))
    if name not in geometry.points and name not in mechanism.body:
        raise unknown("body or point", name, [*mechanism.body, *geometry.points])
    body, local = _place(rows, name)
    spin, velocity = _velocities(rows, body, local)
    quantities = (Quantity("angular_velocity", body), Quantity("velocity", name))
    names = tuple(each for whole in quantities for each in _names(whole, rows.program))
    return Row(names, ("rad",) * len(spin) + ("m",) * len(velocity), rows.need(spin + velocity))


def _position(wanted: Quantity, rows: Rows) -> Row:
    _, velocity = _velocities(rows, *_place(rows, wanted.name))
    names, units = _names(wanted, rows.program), ("m",)
    if wanted.component == "norm":

        def along(motion: Motion, rates: Array) -> Array:
            position = motion.position(wanted.name)
            way = position / np.linalg.norm(position, axis=1, keepdims=True)
            return np.asarray(np.einsum("nd,dmn->mn", way, rates)[None])

        return Row(names, units, rows.need(velocity), along)
    if wanted.component:
        velocity = [velocity["xyz".index(wanted.component)]]
    return Row(names, units * len(velocity), rows.need(velocity))


def _angle(wanted: Quantity, rows: Rows) -> Row:
    spin, _ = _velocities(rows, *_place(rows, wanted.name))
    if wanted.component:
        spin = [spin["xyz".index(wanted.component)]]
    return Row(_names(wanted, rows.program), ("rad",) * len(spin), rows.need(spin))


def _joint(wanted: Quantity, rows: Rows) -> Row:
    mechanism = rows.program.mechanism
    joint = mechanism.joint[wanted.name]
    freedoms, form = mechanism.freedoms(joint), mechanism.form(joint)
    chosen = [k for k, freedom in enumerate(freedoms) if wanted.component in ("", freedom.name)]
    names, units = _names(wanted, rows.program), tuple(freedoms[k].unit for k in chosen)
    driven = {each.freedom: k for k, each in enumerate(rows.program.drivers) if each.joint == joint.name}
    if set(chosen) <= set(driven):
        return Row(names, units, rows.need([]), drivers=tuple(driven[k] for k in chosen))
    if len(form.moves) == 1:
        return Row(names, units, rows.need([one_move(rows.formulas, joint)]))
    check(Quantity("joint_rate", joint.name), mechanism)  # refuses cams
    geometry, d = rows.program.geometry.joints[joint.name], mechanism.dimension
    ends = [_velocities(rows, body, point) for body, point in zip(joint.bodies, geometry.points, strict=True)]
    places = [form.places[k] for k in chosen]

    def coordinate(motion: Motion, rates: Array) -> Array:
        first, second = np.moveaxis(rates.reshape(2, -1, *rates.shape[1:]), 1, -1)
        turn = cross_matrix(first[..., :-d])
        frames = [motion.rotation(body) @ geometry.frames[side] for side, body in enumerate(joint.bodies)]
        away = motion.point_on(joint.bodies[1], geometry.points[1]) - motion.point_on(
            joint.bodies[0], geometry.points[0]
        )
        back = np.swapaxes(frames[0], 1, 2)
        # relative to the first frame: (ω₂ - ω₁) × e, and v₂ - v₁ - ω₁ × r
        rotation = back @ ((cross_matrix(second[..., :-d]) - turn) @ frames[1])
        shift = (second[..., -d:] - first[..., -d:] - (turn @ away[..., None])[..., 0])[..., None]
        whole = back @ frames[1] + 1j * STEP * rotation, (back @ (away[..., None] + 1j * STEP * shift))[..., 0]
        return coordinate_rates(form, geometry, *whole)[places]

    return Row(names, units, rows.need([each for end in ends for part in end for each in part]), coordinate)


def cross_matrix(spin: Array) -> Array:
    """Write angular velocities (..., 1 or 3) as the matrices (..., d, d) of ω ×."""
    d = 2 if spin.shape[-1] == 1 else 3
    found = np.zeros((*spin.shape[:-1], d, d))
    if d == 2:
        found[..., 1, 0], found[..., 0, 1] = spin[..., 0], -spin[..., 0]
    for k in range(3 if d == 3 else 0):
        i, j = (k + 1) % 3, (k + 2) % 3
        found[..., j, i], found[..., i, j] = spin[..., k], -spin[..., k]
    return found


def _output(wanted: Quantity, rows: Rows) -> Row:
    mechanism = rows.program.mechanism
    parts = []
    for base in bases(replace(wanted, component=""), mechanism):
        if base.kind not in ("position", "angle", "joint"):
            raise NotModeledError(
                f"`{wanted}` is computed from `{base}`: rates by drivers are computed of outputs of positions, angles "
                "and joint coordinates only"
            )
        parts.append((base, rows_of(base, rows)))
    start = min((row.rates.start for _, row in parts), default=0)
    stop = max((row.rates.stop for _, row in parts), default=0)
    names = _names(wanted, rows.program)
    found_unit = unit(wanted, mechanism)

    def chained(motion: Motion, rates: Array) -> Array:
        partial = gradient(motion, wanted.name)
        count, n = len(_names(replace(wanted, component=""), rows.program)), motion.times.size
        found = np.zeros((count, rates.shape[1], n))
        for base, row in parts:
            of_base = replace(row, rates=slice(row.rates.start - start, row.rates.stop - start)).at(motion, rates)
            by_base = np.broadcast_to(partial[base].reshape(-1, count, len(row.names)), (n, count, len(row.names)))
            found += np.einsum("nck,kmn->cmn", by_base, of_base)
        return found[["xyz".index(wanted.component)]] if wanted.component else found

    return Row(names, (found_unit,) * len(names), slice(start, stop), chained)


def freedoms_of(text: str | Quantity, program: Program) -> list[Quantity]:
    """List the freedoms that a text names, such as ``joint pose`` or ``joint pose.x``, each with its name.

    Raises
    ------
    QuantityError, UnknownNameError
    """
    wanted = quantity(text, program.mechanism)
    if wanted.kind != "joint":
        raise QuantityError(f"`{wanted}` is no freedom of a joint; rates are by freedoms such as `joint crank`")
    joint = program.mechanism.joint[wanted.name]
    names = [freedom.name for freedom in program.mechanism.freedoms(joint)]
    if not names:
        raise UnknownNameError(f"joint {joint.name!r} has no freedoms")
    single = len(names) == 1
    return [replace(wanted, component="" if single else name) for name in names if wanted.component in ("", name)]
