"""The one list of groups with a solver in closed form. Tests, reports and the choice of solvers run over it.

Newton's method solves all others, among them the chains R-C-S, R-S-C and C-R-S, where a circle meets a cylinder in up
to four points and the roots of that quartic lose half their digits near double ones; chains of two bodies without an S
joint; and bodies on gears, wheels and racks, which need the whole turns of angles and so depend on the past.
"""

from dataclasses import replace

from sglibrary.chain import Solver
from sglibrary.planar.forms import FORMS as PLANAR
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
