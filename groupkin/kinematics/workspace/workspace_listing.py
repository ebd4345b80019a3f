"""Workspaces as text and as data."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

from groupkin.kinematics.workspace.workspace import Region, Workspace
from groupkin.mechanism.units import SI, Units, conversion
from groupkin.messages import counted
from groupkin.structure.tables import aligned

COLUMNS = ("region", "area", "x", "y", "ends where")


def title(found: Workspace) -> str:
    """Write one line: of what, and how large."""
    units, name = found.program.mechanism.units, found.program.mechanism.name
    by = ", ".join(str(each).removeprefix("joint ") for each in found.released)
    how = "" if found.turned else ", its body keeping its directions"
    size = (
        f"volume {units.text(found.volume, 'm^3')}, {counted(len(found.sections), 'section')}"
        if np.isfinite(found.volume)
        else f"area {units.text(found.sections[0].area, 'm^2')}"
    )
    section = found.sections[0].at
    where = "" if np.isnan(section) or np.isfinite(found.volume) else f" at {_axis(found)} = {units.text(section)}"
    return f"{name}: workspace of {found.of} by {by}{how}{where}: {size}"


def _axis(found: Workspace) -> str:
    return next("xyz"[k] for k in range(3) if k not in found.axes)


def rows(found: Workspace) -> list[tuple[str, ...]]:
    """List one row of cells per region, in the order of `COLUMNS`."""
    units, table = found.program.mechanism.units, []
    for number, region in enumerate(found.regions, 1):
        sides = [units.span(region.rings[0][:, k].min(), region.rings[0][:, k].max()) for k in found.axes]
        own = " (reference)" if region.own else ""
        table.append((f"{number}{own}", units.text(region.area, "m^2"), *sides, causes(region)))
    return table


def causes(region: Region) -> str:
    """Write what ends a region, that with the longest boundary first."""
    lengths: Counter[str] = Counter()
    for ring, told in zip(region.rings, region.causes, strict=True):
        parts = np.linalg.norm(np.roll(ring, -1, axis=0) - ring, axis=1)
        for length, cause in zip(parts, told, strict=True):
            lengths[cause] += length
    return "; ".join(cause for cause, _ in lengths.most_common())


def columns(found: Workspace) -> tuple[str, ...]:
    """Return the names of the columns, those of the coordinates of the sections."""
    return (*COLUMNS[:2], *("xyz"[k] for k in found.axes), COLUMNS[-1])


def notes(found: Workspace) -> list[str]:
    """Write what may be missing."""
    if found.complete:
        return []
    return ["there are so many assembly modes that not all were looked at: the workspace may be larger"]


def text(found: Workspace) -> str:
    """Write title, table and notes; of a volume the title alone."""
    if np.isfinite(found.volume):
        return "\n".join([title(found), *notes(found)])
    return "\n".join([title(found), "", *aligned(columns(found), rows(found)), *notes(found)])


def as_data(found: Workspace, units: Units = SI) -> dict[str, Any]:
    """Convert a workspace to plain data for JSON, in these units."""
    factor, unit = conversion("m", units)
    sections = [
        {
            "at": None if np.isnan(section.at) else factor * section.at,
            "area": factor**2 * section.area,
            "regions": [
                {
                    "area": factor**2 * region.area,
                    "reference": region.own,
                    "rings": [(factor * ring).tolist() for ring in region.rings],
                    "causes": [list(told) for told in region.causes],
                }
                for region in section.regions
            ],
        }
        for section in found.sections
    ]
    return {
        "of": str(found.of),
        "unit": unit,
        "volume": factor**3 * found.volume if np.isfinite(found.volume) else None,
        "released": [*map(str, found.released)],
        "complete": found.complete,
        "sections": sections,
    }
