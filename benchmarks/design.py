"""Designs of a four-bar: one with two changed points, from Python, and 10,000 at once.

µs per `design.solve` of 60 steps, beside building the mechanism anew, solving a program that exists and, if it is
installed, pylinkage's own way: `set_constraints` with other lengths, then `step_fast`, which gives positions alone. Of
the gradient of a number by ten parameters, and of all derivatives; and ns per design and step, of positions of one
point. Process time, least of some runs in turns, one thread; calls of less than a millisecond are repeated within a
run, as an optimizer does.

    python benchmarks/design.py [--designs 10000] [--steps 60] [--repeat 30]
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

import click
import numpy as np
from numpy.typing import NDArray
from timing import least, least_of

import groupkin as gk

EXAMPLES = Path(__file__).parents[1] / "examples"


def _gradient(design: gk.Design, times: NDArray[np.float64], of: str) -> NDArray[np.float64]:
    """The gradient of the sum of squares of a quantity."""
    found = design.solve(design.nominal, times, derivatives=True)
    return found.gradient({of: 2.0 * found.motion.read(of)})


def pylinkage_way(mechanism: gk.Mechanism, values: np.ndarray, steps: int) -> Callable[[], object]:
    """A function that solves the four-bar with other lengths by pylinkage."""
    from pylinkage.actuators import Crank
    from pylinkage.components import Ground
    from pylinkage.dyads import RRRDyad
    from pylinkage.simulation import Linkage

    at = {name: np.array(point) for name, point in mechanism.positions.items()}

    def length(a: np.ndarray, b: np.ndarray) -> float:
        return float(np.linalg.norm(b - a))

    turn = np.arctan2(*(at["B"] - at["A"])[::-1])
    first, last = Ground(*at["A"], name="A"), Ground(*at["D"], name="D")
    speed = 2.0 * np.pi / steps
    crank = Crank(anchor=first, radius=length(at["A"], at["B"]), angular_velocity=speed, initial_angle=turn, name="B")
    lengths = [length(at["B"], at["C"]), length(at["D"], at["C"])]
    rocker = RRRDyad(crank.output, last, *lengths, x=at["C"][0], y=at["C"][1], name="C")
    linkage = Linkage([first, last, crank, rocker])
    linkage.compile()
    start, given = linkage.get_coords(), linkage.get_constraints()
    place = next(k for k, number in enumerate(given) if abs(number - lengths[0]) < 1e-12)
    given[place] = length(at["B"], values[:2])

    def run() -> object:
        linkage.set_constraints(given)
        linkage.set_coords(start)
        return linkage.step_fast(steps)

    return run


@click.command()
@click.option("--designs", default=10_000, show_default=True)
@click.option("--steps", default=60, show_default=True)
@click.option("--repeat", default=30, show_default=True)
def main(designs: int, steps: int, repeat: int) -> None:
    """Time designs of a four-bar."""
    mechanism, times = gk.load(EXAMPLES / "four_bar.toml"), np.linspace(0.0, 1.0, steps)
    program, design = gk.program(mechanism), gk.design(mechanism, ["C@coupler", "P"])
    rng = np.random.default_rng(0)
    values = design.nominal + rng.normal(scale=1e-3, size=(designs, design.nominal.size))
    ways: dict[str, Callable[[], object]] = {
        "design.solve": lambda: design.solve(values[0], times),
        "gk.solve of the mechanism": lambda: gk.solve(mechanism, times),
        "gk.solve of its program": lambda: gk.solve(program, times),
    }
    if find_spec("pylinkage"):
        ways["pylinkage, set_constraints and step_fast"] = pylinkage_way(mechanism, values[0], steps)
    for name, seconds in least(ways, repeat, 20).items():
        click.echo(f"{name:40} {1e6 * seconds:10.1f} µs")
    joints = gk.design(mechanism, ["joint A", "joint B", "joint C", "joint D", "P"])
    for of in ("position P", "acceleration P"):
        by_ten: dict[str, Callable[[], object]] = {
            "evaluation": lambda of=of: joints.solve(joints.nominal, times).read(of),
            "gradient": lambda of=of: _gradient(joints, times, of),
            "all derivatives": lambda of=of: joints.solve(joints.nominal, times, derivatives=True).read(of),
        }
        found = least(by_ten, repeat, 10)
        told = ", ".join(f"{name} {1e6 * x:.0f} µs ({x / found['evaluation']:.1f} x)" for name, x in found.items())
        click.echo(f"{of} by 10 parameters: {told}")
    many = least_of(lambda: design.solve(values, times, keep=["position P"]), max(3, repeat // 5))
    click.echo(f"{designs} designs at once: {1e9 * many / (designs * steps):.1f} ns per design and step")


if __name__ == "__main__":
    main()
