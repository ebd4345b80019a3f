"""Commands on structures: ``groupkin analyze | transform``."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from groupkin.cli.options import (
    PATH,
    json_option,
    mechanism_argument,
    numbers_by_name,
    print_structure,
    read_file,
    solver_option,
    times_of,
    units_option,
)
from groupkin.cli.terminal import notice, print_table
from groupkin.errors import MechanismError
from groupkin.messages import counted

if TYPE_CHECKING:
    from groupkin.mechanism.mechanism import Joint
    from groupkin.structure.decomposition import Structure

SHOWN = 10
"""Number of structures that are listed by default."""

SAMPLED = 1001
"""Times at most at which drivers are evaluated to tell their ranges."""


@click.command()
@mechanism_argument
@json_option
@units_option
@click.option("--matrix", is_flag=True, help="Also print the matrix Results_SA of Celdran et al. (2022).")
@click.option("--solvers", is_flag=True, help="Also tell why each group has its solver.")
@solver_option
def analyze(file: Path, as_json: bool, units: str | None, matrix: bool, solvers: bool, solver: str) -> None:
    """Decompose the mechanism in FILE into structural groups, in solving order."""
    from groupkin.analysis import analyze as run
    from groupkin.kinematics.motion.outputs import outputs_of
    from groupkin.structure import tables
    from groupkin.structure.redundancy import pair_as

    described = read_file(file, units)
    outputs_of(described.mechanism)  # refuses formulas that do not fit the mechanism
    structure = run(described.mechanism, solver=solver)
    if as_json:
        data = tables.as_data(structure, matrix)
        if structure.redundancies:
            data["looser"] = {joint.name: joint.type for joint in _looser(structure)}
        click.echo(json.dumps(data, indent=1))
        return
    steps = min(described.motion.steps, SAMPLED)
    print_structure(structure, times_of(described, None, steps))
    if looser := _looser(structure):
        click.echo(f"note: exactly constrained it would be with {', '.join(map(pair_as, looser))}")
    click.echo()
    print_table(tables.JOINT_COLUMNS, tables.joint_rows(structure), set(tables.JOINT_COLUMNS[1:]))
    click.echo(tables.LEGEND)
    if solvers:
        click.echo()
        print_table(tables.SOLVER_COLUMNS, tables.solver_rows(structure), {tables.SOLVER_COLUMNS[-1]})
    if matrix:
        click.echo(tables.matrix_text(structure))


def _looser(structure: Structure) -> tuple[Joint, ...]:
    """The joints that could be looser pairs, so that none repeats others."""
    from groupkin.model.determination.misfits import relaxable
    from groupkin.model.geometry.geometry import resolve

    return relaxable(structure, resolve(structure.mechanism)) if structure.redundancies else ()


@click.command()
@click.argument("file", type=PATH, required=False)
@click.option("--driven", multiple=True, metavar="JOINT", help="Drive at least one freedom of this joint.")
@click.option("--forbid", multiple=True, metavar="JOINT", help="Do not drive this joint.")
@click.option("--only", multiple=True, metavar="JOINT", help="Drive only this joint and others named so.")
@click.option("--fix", multiple=True, metavar="JOINT=N", help="Drive exactly N freedoms of this joint.")
@click.option("--at-frame", is_flag=True, help="Drive only joints on the frame.")
@click.option("--type", "types", multiple=True, metavar="PAIR", help="Drive only joints of this type, such as P.")
@click.option("--at-most", type=click.IntRange(min=0), metavar="N", help="Drive at most N freedoms of any joint.")
@click.option(
    "--sort", metavar="CRITERIA", help="Criteria, the most important first, such as closed,-depth (- reverses one)."
)
@click.option(
    "--top", type=click.IntRange(min=0), metavar="N", help=f"List N structures; default: {SHOWN}, or all with --json."
)
@click.option("--all", "every", is_flag=True, help="List also ways that differ only by a symmetry of the mechanism.")
@click.option("--budget", type=click.IntRange(min=1), metavar="N", help="Examine at most N ways.")
@click.option("--out", type=PATH, help="Save all structures to a .sqlite file.")
@click.option("--from", "source", type=PATH, help="Read structures from a .sqlite file instead of searching.")
@click.option(
    "--where", multiple=True, metavar="CONDITION", help="With --from: such as 'groups >= 8 and driver = crank'."
)
@json_option
def transform(
    file: Path | None,
    sort: str | None,
    top: int | None,
    out: Path | None,
    source: Path | None,
    where: tuple[str, ...],
    as_json: bool,
    **search: Any,
) -> None:
    """List the ways to drive the mechanism in FILE that determine its motion, the best structures first.

    As many freedoms are driven as the mechanism has, of each joint the first ones. Criteria: groups (their number),
    largest (bodies of the largest group), closed (share of groups with a closed form), depth and width of the
    structural diagram, cost (predicted number of operations), forces (of those for driving forces and reactions).
    """
    order = [name.strip() for name in sort.split(",")] if sort else []
    if (file is None) == (source is None):
        raise click.UsageError("give a mechanism FILE, or structures saved before with --from FILE.sqlite")
    if source is not None:
        from groupkin.transformations import database

        if out is not None or any(search.values()):
            raise click.UsageError("--from takes --where, --sort and --top only; other options restrict a search")
        name, data = database.load(source, where, order)
        title = f"{name}: {counted(len(data['structures']), 'structure')} of {data['distinct']}"
    else:
        if where:
            raise click.UsageError("--where selects from saved structures: use it with --from FILE.sqlite")
        assert file is not None
        title, data = _searched(file, order, out, search)
    data["structures"] = data["structures"][: top if top is not None or as_json else SHOWN]
    click.echo(json.dumps(data)) if as_json else _print(title, data)


def _searched(file: Path, order: list[str], out: Path | None, search: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    """Search for structures of the mechanism in a file; a title, and the structures as data."""
    from groupkin.transformations import database
    from groupkin.transformations.criteria import DEFAULT_ORDER
    from groupkin.transformations.exploration import BUDGET
    from groupkin.transformations.exploration import transform as run

    if out is not None:
        database.check_target(out)
    mechanism = read_file(file).mechanism
    options = {key: search[key] for key in ("driven", "forbid", "only", "at_frame", "types", "at_most")}
    with notice("examining ways to drive the mechanism"):
        transformations = run(
            mechanism,
            **options,
            fixed=numbers_by_name(search["fix"], "--fix takes JOINT=NUMBER, as in --fix crank=1", MechanismError),
            sort=order or DEFAULT_ORDER,
            merge=not search["every"],
            budget=search["budget"] or BUDGET,
        )
    data = transformations.as_data()
    if out is not None:
        database.save(out, transformations.name, data)
        click.echo(f"written: {out}, {counted(len(transformations.structures), 'structure')}", err=True)
    if not transformations.complete:
        click.echo(
            f"note: {transformations.candidates} ways are too many to examine: a best-first search stopped after "
            f"{transformations.valid} valid ones, and there may be better ones. Restrict the joints, or raise --budget",
            err=True,
        )
    ways = f"{counted(transformations.candidates, 'way')} to drive {counted(transformations.number, 'freedom')}"
    return f"{transformations.name}: {ways}, {transformations.valid} valid, {transformations.distinct} distinct", data


def _print(title: str, data: Mapping[str, Any]) -> None:
    """Print a table of structures."""
    click.echo(title)
    shown = data["structures"]
    if not shown:
        return
    names = list(shown[0]["criteria"])
    rows = [
        (
            str(k),
            ", ".join(name if w == 1 else f"{name} ×{w}" for name, w in entry["drivers"].items()),
            *(f"{entry['criteria'][name]:.15g}"[:8] for name in names),
            str(entry["symmetric"]),
        )
        for k, entry in enumerate(shown, 1)
    ]
    click.echo()
    print_table(["", "driven joints", *names, "symmetric"], rows, {"driven joints"})
