"""What all tests of the command line share."""

from __future__ import annotations

import pytest

from groupkin.cli import terminal
from routes.timing import group_costs


@pytest.fixture(autouse=True)
def no_notices(monkeypatch: pytest.MonkeyPatch) -> None:
    """However long kernels take to compile here, nothing is said about it."""
    monkeypatch.setattr(terminal, "NOTICE_AFTER", 1e6)


@pytest.fixture(autouse=True)
def no_doubts(monkeypatch: pytest.MonkeyPatch) -> None:
    """However busy this machine is, costs that are measured count."""
    monkeypatch.setattr(group_costs, "BUSY", float("inf"))
