"""A sweep and what solves it in one process of a batch."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from groupkin.errors import StoreError

if TYPE_CHECKING:
    from cluster.sweeps.description import Sweep


class Solving:
    """A sweep and what solves it, which every process makes for itself when it first needs it."""

    def __init__(self, sweep: Sweep):
        self.sweep = sweep
        self._prepared: Any = None

    def prepare(self) -> Any:
        """The prepared sweep, its kernels compiled or loaded."""
        from cluster.solving import chunks

        if self._prepared is None:
            self._prepared = chunks.prepare(self.sweep)
            chunks.solve_chunk(self._prepared, 0, 1)
        return self._prepared

    def __getstate__(self) -> dict[str, Any]:
        # a copy without what it has worked out and cannot be pickled, such as its program
        return {"sweep": replace(self.sweep), "_prepared": None}


def fitting_chunk(solving: Solving, chunk: int | None, workers: int) -> int:
    """Samples in a chunk: as given, or as memory, cost and number of workers suggest."""
    from cluster.solving import chunks

    if chunk is None:
        chunk = chunks.shared_size(solving.prepare(), workers)
    elif chunk < 1:
        raise StoreError(f"a chunk has at least one sample, not {chunk}")
    return min(chunk, solving.sweep.samples)
