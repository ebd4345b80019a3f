"""Libraries for other machines: they link, and run where they can."""

from __future__ import annotations

import os
import platform
import sys
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

import groupkin as gk
from groupkin.export.models import shared_model
from groupkin.export.targets import TARGETS
from tests.groupkin.export.test_library import steps
from tests.support.foreign import Foreign

pytestmark = [
    pytest.mark.long,  # ziglang builds the libraries of C of each machine first
    pytest.mark.skipif(
        find_spec("ziglang") is None and "GROUPKIN_ZIG_REQUIRED" not in os.environ, reason="ziglang is not installed"
    ),
]

HERE = sys.platform == "linux" and platform.machine() == "x86_64"
MAGIC = {".so": b"\x7fELF", ".dll": b"MZ", ".dylib": b"\xcf\xfa\xed\xfe"}
MACHINES = {"aarch64-linux": b"\xb7\x00", "x86-64": b"\x3e\x00", "x86-64-v3": b"\x3e\x00"}
"""What ELF files say of their machine."""


@pytest.mark.parametrize("name", ["stewart_inverse", "stephenson_six_bar"])
@pytest.mark.parametrize("target", TARGETS)
def test_a_library_for_a_machine(name: str, target: str, tmp_path: Path) -> None:
    program, given = steps(name, 101)
    header, library = gk.export_library(program.mechanism, tmp_path, name=name, target=target)
    content = library.read_bytes()
    assert header.name == f"{name}.h"
    assert content.startswith(MAGIC[library.suffix])
    assert library.suffix != ".so" or content[18:20] == MACHINES[target]
    if HERE and target == "x86-64":
        motion = program.evaluate(*np.swapaxes(given[:, :3], 0, 1), path=True)
        foreign = Foreign.loaded(library, shared_model(program))
        for j in range(101):
            assert foreign.evaluate(*given[:, :3, j].T) == 0
            np.testing.assert_array_equal(foreign.rows("a"), motion.a[:, j])
