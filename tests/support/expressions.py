"""Values of expressions, computed in NumPy."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sglibrary.code.graph import Expr, Graph
from sglibrary.code.instructions import compute


def evaluated(graph: Graph, values: list[Expr], given: NDArray[Any]) -> NDArray[Any]:
    """Values (k, n) of a graph whose leaves "w" are rows of `given`."""
    found: dict[int, Any] = {}

    def other(kind: str, numbers: list[str], made: list[Any]) -> Any:
        if kind == "w":
            return given[int(numbers[0])]
        found[int(numbers[1])] = np.broadcast_to(made[int(numbers[0])], given.shape[1:])
        return None

    compute(graph.text([(value, str(k)) for k, value in enumerate(values)]), other)
    return np.array([found[k] for k in range(len(values))])
