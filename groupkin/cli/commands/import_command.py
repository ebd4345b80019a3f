"""The command ``groupkin import``."""

from __future__ import annotations

from pathlib import Path

import click

from groupkin.cli import options
from groupkin.errors import ModelError, shown
from groupkin.messages import listed


@click.command("import")
@click.argument("model", type=options.PATH)
@click.option("--out", type=options.PATH, required=True, help="The mechanism file, .toml or .json.")
@click.option("--plane", is_flag=True, help="Make a mechanism in the plane of a model that moves in one.")
@click.option("--keyframe", metavar="NAME", help="Close loops from this keyframe of MJCF; default: from zero.")
@click.option(
    "--start",
    multiple=True,
    metavar="JOINT=VALUE",
    help="Close loops with this value of a joint, rad or m, as in --start knee=0.7 (repeatable).",
)
@click.option("--fix", metavar="LINK", help="The link that does not move; default: the world, or the root.")
@click.option("--loops", type=options.PATH, help="A .toml file with loops that the model does not state.")
@click.option("--no-masses", is_flag=True, help="Read the motion alone, without masses and forces.")
@click.option("--no-friction", is_flag=True, help="Read no dry friction.")
@options.anywhere_option
def import_model(
    model: Path,
    out: Path,
    plane: bool,
    keyframe: str | None,
    start: tuple[str, ...],
    fix: str | None,
    loops: Path | None,
    no_masses: bool,
    no_friction: bool,
) -> None:
    """Read MODEL, a robot model (MJCF, SDF or URDF), as a mechanism.

    What the model has and the mechanism does not is listed, and what must be driven besides the joints with actuators.
    """
    from groupkin.exchange import importing
    from groupkin.mechanism.files.writing import save

    found = importing.import_model(
        model,
        plane=plane,
        keyframe=keyframe,
        start=dict(map(_value, start)),
        fix=fix,
        loops=loops,
        masses=not no_masses,
        friction=not no_friction,
        files_anywhere=options.files_anywhere(),
    )
    save(found.mechanism, out)
    for line in found.left_out:
        click.echo(f"left out: {line}", err=True)
    click.echo(f"{found!r}", err=True)
    click.echo(f"written: {out}", err=True)
    free = [driver.joint for driver in found.mechanism.drivers if driver.law is None]
    if free:
        law = 'law = { type = "ramp", rate = 1 }'
        click.echo(
            f"next: give the driver of {listed(map(repr, free))} a law, such as `{law}`, and `groupkin animate {out}`; "
            f"or `groupkin simulate {out}`",
            err=True,
        )


def _value(text: str) -> tuple[str, float]:
    """Split the name and the value of a joint."""
    name, _, number = text.rpartition("=")
    try:
        return name, float(number)
    except ValueError:
        raise ModelError(f"--start takes JOINT=VALUE, rad or m, as in --start knee=0.7, not {shown(text)}") from None
