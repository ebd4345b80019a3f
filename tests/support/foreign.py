"""Exported mechanisms, called as a foreign program calls them."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from groupkin.export.models import SharedModel
from sglibrary.code.llvm import LANES

Array = NDArray[np.float64]


def pointer(x: NDArray[Any] | None) -> ctypes.c_void_p:
    return ctypes.c_void_p(None if x is None else x.ctypes.data)


@dataclass(eq=False)
class Foreign:
    """A library, and memory for one model of it."""

    library: ctypes.CDLL
    shared: SharedModel
    memory: Array

    @classmethod
    def loaded(cls, path: Path, shared: SharedModel) -> Foreign:
        size = shared.memory.numbers + len(shared.joints.coordinates) + 1 + shared.memory.codes // 8 + 1
        found = cls(ctypes.CDLL(str(path)), shared, np.full(size, np.nan))
        found.library.gk_init(pointer(found.memory))
        return found

    def evaluate(self, values: Array, rates: Array | None = None, accelerations: Array | None = None) -> int:
        given = [None if x is None else np.ascontiguousarray(x, float) for x in (values, rates, accelerations)]
        return int(self.library.gk_evaluate(pointer(self.memory), *map(pointer, given)))

    def rows(self, name: str) -> Array:
        """Rows of q, v or a as a motion of one step keeps them."""
        program, first = self.shared.program, self.shared.memory.places[name]
        return self.memory[first : first + LANES * program.rows].reshape(-1, LANES)[program.kept, 0]

    def joints(self, driven: Array) -> tuple[int, Array]:
        every = np.zeros(len(self.shared.joints.coordinates))
        status = self.library.gk_joints(
            pointer(self.memory), pointer(np.ascontiguousarray(driven, float)), pointer(every)
        )
        return int(status), every

    def read(self, function: str, *numbers: int, sizes: tuple[int, ...]) -> list[Array]:
        found = [np.zeros(size) for size in sizes]
        getattr(self.library, function)(pointer(self.memory), *numbers, *map(pointer, found))
        return found
