"""Atlases: all chains of so many bars, every link of them as the frame, driven at the frame in every way.

Frames and drivers that a symmetry of the chain turns into each other count once. Only counts of equations change with
the frame of a chain, so its bodies and joints are checked once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from groupkin.arguments import Count, checked
from groupkin.mechanism.mechanism import Mechanism
from groupkin.showing import InNotebooks
from groupkin.structure.chains import Chain, generate_chains
from groupkin.structure.counting import Counts, Shares
from groupkin.structure.idle_spins import Balance
from groupkin.structure.signature import label
from groupkin.transformations.criteria import DEFAULT_ORDER, check_order, criteria, sort_key
from groupkin.transformations.driver_choices import Placement, Space, outline, space, valid_choices
from groupkin.transformations.exploration import Transformation, has_closed_form
from groupkin.transformations.symmetry import Permutation, orbits


@dataclass(frozen=True)
class Atlas(InNotebooks):
    """Chains of so many bars and their driven linkages, the best first.

    Attributes
    ----------
    bars, mobility : int
    chains : tuple of Chain
    linkages : int
        Chains with a frame.
    structures : tuple of Transformation
        Driven linkages, see `driven_linkages`.
    """

    bars: int
    mobility: int
    chains: tuple[Chain, ...]
    linkages: int
    structures: tuple[Transformation, ...]

    def __repr__(self) -> str:
        return f"<Atlas of {self.summary}>"

    @property
    def name(self) -> str:
        return f"chains of {self.bars} bars with mobility {self.mobility}"

    @property
    def summary(self) -> str:
        """What it holds, in one line."""
        return f"{self.name}: {len(self.chains)} chains, {self.linkages} linkages, {len(self.structures)} driven"

    def as_data(self) -> dict[str, Any]:
        """All of it as plain data for JSON, and for `groupkin.transformations.database.save`."""
        return {
            "bars": self.bars,
            "mobility": self.mobility,
            "linkages": self.linkages,
            "distinct": len(self.structures),
            "chains": [[list(joint) for joint in chain.joints] for chain in self.chains],
            "structures": [structure.as_data() for structure in self.structures],
        }


@checked
def atlas(
    bars: Count,
    mobility: Count = 1,
    *,
    at_frame: bool = True,
    sort: Sequence[str] = DEFAULT_ORDER,
    progress: Callable[[int, int], object] | None = None,
) -> Atlas:
    """All planar linkages of revolute joints with so many bars, driven at the frame, and their structural groups.

    Parameters
    ----------
    bars, mobility : int
        As of `groupkin.generate_chains`.
    at_frame : bool
        Drive only joints at the frame.
    sort : sequence of str
        Criteria, the most important first, see `driven_linkages`; ``-`` before a name reverses its order.
    progress : callable, optional
        Called with the numbers of chains done and in all.

    Raises
    ------
    MechanismError
        If there are no such chains, or they have more than 16 links or 6 loops.
    QueryError
        If a criterion to sort by is not known.

    Examples
    --------
    >>> atlas(6)
    <Atlas of chains of 6 bars with mobility 1: 2 chains, 5 linkages, 9 driven>
    """
    chains = tuple(generate_chains(bars, mobility))
    check_order(sort, [*_facts(chains[0]), "frame", *criteria(has_closed_form)])
    found: list[Transformation] = []
    for chain in chains:
        found += driven_linkages(chain, at_frame)
        if progress:
            progress(chain.number, len(chains))
    found.sort(key=lambda structure: sort_key(structure.values, sort))
    return Atlas(bars, mobility, chains, sum(len(chain.frames) for chain in chains), tuple(found))


@checked
def driven_linkages(chain: Chain, at_frame: bool = True) -> list[Transformation]:
    """All linkages of a chain, driven in all ways that determine their motion.

    Parameters
    ----------
    chain : Chain
    at_frame : bool
        Drive only joints at the frame.

    Returns
    -------
    list of Transformation
        By frame and driven joints. Groups name links by their numbers, and joints are named "a-b". The `values` begin
        with the number of the chain, the frame, and the numbers of links with 2, 3, … joints (``links_2``, …); the
        other criteria are those of `groupkin.transformations.criteria.criteria`.

    Raises
    ------
    NotDeterminedError
        If a part of the chain is rigid.

    Examples
    --------
    >>> watt, stephenson = generate_chains(6)
    >>> [(case.values["frame"], *case.drivers, case.values["groups"]) for case in driven_linkages(watt)]
    [(1, '1-2', 3), (1, '1-3', 3), (3, '1-3', 3), (3, '3-4', 3)]
    """
    measured, facts, found = criteria(has_closed_form), _facts(chain), []
    for frame, ways, symmetries in _frames(chain, at_frame):
        names = [str(link) for link in range(1, chain.links + 1) if link != frame]
        outlines = {choice: outline(ways, choice, placement) for choice, placement in valid_choices(ways)}
        for alike in orbits(outlines, symmetries):
            outlined = outlines[alike[0]]
            case = Transformation(
                drivers=ways.as_drivers(alike[0]),
                groups=tuple(tuple([names[body] for body in bodies]) for bodies in outlined.members),
                types=tuple(label("R" * len(joints), 2) for joints in outlined.joints),
                values=facts | {"frame": frame} | {name: measure(outlined) for name, measure in measured.items()},
                symmetric=len(alike),
            )
            found.append(case)
    return found


def _facts(chain: Chain) -> dict[str, float]:
    """Number of a chain, and of its links with 2, 3, … joints, of which none has more than loops + 1."""
    loops = len(chain.joints) - chain.links + 1
    facts: dict[str, float] = {f"links_{k}": chain.assortment.get(k, 0) for k in range(2, loops + 2)}
    return {"chain": chain.number, **facts}


def _frames(chain: Chain, at_frame: bool) -> Iterator[tuple[int, Space, list[Permutation]]]:
    """All frames of a chain: the link, the choices of drivers, and the symmetries that keep it, of the joints."""
    linkage, joints = chain.linkage(), len(chain.joints)
    place = {joint: k for k, joint in enumerate(chain.joints)}
    for frame in chain.frames:
        number = np.array([-1, *(link - 1 - (link > frame) for link in range(1, chain.links + 1))], np.int32)
        number[frame] = -1
        counts = Counts(3, chain.links - 1, number[np.array(chain.joints)], np.full(joints, 2, np.int32))
        high = tuple(int(frame in joint or not at_frame) for joint in chain.joints)
        ways = Space(linkage, _balance(linkage, counts), (0,) * joints, high, chain.mobility)
        kept = [(0, *(other + 1 for other in image)) for image in chain.symmetries if image[frame - 1] == frame - 1]
        moved = [tuple(place[min(m[a], m[b]), max(m[a], m[b])] for a, b in chain.joints) for m in kept]
        yield frame, ways, moved


def _balance(linkage: Mechanism, counts: Counts) -> Balance:
    """Share out the equations of a linkage without drivers one by one, which is fast for the few that it has."""
    joints = len(counts.equations)
    none = Shares(np.zeros((joints, 2), np.int32), counts.equations, np.full(counts.bodies, counts.need, np.int32))
    empty = Balance(linkage, (), counts, none)
    placement = Placement(Space(linkage, empty, (), (), 0))
    if not all(placement.add(joint) for joint in range(joints) for _ in range(2)):
        space(linkage)  # which says what is rigid
    shares = Shares(np.array(placement.given), 0 * counts.equations, np.array(placement.room))
    return replace(empty, shares=shares)
