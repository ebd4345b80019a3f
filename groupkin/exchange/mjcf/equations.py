"""Couplings as polynomials between two joints, as MJCF has them."""

from __future__ import annotations

import numpy as np

from groupkin.errors import ModelError
from groupkin.mechanism.couplings.relations import Relation
from groupkin.mechanism.mechanism import Mechanism
from groupkin.model.geometry.assembly import reference_values
from groupkin.model.geometry.geometry import Geometry
from groupkin.tolerances import POLYNOMIAL

DEGREE = 4
"""Largest power of the coordinate that leads."""

SAMPLES = np.linspace(-2.0, 2.0, 17)
"""Changes of coordinates (rad, m) at which an equation is compared with a polynomial."""


def equation_of(mechanism: Mechanism, geometry: Geometry, relation: Relation) -> dict[str, str]:
    """Write a coupling of one or two coordinates of joints as one is a polynomial of the other.

    Raises
    ------
    ModelError
        If it is none.
    """
    name = relation.coupling.name
    at = reference_values(mechanism, geometry, relation)
    known = all(each.joint.name in mechanism.joint for each in relation.coordinates)
    for k in range(len(at)) if known and len(at) <= 2 else ():
        powers = _polynomial(relation, at, k)
        if powers is not None:
            names = [mechanism.driver_name(*each.name) for each in relation.coordinates]
            found = {"name": name, "joint1": names[k], "polycoef": " ".join(repr(float(x)) for x in powers)}
            return found | ({"joint2": names[1 - k]} if len(at) == 2 else {})
    raise ModelError(
        f"coupling {name!r}: MJCF has equations of two joints, one of which is a polynomial of degree {DEGREE} of the "
        "other; this one is not such"
    )


def _polynomial(relation: Relation, at: list[float], k: int) -> np.ndarray | None:
    """Coefficients by which coordinate k follows the other, both less their references; None if it does not so."""
    slopes = np.array([relation.gradient([*at[:k], at[k] + x, *at[k + 1 :]])[k] for x in SAMPLES])
    if not np.isfinite(slopes).all() or not abs(slopes[0]) > 0 or np.ptp(slopes) > POLYNOMIAL * abs(slopes[0]):
        return None
    kept = relation.kept(at)
    if len(at) == 1:
        return np.zeros(DEGREE + 1)
    values = [np.full(SAMPLES.size, at[0]), np.full(SAMPLES.size, at[1])]
    values[1 - k] = at[1 - k] + SAMPLES
    missed = np.asarray(relation.jet([(x,) for x in values])[0]) - kept
    found = -np.broadcast_to(missed, SAMPLES.shape) / slopes[0]
    if not np.isfinite(found).all():
        return None
    mixed = relation.gradient([at[0] + 1.0, at[1] + 1.0])[k]
    powers = np.polynomial.polynomial.polyfit(SAMPLES, found, DEGREE)
    powers[np.abs(powers) <= POLYNOMIAL * np.abs(powers).max()] = 0.0
    gap = np.abs(np.polynomial.polynomial.polyval(SAMPLES, powers) - found).max()
    good = gap <= POLYNOMIAL * max(1.0, np.abs(found).max()) and abs(mixed - slopes[0]) <= POLYNOMIAL * abs(slopes[0])
    return powers if good else None
