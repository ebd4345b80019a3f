"""Blocks of steps: their memory, their drivers, and one pass of all groups over them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from groupkin.errors import LawError
from groupkin.kinematics.program import TIME_ROW, Program
from sglibrary.trigonometry import cosine_sine

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Buffers:
    """Memory of one worker: a block of the state, and the status of every group."""

    q: Array
    v: Array
    a: Array
    status: NDArray[np.uint8]
    conditioning: Array


def pitch_of(n: int) -> int:
    """Row length: whole cache lines, but not a multiple of 4,096 bytes, or rows would compete for the same ones."""
    pitch = -(-n // 8) * 8
    return pitch + 16 if (pitch * 8) % 4096 < 128 else pitch


def buffers(program: Program, block: int) -> Buffers:
    """Memory for one worker; what is attached to the frame is filled in."""
    pitch = pitch_of(block)
    q, v, a = (np.zeros((program.rows, pitch)) for _ in range(3))
    for row, value in program.fixed.items():
        q[row] = value
    groups = len(program.structure.groups)
    return Buffers(q, v, a, np.zeros((groups, pitch), np.uint8), np.zeros((groups, pitch)))


def drive(program: Program, times: Array) -> list[tuple[Array, ...]]:
    """Value, rate and acceleration of every driver at some times, and of an angle its cosine and sine."""
    return [with_turn(driven.law.at(times), driven.rotation) for driven in program.drivers]


def with_turn(rows: Array, rotation: bool) -> tuple[Array, ...]:
    """Rows (3, n) of a driver, and of an angle its cosine and sine."""
    if not rotation:
        return tuple(rows)
    cosine, sine = np.empty(rows.shape[1]), np.empty(rows.shape[1])
    cosine_sine(rows[0], cosine, sine)
    return (*rows, cosine, sine)


def check_middle(program: Program, drivers: list[tuple[Array, ...]], times: Array) -> None:
    """Refuse a driver that takes the middle one of three rotations to a quarter turn."""
    for driven, (value, *_) in zip(program.drivers, drivers, strict=True):
        if driven.middle and np.abs(value).max() >= np.pi / 2:
            first = int(np.argmax(np.abs(value) >= np.pi / 2))
            raise LawError(
                f"joint {driven.joint!r}: its second rotation is driven to {value[first]:.4g} rad at "
                f"t = {times[first]:.4g} s; the middle one of three rotations must stay within π/2"
            )


def load(program: Program, drivers: list[tuple[Array, ...]], times: Array, buffer: Buffers, span: slice) -> None:
    """Write times and drivers of a block into its state; `span` is the block's place in them."""
    n = span.stop - span.start
    buffer.q[TIME_ROW, :n] = times[span]
    for driven, (value, rate, gain, *turn) in zip(program.drivers, drivers, strict=True):
        row = driven.row
        buffer.q[row, :n], buffer.v[row, :n], buffer.a[row, :n] = value[span], rate[span], gain[span]
        for k, x in enumerate(turn):
            buffer.q[row + 1 + k, :n] = x[span]


def run_block(program: Program, memories: tuple[Array, ...], buffer: Buffers, n: int) -> None:
    """Solve all groups for the first n steps of a block, in order."""
    for step, memory in zip(program.steps, memories, strict=True):
        status, conditioning = buffer.status[step.group - 1], buffer.conditioning[step.group - 1]
        step.kernel(buffer.q, buffer.v, buffer.a, memory, step.rows, step.constants, status, conditioning, n)
