"""Solving chunks of a sweep in the processes of a batch."""

from __future__ import annotations

from dataclasses import replace
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, ClassVar

from numpy.typing import NDArray

from cluster.solving import chunks
from groupkin.errors import StoreError, SweepError

if TYPE_CHECKING:
    from cluster.sweeps.description import Sweep
    from cluster.sweeps.reductions import Variable


def require_sweep(given: object) -> None:
    """Refuse what is no sweep.

    Raises
    ------
    SweepError
    """
    if not hasattr(given, "as_data"):
        hint = "; read a file with cluster.read_sweep" if isinstance(given, str | PurePath) else ""
        raise SweepError(f"a sweep is needed, not {given!r}{hint}")


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
            self.functions.solve(self._prepared, 0, 1)
        return self._prepared

    def variables(self) -> tuple[Variable, ...]:
        """List what `solve` returns."""
        return self.functions.variables(self.sweep)

    def solve(self, start: int, stop: int) -> dict[str, NDArray[Any]]:
        """Compute all variables of samples start to stop - 1."""
        return self.functions.solve(self.prepare(), start, stop)

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
