"""Commands on sweeps: ``groupkin batch | batch-report``."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from groupkin.errors import GroupkinError, OutputError
from groupkin.mechanism.pairs import counted

if TYPE_CHECKING:
    from cluster.reports.statistics import Range
    from cluster.reports.summary import Report
    from cluster.reports.units import Units
    from cluster.sweeps.description import Sweep

FAILURE = 2


@click.command()
@click.argument("sweep", type=click.Path(path_type=Path))
@click.option("--out", type=click.Path(path_type=Path), help="The store, such as results.zarr.")
@click.option("--resume", is_flag=True, help="Compute what is missing in a store that exists.")
@click.option("--workers", type=click.IntRange(min=1), help="Processes; default: as many as there are cores.")
@click.option("--chunk", type=click.IntRange(min=1), help="Samples in a chunk; default: as memory and cost suggest.")
@click.option("--dry-run", is_flag=True, help="Say how many samples, how long and how much disk; write nothing.")
def batch(sweep: Path, out: Path | None, resume: bool, workers: int | None, chunk: int | None, dry_run: bool) -> None:
    """Compute all samples of the file SWEEP into a store that survives a crash, with all cores of this machine.

    Under mpiexec, with all its ranks: mpiexec -n 64 groupkin batch SWEEP --out results.zarr. What was killed is
    continued by the same command with --resume. The store is a Zarr group; xarray.open_zarr opens it.
    """
    from cluster.workers import work
    from cluster.workers.abort import ASKED, INTERRUPTED, KEPT, Terminated, aborting, terminable
    from cluster.workers.launchers import communicator

    comm = communicator()
    if comm is not None and workers is not None:
        raise click.UsageError("under mpiexec its ranks are the workers: leave out --workers")
    if out is None and not dry_run:
        raise click.UsageError("say where the results go with --out results.zarr")
    count = comm.size if comm is not None else workers or work.cores()
    click.get_current_context().meta["groupkin.agreed"] = True  # by the functions of `work`
    try:
        with terminable(), aborting(comm):
            described = work.once(comm, lambda: _read(sweep))
            if dry_run:
                work.once(comm, lambda: _estimate(described, out or Path("results.zarr"), resume, count, chunk))
            elif out is not None:
                _run(described, out, resume, count, chunk)
    except KeyboardInterrupt as error:
        asked = isinstance(error, Terminated)
        click.echo(f"groupkin: {error if asked else 'interrupted'}; {KEPT}", err=True)
        sys.exit(ASKED if asked else INTERRUPTED)
    except GroupkinError:
        if comm is not None and comm.rank > 0:
            sys.exit(FAILURE)  # rank 0 says why
        raise


def _read(file: Path) -> Sweep:
    from dataclasses import replace

    from cluster.sweeps.files import read_sweep

    return replace(read_sweep(file))  # without its program, which cannot be pickled


def _run(described: Sweep, out: Path, resume: bool, workers: int, chunk: int | None) -> None:
    from cluster.stores.progress import duration, per_second, shown
    from cluster.stores.running import batch as run
    from cluster.workers.launchers import communicator

    comm = communicator()
    if comm is None or comm.rank == 0:
        click.echo(f"groupkin: {counted(described.samples, 'sample')} on {counted(workers, 'worker')}", err=True)
    done = run(described, out, resume=resume, workers=workers, chunk=chunk, watch=shown)
    if comm is None or comm.rank == 0:
        rate = f", {per_second(done.computed / done.seconds)}" if done.computed else ""
        click.echo(
            f"{out}: {counted(done.samples, 'sample')}, {done.failed} failed; {done.computed} computed in "
            f"{duration(done.seconds)}{rate}"
        )


def _estimate(described: Sweep, out: Path, resume: bool, workers: int, chunk: int | None) -> None:
    from cluster.stores.estimates import check_room, estimate
    from cluster.stores.progress import amount, duration

    found = estimate(described, out, workers, chunk, resume=resume)
    click.echo(f"{counted(found.samples, 'sample')} in {counted(found.chunks, 'chunk')} of {found.chunk}")
    if found.missing < found.samples:
        click.echo(f"missing in {out}: {counted(found.missing, 'sample')} in {counted(found.missing_chunks, 'chunk')}")
    if not found.missing:
        return
    click.echo(
        f"about {duration(found.seconds(workers))} on {counted(workers, 'worker')}: "
        f"{1e6 * found.seconds_per_sample:.3g} µs per sample, measured on {found.measured}; "
        "writing and compiling come on top"
    )
    click.echo(f"at most {amount(found.bytes)} on disk, before compression; {amount(found.free)} are free")
    check_room(out, found.bytes)


@click.command("batch-report")
@click.argument("store", type=click.Path(path_type=Path))
@click.option(
    "--by",
    metavar="NAME",
    help="List the samples with the least and the largest of this: a number or parameter, failed_time.",
)
@click.option("--top", type=click.IntRange(min=1), default=5, show_default=True, help="How many of them.")
@click.option("--plot", type=click.Path(path_type=Path), help="Draw distributions: .svg, .png, .pdf.")
@click.option(
    "--variable",
    "variables",
    multiple=True,
    metavar="NAME",
    help="Draw this, in place of what comes first; of two numbers also samples by how they ended.",
)
@click.option("--json", "as_json", is_flag=True, help="Print data, in meters and radians, instead of text.")
@click.option("--si", is_flag=True, help="Meters and radians instead of the units of the mechanism's file.")
def batch_report(
    store: Path, by: str | None, top: int, plot: Path | None, variables: tuple[str, ...], as_json: bool, si: bool
) -> None:
    """Say of a STORE which samples failed and why, the ranges of what was kept, and which samples are at its ends."""
    from cluster.reports.pictures import check_picture
    from cluster.reports.summary import converted, report
    from cluster.reports.units import SI

    if variables and plot is None:
        raise click.UsageError("--variable says what to draw: add --plot picture.svg")
    if plot is not None:
        check_picture(plot)
        if not plot.absolute().parent.is_dir():
            raise OutputError(f"{plot}: the folder {plot.parent} does not exist; create it first")
    found = report(store, by, top)
    units = SI if si else found.mechanism_units
    if as_json:
        click.echo(json.dumps(_finite(asdict(found))))
    else:
        _print(converted(found, units))
    if plot is not None:
        _draw(store, plot, by, variables, units)


def _draw(store: Path, file: Path, by: str | None, variables: tuple[str, ...], units: Units) -> None:
    from cluster.reports.pictures import draw

    picture = draw(store, file, by, variables, units)
    click.echo(f"written: {file}, {', '.join(picture.drawn)}", err=True)
    if picture.left_out:
        click.echo(f"left out, draw them with --variable: {', '.join(picture.left_out)}", err=True)


def _print(found: Report) -> None:
    from cluster.reports.columns import FAILED_TIME
    from cluster.reports.units import titled
    from groupkin.cli.terminal import print_table

    missing = f", {found.samples - found.done} not computed yet" if found.done < found.samples else ""
    click.echo(f"{found.title}: {counted(found.samples, 'sample')}{missing}, {found.failed} failed\n")
    if found.failures:
        reasons = [
            (
                str(one.samples),
                f"{one.group} ({one.bodies})" if one.group else "none",
                one.status,
                f"{_number(one.earliest)} s",
                str(one.first),
            )
            for one in found.failures
        ]
        print_table(("failed", "group", "reason", "earliest", "first sample"), reasons, {"group"})
        click.echo()
    names = {one.name: titled(one.name, one.units) for one in found.ranges} | {FAILED_TIME: f"{FAILED_TIME} [s]"}
    rows = [
        (names[one.name], *(_number(value) for value in _statistics(one).values()), str(one.known))
        for one in found.ranges
    ]
    heading = ("", *(_statistics(found.ranges[0]) if found.ranges else ()), "known")
    _print_parts(heading, rows)
    for one in found.ranges:
        if one.sampled < one.known:
            click.echo(f"quantiles of {one.name} are those of {one.sampled} of its numbers, drawn at random")
    for total in found.totals:
        click.echo(f"{total.name}: {total.seen} of {counted(total.cells, 'cell')} not empty, {total.sum} in all")
    for end, samples in (("least", found.lowest), ("largest", found.highest)):
        if samples and found.by:
            others = [name for name in samples[0].parameters if name != found.by]
            heading = ("sample", f"{end} {names[found.by]}", *(names[name] for name in others))
            listed = [
                (str(one.sample), _number(one.value), *(_number(one.parameters[name]) for name in others))
                for one in samples
            ]
            click.echo()
            _print_parts(heading, listed)


def _print_parts(heading: Sequence[str], rows: Sequence[tuple[str, ...]]) -> None:
    """A table; in a narrow terminal several, so that no number is cut."""
    from groupkin.cli.terminal import console, print_table

    widths = [2 + max(map(len, column)) for column in zip(heading, *rows, strict=True)]
    for k, part in enumerate(parts(widths, console(wide=True).width)):
        if k:
            click.echo()
        print_table([heading[i] for i in part], [tuple(row[i] for i in part) for row in rows], set(heading), wide=True)


def parts(widths: Sequence[int], width: int) -> list[list[int]]:
    """Columns of tables that are so wide at most, all of which begin with the first column and have another one.

    Examples
    --------
    >>> parts([10, 5, 5, 5, 30, 5], 20)
    [[0, 1, 2], [0, 3], [0, 4], [0, 5]]
    """
    found = [[0]]
    for k in range(1, len(widths)):
        if len(found[-1]) > 1 and sum(widths[i] for i in found[-1]) + widths[k] > width:
            found.append([0])
        found[-1].append(k)
    return found


def _statistics(one: Range) -> dict[str, float]:
    """What is printed of a range."""
    return {
        "least": one.least,
        **one.quantiles,
        "largest": one.largest,
        "mean": one.mean,
        "deviation": one.deviation,
    }


def _number(value: float) -> str:
    return f"{value:.6g}" if math.isfinite(value) else "–"


def _finite(data: Any) -> Any:
    """Data without numbers that JSON does not have."""
    if isinstance(data, dict):
        return {key: _finite(value) for key, value in data.items()}
    if isinstance(data, list | tuple):
        return [_finite(value) for value in data]
    return None if isinstance(data, float) and not math.isfinite(data) else data
