"""Makes a page that shows a mechanism in motion: one HTML text with all it needs, for a browser without network."""

from __future__ import annotations

import base64
import hashlib
import html
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

import numpy as np

from groupkin.dynamics.reactions.forces import Forces
from groupkin.errors import OutputError, TimesError
from groupkin.kinematics.motion.motion import Motion
from groupkin.kinematics.motion.quantities import Quantity, quantity
from groupkin.kinematics.motion.ranges import ranges_of
from groupkin.look.force_arrows import arrows
from groupkin.look.page import content
from groupkin.look.page.ranges import range_data
from groupkin.look.scenes.configurations import configuration_at, require_movable, shown_as
from groupkin.look.scenes.scene import Between, owner
from groupkin.messages import counted

MOST_BYTES = 3_000_000
"""Size of a page that long motions are thinned for."""

MOST_BODIES, MOST_GROUPS = 200, 200
"""Movable bodies and groups up to which a page is made."""

RESERVE = 20_000
"""Bytes left for what depends on the number of frames in other ways."""

PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>{style}</style>
</head>
<body>
<div id="page"></div>
<noscript>This page shows a mechanism in motion by a script, which this browser does not run.</noscript>
<script type="application/json" id="data">{data}</script>
<script>{script}</script>
</body>
</html>
"""


@dataclass(frozen=True)
class Page:
    """A page and what it shows of a motion.

    Attributes
    ----------
    text : str
    frames, steps : int
        Steps that it shows, and those of the motion.
    """

    text: str
    frames: int
    steps: int

    @property
    def note(self) -> str:
        """What was left out; empty if nothing was."""
        if self.frames == self.steps:
            return ""
        return f"the page shows {self.frames} of {counted(self.steps, 'step')}, evenly chosen, to stay small"


def page(
    motion: Motion,
    trace: Sequence[str] | None = None,
    plot: Sequence[str | Quantity] | None = None,
    most_bytes: int = MOST_BYTES,
    most_frames: int | None = None,
    forces: Forces | None = None,
    colors: str | None = None,
    names: str | None = None,
) -> Page:
    """Make the page of a motion.

    Parameters
    ----------
    motion : Motion
    trace : sequence of str, optional
        Names of points, or of joints, whose paths are shown. Default: named points of moving bodies on no joint.
    plot : sequence of str or Quantity, optional
        Default: the driven joints and the positions of the traced points.
    most_bytes : int
        Size that long motions are thinned for; at least two steps are kept.
    most_frames : int, optional
        Steps that are shown at most.
    forces : Forces, optional
        Of the same motion, shown as arrows.
    colors, names : str, optional
        See `groupkin.animate`.

    Raises
    ------
    TimesError
        If no step of the motion was solved.
    OutputError
        If there is too much to be shown.
    UnknownNameError, QuantityError
    """
    data, ends = still_data(motion, trace, colors, names)
    mechanism = motion.program.mechanism
    traced = [point["name"] for point in data["points"] if point["traced"]]
    wanted = [quantity(text, mechanism) for text in plot] if plot is not None else None
    wanted = content.default_quantities(motion, traced) if wanted is None else wanted
    steps = motion.times.size
    empty = _page({**data, **_moving(motion, data, ends, wanted, content.thinned(steps, 2), forces)})
    per_frame = _bytes_per_frame(motion, data, wanted, forces)
    most = max(2, int((most_bytes - RESERVE - len(empty.encode())) / per_frame))
    frames = content.thinned(steps, min(most, most_frames or most))
    made = Page("", len(frames.steps), steps)
    return Page(
        _page({**data, **_moving(motion, data, ends, wanted, frames, forces), "note": made.note}), made.frames, steps
    )


def still_data(
    motion: Motion, trace: Sequence[str] | None, colors: str | None = None, names: str | None = None
) -> tuple[dict[str, Any], Mapping[str, Between]]:
    """All that does not depend on time, and what lies between points of bodies."""
    if not motion.placed.any():
        raise TimesError("no step of the motion was solved, so that there is nothing to show")
    structure = motion.program.structure
    mechanism = structure.mechanism
    require_movable(mechanism)
    if len(mechanism.movable) > MOST_BODIES or len(structure.groups) > MOST_GROUPS:
        raise OutputError(
            f"{mechanism.name} has {len(mechanism.movable)} movable bodies in {len(structure.groups)} structural "
            f"groups, too many for a page, which shows up to {MOST_BODIES}; draw its structural diagram"
        )
    view = shown_as(configuration_at(motion, int(np.flatnonzero(motion.placed)[0])), colors, names)
    scene = content.make_scene(view)
    data = {
        "title": mechanism.name,
        "summary": content.summary(structure),
        "dimension": mechanism.dimension,
        "unit": {"name": mechanism.units.length, "meters": mechanism.units.meters},
        "palette": content.palette(),
        "diagram": content.diagram_data(structure),
        "groups": [content.group_data(structure, group) for group in structure.groups],
        "steps": int(motion.times.size),
        "note": "",
        "colors": view.colors,
        "named": names or "traced",
        **content.scene_data(view, scene, trace),
    }
    return data, scene.ends


def _moving(
    motion: Motion,
    data: dict[str, Any],
    ends: Mapping[str, Between],
    wanted: Sequence[Quantity],
    frames: content.Frames,
    forces: Forces | None,
) -> dict[str, Any]:
    return {
        "poses": content.pose_data(motion, data, ends, frames),
        "plots": content.plot_data(motion, wanted, frames, content.body_colors(data)),
        "ranges": range_data(motion, data, frames),
        "forces": None if forces is None else content.force_data(forces, data, frames),
        **content.time_data(motion, frames),
    }


def _bytes_per_frame(motion: Motion, data: dict[str, Any], wanted: Sequence[Quantity], forces: Forces | None) -> float:
    """Bytes in base64 of poses, curves, ranges, forces, times and conditioning at one step."""
    two = content.thinned(motion.times.size, 2)
    curves = sum(len(plot["series"]) for plot in content.plot_data(motion, wanted, two, {}))
    pose = 28 if data["dimension"] == 3 else 16
    moving = [entry["stretched"] for entry in data["owners"] if entry["key"] != owner(motion.program.mechanism.frame)]
    listed = 3 * 8 * float((~motion.solved).mean())  # numbers of steps that failed, with their commas
    acting = 0 if forces is None else 2 * data["dimension"] * len(arrows(forces, [0]))
    ranges = len(ranges_of(motion.program.mechanism))
    return (
        4 / 3 * (pose * len(moving) + 4 * (sum(moving) + acting + curves + len(data["groups"]) + 1) + 5 * ranges + 8)
        + listed
    )


def _page(data: dict[str, Any]) -> str:
    """Write a page whose policy allows its own script and style only."""
    folder = files("groupkin.look.page") / "bundle"
    script, style = ((folder / name).read_text(encoding="utf-8").strip() for name in ("page.js", "page.css"))
    policy = (
        f"default-src 'none'; script-src '{_hash(script)}'; style-src '{_hash(style)}'; img-src data: blob:; "
        "base-uri 'none'; form-action 'none'"
    )
    return PAGE.format(policy=policy, title=html.escape(data["title"]), style=style, data=_json(data), script=script)


def _hash(text: str) -> str:
    """Hash of a script or style, as a content security policy names it."""
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _json(data: dict[str, Any]) -> str:
    """JSON that ends no element, whatever names are in it."""
    text = json.dumps(data, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    return text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")
