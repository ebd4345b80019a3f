"""What all tests of the command line share."""

from __future__ import annotations

import pytest

from groupkin.cli import terminal


@pytest.fixture(autouse=True)
def no_notices(monkeypatch: pytest.MonkeyPatch) -> None:
    """However long kernels take to compile here, nothing is said about it."""
    monkeypatch.setattr(terminal, "NOTICE_AFTER", 1e6)
