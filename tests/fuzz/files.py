"""Good files to mutate, and what is done with a mutated one."""

from __future__ import annotations

import json
import shutil
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

import numpy as np
from click.testing import CliRunner

import cluster
import groupkin as gk
from groupkin.cli.main import main
from groupkin.synthesis.files import read_fit
from tests.fuzz.mutations import mutated
from tests.fuzz.watching import Maker, Pass, require_closed, require_finite
from tests.support.command_line import PUBLISHED, adjacency
from tests.support.coupled import ALL as COUPLED
from tests.support.paths import EXAMPLES

STEPS = 4
"""Steps of a motion that are solved."""

FEW = 2_000
"""Samples times steps of a sweep that is solved."""

PRINTED = 0.02
"""Share of mechanisms that are also given to the command line."""


@dataclass(frozen=True)
class Seed:
    """A good file, its kind (mechanism, sweep, fit or table), and the files that it needs or that need it."""

    name: str
    text: bytes
    kind: str
    user: str = ""


def seeds(folder: Path) -> list[Seed]:
    """List the examples as TOML and JSON, tables, and published mechanisms; fill a folder with what they refer to."""
    found = []
    for path in sorted(EXAMPLES.glob("*.toml")) + sorted(EXAMPLES.glob("*.csv")):
        shutil.copy(path, folder)
        kind = {".sweep": "sweep", ".fit": "fit"}.get(Path(path.stem).suffix, "mechanism")
        kind = "table" if path.suffix == ".csv" else kind
        user = "cam_roller.toml" if kind == "table" else ""
        found.append(Seed(path.name, path.read_bytes(), kind, user))
        if kind != "table":
            data = tomllib.loads(path.read_text())
            found.append(Seed(f"{path.stem}.json", json.dumps(data).encode(), kind))
    for name in ("tappet", "rocker", "ellipsoid"):
        gk.save(COUPLED[name]().mechanism, folder / f"{name}.toml", motion={"duration": 0.5, "steps": 5})
        found.append(Seed(f"{name}.toml", (folder / f"{name}.toml").read_bytes(), "mechanism"))
    for case in sorted(PUBLISHED, key=lambda case: len(case["joints"]))[:6]:
        found.append(Seed("adjacency.json", adjacency(folder, case).read_bytes(), "mechanism"))
    table = "x;y\n" + "".join(f"{k / 8};{1 + k / 16}\n" for k in range(8))
    parameter = {"point": "P", "body": "coupler", "csv": "list.csv", "columns": ["x", "y"], "relative": True}
    keep = [{"minimum": {"position": "P", "component": "y"}}, {"motion": {"joint": "D"}}]
    sweep = {"mechanism": "four_bar.toml", "times": {"steps": 13}, "parameters": [parameter], "keep": keep}
    (folder / "list.csv").write_text(table)
    (folder / "listed.sweep.json").write_text(json.dumps(sweep))
    found.append(Seed("list.csv", table.encode(), "table", "listed.sweep.json"))
    found.append(Seed("listed.sweep.json", json.dumps(sweep).encode(), "sweep"))
    return found


def maker(folder: Path) -> Maker:
    """Prepare good files in a folder; returns what mutates one of them."""
    good = seeds(folder)

    def passes(random: Random, _: int) -> Iterator[Pass]:
        path, kind = write_input(folder, good, random)
        printed = random.random() < PRINTED
        yield Pass(kind, path.name, lambda: run_input(path, kind, printed), path.read_bytes())
        for seed in good:
            if seed.kind == "table":
                (folder / seed.name).write_bytes(seed.text)

    return passes


def write_input(folder: Path, found: list[Seed], random: Random) -> tuple[Path, str]:
    """Write a mutated file; returns the file to read, and its kind."""
    seed = random.choice(found)
    text, suffix = mutated(seed.text, Path(seed.name).suffix, random)
    if seed.kind != "table":
        path = folder / f"mutant{suffix}"
        path.write_bytes(text)
        return path, seed.kind
    (folder / seed.name).write_bytes(text)
    return folder / seed.user, "sweep" if ".sweep" in seed.user else "mechanism"


def run_input(path: Path, kind: str, printed: bool) -> None:
    """Read a file, and solve what it describes at few steps."""
    if kind == "sweep":
        sweep = cluster.read_sweep(path)
        if sweep.samples * sweep.times.size <= FEW:
            cluster.solve(sweep)
        else:
            cluster.solve_chunk(cluster.prepare(sweep), 0, 2) if sweep.times.size <= FEW else None
        return
    if kind == "fit":
        design, asked, _ = read_fit(path)
        if not design.program.iterates:  # whose searches take minutes
            gk.fit(design, **asked | {"starts": 1})
        return
    described = gk.read(path)
    if printed:
        result = CliRunner().invoke(main, ["analyze", str(path)])
        if result.exit_code not in (0, 2):
            raise result.exception or AssertionError(f"exit code {result.exit_code}")
        if not all(line.isprintable() for line in result.output.split("\n")):
            raise AssertionError("control characters are printed")
    gk.analyze(described.mechanism)
    program = gk.program(described.mechanism)
    settings = described.motion
    times = np.linspace(settings.start, settings.start + settings.duration / 100, STEPS)
    motion = gk.solve(program, times, on_failure="nan")
    require_closed(motion)
    if described.mechanism.forces:
        require_finite(gk.inverse_dynamics(motion))
