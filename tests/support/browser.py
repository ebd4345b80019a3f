"""A browser without a window and without network, where there is one."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

REQUIRED = "GROUPKIN_BROWSER_REQUIRED"
"""Variable of the environment that makes a missing browser a failure."""

FLAGS = [
    "--headless",
    "--disable-quic",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    *(["--no-sandbox"] if getattr(os, "geteuid", lambda: 1)() == 0 else []),
]


def missing(reason: str) -> None:
    """Skip a test, or fail where a browser is required."""
    if os.environ.get(REQUIRED):
        pytest.fail(reason)
    pytest.skip(reason)


@contextmanager
def browser(*flags: str) -> Iterator[Any]:
    """Start Chromium."""
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        missing("playwright is not installed")
    program = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if program is None:
        missing("there is no Chromium on the path")
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=program, args=[*FLAGS, *flags])
        try:
            yield started
        finally:
            started.close()
