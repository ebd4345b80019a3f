"""The workers of a command: one thread, several, or the ranks of an MPI job.

With `groupkin.cli.main` and `groupkin.cli.commands.reference_commands` this is the only module of the package that
imports `routes` and `cluster`, and it does so only when a command needs them.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import click

from groupkin.cli.terminal import notice
from groupkin.errors import WorkError

if TYPE_CHECKING:
    from groupkin.dynamics.reactions.forces import Forces
    from groupkin.kinematics.motion.motion import Motion
    from groupkin.kinematics.program.program import Program
    from groupkin.mechanism.files.reading import MechanismFile
    from groupkin.structure.decomposition import Structure
    from routes.chosen import Choices
    from routes.running.backends import Backend

F = TypeVar("F", bound=Callable[..., Any])

WARM_UP = 15
"""Steps that are solved before the clock starts; with fewer no singular positions would be looked for between them."""

SPLITS = ("groups", "time", "hybrid")

SHARED = ("batch", "forces", "routes", "solve")
"""Commands whose work ranks share."""


def workers_options(command: F) -> F:
    """Add the options of `Workers` to a command."""
    for option in (
        click.option("--no-cache", is_flag=True, help="Measure all costs again, and do not store them."),
        click.option("--no-window", is_flag=True, help="Let ranks send messages even where they could share memory."),
        click.option(
            "--block",
            type=click.IntRange(min=1),
            help="Number of steps that pass through all groups together; 1: step by step.",
        ),
        click.option(
            "--split", type=click.Choice(SPLITS), help="Workers share the groups, the steps, or in teams of two both."
        ),
        click.option(
            "--backend",
            type=click.Choice(["serial", "threads", "mpi"]),
            help="Kind of workers; default: ranks under mpiexec, otherwise threads.",
        ),
        click.option(
            "--workers", type=click.IntRange(min=1), help="Number of threads or ranks; default: all available."
        ),
    ):
        command = option(command)
    return command


@dataclass(frozen=True)
class Workers:
    """The options on workers and on how they share the work; None where an option is not used."""

    workers: int | None
    backend: str | None
    split: str | None
    block: int | None
    no_window: bool
    no_cache: bool

    @property
    def asked(self) -> bool:
        """Whether several workers, or a way to share the work, were requested."""
        return any((self.workers, self.backend, self.split, self.block, self.no_window, launched()))

    def refuse_alone(self, route: str | None = None) -> None:
        """Refuse --no-cache where nothing measures costs: one thread without a route."""
        if self.no_cache and not self.asked and route is None:
            raise click.UsageError("--no-cache belongs to --workers, --backend, --split, --block or --route")

    def start(self, described: MechanismFile, times: Any) -> Backend:
        """Choose the workers; refuse ranks that have read different files."""
        backend = chosen_backend(self.backend, self.workers, self.no_window)
        backend.require_same({"mechanism file": described.text.encode(), "times": times.tobytes()})
        return backend

    def choose(self, program: Program, times: Any, route: str | None, backend: Backend) -> Parallel:
        """Choose the route: the requested one, or else the best."""
        from routes.choosing import choose_route

        route, cache = route or "best", not self.no_cache
        choices = choose_route(program, times, backend, route=route, split=self.split, block=self.block, cache=cache)
        return Parallel(backend, choices)

    def forces(self, program: Program, times: Any, route: str | None, backend: Backend, **asked: Any) -> Forces | None:
        """Compute forces by the requested route, or else the best; None on all ranks but the first."""
        from routes.inverse_dynamics import inverse_dynamics

        ways = {"workers": backend, "split": self.split, "block": self.block, "cache": not self.no_cache}
        return inverse_dynamics(program, times, **asked, route=route or "best", **ways)  # type: ignore[arg-type]


def check_routes(routes: Sequence[str], structure: Structure) -> None:
    """Refuse routes that do not exist, or do not fit the structure, before anything is compiled."""
    if routes:
        from routes.planning.named_routes import decided_route

        for route in routes:
            decided_route(route, structure)


class Parallel(NamedTuple):
    """The workers and the route to solve a program with."""

    backend: Backend
    choices: Choices

    @property
    def reuses(self) -> bool:
        """Whether a motion can be solved again in the same memory: not where processes share groups."""
        return self.choices.best.plain or len(self.backend.local) == self.backend.workers

    def check(self, program: Program, on_failure: str, on_singular: str) -> None:
        """Refuse what the chosen way to share the work does not do."""
        from routes.chosen import check_asked

        check_asked(program, self.choices, on_failure, on_singular)

    def warm_up(self, program: Program, times: Any) -> None:
        """Compile what workers run, or load it from the cache, on some steps, so that solving does not wait for it."""
        with notice("loading what the workers run"):
            self.solve(program, times[:WARM_UP], "nan")

    def solve(
        self,
        program: Program,
        times: Any,
        on_failure: str,
        on_singular: str = "fail",
        out: Motion | None = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> Motion | None:
        from routes.chosen import Asked, solve_chosen

        asked = Asked(on_failure, on_singular, out, program.keep, progress)
        return solve_chosen(program, times, self.choices, self.backend, asked)


def launched() -> bool:
    """Whether this process is one of an MPI job."""
    from cluster.workers.launchers import launched

    return launched()


def chosen_backend(name: str | None, workers: int | None, no_window: bool) -> Backend:
    """The requested backend; in an MPI job all ranks but the first stop printing."""
    name = name or ("mpi" if launched() else "serial" if workers == 1 else "threads")
    if name != "mpi":
        if no_window:
            raise click.UsageError("--no-window is for the ranks of an MPI job")
        from routes.running.backends import serial, threads

        if name == "serial" and workers not in (None, 1):
            raise click.UsageError(f"--backend serial is one worker, not {workers}; take --backend threads")
        return serial() if name == "serial" else threads(workers)
    from cluster.workers.mpi_backend import ranks

    backend = ranks(window=not no_window)
    if workers not in (None, backend.workers):
        raise click.UsageError(
            f"there are {backend.workers} ranks, not {workers}; start them with mpiexec -n {workers}"
        )
    if backend.local.start:
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123, SIM115  # until the process ends
    return backend


# --- ends ------------------------------------------------------------------------------------


def join_job(arguments: Sequence[str]) -> None:
    """Start MPI in a job of several ranks, as only then one that fails can end the others, and compare their commands.

    Raises
    ------
    WorkError
        On all ranks, if only some of them share their work, or share that of another command.
    """
    if not launched():
        return
    from cluster.workers.collectives import require_same
    from cluster.workers.launchers import communicator

    try:
        comm = communicator()
    except WorkError:
        return  # commands that need ranks say why there are none
    if comm is not None and comm.size > 1:
        alone = (arguments[:1] and arguments[0] not in SHARED) or {"serial", "threads"} & set(arguments)
        require_same(comm, {"command": b"" if alone else "\0".join(arguments).encode()})


def end_job(error: object, code: int = 2) -> None:
    """Print the error and end the MPI job, if this process is one of its ranks: the others would wait forever."""
    if launched() and "mpi4py.MPI" in sys.modules:
        from cluster.workers.abort import end_job

        end_job(error, code)


def ending(error: BaseException, hint: str = "") -> tuple[str, int]:
    """Return what to print about an error that ends the command, and the exit code."""
    from cluster.workers.abort import ending

    return ending(error, hint)


def terminable() -> AbstractContextManager[None]:
    """Let SIGTERM interrupt a command, as Ctrl-C does."""
    from cluster.workers.abort import terminable

    return terminable()
