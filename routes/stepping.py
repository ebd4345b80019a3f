"""Prepare a program to be solved one step at a time."""

from __future__ import annotations

from groupkin.arguments import Count, checked
from groupkin.kinematics.motion.motion import Motion
from groupkin.kinematics.program.program import Program
from routes.diagrams.route import Route
from routes.diagrams.route_tree import tree
from routes.planning.named_routes import decided_route
from routes.running.stepper import Stepper, start_stepper
from routes.timing.strategies import lanes_for


@checked
def stepper(
    program: Program,
    route: str | Route = "sequential",
    workers: Count = 1,
    *,
    start: Motion | None = None,
    work: Count = 1,
) -> Stepper:
    """Prepare a program to be solved step by step, as a controller or a real-time simulator needs it.

    Nothing is allocated, locked or awaited but other workers while a step is solved, without the interpreter's lock.

    Parameters
    ----------
    program : Program
    route : str or Route
        "sequential", "parallel", or stages such as ``1 > (2|3|4)``: which groups workers may solve side by side.
    workers : int
        Threads, this one among them. The others keep a core busy each while they wait for the next step; they pay where
        groups cost microseconds.
    start : Motion, optional
        Of the program: its last solved step is where groups by Newton's method start from. By default the reference
        configuration.
    work : int
        How often each group is solved: a synthetic load.

    Returns
    -------
    Stepper

    Raises
    ------
    RouteError
        If there is no such route, or it does not fit the program.

    Examples
    --------
    >>> import numpy as np
    >>> import groupkin as gk, routes
    >>> joint = gk.Joint("A", "R", ("frame", "crank"), point=(0, 0))
    >>> crank = gk.Mechanism(2, ["frame", "crank"], [joint], [gk.Driver("A", gk.Ramp(1.0))])
    >>> stepper = routes.stepper(gk.program(crank))
    >>> stepper(np.array([0.5]), np.array([1.0]), np.array([0.0]))
    0
    >>> float(stepper.motion.angle("crank")[0])
    0.5
    """
    chosen = decided_route(route, program.structure) or tree(program.structure).sequential
    return start_stepper(program, chosen, lanes_for(program.structure, chosen, workers), start, None, work)
