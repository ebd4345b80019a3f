"""What tests of routes share."""

from __future__ import annotations

import pytest

from routes.timing import group_costs


@pytest.fixture(autouse=True)
def however_busy_the_machine_is(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep what is measured, and do not warn, where that is not what is tested."""
    monkeypatch.setattr(group_costs, "BUSY", float("inf"))
