"""First use of complex groups: seconds until a motion of 101 steps is there, on an empty cache, and when it is filled.

Loading of packages and of the file are included.

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
SOLVE = """
import sys, time
start = time.perf_counter()
import numpy as np
import groupkin as gk
gk.solve(gk.load(sys.argv[1]), np.linspace(0.0, 1.0, 101))
print(time.perf_counter() - start)
"""


def seconds(example: str, cache: str) -> float:
    """Solve an example in a process of its own, with a folder for what is compiled."""
    command = [sys.executable, "-c", SOLVE, str(EXAMPLES / f"{example}.toml")]
    run = subprocess.run(command, env=os.environ | {"NUMBA_CACHE_DIR": cache}, stdout=subprocess.PIPE, check=True)
    return float(run.stdout)


@click.command()
@click.argument("examples", nargs=-1)
@click.option("--repeat", default=1, show_default=True)
def main(examples: tuple[str, ...], repeat: int) -> None:
    """Time the first use of examples, all complex groups by default."""
    click.echo(f"{'':<22}{'first use, s':>12}{'next, s':>9}")
    for example in examples or COMPLEX:
        for _ in range(repeat):
            with tempfile.TemporaryDirectory() as cache:
                click.echo(f"{example:<22}{seconds(example, cache):>12.1f}{seconds(example, cache):>9.1f}")
    click.echo(told())


if __name__ == "__main__":
    main()
