"""Forces as labeled arrays and as files."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from groupkin.durable_files import check_place, disk_errors, replacing_file
from groupkin.errors import OutputError
from groupkin.kinematics.motion.labeled_arrays import Columns, in_units, require
from groupkin.mechanism.units import Choice, chosen, conversion
from groupkin.text_forms import written
from sglibrary.array_types import Array

if TYPE_CHECKING:
    import xarray

    from groupkin.dynamics.reactions.forces import Forces


FORMATS = {".nc": ("xarray", "h5netcdf"), ".csv": ()}
"""Suffixes of files, and the optional packages that each needs."""


def to_xarray(forces: Forces, units: Choice = "SI") -> xarray.Dataset:
    """Convert forces to a Dataset with the dimensions time, driver, joint, component, force, source and kind of energy.

    Forces of the mechanism, such as springs, have the names of their columns in a table: ``spring``, ``load.x``. Which
    moments and forces are determined is in the axes of the joints, all else in global ones. Powers and energies are in
    W and J in all units.
    """
    require("xarray")
    import xarray

    mechanism, d = forces.motion.program.mechanism, forces.motion.program.mechanism.dimension
    n, energy, power = forces.motion.times.size, forces.energy(), forces.power()
    wanted = chosen(units, mechanism.units)
    (newtons, force), (meters, moment) = (conversion(of, wanted) for of in ("N", "N*m"))
    scales = [conversion(forces.units_of(name).force, wanted) for name in forces.drivers]
    by_driver = np.array([values * factor for values, (factor, _) in zip(forces.drivers.values(), scales, strict=True)])
    acting = [(name, *in_units(row, of, wanted)) for name, of, row in _acting(forces)]
    drivers, joints = list(forces.drivers), list(forces.reactions)
    rows = np.array([forces.reactions[joint] for joint in joints]).reshape(len(joints), 3 * (d - 1), n)
    shaking = forces.shaking()
    flags = np.array([forces.determined(joint) for joint in joints], bool).reshape(len(joints), 3 * (d - 1))
    data = {
        "driver_force": (("driver", "time"), by_driver.reshape(-1, n), f"{force} or {_spaced(moment)}"),
        "acting_force": (
            ("force", "time"),
            np.array([row for _, row, _ in acting]).reshape(-1, n),
            f"{force} or {_spaced(moment)}",
        ),
        "reaction_moment": (("joint", "axis", "time"), meters * rows[:, :-d], _spaced(moment)),
        "reaction_force": (("joint", "component", "time"), newtons * rows[:, -d:], force),
        "moment_determined": (("joint", "axis"), flags[:, :-d], "1"),
        "force_determined": (("joint", "component"), flags[:, -d:], "1"),
        "power": (("source", "time"), np.array(list(power.values())).reshape(-1, n), "W"),
        "energy": (("energy_kind", "time"), np.array(energy), "J"),
        "shaking_force": (("component", "time"), newtons * shaking.force.T, force),
        "shaking_moment": (("axis", "time"), meters * shaking.moment.reshape(n, -1).T, _spaced(moment)),
    }
    coordinates = {
        "time": ("time", forces.motion.times, {"units": "s"}),
        "driver": drivers,
        "driver_unit": ("driver", [_spaced(unit) for _, unit in scales]),
        "force": [name for name, _, _ in acting],
        "force_unit": ("force", [_spaced(unit) for _, _, unit in acting]),
        "joint": joints,
        "component": list("xyz"[:d]),
        "axis": list("xyz" if d == 3 else "z"),
        "source": list(power),
        "energy_kind": list(energy._fields),
    }
    variables = {name: (axes, values, {"units": unit}) for name, (axes, values, unit) in data.items()}
    return xarray.Dataset(variables, coordinates, {"title": mechanism.name})


def _spaced(unit: str) -> str:
    return unit.replace("*", " ")


def table(forces: Forces, units: Choice = "SI") -> tuple[list[str], list[Array]]:
    """List the names, with units, and the values (n,) of the columns of a table; energies are in J in all units."""
    mechanism = forces.motion.program.mechanism
    d, wanted = mechanism.dimension, chosen(units, mechanism.units)
    columns: Columns = [("time", "s", forces.motion.times)]
    columns += [(f"driver {name}", forces.units_of(name).force, values) for name, values in forces.drivers.items()]
    moments = ["moment.x", "moment.y", "moment.z"] if d == 3 else ["moment"]
    parts = [*((name, "N*m") for name in moments), *((f"force.{axis}", "N") for axis in "xyz"[:d])]
    for joint, rows in forces.reactions.items():
        columns += [(f"reaction {joint} {part}", of, row) for (part, of), row in zip(parts, rows, strict=True)]
    columns += [(f"force {name}", of, row) for name, of, row in _acting(forces)]
    columns += [(f"energy {kind}", "J", values) for kind, values in forces.energy()._asdict().items()]
    converted = [(name, *in_units(values, of, wanted)) for name, of, values in columns]
    return [f"{name} [{of}]" for name, _, of in converted], [values for _, values, _ in converted]


def _acting(forces: Forces) -> Columns:
    """List what the forces of the mechanism do, each of their parts by itself."""
    mechanism = forces.motion.program.mechanism
    loads, columns = {load.name: load for load in mechanism.forces}, Columns()
    for name, each in forces.acting.items():
        amounts = np.atleast_2d(each.amount)
        ends = [""] if len(amounts) == 1 else [f".{part}" for part in each.parts[: len(amounts)]]
        taken = {column for column, _, _ in columns}
        unique = taken.isdisjoint(f"{name}{end}" for end in ends)  # no force is named as a part of another
        for end, row in zip(ends, amounts, strict=True):
            of = "N*m" if end.startswith(".turn") else loads[name].unit(mechanism)
            columns.append(((name if unique else written(name)) + end, of, row))
    return columns


def save(forces: Forces, path: str | Path, units: Choice = "SI") -> None:
    """Write forces to a file, which is replaced as a whole.

    Raises
    ------
    OutputError
        For another suffix, a missing package, or a place that cannot be written.
    """
    target = Path(path)
    check_target(target)
    with disk_errors(target, begun=False), replacing_file(target) as aside:
        if target.suffix.lower() == ".nc":
            aside.write_bytes(to_xarray(forces, units).to_netcdf(engine="h5netcdf"))
            return
        names, columns = table(forces, units)
        with aside.open("w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file, lineterminator="\n")
            writer.writerow(names)
            writer.writerows(np.stack(columns, axis=1).tolist())


def check_target(path: str | Path) -> None:
    """Refuse, before anything is computed, a file that could not be written."""
    target = Path(path)
    if target.suffix.lower() not in FORMATS:
        raise OutputError(f"{target}: unknown format {target.suffix or '(no suffix)'}; use .nc or .csv")
    for package in FORMATS[target.suffix.lower()]:
        require(package)
    check_place(target, folder=False)
