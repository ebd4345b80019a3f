"""Every kind of quantity in everything that takes one: it works, or is refused by an error of the project."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import cluster
import groupkin as gk
from groupkin.errors import GroupkinError
from groupkin.kinematics.motion.kinds import EVERY
from groupkin.synthesis.statement import stated
from tests.support.examples import EXAMPLES

TIMES = np.linspace(0.0, 0.1, 5)

PLANAR = {
    "body or point": ["coupler", "P"],
    "body": ["coupler"],
    "joint": ["A", "D"],
    "two points": ["B-P"],
    "two bodies": ["crank-coupler", "ground-rocker"],
    "point and body": ["P-crank", "C-ground"],
    "two joints": ["A-D"],
    "corner": ["B-C-D"],
    "groups": ["", "coupler"],
    "joints": ["", "C"],
    "output": ["height", "pair", "speed"],
    "robot": ["tool"],
    "output and driver": ["height-A"],
}
SPATIAL = {
    "body or point": ["rod", "C"],
    "body": ["rod"],
    "joint": ["A", "B", "guide"],
    "two points": ["A-C"],
    "two bodies": ["crank-rod"],
    "point and body": ["C-crank"],
    "two joints": ["A-guide"],
    "corner": ["A-B-C"],
    "groups": [""],
    "joints": [""],
    "output": ["height"],
    "robot": ["tool"],
    "output and driver": ["height-A"],
}
ROBOT = gk.Robot("P", stiffness={"A": 1e4}, errors={"A": 1e-3}, name="tool")
OUTPUTS = {
    "height": "2*{position P.y} - 3 mm",
    "pair": "{position P} - {position C}",
    "speed": "norm({velocity P})",
}


@cache
def planar() -> gk.Mechanism:
    mechanism = gk.load(EXAMPLES / "four_bar.toml")
    bodies = [replace(body, mass=1.0, center="middle", inertia=0.1) for body in mechanism.body.values() if body.name]
    return replace(mechanism, bodies=[mechanism.body[mechanism.frame], *bodies[1:]], outputs=OUTPUTS, robots=[ROBOT])


@cache
def spatial() -> gk.Mechanism:
    mechanism = gk.load(EXAMPLES / "spatial_four_bar.toml")
    robot = replace(ROBOT, tool="C")
    return replace(mechanism, outputs={"height": "{position B.z} + 1 mm"}, robots=[robot])


def texts(names: dict[str, list[str]], components: tuple[str, ...]) -> list[str]:
    every = [
        f"{kind} {name}".strip() + (f".{component}" if component else "")
        for kind, kind_of in EVERY.items()
        for name, component in product(names[kind_of.of], components)
        if name or not component
    ]
    return [*every, "P", "coupler.x", "nothing", "", " ", "position", "position .x", "angle P.norm", "joint D.angle"]


@cache
def program(mechanism: Callable[[], gk.Mechanism]) -> gk.Program:
    return gk.program(mechanism())


@cache
def design(mechanism: Callable[[], gk.Mechanism]) -> gk.Design:
    return gk.design(program(mechanism), ["length crank A-B"] if mechanism is planar else ["B@crank.x"])


@cache
def motion(mechanism: Callable[[], gk.Mechanism]) -> gk.Motion:
    return gk.solve(program(mechanism), TIMES)


Make = Callable[[], gk.Mechanism]


def in_keep(make: Make, text: str, _: Path) -> Any:
    return gk.solve(program(make), TIMES, keep=[text]).to_xarray()


def in_read(make: Make, text: str, _: Path) -> Any:
    return motion(make).read(text)


def in_forces(make: Make, text: str, _: Path) -> Any:
    return gk.inverse_dynamics(motion(make)).read(text)


def in_one_design(make: Make, text: str, _: Path) -> Any:
    of = design(make)
    return of.solve(of.nominal, TIMES, keep=[text]).to_xarray()


def in_many_designs(make: Make, text: str, _: Path) -> Any:
    of = design(make)
    return of.solve(np.stack([of.nominal] * 2), TIMES, keep=[text])


def in_differentiated_designs(make: Make, text: str, _: Path) -> Any:
    of = design(make)
    return of.solve(np.stack([of.nominal] * 2), TIMES, keep=[text], derivatives=True)


def in_derivatives(make: Make, text: str, _: Path) -> Any:
    of = design(make)
    return of.solve(of.nominal, TIMES, derivatives=True).read(text)


def in_tolerance(make: Make, text: str, _: Path) -> Any:
    return design(make).tolerance(1e-4, TIMES, keep=[text])


def in_jacobian(make: Make, text: str, _: Path) -> Any:
    return gk.jacobian(motion(make), [text])


def in_targets(make: Make, text: str, _: Path) -> Any:
    size = np.size(motion(make).read(text)[0])
    return misses(in_fit(make, {text: np.zeros((3, size))}, None))


def in_least(make: Make, text: str, _: Path) -> Any:
    point = "P" if make is planar else "C"
    targets = {f"position {point}": motion(make).position(point)[:2]}
    return misses(in_fit(make, targets, {text: -1e9}))


def in_fit(make: Make, targets: dict[str, Any], least: dict[str, float] | None) -> Any:
    at = np.linspace(0.0, 0.2, len(next(iter(targets.values()))))
    return stated(design(make), targets, at, False, "A", None, None, least, True, False, None)


def misses(problem: Any) -> Any:
    """Weighted misses of the nominal design, their derivatives, and the room to the edge."""
    unknowns, direction = problem.unknowns(problem.design.nominal, problem.at)[None], np.ones(1)
    return (
        problem.residuals(unknowns, direction),
        problem.jacobian(unknowns, direction),
        problem.room(unknowns, direction),
    )


def in_plot(make: Make, text: str, folder: Path) -> Any:
    return gk.plot(motion(make), text, out=folder / "p.svg")


def in_plot_against(make: Make, text: str, folder: Path) -> Any:
    return gk.plot(motion(make), "joint A", against=text, out=folder / "p.svg")


def in_force_plot(make: Make, text: str, folder: Path) -> Any:
    return gk.inverse_dynamics(motion(make)).plot(text, out=folder / "p.svg")


def in_page(make: Make, text: str, folder: Path) -> Any:
    return gk.animate(motion(make), folder / "p.html", plot=[text])


def in_output(make: Make, text: str, _: Path) -> Any:
    mechanism = replace(make(), outputs={**make().outputs, "of it": f"2*{{{text}}}"})
    return gk.solve(mechanism, TIMES).read("output 'of it'")


def in_coupling(make: Make, text: str, _: Path) -> Any:
    mechanism = replace(make(), drivers=(), couplings=[gk.Coupling("k", f"{{{text}}}")])
    return gk.analyze(mechanism)


def in_event(make: Make, text: str, _: Path) -> Any:
    mechanism = replace(make(), drivers=(), outputs=make().outputs)
    return gk.simulate(mechanism, [0.0, 0.001], events=[gk.Event("e", text)])


def in_sweep(kept: Callable[[Any], Any], derivatives: bool = False) -> Callable[[Make, str, Path], Any]:
    def consume(make: Make, text: str, _: Path) -> Any:
        of = gk.parameter("length crank A-B" if make is planar else "B@crank.x", make())
        nominal = float(gk.nominal_value(of, program(make)))
        varies = cluster.Parameter(of, cluster.Listed([nominal, nominal * 1.001]))
        found = cluster.sweep(
            make(), [varies], TIMES, [kept(gk.quantity(text, make(), forces=True))], derivatives=derivatives
        )
        return cluster.solve(found)

    return consume


CONSUMERS: dict[str, Callable[[Make, str, Path], Any]] = {
    "keep": in_keep,
    "read": in_read,
    "forces": in_forces,
    "one design": in_one_design,
    "many designs": in_many_designs,
    "differentiated designs": in_differentiated_designs,
    "derivatives": in_derivatives,
    "tolerance": in_tolerance,
    "jacobian": in_jacobian,
    "targets": in_targets,
    "least": in_least,
    "plot": in_plot,
    "against": in_plot_against,
    "plot of forces": in_force_plot,
    "page": in_page,
    "output": in_output,
    "coupling": in_coupling,
    "event": in_event,
}
REDUCTIONS: dict[str, Callable[[Any], Any]] = {
    "history": cluster.TimeHistory,
    "minimum": cluster.Minimum,
    "range": cluster.Range,
    "at": lambda of: cluster.At(of, time=0.05),
    "when": lambda of: cluster.At("joint A", event=cluster.When(of, 0.0)),
    "limit": lambda of: cluster.Occupancy("P", [0, 0], [1, 1], [2, 2], limits=[cluster.Limit(of, low=0.0)]),
}
CONSUMERS |= {f"{name} of a sweep": in_sweep(kept) for name, kept in REDUCTIONS.items()}
CONSUMERS |= {f"{name} of a sweep, derivatives": in_sweep(REDUCTIONS[name], True) for name in ("history", "minimum")}

QUICK = ("keep", "many designs", "differentiated designs", "derivatives", "minimum of a sweep, derivatives")
"""Consumers that are always tried."""

KINDS = {"plane": (planar, texts(PLANAR, ("", "x", "norm"))), "space": (spatial, texts(SPATIAL, ("", "z", "norm")))}


def unlike(make: Make, text: str, consume: Callable[[Make, str, Path], Any], folder: Path) -> str:
    """How a consumer fails that neither works nor refuses; empty if it does not."""
    try:
        consume(make, text, folder)
    except GroupkinError as error:
        return "" if len(str(error)) > 10 else f"says {error}"
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return ""


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("dimension", KINDS)
@pytest.mark.parametrize(
    "consumer", [pytest.param(x, marks=() if x in QUICK else pytest.mark.exhaustive) for x in CONSUMERS]
)
def test_every_quantity_works_or_is_refused(consumer: str, dimension: str, tmp_path: Path) -> None:
    make, every = KINDS[dimension]
    found = {text: unlike(make, text, CONSUMERS[consumer], tmp_path) for text in every}
    assert {text: error for text, error in found.items() if error} == {}
