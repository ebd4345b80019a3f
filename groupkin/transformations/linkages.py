"""Linkages of kinematic chains: which link is the frame, which joints at the frame are driven, and the groups.

Frames and drivers that a symmetry of the chain turns into each other count once. A chain is a mechanism whose frame
changes, so only the counts of its equations change: its bodies and joints are checked once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from groupkin.arguments import checked
from groupkin.mechanism.mechanism import Driver, Joint, Mechanism
from groupkin.structure.chains import Chain, automorphisms
from groupkin.structure.counting import Counts, share
from groupkin.transformations.criteria import criteria
from groupkin.transformations.driver_choices import Choice, Space, outline, space, valid_choices
from groupkin.transformations.exploration import Transformation, described, has_closed_form
from groupkin.transformations.symmetry import Permutation, orbits


@checked
def driven_linkages(chain: Chain) -> list[Transformation]:
    """All linkages of a chain, driven at the frame in all ways that determine their motion.

    Returns
    -------
    list of Transformation
        By frame and driven joints. Its `values` begin with the number of the chain, the frame, and the numbers of
        links with 2, 3, … joints (``links_2``, …); the other criteria are those of
        `groupkin.transformations.criteria.criteria`. Groups name links by their numbers, and joints are named "a-b".

    Examples
    --------
    >>> from groupkin.structure.chains import generate_chains
    >>> watt, stephenson = generate_chains(6)
    >>> [(case.values["frame"], *case.drivers, case.types) for case in driven_linkages(watt)]
    """
    measured = criteria(has_closed_form)
    facts = {"chain": chain.number} | {f"links_{k}": chain.assortment.get(k, 0) for k in range(2, chain.loops + 2)}
    found = []
    for frame, ways, symmetries in _frames(chain):
        outlines = {choice: outline(ways, choice, placement) for choice, placement in valid_choices(ways)}
        for alike in orbits(outlines, symmetries):
            case = described(ways, alike[0], outlines[alike[0]], measured, len(alike))
            found.append(replace(case, values=facts | {"frame": frame} | case.values))
    return found


def linkage(chain: Chain, frame: int = 1, driven: Sequence[str] = ()) -> Mechanism:
    """A chain with a frame as a mechanism without geometry, links and joints named by numbers."""
    joints = [Joint(f"{a}-{b}", "R", (str(a), str(b))) for a, b in chain.joints]
    links = [str(link) for link in range(1, chain.links + 1)]
    return Mechanism(2, links, joints, [Driver(name) for name in driven], frame=str(frame), name=f"chain {chain.number}")


def _frames(chain: Chain) -> Iterator[tuple[int, Space, list[Permutation]]]:
    """Frames that no symmetry turns into each other: the link, the choices of drivers, the symmetries that are left."""
    first = space(linkage(chain))
    edges = tuple((a - 1, b - 1) for a, b in chain.joints)
    images, place = automorphisms(edges), {edge: k for k, edge in enumerate(edges)}
    for frame in sorted({min(image[link] for image in images) for link in range(chain.links)}):
        number = np.array([link - (link > frame) for link in range(chain.links)], np.int32)
        number[frame] = -1
        counts = Counts(3, chain.links - 1, number[np.array(edges)], first.balanced.counts.equations)
        ways = replace(
            first,
            mechanism=replace(first.mechanism, frame=str(frame + 1)),
            balanced=replace(first.balanced, counts=counts, shares=share(counts)),
            high=tuple(int(frame in edge) for edge in edges),
        )
        kept = [image for image in images if image[frame] == frame]
        yield frame + 1, ways, [tuple(place[_edge(image[a], image[b])] for a, b in edges) for image in kept]


def _edge(a: int, b: int) -> tuple[int, int]:
    return (a, b) if a < b else (b, a)
