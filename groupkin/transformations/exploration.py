"""Structural transformations: which drivers lead to which groups, and which of them are best."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from groupkin.arguments import Count, Natural, checked
from groupkin.errors import MechanismError, NoGeometryError, NotModeledError
from groupkin.mechanism.couplings.relations import refuse_couplings
from groupkin.mechanism.mechanism import Mechanism
from groupkin.messages import counted, listed
from groupkin.model.determination.determine import EXAMINED, easing, loose
from groupkin.model.determination.undriven import Undriven, undriven
from groupkin.model.geometry.geometry import resolve
from groupkin.showing import InNotebooks
from groupkin.structure.idle_spins import balance
from groupkin.structure.signature import GroupGraph, label, signature
from groupkin.transformations import driver_choices
from groupkin.transformations.criteria import DEFAULT_ORDER, Criterion, check_order, criteria, sort_key
from groupkin.transformations.driver_choices import Choice, Easing, Placement, Restrictions, Space
from groupkin.transformations.outline import Outline
from groupkin.transformations.symmetry import orbits, symmetries

BUDGET = 20_000
"""Number of ways to drive a mechanism up to which all are examined; otherwise so many valid ones."""


@dataclass(frozen=True)
class Transformation:
    """One way to drive a mechanism.

    Attributes
    ----------
    drivers : dict of str to int
        Number of driven freedoms of the joints that are driven.
    groups : tuple of tuple of str
        Bodies of the groups, in solving order.
    types : tuple of str
        Labels of the groups, such as 3R2D.
    values : dict of str to float
        Values of the criteria.
    symmetric : int
        Number of valid ways that are the same by a symmetry of the mechanism, this one included.
    """

    drivers: dict[str, int]
    groups: tuple[tuple[str, ...], ...]
    types: tuple[str, ...]
    values: dict[str, float]
    symmetric: int

    def __repr__(self) -> str:
        drivers = ", ".join(name if w == 1 else f"{name} ×{w}" for name, w in self.drivers.items())
        return f"<Transformation driven by {drivers}: {listed(self.types, 8)}>"

    def of(self, mechanism: Mechanism) -> Mechanism:
        """Drive a mechanism in this way: the first freedoms of every joint, with the laws that they have."""
        return driver_choices.drive(mechanism, self.drivers)

    def as_data(self) -> dict[str, Any]:
        """The structure as plain data for JSON."""
        return {
            "drivers": self.drivers,
            "groups": [list(bodies) for bodies in self.groups],
            "types": list(self.types),
            "symmetric": self.symmetric,
            "criteria": self.values,
        }


@dataclass(frozen=True)
class Transformations(InNotebooks):
    """Ways to drive a mechanism, the best first.

    Attributes
    ----------
    name : str
        Of the mechanism.
    number : int
        Driven freedoms.
    candidates : int
        Ways within the restrictions, valid or not.
    valid, distinct : int
        Examined ways that determine the motion, and their number if those that differ only by a symmetry count once.
    complete : bool
        True if all ways were examined, False if a search stopped before.
    structures : tuple of Transformation
    """

    name: str
    number: int
    candidates: int
    valid: int
    distinct: int
    complete: bool
    structures: tuple[Transformation, ...]

    def __repr__(self) -> str:
        return f"<Transformations of {self.name}: {self.candidates} ways, {self.valid} valid, {self.distinct} distinct>"

    def as_data(self, top: int | None = None) -> dict[str, Any]:
        """The first `top` structures as plain data for JSON."""
        data: dict[str, Any] = {"candidates": self.candidates, "valid": self.valid, "distinct": self.distinct}
        if not self.complete:
            data["complete"] = False
        data["structures"] = [structure.as_data() for structure in self.structures[:top]]
        return data


@checked
def transform(
    mechanism: Mechanism,
    *,
    driven: Collection[str] = (),
    forbid: Collection[str] = (),
    only: Collection[str] = (),
    at_frame: bool = False,
    types: Collection[str] = (),
    at_most: Natural | None = None,
    fixed: Mapping[str, Natural] | None = None,
    sort: Sequence[str] = DEFAULT_ORDER,
    measures: Mapping[str, Criterion] | None = None,
    merge: bool = True,
    budget: Count = BUDGET,
) -> Transformations:
    """Examine by counting the ways to drive a mechanism, and rank the structures that they lead to.

    As many freedoms are driven as the mechanism has without idle spins; rows of an over-constrained mechanism that
    repeat others are not counted. Of a joint any number of freedoms may be driven, and they are taken to be the first
    ones.

    Parameters
    ----------
    mechanism : Mechanism
        Its drivers are one way among others.
    driven, forbid, only, at_frame, types, at_most, fixed
        Restrictions; see `groupkin.transformations.driver_choices.Restrictions`.
    sort : sequence of str
        Criteria, the most important first; ``-`` before a name reverses its order.
    measures : mapping of str to function
        Further criteria: functions of an `Outline` of which less is better.
    merge : bool
        Of ways that differ only by a symmetry of the mechanism, list one.
    budget : int
        If there are more ways than this, so many valid ones are examined, by a search from the best to its neighbors,
        which differ by one driver.

    Raises
    ------
    UnknownNameError, MechanismError
        If restrictions name joints or types that do not exist, or contradict each other.
    QueryError
        If a criterion to sort by is not known.
    NotDeterminedError
        If the mechanism has too many equations without any drivers, or joints do not connect all bodies to the frame.

    Examples
    --------
    >>> rows = ["-R-R", "R-R-", "-R-R", "R-R-"]
    >>> found = transform(Mechanism.from_adjacency(rows, [[0] * 4] * 4, dimension=2))
    >>> found.valid, found.distinct, found.structures[0].drivers, found.structures[0].groups
    (4, 2, {'1-2': 1}, (('2',), ('3', '4')))
    """
    refuse_couplings(mechanism, "transformations")
    measured = criteria(has_closed_form) | dict(measures or {})
    check_order(sort, measured)
    restrictions = Restrictions(driven, forbid, only, at_frame, types, at_most, fixed)
    given, eased_for = _repeated(mechanism)
    ways = driver_choices.space(mechanism, restrictions, eased_for, given)
    if sum(ways.high) < ways.number:
        raise MechanismError(
            f"{counted(ways.number, 'freedom')} must be driven, but the restrictions leave {sum(ways.high)}; remove one"
        )
    complete = ways.size <= budget
    outlines: dict[Choice, Outline] = {}

    def score(choice: Choice, placement: Placement) -> tuple[float, ...]:
        outlines[choice] = driver_choices.outline(ways, choice, placement)
        names = {key.removeprefix("-") for key in sort}
        return sort_key({name: measured[name](outlines[choice]) for name in names}, sort)

    if given is not None:
        outlines.update(driver_choices.choices_by_rank(ways, given, budget))
    elif eased_for:
        for choice, eased, placement in driver_choices.eased_choices(ways, eased_for, budget):
            outlines[choice] = driver_choices.outline(eased, choice, placement)
    elif complete:
        for choice, placement in driver_choices.valid_choices(ways):
            outlines[choice] = driver_choices.outline(ways, choice, placement)
    else:
        for _ in driver_choices.best_first(ways, score, budget):
            pass
    colors = [(joint.type, *bounds) for joint, *bounds in zip(mechanism.joints, ways.low, ways.high, strict=True)]
    alike = orbits(outlines, symmetries(ways.balanced.counts, colors))
    kept = [(equivalent[0], len(equivalent)) for equivalent in alike] if merge else [(choice, 1) for choice in outlines]
    structures = [_described(ways, choice, outlines[choice], measured, count) for choice, count in kept]
    structures.sort(key=lambda structure: sort_key(structure.values, sort))
    return Transformations(
        mechanism.name, ways.number, ways.size, len(outlines), len(alike), complete, tuple(structures)
    )


def _repeated(mechanism: Mechanism) -> tuple[Undriven | None, Easing | None]:
    """Examine joints that repeat each other: without drivers there are too many equations, or too few of them count.

    In space all rows are kept, and rank decides; in the plane joints are eased.
    """
    bare = replace(mechanism, drivers=(), modes={})
    balanced = balance(bare)
    excess = any(each.shares.excess.any() for each in (balanced, balance(mechanism)))
    space = mechanism.dimension == 3 and len(mechanism.movable) <= EXAMINED
    if not excess and not space:
        return None, None
    try:
        geometry = resolve(bare)
    except (NoGeometryError, NotModeledError):
        return None, None
    if not excess and loose(bare, geometry)[0] == balanced.shares.lack.sum():
        return None, None
    return (undriven(bare, geometry), None) if mechanism.dimension == 3 else (None, easing(bare, geometry))


def has_closed_form(graph: GroupGraph) -> bool:
    """Whether the catalog has a closed form for a group."""
    from groupkin.kinematics.program.closed_forms import by_signature

    return signature(graph)[0] in by_signature()


def _described(
    ways: Space, choice: Choice, outlined: Outline, measured: Mapping[str, Criterion], symmetric: int
) -> Transformation:
    names, kinds = ways.mechanism.movable, [joint.type for joint in ways.mechanism.joints]
    return Transformation(
        drivers=ways.as_drivers(choice),
        groups=tuple(tuple([names[body] for body in bodies]) for bodies in outlined.members),
        types=tuple(label([kinds[joint] for joint in joints], ways.mechanism.dimension) for joints in outlined.joints),
        values={name: measure(outlined) for name, measure in measured.items()},
        symmetric=symmetric,
    )
