"""Sweeps in memory: all samples solved at once, on one thread, several or MPI ranks, as an xarray.Dataset."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from cluster.solving.chunks import Prepared, prepare, shared_size, solve_chunk, variables
from cluster.sweeps.description import Sweep, as_text, require_sweep
from cluster.sweeps.readings import label_attributes
from groupkin.arguments import Count, checked
from groupkin.errors import OutputError, SweepError, shown
from groupkin.kinematics.motion.labeled_arrays import comment, in_units
from groupkin.mechanism.units import Choice, chosen
from groupkin.memory import require_memory

if TYPE_CHECKING:
    import xarray
    from mpi4py import MPI

    from cluster.workers.mpi_backend import Ranks
    from routes.running.backends import Threads

Arrays = dict[str, NDArray[Any]]
Progress = Callable[[int, int], None]

THREADS = 1024
"""Workers at most."""


@checked
def solve(
    sweep: Sweep,
    *,
    workers: int | Threads | Ranks = 1,
    chunk: Count | None = None,
    units: Choice = "SI",
    progress: Progress | None = None,
) -> xarray.Dataset:
    """Solve all samples of a sweep in memory.

    Parameters
    ----------
    sweep : Sweep
    workers : int, `routes.threads(n)` or `cluster.ranks()`
        Threads; or MPI ranks, which all call this and get all results, so that these have to fit into the memory of
        each.
    chunk : int, optional
        Samples that a worker takes at a time; it does not change the results.
    units : {"SI", "file"} or Units
        Of the results: meters and radians, those of the mechanism's file, or others; times are in seconds.
    progress : callable, optional
        Called with the number of samples done and of all samples; of several ranks on the first, by a thread.

    Returns
    -------
    xarray.Dataset
        Of dimension sample, with the parameters as coordinates. `status`, `failed_group` and `failed_time` say how each
        sample ended; numbers that need what was not solved are NaN.

    Raises
    ------
    OutputError
        If xarray is not installed.
    WorkError
        If a rank has failed; on all ranks.
    """
    require_sweep(sweep)
    count: Any = getattr(workers, "workers", workers)
    if not (isinstance(count, int | np.integer) and 1 <= count <= THREADS):
        raise SweepError(
            f"workers must be a whole number from 1 to {THREADS}, routes.threads(n) or cluster.ranks(), "
            f"not {shown(workers)}"
        )
    comm = getattr(workers, "comm", None)
    if count > 1 and comm is not None:
        return dataset(sweep, _on_ranks(sweep, chunk, progress, comm), units)
    prepared, arrays = prepare(sweep), allocate(sweep)
    step = chunk or min(prepared.block, math.ceil(sweep.samples / count))
    starts = range(0, sweep.samples, step)

    def compute(start: int) -> Arrays:
        return solve_chunk(prepared, start, min(start + step, sweep.samples))

    with ThreadPoolExecutor(int(count)) if count > 1 else nullcontext() as pool:
        for start, values in zip(starts, (pool.map if pool else map)(compute, starts), strict=True):
            put(sweep, arrays, start, values)
            if progress is not None:
                progress(min(start + step, sweep.samples), sweep.samples)
    return dataset(sweep, arrays, units)


def _on_ranks(sweep: Sweep, chunk: int | None, progress: Progress | None, comm: MPI.Intracomm) -> Arrays:
    """Compute all variables of all samples, on all ranks."""
    from mpi4py import MPI

    from cluster.workers.abort import aborting
    from cluster.workers.collectives import broadcast, require_same, run_on_all, worker_errors
    from cluster.workers.counter import run_ranks

    def begin() -> tuple[Prepared, Arrays]:
        with worker_errors("a rank that prepares the sweep"):
            return prepare(sweep), allocate(sweep)

    with aborting(comm):
        require_same(comm, {"sweep": as_text(sweep).encode()})
        prepared, arrays = run_on_all(comm, begin)
        step = broadcast(comm, lambda: chunk or shared_size(prepared, comm.size))
        done = 0

        def do(k: int) -> tuple[int, int]:
            start, stop = k * step, min((k + 1) * step, sweep.samples)
            with worker_errors(f"samples {start} to {stop - 1}"):
                put(sweep, arrays, start, solve_chunk(prepared, start, stop))
            return stop - start, 0

        def seen(more: int, failed: int) -> None:
            nonlocal done
            done += more
            if progress is not None:
                progress(done, sweep.samples)

        run_ranks(range(-(-sweep.samples // step)), do, seen, comm)
        for variable in variables(sweep):
            # where another rank has solved there are zeros, and a sum would lose the sign of zeros
            flat = arrays[variable.name].reshape(-1)
            comm.Allreduce(MPI.IN_PLACE, *((flat, MPI.SUM) if variable.total else (flat.view(np.uint8), MPI.BOR)))
        return arrays


def allocate(sweep: Sweep) -> Arrays:
    """Allocate memory for all variables of all samples.

    Raises
    ------
    SweepError
        If the machine does not have as much.
    """
    listed = variables(sweep)
    shapes = {x.name: x.shape if x.total else (sweep.samples, *x.shape) for x in listed}
    needed = sum(np.dtype(x.dtype).itemsize * math.prod(shapes[x.name]) for x in listed)
    remedy = "keep less, or solve them into a store with cluster.batch"
    require_memory(needed, f"the results of {sweep.samples} samples", remedy, SweepError)
    return {x.name: np.zeros(shapes[x.name], x.dtype) for x in listed}


def put(sweep: Sweep, arrays: Arrays, start: int, values: Mapping[str, NDArray[Any]]) -> None:
    """Copy what is kept of a chunk to its samples from `start` on; totals are added."""
    for variable in variables(sweep):
        x = values[variable.name]
        if variable.total:
            arrays[variable.name] += x
        else:
            arrays[variable.name][start : start + len(x)] = x


def dataset(sweep: Sweep, arrays: Mapping[str, NDArray[Any]], units: Choice = "SI") -> xarray.Dataset:
    """Make an xarray.Dataset with parameters as coordinates and units and meanings as attributes."""
    try:
        import xarray
    except ModuleNotFoundError:
        raise OutputError("xarray is needed for results in memory: pip install 'groupkin[io]'") from None
    listed, wanted = variables(sweep), chosen(units, sweep.mechanism.units)

    def converted(values: Any, attributes: Mapping[str, Any]) -> tuple[Any, dict[str, Any]]:
        """Convert values and the nominal value."""
        if "units" not in attributes:
            return values, dict(attributes)
        of, nominal = attributes["units"], np.asarray(attributes.get("nominal", np.nan))
        numbers, unit = in_units(np.asarray(values), of, wanted)
        told = {"nominal": in_units(nominal, of, wanted)[0].tolist()} if "nominal" in attributes else {}
        return numbers, {**attributes, "units": unit, **told}

    coords: dict[str, Any] = {"sample": np.arange(sweep.samples)}
    for variable in listed:
        for dim, labels in variable.coords.items():
            coords[dim] = (dim, *converted(labels, label_attributes(variable, dim)))
    data: dict[str, Any] = {}
    for variable in listed:
        dims = variable.dims if variable.total else ("sample", *variable.dims)
        (coords if variable.parameter else data)[variable.name] = (
            dims,
            *converted(arrays[variable.name], variable.attrs),
        )
    attrs = {"title": sweep.mechanism.name, "comment": comment(wanted), "seed": sweep.seed}
    return xarray.Dataset(data, coords, attrs)
