"""The command ``groupkin export``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from groupkin.cli import options
from groupkin.cli.terminal import notice
from groupkin.errors import OutputError

if TYPE_CHECKING:
    from groupkin.mechanism.files.reading import MechanismFile
    from groupkin.mechanism.mechanism import Mechanism


@click.command()
@options.file_argument
@click.option("--library", type=options.PATH, metavar="DIR", help="A shared library without Python and its C header.")
@click.option("--target", metavar="MACHINE", help="Its machine, such as aarch64-linux; default: this one.")
@click.option("--dynamics", is_flag=True, help="The library has the equations of motion too.")
@click.option("--c", "c_source", type=options.PATH, metavar="DIR", help="Source of C, where all groups are closed.")
@click.option(
    "--drawing",
    type=options.PATH,
    multiple=True,
    help="A .dxf or .svg file for the whole mechanism of the plane at true scale, in layers (repeatable).",
)
@click.option("--time", type=float, metavar="T", help="What is drawn, s; default: the first time of the file.")
@click.option("--joint", metavar="CAM", help="The cam whose curve is written; default: all.")
@click.option(
    "--out",
    type=options.PATH,
    multiple=True,
    help="A .dxf file for the curves of all cams, or a .csv file for the points of one (repeatable).",
)
@click.option("--mjcf", type=options.PATH, help="An .xml file for the whole mechanism, a model for MuJoCo.")
@options.units_option
def export(
    file: Path,
    library: Path | None,
    target: str | None,
    dynamics: bool,
    c_source: Path | None,
    drawing: tuple[Path, ...],
    time: float | None,
    joint: str | None,
    out: tuple[Path, ...],
    mjcf: Path | None,
    units: str | None,
) -> None:
    """Write the mechanism in FILE for other programs or as a drawing, or the curves of its cams."""
    if not (library or c_source or drawing or out or mjcf):
        raise OutputError(
            "say what is written: a compiled library by --library, source of C by --c, a model for MuJoCo by --mjcf, a "
            "drawing of the mechanism by --drawing, the curves of cams by --out"
        )
    described = options.read_file(file, units)
    if library:
        _write_library(described.mechanism, library, file.stem, target, dynamics)
    if c_source:
        _write_c(described.mechanism, c_source, file.stem)
    if drawing:
        _draw(described, drawing, time)
    if mjcf is not None:
        _write_mjcf(described, mjcf)
    if out:
        _write_curves(described, joint, out)


def _write_library(mechanism: Mechanism, folder: Path, name: str, target: str | None, dynamics: bool) -> None:
    """Write a compiled library and its header."""
    from groupkin.export.library import export_library

    with notice("compiling"):
        written = export_library(mechanism, folder, name=name, target=target, dynamics=dynamics)
    for path in written:
        click.echo(f"written: {path}", err=True)


def _write_c(mechanism: Mechanism, folder: Path, name: str) -> None:
    """Write source of C, its header and examples."""
    from groupkin.export.c_sources import export_c

    for path in export_c(mechanism, folder, name=name):
        click.echo(f"written: {path}", err=True)


def _draw(described: MechanismFile, paths: tuple[Path, ...], time: float | None) -> None:
    """Write drawings at true scale: with the paths of points, if all drivers have laws."""
    from groupkin.kinematics.solver import solve
    from groupkin.look.true_scale import check_drawing, export_drawing

    for path in paths:
        check_drawing(described.mechanism, path)
    moves = all(driver.law is not None for driver in described.mechanism.drivers)
    what = solve(described) if moves else described.mechanism
    for path in paths:
        layers = export_drawing(what, path, time)
        click.echo(f"written: {path}, {', '.join(layers)}", err=True)


def _write_mjcf(described: MechanismFile, path: Path) -> None:
    """Write a model for MuJoCo."""
    from groupkin.exchange.mjcf.writing import export_mjcf

    for line in export_mjcf(described.mechanism, path):
        click.echo(f"left out: {line}", err=True)
    click.echo(f"written: {path}, a model for MuJoCo, in meters and radians", err=True)


def _write_curves(described: MechanismFile, joint: str | None, out: tuple[Path, ...]) -> None:
    """Write the curves of cams."""
    from groupkin.look.curve_files import cam_curves, write_csv, write_dxf
    from groupkin.mechanism.cams.cam_curves import CamCurve
    from groupkin.mechanism.cams.cam_profiles import cam_profile

    writers = {".dxf": write_dxf, ".csv": write_csv}
    for path in out:
        if path.suffix.lower() not in writers:
            raise OutputError(f"{path}: curves are written to a file that ends in {' or '.join(writers)}")
    curves = cam_curves(described.mechanism, joint)
    for name, curve in curves.items():
        if isinstance(curve, CamCurve):
            profile = cam_profile(curve.law, curve.follower, curve.base, clockwise=curve.clockwise)
            click.echo(f"{name}: {profile.text(described.mechanism.units)}", err=True)
    for path in out:
        writers[path.suffix.lower()](curves, path, described.mechanism.units)
        click.echo(f"written: {path}, {', '.join(curves)}, in {described.mechanism.units.length}", err=True)
