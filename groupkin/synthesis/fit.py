"""Fits: the dimensions with which a mechanism meets targets of path, function or motion generation."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from groupkin.arguments import Count, Natural, checked, tried_first
from groupkin.errors import FitError, GroupkinError
from groupkin.kinematics.design.design import Design
from groupkin.kinematics.design.solve_one import solve_one
from groupkin.kinematics.motion.motion import Inputs, Motion
from groupkin.kinematics.motion.quantities import unit
from groupkin.kinematics.motion.ranges import Outside, outside
from groupkin.mechanism.mechanism import Mechanism
from groupkin.messages import counted
from groupkin.showing import InNotebooks, renderer
from groupkin.synthesis.edge import along_edge, inside
from groupkin.synthesis.first_fit import compile_ahead
from groupkin.synthesis.least_squares_search import refined
from groupkin.synthesis.problem import DENSE, Problem, off
from groupkin.synthesis.progress_log import SearchLog
from groupkin.synthesis.search_starts import ROUNDS, starts_of
from groupkin.synthesis.statement import stated
from groupkin.tolerances import BETTER, EXACT_FIT, ON_RANGE
from sglibrary.array_types import Array

if TYPE_CHECKING:
    from matplotlib.figure import Figure


MOST_STEPS, MOST_STARTS = 500, 1024
"""Last steps of one search, and searches."""

AT_EDGE = 4
"""Best searches that go along the edge of what is allowed, where they end there."""

SAME = 1.01
"""Factor of the least error up to which searches have found the same design."""


@dataclass(frozen=True, eq=False)
class Search:
    """One search, from one start.

    Attributes
    ----------
    values : (parameters,) array
    at : (n,) array
        Values of the driver at the targets.
    error : float
        Sum of squared weighted misses.
    refused : str
        Why the design is none, such as an assembly mode that does not last; empty if it is one.
    """

    values: Array
    at: Array
    error: float
    refused: str = ""


@dataclass(frozen=True, eq=False)
class Fit(InNotebooks):
    """The best design of several searches.

    Attributes
    ----------
    design : Design
        As it was given.
    values : (parameters,) array
        In the order of `design.names`.
    at : (n,) array
        Values of the driver at the targets.
    error : float
        Sum of squared weighted misses, in the units of the first quantity, m² or rad².
    misses : dict of str to (n, k) array
        What the quantities are off the targets; angles by half a turn at most.
    searches : tuple of Search
        All of them, in the order of their starts.
    evaluations, differentiated : int
        Designs that were solved, and those whose derivatives by all unknowns were computed as well.
    """

    problem: Problem
    values: Array
    at: Array
    error: float
    misses: dict[str, Array]
    searches: tuple[Search, ...]
    evaluations: int
    differentiated: int

    def __repr__(self) -> str:
        tried = counted(len(self.searches), "search", "searches")
        mechanism = self.design.program.mechanism
        each = unit(self.problem.quantities[0], mechanism).split(", ")[0]
        advice = f"; {self.advice}" if self.advice else ""
        return f"<Fit of {mechanism.name}: error {self.error:.6g} {each}², the best of {tried}{advice}>"

    @property
    def found_again(self) -> int:
        """Number of searches that have found the best design."""
        errors = [search.error for search in self.searches if not search.refused]
        return sum(error <= SAME * self.error + 1e-30 for error in errors)

    @property
    def advice(self) -> str:
        """Say that more starts may find a better design; empty if half of the searches agree or the targets are met."""
        weighted = zip(self.problem.targets, self.problem.weights, strict=True)
        whole = sum(float(((weight * target) ** 2).sum()) for target, weight in weighted)
        if 2 * self.found_again >= len(self.searches) or self.error <= EXACT_FIT * whole:
            return ""
        return (
            f"{self.found_again} of {counted(len(self.searches), 'search', 'searches')} found this design and the "
            "others ended elsewhere, so that more `starts` may find a better one"
        )

    @property
    def design(self) -> Design:
        return self.problem.given

    def mechanism(self) -> Mechanism:
        """Make the mechanism that was found, with the laws that it was given, which can be saved, drawn and solved.

        Raises
        ------
        NotAssembledError
        """
        return self.design.mechanism(self.values)

    @property
    def outside(self) -> tuple[Outside, ...]:
        """Ends of ranges that the design passes, as only one that was found without regard to them does.

        Times are values of the driver.
        """
        return _left(self.problem, self.values, self.at)

    def motion(self, steps: Count = DENSE) -> Motion:
        """Solve the design at values of its driver; there are no times, and velocities are per rad or m of it."""
        motion = _along(self.problem, self.values, self.at, steps)
        values = np.array([driver.law.at(motion.times) for driver in self.problem.design.program.drivers])
        return replace(motion, times=np.arange(float(steps)), inputs=Inputs(values, True), memory=None)

    def plot(self, out: str | Path | None = None, width: float = 86.0) -> Figure:
        """Plot the targets, and what the nominal design and the one that was found do; see `groupkin.plot_fit`."""
        return renderer("Fit.plot")(self, out, width)


def _fit_of_file(*args: Any, **options: Any) -> Fit | None:
    """Fit as the file of a path says; other arguments go before what the file says."""
    given = dict(zip(("design", "targets", "at"), args, strict=False)) | options
    path = given.pop("design", None)
    if not isinstance(path, str | Path):
        return None
    from groupkin.synthesis.files import read_fit

    design, stated, _ = read_fit(path)
    return fit(design, **stated | given)


@tried_first(_fit_of_file)
@checked
def fit(
    design: Design,
    targets: Mapping[str, ArrayLike],
    at: ArrayLike | None = None,
    *,
    shifted: bool = False,
    driver: str | None = None,
    span: tuple[float, float] | None = None,
    bounds: Mapping[str, tuple[float, float]] | None = None,
    least: Mapping[str, float] | None = None,
    ranges: bool = True,
    full_turn: bool = False,
    length: float | None = None,
    starts: Count = 16,
    seed: Natural = 0,
    log: str | Path | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> Fit:
    """Find the dimensions with which outputs of a mechanism meet targets, by least squares from several starts.

    Designs that cannot be assembled all the way between the targets, in the assembly modes of the design, are not
    allowed, so that what is found meets all targets on one branch. Neither are those that leave a range of the
    mechanism on the way.

    Parameters
    ----------
    design : Design
        Its parameters are the unknowns. Or the path of a fit file, which has all other arguments as well; those that
        are given go before them.
    targets : mapping of str to array_like
        For each quantity, such as ``position P`` or ``angle coupler``, its values at n points: (n,) or (n, k), m or
        rad. Quantities must follow from positions.
    at : (n,) array_like, optional
        Values of the driver at the points, m or rad. Default: unknown, the points being met in order, by a driver that
        goes one way.
    shifted : bool
        Whether a number that is added to all of `at` is unknown.
    driver : str, optional
        The driver that moves, such as ``crank`` or ``pose.x``, all others being held in the reference configuration;
        needed where there are several.
    span : (float, float), optional
        Least and largest value of the driver where `at` is unknown; default: its range, or a turn, from anywhere.
    bounds : mapping of str to (float, float), optional
        Of parameters, m or rad. Default: lengths from a third to three times the nominal one, coordinates of points
        within the size of the mechanism around theirs, components of axes within 0.5.
    least : mapping of str to float, optional
        Quantities that must not be smaller on the way, such as ``{"transmission_angle B-C-D": 0.5}``.
    ranges : bool
        Whether ranges of the mechanism are kept; their ends may follow from named values that are unknowns.
    full_turn : bool
        Whether the driver must be able to turn fully; with a `span`, to go all over it.
    length : float, optional
        m, by which angles are multiplied to compare them with lengths; needed where both are targets.
    starts : int
        Number of searches, from the best of 65,536 designs of a quasi-random sequence, of 512 where groups are
        solved by iteration.
    seed : int
    log : str or Path, optional
        A file that keeps what is done, from which a fit that was stopped goes on.
    progress : callable, optional
        Called with the number of parts of the work that are done, and of all: rounds by which starts are chosen,
        searches, and what follows them.

    Returns
    -------
    Fit

    Raises
    ------
    FitError
        If targets, bounds or timing do not fit the design, no design is allowed, or none that is found stays on one
        branch.
    ParameterError, QuantityError, UnknownNameError

    Examples
    --------
    >>> import groupkin as gk
    >>> joints = [gk.Joint("A", "R", ("frame", "crank"), point=(0, 0))]
    >>> crank = gk.Mechanism(
    ...     2, ["frame", gk.Body("crank", points={"P": (1, 0)})], joints, [gk.Driver("A", gk.Ramp(1.0))]
    ... )
    >>> wanted = {"position P": [(0.6, 0.8), (-0.8, 0.6)]}
    >>> found = gk.fit(gk.design(crank, ["P"]), wanted, at=[0.0, 1.5707963267948966], starts=2)
    >>> found.values.round(6) + 0.0
    array([0.6, 0.8])
    """
    if starts > MOST_STARTS:
        raise FitError(f"starts is at most {MOST_STARTS}, not {starts}")
    compile_ahead()
    problem = stated(design, targets, at, shifted, driver, span, bounds, least, ranges, full_turn, length)
    kept = SearchLog.of(None if log is None else Path(log), problem, (starts, seed))
    parts = iter(range(1, len(ROUNDS) + starts + 2))

    def told() -> None:
        if progress is not None:
            progress(next(parts), len(ROUNDS) + starts + 1)

    pool = starts_of(problem, starts, seed, kept, told)
    if not pool.directions.size:
        raise _not_allowed(problem, seed)
    searches = [Search(*each) for each in kept.done]
    for number, (unknowns, direction) in enumerate(zip(pool.unknowns, pool.directions, strict=True)):
        if number >= len(searches):
            searches.append(searched(problem, unknowns, float(direction)))
            kept.add(searches[-1])
        told()
    searches = _along_edge(problem, searches, pool.directions)
    told()
    return _best(problem, searches)


def _not_allowed(problem: Problem, seed: int) -> FitError:
    """Make the error for a fit of which no design is allowed; it names a range that is left where that is why."""
    limited = "".join(f", with `{each}` from {x:g} on" for each, x in problem.least)
    if problem.ranges:
        limited += " within its ranges"
        freed = replace(problem, ranges=())
        pool = starts_of(freed, 1, seed, SearchLog(None, None, []), lambda: None)
        for x, direction in zip(pool.unknowns, pool.directions, strict=True):
            values, at = x[: problem.low.size], problem.driven(x, float(direction))
            limited += f" (the best one without them {_passed(problem, values, at)})"
    return FitError(
        f"none of the designs within the bounds can be assembled on the way that the driver has to go{limited}; widen "
        f"the bounds{' or ranges' * bool(problem.ranges)}, or start from a mechanism that can"
    )


def searched(problem: Problem, unknowns: Array, direction: float) -> Search:
    """Search from one start, and examine what is found."""
    way, dense = np.array([direction]), problem.dense
    found, error = refined(dense, inside(dense, unknowns[None], way), way, MOST_STEPS, BETTER, bent=True)
    if not np.isfinite(error[0]):  # it may come back to what is allowed at all values of the driver
        found, _ = refined(problem, unknowns[None], way, MOST_STEPS, BETTER, bent=True)
        found, error = refined(dense, inside(dense, found, way), way, MOST_STEPS, BETTER, bent=True)
    return _examined(problem, found[0], direction, float(error[0]))


def _examined(problem: Problem, unknowns: Array, direction: float, error: float) -> Search:
    values, at = unknowns[: problem.low.size], problem.driven(unknowns, direction)
    refused = _refused(problem, values, at) if np.isfinite(error) or problem.ranges else ""
    if not np.isfinite(error):
        refused = refused or "it cannot be assembled on the way between the targets"
    return Search(values, at, error, refused)


def _along_edge(problem: Problem, searches: list[Search], directions: Array) -> list[Search]:
    """Make the best searches better that end where designs stop being allowed, along this edge."""
    found, order = list(searches), sorted(range(len(searches)), key=lambda k: searches[k].error)
    chosen = [k for k in order if not searches[k].refused][:AT_EDGE]
    if not chosen:
        return found
    unknowns = np.array([problem.unknowns(searches[k].values, searches[k].at) for k in chosen])
    moved, errors = along_edge(problem.dense, unknowns, directions[chosen])
    for k, x, error in zip(chosen, moved, errors.tolist(), strict=True):
        if error < searches[k].error:
            better = _examined(problem, x, float(directions[k]), error)
            found[k] = searches[k] if better.refused else better
    return found


def _refused(problem: Problem, values: Array, at: Array) -> str:
    """Say why a design is none on the way of its driver, at many values of it; empty if it is one."""
    try:
        passed = _passed(problem, values, at)
    except GroupkinError as error:
        return str(error)
    return f"it {passed}" if passed else ""


def _along(problem: Problem, values: Array, at: Array, steps: int) -> Motion:
    """Solve a design at values of its driver, which are its times."""
    path, design = problem.path(at), problem.design
    return solve_one(design.program, design.parameters, values, np.linspace(path[0], path[-1], steps))


def _left(problem: Problem, values: Array, at: Array) -> tuple[Outside, ...]:
    """List the ends of ranges that a design passes by more than the search allows, which knows the nominal size."""
    size = problem.design.program.geometry.size
    found = outside(_along(problem, values, at, DENSE))
    return tuple(x for x in found if abs(x.worst - x.stop.value) > ON_RANGE * x.stop.range.scale(size))


def _passed(problem: Problem, values: Array, at: Array) -> str:
    """Say which ends of ranges that are to be kept a design passes, with the values farthest beyond; empty if none."""
    mechanism, kept = problem.design.program.mechanism, [each.quantity for each in problem.ranges]
    left = [each for each in _left(problem, values, at) if each.stop.range.quantity in kept]
    say = mechanism.units.text
    ends = (f"{x.stop.text(mechanism)}, at {say(x.worst, x.stop.range.unit)}" for x in left)
    return f"passes {' and '.join(ends)}" if left else ""


def _best(problem: Problem, searches: list[Search]) -> Fit:
    allowed = [search for search in searches if not search.refused]
    if not allowed:
        nearest = min(searches, key=lambda search: search.error)
        raise FitError(
            f"none of {counted(len(searches), 'design')} that were found meets the targets on one branch: "
            f"{nearest.refused}; try more starts, other bounds, or another assembly mode"
        )
    best = min(allowed, key=lambda search: search.error)
    values = problem.read(best.values[None], best.at)
    each = zip(problem.quantities, values, problem.targets, problem.angles, strict=True)
    misses = {str(quantity): off(x[0], target, angle) for quantity, x, target, angle in each}
    return Fit(
        problem,
        best.values,
        best.at,
        best.error,
        misses,
        tuple(searches),
        problem.evaluated[0],
        problem.differentiated[0],
    )
