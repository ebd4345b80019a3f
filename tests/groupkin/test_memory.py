"""Refusals of what does not fit into memory."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

resource = pytest.importorskip("resource")

LIMIT = 4 * 2**30
ASKED = f"""
import resource
from groupkin.errors import TimesError
from groupkin.mechanism.files.reading import MotionSettings
resource.setrlimit(resource.RLIMIT_AS, ({LIMIT}, {LIMIT}))
try:
    MotionSettings(duration=1.0, steps={LIMIT // 8 - 1000}, start=0.0).times
except TimesError as error:
    print(error)
"""


def test_the_limit_of_the_process_counts() -> None:
    done = subprocess.run([sys.executable, "-c", ASKED], capture_output=True, text=True, timeout=60, check=True)
    assert re.fullmatch(
        r"536869912 times take 4.29 GB, and the limit of this process leaves .* GB of memory; take fewer steps\n",
        done.stdout,
    )
