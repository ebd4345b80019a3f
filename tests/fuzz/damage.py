"""Files from which simulations and fits go on, damaged after they were written: refused, or the same results."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from random import Random
from typing import NamedTuple
from unittest import mock

import numpy as np

import groupkin as gk
from groupkin.dynamics.simulation import checkpoints
from tests.fuzz.mutations import change_bytes, change_tree
from tests.fuzz.watching import Maker, Pass

HEADER = re.compile(rb"(groupkin \w+ \d+ )(\d+)( [0-9a-f]{64} [0-9a-f]{64}\n)")
"""The first line of such a file: kind and form, size of the content, digests."""

SWINGING = gk.Mechanism(
    2,
    ["frame", gk.Body("arm", mass=1.0, center=(1.0, 0.0)), gk.Body("bob", mass=2.0, center=(2.0, 0.5), inertia=0.1)],
    [gk.Joint("pin", "R", ("frame", "arm"), point=(0, 0)), gk.Joint("knee", "R", ("arm", "bob"), point=(2, 0))],
    gravity=(0.0, -9.81),
)
CRANK = gk.Mechanism(
    2,
    ["frame", gk.Body("crank", points={"P": (1, 0)})],
    [gk.Joint("A", "R", ("frame", "crank"), point=(0, 0))],
    [gk.Driver("A", gk.Ramp(1.0))],
)


class Kept(NamedTuple):
    """A file of progress: its content, the function that goes on from a file, and the numbers that must come of it."""

    name: str
    content: bytes
    go_on: Callable[[Path], list[float]]
    expected: list[float]


class Stopped(BaseException):
    """A computation is stopped."""


def maker(folder: Path) -> Maker:
    """Write good files; returns what damages one of them and goes on from it."""
    path, good = folder / "progress", [each for run in RUNS for each in _written(*run, folder / "written")]

    def passes(random: Random, _: int) -> Iterator[Pass]:
        kept = random.choice(good)
        content = damaged(kept.content, random.choice(good).content, random)
        path.write_bytes(content)
        yield Pass(kept.name, "", partial(_same, kept, path), content)

    return passes


def damaged(content: bytes, other: bytes, random: Random) -> bytes:
    """Damage a file, perhaps by parts of another one; numbers that are changed keep the digest of what was written."""
    header = HEADER.match(content)
    match random.randrange(6):
        case 0:
            return other
        case 1:
            return content[: random.randrange(len(content) + 1)] + other[random.randrange(len(other) + 1) :]
        case 2 | 3 if header is not None:
            kind, _, digests = header.groups()
            text = json.dumps(change_tree(json.loads(content[header.end() :]), random), default=str).encode()
            return kind + str(len(text)).encode() + digests + text
    for _ in range(random.choice((1, 1, 2, 5))):
        content = change_bytes(content, random)
    return content


def _same(kept: Kept, path: Path) -> None:
    """Go on from a file that was damaged; an error if the results are other ones."""
    if kept.go_on(path) != kept.expected:
        raise AssertionError("what was damaged is believed")


def _written(name: str, go_on: Callable[..., list[float]], path: Path) -> Iterator[Kept]:
    """Files of a computation that was stopped at several places, and of one that was done."""
    for stop in (3, 8, 10**9):
        path.unlink(missing_ok=True)
        calls = iter(range(stop))

        def progress(*_: object, calls: Iterator[int] = calls) -> None:
            if next(calls, None) is None:
                raise Stopped

        with suppress(Stopped), mock.patch.object(checkpoints, "EVERY", 0.0):
            go_on(path, progress)
        content = path.read_bytes()
        yield Kept(name, content, go_on, go_on(path))


def _simulate(path: Path, progress: Callable[..., None] | None = None, method: str = "auto") -> list[float]:
    events = [gk.Event("low", "joint knee"), gk.Event("high", "angle arm", -1.0)]
    motion = gk.simulate(
        SWINGING, np.linspace(0, 2, 5), method=method, events=events, checkpoint=path, resume=True, progress=progress
    )
    return [*motion.q.ravel().tolist(), *motion.v.ravel().tolist(), *(event.time for event in motion.events)]


def _fit(path: Path, progress: Callable[..., None] | None = None) -> list[float]:
    wanted = {"position P": [(0.6, 0.8), (-0.8, 0.6)]}
    found = gk.fit(gk.design(CRANK, ["P"]), wanted, at=[0.0, 1.5], starts=4, log=path, progress=progress)
    return [*found.values.tolist(), float(found.error)]


RUNS: tuple[tuple[str, Callable[..., list[float]]], ...] = (
    ("checkpoint", _simulate),
    ("checkpoint of scipy", partial(_simulate, method="RK45")),
    ("log of a fit", _fit),
)
"""Computations that go on from files."""
