"""A Jacobian at all steps of a motion, its singular values and manipulability, and how near it is to singular ones."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from groupkin.arguments import checked
from groupkin.errors import ArgumentError
from groupkin.kinematics.motion.labeled_arrays import in_units, require
from groupkin.mechanism.units import LENGTH, Choice, Units, chosen, powers
from groupkin.messages import unknown
from groupkin.showing import InNotebooks

if TYPE_CHECKING:
    import xarray

Array = NDArray[np.float64]


class Singularities(NamedTuple):
    """How near a mechanism is to singular positions (Gosselin and Angeles 1990), (n,) each: 1 is far, 0 is singular.

    Attributes
    ----------
    first : (n,) array
        Zero where inputs can move although the outputs stand still: serial singularities, dead centers of the output.
    second : (n,) array
        Zero where outputs can move although the inputs stand still: parallel singularities, which inputs do not hold.
    """

    first: Array
    second: Array


@dataclass(frozen=True, eq=False)
class Jacobian(InNotebooks):
    """Rates of outputs by the rates of inputs, at all steps of a motion.

    Attributes
    ----------
    times : (n,) array
        s.
    values : (n, outputs, inputs) array
        Units of outputs over those of inputs; NaN at steps that are not solved.
    outputs, inputs : tuple of str
        What the rows and columns belong to.
    output_units, input_units : tuple of str
        m and rad.
    by_coordinates : (array, array or None)
        Rates (n, outputs, m) of the outputs and (n, m, m) of the inputs by coordinates that determine the motion; None
        where the inputs are these coordinates. They are finite also where the inputs do not determine the motion.
    """

    times: Array
    values: Array
    outputs: tuple[str, ...]
    inputs: tuple[str, ...]
    output_units: tuple[str, ...]
    input_units: tuple[str, ...]
    by_coordinates: tuple[Array, Array | None] = field(repr=False)

    def __repr__(self) -> str:
        return f"<Jacobian of {', '.join(self.outputs)} by {', '.join(self.inputs)}: {self.times.size} steps>"

    @property
    def translation(self) -> Jacobian:
        """The rows of outputs in meters."""
        return self.rows([name for name, unit in zip(self.outputs, self.output_units, strict=True) if unit == "m"])

    @property
    def rotation(self) -> Jacobian:
        """The rows of outputs in radians."""
        return self.rows([name for name, unit in zip(self.outputs, self.output_units, strict=True) if unit == "rad"])

    @checked
    def rows(self, names: Sequence[str]) -> Jacobian:
        """Select rows by their names.

        Raises
        ------
        ArgumentError, UnknownNameError
            If there is none, or none of a name.
        """
        if not names:
            raise ArgumentError(f"there are no such rows; the outputs are {_listed(self.outputs, self.output_units)}")
        chosen_rows = [_index(name, self.outputs, "output") for name in names]
        units = tuple(self.output_units[k] for k in chosen_rows)
        by = (self.by_coordinates[0][:, chosen_rows], self.by_coordinates[1])
        outputs = tuple(self.outputs[k] for k in chosen_rows)
        return replace(self, values=self.values[:, chosen_rows], outputs=outputs, output_units=units, by_coordinates=by)

    @checked
    def in_one_unit(self, length: float | None = None) -> Array:
        """Return the values (n, outputs, inputs) all in one unit.

        Parameters
        ----------
        length : float, optional
            A characteristic length, m, by which lengths are divided, so that they compare with angles.

        Raises
        ------
        ArgumentError
            If units are mixed and no length is stated.
        """
        if length is None:
            if len(set(_lengths(self.output_units))) > 1 or len(set(_lengths(self.input_units))) > 1:
                raise ArgumentError(self._mixed("lengths and angles are mixed"))
            return self.values
        outputs, inputs = self._scales(length)
        return np.asarray(self.values * inputs / outputs[:, None])

    def _mixed(self, why: str) -> str:
        parts = "take `.translation` or `.rotation` alone, or " if len(set(self.output_units)) > 1 else ""
        return (
            f"{why}: outputs are {_listed(self.outputs, self.output_units)}, inputs "
            f"{_listed(self.inputs, self.input_units)}; {parts}state a characteristic `length` in m, such as the "
            "radius of the platform, by which lengths are divided"
        )

    def _scales(self, length: float) -> tuple[Array, Array]:
        """Return what the units of outputs and of inputs are with a length as the unit of lengths."""
        if not 0.0 < length < np.inf:
            raise ArgumentError(f"length must be a positive number of meters, not {length!r}")
        outputs, inputs = (length ** np.array(_lengths(units)) for units in (self.output_units, self.input_units))
        return np.asarray(outputs), np.asarray(inputs)

    @checked
    def singular_values(self, length: float | None = None) -> Array:
        """Compute the singular values (n, k), the largest first, NaN where values are not finite; see `in_one_unit`."""
        return _singular_values(self.in_one_unit(length))

    @checked
    def condition(self, length: float | None = None) -> Array:
        """Compute the largest over the smallest singular value (n,), 1 at best; see `in_one_unit`."""
        found = self.singular_values(length)
        return np.asarray(found[:, 0] / found[:, -1])

    @checked
    def determinant(self, length: float | None = None) -> Array:
        """Compute the determinant (n,) of as many outputs as inputs; see `in_one_unit`.

        Raises
        ------
        ArgumentError
            If they are not as many, or units are mixed.
        """
        self._require_square("a determinant")
        return np.asarray(np.linalg.det(self.in_one_unit(length)))

    @checked
    def manipulability(self, length: float | None = None) -> Array:
        """Compute Yoshikawa's measure (n,), the root of det(J Jᵀ): the product of the singular values.

        Of bodies, take `translation` and `rotation` apart, or state a length; see `in_one_unit`. Zero where there are
        more outputs than inputs, since then they cannot move in all ways.
        """
        values = self.in_one_unit(length)
        if len(self.outputs) > len(self.inputs):
            return np.where(np.isfinite(values).all(axis=(1, 2)), 0.0, np.nan)
        return np.asarray(_singular_values(values).prod(axis=1))

    @checked
    def transmission_ratio(self, output: str | None = None, input: str | None = None) -> Array:
        """Read the rate of one output over that of one input (n,), in SI units; of gears its reciprocal is stated.

        Parameters
        ----------
        output, input : str, optional
            Names of a row and of a column; default: the only ones.

        Raises
        ------
        ArgumentError, UnknownNameError
        """
        places = [_only(output, self.outputs, "output"), _only(input, self.inputs, "input")]
        return np.asarray(self.values[:, places[0], places[1]])

    @checked
    def implicit(self, length: float | None = None) -> tuple[Array, Array]:
        """Compute matrices J_x and J_q (n, k, k) of J_x · outputs' = J_q · inputs', finite also at singular positions.

        The rows of (J_x, -J_q) are orthonormal. Where outputs are in the unit of the inputs no length is needed;
        otherwise the rates of lengths are divided by it.

        Raises
        ------
        ArgumentError
            If outputs are not as many as inputs, or units are mixed.
        """
        k = self._require_square("J_x and J_q")
        if length is None and len(set(_lengths(self.output_units + self.input_units))) > 1:
            raise ArgumentError(self._mixed("lengths and angles are mixed, of outputs and inputs together"))
        scales = (np.ones(k), np.ones(k)) if length is None else self._scales(length)
        of_outputs, of_inputs = self.by_coordinates
        if of_inputs is None:
            of_inputs = np.where(np.isfinite(of_outputs[:, :1, :1]), np.eye(k), np.nan)
        both = np.concatenate([of_outputs / scales[0][:, None], of_inputs / scales[1][:, None]], axis=1)
        found = np.full((len(both), k, 2 * k), np.nan)
        finite = np.isfinite(both).all(axis=(1, 2))
        # coordinates in other units change both by the same factor, which what is perpendicular to them does not see
        q, _ = np.linalg.qr(both[finite], mode="complete")
        found[finite] = np.swapaxes(q[:, :, k:], 1, 2)
        return found[..., :k], -found[..., k:]

    @checked
    def singularities(self, length: float | None = None) -> Singularities:
        """Compute how near the positions are to singular ones of both kinds (Gosselin and Angeles 1990).

        The smallest singular values of J_q (first kind) and of J_x (second kind) of `implicit`: for the smallest and
        the largest singular value s and S of this Jacobian, s/√(1 + s²) and 1/√(1 + S²). Where both vanish inputs and
        outputs can stand still while the mechanism moves.

        Returns
        -------
        Singularities
        """
        outputs, inputs = self.implicit(length)
        return Singularities(_singular_values(inputs)[:, -1], _singular_values(outputs)[:, -1])

    def _require_square(self, what: str) -> int:
        if len(self.outputs) != len(self.inputs):
            raise ArgumentError(
                f"{what} needs as many outputs as inputs, not {_listed(self.outputs, self.output_units)} by "
                f"{_listed(self.inputs, self.input_units)}; choose components, or drive other freedoms"
            )
        return len(self.outputs)

    @checked
    def to_xarray(self, *, units: Choice = "SI") -> xarray.DataArray:
        """Convert to an xarray.DataArray with dimensions time, output and input, and their units as coordinates.

        Parameters
        ----------
        units : {"SI"} or Units
            Meters and radians, or others.

        Raises
        ------
        ArgumentError
            For the units of a file, which a Jacobian does not know.
        OutputError
            If xarray is not installed.
        """
        if units == "file":
            raise ArgumentError('a Jacobian knows no file; units must be "SI" or Units, such as mechanism.units')
        wanted = chosen(units, Units())
        outputs, inputs = (
            [in_units(np.ones(()), unit, wanted) for unit in each] for each in (self.output_units, self.input_units)
        )
        factors = np.array([float(x) for x, _ in outputs])[:, None] / np.array([float(x) for x, _ in inputs])
        coords = {
            "time": ("time", self.times, {"units": "s"}),
            "output": list(self.outputs),
            "input": list(self.inputs),
            "output_units": ("output", [name for _, name in outputs]),
            "input_units": ("input", [name for _, name in inputs]),
        }
        attributes = {"long_name": "rates of outputs by those of inputs", "units": "output_units / input_units"}
        dims = ("time", "output", "input")
        return require("xarray").DataArray(self.values * factors, coords, dims, "jacobian", attributes)


def _lengths(units: Sequence[str]) -> list[float]:
    """Return the exponents of meters in units; radians are numbers."""
    found = [powers(unit) for unit in units]
    return [0.0 if each is None else float(each[LENGTH]) for each in found]


def _listed(names: Sequence[str], units: Sequence[str]) -> str:
    return ", ".join(f"{name} ({unit})" for name, unit in zip(names, units, strict=True))


def _index(name: str, names: Sequence[str], kind: str) -> int:
    if name not in names:
        raise unknown(f"{kind} of the Jacobian named", name, names)
    return names.index(name)


def _only(name: str | None, names: Sequence[str], kind: str) -> int:
    if name is None and len(names) > 1:
        raise ArgumentError(f"a transmission ratio is of one {kind}: name one of {', '.join(names)}")
    return 0 if name is None else _index(name, names, kind)


def _singular_values(matrices: Array) -> Array:
    """Compute singular values (n, k); NaN where a matrix is not finite."""
    finite = np.isfinite(matrices).all(axis=(1, 2))
    found = np.full((len(matrices), min(matrices.shape[1:])), np.nan)
    found[finite] = np.linalg.svd(matrices[finite], compute_uv=False)
    return found
