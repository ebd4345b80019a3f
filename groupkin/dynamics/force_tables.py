"""Tables of forces: what drivers must exert, and what joints carry, in the units of the mechanism."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from groupkin.dynamics.forces import Forces
from groupkin.mechanism.units import Units, conversion

Array = NDArray[np.float64]

DRIVERS = ("driver", "peak", "at", "RMS", "fastest", "peak power")
REACTIONS = ("joint", "bodies", "peak force", "at", "peak moment", "at", "determined")


def driver_rows(found: Forces) -> list[tuple[str, ...]]:
    """List what every driver or actuator must exert."""
    return [_driver_row(found, driver, found.motion.program.mechanism.units) for driver in found.drivers]


def reaction_rows(found: Forces) -> list[tuple[str, ...]]:
    """List the largest force and moment in every joint, and what of them is determined."""
    return [_reaction_row(found, joint, found.motion.program.mechanism.units) for joint in found.reactions]


def notes(found: Forces) -> list[str]:
    """Say that not all reactions are determined."""
    if all(found.determined(joint).all() for joint in found.reactions):
        return []
    return [
        "some components depend on stiffness and fit of redundant joints; what is given for them is one of many "
        "choices, which needs no forces in the components that are not listed as determined"
    ]


def _driver_row(found: Forces, driver: str, units: Units) -> tuple[str, ...]:
    demand, kind = found.demand()[driver], found.units_of(driver)
    force, unit = conversion(kind.force, units)
    rate, rate_unit = conversion(kind.rate, units)
    return (
        driver,
        f"{force * demand.peak:.4g} {unit.replace('*', ' ')}",
        _time_of(found, found.drivers[driver][None]),
        f"{force * demand.rms:.4g} {unit.replace('*', ' ')}",
        f"{rate * demand.rate:.4g} {rate_unit}",
        f"{demand.power:.4g} W" if demand.power < 1e4 else f"{1e-3 * demand.power:.4g} kW",
    )


def _reaction_row(found: Forces, joint: str, units: Units) -> tuple[str, ...]:
    wrench = found.reaction(joint)
    moment = np.atleast_2d(wrench.moment.T)
    sizes = [np.linalg.norm(part, axis=0) for part in (wrench.force.T, moment)]
    (force, newton), (torque, newton_meter) = (conversion(unit, units) for unit in ("N", "N*m"))
    peaks = [float(np.nanmax(size, initial=0.0)) for size in sizes]
    # what is next to zero beside a force at the mechanism's size is rounding
    moves = peaks[1] > 1e-9 * peaks[0] * found.motion.program.geometry.size
    return (
        joint,
        " – ".join(found.motion.program.mechanism.joint[joint].bodies),
        f"{force * peaks[0]:.4g} {newton}",
        _time_of(found, wrench.force.T),
        f"{torque * peaks[1]:.4g} {newton_meter.replace('*', ' ')}" if moves else "–",
        _time_of(found, moment) if moves else "–",
        _determined(found, joint),
    )


def _determined(found: Forces, joint: str) -> str:
    """Name the components of a reaction, in the joint's axes, that are determined."""
    flags = found.determined(joint)
    names = ("Mx", "My", "Mz", "Fx", "Fy", "Fz") if len(flags) == 6 else ("M", "Fx", "Fy")
    if flags.all():
        return "all"
    return " ".join(name for name, flag in zip(names, flags, strict=True) if flag) or "none"


def _time_of(found: Forces, rows: Array) -> str:
    """When the size of vectors (k, n) is largest."""
    sizes = np.linalg.norm(rows, axis=0)
    return f"{found.motion.times[int(np.nanargmax(sizes))]:.4g} s" if np.isfinite(sizes).any() else "–"
