"""Solving chunks of a sweep in the processes of a batch."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar

from numpy.typing import NDArray

from cluster.solving import chunks
from groupkin.errors import StoreError

if TYPE_CHECKING:
    from cluster.sweeps.description import Sweep
    from cluster.sweeps.readings import Variable


class ChunkSolver:
    """Solves chunks of a sweep, which every process prepares for itself when it first needs it."""

    functions: ClassVar[Any] = chunks
    """Module of the functions that solve; a subclass may have another."""

    def __init__(self, sweep: Sweep):
        self.sweep = sweep
        self._prepared: Any = None

    def prepare(self) -> Any:
        """Prepare the sweep, and compile its kernels or load them from their cache."""
        if self._prepared is None:
            self._prepared = self.functions.prepare(self.sweep)
            self.functions.solve_chunk(self._prepared, 0, 1)
        return self._prepared

    def variables(self) -> tuple[Variable, ...]:
        """List what `solve` returns."""
        return self.functions.variables(self.sweep)

    def solve(self, start: int, stop: int) -> dict[str, NDArray[Any]]:
        """Compute all variables of samples start to stop - 1."""
        return self.functions.solve_chunk(self.prepare(), start, stop)

    def chunk_size(self, chunk: int | None, workers: int) -> int:
        """Choose the samples per chunk from memory, cost and number of workers, unless `chunk` is given."""
        if chunk is None:
            chunk = self.functions.shared_size(self.prepare(), workers)
        elif chunk < 1:
            raise StoreError(f"a chunk has at least one sample, not {chunk}")
        return min(chunk, self.sweep.samples)

    def __getstate__(self) -> dict[str, Any]:
        # a copy without what the sweep has worked out and cannot be pickled, such as its program
        return {"sweep": replace(self.sweep), "_prepared": None}
