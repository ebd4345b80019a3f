"""Limits of a driver as text and as data."""

from __future__ import annotations

from dataclasses import asdict, replace
from typing import Any

import numpy as np

from groupkin.kinematics.limits.branches import Branch, Circuit, Limit
from groupkin.kinematics.limits.limits import Limits
from groupkin.mechanism.units import SI, Units, conversion
from groupkin.messages import counted
from groupkin.structure.tables import aligned
from groupkin.tolerances import ROUNDING

LIMIT_COLUMNS = ("limit", "value", "kind", "there", "joints")
BRANCH_COLUMNS = ("circuit", "branch", "from", "to", "at its ends")

DIGITS = 12
"""Of the values of limits, which are exact to rounding; of those of branches fewer are shown."""


def title(found: Limits) -> str:
    """Write one line on what was looked for and how much was found."""
    others = f", other drivers held at t = {found.time:g} s" if found.structure.driven > 1 else ""
    parts = (counted(len(found.limits), "limit"), counted(len(found.circuits), "circuit"))
    branches = counted(len(found.branches), "branch", "branches")
    return f"{found.structure.mechanism.name}: limits of {found.driver}{others}; {', '.join(parts)}, {branches}"


def limit_rows(found: Limits) -> list[tuple[str, ...]]:
    """List one row of cells per limit, in the order of `LIMIT_COLUMNS`."""
    return [(str(x.number), _value(found, x.value, DIGITS), x.kind, *_groups(found, x)) for x in found.limits]


def branch_rows(found: Limits) -> list[tuple[str, ...]]:
    """List one row of cells per branch, in the order of `BRANCH_COLUMNS`."""
    return [
        (str(x.circuit), str(x.number), _value(found, x.start), _value(found, x.stop), _ends(x)) for x in found.branches
    ]


def notes(found: Limits) -> list[str]:
    """Write how far the driver goes in every circuit, and what may be missing."""
    lines = [f"circuit {circuit.number}: {_way(found, circuit)}" for circuit in found.circuits]
    if found.outside:
        mechanism = found.structure.mechanism
        beyond = ", ".join(f"{each.stop.text(mechanism)}" for each in found.outside)
        lines.append(f"the configuration at t = {found.time:g} s is in no circuit: it is beyond {beyond}")
    if any("lost" in branch.ends for branch in found.branches):
        lines.append("lost: the curve of configurations could not be followed any further there")
    if not found.complete:
        lines.append("there are so many assembly modes that not all were followed: there may be more circuits")
    return lines


def text(found: Limits) -> str:
    """Write title, tables and notes."""
    tables = [aligned(LIMIT_COLUMNS, limit_rows(found))] if found.limits else []
    tables.append(aligned(BRANCH_COLUMNS, branch_rows(found)))
    return "\n".join([title(found), *(line for table in tables for line in ("", *table)), "", *notes(found)])


def _value(found: Limits, value: float, digits: int = 6) -> str:
    tidy = 0.0 if abs(value) < ROUNDING else value  # roundings
    return found.structure.mechanism.units.text(tidy, found.unit, digits=digits)


def _groups(found: Limits, limit: Limit) -> tuple[str, str]:
    """Write the groups that are singular at a limit, by their bodies, and their joints; or which range ends there."""
    if limit.stop is not None:
        return limit.stop.text(found.structure.mechanism), ""
    groups = [found.structure.groups[number - 1] for number in limit.groups]
    bodies = "; ".join(f"group {group.number} ({', '.join(group.bodies)}; {group.label})" for group in groups)
    return bodies, ", ".join(dict.fromkeys(name for group in groups for name in (*group.external, *group.internal)))


def _ends(branch: Branch) -> str:
    """Write what is at the ends of a branch."""
    if branch.ends[0] == "closed":
        return "closed"
    told = [
        kind if number is None else f"limit {number}" for kind, number in zip(branch.ends, branch.limits, strict=True)
    ]
    return ", ".join(told)


def _way(found: Limits, circuit: Circuit) -> str:
    """Write how far the driver goes in a circuit."""
    kinds = [end for branch in found.branches if branch.circuit == circuit.number for end in branch.ends]
    changes = ", through change points" if "change point" in kinds else ""
    if circuit.turns:
        after = f"; the mechanism is where it was after {circuit.turns} turns" if circuit.turns > 1 else ""
        return f"{found.driver} turns fully{changes or ', without a limit'}{after}"
    span = found.structure.mechanism.units.span(circuit.low, circuit.high, found.unit)
    if circuit.limits:
        return f"{found.driver} moves within {span}{changes}"
    if set(kinds) == {"end of the range"}:
        return f"{found.driver} has no limit in its range, {span}"
    return f"{found.driver} has no limit: it was followed through {span}"


def as_data(found: Limits, units: Units = SI) -> dict[str, Any]:
    """Convert the limits to plain data for JSON, values of the driver in these units."""
    factor, unit = conversion(found.unit, units)
    data: dict[str, Any] = {key: getattr(found, key) for key in ("driver", "time", "turns_fully", "complete")}
    data |= {"unit": unit, "value": factor * found.value}
    data["range"] = [factor * x if np.isfinite(x) else None for x in (found.start, found.stop)]
    data["limits"] = [_limit_data(x, factor, units) for x in found.limits]
    data["circuits"] = [asdict(x) | {"low": factor * x.low, "high": factor * x.high} for x in found.circuits]
    shown = ("number", "circuit", "ends", "limits")
    data["branches"] = [
        {key: getattr(x, key) for key in shown} | {"start": factor * x.start, "stop": factor * x.stop}
        for x in found.branches
    ]
    return data


def _limit_data(limit: Limit, factor: float, units: Units) -> dict[str, Any]:
    """Convert a limit, and the end of a range that it is."""
    data = asdict(replace(limit, stop=None)) | {"value": factor * limit.value}
    if limit.stop is not None:
        scale, unit = conversion(limit.stop.range.unit, units)
        of = {"quantity": str(limit.stop.range.quantity), "end": limit.stop.end}
        data["stop"] = of | {"value": scale * limit.stop.value, "unit": unit}
    return data
