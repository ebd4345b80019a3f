"""Two groups that are solved by iteration, side by side and step by step: what one thread takes, and two.

The mechanism is two planar 3-RRR platforms on one frame: their triads take about 20 µs per step each when every step
starts from the one before it. `groupkin routes FILE --measure` times whole tables.

    python benchmarks/side_by_side.py [rounds]
"""

from __future__ import annotations

import platform
import statistics
import sys
from dataclasses import replace
from pathlib import Path

import numba
import numpy as np

import groupkin as gk
import routes
from groupkin.kinematics.program.program import Program
from routes.timing.program_costs import program_costs
from routes.timing.strategies import strategies
from routes.timing.strategy_timing import measure

EXAMPLE = Path(__file__).parents[1] / "examples" / "planar_3rrr.toml"


def twice(mechanism: gk.Mechanism) -> gk.Mechanism:
    """A mechanism and a copy of it on the same frame."""

    def named(name: str) -> str:
        return name if name == mechanism.frame else f"{name} again"

    bodies = [body for body in mechanism.bodies if body.name != mechanism.frame]
    copies = [gk.Body(named(body.name)) for body in bodies]
    points = {f"{name} again": at for name, at in mechanism.points.items()}
    joints = [
        replace(
            joint,
            name=named(joint.name),
            bodies=tuple(map(named, joint.bodies)),
            point=f"{joint.point} again" if isinstance(joint.point, str) else joint.point,
        )
        for joint in mechanism.joints
    ]
    drivers = [replace(driver, joint=named(driver.joint)) for driver in mechanism.drivers]
    return replace(
        mechanism,
        name="two platforms",
        bodies=[*mechanism.bodies, *copies],
        joints=[*mechanism.joints, *joints],
        drivers=[*mechanism.drivers, *drivers],
        points=mechanism.points | points,
    )


def main(rounds: int) -> None:
    program: Program = gk.program(twice(gk.load(EXAMPLE)))
    times, two = np.linspace(0.0, 1.0, 1001), routes.threads(2)
    costs = {1: program_costs(program, times, two, 1, None)}
    tree = routes.tree(program.structure)
    tried = list(
        strategies(
            [tree.parallel, routes.unstaged(program.structure, costs[1].per_step, 2)],
            2,
            ["groups"],
            [1],
            True,
        )
    )
    found = measure(program, times, tried, costs, two, rounds)
    newton = [g.number for g, name in zip(program.structure.groups, program.solvers, strict=True) if name == "Newton"]
    print(f"Python {platform.python_version()}, numba {numba.__version__}; 2 threads, blocks of 1, {rounds} rounds")
    print(
        "µs per step of the groups by Newton's method:", [f"{1e6 * costs[1].per_step.seconds[k]:.1f}" for k in newton]
    )
    for item in found:
        print(
            f"{1e6 * item.sequential:.1f} µs one thread, {1e6 * item.measured:.1f} µs two: × {item.speedup:.2f}; "
            f"same bits: {item.difference == 0.0}; {item.strategy.route}"
        )
    print("median speed-up", f"{statistics.median(item.speedup for item in found):.2f}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 7)
