"""Groups whose equations are written out, against the tables that they are written from."""

from __future__ import annotations

from pathlib import Path
from unittest import mock

import numpy as np
import pytest

import groupkin as gk
from groupkin.kinematics.program import building
from groupkin.kinematics.program.building import build
from groupkin.structure.generation import generate
from sglibrary.iterative import newton
from sglibrary.straight.group import can_be_written
from sglibrary.straight.texts import texts

EXAMPLES = Path(__file__).parents[3] / "examples"
GROUPS = {
    "assur_class_three": "substitute",
    "cam_roller": "substitute",
    "rotor_control": "substitute",
    "stephenson_six_bar": "newton",
    "planar_3rrr": "newton",
    "geared_press": "substitute",
    "class IV": "substitute",
    "class VI": "newton",
}
"""Examples and solvers with which they have such groups; from one to six unknowns."""

CLASSES = {"class IV": 4, "class VI": 6}
"""Assur groups of this class are generated; they have as many unknowns."""


@pytest.mark.parametrize("name", GROUPS)
def test_they_move_as_by_their_tables(name: str) -> None:
    mechanism = generate(CLASSES[name], 1, seed=1) if name in CLASSES else gk.load(EXAMPLES / f"{name}.toml")
    times = np.linspace(0.0, 0.5, 181)
    with mock.patch.object(building, "can_be_written", return_value=False):
        by_tables = build(mechanism, wanted=GROUPS[name])
    written = build(mechanism, wanted=GROUPS[name])
    of_tables = [call.kernel is newton.motion for call in by_tables.calls]
    assert any(of_tables)
    assert not any(call.kernel is newton.motion for call in written.calls)
    expected, found = gk.solve(by_tables, times), gk.solve(written, times)
    # of sizes of the mechanism, 1/s and 1/s²: steps of the tables end within 2e-11, squared for positions
    for order, bound in zip("qva", (1e-11, 1e-10, 1e-9), strict=True):
        x, y = getattr(found, order), getattr(expected, order)
        assert np.abs(x - y).max() <= bound * np.abs(y).max()
    assert np.abs(found.conditioning - expected.conditioning).max() < 1e-3  # that of a knot's vectors


def test_groups_of_one_kind_share_their_text() -> None:
    first, second = (build(gk.load(EXAMPLES / f"{name}.toml")) for name in ("rotor_control", "rotor_control"))
    rows = next(call.rows for call in first.calls if call.knot is not None)
    moved = rows.copy()
    moved[12:14] += 100  # a row of the state that it reads
    assert can_be_written(rows)
    assert texts(tuple(rows.tolist()), frozenset()) == texts(tuple(moved.tolist()), frozenset())
    kernels = [[call.kernel for call in program.calls if call.knot is not None] for program in (first, second)]
    assert kernels[0] == kernels[1]
