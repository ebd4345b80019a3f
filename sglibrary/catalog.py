"""The one list of groups with a solver in closed form. Tests, reports and the choice of solvers run over it.

Newton's method solves all others, among them the chains R-C-S, R-S-C and C-R-S, where a circle meets a cylinder in up
to four points and the roots of that quartic lose half their digits near double ones; chains of two bodies without an S
joint; and bodies on gears, wheels and racks, which need the whole turns of angles and so depend on the past.
"""

from collections.abc import Callable
from dataclasses import replace

from sglibrary import coupled
from sglibrary.chain import Solver
from sglibrary.planar.forms import FORMS as PLANAR
from sglibrary.spatial import hinged
from sglibrary.spatial.forms import FORMS as SPATIAL


def _with(solver: Solver, symbol: str, other: str) -> tuple[Solver, ...]:
    """The same solver for another pair with the same equations, if the chain has the pair."""
    codes = [code.split("*") for *_, code in solver.chain]
    if symbol not in [head for head, *_ in codes]:
        return ()
    renamed = ["*".join([other if head == symbol else head, *driven]) for head, *driven in codes]
    chain = tuple((a, b, code) for (a, b, _), code in zip(solver.chain, renamed, strict=True))
    return (replace(solver, name=solver.name.replace(symbol, other), chain=chain),)


GROUPS: tuple[Solver, ...] = (
    *PLANAR,
    *(same for solver in PLANAR for same in _with(solver, "SPSP", "RD")),
    *SPATIAL,
    *(same for solver in SPATIAL for same in _with(solver, "U", "ER")),
)


REPEATING: tuple[Solver, ...] = (
    Solver(
        name="RRR, plane or sphere",
        dimension=3,
        chain=((-1, 0, "R"), (0, 1, "R"), (1, -1, "R")),
        inputs=(("point", 0), ("axis", 0), ("point", 2), ("axis", 2)),
        written=12,
        signs=(3,),
        motion=hinged.motion,
        measure=hinged.measure,
    ),
    Solver(
        name="RRP, plane",
        dimension=3,
        chain=((-1, 0, "R"), (0, 1, "R"), (1, -1, "P")),
        inputs=(("attached", 0), ("axis", 2), ("point", 0), ("axis", 0)),
        shared=(("normal", 2), ("binormal", 2)),
        written=9,
        signs=(1,),
        motion=hinged.sliding,
        measure=hinged.measure_sliding,
    ),
)
"""Solvers of groups whose joints repeat each other, as they are those of a plane or of a sphere."""


def _coupled(driven: Solver, symbol: str, kernels: dict[int, Callable[..., None]]) -> Solver:
    """The solver of a driven body for one whose driver is a linear function of others."""
    return replace(
        driven, name=f"coupled {symbol}", chain=((-1, 0, symbol),), motion=kernels[driven.dimension], coupled=True
    )


COUPLED: tuple[Solver, ...] = tuple(
    _coupled(solver, symbol, kernels)
    for symbol, kernels in (
        ("R", {2: coupled.turned_in_plane, 3: coupled.turned_in_space}),
        ("P", {2: coupled.shifted_in_plane, 3: coupled.shifted_in_space}),
    )
    for solver in GROUPS
    if solver.name == f"driven {symbol}"
)
"""Solvers of a body on a hinge or slide whose freedom gears, racks or couplings relate to driven freedoms."""
