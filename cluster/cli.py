"""Commands on sweeps: ``groupkin batch | batch-report``."""

from __future__ import annotations

import json
import math
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from groupkin.errors import GroupkinError, OutputError
from groupkin.mechanism.pairs import counted

if TYPE_CHECKING:
    from cluster.reporting import Report
    from cluster.sweeps import Sweep

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
    from cluster import work
    from cluster.ending import ASKED, INTERRUPTED, KEPT, Terminated, aborting, terminable
    from cluster.launchers import communicator

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

    from cluster.files import read_sweep

    return replace(read_sweep(file))  # without its program, which cannot be pickled


def _run(described: Sweep, out: Path, resume: bool, workers: int, chunk: int | None) -> None:
    from cluster.launchers import communicator
    from cluster.progress import duration, per_second, shown
    from cluster.running import batch as run

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
    from cluster.estimates import check_room, estimate
    from cluster.progress import amount, duration

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
@click.option("--by", metavar="NAME", help="List the samples with the least and the largest of this.")
@click.option("--top", type=click.IntRange(min=1), default=5, show_default=True, help="How many of them.")
@click.option("--plot", type=click.Path(path_type=Path), help="Draw distributions: .svg, .png, .pdf.")
@click.option("--json", "as_json", is_flag=True, help="Print data instead of text.")
def batch_report(store: Path, by: str | None, top: int, plot: Path | None, as_json: bool) -> None:
    """Say of a STORE which samples failed and why, what ranges was kept, and which samples are at its ends."""
    from cluster.reporting import check_picture, draw, report

    if plot is not None:
        check_picture(plot)
        if not plot.absolute().parent.is_dir():
            raise OutputError(f"{plot}: the folder {plot.parent} does not exist; create it first")
    found = report(store, by, top)
    if as_json:
        click.echo(json.dumps(_finite(asdict(found))))
    else:
        _print(found)
    if plot is not None:
        click.echo(f"written: {plot}, {counted(draw(store, plot, by), 'distribution')}", err=True)


def _print(found: Report) -> None:
    from groupkin.terminal import print_table

    missing = f", {found.samples - found.done} not computed yet" if found.done < found.samples else ""
    click.echo(f"{found.title}: {counted(found.samples, 'sample')}{missing}, {found.failed} failed\n")
    if found.failures:
        reasons = [
            (str(one.samples), f"{one.group} ({one.bodies})", one.status, f"{one.earliest:.4g} s", str(one.first))
            for one in found.failures
        ]
        print_table(("failed", "group", "reason", "earliest", "first sample"), reasons, {"group"})
        click.echo()
    rows = [
        (one.name, one.units, *(_number(x) for x in (one.least, one.mean, one.largest)), str(one.known))
        for one in found.ranges
    ]
    print_table(("", "unit", "least", "mean", "largest", "known"), rows, {""})
    for total in found.totals:
        click.echo(f"{total.name}: {total.seen} of {counted(total.cells, 'cell')} not empty, {total.sum} in all")
    for title, samples in ((f"least {found.by}", found.lowest), (f"largest {found.by}", found.highest)):
        if samples:
            names = list(samples[0].parameters)
            click.echo()
            listed = [(str(one.sample), _number(one.value), *map(_number, one.parameters.values())) for one in samples]
            print_table(("sample", title, *names), listed, {title, *names})


def _number(value: float) -> str:
    return f"{value:.6g}" if math.isfinite(value) else "–"


def _finite(data: Any) -> Any:
    """Data without numbers that JSON does not have."""
    if isinstance(data, dict):
        return {key: _finite(value) for key, value in data.items()}
    if isinstance(data, list | tuple):
        return [_finite(value) for value in data]
    return None if isinstance(data, float) and not math.isfinite(data) else data
