"""What drivers do at given times: their laws as numbers for compiled code, or evaluated in Python."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from groupkin.errors import LawError
from groupkin.kinematics.program.once_per_program import once_per_program
from groupkin.kinematics.program.program import Driven, Program
from groupkin.mechanism.laws.laws import Coded
from sglibrary import laws
from sglibrary.array_types import Array
from sglibrary.run.calls import Drivers
from sglibrary.trigonometry import cosine_sine


@dataclass(frozen=True, eq=False)
class DriverTables:
    """The drivers of a program as compiled code reads them.

    Attributes
    ----------
    drivers : Drivers
        Their laws as numbers; those that are evaluated in Python have none.
    coded : bool
        Whether compiled code evaluates all laws.
    covered : bool
        Whether all laws are known at all times.
    """

    drivers: Drivers
    coded: bool
    covered: bool


@once_per_program
def driver_tables(program: Program) -> DriverTables:
    """Code the laws of the drivers of a program, which nothing changes."""
    drivers = _coded_drivers(program)
    return DriverTables(drivers, compiled(drivers), all(driven.law.everywhere for driven in program.drivers))


def drivers_of(program: Program) -> Drivers:
    """The drivers of a program, their laws as numbers; those that are evaluated in Python have none."""
    return driver_tables(program).drivers


def _coded_drivers(program: Program) -> Drivers:
    kinds, numbers, tables, size = [], np.zeros((len(program.drivers), 4)), [np.zeros(0)], 0
    for driven, row in zip(program.drivers, numbers, strict=True):
        kind, coefficients, table = _coded(driven)
        kinds.append(kind)
        row[: len(coefficients)] = coefficients
        if table.size:
            row[3], size = size, size + table.size
            tables.append(table)
    in_python = given_drivers(program, np.zeros((0, 3, 0)))
    return in_python._replace(kinds=np.array(kinds, np.int64), numbers=numbers, table=np.concatenate(tables))


def given_drivers(program: Program, values: Array) -> Drivers:
    """The drivers of a program, their values (d, 3 or 5, n) being given."""
    count = len(program.drivers)
    rows = np.array([driven.row for driven in program.drivers], np.int64)
    angles = np.array([driven.rotation for driven in program.drivers], bool)
    return Drivers(np.full(count, laws.OTHER), np.zeros((count, 4)), np.zeros(0), angles, rows, values)


def _coded(driven: Driven) -> Coded:
    """The law of a driver as numbers; OTHER where these do not tell that its values are allowed at all times."""
    coded = driven.law.coded
    if coded is None:
        return IN_PYTHON
    if driven.middle:
        match coded[:2]:
            case laws.RAMP, (rate, start) if rate == 0.0 and abs(start) < np.pi / 2:
                return coded
            case laws.HARMONIC, (amplitude, _, _, offset) if abs(amplitude) + abs(offset) < np.pi / 2:
                return coded
        return IN_PYTHON
    return coded


IN_PYTHON: Coded = (laws.OTHER, (), np.zeros(0))


def require_laws(program: Program, times: Array) -> None:
    """Refuse a motion that laws do not cover.

    Raises
    ------
    LawError
    """
    for driven in program.drivers:
        if not driven.law.everywhere:
            driven.law.at(times[[0, -1]])


def compiled(drivers: Drivers) -> bool:
    """Whether all laws are evaluated by compiled code."""
    return not bool((drivers.kinds == laws.OTHER).any())


def drivers_at(program: Program, times: Array, drivers: Drivers) -> Drivers:
    """The drivers of a program with the values of those laws that are evaluated in Python, at n times."""
    if compiled(drivers):
        return drivers
    values = np.empty((len(program.drivers), 3, times.size))
    for driven, kind, rows in zip(program.drivers, drivers.kinds, values, strict=True):
        if kind == laws.OTHER:
            driven.law.fill(times, rows)
            if driven.middle:
                _check_middle(driven, rows[0], times)
    return drivers._replace(values=values)


def drive(program: Program, times: Array) -> Array:
    """Value, rate and acceleration, cosine and sine of every driver at n times: (drivers, 5, n).

    Of what is not an angle, cosine and sine are 0.
    """
    filled = np.zeros((len(program.drivers), 5, times.size))
    for driven, rows in zip(program.drivers, filled, strict=True):
        driven.law.fill(times, rows[:3])
        if driven.rotation:
            cosine_sine(rows[0], rows[3], rows[4])
        if driven.middle:
            _check_middle(driven, rows[0], times)
    return filled


def _check_middle(driven: Driven, value: Array, times: Array) -> None:
    """Refuse a driver that takes the middle one of three rotations to a quarter turn."""
    if max(value.max(), -value.min()) >= np.pi / 2:
        first = int(np.argmax(np.abs(value) >= np.pi / 2))
        raise LawError(
            f"joint {driven.joint!r}: its second rotation is driven to {value[first]:.4g} rad at "
            f"t = {times[first]:.4g} s; the middle one of three rotations must stay within π/2"
        )
