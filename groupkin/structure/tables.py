"""A structure as text and as data: the columns of Tables 8 and 9 of Celdran, Saura and Dopico (2022)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from groupkin.messages import counted
from groupkin.structure.decomposition import Group, Structure

COLUMNS = ("group", "bodies", "type", "after", "level", "solver")
JOINT_COLUMNS = ("group", "external joints", "internal joints", "given on")
SOLVER_COLUMNS = ("group", "solver", "why")
LEGEND = "joints as name(type), * driven: with bodies solved before, within the group, with later groups"

WIDTH = 100
"""Largest width of a line that is printed."""


def summary(structure: Structure) -> str:
    """Summarize a structure in one line: bodies, joints, mobility, drivers, groups."""
    mechanism = structure.mechanism
    where = "the plane" if structure.dimension == 2 else "space"
    count = len(structure.spins)
    spins = f"; {count} idle spin{'s' * (count > 1)} held" if count else ""
    return (
        f"{mechanism.name}: {counted(len(mechanism.movable), 'movable body', 'movable bodies')}, "
        f"{counted(len(mechanism.stated_joints), 'joint')} in {where}, mobility {structure.mobility}, "
        f"{structure.driven} driven, {counted(len(structure.groups), 'structural group')}{spins}"
    )


def rows(structure: Structure) -> list[tuple[str, ...]]:
    """One row of cells per group, in the order of `COLUMNS`."""
    return [
        (
            str(group.number),
            ", ".join(group.bodies),
            group.label,
            ", ".join(map(str, group.depends_on)) or "–",
            str(group.level),
            group.solver,
        )
        for group in structure.groups
    ]


def solver_rows(structure: Structure) -> list[tuple[str, ...]]:
    """One row of cells per group, in the order of `SOLVER_COLUMNS`."""
    return [(str(group.number), group.solver, group.why or "–") for group in structure.groups]


def joint_rows(structure: Structure) -> list[tuple[str, ...]]:
    """One row of cells per group, in the order of `JOINT_COLUMNS`."""

    def listed(names: tuple[str, ...]) -> str:
        driven = structure.mechanism.driven
        return ", ".join(f"{name}({structure.joint(name).type}{'*' * (name in driven)})" for name in names) or "–"

    return [
        (str(group.number), listed(group.external), _inside(group, listed), listed(group.given))
        for group in structure.groups
    ]


def _inside(group: Group, listed: Callable[[tuple[str, ...]], str]) -> str:
    """List the joints within a group, and its couplings."""
    couplings = ", ".join(f"{name}(K)" for name in group.couplings)
    if not couplings:
        return listed(group.internal)
    return couplings if not group.internal else f"{listed(group.internal)}, {couplings}"


def as_data(structure: Structure, matrix: bool = False) -> dict[str, Any]:
    """The structure as plain data for JSON, joints by name; with the matrix Results_SA if `matrix`."""
    data: dict[str, Any] = {
        "mobility": structure.mobility,
        "driven": structure.driven,
        "dimension": structure.dimension,
        "groups": [_group_data(group) for group in structure.groups],
        "redundancies": [
            {
                "what": redundancy.what,
                "bodies": list(redundancy.bodies),
                "joints": list(redundancy.joints),
                "rows": redundancy.rows,
                "repeated": {name: list(rows) for name, rows in redundancy.repeated.items()},
                "solved_as": {joint.name: joint.type for joint in redundancy.eased},
            }
            for redundancy in structure.redundancies
        ],
    }
    if matrix:
        data["matrix"] = structure.matrix.tolist()
    return data


def _group_data(group: Group) -> dict[str, Any]:
    values = {key: value for key, value in vars(group).items() if key != "order"}
    return {key: list(value) if isinstance(value, tuple) else value for key, value in values.items()}


def aligned(columns: Sequence[str], rows: Sequence[Sequence[str]]) -> list[str]:
    """Write a table as lines, each column as wide as its longest cell.

    Examples
    --------
    >>> aligned(["group", "bodies"], [("1", "crank")])
    ['group  bodies', '1      crank']
    """
    lines = [columns, *rows]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return ["  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip() for line in lines]


def matrix_text(structure: Structure) -> str:
    """The matrix Results_SA as text, with bodies or, if that is too wide, their numbers as heads of its columns."""
    bodies = [structure.mechanism.frame, *structure.mechanism.movable]
    heads = bodies
    if sum(len(body) + 1 for body in bodies) + max(map(len, bodies)) > WIDTH:
        heads = [str(k) for k in range(1, len(bodies) + 1)]
        bodies = [f"{body} {k}" for k, body in enumerate(bodies, 1)]
    cells = [["", *heads], *([body, *map(str, row)] for body, row in zip(bodies, structure.matrix, strict=True))]
    widths = [max(len(row[k]) for row in cells) for k in range(len(cells[0]))]
    lines = [" ".join(cell.rjust(width) for cell, width in zip(row, widths, strict=True)) for row in cells]
    return "\n".join(["", "Results_SA (first row: groups; below, i j: assignment of j to i)", *lines])
