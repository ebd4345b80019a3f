"""Forces of a motion that several workers solve: they carry the loads back through its groups as well."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Any

from numpy.typing import ArrayLike

from groupkin.arguments import Count, checked
from groupkin.dynamics.reactions.carrier import first_map
from groupkin.dynamics.reactions.forces import Forces
from groupkin.dynamics.reactions.inverse_dynamics import Wanted, forces_of
from groupkin.dynamics.reactions.inverse_dynamics import inverse_dynamics as plain
from groupkin.dynamics.reactions.reaction_map import ReactionMap, reaction_map
from groupkin.kinematics.motion.motion import Motion
from groupkin.kinematics.program.program import Program
from groupkin.kinematics.solver import program_and_times
from groupkin.kinematics.solving.run import check_times
from groupkin.mechanism.files.reading import MechanismFile
from groupkin.mechanism.mechanism import Mechanism
from routes.choosing import choose_route
from routes.chosen import Choices, executed, solution
from routes.diagrams.route import Route
from routes.planning.named_routes import decided_route
from routes.running.backends import Backend, backend_of
from routes.running.execution import carried_of, execute, prepare_way_back
from routes.running.runs import Run
from sglibrary.array_types import Array


@checked
def inverse_dynamics(
    mechanism: Mechanism | MechanismFile | Program,
    times: ArrayLike | None = None,
    actuators: Sequence[str] | None = None,
    *,
    velocities: bool = True,
    keep: Sequence[str] | None = None,
    loads: ArrayLike | None = None,
    weights: Sequence[float] | None = None,
    length: float | None = None,
    route: str | Route = "best",
    workers: int | Backend = 1,
    split: str | None = None,
    block: Count | None = None,
    cache: str | Path | bool | None = True,
) -> Forces | None:
    """Solve a motion and compute the forces that it needs, by a route on several workers.

    Loads are carried back through the groups in reverse, by the workers that have solved them: in each block as soon as
    it is solved where masses and gravity are all that acts, else when the motion is solved and the forces of the
    mechanism are evaluated, which one process does. All bits are those of `groupkin.inverse_dynamics`; with one worker
    this is that function.

    Parameters
    ----------
    mechanism, times
        As in `groupkin.solve`.
    actuators, velocities, keep, loads, weights, length
        As in `groupkin.inverse_dynamics`.
    route, workers, split, block, cache
        As in `routes.solve`.

    Returns
    -------
    Forces or None
        None on all ranks but the first.

    Raises
    ------
    RouteError
        If the route does not fit the mechanism, or the split does not fit the workers.
    GroupkinError
        As `groupkin.inverse_dynamics`, on all ranks.
    """
    program, given = program_and_times(mechanism, times)
    backend, t = backend_of(workers), check_times(given)
    asked = Wanted(actuators, velocities, keep, loads, weights, length)
    if backend.workers == len(backend.local) == 1 and block is None and split in (None, "time"):
        decided_route(route, program.structure)  # which one worker takes is all the same
        return plain(program, t, **asked._asdict())
    with backend.alone():
        first = first_pass(program, asked)
        backward = None if first is None else first.backward
        choices = choose_route(
            program, t, backend, route=route, split=split, block=block, cache=cache, backward=backward
        )
        return forces_chosen(program, t, asked, choices, backend)


def first_pass(program: Program, asked: Wanted) -> ReactionMap | None:
    """The map that workers can apply in each block as soon as it is solved; None if there is none.

    Raises
    ------
    UnknownNameError, ArgumentError, LoadError
        If what is asked for does not exist.
    """
    joints, freedoms = asked.joints(program.mechanism), asked.freedoms(program)
    if program.mechanism.forces or asked.loads is not None:
        return None
    return first_map(program, joints, freedoms, asked.velocities)


def forces_chosen(program: Program, times: Array, asked: Wanted, choices: Choices, backend: Backend) -> Forces | None:
    """Compute the forces of a motion by the best of several strategies; None on all ranks but the first."""
    first = first_pass(program, asked)
    run = executed(program, times, choices, backend, backward=None if first is None else first.backward)
    motion = solution(run)
    if backend.local.start:
        _follow(run)
        return None
    assert motion is not None
    return _lead(run, first, motion, asked)


def _lead(run: Run, first: ReactionMap | None, motion: Motion, asked: Wanted) -> Forces:
    """Compute forces, and let all workers run the passes that are needed."""
    backend, waiting = run.backend, first
    failed = False

    def run_pass(found: ReactionMap, motion: Motion, given: Array, results: Array) -> None:
        nonlocal waiting, failed
        if found is waiting and not given.size:  # it has been run in each block
            waiting = None
            backend.broadcast(lambda: ())
            carried_of(run, results)
            return
        waiting = None
        backend.broadcast(lambda: (found.made_of, given))
        try:
            _carried(run, found, given, results)
        except BaseException:
            failed = True
            raise

    try:
        forces = forces_of(motion, asked, runner=run_pass)
    except Exception as error:
        if not failed:  # else the others know
            backend.broadcast(partial(_raise, error))
        raise
    backend.broadcast(lambda: None)
    return forces


def _raise(error: Exception) -> None:
    raise error


def _follow(run: Run) -> None:
    """Run the passes that the first rank says."""
    order: tuple[Any, ...] | None
    while (order := run.backend.broadcast(lambda: None)) is not None:
        if order:
            made_of, given = order
            _carried(run, reaction_map(run.program, *made_of), given, None)
        else:
            carried_of(run)


def _carried(run: Run, found: ReactionMap, given: Array, results: Array | None) -> None:
    """Run a pass along a motion that is solved; all workers do."""
    back = prepare_way_back(run, found.backward, given)
    execute(back)
    carried_of(back, results)
