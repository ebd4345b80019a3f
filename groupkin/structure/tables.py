"""A structure as text and as data: the columns of Tables 8 and 9 of Celdran, Saura and Dopico (2022)."""

from __future__ import annotations

from typing import Any

from groupkin.structure.decomposition import Group, Structure

COLUMNS = ("group", "bodies", "type", "external joints", "internal joints", "given on", "after", "level", "solver")


def summary(structure: Structure) -> str:
    """One line on the whole: mobility, drivers, number of groups."""
    mechanism = structure.mechanism
    where = "the plane" if structure.dimension == 2 else "space"
    count = len(structure.spins)
    spins = f"; {count} idle spin{'s' * (count > 1)} held" if count else ""
    return (
        f"{mechanism.name}: {len(mechanism.movable)} movable bodies, {len(mechanism.joints)} joints in {where}, "
        f"mobility {structure.mobility}, {structure.driven} driven, {len(structure.groups)} structural groups{spins}"
    )


def rows(structure: Structure) -> list[tuple[str, ...]]:
    """One row of cells per group, in the order of `COLUMNS`."""
    return [
        (
            str(group.number),
            ", ".join(group.bodies),
            group.label,
            " ".join(pair(structure, group, name) for name in group.external),
            " ".join(pair(structure, group, name) for name in group.internal) or "–",
            " ".join(pair(structure, group, name) for name in group.given) or "–",
            ", ".join(map(str, group.depends_on)) or "–",
            str(group.level),
            group.solver,
        )
        for group in structure.groups
    ]


def pair(structure: Structure, group: Group, joint: str) -> str:
    """A joint as the paper writes it, the group's own body first: ``3&2S`` (an asterisk: driven)."""
    found = structure.joint(joint)
    first, second = found.bodies
    if first not in group.bodies:
        first, second = second, first
    star = "*" if joint in structure.mechanism.driven else ""
    return f"{first}&{second}{found.type}{star}"


def as_data(structure: Structure, matrix: bool = False) -> dict[str, Any]:
    """The structure as plain data for JSON; joints by name."""
    data: dict[str, Any] = {
        "mobility": structure.mobility,
        "driven": structure.driven,
        "dimension": structure.dimension,
        "groups": [_group_data(group) for group in structure.groups],
    }
    if matrix:
        data["matrix"] = structure.matrix.tolist()
    return data


def _group_data(group: Group) -> dict[str, Any]:
    return {
        "number": group.number,
        "bodies": list(group.bodies),
        "label": group.label,
        "signature": group.signature,
        "level": group.level,
        "depends_on": list(group.depends_on),
        "external": list(group.external),
        "internal": list(group.internal),
        "given": list(group.given),
        "solver": group.solver,
        "notes": list(group.notes),
    }


def matrix_text(structure: Structure) -> str:
    """The matrix Results_SA, its columns headed by the bodies."""
    bodies = [structure.mechanism.frame, *structure.mechanism.movable]
    cells = [["", *bodies], *([body, *map(str, row)] for body, row in zip(bodies, structure.matrix, strict=True))]
    widths = [max(len(row[k]) for row in cells) for k in range(len(cells[0]))]
    lines = [" ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)) for row in cells]
    return "\n".join(["", "Results_SA (first row: groups; below, i j: assignment of j to i)", *lines])
