"""Parametrized tests of which the README's command runs a share, and `.ci/run` more."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest


def in_part(values: Iterable[Any], every: int) -> list[Any]:
    """Parameters of which each n-th, the first one included, is run always, and the others if all are to be."""
    return [value if k % every == 0 else _exhaustive(value) for k, value in enumerate(values)]


def _exhaustive(value: Any) -> Any:
    if hasattr(value, "marks"):
        return pytest.param(*value.values, id=value.id, marks=[*value.marks, pytest.mark.exhaustive])
    return pytest.param(*(value if isinstance(value, tuple) else (value,)), marks=pytest.mark.exhaustive)
