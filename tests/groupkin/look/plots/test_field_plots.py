"""Fields of values over two drivers."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import groupkin as gk
from groupkin.errors import ArgumentError, QuantityError


def five_bar() -> gk.Program:
    """Two cranks of length 1, 2 apart, and two rods of length 1.5 that meet in P."""
    points = {"A": (0.0, 0.0), "B": (0.0, 1.0), "C": (2.0, 1.0), "D": (2.0, 0.0), "P": (1.0, 1.0 + np.sqrt(1.25))}
    ends = [("A", "ground", "left"), ("B", "left", "one"), ("P", "one", "two"), ("C", "right", "two")]
    joints = [gk.Joint(name, "R", bodies, point=name) for name, *bodies in [*ends, ("D", "ground", "right")]]
    drivers = [gk.Driver("A", gk.Constant(0.0)), gk.Driver("D", gk.Constant(0.0))]
    return gk.program(gk.Mechanism(2, ["ground", "left", "one", "two", "right"], joints, drivers, points=points))


def test_values_are_those_of_circles_and_blank_where_they_do_not_meet() -> None:
    program, over = five_bar(), {"joint A": (-1.0, 1.8), "joint D": (-1.0, 1.0)}
    found = gk.field(program, "position P.y", over, steps=15)
    (first, second), height = found.sides, found.values
    b = 1j * np.exp(1j * first)[None, :]
    c = 2.0 + 1j * np.exp(1j * second)[:, None]
    half = 0.5 * abs(c - b)
    across = np.sqrt(np.where(half < 1.5, 1.5**2 - half**2, np.nan))
    expected = (0.5 * (b + c) + 1j * across * (c - b) / abs(c - b)).imag
    assert 0 < np.isnan(expected).sum() < expected.size
    np.testing.assert_allclose(height, expected, atol=1e-12)


def test_a_field_is_drawn_with_its_singular_curve(tmp_path: Path) -> None:
    program = five_bar()
    file = tmp_path / "field.svg"
    over = {"joint A": (-0.8, 0.8), "joint D": (-0.8, 0.8)}
    figure = gk.plot_field(
        program, lambda motion: gk.jacobian(motion, "position P").determinant(), over, steps=21, out=file
    )
    assert "</svg>" in file.read_text()
    axes, bar = figure.axes
    assert (axes.get_xlabel(), axes.get_ylabel(), bar.get_ylabel()) == ("joint A (rad)", "joint D (rad)", "")
    named = gk.plot_field(program, "position P.y", over, {}, steps=5, mark=1.9)
    assert named.axes[1].get_ylabel() == "position P.y (m)"
    assert len(named.axes[0].collections) == 2  # the field and a curve


@pytest.mark.parametrize(
    ("value", "over", "message"),
    [
        ("position P.x", {"joint A": (0.0, 1.0)}, "over names two different driven freedoms"),
        (
            "position P.x",
            {"joint A": (0.0, 1.0), "joint P": (0.0, 1.0)},
            "is not one driven freedom; there are joint A",
        ),
        ("position P.x", {"joint A": (0.0, np.inf), "joint D": (0.0, 1.0)}, "a least and a larger value"),
        ("position P", {"joint A": (0.0, 0.1), "joint D": (0.0, 0.1)}, "is one number at each step"),
    ],
)
def test_what_is_no_field_is_refused(value: str, over: dict[str, tuple[float, float]], message: str) -> None:
    with pytest.raises((ArgumentError, QuantityError), match=message):
        gk.plot_field(five_bar(), value, over, steps=3)
