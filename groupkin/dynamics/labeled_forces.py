"""Forces as labeled arrays and as files."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from groupkin.durable_files import check_place, disk_errors, replacing_file
from groupkin.errors import OutputError
from groupkin.kinematics.motion.labeled_arrays import require
from groupkin.text_forms import written

if TYPE_CHECKING:
    import xarray

    from groupkin.dynamics.forces import Forces

Array = NDArray[np.float64]

FORMATS = {".nc": ("xarray", "h5netcdf"), ".csv": ()}
"""Suffixes of files, and the optional packages that each needs."""


def to_xarray(forces: Forces) -> xarray.Dataset:
    """Convert forces to a Dataset with the dimensions time, driver, joint, component, force and kind of energy.

    Which moments and forces are determined is in the axes of the joints, all else in global ones.
    """
    require("xarray")
    import xarray

    mechanism, d = forces.motion.program.mechanism, forces.motion.program.mechanism.dimension
    n, energy, power = forces.motion.times.size, forces.energy(), forces.power()
    drivers, joints = list(forces.drivers), list(forces.reactions)
    rows = np.array([forces.reactions[joint] for joint in joints]).reshape(len(joints), 3 * (d - 1), n)
    shaking = forces.shaking()
    flags = np.array([forces.determined(joint) for joint in joints], bool).reshape(len(joints), 3 * (d - 1))
    data = {
        "driver_force": (("driver", "time"), np.array(list(forces.drivers.values())).reshape(-1, n), "N or N m"),
        "reaction_moment": (("joint", "axis", "time"), rows[:, :-d], "N m"),
        "reaction_force": (("joint", "component", "time"), rows[:, -d:], "N"),
        "moment_determined": (("joint", "axis"), flags[:, :-d], "1"),
        "force_determined": (("joint", "component"), flags[:, -d:], "1"),
        "power": (("source", "time"), np.array(list(power.values())).reshape(-1, n), "W"),
        "energy": (("energy_kind", "time"), np.array(energy), "J"),
        "shaking_force": (("component", "time"), shaking.force.T, "N"),
        "shaking_moment": (("axis", "time"), shaking.moment.reshape(n, -1).T, "N m"),
    }
    coordinates = {
        "time": ("time", forces.motion.times, {"units": "s"}),
        "driver": drivers,
        "joint": joints,
        "component": list("xyz"[:d]),
        "axis": list("xyz" if d == 3 else "z"),
        "source": list(power),
        "energy_kind": list(energy._fields),
    }
    variables = {name: (axes, values, {"units": unit}) for name, (axes, values, unit) in data.items()}
    return xarray.Dataset(variables, coordinates, {"title": mechanism.name})


def table(forces: Forces) -> tuple[list[str], list[Array]]:
    """List the names and the values (n,) of the columns of a table, in N, N m, W, J and s."""
    d = forces.motion.program.mechanism.dimension
    columns: dict[str, Array] = {"time": forces.motion.times}
    columns |= {f"driver {name}": values for name, values in forces.drivers.items()}
    moments = ["moment.x", "moment.y", "moment.z"] if d == 3 else ["moment"]
    for joint, rows in forces.reactions.items():
        parts = [*moments, *(f"force.{axis}" for axis in "xyz"[:d])]
        columns |= {f"reaction {joint} {part}": row for part, row in zip(parts, rows, strict=True)}
    for name, each in forces.acting.items():
        amounts = np.atleast_2d(each.amount)
        parts = [""] if len(amounts) == 1 else [f".{part}" for part in each.parts[: len(amounts)]]
        found = dict(zip((f"force {name}{part}" for part in parts), amounts, strict=True))
        if columns.keys() & found.keys():  # a force is named as a part of another one
            found = dict(zip((f"force {written(name)}{part}" for part in parts), amounts, strict=True))
        columns |= found
    columns |= {f"energy {kind}": values for kind, values in forces.energy()._asdict().items()}
    return list(columns), list(columns.values())


def save(forces: Forces, path: str | Path) -> None:
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
            aside.write_bytes(to_xarray(forces).to_netcdf(engine="h5netcdf"))
            return
        names, columns = table(forces)
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
