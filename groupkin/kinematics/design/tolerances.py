"""Tolerances: what deviations of parameters do to quantities, to first order, and the share of each parameter."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from groupkin.arguments import checked, floats
from groupkin.errors import NotModeledError, ParameterError, QuantityError, shown
from groupkin.kinematics.derivatives.derivatives import Derivatives
from groupkin.kinematics.design.joint_opening import opening, together
from groupkin.kinematics.design.many_designs import solve_many
from groupkin.kinematics.design.solve_one import solve_one
from groupkin.kinematics.motion.labeled_arrays import require
from groupkin.kinematics.motion.quantities import Quantity, components, quantity, unit
from groupkin.kinematics.parameters.nominal_values import scale
from groupkin.kinematics.parameters.parameters import Target
from groupkin.kinematics.program.program import Program
from groupkin.messages import unknown
from groupkin.showing import InNotebooks
from groupkin.tolerances import DESIGN_STEP

if TYPE_CHECKING:
    import xarray

Array = NDArray[np.float64]

LISTED = 3
"""Parameters of the largest shares that are printed."""


@dataclass(frozen=True, eq=False)
class Tolerance(InNotebooks):
    """How much quantities deviate, to first order, where parameters deviate independently of each other.

    Attributes
    ----------
    program : Program
        The nominal one.
    names : tuple of str
        Of the parameters.
    deviations : (parameters,) array
        Standard deviations, or largest ones, of the parameters; m, rad and the units of laws.
    times : (t,) array
        s.
    nominal : dict of Quantity to (t, ...) array
    slopes : dict of Quantity to (parameters, t, ...) array
        Derivatives of quantities by parameters.
    """

    program: Program
    names: tuple[str, ...]
    deviations: Array
    times: Array
    nominal: dict[Quantity, Array]
    slopes: dict[Quantity, Array]

    @checked
    def standard(self, of: str | Quantity) -> Array:
        """Compute the standard deviation (t, ...) of a quantity: the root of the sum of squares."""
        return np.asarray(np.sqrt(np.sum(self._parts(of) ** 2, axis=0)))

    @checked
    def worst(self, of: str | Quantity) -> Array:
        """Compute the largest deviation (t, ...) of a quantity, where all parameters deviate in the worst way."""
        return np.asarray(np.sum(np.abs(self._parts(of)), axis=0))

    @checked
    def shares(self, of: str | Quantity) -> Array:
        """Compute the share (parameters, t, ...) of each parameter in the variance; NaN where nothing deviates."""
        squares = self._parts(of) ** 2
        with np.errstate(invalid="ignore"):
            return np.asarray(squares / squares.sum(axis=0))

    def _parts(self, of: str | Quantity) -> Array:
        wanted = quantity(of, self.program)
        if wanted not in self.slopes:
            raise QuantityError(f"`{wanted}` is not kept here: {', '.join(map(str, self.slopes))} are")
        slopes = self.slopes[wanted]
        return np.asarray(slopes * self.deviations.reshape(-1, *[1] * (slopes.ndim - 1)))

    def __repr__(self) -> str:
        lines = [f"<Tolerance of {self.program.mechanism.name}, where the standard deviation is largest:"]
        return "\n".join([*lines, *(f"  {self._line(of)}" for of in self.slopes)]) + ">"

    def _line(self, of: Quantity) -> str:
        standard, worst, shares = self.standard(of), self.worst(of), self.shares(of)
        if np.isnan(standard).all():
            return f"{of}: not solved"
        at = int(np.nanargmax(standard))
        of_each, step = shares.reshape(len(self.names), -1)[:, at], at * self.times.size // standard.size
        say, each = self.program.mechanism.units.text, unit(of, self.program.mechanism).split(", ")[0]
        order = np.argsort(-np.nan_to_num(of_each), kind="stable")[:LISTED]
        parts = ", ".join(f"{self.names[k]} {100 * of_each[k]:.3g} %" for k in order if of_each[k] > 0)
        found = f"{say(float(standard.flat[at]), each, 4)}, at worst {say(float(worst.flat[at]), each, 4)}"
        return f"{of}: {found}, at t = {self.times[step]:.4g} s" + (f"; {parts}" if parts else "")

    def to_xarray(self) -> xarray.Dataset:
        """Convert to a dataset with the dimensions parameter and time, and those of quantities, in SI.

        Raises
        ------
        OutputError
            If xarray is not installed.
        """
        xr, mechanism = require("xarray"), self.program.mechanism
        coords: dict[str, Any] = {"parameter": list(self.names), "time": ("time", self.times, {"units": "s"})}
        variables: dict[str, Any] = {"deviation": ("parameter", self.deviations)}
        for of in self.slopes:
            dims, labels = components(of, mechanism)
            coords |= {dim: list(along) for dim, along in zip(dims, labels, strict=True)}
            units = {"units": unit(of, mechanism)}
            variables[f"standard {of}"] = (("time", *dims), self.standard(of), units)
            variables[f"worst {of}"] = (("time", *dims), self.worst(of), units)
            variables[f"share {of}"] = (("parameter", "time", *dims), self.shares(of))
        return xr.Dataset(variables, coords=coords, attrs={"title": mechanism.name})


def tolerance(
    program: Program,
    targets: tuple[Target, ...],
    values: Array,
    deviations: Mapping[str, float] | ArrayLike,
    times: Array,
    keep: Sequence[Quantity],
) -> Tolerance:
    """Solve a design and differentiate its quantities; see `Design.tolerance`."""
    names = tuple(map(str, targets))
    each = deviations_of(names, deviations)
    some = each > 0.0
    deviating = [target for target, x in zip(targets, some, strict=True) if x]
    # a stated misfit allows small changes
    opened = opening(program, deviating, values[some], times, each[some] if program.mechanism.misfit else None)
    if opened:
        raise ParameterError(f"{together(program, opened)}; tolerances let each deviate by itself")
    found = Derivatives(solve_one(program, targets, values, times), program, targets, values)
    nominal = {of: found.motion.read(of) for of in keep}
    try:
        slopes = dict(zip(keep, found.read_all(keep), strict=True))
    except NotModeledError:
        slopes = _differences(program, targets, values, times, keep)
    return Tolerance(program, names, each, times, nominal, slopes)


def _differences(
    program: Program, targets: tuple[Target, ...], values: Array, times: Array, keep: Sequence[Quantity]
) -> dict[Quantity, Array]:
    """Differentiate quantities by central differences: of conditioning, and of what else has no exact derivatives."""
    steps = DESIGN_STEP * np.array([scale(target, program) for target in targets])
    rows = values + np.concatenate([np.diag(steps), -np.diag(steps)])
    found = solve_many(program, targets, rows, times, keep)
    slopes = {}
    for of in keep:
        ahead, behind = np.split(found.read(of), 2)
        slopes[of] = (ahead - behind) / (2.0 * steps).reshape(-1, *[1] * (ahead.ndim - 1))
    return slopes


def deviations_of(names: tuple[str, ...], given: Mapping[str, float] | ArrayLike) -> Array:
    """Read deviations (parameters,); a point or an axis that is named stands for all its components.

    Raises
    ------
    ParameterError, UnknownNameError
    """
    numbers = np.zeros(len(names))
    if isinstance(given, Mapping):
        for text, value in given.items():
            chosen = [k for k, name in enumerate(names) if text == name or name.rpartition(".")[0] == text]
            if not chosen:
                raise unknown("parameter", text, list(names))
            numbers[chosen] = floats(value)
    else:
        numbers = np.array(np.broadcast_to(floats(given), len(names)) if np.ndim(given) == 0 else floats(given))
    if numbers.shape != (len(names),) or not (np.isfinite(numbers) & (numbers >= 0.0)).all():
        raise ParameterError(
            f"deviations are a number that is not negative for each of {', '.join(names)}, not {shown(given)}"
        )
    return numbers
