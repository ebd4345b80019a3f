"""Labels and signatures of structural groups.

The label (`1P1U1S3D`) counts the joints of a group by type. The signature is the canonical form of its little graph:
two groups have the same signature if and only if renaming bodies turns one into the other, so it finds the solver.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from groupkin.mechanism.pairs import PAIRS
from groupkin.structure.color_refinement import Keys, ranked, refine

ROUNDS = 4
"""Rounds of refinement of larger groups: colors then depend on what is within this distance of a body."""

Outside = list[list[str]]
"""Codes of the joints with what lies outside, for every body."""

Inside = list[list[tuple[int, str]]]
"""The other body and the code of the joints inside, for every body."""

_ORDER = {symbol: k for k, symbol in enumerate(PAIRS)}

REMEMBERED = 10_000
"""Size of the caches of labels and signatures: large mechanisms repeat a few kinds of groups."""

CANONICAL_UP_TO = 12
"""Number of bodies up to which signatures are canonical; larger groups carry a digest."""


class GroupGraph(NamedTuple):
    """A group by itself: bodies 0 … n - 1; what lies outside is the neighbor -1.

    `edges` holds (body, body, code) of every joint; `code` is the symbol of the pair with the numbers of its driven
    freedoms, such as ``S`` or ``C*1``.
    """

    dimension: int
    bodies: int
    edges: tuple[tuple[int, int, str], ...]


def joint_code(symbol: str, driven: Iterable[int]) -> str:
    """Symbol of a joint with its driven freedoms, counted from 1.

    Examples
    --------
    >>> joint_code("C", [0]), joint_code("S", [])
    ('C*1', 'S')
    """
    numbers = "".join(str(index + 1) for index in sorted(driven))
    return f"{symbol}*{numbers}" if numbers else symbol


def label(symbols: Iterable[str], dimension: int, couplings: int = 0) -> str:
    """Published name of a group: numbers of its joints by type, in the order of the table of pairs.

    Couplings follow as K.

    Examples
    --------
    >>> label("SUP", 3), label("RR", 2, couplings=1)
    ('1P1U1S3D', '2R1K2D')
    """
    return _label(tuple(symbols), dimension, couplings)


@lru_cache(REMEMBERED)
def _label(symbols: tuple[str, ...], dimension: int, couplings: int) -> str:
    counts = Counter(symbols)
    joints = "".join([f"{counts[symbol]}{symbol}" for symbol in sorted(counts, key=_ORDER.__getitem__)])
    return joints + f"{couplings}K" * bool(couplings) + f"{dimension}D"


@lru_cache(REMEMBERED)
def signature(graph: GroupGraph) -> tuple[str, tuple[int, ...]]:
    """Canonical form of a group and the order of its bodies in it.

    Returns
    -------
    text : str
        Such as ``3D 0:U 1:S 0-1:P``: joints to the outside by body, then joints between bodies.
    order : tuple of int
        ``order[k]`` is the body of `graph` that is body k of the canonical form.

    Notes
    -----
    Color refinement with individualization; the smallest encoding wins. Above `CANONICAL_UP_TO` bodies the text is
    the label with a digest of the colors after some rounds, and the order is that of the graph.
    """
    outside: Outside = [[] for _ in range(graph.bodies)]
    inside: Inside = [[] for _ in range(graph.bodies)]
    for a, b, code in graph.edges:
        if a < 0 or b < 0:
            outside[max(a, b)].append(code)
        else:
            inside[a].append((b, code))
            inside[b].append((a, code))
    large = graph.bodies > CANONICAL_UP_TO
    colors = _refined([0] * graph.bodies, outside, inside, ROUNDS if large else graph.bodies)
    if large:
        described = sorted(
            (color, sorted(outside[body]), sorted((colors[other], code) for other, code in inside[body]))
            for body, color in enumerate(colors)
        )
        digest = hashlib.sha256(repr(described).encode()).hexdigest()[:12]
        types = label([code.split("*")[0] for _, _, code in graph.edges], graph.dimension)
        return f"{types}#{digest}", tuple(range(graph.bodies))
    encoding, order = _smallest(colors, outside, inside)
    return f"{graph.dimension}D {encoding}", order


def _refined(colors: Sequence[int], outside: Outside, inside: Inside, rounds: int) -> list[int]:
    held = [tuple(sorted(codes)) for codes in outside]

    def keys(colors: Sequence[int]) -> Keys:
        return [
            (color, held[body], tuple(sorted([(colors[other], code) for other, code in inside[body]])))
            for body, color in enumerate(colors)
        ]

    return refine(colors, keys, ranked, rounds)


def _smallest(colors: Sequence[int], outside: Outside, inside: Inside) -> tuple[str, tuple[int, ...]]:
    cells: dict[int, list[int]] = {}
    for body, color in enumerate(colors):
        cells.setdefault(color, []).append(body)
    tied = next((cells[color] for color in sorted(cells) if len(cells[color]) > 1), None)
    if tied is None:
        order = tuple(sorted(range(len(colors)), key=colors.__getitem__))
        return _encode(order, outside, inside), order
    branches = []
    for chosen in tied:
        marked = [2 * color + (body != chosen) for body, color in enumerate(colors)]
        branches.append(_smallest(_refined(marked, outside, inside, len(colors)), outside, inside))
    return min(branches)


def _encode(order: Sequence[int], outside: Outside, inside: Inside) -> str:
    position = {body: k for k, body in enumerate(order)}
    words = [f"{k}:{','.join(sorted(outside[body]))}" for k, body in enumerate(order) if outside[body]]
    edges = sorted(
        (position[a], position[b], code) for a in position for b, code in inside[a] if position[a] < position[b]
    )
    return " ".join(words + [f"{a}-{b}:{code}" for a, b, code in edges])
