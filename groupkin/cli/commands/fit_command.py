"""The command ``groupkin fit``."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from groupkin.cli import options
from groupkin.cli.plot_options import picture_option
from groupkin.cli.terminal import notice, print_table, progress

if TYPE_CHECKING:
    from groupkin.synthesis.fit import Fit

NEARLY_SINGULAR = 1e-3
"""Smallest conditioning along the motion of a fitted design that is printed without a warning."""

AT_BOUND = 1e-4
"""Distance from a bound, relative to that of both, within which a parameter is at it."""


@click.command()
@options.file_argument
@click.option("--out", type=options.PATH, help="Write the mechanism that is found to a .toml or .json file.")
@picture_option("Plot targets, before and after.")
@click.option(
    "--log", type=options.PATH, help="A file that keeps what is done, from which a fit that was stopped goes on."
)
@options.json_option
def fit(file: Path, out: Path | None, picture: Path | None, log: Path | None, as_json: bool) -> None:
    """Find the dimensions with which the mechanism of FILE meets its targets.

    FILE names the mechanism, its unknown dimensions and the targets: paths, functions or motions.
    """
    from groupkin.durable_files import check_place
    from groupkin.picture_files import check_file

    if picture is not None:
        check_file(picture)
    if out is not None:
        check_place(out)
    with notice("reading"):
        from groupkin.synthesis.files import read_fit
        from groupkin.synthesis.fit import fit as run

        design, asked, described = read_fit(file, options.files_anywhere())
    with progress(asked["starts"], "searching") as shown, notice("searching"):
        found = run(design, log=log, progress=shown, **asked)
    if out is not None:
        from groupkin.mechanism.files.writing import save

        save(replace(described, mechanism=found.mechanism()), out)
    if picture is not None:
        found.plot(picture)
    _print(found, as_json)
    for path in (out, picture):
        if path is not None:
            click.echo(f"written: {path}", err=True)


def _print(found: Fit, as_json: bool) -> None:
    if as_json:
        data = {
            "error": found.error,
            "evaluations": found.evaluations,
            "parameters": dict(zip(found.design.names, found.values.tolist(), strict=True)),
            "at": found.at.tolist(),
            "misses": {name: miss.tolist() for name, miss in found.misses.items()},
            "searches": [{"error": s.error, "refused": s.refused} for s in found.searches],
        }
        click.echo(json.dumps(data))
        return
    import numpy as np

    from groupkin.kinematics.motion.quantities import quantity
    from groupkin.kinematics.motion.quantities import unit as unit_of_quantity
    from groupkin.mechanism.units import conversion
    from groupkin.synthesis import fit_listing

    design, program = found.design, found.design.program
    units = program.mechanism.units
    print_table(fit_listing.COLUMNS, fit_listing.rows(found), set())
    low, high = found.problem.low, found.problem.high
    room = np.minimum(found.values - low, high - found.values) / (high - low)
    held = [name for name, part in zip(design.names, room.tolist(), strict=True) if part < AT_BOUND]
    if held:
        click.echo(f"at their bounds, beyond which there may be better ones: {', '.join(held)}")
    click.echo()
    for name, miss in found.misses.items():
        factor, symbol = conversion(unit_of_quantity(quantity(name, program), program.mechanism).split(", ")[0], units)
        farthest = factor * float((miss**2).sum(axis=1).max() ** 0.5)
        click.echo(f"{name}: off its {len(miss)} targets by {farthest:.3g} {symbol} at most")
    refused = sum(bool(search.refused) for search in found.searches)
    first = unit_of_quantity(found.problem.quantities[0], program.mechanism).split(", ")[0]
    factor, symbol = conversion(first, units)
    again = found.found_again
    click.echo(
        f"sum of squares {factor**2 * found.error:.6g} {symbol}²; {again} of {len(found.searches)} searches "
        f"end{'s' * (again == 1)} there, {refused} with targets on several branches; "
        f"{found.evaluations} designs solved"
    )
    least = float(found.motion().conditioning.min(initial=1.0))
    if least < NEARLY_SINGULAR:
        click.echo(
            f"On its way it comes near a singular position (conditioning {least:.1g}); state what must not be smaller, "
            "as in least = { conditioning = 0.1 }, for another design."
        )
    for left in found.outside:
        end, worst = left.stop.text(program.mechanism), units.text(left.worst, left.stop.range.unit)
        click.echo(f"It passes {end}, at {worst}; without `ranges = false` designs that do are not allowed.")
    if found.advice:
        click.echo(f"{found.advice[0].upper()}{found.advice[1:]}.")
