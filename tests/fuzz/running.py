"""Runs of the fuzz: numbered inputs of several kinds, each of them a function of the seed and its number."""

from __future__ import annotations

import faulthandler
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from unittest import mock

from sglibrary import written_out
from tests.fuzz import damage, files, loaded, misuse, models
from tests.fuzz.watching import Maker, Pass, outcome

REPORT = 30.0
"""Time between two lines of progress (s)."""

DEAF = 600.0
"""Time (s) after which a process ends that does not hear its alarms, with compilation on a busy machine."""

KINDS: dict[str, Callable[[Path], Maker]] = {
    "input": files.maker,
    "misuse": misuse.maker,
    "loaded": loaded.maker,
    "damaged": damage.maker,
    "model": models.maker,
}
"""Kinds of inputs, by what makes them: files, arguments, and models that are changed or damaged at random."""


@dataclass
class Found:
    """What came of the inputs: their outcomes, and what must not be."""

    counts: Counter[str] = field(default_factory=Counter)
    findings: list[str] = field(default_factory=list)
    slowest: tuple[float, str] = (0.0, "")

    @property
    def summary(self) -> str:
        counted = ", ".join(f"{number} {kind}" for kind, number in sorted(self.counts.items()))
        return f"{counted}; slowest {self.slowest[0]:.1f} s ({self.slowest[1]})"


def fuzz(
    numbers: Mapping[str, int],
    seed: int,
    *,
    first: int = 0,
    seconds: float | None = None,
    keep: Path | None = None,
    show: Callable[[str], None] = lambda line: None,
) -> Found:
    """Run inputs of several kinds until their numbers or `seconds` are used up.

    Parameters
    ----------
    numbers : mapping of str to int
        How many inputs of each kind, see `KINDS`.
    seed : int
    first : int
        Number of the first input, to repeat one of them.
    seconds : float, optional
    keep : Path, optional
        Folder in which files of findings are kept, and the input that is being run, as "current"; the process is then
        ended if it is deaf to signals.
    show : callable
        Gets lines of progress, and every finding.
    """
    found, began = Found(), time.monotonic()
    if keep is not None:
        keep.mkdir(parents=True, exist_ok=True)
    said, most = began, max(numbers.values())
    # to compile the groups of every input would take a second each, for the same bits
    line_by_line = mock.patch.object(written_out, "is_compiled", return_value=False)
    with tempfile.TemporaryDirectory() as name, line_by_line:
        made = {kind: KINDS[kind](Path(name)) for kind, number in numbers.items() if number}
        for k in range(first, first + most):
            if seconds is not None and time.monotonic() - began > seconds:
                break
            for kind in made:
                if k < first + numbers[kind]:
                    _run(found, f"{kind} {seed} {k}", made[kind](Random(f"{kind} {seed} {k}"), k), keep, show)
            if time.monotonic() - said > REPORT:
                said = time.monotonic()
                show(f"{k + 1 - first} of {most} in {said - began:.0f} s: {found.summary}")
    return found


def _run(found: Found, number: str, passes: Iterable[Pass], keep: Path | None, show: Callable[[str], None]) -> None:
    """Run all that is done with one input, and count what comes of it."""
    for each in passes:
        if keep is not None:  # what kills the process or is deaf to signals is found there
            (keep / "current").write_bytes(f"{number}, {each.name} {each.what}\n".encode(errors="replace") + each.kept)
            faulthandler.dump_traceback_later(DEAF, exit=True)
        start = time.process_time()
        result = outcome(each.run)
        found.slowest = max(found.slowest, (time.process_time() - start, f"{number}, {each.name}"))
        wrong = result not in ("ok", "refused")
        found.counts[f"{each.name}: {'found' if wrong else result}"] += 1
        if wrong:
            found.findings.append(f"{number}, {each.name} {each.what}: {result}")
            show(found.findings[-1])
            if keep is not None:
                (keep / f"{number.replace(' ', '-')}-{each.name}").write_bytes(each.kept)
