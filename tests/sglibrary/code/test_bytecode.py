"""Codes of texts that are not compiled, against the texts."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sglibrary.code.bytecode import BATCH, HEADER, NUMBERS, decode, encode
from sglibrary.code.graph import Graph, cross, dot, floor, fma, inverse, inverse_root, least, root, select, size
from sglibrary.code.instructions import compute


def text() -> str:
    """One with all kinds of lines, and with products of vectors."""
    graph = Graph()
    u, w = (tuple(graph.value("w", first + i) for i in range(3)) for first in (0, 3))
    x, rate, gain = (graph.value(kind, 7, 1) for kind in "qva")
    parts = cross(u, w)
    total = fma(dot(u, w), graph.value("c", 2), graph.number(1 / 3))
    y = root(size(total)) * inverse(x) + floor(rate - gain)
    found = [*parts, y, select(x, rate, y, parts[0]), least(x, gain), inverse_root(y * y), -x]
    places = ["w 0", "w 6", "q 8 0", "v 8 0", "a 8 0", "a 8 1", "w 7", "w 8"]
    return graph.text(list(zip(found, places, strict=True)))


def written(of: str) -> dict[str, NDArray[np.float64]]:
    """What a text puts where."""
    rng, given, found = np.random.default_rng(0), dict[str, Any](), dict[str, Any]()

    def other(kind: str, numbers: list[str], values: list[Any]) -> Any:
        if kind == "=":
            found[" ".join(numbers[1:])] = values[int(numbers[0])]
            return None
        return given[" ".join([kind, *numbers])]

    for line in sorted(line for line in of.split(";") if line[0] in "qvawc"):
        given[line] = rng.normal(size=5)
    compute(of, other)
    return found


def test_a_code_computes_what_its_text_does() -> None:
    code, kept = encode(text(), 40)
    expected, found = written(text()), written(decode(code))
    assert sorted(found) == sorted(expected)
    for place, x in expected.items():
        np.testing.assert_array_equal(found[place], x)
    assert code[3] == 40
    assert len(code) == HEADER + NUMBERS * (code[0] + code[1])
    assert max(line for line in code[HEADER + 1 :: NUMBERS]) * BATCH < kept


def test_values_that_nothing_takes_any_more_make_room() -> None:
    graph = Graph()
    x = graph.value("w", 0)
    for k in range(100):
        x = root(x + graph.value("w", k))
    _, kept = encode(graph.text([(x, "w 0")]), 0)
    assert kept <= 3 * BATCH


def test_what_is_still_read_is_overwritten_last() -> None:
    graph = Graph()
    x, y = graph.value("w", 0), graph.value("w", 1)
    code, _ = encode(graph.text([(y, "w 0"), (x, "w 1"), (x * y, "w 2")]), 0)
    lines = decode(code).split(";")
    assert max(lines.index("w 0"), lines.index("w 1")) < min(k for k, line in enumerate(lines) if line[0] == "=")
