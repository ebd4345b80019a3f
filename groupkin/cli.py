"""The command line: ``groupkin analyze | solve | check | modes | library | schema``, and those of other modules.

What is slow to import is imported where it is used, so that help and refusals come at once. Every `GroupkinError`
becomes one readable message and exit code 2; results go to standard output, all else to standard error.
"""

from __future__ import annotations

import io
import json
import math
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

import click

from groupkin.cli_structure import generate, transform
from groupkin.cli_workers import Parallel, Workers, end_job, workers_options
from groupkin.errors import GroupkinError, GroupkinWarning, MechanismError, ModeError, SolveError, TimesError
from groupkin.mechanism.pairs import counted
from groupkin.terminal import print_table

if TYPE_CHECKING:
    from groupkin.kinematics.motion import Motion
    from groupkin.kinematics.program import Program
    from groupkin.mechanism.files import MechanismFile
    from groupkin.structure.decomposition import Structure

FAILURE = 2
NO_CACHE = "no locator available"
"""What numba says if neither the installation nor the home can be written."""

FILE = "groupkin.file"
"""Key under which the name of the file is kept that messages on its content begin with."""

MEASURED = (
    "ns per step: position, velocity and acceleration, a block of 512 steps in cache, the fastest of 100; Newton's "
    "method on a plane triad (6R2D)"
)
"""What the costs in the catalog are."""

AGREED = "groupkin.agreed"
"""Key that says that all ranks of an MPI job end by themselves, with the same error."""

NOTICE_AFTER = 2.0
"""Seconds of preparation after which the user is told what takes so long."""

ELSEWHERE = {
    "batch": "cluster.cli",
    "batch-report": "cluster.cli",
    "routes": "routes.cli",
    "tune": "routes.cli",
}
"""Commands of the packages above, and the modules that are imported when one is asked for."""

file_argument = click.argument("file", type=click.Path(path_type=Path))
json_option = click.option("--json", "as_json", is_flag=True, help="Print data instead of text.")
assemble_option = click.option("--assemble", is_flag=True, help="Close a reference configuration that has gaps.")
modes_option = click.option(
    "--modes", multiple=True, metavar="BODY=N", help="Assembly mode of a body's group, or of a group by its number."
)
route_option = click.option(
    "--route", help="best, sequential, parallel, unstaged, or stages such as '1 > (2|3) > 4'; see groupkin routes."
)
duration_option = click.option("--duration", type=float, help="Seconds; default: what the file says, or 1.")
steps_option = click.option(
    "--steps", type=int, help="Number of times, both ends counted; default: the file's, or 1001."
)


class _Group(click.Group):
    """Turns the project's own errors, and those of the machine, into a message and an exit code."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted([*super().list_commands(ctx), *ELSEWHERE])

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in ELSEWHERE:
            return super().get_command(ctx, cmd_name)
        found: click.Command = getattr(import_module(ELSEWHERE[cmd_name]), cmd_name.replace("-", "_"))
        return found

    def invoke(self, ctx: click.Context) -> Any:
        if isinstance(sys.stdout, io.TextIOWrapper):
            sys.stdout.reconfigure(errors="replace")  # a terminal that knows no µ gets a question mark
        try:
            with _shown_warnings():
                return super().invoke(ctx)
        except MechanismError as error:
            message = f"{ctx.meta[FILE]}: {error}" if FILE in ctx.meta else str(error)
        except GroupkinError as error:
            message = str(error)
        except MemoryError:
            message = "there is not enough memory for the motion; take fewer steps"
        except RuntimeError as error:
            if NO_CACHE not in str(error):
                raise
            message = "compiled kernels cannot be kept anywhere: set NUMBA_CACHE_DIR to a folder that can be written"
        if AGREED not in ctx.meta:
            end_job(message)
        click.echo(f"groupkin: {message}", err=True)
        raise click.exceptions.Exit(FAILURE)


@click.group(cls=_Group, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="groupkin")
def main() -> None:
    """Kinematics of mechanisms by structural groups."""


@main.command()
@file_argument
@json_option
@click.option("--matrix", is_flag=True, help="Add the matrix Results_SA of Celdran et al. (2022).")
def analyze(file: Path, as_json: bool, matrix: bool) -> None:
    """Decompose the mechanism of FILE into structural groups, in solving order."""
    from groupkin.analysis import analyze as run
    from groupkin.structure import tables

    structure = run(_read(file).mechanism)
    if as_json:
        click.echo(json.dumps(tables.as_data(structure, matrix), indent=1))
        return
    _print_structure(structure)
    _print_joints(structure)
    if matrix:
        click.echo(tables.matrix_text(structure))


@main.command()
@file_argument
@duration_option
@steps_option
@click.option("--out", type=click.Path(path_type=Path), help="Write the motion to a .nc, .zarr, .csv or .npz file.")
@assemble_option
@click.option(
    "--on-failure",
    type=click.Choice(["raise", "nan"]),
    default="raise",
    show_default=True,
    help="Stop at the first step that cannot be solved, or go on with NaN.",
)
@modes_option
@route_option
@workers_options
@json_option
def solve(
    file: Path,
    duration: float | None,
    steps: int | None,
    out: Path | None,
    assemble: bool,
    on_failure: str,
    modes: tuple[str, ...],
    route: str | None,
    as_json: bool,
    **given: Any,
) -> None:
    """Solve the motion of the mechanism of FILE and say what each step costs.

    Under mpiexec the ranks share the work, and the first one writes the result.
    """
    from groupkin.kinematics.output import check_target

    workers = Workers(**given)
    described = _read(file)
    if out is not None:
        check_target(out)
    times = _times(described, duration, steps)
    from groupkin.kinematics.elimination import with_elimination

    program = with_elimination(_prepare(described, assemble, times, _modes(modes)), workers.linear)
    parallel = workers.choose(program, times, route) if workers.asked or route is not None else None
    if not as_json:
        _print_structure(_solved_structure(program))
        if parallel is not None:
            click.echo(parallel.title)
    motion, error, seconds = _solved(program, times, on_failure, parallel)
    if motion is not None:  # this process has the result
        _report(motion, seconds, as_json)
        if out is not None:
            motion.save(out)
            click.echo(f"written: {out}", err=True)
    if parallel is not None:
        parallel.backend.meet()
    if error is not None:
        raise error


def _solved(
    program: Program, times: Any, on_failure: str, parallel: Parallel | None
) -> tuple[Motion | None, SolveError | None, float]:
    """The motion as far as it goes, why it goes no further, and how long it took."""
    from groupkin.kinematics.solver import allocate
    from groupkin.kinematics.solver import solve as run

    error: SolveError | None = None
    motion: Motion | None
    # first: what the pages of the result cost is not the solver's
    memory = allocate(program, times) if parallel is None else None
    with _progress(len(times)) as report:
        start = time.perf_counter()
        try:
            if parallel is not None:
                motion = parallel.solve(on_failure)
            else:
                motion = run(program, times, on_failure=on_failure, out=memory, progress=report)
        except SolveError as failed:
            motion, error = failed.motion, failed
        return motion, error, time.perf_counter() - start


@main.command()
@file_argument
@duration_option
@steps_option
@assemble_option
@modes_option
@json_option
def check(
    file: Path, duration: float | None, steps: int | None, assemble: bool, modes: tuple[str, ...], as_json: bool
) -> None:
    """Solve FILE by groups and by Newton-Raphson over the whole mechanism, and report the largest differences.

    Positions are relative to the mechanism's size, velocities and accelerations to the largest of the motion. The
    exit code is 1 if they differ by more than 1e-9 (positions) or 1e-7.
    """
    described = _read(file)
    times = _times(described, duration, steps)
    program = _prepare(described, assemble, times, _modes(modes))
    from groupkin.kinematics.check import compare
    from groupkin.kinematics.solver import solve as run

    motion = run(program, times)
    with _notice("compiling the global formulation (first use; cached afterwards)"):
        found = compare(motion)
    if as_json:
        keys = ("position", "velocity", "acceleration")
        click.echo(json.dumps({key: getattr(found, key) for key in keys}))
    else:
        click.echo(
            f"{described.mechanism.name}: groups against the global formulation at {counted(found.steps, 'step')}"
        )
        for key in ("position", "velocity", "acceleration"):
            click.echo(f"  {key:<13} {getattr(found, key):.1e}")
        click.echo("  they agree" if found.agree else "  they DIFFER")
    if not found.agree:
        sys.exit(1)


@main.command("modes")
@file_argument
@click.option("--time", "instant", type=float, help="Seconds; default: the drivers of the reference configuration.")
@click.option("--draw", type=click.Path(path_type=Path), help="Draw a plane mechanism in its modes: .svg, .png, .pdf.")
@assemble_option
@json_option
def list_modes(file: Path, instant: float | None, draw: Path | None, assemble: bool, as_json: bool) -> None:
    """List the assembly modes of every structural group of FILE, and which of them go together."""
    if instant is not None and not math.isfinite(instant):
        raise TimesError(f"the time must be a finite number of seconds, not {instant}")
    described = _read(file)
    with _notice("looking for assembly modes, and compiling kernels at first use"):
        from groupkin.kinematics import drawing, listing
        from groupkin.kinematics.modes import assembly_modes
        from groupkin.kinematics.solver import program

        built = program(described.mechanism, assemble=assemble)
        if draw is not None:
            drawing.check_picture(built, draw)
        found = assembly_modes(built, instant)
        drawn = drawing.draw(built, found, draw) if draw is not None else 0
    if draw is not None:
        click.echo(f"written: {draw}, {drawn} of {found.count} configurations", err=True)
    if as_json:
        click.echo(json.dumps(listing.as_data(found)))
        return
    click.echo(listing.title(found) + "\n")
    print_table(listing.COLUMNS, listing.rows(found), set(listing.COLUMNS[1:2]) | set(listing.COLUMNS[4:]), wide=True)
    for note in listing.notes(found):
        click.echo(f"note: {note}")


@main.command()
@click.option("--measure", is_flag=True, help="Measure what a step costs on this machine; takes seconds.")
@json_option
def library(measure: bool, as_json: bool) -> None:
    """List the kinds of structural groups that have a closed form, and what solves all others."""
    from dataclasses import asdict

    from groupkin.kinematics.catalog import catalog

    with _progress(1, "measuring") as report:
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


@main.command()
def schema() -> None:
    """Print the JSON Schema of mechanism files, for editors."""
    from groupkin.mechanism.files import json_schema

    click.echo(json.dumps(json_schema(), indent=1))


main.add_command(generate)
main.add_command(transform)


def _read(file: Path) -> MechanismFile:
    from groupkin.mechanism.files import read

    described = read(file)
    click.get_current_context().meta[FILE] = file.name
    return described


def _times(described: MechanismFile, duration: float | None, steps: int | None) -> Any:
    from dataclasses import replace

    settings = described.motion
    if duration is not None:
        if not (math.isfinite(duration) and duration > 0):
            raise TimesError(f"--duration must be a positive number of seconds, not {duration:g}")
        settings = replace(settings, duration=duration)
    if steps is not None:
        if steps < 1:
            raise TimesError(f"--steps must be at least 1, which is the first time alone, not {steps}")
        settings = replace(settings, steps=steps)
    try:
        return settings.times
    except (OverflowError, ValueError):
        raise TimesError(f"{settings.steps} steps are too many") from None


def _modes(given: tuple[str, ...]) -> dict[str | int, int]:
    """Assembly modes from the command line."""
    found: dict[str | int, int] = {}
    for item in given:
        name, _, number = item.rpartition("=")
        if not name or not number.isdecimal():
            raise ModeError(f"--modes takes BODY=NUMBER or GROUP=NUMBER, as in --modes rocker=2, not {item!r}")
        found[name] = int(number)
    return found


def _prepare(
    described: MechanismFile, assemble: bool, times: Any, modes: Mapping[str | int, int] | None = None
) -> Program:
    """The program of a mechanism, its kernels compiled or loaded."""
    with _notice("compiling kernels (first use of these groups; cached afterwards)"):
        from groupkin.kinematics.solver import program, warm_up

        built = program(described.mechanism, assemble=assemble, modes=modes)
        warm_up(built, times)
    return built


def _solved_structure(program: Program) -> Structure:
    from dataclasses import replace

    groups = zip(program.structure.groups, program.solvers, strict=True)
    return replace(program.structure, groups=tuple(replace(group, solver=name) for group, name in groups))


def _print_structure(structure: Structure, columns: tuple[str, ...] | None = None) -> None:
    """A line on the whole, a table of the groups, and what there is to note on them."""
    from groupkin.structure import tables

    chosen = [k for k, name in enumerate(tables.COLUMNS) if columns is None or name in columns]
    cells = [tuple(row[k] for k in chosen) for row in tables.rows(structure)]
    click.echo(tables.summary(structure) + "\n")
    print_table([tables.COLUMNS[k] for k in chosen], cells, {"bodies", "after"})
    for found in structure.redundancies:
        click.echo(f"note: {found.text}")
    for group in structure.groups:
        for note in group.notes:
            click.echo(f"note: group {group.number} ({', '.join(group.bodies)}) {note}")


def _print_joints(structure: Structure) -> None:
    """A table of the joints of every group."""
    from groupkin.structure import tables

    click.echo()
    print_table(tables.JOINT_COLUMNS, tables.joint_rows(structure), set(tables.JOINT_COLUMNS[1:]))
    click.echo(tables.LEGEND)


def _report(motion: Motion, seconds: float, as_json: bool) -> None:
    from dataclasses import asdict

    from groupkin.kinematics import failures
    from groupkin.kinematics.check import max_residual

    steps, solved = motion.times.size, int(motion.solved.sum())
    cost = 1e6 * seconds / steps
    residual = max_residual(motion)
    if as_json:
        found = {
            "steps": steps,
            "solved_steps": solved,
            "seconds": seconds,
            "microseconds_per_step": cost,
            "max_residual": residual if solved else None,
            "failures": [asdict(failure) for failure in failures.failures(motion)],
        }
        click.echo(json.dumps(found))
        return
    click.echo(
        f"\n{solved} of {counted(steps, 'step')} solved in {seconds:.3g} s: {cost:.3g} µs per step "
        "(position, velocity and acceleration of all bodies)"
    )
    click.echo(f"largest residual {residual:.1e}; smallest conditioning {_worst(motion)}")
    for line in failures.described(motion):
        click.echo(f"failed: {line}")


def _worst(motion: Motion) -> str:
    solved = motion.conditioning[:, motion.solved]
    if not solved.size:
        return "unknown"
    group, step = divmod(int(solved.argmin()), solved.shape[1])
    when = motion.times[motion.solved][step]
    return f"{solved[group, step]:.3g} (1 at best), of group {group + 1} at t = {when:.4g} s"


@contextmanager
def _shown_warnings() -> Iterator[None]:
    """Warnings of the project are messages, without the line of source that Python would add."""
    others = warnings.showwarning

    def show(
        message: Warning | str,
        category: type[Warning],
        filename: str,
        lineno: int,
        file: TextIO | None = None,
        line: str | None = None,
    ) -> None:
        if issubclass(category, GroupkinWarning):
            click.echo(f"groupkin: warning: {message}", err=True)
        else:
            others(message, category, filename, lineno, file, line)

    with warnings.catch_warnings():
        warnings.simplefilter("always", GroupkinWarning)
        warnings.showwarning = show
        yield


@contextmanager
def _notice(message: str) -> Iterator[None]:
    """Say what takes so long, if it does."""
    timer = threading.Timer(NOTICE_AFTER, lambda: click.echo(f"groupkin: {message} …", err=True))
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()


@contextmanager
def _progress(total: int, doing: str = "solving") -> Iterator[Callable[[int, int], None] | None]:
    """A progress bar on a terminal; nothing in a pipe."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(doing, total=total)
        yield lambda done, all_of_them: bar.update(task, completed=done, total=all_of_them)


if __name__ == "__main__":
    main(prog_name="groupkin")
