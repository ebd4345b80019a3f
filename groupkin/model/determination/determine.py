"""Structural groups of a mechanism, by counting and, where it has geometry, by rank.

Counting alone decomposes a mechanism. Geometry adds three things: at which joint an idle spin is held, which joints of
an over-constrained mechanism are eased, and which drivers would determine a mechanism that is not determined.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from groupkin.errors import MisfitError, NotDeterminedError
from groupkin.mechanism.mechanism import Joint, Mechanism
from groupkin.model.determination.dependent_drivers import refusal
from groupkin.model.determination.ease_joints import Repeating, repeating
from groupkin.model.determination.ease_joints import redundancies as find_redundancies
from groupkin.model.determination.fixed_rows import passes_singular
from groupkin.model.determination.hold_spins import better_end, with_held_spins
from groupkin.model.determination.rank_groups import structure_by_rank
from groupkin.model.determination.undriven import nearly_moves, undriven
from groupkin.model.geometry.geometry import Geometry
from groupkin.model.rank.mobility import loose_freedoms
from groupkin.structure.decomposition import Structure, decompose
from groupkin.structure.idle_spins import Spin, balance, with_less_freedom
from groupkin.structure.not_determined import not_determined
from groupkin.structure.redundancy import Redundancy, with_eased

EXAMINED = 200
"""Number of movable bodies up to which suggested drivers are checked by rank, and joints are eased."""


def determine(mechanism: Mechanism, geometry: Geometry | None) -> Structure:
    """Decompose a mechanism into structural groups; with geometry, hold idle spins where the line swings least.

    Parameters
    ----------
    mechanism : Mechanism
    geometry : Geometry, optional
        None decomposes by counting alone.

    Raises
    ------
    NotDeterminedError
        See `groupkin.structure.decomposition.decompose`. With geometry only drivers that take away a motion in the
        reference configuration are suggested.
    """
    return _determine(mechanism, geometry, ())


def _determine(mechanism: Mechanism, geometry: Geometry | None, redundancies: tuple[Redundancy, ...]) -> Structure:
    try:
        structure = decompose(mechanism, (), redundancies)
    except NotDeterminedError as error:
        if geometry is None:
            raise
        if len(mechanism.movable) > EXAMINED:
            by_rank = structure_by_rank(mechanism, geometry) if error.excess and not redundancies else None
            if by_rank is None:
                raise
            return by_rank
        refused = error
    else:
        if geometry is None or not structure.spins:
            return structure
        ends = {better_end(mechanism, geometry, spin) for spin in structure.spins}
        return decompose(mechanism, ends, redundancies)
    shaky: list[str] = []
    if refused.excess and not redundancies:
        found = _repeated(mechanism, geometry)
        if isinstance(found, Structure):
            return found
        shaky = found
    balanced = balance(with_eased(mechanism, redundancies))
    raise not_determined(
        mechanism, balanced, *_loose(mechanism, geometry, balanced.spins), redundancies, shaky
    ) from None


def _repeated(mechanism: Mechanism, geometry: Geometry) -> Structure | list[str]:
    """Decompose a mechanism whose joints repeat each other; if that fails, sentences on why.

    All rows are solved together, by rank: in space, where they agree to few digits only, where couplings repeat each
    other, and where a fixed choice of rows becomes singular though the mechanism is not. Else joints are eased, as
    closed forms are left in the plane.

    Raises
    ------
    NotDeterminedError
        If drivers in space follow from each other.
    """
    space = mechanism.dimension == 3
    if space or mechanism.misfit:
        by_rank: Structure | MisfitError | None
        try:
            by_rank = structure_by_rank(mechanism, geometry)
        except MisfitError as missed:  # so it seems where drivers cannot be moved together, as well
            by_rank = missed
        if isinstance(by_rank, Structure):
            return by_rank
        given = undriven(mechanism, geometry) if space else None
        refused = refusal(mechanism, geometry, given)
        dependent = given and refused and (refused.lack or not (by_rank and nearly_moves(given, by_rank.misfit)))
        if by_rank is not None and not dependent:
            raise by_rank
        if refused is not None:
            raise refused
    parts, shaky = repeating(mechanism, geometry)
    if space:
        return shaky
    if not parts:  # no joint may be eased where couplings repeat each other
        return structure_by_rank(mechanism, geometry) or shaky
    eased = _determine(mechanism, geometry, _eased(parts, mechanism))
    return (structure_by_rank(mechanism, geometry) if passes_singular(eased, geometry) else None) or eased


def loose(mechanism: Mechanism, geometry: Geometry) -> tuple[int, set[tuple[str, str]]]:
    """Count the motions that drivers leave free in the reference configuration; joints and freedoms that take part."""
    return _loose(mechanism, geometry, balance(mechanism).spins)[:2]


def _loose(
    mechanism: Mechanism, geometry: Geometry, spins: tuple[Spin, ...]
) -> tuple[int, set[tuple[str, str]], set[tuple[str, str]]]:
    # by rank the user's own joints will do: rows that repeat others leave no motion
    closed = with_held_spins(mechanism, geometry, spins=spins, eased=mechanism)
    return loose_freedoms(with_less_freedom(mechanism, spins), closed)


def easing(mechanism: Mechanism, geometry: Geometry) -> Callable[[Mechanism], tuple[Redundancy, ...]]:
    """Find the joints that repeat each other, once for many choices of drivers.

    Returns
    -------
    callable
        Gives for the mechanism with other drivers the rows that repeat others and the joints that are eased.
    """
    parts, _ = repeating(mechanism, geometry)
    return partial(_eased, parts)


def _eased(parts: Sequence[Repeating], mechanism: Mechanism) -> tuple[Redundancy, ...]:
    return tuple(find_redundancies(parts, mechanism, partial(_quality, mechanism)))


def _quality(mechanism: Mechanism, eased: tuple[Joint, ...]) -> tuple[int, ...]:
    """Grade the groups that a mechanism has if some joints are eased; less is better."""
    names = tuple(joint.name for joint in eased)
    try:
        structure = decompose(mechanism, (), [Redundancy("", (), names, 0, {}, eased)])
    except NotDeterminedError as error:
        return (error.excess + error.lack, 0, 0)
    return (0, -len(structure.groups), max((len(group.bodies) for group in structure.groups), default=0))
