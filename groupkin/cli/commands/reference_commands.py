"""Reference commands: ``groupkin examples | library | schema``."""

from __future__ import annotations

import json
from importlib import import_module
from pathlib import Path

import click

from groupkin.cli.options import PATH, json_option
from groupkin.cli.terminal import print_table, progress
from groupkin.durable_files import disk_errors, exists, write_atomically
from groupkin.errors import OutputError

MEASURED = (
    "ns per step: position, velocity and acceleration, a block of 512 steps in cache, the fastest of 100; Newton's "
    "method on a plane triad (6R2D)"
)
"""How the costs of the library are measured."""

SCHEMAS = {
    "mechanism": "groupkin.mechanism.files.schema",
    "sweep": "cluster.sweeps.schema",
    "fit": "groupkin.synthesis.file_schema",
}
"""Kinds of files, and the modules that are imported for their schemas."""


@click.command()
@click.argument("name", required=False)
@click.option("--copy", type=PATH, metavar="PLACE", help="Copy the example, and files that it names, to this folder.")
def examples(name: str | None, copy: Path | None) -> None:
    """List the examples that come with the package, or print the path of the one of this NAME."""
    from groupkin.example_files import example, with_named_files
    from groupkin.example_files import examples as every

    if name is None:
        if copy is not None:
            raise click.UsageError("--copy belongs to the NAME of an example")
        print_table(("name", "what it is"), [*every().about.items()], {"what it is"})
        return
    if copy is None:
        click.echo(example(name))
        return
    for file in with_named_files(example(name)):
        copied = copy / file.name
        if exists(copied):
            raise OutputError(f"{copied} exists, and is not replaced by the example; choose another folder")
        with disk_errors(copied, begun=False):
            copy.mkdir(parents=True, exist_ok=True)
            write_atomically(copied, file.read_text(encoding="utf-8"))
        click.echo(f"written: {copied}", err=True)


@click.command()
@click.option("--measure", is_flag=True, help="Measure the time per step on this machine; takes some seconds.")
@json_option
def library(measure: bool, as_json: bool) -> None:
    """List the structural groups that have a closed form, and the solver of all others."""
    from dataclasses import asdict

    from groupkin.kinematics.library import catalog

    with progress(1, "measuring") as report:
        entries = catalog(measure, report if measure else None)
    if as_json:
        click.echo(json.dumps([asdict(entry) for entry in entries]))
        return
    columns = ("solver", "type", "chain", "modes", "by", "ns per step", "signature")
    rows = [
        (
            entry.name,
            entry.label,
            entry.picture or "–",
            str(entry.modes or "by search"),
            "closed form" if entry.closed else "iteration",
            "" if entry.nanoseconds is None else f"{entry.nanoseconds:.3g}",
            entry.signature,
        )
        for entry in entries
    ]
    chosen = [k for k, name in enumerate(columns) if measure or name != "ns per step"]
    title = f"{sum(entry.closed for entry in entries)} kinds of structural groups have a closed form"
    cells = [tuple(row[k] for k in chosen) for row in rows]
    click.echo(title + "\n")
    print_table([columns[k] for k in chosen], cells, {"solver", "signature"}, wide=True)
    if measure:
        click.echo(MEASURED)


@click.command()
@click.argument("kind", type=click.Choice(list(SCHEMAS)), default="mechanism")
def schema(kind: str) -> None:
    """Print the JSON Schema of files for editors: of a mechanism, a sweep or a fit."""
    click.echo(json.dumps(import_module(SCHEMAS[kind]).json_schema(), indent=1))
