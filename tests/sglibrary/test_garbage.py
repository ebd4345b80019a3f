"""Python's search for garbage while functions are compiled."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest
from numba.core import event

from sglibrary.garbage import _Rarely


@pytest.fixture
def thresholds() -> Iterator[None]:
    before = gc.get_threshold()
    yield
    gc.set_threshold(*before)


@pytest.mark.usefixtures("thresholds")
@pytest.mark.parametrize("usual", [(700, 10, 10), (200_000, 5, 5), (0, 10, 10)])
def test_it_is_rare_while_one_is_compiled_within_another_and_then_as_before(usual: tuple[int, int, int]) -> None:
    gc.set_threshold(*usual)
    listener, begun, ended = _Rarely(), *(event.Event("numba:compile", kind) for kind in event.EventStatus)
    for each in (begun, begun, ended):
        listener.notify(each)
        # one who has switched it off is not overruled
        assert gc.get_threshold()[0] == (max(100_000, usual[0]) if usual[0] else 0)
    listener.notify(ended)
    assert gc.get_threshold() == usual
