"""Tables of very large mechanisms are made in time that grows with their size alone."""

from __future__ import annotations

import time
from types import SimpleNamespace
from typing import Any

import numpy as np

from groupkin.kinematics.rates.sheet_builder import needed_sheet
from groupkin.kinematics.rates.tables import linear_map

LARGE = 60_000
"""Outputs of some 10,000 bodies; where each of them is compared with all others, a minute is not enough."""


def test_outputs_of_a_large_map() -> None:
    """Every second output is a register of its own; the others are the input, twice each."""
    registers: list[Any] = [[], *([(0, 0, 1.0)] for _ in range(LARGE))]
    outputs = [k if k % 2 else 0 for k in range(1, LARGE + 1)]
    began = time.process_time()
    found = linear_map(registers, 1, outputs)
    assert time.process_time() - began < 10.0
    direct = np.flatnonzero(found.targets >= 0)
    np.testing.assert_array_equal(direct, np.arange(0, LARGE, 2))
    np.testing.assert_array_equal(found.targets[direct], direct)
    np.testing.assert_array_equal(found.copied, [[k, 0] for k in range(1, LARGE, 2)])


def test_operations_of_a_large_table_keep_their_order() -> None:
    """A chain of 300,000 operations, each of the row before; the last row alone is needed, and with it all others."""
    count = 5 * LARGE
    operations = [(0, k + 1, [(k, k, 1.0)]) for k in range(count)]
    program = SimpleNamespace(kept=np.array([0]))
    b: Any = SimpleNamespace(
        program=program, operations=operations, constants=[0.0] * (count + 1), read=[0], computed=[]
    )
    began = time.process_time()
    sheet, _, _ = needed_sheet(b, [[(count, 0, 1.0)]])
    assert time.process_time() - began < 10.0
    assert len(sheet.operations) == count
    assert (np.diff(sheet.operations[:, 1]) == 1).all()
