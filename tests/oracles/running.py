"""Runs of random mechanisms against the oracles: each a function of its number."""

from __future__ import annotations

import time
import traceback
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace

import numpy as np

import groupkin as gk
from tests.oracles import inverse, simulations
from tests.oracles.outcome import Outcome
from tests.support import random_loads

REPORT = 30.0
"""Seconds between two lines of progress."""

TIMES = np.linspace(0.0, 2.0, 21)
"""Times (s) at which simulated poses are compared."""

Show = Callable[[str], None]


@dataclass
class Found:
    """What came of the mechanisms.

    Attributes
    ----------
    outcomes : Counter
        By kind.
    kinds : Counter
        Mechanisms that agree, by pairs, groups, forces and masses in them.
    findings : list of str
        What must not be.
    largest : float
        Largest difference over its bound where both agree.
    """

    outcomes: Counter[str] = field(default_factory=Counter)
    kinds: Counter[str] = field(default_factory=Counter)
    findings: list[str] = field(default_factory=list)
    largest: float = 0.0

    @property
    def summary(self) -> str:
        counted = ", ".join(f"{number} {kind}" for kind, number in sorted(self.outcomes.items()))
        return f"{counted}; largest difference {self.largest:.2g} of its bound"


def run(what: str, count: int, first: int = 0, show: Show = lambda line: None, seconds: float | None = None) -> Found:
    """Compare mechanisms until so many were, or `seconds` are used up.

    Parameters
    ----------
    what : str
        "inverse" or "simulations".
    count : int
        Mechanisms; seeds whose geometry does not move are not among them.
    first : int
        The first seed, to repeat one of them.
    show : callable
        Gets lines of progress, and every finding.
    seconds : float, optional
    """
    found, began, seed, done = Found(), time.monotonic(), first, 0
    said = began
    compared = {"inverse": _forces, "simulations": _motion}[what]
    while done < count and (seconds is None or time.monotonic() - began < seconds):
        try:
            each = compared(seed)
        except Exception as error:  # what escapes is a finding as well
            line = traceback.extract_tb(error.__traceback__)[-1]
            each = Outcome("different", np.inf, f"{type(error).__name__} in {line.name}: {error}"), Counter[str]()
        if each is not None:
            done += 1
            _count(found, f"{what} --first {seed}", *each, show)
        seed += 1
        if time.monotonic() - said > REPORT:
            said = time.monotonic()
            show(f"{done} of {count}, up to seed {seed - 1}, in {said - began:.0f} s: {found.summary}")
    return found


def _count(found: Found, name: str, outcome: Outcome, kinds: Counter[str], show: Show) -> None:
    found.outcomes[outcome.kind] += 1
    if outcome.kind == "agree":
        found.kinds.update(kinds)
        found.largest = max(found.largest, outcome.size)
    elif outcome.wrong:
        found.findings.append(f"{name}: {outcome.kind} by {outcome.size:.2g}: {outcome.where}")
        show(found.findings[-1])


def _forces(seed: int) -> tuple[Outcome, Counter[str]] | None:
    motion = random_loads.moved(seed)
    return None if motion is None else (inverse.compare(motion), kinds(motion.program))


def _motion(seed: int) -> tuple[Outcome, Counter[str]] | None:
    drawn = random_loads.falling(seed)
    if drawn is None:
        return None
    mechanism, start = drawn
    outcome = simulations.compare(mechanism, start, TIMES)
    laws = [replace(driver, law=driver.law or gk.Constant(0.0)) for driver in mechanism.drivers]
    return outcome, kinds(gk.program(replace(mechanism, drivers=laws)))


def kinds(program: gk.Program) -> Counter[str]:
    """What is in a mechanism, each once: pairs, groups by the solver and unknowns, couplings, forces, masses."""
    mechanism, found = program.mechanism, set[str]()
    where = "plane" if mechanism.dimension == 2 else "space"
    found |= {f"pair {joint.type} in the {where}" for joint in mechanism.joints}
    found |= {"coupling by a table" if each.of else "coupling by a formula" for each in mechanism.couplings}
    found |= {f"force {type(load).__name__}" for load in mechanism.forces}
    heavy = sum(mechanism.body[name].mass > 0 for name in mechanism.movable)
    count = len(mechanism.movable)
    found.add(f"masses on {'all' if heavy == count else 'none' if not heavy else 'one' if heavy == 1 else 'some'}")
    for group, solver in zip(program.structure.groups, program.solvers, strict=True):
        if solver == "newton":
            call = next(call for call in program.calls if call.group == group.number and call.knot is not None)
            found.add(f"Newton group of {int(call.rows[1])} unknowns")
        else:
            found.add("hub" if solver == "hub" else "closed form")
    found.add("several groups" if len(program.structure.groups) > 1 else "one group")
    return Counter(found)
