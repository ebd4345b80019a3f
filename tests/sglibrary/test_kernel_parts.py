"""What is left out while functions are compiled."""

from __future__ import annotations

import operator
from typing import Any

import pytest
from numba import njit, types
from numba.core.config import DISABLE_JIT  # type: ignore[attr-defined]

from sglibrary import kernel_parts
from sglibrary.convention import OPTIONS, UNCOUNTED


@pytest.mark.skipif(DISABLE_JIT, reason="nothing is compiled")
def test_types_of_a_call_are_found_once_for_each_kind_of_caller(monkeypatch: pytest.MonkeyPatch) -> None:
    found, find = [], kernel_parts._find_call_type

    def noted(function: Any, *rest: Any) -> Any:
        found.append((function.typing_key, rest[1]))
        return find(function, *rest)

    monkeypatch.setattr(kernel_parts, "_find_call_type", noted)
    monkeypatch.setattr(kernel_parts, "_call_types", {})
    number, whole = types.float64, types.int64
    sums = [(operator.add, (number, number)), (operator.add, (whole, whole))]

    def compiled(options: dict[str, Any], kind: types.Type) -> Any:
        found.clear()
        function = njit(**options)(lambda x, y: (x + y) + (y + x) + (x + x))
        function.compile((kind, kind))
        assert function(*((2, 3) if kind == whole else (2.0, 3.0))) == 14
        return [found.count(each) for each in sums]

    assert compiled(UNCOUNTED, number) == [1, 0]
    assert compiled(UNCOUNTED, number) == [0, 0]
    assert compiled(UNCOUNTED, whole) == [0, 1]
    assert compiled(OPTIONS, number) == [1, 0]
    # whoever lets the order of sums change is not served from there, nor kept for others
    assert compiled(OPTIONS | {"fastmath": True}, number)[0] > 1
    assert compiled(OPTIONS, number) == [0, 0]
