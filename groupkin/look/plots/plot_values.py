"""What plots show: quantities over time, in the units they are shown in, of a motion or of a file of one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from groupkin.errors import ArgumentError, OutputError, QuantityError, UnknownNameError
from groupkin.kinematics.motion import quantities
from groupkin.kinematics.motion.kinds import BARE, KINDS
from groupkin.kinematics.motion.motion import Motion
from groupkin.kinematics.motion.quantities import Quantity
from groupkin.kinematics.motion.ranges import ranges_of, values_in
from groupkin.mechanism.mechanism import Mechanism
from groupkin.mechanism.units import conversion, ratio
from groupkin.messages import FEW, listed, one_label_each, prefixed, suggestion
from sglibrary.array_types import Array, Flags

if TYPE_CHECKING:
    import xarray


TIME = "time"
"""What quantities are plotted against where nothing else is named."""


Ends = tuple[float, float]
"""The lower and the upper end of a range, infinite where there is none."""

NO_ENDS = (-np.inf, np.inf)


@dataclass(frozen=True, eq=False)
class Values:
    """A quantity at all times.

    Attributes
    ----------
    quantity : Quantity
    components : tuple of str
        Names of the components; one empty name for a number.
    numbers : (n, components) array
        NaN where there is none.
    units : tuple of str
        One for each component.
    """

    quantity: Quantity
    components: tuple[str, ...]
    numbers: Array
    units: tuple[str, ...]

    @property
    def vector(self) -> bool:
        """Whether these are all components of a point's position, velocity or acceleration."""
        kind = KINDS.get(self.quantity.kind)
        return kind is not None and kind.shape == "vector" and not self.quantity.component


@dataclass(frozen=True, eq=False)
class Source:
    """Where quantities are read from.

    Attributes
    ----------
    times : (n,) array
    solved : (n,) array of bool
    read : callable
        Reads a quantity.
    abscissa : (str, str)
        What the times are, and their unit.
    ends : callable
        Reads the range of a number, in the unit in which it is read; infinite ends where it has none.
    name : str
        Of one of several motions.
    """

    times: Array
    solved: Flags
    read: Callable[[str | Quantity], Values]
    abscissa: tuple[str, str] = (TIME, "s")
    ends: Callable[[Quantity], Ends] = lambda _: NO_ENDS
    name: str = ""


def source_of(motion: Motion | xarray.Dataset) -> Source:
    """Find out how quantities are read from a motion, or from the dataset of one.

    Raises
    ------
    ArgumentError
        If it is neither.
    """
    if isinstance(motion, Motion):
        abscissa = (TIME, "s") if motion.inputs is None else ("step", "1")
        return Source(
            motion.times, motion.solved, lambda wanted: _of_motion(motion, wanted), abscissa, partial(_ends, motion)
        )
    if type(motion).__name__ != "Dataset" or TIME not in motion.coords:
        raise ArgumentError(
            f"motion must be a Motion, or what Motion.to_xarray makes of one, not a {type(motion).__name__}"
        )
    times, failed = motion[TIME].values, np.zeros((motion.sizes[TIME], 1), bool)
    if "status" in motion:
        failed = motion["status"].transpose(TIME, ...).values.reshape(times.size, -1) != 0
    return Source(times, np.asarray(~failed.any(axis=1)), lambda wanted: _of_dataset(motion, wanted))


def sources_of(motions: Sequence[Motion | xarray.Dataset], labels: Sequence[str] | None = None) -> list[Source]:
    """Find out how quantities are read from motions; of several by label, in the units of the first.

    Raises
    ------
    ArgumentError
        If there is none, or not one label for each.
    """
    sources = [source_of(motion) for motion in motions]
    if not sources:
        raise ArgumentError("motion is empty; give a motion, as of gk.solve, or several")
    if labels is None and len(sources) == 1:
        return sources
    called = one_label_each([_title(motion) for motion in motions], labels)
    return [_alike(sources[0], source, name) for source, name in zip(sources, called, strict=True)]


def _title(motion: Motion | xarray.Dataset) -> str:
    return motion.program.mechanism.name if isinstance(motion, Motion) else str(motion.attrs.get("title", "motion"))


def _alike(first: Source, source: Source, name: str) -> Source:
    """Read a source in the units of another, with its name in messages."""

    def read(text: str | Quantity) -> Values:
        with prefixed(name):
            values = source.read(text)
        units = first.read(text).units
        factors = [ratio(own, other) for own, other in zip(values.units, units, strict=False)]
        if len(values.units) != len(units) or None in factors:
            raise QuantityError(
                f"{name}: `{values.quantity}` is in {', '.join(values.units)}, in the first motion in "
                f"{', '.join(units)}; plot them apart"
            )
        return replace(values, numbers=values.numbers * np.array(factors, float), units=units)

    def ends(quantity: Quantity) -> Ends:
        factor = ratio(source.read(quantity).units[0], first.read(quantity).units[0]) or 1.0
        low, high = source.ends(quantity)
        return factor * low, factor * high

    if source is first:
        return replace(source, name=name)
    return replace(source, name=name, read=read, ends=ends)


def open_motion(path: Path) -> xarray.Dataset:
    """Open a motion that was written to a .nc or .zarr file.

    Raises
    ------
    OutputError
        If a package is missing, or the file is no motion.
    """
    try:
        import xarray
    except ImportError:
        raise OutputError("reading motions needs the package xarray: pip install 'groupkin[io]'") from None
    if not path.exists():
        raise OutputError(f"{path} does not exist")
    try:
        data = xarray.load_dataset(path, engine="zarr" if path.suffix.lower() == ".zarr" else "h5netcdf")
    except (OSError, ValueError, KeyError, ImportError) as error:
        raise OutputError(f"{path} cannot be read as a motion: {error}") from error
    if TIME not in data.coords:
        raise OutputError(f"{path} is no motion that groupkin has written: it has no times")
    return data


def check_plot(mechanism: Mechanism, wanted: Sequence[str | Quantity], against: str | Quantity | None) -> None:
    """Refuse, before anything is solved, quantities that a mechanism does not have, or that are no abscissa.

    Raises
    ------
    QuantityError, UnknownNameError, NotModeledError
    """
    for text in wanted:
        quantities.quantity(text, mechanism)
    if against not in (None, TIME):
        over = quantities.quantity(against, mechanism)
        require_number(over, _names(over, mechanism))


def require_number(quantity: Quantity, components: Sequence[str]) -> None:
    """Refuse to plot against what has several components.

    Raises
    ------
    QuantityError
    """
    if len(components) > 1:
        raise QuantityError(f"`{quantity}` has the components {', '.join(components)}; plot against one of them")


def _names(wanted: Quantity, mechanism: Mechanism) -> tuple[str, ...]:
    """Names of the components of a quantity; one empty name for a number."""
    return tuple("".join(parts) for parts in product(*quantities.components(wanted, mechanism)[1]))


# --- motions ---------------------------------------------------------------------------------


def _of_motion(motion: Motion, text: str | Quantity) -> Values:
    """Read a quantity of a motion in the units of its mechanism."""
    mechanism = motion.program.mechanism
    wanted = quantities.quantity(text, mechanism)
    numbers = quantities.read(motion, wanted).reshape(motion.times.size, -1)
    names = _names(wanted, mechanism)
    units = quantities.unit(wanted, mechanism).split(", ")
    scales = [conversion(unit, mechanism.units) for unit in (units if len(units) > 1 else units * len(names))]
    return Values(wanted, names, numbers * [factor for factor, _ in scales], tuple(unit for _, unit in scales))


def _ends(motion: Motion, number: Quantity) -> Ends:
    """Read the range of a number, of an angle with the whole turns that the motion has."""
    mechanism = motion.program.mechanism
    if not mechanism.has_ranges:
        return NO_ENDS
    if number.kind == "joint" and len(mechanism.freedoms(mechanism.joint[number.name])) == 1:
        number = replace(number, component="")
    within = next((each for each in ranges_of(motion.program) if each.quantity == number), None)
    if within is None:
        return NO_ENDS
    turns = values_in(motion, within) - quantities.read_from(motion, number, mechanism)
    shift = 0.0 if motion.by_themselves else float(np.nan_to_num(turns[np.isfinite(turns).argmax()]))
    factor, _ = conversion(within.unit, mechanism.units)
    return factor * (within.low - shift), factor * (within.high - shift)


# --- files -----------------------------------------------------------------------------------


Stored = dict[Quantity, Callable[[], Values]]
"""What a dataset holds, with functions that read it."""


def _of_dataset(data: xarray.Dataset, text: str | Quantity) -> Values:
    """Read a quantity of a dataset, in its units.

    Raises
    ------
    QuantityError, UnknownNameError
        If it cannot be read, or the dataset does not have it.
    """
    wanted, arrays, variables = quantities.parse(text), _in_arrays(data), _in_variables(data)
    stored = variables | arrays
    readings = [replace(wanted, kind=kind) for kind in ((wanted.kind,) if wanted.kind else ("", *BARE))]
    found = [reading for reading in readings if reading in stored or replace(reading, component="") in stored]
    if len(found) > 1:
        options = " or ".join(f"`{reading}`" for reading in found)
        raise QuantityError(f"`{wanted}` can be read as {options}; write one of them")
    if not found:
        near = suggestion(str(wanted), [str(quantity) for quantity in stored])
        near = near if near.endswith("?") else "."
        has = "; ".join(part for part in (_listed(arrays), listed(f"`{quantity}`" for quantity in variables)) if part)
        raise UnknownNameError(
            f"the motion has no `{wanted}`{near} Its file holds the quantities that --keep named. "
            f"It has {has or 'no quantities'}"
        )
    if found[0] in stored:  # all components, or a component that is kept by itself
        return stored[found[0]]()
    every = stored[replace(found[0], component="")]()
    kind = KINDS.get(wanted.kind or found[0].kind)
    has_norm = kind is not None and kind.shape in ("vector", "spin", "formula") and len(every.components) > 1
    if wanted.component == "norm" and has_norm:
        every = replace(every, components=("norm",), numbers=np.linalg.norm(every.numbers, axis=1)[:, None])
    if wanted.component not in every.components:
        has = f"has the components {', '.join(every.components)}" if every.components != ("",) else "has no components"
        raise QuantityError(f"`{every.quantity}` {has}, not {wanted.component!r}")
    k = every.components.index(wanted.component)
    return Values(found[0], ("",), every.numbers[:, k : k + 1], every.units[k : k + 1])


def _values(quantity: Quantity, array: xarray.DataArray, units: Sequence[str] = ()) -> Values:
    """Read a quantity from an array with the dimension time, in units of its components or in that of the array."""
    values = array.transpose(TIME, ...)
    labels = [[str(label) for label in values[dim].values] for dim in values.dims[1:]]
    names = tuple("".join(parts) for parts in product(*labels))
    shown = tuple(units) or tuple(str(array.attrs.get("units", "1")).split(", "))
    shown = shown if len(shown) == len(names) else shown * len(names)
    names = ("",) if quantity.kind == "joint" and len(names) == 1 else names
    return Values(quantity, names, values.values.reshape(values.sizes[TIME], -1), shown)


def _in_arrays(data: xarray.Dataset) -> Stored:
    """List what the arrays of all bodies, points, joints and groups of a motion hold."""
    found: Stored = {}
    for kind, row in KINDS.items():
        for prefix, dim in (("", "body"), ("point_", "point")):
            if row.of in ("body", "body or point") and prefix + kind in data and dim in data[prefix + kind].dims:
                for name in data[dim].values:
                    quantity = Quantity(kind, str(name))
                    found[quantity] = partial(_values, quantity, data[prefix + kind].sel({dim: name}))
    if "joint_coordinate" in data:
        joints: dict[str, list[int]] = {}
        for k, name in enumerate(data["coordinate"].values):
            joints.setdefault(str(name).rpartition(".")[0], []).append(k)
        for name, places in joints.items():
            freedoms = [str(text).rpartition(".")[2] for text in data["coordinate"].values[places]]
            array = data["joint_coordinate"].isel(coordinate=places).assign_coords(coordinate=freedoms)
            units = [str(unit) for unit in data["coordinate_units"].values[places]]
            found[Quantity("joint", name)] = partial(_values, Quantity("joint", name), array, units)
    if "conditioning" in data and "group" in data["conditioning"].dims:
        worst = data["conditioning"].min("group")
        found[Quantity("conditioning")] = partial(_values, Quantity("conditioning"), worst)
    return found


def _in_variables(data: xarray.Dataset) -> Stored:
    """List the outputs of a motion, the quantities that it keeps, and variables over time that users have added.

    `to_xarray` names the first two by label or text form, and their long names are their text forms.
    """
    found: Stored = {}
    for name, array in data.data_vars.items():
        kept = None
        with suppress(QuantityError):
            kept = quantities.parse(str(array.attrs.get("long_name", "")))
        if kept is not None and TIME in array.dims and kept.kind and name in (kept.label, str(kept)):
            found[kept] = partial(_values, kept, array)
        elif array.dims == (TIME,):
            found[Quantity("", str(name))] = partial(_values, Quantity("", str(name)), array)
    return found


def _listed(stored: Stored) -> str:
    """Write what there is: kinds that are of the same names together."""
    names: dict[str, list[str]] = {}
    for quantity in stored:
        names.setdefault(quantity.kind, []).append(quantity.name)
    together: dict[tuple[str, ...], list[str]] = {}
    for kind, own in names.items():
        together.setdefault(tuple(own), []).append(kind)
    written = []
    for all_names, kinds in together.items():
        of = ", ".join([*all_names[:FEW], *([f"and {len(all_names) - FEW} more"] if len(all_names) > FEW else [])])
        written.append(" of ".join(part for part in (", ".join(kinds), of) if part))
    return "; ".join(written)
