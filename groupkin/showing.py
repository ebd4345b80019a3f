"""How mechanisms, structures, motions and results are shown, by methods such as `Motion.plot`.

Pictures, pages and plots are made in `groupkin.look`, on top of all that they show. The methods find their functions in
the table here, so nothing imports upward, and matplotlib is imported when something is drawn.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from groupkin.by_name import function

RENDERERS = {
    "Mechanism.draw": "groupkin.look.notebook:draw",
    "Mechanism._repr_html_": "groupkin.look.notebook:mechanism_html",
    "Structure._repr_html_": "groupkin.look.notebook:structure_html",
    "Motion.plot": "groupkin.look.plots.plots:plot",
    "Motion.animate": "groupkin.look.notebook:animate",
    "Motion._repr_html_": "groupkin.look.notebook:motion_html",
    "Workspace.plot": "groupkin.look.plots.workspace_plots:plot_workspace",
    "Limits.plot": "groupkin.look.plots.limit_plots:plot_limits",
    "Forces.plot": "groupkin.look.plots.force_plots:plot_forces",
    "Forces.draw": "groupkin.look.force_pictures:draw_forces",
    "Fit.plot": "groupkin.look.plots.fit_plots:plot_fit",
    "Tree._repr_html_": "routes.cli.route_drawing:tree_html",
}
"""The function behind each method: its module and its name. It takes the arguments of the method, the object first."""


def renderer(method: str) -> Callable[..., Any]:
    """Return the function behind a method, such as ``"Motion.plot"``."""
    return function(RENDERERS[method])


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
