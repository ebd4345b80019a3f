"""Sweeps in memory: all samples solved here and now, on one thread, several or MPI ranks, as an xarray.Dataset."""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from cluster.solving.chunks import Prepared, prepare, shared_size, solve, variables
from cluster.stores.chunk_solver import require_sweep
from cluster.stores.layout import as_text, label_attributes
from cluster.sweeps.description import Sweep
from groupkin.errors import OutputError, SweepError

if TYPE_CHECKING:
    import xarray
    from mpi4py import MPI

Arrays = dict[str, NDArray[Any]]


def map(
    sweep: Sweep,
    *,
    workers: int = 1,
    chunk: int | None = None,
    progress: Callable[[int, int], None] | None = None,
    comm: MPI.Intracomm | None = None,
) -> xarray.Dataset:
    """Solve all samples of a sweep in memory.

    Parameters
    ----------
    sweep : Sweep
    workers : int
        Threads.
    chunk : int, optional
        Samples that a thread takes at a time; it does not change the results.
    progress : callable, optional
        Called with the number of samples done and of all samples; of several ranks on the first, by a thread.
    comm : mpi4py.MPI.Comm, optional
        Ranks that share the work. All call this and get all results, which have to fit into the memory of each.

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
    if workers < 1 or (chunk is not None and chunk < 1):
        raise SweepError("workers and chunk must be at least 1")
    if comm is not None and comm.size > 1:
        return dataset(sweep, _on_ranks(sweep, chunk, progress, comm))
    prepared = prepare(sweep)
    step = chunk or min(prepared.block, math.ceil(sweep.samples / workers))
    arrays = allocate(sweep)
    chunks = [(first, min(first + step, sweep.samples)) for first in range(0, sweep.samples, step)]
    done = 0

    def keep(start: int, stop: int, found: Arrays) -> None:
        nonlocal done
        put(sweep, arrays, start, stop, found)
        done += stop - start
        if progress is not None:
            progress(done, sweep.samples)

    if workers == 1:
        run(prepared, chunks, keep)
    else:
        with ThreadPoolExecutor(workers) as pool:
            for (start, stop), found in zip(chunks, pool.map(lambda one: solve(prepared, *one), chunks), strict=True):
                keep(start, stop, found)
    return dataset(sweep, arrays)


def run(prepared: Prepared, chunks: Iterable[tuple[int, int]], keep: Callable[[int, int, Arrays], None]) -> None:
    """Solve chunks of samples as they come, and hand over what is kept of each."""
    for start, stop in chunks:
        keep(start, stop, solve(prepared, start, stop))


def _on_ranks(
    sweep: Sweep, chunk: int | None, progress: Callable[[int, int], None] | None, comm: MPI.Intracomm
) -> Arrays:
    """All variables of all samples, on all ranks."""
    from mpi4py import MPI

    from cluster.workers.abort import aborting
    from cluster.workers.collectives import broadcast, require_same_sweep, run_on_all, worker_errors
    from cluster.workers.counter import run_ranks

    def begin() -> tuple[Prepared, Arrays]:
        with worker_errors("a rank that prepares the sweep"):
            return prepare(sweep), allocate(sweep)

    with aborting(comm):
        require_same_sweep(comm, as_text(sweep))
        prepared, arrays = run_on_all(comm, begin)
        step = broadcast(comm, lambda: chunk or shared_size(prepared, comm.size))
        done = 0

        def do(k: int) -> tuple[int, int]:
            start, stop = k * step, min((k + 1) * step, sweep.samples)
            with worker_errors(f"samples {start} to {stop - 1}"):
                put(sweep, arrays, start, stop, solve(prepared, start, stop))
            return stop - start, 0

        def seen(more: int, failed: int) -> None:
            nonlocal done
            done += more
            if progress is not None:
                progress(done, sweep.samples)

        run_ranks(range(-(-sweep.samples // step)), do, seen, comm)
        for one in variables(sweep):
            # where another rank has solved there are zeros, and a sum would lose the sign of zeros
            flat = arrays[one.name].reshape(-1)
            comm.Allreduce(MPI.IN_PLACE, *((flat, MPI.SUM) if one.total else (flat.view(np.uint8), MPI.BOR)))
        return arrays


def allocate(sweep: Sweep) -> Arrays:
    """Memory for all variables of all samples.

    Raises
    ------
    SweepError
        If the machine does not have as much.
    """
    needed = sum(
        np.dtype(one.dtype).itemsize * math.prod(one.shape) * (1 if one.total else sweep.samples)
        for one in variables(sweep)
    )
    if needed > (there := os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")):
        raise SweepError(
            f"the results of {sweep.samples} samples take {needed / 1e9:.3g} GB, and this machine has "
            f"{there / 1e9:.3g} GB of memory; keep less, or solve them into a store with cluster.batch"
        )
    return {
        one.name: np.zeros(one.shape if one.total else (sweep.samples, *one.shape), one.dtype)
        for one in variables(sweep)
    }


def put(sweep: Sweep, arrays: Arrays, start: int, stop: int, found: Mapping[str, NDArray[Any]]) -> None:
    """Put what is kept of a chunk in its place; totals are added."""
    for one in variables(sweep):
        if one.total:
            arrays[one.name] += found[one.name]
        else:
            arrays[one.name][start:stop] = found[one.name]


def dataset(sweep: Sweep, arrays: Mapping[str, NDArray[Any]]) -> xarray.Dataset:
    """Variables of a sweep as an xarray.Dataset: parameters as coordinates, units and meanings as attributes."""
    try:
        import xarray
    except ModuleNotFoundError:
        raise OutputError("xarray is needed for results in memory: pip install 'groupkin[io]'") from None
    listed = variables(sweep)
    coords: dict[str, Any] = {"sample": np.arange(sweep.samples)}
    for one in listed:
        coords |= {dim: (dim, values, label_attributes(one, dim)) for dim, values in one.coords.items()}
    variables_: dict[str, Any] = {}
    for one in listed:
        lead = () if one.total else ("sample",)
        (coords if one.parameter else variables_)[one.name] = ((*lead, *one.dims), arrays[one.name], one.attrs)
    attrs = {
        "title": sweep.mechanism.name,
        "comment": "meters, radians, seconds; global components",
        "seed": sweep.seed,
    }
    return xarray.Dataset(variables_, coords, attrs)
