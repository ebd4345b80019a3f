"""Solve a mechanism by the best route, or by a chosen one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from numpy.typing import ArrayLike

from groupkin.arguments import Count, checked
from groupkin.kinematics.modes.modes import Choice
from groupkin.kinematics.motion.labeled_arrays import kept
from groupkin.kinematics.motion.motion import Motion
from groupkin.kinematics.motion.quantities import Quantity
from groupkin.kinematics.program.once_per_program import once_per_program
from groupkin.kinematics.program.program import Program
from groupkin.kinematics.solver import program_and_times
from groupkin.kinematics.solving.run import check_times
from groupkin.mechanism.files.reading import MechanismFile
from groupkin.mechanism.mechanism import Mechanism
from routes.choosing import choose_route, require_same
from routes.chosen import Asked, Choices, solve_chosen
from routes.diagrams.route import Route
from routes.running.backends import Backend, backend_of
from routes.timing.plain_costs import like
from sglibrary.array_types import Array


@checked
def solve(
    mechanism: Mechanism | MechanismFile | Program,
    times: ArrayLike | None = None,
    *,
    route: str | Route = "best",
    workers: int | Backend = 1,
    split: str | None = None,
    block: Count | None = None,
    on_failure: str = "raise",
    on_singular: str = "fail",
    out: Motion | None = None,
    assemble: bool = False,
    modes: Choice | None = None,
    solver: str | None = None,
    keep: Sequence[str | Quantity] | None = None,
    progress: Callable[[int, int], None] | None = None,
    work: Count = 1,
    cache: str | Path | bool | None = True,
) -> Motion | None:
    """Solve for position, velocity and acceleration of every body, by a route on several workers.

    With one worker this is `groupkin.solve`; workers that share time share its loop over the steps.

    Parameters
    ----------
    mechanism, times
        As in `groupkin.solve`.
    route : str or Route
        "best", "sequential", "parallel" (every group as early as possible), "unstaged" (every group as soon as the
        groups it depends on are solved), or stages such as ``1 > (2|3|4)``.
    workers : int, or Backend
        Number of threads, or what `routes.threads(n)` or `cluster.ranks()` give; with ranks, every rank calls this
        function with the same arguments.
    split : {"groups", "time", "hybrid"}, optional
        Workers solve different groups of a block, different blocks, or pairs of them different blocks. By default, the
        split that should be fastest with this route.
    block : int, optional
        Steps per block; 1: step by step, each starting from the one before it. By default, what should be fastest.
    on_failure, on_singular, assemble, modes, solver, keep, progress
        As in `groupkin.solve`; workers that share groups report no progress.
    out : Motion, optional
        A motion of the same program and number of steps, whose memory is used again: what this function has returned,
        with ranks on each of them.
    work : int
        How often each group is solved: a synthetic load.
    cache : bool, str or Path
        The file that keeps measured costs; True: one in the user's cache directory; False: none.

    Returns
    -------
    Motion or None
        None on all ranks but the first.

    Raises
    ------
    RouteError
        If the route does not fit the mechanism, or the split does not fit the workers.
    GroupkinError
        As `groupkin.solve`; ``error.motion`` is None on all ranks but the first.

    Notes
    -----
    Python threads that call this function with the same workers take turns; give each its own.
    """
    backend = backend_of(workers)
    program, given = program_and_times(mechanism, times, assemble=assemble, modes=modes, solver=solver)
    t = check_times(given)
    kept_ones = program.keep if keep is None else kept(keep, program)
    asked = Asked(on_failure, on_singular, out, kept_ones, progress)
    with backend.alone():
        choices = _chosen(program, t, backend, Ways(route, split, block, cache, work))
        return solve_chosen(program, t, choices, backend, asked, work)


class Ways(NamedTuple):
    """Arguments of `choose_route`."""

    route: str | Route
    split: str | None
    block: int | None
    cache: str | Path | bool | None
    work: int


@once_per_program
def _choices(program: Program) -> dict[tuple[Any, ...], Choices]:
    """Keep the choices for motions of a program, by what they depend on."""
    return {}


def _chosen(program: Program, times: Array, backend: Backend, ways: Ways) -> Choices:
    """`choose_route`, once for motions alike of a program, unless nothing is to be kept."""
    if not ways.cache:
        return choose_route(program, times, backend, **ways._asdict())
    known, key = _choices(program), (backend.name, backend.workers, like(times.size), ways)
    if key not in known:
        known[key] = choose_route(program, times, backend, **ways._asdict())
    else:
        require_same(program, times, backend, ways)
    return known[key]
