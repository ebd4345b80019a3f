"""First use of complex groups: seconds until a motion of 101 steps is there, on an empty cache, and when it is filled.

Loading of packages and of the file are included. Below, groups whose equations are not compiled: by Newton's method
with ball joints among the unknowns, and with a formula between joints.

    python benchmarks/first_use.py [--repeat 1] [EXAMPLE ...]
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import click
from timing import told

EXAMPLES = Path(__file__).parents[1] / "examples"
COMPLEX = (
    "stephenson_six_bar",
    "planar_3rrr",
    "spatial_3prs",
    "delta_robot",
    "five_rod_suspension",
    "stewart_forward",
    "assur_class_three",
    "rotor_control",
    "cam_roller",
    "geared_press",
)
NEWTON = ("delta_robot", "stewart_forward")
SOLVE = """
import sys, time
start = time.perf_counter()
import numpy as np
import groupkin as gk
gk.solve(gk.load(sys.argv[1]), np.linspace(0.0, 1.0, 101), solver=sys.argv[2])
print(time.perf_counter() - start)
"""
COUPLED = """
dimension = 2
bodies = ["frame", "left", "right", "cage"]
joints = [
  { name = "left", type = "R", bodies = ["frame", "left"], point = [0, 0] },
  { name = "right", type = "R", bodies = ["frame", "right"], point = [1, 0] },
  { name = "cage", type = "R", bodies = ["frame", "cage"], point = [2, 0] },
]
drivers = [
  { joint = "left", law = { type = "ramp", rate = 0.2 } },
  { joint = "right", law = { type = "ramp", rate = 0.5 } },
]
couplings = [{ name = "sines", equation = "sin({joint left}) + sin({joint right}) = 2 * sin({joint cage})" }]
"""


def seconds(file: Path, solver: str, cache: str) -> float:
    """Solve a mechanism in a process of its own, with a folder for what is compiled."""
    command = [sys.executable, "-c", SOLVE, str(file), solver]
    run = subprocess.run(command, env=os.environ | {"NUMBA_CACHE_DIR": cache}, stdout=subprocess.PIPE, check=True)
    return float(run.stdout)


@click.command()
@click.argument("examples", nargs=-1)
@click.option("--repeat", default=1, show_default=True)
def main(examples: tuple[str, ...], repeat: int) -> None:
    """Time the first use of examples, all complex groups by default."""
    click.echo(f"{'':<24}{'first use, s':>12}{'next, s':>9}")
    with tempfile.TemporaryDirectory() as folder:
        coupled = Path(folder) / "coupled.toml"
        coupled.write_text(COUPLED, encoding="utf-8")
        timed = [(name, EXAMPLES / f"{name}.toml", "substitute") for name in examples or COMPLEX]
        if not examples:
            timed += [(f"{name}, newton", EXAMPLES / f"{name}.toml", "newton") for name in NEWTON]
            timed.append(("formula between joints", coupled, "substitute"))
        for name, file, solver in timed * repeat:
            with tempfile.TemporaryDirectory() as cache:
                first, following = seconds(file, solver, cache), seconds(file, solver, cache)
                click.echo(f"{name:<24}{first:>12.1f}{following:>9.1f}")
    click.echo(told())


if __name__ == "__main__":
    main()
