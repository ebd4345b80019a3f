"""Parametrized tests of which the README's command runs a share, and `.ci/run` more."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import Any

import pytest


def in_part(values: Iterable[Any], every: int) -> list[Any]:
    """Parameters of which each n-th, the first one included, is run always, and the others if all are to be."""
    return [value if k % every == 0 else _exhaustive(value) for k, value in enumerate(values)]


MOST = 5
"""Parameter sets of a test that are run always."""


def thin_out(items: Iterable[pytest.Item]) -> None:
    """Mark as exhaustive all but `MOST` parameter sets of each test, evenly spread, unless it is marked complete."""
    alike: dict[str, list[pytest.Item]] = defaultdict(list)
    for item in items:
        if not any(item.get_closest_marker(name) for name in ("exhaustive", "long", "complete")):
            alike[item.nodeid.partition("[")[0]].append(item)
    for same in alike.values():
        kept = {k * len(same) // MOST for k in range(MOST)}
        for k, item in enumerate(same):
            if len(same) > MOST and k not in kept:
                item.add_marker(pytest.mark.exhaustive)


def _exhaustive(value: Any) -> Any:
    if hasattr(value, "marks"):
        return pytest.param(*value.values, id=value.id, marks=[*value.marks, pytest.mark.exhaustive])
    return pytest.param(*(value if isinstance(value, tuple) else (value,)), marks=pytest.mark.exhaustive)
