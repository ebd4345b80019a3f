"""Variables of the results of a sweep: names, dimensions, labels along them and attributes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Variable:
    """What is kept of every sample.

    Attributes
    ----------
    name : str
    dims, shape : tuple
        Beyond the leading "sample".
    dtype : str
    attrs : dict
        Units and meaning.
    coords : dict of str to list
        Labels along dimensions.
    parameter : bool
        True if it is the value of a parameter.
    total : bool
        True if it is a sum of integers over samples, without their axis.
    """

    name: str
    dims: tuple[str, ...] = ()
    shape: tuple[int, ...] = ()
    dtype: str = "float64"
    attrs: dict[str, Any] = field(default_factory=dict)
    coords: dict[str, list[Any]] = field(default_factory=dict)
    parameter: bool = False
    total: bool = False


def label_attributes(variable: Variable, dim: str) -> dict[str, Any]:
    """Return the attributes of the labels of one of a variable's dimensions."""
    unit = "s" if dim == "time" else "m" if variable.total else ""  # of totals they are centers of cells
    return {"units": unit} if unit else {}
