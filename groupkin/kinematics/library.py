"""The catalog of solvers for people: every group with a closed form, the solver of all others, and the cost of a step.

A cost is measured on a random chain between two bodies that move: position, velocity and acceleration of a block of
steps that stays in cache, with compiled kernels, and without the cost of a call, which comes once per block.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from groupkin.kinematics.program.building import build
from groupkin.kinematics.program.program import Call
from groupkin.kinematics.program.solver_choice import DIRECT, HUB, NEWTON, SUBSTITUTE
from groupkin.kinematics.solving.driver_values import drive, given_drivers
from groupkin.kinematics.solving.state_memory import block_state
from groupkin.kinematics.solving.tracking import track
from groupkin.mechanism.couplings.couplings import Coupling
from groupkin.mechanism.laws.laws import Harmonic
from groupkin.mechanism.mechanism import Driver, Joint, Mechanism
from groupkin.mechanism.pairs import freedoms
from groupkin.model.geometry.geometry import random_geometry
from groupkin.structure.signature import GroupGraph, label, signature
from sglibrary import status as codes
from sglibrary.chain import Solver
from sglibrary.run.calls import load

Chain = Sequence[tuple[int, int, str]]

BLOCK = 512
"""Steps of a block."""

REPEATED, SECONDS = 100, 5e-4
"""Number of turns, the fastest of which is the cost, and seconds of calls in each: the shorter a turn, the more likely
it is not disturbed by other programs."""

TRIES = 200
"""Number of random chains among which one is chosen that stays clear of singular positions."""

FREE = {2: "FP*123", 3: "F*123456"}
"""The joint that moves a body in any way, by dimension."""

FOLLOWS = "gears, a rack or a coupling relate its freedom to driven ones"
"""Instead of a signature, what tells a body on a hinge or slide whose freedom is a linear function of others."""

TRIAD: Chain = tuple(edge for leg in (1, 2, 3) for edge in ((-1, leg, "R"), (leg, 0, "R")))
"""The group on which the solvers of all others are measured: a plane triad, four bodies and six hinges."""


@dataclass(frozen=True)
class Entry:
    """A kind of group and its solver.

    Attributes
    ----------
    name : str
    dimension : {2, 3}, or 0 for any
    signature, label, picture : str
    modes : int or None
        Largest number of assembly modes; None if only a search finds them.
    closed : bool
        A closed form, not Newton's method.
    nanoseconds : float or None
        Cost of a step; None if not measured.
    """

    name: str
    dimension: int
    signature: str
    label: str
    picture: str
    modes: int | None
    closed: bool
    nanoseconds: float | None = None


def catalog(measure: bool = False, progress: Callable[[int, int], None] | None = None) -> tuple[Entry, ...]:
    """List all kinds of groups that have a closed form, and last the solvers of all others.

    Parameters
    ----------
    measure : bool
        Measure the cost of a step on this machine, which takes seconds, and longer if kernels must be compiled.
    progress : callable, optional
        Called with the number of entries measured and of all.
    """
    from sglibrary.catalog import COUPLED, GROUPS, REPEATING

    flat = {solver.name for solver in REPEATING}
    known: list[tuple[Entry, Chain]] = [(_entry(solver), solver.chain) for solver in (*GROUPS, *REPEATING, *COUPLED)]
    known.append((Entry(HUB, 0, "one body held by rods and telescopes", "any", "", None, closed=False), TRIAD))
    known.append((Entry(NEWTON, 0, "any other group", "any", "", None, closed=False), TRIAD))
    entries = []
    for k, (entry, chain) in enumerate(known):
        wanted = DIRECT if entry.name == NEWTON else SUBSTITUTE
        coupled = entry.signature == FOLLOWS
        plane = entry.name in flat
        cost = step_cost(entry.dimension or 2, chain, wanted, coupled, plane) if measure else None
        entries.append(replace(entry, nanoseconds=cost))
        if progress is not None:
            progress(k + 1, len(known))
    return tuple(entries)


def _entry(solver: Solver) -> Entry:
    dimension, chain = solver.dimension, solver.chain
    bodies = 1 + max(body for a, b, _ in chain for body in (a, b))
    text = FOLLOWS if solver.coupled else signature(GroupGraph(dimension, bodies, tuple(chain)))[0]
    kind = label([code.partition("*")[0] for _, _, code in chain], dimension)
    return Entry(solver.name, dimension, text, kind, picture(chain, dimension), 2**solver.modes, closed=True)


def picture(chain: Chain, dimension: int) -> str:
    """Draw a chain as text: solved bodies ▮, bodies of the group ○, a star where all freedoms of a joint are driven.

    Examples
    --------
    >>> picture([(-1, 0, "U"), (0, 1, "P"), (1, -1, "S")], 3), picture([(-1, 0, "R*1")], 2)
    ('▮─U─○─P─○─S─▮', '▮─R*─○')
    """
    rest, last, text = list(chain), -1, "▮"
    while rest:
        edge = next((edge for edge in rest if last in edge[:2]), None)
        if edge is None or (last == -1 and text != "▮"):  # no single chain: its joints one by one, bodies by number
            return ", ".join(f"{_end(a)}─{_joint(code, dimension)}─{_end(b)}" for a, b, code in chain)
        rest.remove(edge)
        last = edge[1] if edge[0] == last else edge[0]
        text += f"─{_joint(edge[2], dimension)}─{'▮' if last == -1 else '○'}"
    return text


def _end(body: int) -> str:
    return "▮" if body < 0 else str(body + 1)


def _joint(code: str, dimension: int) -> str:
    symbol, _, driven = code.partition("*")
    return f"{symbol}*" if driven and len(driven) == len(freedoms(symbol, dimension)) else code


# --- the cost of a step ----------------------------------------------------------------------


def step_cost(
    dimension: int, chain: Chain, wanted: str = SUBSTITUTE, coupled: bool = False, plane: bool = False
) -> float | None:
    """Measure the nanoseconds per step of the kernel that solves a chain; None if no random chain moves."""
    for seed in range(TRIES):
        program = build(instance(dimension, chain, np.random.default_rng(seed), coupled, plane), wanted=wanted)
        times = np.linspace(0.0, 1.0, BLOCK)
        state = block_state(program, BLOCK)
        load(times, given_drivers(program, drive(program, times)), state, 0, BLOCK)
        memories = track(program, times, resume=False)
        last = len(program.structure.groups)
        status, conditioning = np.zeros(BLOCK, np.uint8), np.zeros(BLOCK)
        for call, memory in zip(program.calls, memories, strict=True):
            arguments = (*state[:3], memory, call.rows, call.constants, status, conditioning)
            call.kernel(*arguments, BLOCK)
            if call.group == last:
                break
        if (status == codes.SOLVED).all() and conditioning.min() > 0.1:
            return _timed(call, arguments)
    return None


def _timed(call: Call, arguments: tuple[Any, ...]) -> float:
    """Time a call in nanoseconds per step, less the time of a call without steps."""

    def seconds(n: int, calls: int) -> float:
        start = time.perf_counter()
        for _ in range(calls):
            call.kernel(*arguments, n)
        return (time.perf_counter() - start) / calls

    calls = 1 + int(SECONDS / seconds(BLOCK, 1))
    full, empty = (min(seconds(n, calls) for _ in range(REPEATED)) for n in (BLOCK, 0))
    return (full - empty) * 1e9 / BLOCK


def instance(
    dimension: int, chain: Chain, rng: np.random.Generator, coupled: bool = False, plane: bool = False
) -> Mechanism:
    """Make a mechanism whose last group is a chain of random geometry between two bodies that move a little.

    Parameters
    ----------
    dimension : {2, 3}
    chain : sequence of (int, int, str)
        As `sglibrary.chain.Solver.chain`.
    rng : numpy.random.Generator
    coupled : bool
        The one joint of the chain moves by half of what a driven joint of its kind moves.
    plane : bool
        All bodies move in the plane of x and y, described in space.
    """
    bodies = ["ground", "left", "right"]
    bodies += [f"body {k + 1}" for k in range(1 + max(body for a, b, _ in chain for body in (a, b)))]
    right = "R*1" if plane else FREE[dimension]
    left = f"{chain[0][2]}*1" if coupled else right
    edges = [("ground", "left", left), ("ground", "right", right)]
    outside = iter(bodies[1:3] * len(chain))
    for a, b, code in chain:
        first, second = (next(outside) if body < 0 else bodies[3 + body] for body in (a, b))
        edges.append((first, second, code))
    joints, drivers = [], []
    for number, (first, second, code) in enumerate(edges):
        symbol, _, driven = code.partition("*")
        joint = random_geometry(Joint(f"{number}", symbol, (first, second)), dimension, rng)
        across = (0.0, 0.0, 1.0) if symbol == "R" else (*rng.normal(size=2), 0.0)
        joints.append(replace(joint, axis=across) if plane else joint)
        names = [freedom.name for freedom in freedoms(symbol, dimension)]
        for k in driven:
            law = Harmonic(amplitude=0.1 * rng.uniform(0.3, 1), frequency=rng.uniform(0.2, 0.6))
            drivers.append(Driver(f"{number}", law, names[int(k) - 1]))
    follows = [Coupling("half", f"{{joint {joints[-1].name}}} = 0.5 * {{joint {joints[0].name}}}")] if coupled else ()
    return Mechanism(dimension, bodies, joints, drivers, couplings=follows)
