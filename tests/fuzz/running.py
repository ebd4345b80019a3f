"""Runs of the fuzz: numbered inputs, each of them a function of the seed and its number."""

from __future__ import annotations

import shutil
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

from tests.fuzz import files, misuse
from tests.fuzz.watching import outcome

REPORT = 30.0
"""Seconds between two lines of progress."""


@dataclass
class Found:
    """What came of the inputs: their outcomes, and what must not be."""

    counts: Counter[str] = field(default_factory=Counter)
    findings: list[str] = field(default_factory=list)
    slowest: float = 0.0

    @property
    def summary(self) -> str:
        counted = ", ".join(f"{number} {kind}" for kind, number in sorted(self.counts.items()))
        return f"{counted}; slowest {self.slowest:.1f} s"


def fuzz(
    inputs: int,
    misuses: int,
    seed: int,
    *,
    first: int = 0,
    seconds: float | None = None,
    keep: Path | None = None,
    show: Callable[[str], None] = lambda line: None,
) -> Found:
    """Mutate files and misuse functions until their numbers or `seconds` are used up.

    Parameters
    ----------
    inputs, misuses : int
        Numbers of mutated files, and of calls with wrong arguments.
    seed : int
    first : int
        Number of the first input, to repeat one of them.
    seconds : float, optional
    keep : Path, optional
        Folder to which files of findings are copied.
    show : callable
        Gets lines of progress, and every finding.
    """
    found, began = Found(), time.monotonic()
    said = began
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        good, calls = files.seeds(folder), misuse.calls(folder)
        for k in range(first, first + max(inputs, misuses)):
            if seconds is not None and time.monotonic() - began > seconds:
                break
            if k < first + inputs:
                _input(found, folder, good, seed, k, keep, show)
            if k < first + misuses:
                random = Random(f"misuse {seed} {k}")
                text, run = misuse.draw(calls, random)
                _count(found, f"misuse {k}", text, run, show)
            if time.monotonic() - said > REPORT:
                said = time.monotonic()
                show(f"{k + 1 - first} of {max(inputs, misuses)} in {said - began:.0f} s: {found.summary}")
    return found


def _input(
    found: Found,
    folder: Path,
    good: list[files.Seed],
    seed: int,
    k: int,
    keep: Path | None,
    show: Callable[[str], None],
) -> None:
    random = Random(f"input {seed} {k}")
    path, kind = files.write_input(folder, good, random)
    printed = random.random() < files.PRINTED
    wrong = _count(found, f"input {k}", f"{kind} {path.name}", lambda: files.run_input(path, kind, printed), show)
    if wrong and keep is not None:
        keep.mkdir(parents=True, exist_ok=True)
        shutil.copy(path, keep / f"{k}-{path.name}")
    for seed_file in good:
        if seed_file.kind == "table":
            (folder / seed_file.name).write_bytes(seed_file.text)


def _count(found: Found, number: str, what: str, run: Callable[[], object], show: Callable[[str], None]) -> bool:
    start = time.monotonic()
    result = outcome(run)
    found.slowest = max(found.slowest, time.monotonic() - start)
    wrong = result not in ("ok", "refused")
    found.counts["found" if wrong else result] += 1
    if wrong:
        found.findings.append(f"{number}, {what}: {result}")
        show(found.findings[-1])
    return wrong
