"""A sweep that costs nothing, and what solves it: results follow from the number of the sample alone.

As a program, ``python fake_sweep.py STORE [key=value …]``, it runs one batch, also under mpiexec. Keys: samples, chunk,
seed, workers, resume, pause (seconds for each sample), fail (sample at which solving raises), begin (rank at which it
cannot begin), pids (folder for a file with the process number of each rank), command (options: run the command line).
"""

from __future__ import annotations

import os
import sys
import time
import types
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

if __name__ in ("__main__", "__mp_main__"):  # as a program, or in a process of its batch
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from cluster.stores.chunk_solver import ChunkSolver
from cluster.stores.estimates import Estimate
from cluster.stores.estimates import estimate as estimate_batch
from cluster.stores.running import Summary, run_batch

CELLS = (4, 5)


@dataclass(frozen=True)
class Variable:
    name: str
    dims: tuple[str, ...] = ()
    shape: tuple[int, ...] = ()
    dtype: str = "float64"
    attrs: dict[str, Any] = field(default_factory=dict)
    coords: dict[str, Any] = field(default_factory=dict)
    parameter: bool = False
    total: bool = False


@dataclass(frozen=True)
class Sweep:
    samples: int = 50
    seed: int = 1
    times: tuple[float, ...] = (0.0, 0.5, 1.0)
    pause: float = 0.0
    fail: int | None = None
    begin: int | None = None
    source: str | None = 'name = "fake"'
    mechanism: Any = field(default_factory=lambda: types.SimpleNamespace(name="fake"))

    block = band = 10

    @property
    def program(self) -> Any:
        groups = [types.SimpleNamespace(bodies=("crank",)), types.SimpleNamespace(bodies=("coupler", "rocker"))]
        return types.SimpleNamespace(structure=types.SimpleNamespace(groups=groups))

    def as_data(self) -> dict[str, Any]:
        law = [{"name": "length", "sigma": 0.1}, {"name": "mode", "values": [1, 2]}]
        return {"samples": self.samples, "seed": self.seed, "times": list(self.times), "parameters": law}


def variables(sweep: Sweep) -> tuple[Variable, ...]:
    axes = {"axis": ["x", "y"]}
    flags = {"flag_values": [0, 1, 2], "flag_meanings": "solved cannot_assemble singular"}
    return (
        Variable("length", attrs={"units": "m"}, parameter=True),
        Variable("mode", dtype="int16", parameter=True),
        Variable("reach", ("axis",), (2,), attrs={"units": "m"}, coords=axes),
        Variable("path", ("time", "axis"), (len(sweep.times), 2), coords={"time": np.array(sweep.times), **axes}),
        Variable("workspace", ("column", "row"), CELLS, "int64", {"long_name": "visits"}, total=True),
        Variable("status", dtype="uint8", attrs=flags),
        Variable("failed_group", dtype="int16"),
        Variable("failed_time", attrs={"units": "s"}),
    )


def prepare(sweep: Sweep) -> Sweep:
    if sweep.begin is not None and int(os.environ.get("PMI_RANK", 0)) == sweep.begin:
        raise RuntimeError("no kernels here")
    return sweep


def shared_size(prepared: Sweep, workers: int) -> int:
    return 7


def solve_chunk(prepared: Sweep, start: int, stop: int) -> dict[str, np.ndarray]:
    """Every tenth sample fails; all of the chunk 20 to 29 are fill values of a kind: zeros and NaN."""
    if prepared.fail is not None and start <= prepared.fail < stop:
        raise RuntimeError(f"sample {prepared.fail} is bad")
    time.sleep(prepared.pause * (stop - start))
    rows = [_sample(prepared, k) for k in range(start, stop)]
    found = {name: np.array([row[name] for row in rows]) for name in rows[0]}
    cells = np.zeros(CELLS, np.int64)
    np.add.at(cells, (found["mode"] % CELLS[0], np.arange(start, stop) % CELLS[1]), 1)
    return {**found, "workspace": cells}


def _sample(sweep: Sweep, k: int) -> dict[str, Any]:
    draw = np.random.default_rng((sweep.seed, k)).normal(size=(1 + len(sweep.times), 2))
    failed = k % 10 == 3
    return {
        "length": 1 + 0.1 * draw[0, 0],
        "mode": np.int16(k % 2 + 1),
        "reach": np.full(2, np.nan) if failed or 20 <= k < 30 else draw[0],
        "path": np.where(np.arange(len(sweep.times))[:, None] >= (1 if failed else 99), np.nan, draw[1:]),
        "status": np.uint8(1 + k // 10 % 2 if failed else 0),
        "failed_group": np.int16(2 if failed else 0),
        "failed_time": 0.5 if failed else np.nan,
    }


class Solver(ChunkSolver):
    """Solves chunks by the functions above."""

    functions = sys.modules[__name__]


def batch(sweep: Sweep, store: str | Path, resume=False, workers=1, chunk=None, show=None) -> Summary:
    return run_batch(Solver(sweep), Path(store), resume, workers, chunk, show)


def estimate(sweep: Sweep, store: Path, **options: Any) -> Estimate:
    return estimate_batch(Solver(sweep), store, **options)


def main(store: str, options: dict[str, str]) -> None:
    from cluster.stores.progress import progress_line
    from groupkin.errors import GroupkinError

    if "pids" in options:
        Path(options["pids"], os.environ.get("PMI_RANK", "0")).write_text(str(os.getpid()))
    fields = {key: float(options[key]) if key == "pause" else int(options[key]) for key in options if key in FIELDS}
    sweep = Sweep(**fields)  # type: ignore[arg-type]
    if "command" in options:
        command_line(sweep, ["--out", store, *options["command"].split(), "--chunk", options["chunk"]])
    others = {key: int(options[key]) for key in ("resume", "workers", "chunk") if key in options}
    try:
        with progress_line() as show:
            print(batch(sweep, store, show=show, **others))
    except GroupkinError as error:
        print(f"{type(error).__name__}: {error}", file=sys.stderr)
        sys.exit(2)


FIELDS = ("samples", "seed", "pause", "fail", "begin")


def command_line(sweep: Sweep, arguments: list[str]) -> None:
    """Run the command `groupkin batch` with this sweep, and end."""
    import cluster.cli
    from groupkin.cli.main import main

    cluster.cli._read = lambda file: Solver(sweep)
    main(["batch", "fake.toml", *arguments])


if __name__ == "__main__":
    main(sys.argv[1], dict(item.split("=") for item in sys.argv[2:]))
