"""Commands on structures: ``groupkin analyze | generate | transform``."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from groupkin.cli.options import file_argument, json_option, print_structure, read_file
from groupkin.cli.terminal import notice, print_table
from groupkin.errors import MechanismError, OutputError
from groupkin.mechanism.pairs import counted

if TYPE_CHECKING:
    from groupkin.structure.decomposition import Structure

SHOWN = 10
"""Structures that are listed, unless asked for more."""


@click.command()
@file_argument
@json_option
@click.option("--matrix", is_flag=True, help="Add the matrix Results_SA of Celdran et al. (2022).")
def analyze(file: Path, as_json: bool, matrix: bool) -> None:
    """Decompose the mechanism of FILE into structural groups, in solving order."""
    from groupkin.analysis import analyze as run
    from groupkin.structure import tables

    structure = run(read_file(file).mechanism)
    if as_json:
        click.echo(json.dumps(tables.as_data(structure, matrix), indent=1))
        return
    print_structure(structure)
    _print_joints(structure)
    if matrix:
        click.echo(tables.matrix_text(structure))


def _print_joints(structure: Structure) -> None:
    """A table of the joints of every group."""
    from groupkin.structure import tables

    click.echo()
    print_table(tables.JOINT_COLUMNS, tables.joint_rows(structure), set(tables.JOINT_COLUMNS[1:]))
    click.echo(tables.LEGEND)


@click.command()
@click.option("--assur-class", type=int, required=True, help="Class k of the groups: 2k bodies, 3k joints.")
@click.option("--groups", type=int, required=True, help="Number of groups.")
@click.option("--seed", type=int, default=0, show_default=True, help="Another seed joins them elsewhere.")
@click.option("--drive-last", is_flag=True, help="Drive the joint of the last two bodies, not the crank.")
@click.option("--out", type=click.Path(path_type=Path), help="Write a .toml or .json file instead of printing it.")
def generate(assur_class: int, groups: int, seed: int, drive_last: bool, out: Path | None) -> None:
    """Make a random plane mechanism: a crank and Assur groups, as ASSUR k-n and, with --drive-last, k-nB."""
    from groupkin.structure import generation

    if out is not None and out.suffix not in (".toml", ".json"):
        raise OutputError(f"{out.name}: a mechanism file ends in .toml or .json")
    mechanism = generation.generate(assur_class, groups, seed, drive_last)
    in_json = out is not None and out.suffix == ".json"
    text = json.dumps(generation.as_data(mechanism)) if in_json else generation.as_toml(mechanism)
    if out is None:
        click.echo(text, nl=False)
        return
    try:
        out.write_text(text, encoding="utf-8")
    except OSError as error:
        raise OutputError(f"{out}: cannot be written: {error.strerror}") from None
    click.echo(f"written: {out}, {mechanism.name}, {counted(len(mechanism.movable), 'movable body', 'movable bodies')}")


@click.command()
@click.argument("file", type=click.Path(path_type=Path), required=False)
@click.option("--driven", multiple=True, metavar="JOINT", help="Drive at least one freedom of this joint.")
@click.option("--forbid", multiple=True, metavar="JOINT", help="Do not drive this joint.")
@click.option("--only", multiple=True, metavar="JOINT", help="Drive no joints but these.")
@click.option("--fix", multiple=True, metavar="JOINT=N", help="Drive exactly N freedoms of this joint.")
@click.option("--at-frame", is_flag=True, help="Drive joints at the frame only.")
@click.option("--type", "types", multiple=True, metavar="PAIR", help="Drive pairs of this type only, such as P.")
@click.option("--at-most", type=click.IntRange(min=0), metavar="N", help="Drive at most N freedoms of one joint.")
@click.option("--sort", metavar="CRITERIA", help="The most important first, such as closed,-depth (- turns it around).")
@click.option("--top", type=click.IntRange(min=0), metavar="N", help=f"List N structures; default: {SHOWN}, JSON: all.")
@click.option("--all", "every", is_flag=True, help="Do not merge what differs by a symmetry.")
@click.option("--budget", type=click.IntRange(min=1), metavar="N", help="Examine about so many at most.")
@click.option("--out", type=click.Path(path_type=Path), help="Keep all structures in a .sqlite file.")
@click.option("--from", "source", type=click.Path(path_type=Path), help="Ask a .sqlite file instead of searching.")
@click.option(
    "--where", multiple=True, metavar="CONDITION", help="With --from: such as 'groups >= 8 and driver = crank'."
)
@click.option("--json", "as_json", is_flag=True, help="Print data instead of text.")
def transform(
    file: Path | None,
    sort: str | None,
    top: int | None,
    out: Path | None,
    source: Path | None,
    where: tuple[str, ...],
    as_json: bool,
    **given: Any,
) -> None:
    """List the ways to drive the mechanism of FILE that determine its motion, the best structures first.

    As many freedoms are driven as the mechanism has; which freedoms of a joint is not asked. Criteria: groups, largest
    (bodies), closed (share of groups with a closed form), depth and width of the diagram, cost (operations, predicted).
    """
    order = [name.strip() for name in sort.split(",")] if sort else []
    if (file is None) == (source is None):
        raise click.UsageError("give a mechanism FILE, or structures kept before with --from FILE.sqlite")
    if source is not None:
        from groupkin.transformations import database

        if out is not None or any(given.values()):
            raise click.UsageError("--from asks a file with --where, --sort and --top; restrictions belong to a search")
        name, data = database.load(source, where, order)
        title = f"{name}: {counted(len(data['structures']), 'structure')} of {data['distinct']}"
    else:
        if where:
            raise click.UsageError("--where asks a file: use it with --from FILE.sqlite")
        assert file is not None
        title, data = _searched(file, order, out, given)
    data["structures"] = data["structures"][: top if top is not None or as_json else SHOWN]
    click.echo(json.dumps(data)) if as_json else _print(title, data)


def _searched(file: Path, order: list[str], out: Path | None, given: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    from groupkin.transformations import database
    from groupkin.transformations.criteria import DEFAULT_ORDER
    from groupkin.transformations.exploration import BUDGET
    from groupkin.transformations.exploration import transform as run

    if out is not None:
        database.check_target(out)
    mechanism = read_file(file).mechanism
    options = {key: given[key] for key in ("driven", "forbid", "only", "at_frame", "types", "at_most")}
    budget = given["budget"] or BUDGET
    with notice("examining ways to drive the mechanism"):
        found = run(
            mechanism,
            **options,
            fixed=_fixed(given["fix"]),
            sort=order or DEFAULT_ORDER,
            merge=not given["every"],
            budget=budget,
        )
    data = found.as_data()
    if out is not None:
        database.save(out, found.name, data)
        click.echo(f"written: {out}, {counted(len(found.structures), 'structure')}", err=True)
    if not found.complete:
        click.echo(
            f"note: {found.candidates} ways are too many to examine: a best-first search stopped after {found.valid} "
            "valid ones; there may be better ones. Restrict the joints, or give a larger --budget",
            err=True,
        )
    ways = f"{counted(found.candidates, 'way')} to drive {counted(found.number, 'freedom')}"
    return f"{found.name}: {ways}, {found.valid} valid, {found.distinct} distinct", data


def _fixed(given: tuple[str, ...]) -> dict[str, int]:
    found = {}
    for item in given:
        name, _, number = item.rpartition("=")
        if not name or not number.isdecimal():
            raise MechanismError(f"--fix takes JOINT=NUMBER, as in --fix crank=1, not {item!r}")
        found[name] = int(number)
    return found


def _print(title: str, data: Mapping[str, Any]) -> None:
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
