"""First use: seconds until a result is there, on an empty cache, and when it is filled.

Motions of 101 steps of complex groups; groups whose equations are not compiled: by Newton's method with ball joints
among the unknowns, and with a formula between joints; and what people do first with a four-bar. Loading of packages and
of the file are included.

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
RUN = """
import sys, time
start = time.perf_counter()
import numpy as np
import groupkin as gk
{}
print(time.perf_counter() - start)
"""
SOLVE = "gk.solve(gk.load({!r}), np.linspace(0.0, 1.0, 101), solver={!r})"
FOUR_BAR = """
name = "Four-bar"
dimension = 2
bodies = [
  "ground",
  { name = "crank", mass = 1, center = [0, 1], inertia = 0.3 },
  { name = "coupler", mass = 2, center = [1.5, 2.2], inertia = 1.5, points = ["P"] },
  { name = "rocker", mass = 1.5, center = [3, 1.2], inertia = 0.8 },
]
points = { P = [1, 3] }
joints = [
  { name = "A", type = "R", bodies = ["ground", "crank"], point = [0, 0] },
  { name = "B", type = "R", bodies = ["crank", "coupler"], point = [0, 2] },
  { name = "C", type = "R", bodies = ["coupler", "rocker"], point = [3, 2.5] },
  { name = "D", type = "R", bodies = ["rocker", "ground"], point = [3, 0] },
]
gravity = [0, -9.81]
"""
DRIVEN = FOUR_BAR + 'drivers = [{ joint = "A", law = { type = "ramp", rate = 6 } }]'
FREE = FOUR_BAR + 'drivers = [{ joint = "A" }]'
FIT = """
from groupkin.synthesis.files import read_fit
design, asked, _ = read_fit({!r})
gk.fit(design, **asked)
"""
FIRST = {
    "motion of a four-bar": (DRIVEN, "gk.solve({!r}, np.linspace(0.0, 1.0, 101))"),
    "its forces": (DRIVEN, "gk.inverse_dynamics({!r}, np.linspace(0.0, 1.0, 101))"),
    "a simulation": (FREE, "gk.simulate({!r}, np.linspace(0.0, 0.5, 51))"),
    "200 simulations": (
        FREE,
        "gk.simulate_many({!r}, np.linspace(0.0, 0.5, 51), dict(A=np.linspace(0.0, 1.0, 200)))",
    ),
}
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


def seconds(code: str, cache: str) -> float:
    """Run some code in a process of its own, with a folder for what is compiled."""
    command = [sys.executable, "-c", RUN.format(code)]
    run = subprocess.run(command, env=os.environ | {"NUMBA_CACHE_DIR": cache}, stdout=subprocess.PIPE, check=True)
    return float(run.stdout)


def first_results(folder: Path) -> list[tuple[str, str]]:
    """Names and codes of what people do first with a four-bar."""
    found = list[tuple[str, str]]()
    for number, (name, (text, code)) in enumerate(FIRST.items()):
        file = folder / f"first_{number}.toml"
        file.write_text(text, encoding="utf-8")
        found.append((name, code.format(str(file))))
    return [*found, ("a fit of 9 dimensions", FIT.format(str(EXAMPLES / "coupler_curve.fit.toml")))]


@click.command()
@click.argument("examples", nargs=-1)
@click.option("--repeat", default=1, show_default=True)
@click.option("--four-bar", is_flag=True, help="Time only what people do first with a four-bar.")
def main(examples: tuple[str, ...], repeat: int, four_bar: bool) -> None:
    """Time the first use of examples, all complex groups by default."""
    click.echo(f"{'':<24}{'first use, s':>12}{'next, s':>9}")
    with tempfile.TemporaryDirectory() as folder:
        coupled = Path(folder) / "coupled.toml"
        coupled.write_text(COUPLED, encoding="utf-8")
        named = () if four_bar else examples or COMPLEX
        timed = [(name, SOLVE.format(str(EXAMPLES / f"{name}.toml"), "substitute")) for name in named]
        if not examples and not four_bar:
            timed += [(f"{name}, newton", SOLVE.format(str(EXAMPLES / f"{name}.toml"), "newton")) for name in NEWTON]
            timed.append(("formula between joints", SOLVE.format(str(coupled), "substitute")))
        if not examples:
            timed += first_results(Path(folder))
        for name, code in timed * repeat:
            with tempfile.TemporaryDirectory() as cache:
                click.echo(f"{name:<24}{seconds(code, cache):>12.1f}{seconds(code, cache):>9.1f}")
    click.echo(told())


if __name__ == "__main__":
    main()
