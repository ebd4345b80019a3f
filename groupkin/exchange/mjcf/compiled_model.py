"""MJCF models as MuJoCo compiles them."""

from __future__ import annotations

import re
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from groupkin.errors import ModelError
from groupkin.exchange.graph import Pose, Term
from groupkin.exchange.mjcf.text import as_text
from groupkin.exchange.xml_input import Element
from groupkin.messages import distinct
from sglibrary.array_types import Array

LONGEST_MESSAGE = 300
"""Characters of a message of MuJoCo that are repeated, at most."""

TYPES = ("F", "S", "P", "R")
"""Pairs by the numbers of MuJoCo's joint types: free, ball, slide, hinge."""


@dataclass(frozen=True, eq=False)
class Compiled:
    """A model as MuJoCo compiles it, with names for all that has none.

    Attributes
    ----------
    mujoco : module
    model, data : MjModel, MjData
        The latter at qpos0.
    bodies, joints, equalities : list of str
    """

    mujoco: Any
    model: Any
    data: Any
    bodies: list[str]
    joints: list[str]
    equalities: list[str]

    def name(self, kind: str, k: int) -> str:
        """Name of an object of a kind such as ``"site"``, empty where it has none."""
        return str(self.mujoco.mj_id2name(self.model, getattr(self.mujoco.mjtObj, f"mjOBJ_{kind.upper()}"), k) or "")

    def pose(self, body: int) -> Pose:
        """Where a body is at qpos0."""
        return Pose(self.data.xmat[body].reshape(3, 3).copy(), self.data.xpos[body].copy())

    def site(self, k: int) -> Pose:
        """Where a site is at qpos0."""
        return Pose(self.data.site_xmat[k].reshape(3, 3).copy(), self.data.site_xpos[k].copy())


def compiled(root: Element, path: Path, masses: bool) -> Compiled:
    """Compile a model.

    Raises
    ------
    ModelError
        With what MuJoCo says, and where.
    """
    try:
        import mujoco
    except ImportError:
        raise ModelError("MJCF models need MuJoCo: pip install 'groupkin[models]'") from None
    if not masses:
        root.children.append(Element("compiler", {"boundmass": "1", "boundinertia": "1"}, root.line, root.file))
    text, elements = as_text(root)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of how MuJoCo would simulate it
            model = mujoco.MjSpec.from_string(text).compile()
    except (ValueError, RuntimeError, TypeError, OverflowError, UnicodeError, mujoco.FatalError) as error:
        raise ModelError(f"{path.name}: MuJoCo cannot read it: {_placed(str(error), elements)}") from None
    data = mujoco.MjData(model)
    mujoco.mj_kinematics(model, data)
    if not all(np.isfinite(x).all() for x in (data.xpos, data.xmat, data.xanchor, data.xaxis)):
        raise ModelError(f"{path.name}: its bodies have no finite positions; look for numbers that are too large")
    plain = Compiled(mujoco, model, data, [], [], [])
    bodies = _named("body", [plain.name("body", k) for k in range(model.nbody)])
    at = [bodies[k] for k in model.jnt_bodyid]
    own = [plain.name("joint", k) or f"{body} joint" for k, body in enumerate(at)]
    equalities = [plain.name("equality", k) or f"equality {k + 1}" for k in range(model.neq)]
    return Compiled(mujoco, model, data, bodies, distinct(own), _apart(distinct(equalities), own))


def _placed(message: str, elements: Sequence[Element]) -> str:
    """Replace the line of MuJoCo's message, which is one of the text that it got, by the place in the file."""
    found = re.search(r"line (\d+)", message)
    line = int(found[1]) - 1 if found else -1
    plain = " ".join(message.split())[:LONGEST_MESSAGE]
    return f"{plain} ({elements[line].where})" if 0 <= line < len(elements) else plain


def _named(kind: str, names: Sequence[str]) -> list[str]:
    return distinct([name or f"{kind} {k}" for k, name in enumerate(names)])


def _apart(names: Sequence[str], others: Sequence[str]) -> list[str]:
    """Names that are none of others."""
    return [f"{name} loop" if name in others else name for name in names]


def fixed_terms(found: Compiled, tendon: int) -> list[Term] | None:
    """Joints of a fixed tendon with their coefficients; None of one that goes through space."""
    model = found.model
    begin, count = int(model.tendon_adr[tendon]), int(model.tendon_num[tendon])
    places = range(begin, begin + count)
    if any(model.wrap_type[w] != int(found.mujoco.mjtWrap.mjWRAP_JOINT) for w in places):
        return None
    return [Term(found.joints[model.wrap_objid[w]], float(model.wrap_prm[w])) for w in places]


def matrix(found: Compiled, quaternion: Array) -> Array:
    """Make a rotation (3, 3) of a quaternion (4,)."""
    found_one = np.zeros(9)
    found.mujoco.mju_quat2Mat(found_one, np.array(quaternion / np.linalg.norm(quaternion)))
    return found_one.reshape(3, 3)
