"""The command ``groupkin generate``: random mechanisms of Assur groups, and all linkages of so many bars."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import click

from groupkin.cli.options import PATH, json_option
from groupkin.cli.plot_options import picture_option
from groupkin.cli.terminal import notice, print_table, progress
from groupkin.messages import counted

if TYPE_CHECKING:
    from groupkin.transformations.atlas import Atlas
    from groupkin.transformations.exploration import Transformation

SHOWN = 10
"""Number of linkages that are listed by default."""

CRITERIA = ("closed", "depth", "width", "cost")


@click.command()
@click.option("--assur-class", type=int, help="Class k of the groups, which have 2k bodies and 3k joints.")
@click.option("--groups", type=int, help="Number of groups.")
@click.option("--seed", type=int, help="Seed of the random numbers; default: 0.")
@click.option("--drive-last", is_flag=True, help="Drive the joint of the last two bodies instead of the crank.")
@click.option("--bars", type=int, help="List all linkages of so many bars instead, the frame included.")
@click.option("--mobility", type=int, help="With --bars: mobility of the linkages; default: 1.")
@click.option("--anywhere", is_flag=True, help="With --bars: drive any joints, not only those at the frame.")
@click.option("--sort", metavar="CRITERIA", help="With --bars: as of groupkin transform, or chain, frame, links_3.")
@click.option("--top", type=click.IntRange(min=0), metavar="N", help=f"With --bars: list N linkages; default: {SHOWN}.")
@picture_option("With --bars: sketch the listed ones, as NAME_1.svg, ….")
@click.option("--graph", is_flag=True, help="With --picture: structural graphs instead of sketches.")
@json_option
@click.option("--out", type=PATH, help="Write the mechanism to .toml or .json, or all linkages of --bars to .sqlite.")
def generate(
    assur_class: int | None,
    groups: int | None,
    seed: int | None,
    drive_last: bool,
    bars: int | None,
    mobility: int | None,
    anywhere: bool,
    sort: str | None,
    top: int | None,
    picture: Path | None,
    graph: bool,
    as_json: bool,
    out: Path | None,
) -> None:
    """Generate a random plane mechanism of a crank and Assur groups, or all linkages of so many bars.

    With --assur-class and --groups: ASSUR k-n, or with --drive-last ASSUR k-nB. With --bars: all plane linkages of
    revolute joints, driven at the frame, and their structural groups, the best first; those that differ by a symmetry
    once.
    """
    assur = {"assur-class": assur_class, "groups": groups, "seed": seed, "drive-last": drive_last or None}
    table = {"mobility": mobility, "anywhere": anywhere or None, "sort": sort, "top": top, "picture": picture}
    table |= {"graph": graph or None, "json": as_json or None}
    unfit = [f"--{name}" for name, value in (table if bars is None else assur).items() if value is not None]
    if unfit:
        without = "belongs to --bars: give --assur-class and --groups without it, or --bars"
        only = without if bars is None else "goes without --bars, which lists all linkages"
        raise click.UsageError(f"{unfit[0]} {only}")
    if bars is None:
        if assur_class is None or groups is None:
            raise click.UsageError("give --assur-class and --groups, or --bars")
        _random(assur_class, groups, seed or 0, drive_last, out)
        return
    if graph and picture is None:
        raise click.UsageError("--graph belongs to --picture")
    found = _found(bars, 1 if mobility is None else mobility, anywhere, sort, picture, out)
    if as_json:
        data = found.as_data()
        data["structures"] = data["structures"][:top]
        click.echo(json.dumps(data))
    listed = found.structures[: SHOWN if top is None and not as_json else top]
    if not as_json:
        _print(found, listed)
    if picture is not None:
        _draw(found, listed, picture, graph)


def _random(assur_class: int, groups: int, seed: int, drive_last: bool, out: Path | None) -> None:
    """Print a random mechanism, or write it to a file."""
    from groupkin.mechanism.files import writing
    from groupkin.structure import generation

    mechanism = generation.generate(assur_class, groups, seed, drive_last)
    if out is None:
        click.echo(writing.as_toml(writing.as_data(mechanism)), nl=False)
        return
    writing.save(mechanism, out)
    click.echo(f"written: {out}, {mechanism.name}, {counted(len(mechanism.movable), 'movable body', 'movable bodies')}")


def _found(bars: int, mobility: int, anywhere: bool, sort: str | None, picture: Path | None, out: Path | None) -> Atlas:
    """All linkages of so many bars, written to a file if there is one."""
    from groupkin.picture_files import check_file
    from groupkin.transformations import database
    from groupkin.transformations.atlas import atlas
    from groupkin.transformations.criteria import DEFAULT_ORDER

    if out is not None:
        database.check_target(out)
    if picture is not None:
        check_file(picture)
    order = [name.strip() for name in sort.split(",")] if sort else DEFAULT_ORDER
    with notice("decomposing linkages"), progress(1, "decomposing") as report:
        found = atlas(bars, mobility, at_frame=not anywhere, sort=order, progress=report)
    if out is not None:
        database.save(out, found.name, found.as_data())
        click.echo(f"written: {out}, {counted(len(found.structures), 'driven linkage')}", err=True)
    return found


def _print(found: Atlas, listed: tuple[Transformation, ...]) -> None:
    """Print a table of driven linkages."""
    click.echo(found.summary)
    if not listed:
        return
    links_of = [name for name in listed[0].values if name.startswith("links_")]
    orders = [name for name in links_of if any(case.values[name] for case in listed)]
    links = f"links {'+'.join(name.removeprefix('links_') for name in orders)}"
    rows = [
        (
            str(k),
            f"{case.values['chain']}",
            f"{case.values['frame']}",
            ", ".join(case.drivers),
            "+".join(f"{case.values[name]}" for name in orders),
            ", ".join(f"{kind}×{n}" if n > 1 else kind for kind, n in Counter(case.types).items()),
            *(f"{case.values[name]:.15g}"[:8] for name in CRITERIA),
            str(case.symmetric),
        )
        for k, case in enumerate(listed, 1)
    ]
    click.echo()
    columns = ["", "chain", "frame", "driven joints", links, "groups", *CRITERIA, "symmetric"]
    print_table(columns, rows, {"driven joints", "groups"})
    click.echo(f"{links}: numbers of links with so many joints; closed: share of groups with a closed form")


def _draw(found: Atlas, listed: tuple[Transformation, ...], out: Path, graph: bool) -> None:
    """Draw sketches or structural graphs of driven linkages into numbered files."""
    from groupkin.look.drawing import draw

    with notice("drawing"), progress(len(listed), "drawing") as report:
        for k, case in enumerate(listed, 1):
            chain = found.chains[int(case.values["chain"]) - 1]
            linkage = chain.linkage(int(case.values["frame"]), tuple(case.drivers), placed=not graph)
            draw(linkage, out.with_stem(f"{out.stem}_{k}"), "graph" if graph else "mechanism")
            if report:
                report(k, len(listed))
    click.echo(f"written: {counted(len(listed), 'picture')} {out.stem}_1{out.suffix}, …", err=True)
