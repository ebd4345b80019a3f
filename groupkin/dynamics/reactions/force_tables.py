"""Tables of forces: what drivers must exert, what forces of the user do and joints carry, in the mechanism's units."""

from __future__ import annotations

import numpy as np

from groupkin.dynamics.acting.loads import Acting
from groupkin.dynamics.bodies.masses import central_inertia, point_masses
from groupkin.dynamics.reactions.forces import Forces
from groupkin.dynamics.reactions.harmonics import Harmonics, harmonics
from groupkin.kinematics.motion.motion import Motion
from groupkin.kinematics.program.program import Program
from groupkin.mechanism.forces.forces import Load, Spring
from groupkin.mechanism.forces.part import InJoint
from groupkin.mechanism.masses.inertia_checks import radius_of_gyration
from groupkin.mechanism.mechanism import Mechanism
from groupkin.mechanism.units import Units, conversion
from groupkin.messages import listed
from groupkin.tolerances import FORCE_ROUNDING, NO_FORCE
from sglibrary.array_types import Array

DRIVERS = ("driver", "peak", "at", "RMS", "fastest", "peak power")
FORCES = ("force", "on", "peak", "at", "RMS", "length or coordinate", "peak power")
MASSES = ("body", "mass", "radius of gyration")
LOSSES = ("joint", "would have to", "from", "to", "most", "at")
REACTIONS = ("joint", "bodies", "peak force", "at", "peak moment", "at", "determined")


def driver_rows(found: Forces) -> list[tuple[str, ...]]:
    """List what every driver or actuator must exert."""
    return [_driver_row(found, driver, found.motion.program.mechanism.units) for driver in found.drivers]


def force_rows(found: Forces) -> list[tuple[str, ...]]:
    """List what springs, dampers, forces and torques do: a spring pulls its ends together, or pushes them apart."""
    mechanism = found.motion.program.mechanism
    return [_force_row(found, load, mechanism) for load in mechanism.forces]


def reaction_rows(found: Forces) -> list[tuple[str, ...]]:
    """List the largest force and moment in every joint, and what of them is determined."""
    units, least = found.motion.program.mechanism.units, FORCE_ROUNDING * largest_of(found, "N")
    return [_reaction_row(found, joint, units, least) for joint in found.reactions]


def loss_rows(found: Forces) -> list[tuple[str, ...]]:
    """List when joints would have to do what their contact cannot."""
    units = found.motion.program.mechanism.units
    return [
        (
            *(loss.joint, loss.must + _mark(found, loss.joint), f"{loss.start:.4g} s", f"{loss.end:.4g} s"),
            f"{loss.most:.4g} of the normal force" if loss.must == "slip" else units.text(loss.most, "N", 4),
            f"{loss.at:.4g} s",
        )
        for loss in found.contact_losses()
    ]


def _mark(found: Forces, joint: str) -> str:
    """Mark what depends on forces that are not determined."""
    return "" if found.determined(joint)[-found.motion.program.mechanism.dimension :].all() else " *"


def waves(found: Forces, orders: int) -> dict[str, tuple[str, Harmonics]]:
    """Compute unit and harmonics of what drives a mechanism and shakes its frame, over the one period of a motion.

    Raises
    ------
    ArgumentError
        If the motion is no period, or its steps are too few.
    """
    force, about = found.shaking()
    values = {f"driver {name}": (found.units_of(name).force, x) for name, x in found.drivers.items()}
    values |= {f"shaking force {axis}": ("N", x) for axis, x in zip("xyz", force.T, strict=False)}
    spatial = {f"shaking moment {axis}": ("N*m", x) for axis, x in zip("xyz", about.T, strict=False)}
    values |= spatial if about.ndim == 2 else {"shaking moment": ("N*m", about)}
    # what is next to zero beside other forces is rounding, which has no period
    clean = {
        name: (of, np.where(np.ptp(x) > NO_FORCE * largest_of(found, of), x, x.mean()))
        for name, (of, x) in values.items()
    }
    return {name: (unit, harmonics(x, orders)) for name, (unit, x) in clean.items()}


def largest_of(found: Forces, unit: str) -> float:
    """Largest force of a motion, N, or that at the size of the mechanism, N m."""
    forces = [np.nanmax(np.linalg.norm(x.force, axis=1), initial=0.0) for x in map(found.reaction, found.reactions)]
    forces.append(np.nanmax(np.abs(found.shaking().force), initial=0.0))
    return float(max(forces)) * (found.motion.program.geometry.size if unit == "N*m" else 1.0)


def wave_rows(found: Forces, orders: int) -> list[tuple[str, ...]]:
    """List amplitudes and phases of `waves`."""
    rows, units = [], found.motion.program.mechanism.units
    scale = {unit: largest_of(found, unit) for unit in ("N", "N*m")}
    for name, (unit, wave) in waves(found, orders).items():
        factor, written = conversion(unit, units)
        numbers = [
            "–" if abs(size) <= NO_FORCE * scale[unit] else f"{factor * size:.4g}" + (f" ∠ {turn:.0f}°" if k else "")
            for k, size, turn in zip(*wave[:2], np.round(np.degrees(wave.phases)) + 0.0, strict=True)
        ]
        rows.append((name, written.replace("*", " "), *numbers))
    return rows


def notes(found: Forces) -> list[str]:
    """Say which bodies that turn have no inertia, and that not all reactions are determined."""
    said = mass_notes(found.motion) if found.velocities else []
    if not all(found.determined(joint).all() for joint in found.reactions):
        length = found.motion.program.mechanism.units.text(found.length)
        said.append(
            "* depends on stiffness and fit of redundant joints: of all reactions that are possible these have the "
            f"least sum of force² + (moment / {length})² over all joints"
        )
    return said


def mass_notes(motion: Motion) -> list[str]:
    """Say which bodies that turn have a mass without inertia, if any."""
    names = point_masses(motion.program)
    every = motion.program.mechanism.movable if names else ()
    spins = {body: np.nanmax(np.abs(motion.angular_velocity(body)), initial=0.0) for body in every}
    points = [body for body in names if spins[body] > NO_FORCE * max(spins.values())]
    told = "mass without inertia is a point mass at the center, which resists no turning; give"
    return [f"{listed(points)}: {told} `inertia` where it matters"] if points else []


def mass_rows(program: Program) -> list[tuple[str, ...]]:
    """Rows of the bodies that have a mass, with their largest radius of gyration about the center of mass."""
    mechanism = program.mechanism
    (factor, unit), every = conversion("kg", mechanism.units), mechanism.movable
    return [
        (
            name,
            f"{factor * mechanism.body[name].mass:.6g} {unit}",
            mechanism.units.text(radius_of_gyration(mechanism.body[name].mass, central_inertia(program, name))),
        )
        for name in every
        if mechanism.body[name].mass
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
        f"{rate * demand.rate:.4g} {rate_unit}" if found.velocities else "–",
        _power(demand.power) if found.velocities else "–",
    )


def _power(watts: float) -> str:
    return f"{watts:.4g} W" if watts < 1e4 else f"{1e-3 * watts:.4g} kW"


def _force_row(found: Forces, load: Load, mechanism: Mechanism) -> tuple[str, ...]:
    effect, along = found.acting[load.name], "m"
    if isinstance(load, InJoint):
        joint, k = load.freedom_of(mechanism)
        along = mechanism.freedoms(mechanism.joint[joint])[k].unit
    peak, rms, power = peaks(effect)
    sense = ""
    if isinstance(load, Spring) and peak:
        sense = ", pushing" if np.nanmax(effect.amount) == peak else ", pulling"
    factor, unit = conversion(load.unit(mechanism), mechanism.units)
    places = "–"
    if effect.coordinate is not None and np.isfinite(effect.coordinate).any():
        ends = float(np.nanmin(effect.coordinate)), float(np.nanmax(effect.coordinate))
        places = mechanism.units.span(*ends, along)
    return (
        load.name,
        load.on(mechanism),
        f"{factor * peak:.4g} {unit.replace('*', ' ')}{sense}",
        _time_of(found, effect.size[None]),
        f"{factor * rms:.4g} {unit.replace('*', ' ')}",
        places,
        _power(power),
    )


def peaks(effect: Acting) -> tuple[float, float, float]:
    """Compute the largest and the RMS amount of a force, N or N m, and its largest power, W."""
    amount = effect.size
    rms = float(np.sqrt(np.nanmean(amount**2))) if np.isfinite(amount).any() else np.nan
    return float(np.nanmax(amount, initial=0.0)), rms, float(np.nanmax(np.abs(effect.power), initial=0.0))


def _reaction_row(found: Forces, joint: str, units: Units, least: float) -> tuple[str, ...]:
    wrench = found.reaction(joint)
    moment = np.atleast_2d(wrench.moment.T)
    sizes = [np.linalg.norm(part, axis=0) for part in (wrench.force.T, moment)]
    (force, newton), (torque, newton_meter) = (conversion(unit, units) for unit in ("N", "N*m"))
    peaks = [float(np.nanmax(size, initial=0.0)) for size in sizes]
    flags = found.determined(joint)
    forces = len(wrench.force.T)
    marks = ["" if part.all() else " *" for part in (flags[-forces:], flags[:-forces])]
    # what is next to zero beside a force at the mechanism's size is rounding
    moves = peaks[1] > max(NO_FORCE * peaks[0], least) * found.motion.program.geometry.size
    return (
        joint,
        " – ".join(found.motion.program.mechanism.joint[joint].bodies),
        f"{force * peaks[0]:.4g} {newton}{marks[0]}" if peaks[0] > least else "–",
        _time_of(found, wrench.force.T) if peaks[0] > least else "–",
        f"{torque * peaks[1]:.4g} {newton_meter.replace('*', ' ')}{marks[1]}" if moves else "–",
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
