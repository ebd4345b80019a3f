"""The command ``groupkin export``."""

from __future__ import annotations

from pathlib import Path

import click

from groupkin.cli import options
from groupkin.errors import OutputError


@click.command()
@options.file_argument
@click.option("--joint", metavar="CAM", help="The cam whose curve is written; default: all.")
@click.option(
    "--out",
    type=options.PATH,
    multiple=True,
    required=True,
    help="A .dxf file for the curves of all cams, or a .csv file for the points of one (repeatable).",
)
@options.units_option
def export(file: Path, joint: str | None, out: tuple[Path, ...], units: str | None) -> None:
    """Write the curves of the cams in FILE for drawings and machines."""
    from groupkin.look.curve_files import cam_curves, write_csv, write_dxf
    from groupkin.mechanism.cams.cam_curves import CamCurve
    from groupkin.mechanism.cams.cam_profiles import cam_profile

    writers = {".dxf": write_dxf, ".csv": write_csv}
    for path in out:
        if path.suffix.lower() not in writers:
            raise OutputError(f"{path}: curves are written to a file that ends in {' or '.join(writers)}")
    described = options.read_file(file, units)
    curves = cam_curves(described.mechanism, joint)
    for name, curve in curves.items():
        if isinstance(curve, CamCurve):
            profile = cam_profile(curve.law, curve.follower, curve.base, clockwise=curve.clockwise)
            click.echo(f"{name}: {profile.text(described.mechanism.units)}", err=True)
    for path in out:
        writers[path.suffix.lower()](curves, path, described.mechanism.units)
        click.echo(f"written: {path}, {', '.join(curves)}, in {described.mechanism.units.length}", err=True)
