"""Steps that are solved together: per block, and per call of compiled code."""

from __future__ import annotations

from groupkin.kinematics.program.program import Program

BLOCK = 128
"""Steps per block: the rows of a block stay in the caches next to the core."""

NEWTON_BLOCK = 512
"""The same where groups are solved by iteration, which prepares more for every block."""

WIDE = 2**19
"""Bytes of all rows of a block where kernels write straight into a motion: half of what a core has for itself."""

SPAN = 4096
"""Steps for which laws are evaluated in Python at a time: enough to make the cost of calls from Python negligible."""


def block_of(program: Program, n: int, block: int | None = None) -> int:
    """Steps per block of a motion of n steps: not more than whole cache lines of it."""
    return min(block or (NEWTON_BLOCK if program.iterates else BLOCK), -(-n // 8) * 8)


def wide_block(program: Program) -> int:
    """Steps per block where kernels write straight into a motion: many, since calls of kernels cost as long as 30."""
    if program.iterates:
        return NEWTON_BLOCK
    return min(max(BLOCK, WIDE // (24 * program.rows) // BLOCK * BLOCK), 4 * BLOCK)


def span_of(block: int, steps: int = SPAN) -> int:
    """Steps in as many whole blocks as come closest to a number of steps from below; one block at least."""
    return block * max(1, steps // block)
