"""The cores of this machine, on every system."""

from __future__ import annotations

import os

import routes
from routes.running.cores import available_cores


def test_cores_are_those_of_this_process_or_of_the_machine(monkeypatch):
    if hasattr(os, "sched_getaffinity"):
        assert available_cores() == len(os.sched_getaffinity(0))
        monkeypatch.delattr(os, "sched_getaffinity")
    monkeypatch.setattr(os, "cpu_count", lambda: 3)
    assert available_cores() == routes.threads().workers == 3
    monkeypatch.setattr(os, "cpu_count", lambda: None)
    assert available_cores() == 1
