"""Dimensional synthesis of a four-bar: five paths, and a function generator, each by one call of `groupkin.fit`.

Sum of squared misses, time of the whole call, designs that were solved, and those that were differentiated. With
`--compare` the best of differential evolution with the same unknowns, bounds and limits stands beside it, which solves
some times as many designs and is polished by the least squares of the fit.

    python benchmarks/synthesis.py [--compare] [--only ellipse]

Points are those of Kunjur and Krishnamurty (1997), Cabrera, Simon and Prado (2002), and Acharyya and Mandal (2009).
"""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

import click
import numpy as np
from numpy.typing import NDArray
from scipy.optimize import differential_evolution

import groupkin as gk
from groupkin.synthesis.fit import Fit, searched
from groupkin.synthesis.least_squares_search import squared
from groupkin.synthesis.problem import Problem
from groupkin.synthesis.search_starts import nearest

Array = NDArray[np.float64]

GRID, POPULATION, POLISHED = 72, 512, 16
"""Of differential evolution: values of the driver at which designs are solved, designs of a generation, and designs of
the last one that are polished."""

PATH = ("A@frame", "D@frame", "length crank A-B", "length coupler B-C", "length rocker C-D", "P@coupler")
"""Unknowns of a path: the frame's place and angle by two points, three lengths, the point of the coupler."""


@dataclass(frozen=True)
class Task:
    """One problem: targets, values of the driver in degrees (none: free, in order), size of the linkage.

    Where `shifted`, a number that is added to all values of the driver is unknown. Otherwise they are the angles of the
    crank from the line of the frame, A to D.
    """

    target: str
    values: Array
    at: Array | None
    size: float
    shifted: bool = False
    parameters: tuple[str, ...] = PATH
    full_turn: bool = True


def path(points: str, size: float, at: Array | None = None, shifted: bool = False) -> Task:
    """Read a path as it is printed; lengths are at most `size`."""
    return Task("position P", np.array(points.split(), float).reshape(-1, 2), at, size, shifted)


def generator(count: int = 10, drive: float = 60.0, output: float = 90.0) -> Task:
    """Ask for log10 x, 1 ≤ x ≤ 10, as the angle of the rocker; both dials turn freely on their shafts."""
    x = np.linspace(1.0, 10.0, count)
    unknowns = ("length crank A-B", "length coupler B-C", "C@rocker")
    return Task("angle rocker", np.radians(output) * np.log10(x), drive * (x - 1.0) / 9.0, 1.0, True, unknowns, False)


TASKS = {
    "vertical line": path("20 20  20 25  20 30  20 35  20 40  20 45", 60.0),
    "five points": path("3 3  2.759 3.363  2.372 3.663  1.890 3.862  1.355 3.943", 50.0, np.arange(30.0, 91.0, 15.0)),
    "half circle": path(
        "0 0  1.9098 5.8779  6.9098 9.5106  13.09 9.5106  18.09 5.8779  20 0",
        50.0,
        np.array([30.0, 60.0, 90.0, 120.0, 150.0, 180.0]),
    ),
    "ellipse": path(
        "20 10  17.66 15.142  11.736 17.878  5 16.928  0.60307 12.736  0.60307 7.2638  5 3.0718  11.736 2.1215 "
        "17.66 4.8577  20 10",
        80.0,
    ),
    "leaf": path(
        "0.5 1.1  0.4 1.1  0.3 1.1  0.2 1.0  0.1 0.9  0.005 0.75  0.02 0.6  0 0.5  0 0.4  0.03 0.3  0.1 0.25 "
        "0.15 0.2  0.2 0.3  0.3 0.4  0.4 0.5  0.5 0.7  0.6 0.9  0.6 1.0",
        5.0,
        20.0 * np.arange(18.0),
        shifted=True,
    ),
    "log10 x": generator(),
}


def linkage(size: float, line: bool = False) -> gk.Mechanism:
    """A crank-rocker of about this size; its crank is turned from the frame, or from the line of the pins A and D.

    The line is a body, with a pin at A and a slot for that at D.
    """
    at = {"A": (0.0, 0.0), "B": (0.3, 0.0), "C": (0.9, 0.8), "D": (1.0, 0.0), "P": (0.6, 0.6)}
    joints = [
        gk.Joint("A", "R", ("line" if line else "frame", "crank"), point="A"),
        gk.Joint("B", "R", ("crank", "coupler"), point="B"),
        gk.Joint("C", "R", ("coupler", "rocker"), point="C"),
        gk.Joint("D", "R", ("rocker", "frame"), point="D"),
    ]
    bodies: list[gk.Body | str] = [
        gk.Body("frame", points=("A", "D")),
        "crank",
        gk.Body("coupler", points=("B", "C", "P")),
        "rocker",
    ]
    if line:
        bodies.append("line")
        joints.append(gk.Joint("pin of the line", "R", ("frame", "line"), point="A"))
        joints.append(gk.Joint("slot of the line", "CR", ("line", "frame"), point="D", axis=(1.0, 0.0)))
    points = {name: (size * x, size * y) for name, (x, y) in at.items()}
    return gk.Mechanism(2, bodies, joints, [gk.Driver("A", gk.Ramp(1.0))], points=points, name="four-bar")


def bounds(task: Task) -> dict[str, tuple[float, float]]:
    """Lengths from a hundredth of the size, coordinates of points within it."""
    lengths, points = (0.01 * task.size, task.size), (-task.size, task.size)
    if task.target.startswith("angle"):
        lengths, points = (0.05 * task.size, 5.0 * task.size), (-5.0 * task.size, 5.0 * task.size)
    return {name: lengths if name.startswith("length") else points for name in task.parameters}


def fitted(task: Task, starts: int, seed: int) -> Fit:
    """Fit the linkage to a task."""
    measured = task.at is not None and not task.shifted
    mechanism = linkage(0.3 * task.size if task.full_turn else task.size, measured)
    design = gk.design(mechanism, list(task.parameters))
    return gk.fit(
        design,
        {task.target: task.values},
        None if task.at is None else np.radians(task.at),
        shifted=task.shifted,
        bounds=bounds(task),
        full_turn=task.full_turn,
        starts=starts,
        seed=seed,
    )


def evolved(problem: Problem, evaluations: int, seed: int) -> tuple[float, int]:
    """Find the least error by differential evolution over the parameters, and the number of designs it solved.

    Designs are solved at the values of the driver that are given. Where they are not, they are solved on a grid, and
    each point is compared with the nearest of the path, in any order, or, where only a shift is free, for all shifts by
    the grid.
    """
    grid = np.linspace(*problem.span, GRID, endpoint=False)
    solved = 0

    def errors(columns: Array) -> Array:
        nonlocal solved
        solved += columns.shape[1]
        return coarse_errors(problem, grid, columns.T)

    found = differential_evolution(
        errors,
        list(zip(problem.low, problem.high, strict=True)),
        popsize=max(1, POPULATION // problem.low.size),
        maxiter=max(1, evaluations // POPULATION),
        init="sobol",
        tol=0.0,
        polish=False,
        updating="deferred",
        vectorized=True,
        rng=seed,
    )
    order = np.argsort(found.population_energies)[:POLISHED]
    rows = found.population[order]
    begun = [(row, 1.0) for row in rows]
    if problem.timings:
        timed = nearest(problem, grid, problem.read(rows, grid), POLISHED)
        begun = [(np.concatenate([rows[k], timing]), way) for _, k, timing, way in timed]
    searches = [searched(problem, *start) for start in begun]
    return min((search.error for search in searches if not search.refused), default=np.inf), solved


def coarse_errors(problem: Problem, grid: Array, rows: Array) -> Array:
    """Squared errors (n,) of designs (n, parameters), on the grid if need be; large where they are not allowed."""
    if problem.at is not None and not problem.shifted:
        return np.asarray(np.minimum(squared(problem.misses(problem.read(rows, problem.at))), 1e9))
    (values,), (target,), (angle,) = problem.read(rows, grid), problem.targets, problem.angles
    if angle:
        apart = values - target.T  # (n, grid, points), as k is 1
        distance = (apart - 2 * np.pi * np.round(apart / (2 * np.pi))) ** 2
    else:  # |v|² - 2 v·t + |t|²: products of matrices, for a number of points times fewer passes over memory
        distance = np.sum(values**2, axis=2)[..., None] - 2.0 * values @ target.T + np.sum(target**2, axis=1)
    if problem.at is None:
        found = distance.min(axis=1).sum(axis=1)
    else:
        steps = np.round((problem.at - problem.at[0]) / (grid[1] - grid[0])).astype(int)
        columns = (np.arange(grid.size)[:, None] + steps) % grid.size  # (shifts, points)
        found = distance[:, columns, np.arange(len(target))].sum(axis=2).min(axis=1)
    return np.asarray(np.nan_to_num(found, nan=1e9))


@click.command()
@click.option("--compare", is_flag=True, help="Beside differential evolution with several times as many designs.")
@click.option("--times", default=10, show_default=True, help="How many times as many.")
@click.option("--only", type=click.Choice(list(TASKS)), multiple=True)
@click.option("--starts", default=16, show_default=True)
@click.option("--seed", default=0, show_default=True)
def main(compare: bool, times: int, only: tuple[str, ...], starts: int, seed: int) -> None:
    """Fit a four-bar to the problems."""
    click.echo(
        f"{'problem':<15} {'error':>13} {'s':>7} {'designs':>10} {'slopes':>7}" + "  differential evolution" * compare
    )
    for name in only or TASKS:
        begin = time.perf_counter()
        found = fitted(TASKS[name], starts, seed)
        line = f"{name:<15} {found.error:>13.7g} {time.perf_counter() - begin:>7.2f}"
        line += f" {found.evaluations:>10} {found.differentiated:>7}"
        if compare:
            begin = time.perf_counter()
            error, solved = evolved(found.problem, times * found.evaluations, seed)
            line += f" {error:>13.7g} {time.perf_counter() - begin:>7.2f} {solved:>10}"
        click.echo(line)


if __name__ == "__main__":
    main()
