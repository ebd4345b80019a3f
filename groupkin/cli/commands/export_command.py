"""The command ``groupkin export``."""

from __future__ import annotations

from pathlib import Path

import click

from groupkin.cli import options
from groupkin.errors import OutputError


@click.command()
@options.file_argument
@click.option("--joint", metavar="CAM", help="The cam whose curve is written; default: all.")
@click.option("--dxf", type=options.PATH, help="Write the curves of cams to this DXF file, for drawings and machines.")
@click.option("--csv", "table", type=options.PATH, help="Write the points of the curve of a cam to this CSV file.")
@options.units_option
def export(file: Path, joint: str | None, dxf: Path | None, table: Path | None, units: str | None) -> None:
    """Write the curves of the cams in FILE for drawings and machines."""
    from groupkin.look.curve_files import cam_curves, write_csv, write_dxf
    from groupkin.mechanism.cams.cam_curves import CamCurve
    from groupkin.mechanism.cams.cam_profiles import cam_profile

    if dxf is None and table is None:
        raise OutputError("name the file to be written, with --dxf or --csv")
    described = options.read_file(file, units)
    curves = cam_curves(described.mechanism, joint)
    for name, curve in curves.items():
        if isinstance(curve, CamCurve):
            profile = cam_profile(curve.law, curve.follower, curve.base, clockwise=curve.clockwise)
            click.echo(f"{name}: {profile.text(described.mechanism.units)}", err=True)
    for path, write in ((dxf, write_dxf), (table, write_csv)):
        if path is not None:
            write(curves, path, described.mechanism.units)
            click.echo(f"written: {path}, {', '.join(curves)}, in {described.mechanism.units.length}", err=True)
