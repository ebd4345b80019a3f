"""Sparse elimination and full matrices in iterated groups: the same motion, by other orders of elimination."""

from __future__ import annotations

import numpy as np
import pytest

from groupkin.kinematics.program.elimination import is_dense, with_elimination
from groupkin.kinematics.program.program import Program
from groupkin.kinematics.solver import program, solve
from groupkin.mechanism.files import load, read
from tests.support.paths import EXAMPLES

ITERATED = ("stewart_forward", "stephenson_six_bar", "five_rod_suspension", "rotor_control", "cam_roller")

SMALL = 1e-10
"""Of the largest number, times the conditioning: Newton's last step is 2e-11, and accelerations amplify it."""


@pytest.fixture(scope="module", params=ITERATED)
def sparse(request: pytest.FixtureRequest) -> tuple[Program, np.ndarray]:
    described = read(EXAMPLES / f"{request.param}.toml")
    return program(described.mechanism), described.motion.times[:60]


def test_full_matrices_give_the_same_motion(sparse: tuple[Program, np.ndarray]) -> None:
    given, times = sparse
    dense = with_elimination(given, "dense")
    assert any(map(is_dense, dense.calls))
    assert not any(map(is_dense, given.calls))
    expected, found = solve(given, times), solve(dense, times)
    assert np.array_equal(found.status, expected.status)
    for name in ("q", "v", "a"):
        x, y = getattr(found, name), getattr(expected, name)
        assert np.abs(x - y).max() <= SMALL / expected.conditioning.min() ** 2 * np.abs(y).max()


def test_programs_that_eliminate_so_already_keep_their_steps(sparse: tuple[Program, np.ndarray]) -> None:
    given, _ = sparse
    assert with_elimination(given, None) is given
    assert with_elimination(given, "sparse").calls == given.calls
    back = with_elimination(with_elimination(given, "dense"), "sparse")
    assert all(np.array_equal(x.rows, y.rows) for x, y in zip(back.calls, given.calls, strict=True))


def test_closed_forms_do_not_eliminate() -> None:
    given = program(load(EXAMPLES / "four_bar.toml"))
    assert with_elimination(given, "dense").calls == given.calls


def test_another_word_is_refused() -> None:
    with pytest.raises(ValueError, match="linear must be one of sparse, dense, not 'banded'"):
        with_elimination(program(load(EXAMPLES / "four_bar.toml")), "banded")
