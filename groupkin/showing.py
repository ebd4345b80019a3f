"""How mechanisms, structures, motions and results are shown, by methods such as `Motion.plot`.

Pictures, pages and plots are made in `groupkin.look`, on top of all that they show. The methods find their functions in
the table here, so nothing imports upward, and matplotlib is imported when something is drawn.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import MISSING, dataclass, field, fields
from typing import Any

import numpy as np

from groupkin.by_name import function

RENDERERS = {
    "Mechanism.draw": "groupkin.look.notebook:draw",
    "Motion.draw": "groupkin.look.notebook:draw",
    "Motion.plot": "groupkin.look.plots.plots:plot",
    "Motion.animate": "groupkin.look.notebook:animate",
    "Workspace.plot": "groupkin.look.plots.workspace_plots:plot_workspace",
    "Limits.plot": "groupkin.look.plots.limit_plots:plot_limits",
    "Forces.plot": "groupkin.look.plots.force_plots:plot_forces",
    "Forces.draw": "groupkin.look.force_pictures:draw_forces",
    "Fit.plot": "groupkin.look.plots.fit_plots:plot_fit",
}
"""The function behind each method: its module and its name. It takes the arguments of the method, the object first."""

NOTEBOOK, RESULTS = "groupkin.look.notebook", "groupkin.look.results"
CELLS = {
    "AssemblyModes": f"{RESULTS}:modes_html",
    "Atlas": f"{RESULTS}:atlas_html",
    "CamProfile": f"{RESULTS}:cam_html",
    "Counterweights": f"{RESULTS}:counterweights_html",
    "Design": f"{RESULTS}:design_html",
    "Designs": f"{RESULTS}:designs_html",
    "Differences": f"{RESULTS}:differences_html",
    "Examples": f"{RESULTS}:examples_html",
    "Field": f"{RESULTS}:field_html",
    "Fit": f"{RESULTS}:fit_html",
    "Forces": f"{RESULTS}:forces_html",
    "Harmonics": f"{RESULTS}:harmonics_html",
    "ImportedModel": f"{RESULTS}:imported_html",
    "Jacobian": f"{RESULTS}:jacobian_html",
    "Limits": f"{RESULTS}:limits_html",
    "Linearization": f"{RESULTS}:linearization_html",
    "Mechanism": f"{NOTEBOOK}:mechanism_html",
    "MechanismFile": f"{RESULTS}:file_html",
    "Motion": f"{NOTEBOOK}:motion_html",
    "PeriodicMotion": f"{RESULTS}:periodic_html",
    "Program": f"{RESULTS}:program_html",
    "Simulations": f"{RESULTS}:simulations_html",
    "Structure": f"{NOTEBOOK}:structure_html",
    "Tolerance": f"{RESULTS}:tolerance_html",
    "Transformations": f"{RESULTS}:transformations_html",
    "Tree": "routes.cli.route_drawing:tree_html",
    "Workspace": f"{RESULTS}:workspace_html",
}
"""The function that writes what a notebook shows of an object, by the class of the object."""

LONGEST_VALUE = 60
"""Characters of a value of a field that `brief` writes; of what is longer it writes the size."""


def renderer(method: str) -> Callable[..., Any]:
    """Return the function behind a method, such as ``"Motion.plot"``."""
    return function(RENDERERS[method])


class InNotebooks:
    """What a notebook shows of an object where a cell returns it: what the function in `CELLS` writes."""

    def _repr_html_(self) -> str | None:
        name = next(kind.__name__ for kind in type(self).__mro__ if kind.__name__ in CELLS)
        shown: str | None = function(CELLS[name])(self)
        return shown


def brief(part: Any) -> str:
    """Write a dataclass on one line: its class, and the fields that are not their defaults, long ones by their size.

    Examples
    --------
    >>> @dataclass
    ... class Curve:
    ...     points: list[float]
    ...     closed: bool = False
    >>> brief(Curve([0.0, 0.5, 1.0])), brief(Curve([0.0] * 100, closed=True))
    ('Curve(points=[0.0, 0.5, 1.0])', 'Curve(points=<100 values>, closed=True)')
    """
    shown = [
        f"{each.name}={_short(getattr(part, each.name))}"
        for each in fields(part)
        if each.repr and not _is_default(getattr(part, each.name), each)
    ]
    return f"{type(part).__name__}({', '.join(shown)})"


def _is_default(value: Any, of: Any) -> bool:
    default = of.default if of.default_factory is MISSING else of.default_factory()
    return value is default or (type(value) is type(default) and not isinstance(value, np.ndarray) and value == default)


def _short(value: Any) -> str:
    """Write a value, or its size where it is long."""
    if isinstance(value, np.ndarray) and value.size > 4:
        return f"<{' × '.join(map(str, value.shape))} values>"
    text = " ".join(repr(value).split())
    if len(text) <= LONGEST_VALUE:
        return text
    return (
        f"<{len(value)} values>"
        if hasattr(value, "__len__") and not isinstance(value, str)
        else f"{text[:LONGEST_VALUE]}…"
    )


@dataclass(frozen=True)
class Shown:
    """What a notebook shows where a cell returns it.

    Attributes
    ----------
    text : str
        What a terminal shows.
    html : str
    """

    text: str
    html: str = field(repr=False)

    def __repr__(self) -> str:
        return f"<{self.text}>"

    def _repr_html_(self) -> str:
        return self.html
