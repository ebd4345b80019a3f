"""Commands that solve a mechanism: ``groupkin solve | check | modes``."""

from __future__ import annotations

import json
import math
import sys
import time
import warnings
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click

from groupkin.cli import options
from groupkin.cli.plot_options import check_quantities, draw_plots, picture_option, plot_options, require_together
from groupkin.cli.terminal import notice, print_table, progress
from groupkin.cli.worker_options import Parallel, Workers, check_routes, workers_options
from groupkin.errors import GroupkinWarning, OutputError, SolveError, TimesError
from groupkin.mechanism.units import SI
from groupkin.messages import counted
from groupkin.picture_files import check_file

if TYPE_CHECKING:
    from collections.abc import Callable

    from groupkin.kinematics.motion.motion import Motion
    from groupkin.kinematics.program.program import Program
    from groupkin.structure.decomposition import Structure

LONG = 3.0
"""Time (s) of the first run above which a motion is not solved again: loading kernels is a small part of it."""

SHORT = 0.3
"""Time (s) of the fastest run below which a motion is solved again, up to `RUNS` times."""

RUNS = 3
"""Number of runs after the first one, at most."""


@click.command()
@options.mechanism_argument
@options.times_options
@click.option("--out", type=options.PATH, help="Write the motion to a .nc, .zarr, .csv or .npz file.")
@options.keep_option
@plot_options
@options.drive_option
@options.instead_option
@options.units_option
@options.assemble_option
@click.option(
    "--on-failure",
    type=click.Choice(["raise", "nan"]),
    default="raise",
    show_default=True,
    help="At a step that cannot be solved: stop with an error, or continue with NaN.",
)
@click.option(
    "--on-singular",
    type=click.Choice(["fail", "continue"]),
    default="fail",
    show_default=True,
    help="At a singular position of closed forms: fail, or go straight through where the motion is smooth.",
)
@options.modes_option
@options.solver_option
@options.route_option
@workers_options
@options.json_option
def solve(
    file: Path,
    duration: float | None,
    steps: int | None,
    out: Path | None,
    keep: tuple[str, ...],
    plot: tuple[str, ...],
    against: str | None,
    picture: Path | None,
    drive: tuple[str, ...],
    instead_of: tuple[str, ...],
    units: str | None,
    assemble: bool,
    on_failure: str,
    on_singular: str,
    modes: tuple[str, ...],
    solver: str,
    route: str | None,
    as_json: bool,
    **worker_options: Any,
) -> None:
    """Solve the motion of the mechanism in FILE and report the time per step, of short motions that of the fastest run.

    With --drive it is solved inversely: other freedoms are driven, and the ranges of those that the file drives are
    told. Under mpiexec the ranks share the work, and the first rank writes the result.
    """
    from dataclasses import replace

    from groupkin.kinematics.motion.labeled_arrays import kept
    from groupkin.kinematics.motion.motion_files import check_target, save_or_keep
    from groupkin.transformations.inverse import driven_freedoms

    workers = Workers(**worker_options)
    workers.refuse_alone(route)
    require_together(plot, picture, against=against)
    described = options.read_file(file, units)
    check_quantities(described.mechanism, plot, against)
    asked = driven_freedoms(described.mechanism) if drive and not keep else []
    chosen = kept(keep, described.mechanism) if keep else None
    described = options.redriven(described, file, drive, instead_of)
    if out is not None:
        check_target(out)
    times = options.times_of(described, duration, steps)
    backend = workers.start(described, times) if workers.asked or route is not None else None
    check = partial(check_routes, [route] if route else [])
    program = options.prepared(described, assemble, times, modes, check, solver)
    if on_singular == "continue":
        from groupkin.kinematics.solving.passages import require_closed_forms

        require_closed_forms(program)
    parallel = workers.choose(program, times, route, backend) if backend is not None else None
    if parallel is not None:
        parallel.check(program, on_failure, on_singular)
        parallel.warm_up(program, times)
    if not as_json:
        options.print_structure(_solved_structure(program), times)
        if parallel is not None:
            click.echo(f"\n{parallel.choices.best}, by {parallel.backend.title}")
            if parallel.choices.loss > 1.0:
                click.echo(
                    f"note: {counted(parallel.backend.workers, 'worker')} cannot pay on {counted(len(times), 'step')}: "
                    f"they are predicted to take {parallel.choices.loss:.3g} times as long as one, which is what "
                    "groupkin solve takes without --workers",
                    err=True,
                )
    from groupkin.kinematics.solver import warn_of_ranges

    motion, error, seconds = _solved(program, times, on_failure, on_singular, parallel)
    if motion is not None:  # only the first rank has the result
        data: Literal["file", "SI"] = "file" if units == "file" else "SI"
        motion = replace(motion, keep=chosen)
        if program.mechanism.has_ranges:
            warn_of_ranges(motion)
        if out is not None:  # before anything else, which may fail
            try:
                save_or_keep(motion, out, data)
            except OutputError:
                with suppress(OSError):  # on the same full disk
                    _report(motion, seconds, as_json, {}, error)
                raise
            click.echo(f"written: {out}{options.written_in(described.units, units)}", err=True)
        told = replace(motion, keep=kept(asked, described.mechanism)) if asked else motion
        ranges = _ranges(told, data if as_json else "file") if chosen or asked else {}
        _report(motion, seconds, as_json, ranges, error)
        draw_plots(motion, plot, against, picture)
    if parallel is not None:
        parallel.backend.barrier()
    if error is not None:
        raise error


def _solved(
    program: Program, times: Any, on_failure: str, on_singular: str, parallel: Parallel | None
) -> tuple[Motion | None, SolveError | None, float]:
    """Solve the motion; return it as far as it goes, the error that ended it, and the seconds it took.

    The first run also loads kernels from files and touches memory, so a motion is solved again into the same memory,
    and the seconds are those of the fastest run: once if the first run took less than `LONG`, more often while the
    fastest run took less than `SHORT`.
    """
    from groupkin.kinematics.solving.run import run

    def solve(out: Motion | None, report: Callable[[int, int], None] | None) -> Motion | None:
        if parallel is not None:
            return parallel.solve(program, times, on_failure, on_singular, out, report)
        return run(program, times, on_failure=on_failure, on_singular=on_singular, out=out, progress=report)

    def enough(limit: float) -> bool:  # the ranks of a job must agree on it
        return seconds > limit if parallel is None else parallel.backend.broadcast(lambda: seconds > limit)

    with progress(len(times)) as report:
        start = time.perf_counter()
        try:
            motion = solve(None, report)
        except SolveError as failed:
            return failed.motion, failed, time.perf_counter() - start
        seconds = time.perf_counter() - start
    if parallel is not None and not parallel.reuses:
        return motion, None, seconds
    with warnings.catch_warnings(action="ignore", category=GroupkinWarning):  # the first run has warned
        for repetition in range(RUNS):
            if enough(SHORT if repetition else LONG):
                break
            start = time.perf_counter()
            motion = solve(motion, None)
            seconds = min(seconds, time.perf_counter() - start)
    return motion, None, seconds


@click.command()
@options.mechanism_argument
@options.times_options
@options.pose_options
@options.json_option
def check(
    file: Path, duration: float | None, steps: int | None, assemble: bool, modes: tuple[str, ...], as_json: bool
) -> None:
    """Compare the motion of FILE by structural groups with Newton-Raphson over the whole mechanism.

    Reports the largest differences: of positions relative to the size of the mechanism, of velocities and
    accelerations relative to the largest of the motion. The exit code is 1 if positions differ by more than 1e-9, or
    velocities or accelerations by more than 1e-7.
    """
    described = options.read_file(file)
    times = options.times_of(described, duration, steps)
    program = options.prepared(described, assemble, times, modes)
    from groupkin.kinematics.global_formulation.comparison import compare
    from groupkin.kinematics.solver import solve as run

    with progress(len(times), "solving by groups") as report:
        motion = run(program, times, progress=report)
    with notice(f"solving {counted(len(times), 'step')} by the global formulation"):
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


@click.command("modes")
@options.mechanism_argument
@click.option(
    "--time", "instant", type=float, help="Time in seconds; default: drivers as in the reference configuration."
)
@picture_option("Draw the mechanism in its modes.")
@options.units_option
@options.assemble_option
@options.json_option
def list_modes(
    file: Path, instant: float | None, picture: Path | None, units: str | None, assemble: bool, as_json: bool
) -> None:
    """List the assembly modes of every structural group of FILE, and which of them can be combined."""
    if instant is not None and not math.isfinite(instant):
        raise TimesError(f"the time must be a finite number of seconds, not {instant}")
    described = options.read_file(file, units)
    if picture is not None:
        check_file(picture)
    with notice("searching for assembly modes"):
        from groupkin.kinematics.modes import mode_listing
        from groupkin.kinematics.modes.modes import assembly_modes
        from groupkin.kinematics.solver import program

        built = program(described.mechanism, assemble=assemble)
        found, drawn = assembly_modes(built, instant), 0
        if picture is not None:
            from groupkin.look import mode_pictures

            drawn = mode_pictures.draw(built, found, picture)
    if picture is not None:
        click.echo(f"written: {picture}, {drawn} of {found.count} configurations", err=True)
    if as_json:
        click.echo(json.dumps(mode_listing.as_data(found, described.units if units == "file" else SI)))
        return
    click.echo(mode_listing.title(found) + "\n")
    columns = mode_listing.columns(found)
    print_table(columns, mode_listing.rows(found), {columns[1], *columns[4:]}, wide=True)
    for note in mode_listing.notes(found):
        click.echo(f"note: {note}")


def _solved_structure(program: Program) -> Structure:
    """The structure of a program, each group with the solver that the program uses for it."""
    from dataclasses import replace

    groups = zip(program.structure.groups, program.solvers, strict=True)
    return replace(program.structure, groups=tuple(replace(group, solver=name) for group, name in groups))


def _ranges(motion: Motion, units: Literal["file", "SI"]) -> dict[str, tuple[float, float]]:
    """Return the least and the largest value of all that a motion keeps, by names with units; NaN if none is solved."""
    import numpy as np

    from groupkin.kinematics.motion.labeled_arrays import table

    names, columns = table(motion, units)
    pairs = zip(names[1:], columns[1:], strict=True)  # all but times
    return {name: (float(np.fmin.reduce(x)), float(np.fmax.reduce(x))) for name, x in pairs}


def _report(
    motion: Motion,
    seconds: float,
    as_json: bool,
    ranges: dict[str, tuple[float, float]],
    error: SolveError | None,
) -> None:
    """Print the time per step, the largest residual, what failed and the ranges of what is kept."""
    from dataclasses import asdict

    from groupkin.kinematics.motion.residuals import max_residual
    from groupkin.kinematics.solving import failures, passages
    from groupkin.look.report.subject import FEWEST_TIMED

    steps, solved = motion.times.size, int(motion.solved.sum())
    untried = steps - int(motion.solved.argmin()) - 1 if error is not None else 0
    cost = 1e6 * seconds / steps
    residual = max_residual(motion)
    if as_json:
        found: dict[str, Any] = {
            "steps": steps,
            "solved_steps": solved,
            "steps_not_tried": untried,
            "seconds": seconds,
            "microseconds_per_step": cost,
            "max_residual": residual if solved else None,
            "failures": [asdict(failure) for failure in failures.failures(motion)],
        }
        if motion.passages:
            found["passages"] = [asdict(passage) for passage in motion.passages]
        if ranges:
            found["ranges"] = {name: [x if math.isfinite(x) else None for x in ends] for name, ends in ranges.items()}
        click.echo(json.dumps(found))
        return
    per_step = f": {cost:.3g} µs per step" if steps >= FEWEST_TIMED and not untried else ""
    click.echo(
        f"\n{solved} of {counted(steps, 'step')} solved in {seconds:.3g} s{per_step} "
        "(position, velocity and acceleration of all bodies)"
    )
    if untried:
        click.echo(f"{counted(steps - solved - untried, 'step')} failed, and the {untried} after it were not tried")
    elif solved < steps:
        click.echo(f"{counted(steps - solved, 'step')} failed")
    click.echo(f"largest residual {residual:.1e}; smallest conditioning {_worst(motion)}")
    if motion.program.structure.accepted:
        click.echo(f"note: {motion.program.structure.accepted}")
    for line in failures.described(motion):
        click.echo(f"failed: {line}")
    for line in passages.described(motion):
        click.echo(f"passed: {line}")
    if ranges and solved:
        click.echo()
        rows = [(name, f"{least:.6g}", f"{largest:.6g}") for name, (least, largest) in ranges.items()]
        print_table(("", "least", "largest"), rows, {""})


def _worst(motion: Motion) -> str:
    """The smallest conditioning of a motion, with its group and time."""
    solved = motion.conditioning[:, motion.solved]
    if not solved.size:
        return "unknown"
    group, step = divmod(int(solved.argmin()), solved.shape[1])
    when = motion.times[motion.solved][step]
    return f"{solved[group, step]:.3g} (1 at best), of group {group + 1} at t = {when:.4g} s"
