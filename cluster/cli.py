"""Commands on sweeps: ``groupkin batch | batch-report``."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click
import orjson

from groupkin.cli.options import HINT, anywhere_option, files_anywhere, json_option, units_option
from groupkin.cli.plot_options import picture_option
from groupkin.errors import GroupkinError
from groupkin.messages import counted

if TYPE_CHECKING:
    from cluster.reports.summary import Report
    from cluster.reports.units import Units
    from cluster.stores.chunk_solver import ChunkSolver

FAILURE = 2


@click.command()
@click.argument("sweep", type=click.Path(path_type=Path))
@anywhere_option
@click.option("--out", type=click.Path(path_type=Path), help="Store to write, such as results.zarr.")
@click.option("--resume", is_flag=True, help="Compute what is missing in an existing store.")
@click.option("--workers", type=click.IntRange(min=1), help="Number of processes; default: all cores.")
@click.option("--chunk", type=click.IntRange(min=1), help="Samples per chunk; default: chosen by memory and cost.")
@click.option("--dry-run", is_flag=True, help="Print samples, time and disk space; write nothing.")
def batch(sweep: Path, out: Path | None, resume: bool, workers: int | None, chunk: int | None, dry_run: bool) -> None:
    """Compute all samples of the file SWEEP into a store that survives a crash, with all cores of this machine.

    Under mpiexec all ranks compute: mpiexec -n 64 groupkin batch SWEEP --out results.zarr. After an interruption the
    same command with --resume continues. The store is a Zarr group, which xarray.open_zarr opens.
    """
    from cluster.stores.store import resume_hint
    from cluster.workers.abort import aborting
    from cluster.workers.collectives import broadcast
    from cluster.workers.launchers import communicator
    from routes.running.cores import available_cores

    comm = communicator()
    if comm is not None and workers is not None:
        raise click.UsageError("under mpiexec its ranks are the workers: omit --workers")
    if out is None and not dry_run:
        raise click.UsageError("name the store with --out results.zarr")
    count = comm.size if comm is not None else workers or available_cores()
    click.get_current_context().meta["groupkin.agreed"] = True  # by `broadcast` and the like
    hint = partial(resume_hint, None if dry_run else out)
    try:
        with aborting(comm, hint):
            solver = broadcast(comm, lambda: _read(sweep))
            if dry_run:
                broadcast(comm, lambda: _estimate(solver, out or Path("results.zarr"), resume, count, chunk))
            elif out is not None:
                _run(solver, out, resume, count, chunk, first=comm is None or comm.rank == 0)
    except KeyboardInterrupt:
        click.get_current_context().meta[HINT] = hint()
        raise
    except GroupkinError:
        if comm is not None and comm.rank > 0:
            sys.exit(FAILURE)  # rank 0 prints the message
        raise


def _read(file: Path) -> ChunkSolver:
    from cluster.stores.chunk_solver import ChunkSolver
    from cluster.sweeps.files import read_sweep

    return ChunkSolver(read_sweep(file, files_anywhere()))


def _run(solver: ChunkSolver, out: Path, resume: bool, workers: int, chunk: int | None, first: bool) -> None:
    """Run a batch; the first rank prints what it does."""
    from cluster.stores.progress import format_duration, format_rate, progress_line
    from cluster.stores.running import run_batch

    if first:
        click.echo(f"groupkin: {counted(solver.sweep.samples, 'sample')} on {counted(workers, 'worker')}", err=True)
    with progress_line() as show:
        done = run_batch(solver, out, resume, workers, chunk, show)
    if first:
        rate = f", {format_rate(done.computed / done.seconds)}" if done.computed else ""
        outside = f", {done.outside} outside of ranges" if done.outside else ""
        click.echo(
            f"{out}: {counted(done.samples, 'sample')}, {done.failed} failed{outside}; {done.computed} computed in "
            f"{format_duration(done.seconds)}{rate}"
        )


def _estimate(solver: ChunkSolver, out: Path, resume: bool, workers: int, chunk: int | None) -> None:
    """Print the cost of a batch."""
    from rich.filesize import decimal

    from cluster.stores.estimates import check_space, estimate
    from cluster.stores.progress import format_duration

    cost = estimate(solver, out, workers, chunk, resume=resume)
    click.echo(f"{counted(cost.samples, 'sample')} in {counted(cost.chunks, 'chunk')} of {cost.chunk}")
    if cost.missing < cost.samples:
        click.echo(f"missing in {out}: {counted(cost.missing, 'sample')} in {counted(cost.missing_chunks, 'chunk')}")
    if not cost.missing:
        return
    click.echo(
        f"about {format_duration(cost.seconds(workers))} on {counted(workers, 'worker')}: "
        f"{1e6 * cost.seconds_per_sample:.3g} µs per sample, measured on {cost.measured}; "
        "plus the time of writing and compiling"
    )
    click.echo(f"at most {decimal(cost.bytes)} on disk, before compression; {decimal(cost.free)} are free")
    check_space(out, cost.bytes)


@click.command("batch-report")
@click.argument("store", type=click.Path(path_type=Path))
@click.option(
    "--by",
    metavar="NAME",
    help="List the samples with the least and the largest values of this variable or parameter, or of failed_time, or "
    "outside_time.",
)
@click.option(
    "--top", type=click.IntRange(min=1), default=5, show_default=True, help="Number of samples to list at each end."
)
@click.option(
    "--plot",
    multiple=True,
    metavar="NAME",
    help="Plot only this variable (repeatable); two with one number per sample are also drawn over each other.",
)
@click.option(
    "--scatter", "kind", flag_value="scatter", help="Plot every two of them over each other, parameters and results."
)
@click.option(
    "--parallel", "kind", flag_value="parallel", help="Plot samples as lines over parallel axes, colored by --by."
)
@picture_option("Plot what was kept.")
@click.option("--sensitivity", is_flag=True, help="Sobol indices: shares of variances that parameters have.")
@click.option("--out", type=click.Path(path_type=Path), help="Write the report as a page, .html.")
@json_option
@units_option
def batch_report(
    store: Path,
    by: str | None,
    top: int,
    plot: tuple[str, ...],
    kind: str | None,
    picture: Path | None,
    sensitivity: bool,
    out: Path | None,
    as_json: bool,
    units: str | None,
) -> None:
    """Report on a STORE: which samples failed and why, the ranges of what was kept, and the extreme samples."""
    from cluster.reports.summary import converted, report
    from cluster.reports.units import SI

    if (plot or kind) and picture is None:
        option = "--plot names" if plot else f"--{kind} says"
        raise click.UsageError(f"{option} what to draw: add --picture picture.svg")
    if picture is not None:
        from groupkin.picture_files import check_file

        check_file(picture)
    if out is not None:
        from groupkin.look.report.report import check_report

        check_report(out)
    result = report(store, by, top, sensitivity)
    if as_json:
        data = converted(result, result.mechanism_units) if units == "file" else result
        click.echo(orjson.dumps(data))  # null for numbers that JSON does not have
    shown = SI if units == "SI" else result.mechanism_units
    if not as_json:
        _print(converted(result, shown))
    if picture is not None:
        _draw(store, picture, kind, by, plot, shown)
    if out is not None:
        from cluster.reports.page import write_page

        write_page(converted(result, shown), store, out, shown)
        click.echo(f"written: {out}", err=True)


def _draw(store: Path, file: Path, kind: str | None, by: str | None, variables: tuple[str, ...], units: Units) -> None:
    if kind is not None:
        from cluster.reports.sample_plots import colored_by, plot_parallel, plot_scatter

        if kind == "scatter":
            plot_scatter(store, variables, file, units)
        else:
            plot_parallel(store, variables, colored_by(by), file, units)
        click.echo(f"written: {file}", err=True)
        return
    from cluster.reports.pictures import draw

    picture = draw(store, file, by, variables, units)
    click.echo(f"written: {file}, {', '.join(picture.drawn)}", err=True)
    if picture.left_out:
        click.echo(f"left out, add them with --plot: {', '.join(picture.left_out)}", err=True)


def _print(result: Report) -> None:
    """Print a report as tables."""
    from cluster.reports import tables
    from groupkin.cli.terminal import print_table

    click.echo(f"{result.title}: {tables.summary(result)}\n")
    if result.failures:
        print_table(tables.FAILURES, tables.failure_rows(result), {"group"})
        click.echo()
    if result.outside:
        print_table(tables.OUTSIDE_OF, tables.outside_rows(result), set())
        click.echo()
    _print_parts(*tables.range_table(result))
    for line in tables.remarks(result):
        click.echo(line)
    if result.sensitivities:
        click.echo()
        _print_parts(*tables.sensitivity_table(result))
    for title, heading, rows in tables.sample_tables(result):
        click.echo()
        _print_parts([heading[0], title, *heading[2:]], rows)


def _print_parts(heading: Sequence[str], rows: Sequence[tuple[str, ...]]) -> None:
    """Print a table, in a narrow terminal as several, so that no number is cut."""
    from groupkin.cli.terminal import console, print_table

    widths = [2 + max(map(len, column)) for column in zip(heading, *rows, strict=True)]
    for k, part in enumerate(split_columns(widths, console(wide=True).width)):
        if k:
            click.echo()
        print_table([heading[i] for i in part], [tuple(row[i] for i in part) for row in rows], set(heading), wide=True)


def split_columns(widths: Sequence[int], width: int) -> list[list[int]]:
    """Distribute columns over tables of a given width, all of which begin with the first column.

    Examples
    --------
    >>> split_columns([10, 5, 5, 5, 30, 5], 20)
    [[0, 1, 2], [0, 3], [0, 4], [0, 5]]
    """
    tables = [[0]]
    for k in range(1, len(widths)):
        if len(tables[-1]) > 1 and sum(widths[i] for i in tables[-1]) + widths[k] > width:
            tables.append([0])
        tables[-1].append(k)
    return tables
