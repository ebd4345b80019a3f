"""Points and directions fixed in solved bodies: the same combination of positions, velocities and accelerations."""

from __future__ import annotations

import numpy as np

from sglibrary import attachments

N = 5


def test_points_and_directions() -> None:
    rng = np.random.default_rng(0)
    for d, width in ((2, 1), (3, 3)):
        state = [rng.normal(size=(40, N + 3)) for _ in range(3)]
        before = [x.copy() for x in state]
        # base: point in row 0, vectors after it; a point goes to row 20, a direction to row 30
        vectors = [d * (1 + k) for k in range(width)]
        rows = np.array([d, 20, 0, *vectors, 30, -1, *vectors])
        constants = rng.normal(size=(2, d))
        unused = np.zeros(1)
        attachments.motion(*state, unused, rows, constants.ravel(), np.zeros(N, np.uint8), unused, N)
        for old, new in zip(before, state, strict=True):
            base = [old[row : row + d, :N] for row in vectors]
            if d == 2:
                base.append(np.array([-base[0][1], base[0][0]]))  # a quarter turn
            for row, point, c in ((20, old[0:d, :N], constants[0]), (30, 0.0, constants[1])):
                expected = point + sum(share * vector for share, vector in zip(c, base, strict=True))
                np.testing.assert_allclose(new[row : row + d, :N], expected, atol=1e-15)
            written = np.zeros(40, bool)
            written[[*range(20, 20 + d), *range(30, 30 + d)]] = True
            np.testing.assert_array_equal(new[~written], old[~written])
            np.testing.assert_array_equal(new[:, N:], old[:, N:])  # steps beyond the block


def test_those_of_one_body_are_filled_together_with_the_same_bits() -> None:
    """Three from the same point along the same vectors share a loop, or two points; alone each has its own."""
    rng = np.random.default_rng(0)
    state, unused = [rng.normal(size=(60, N + 3)) for _ in range(3)], np.zeros(1)
    alone, code = [x.copy() for x in state], np.zeros(N, np.uint8)
    # five points and five directions of one body, and a point between them of another
    bases = [[0, 3, 6, 9]] * 5 + [[12, 3, 6, 9]] + [[-1, 3, 6, 9]] * 5
    entries = [[20 + 3 * k, *base] for k, base in enumerate(bases)]
    constants = rng.normal(size=(len(entries), 3))
    rows = np.array([3, *(row for entry in entries for row in entry)])
    attachments.motion(*state, unused, rows, constants.ravel(), code, unused, N)
    for entry, own in zip(entries, constants, strict=True):
        attachments.motion(*alone, unused, np.array([3, *entry]), own, code, unused, N)
    for together, each in zip(state, alone, strict=True):
        np.testing.assert_array_equal(together, each)


def test_inner_products() -> None:
    rng = np.random.default_rng(0)
    for d in (2, 3):
        state = [rng.normal(size=(20, N + 3)) for _ in range(3)]
        before = [x.copy() for x in state]
        u, w, start = (before[0][row : row + d, :N] for row in (0, 3, 6))
        unused = np.zeros(1)
        rows = np.array([d, 10, 0, 3, -1, 11, 0, 3, 6])
        attachments.inner(*state, unused, rows, unused, np.zeros(N, np.uint8), unused, N)
        np.testing.assert_allclose(state[0][10, :N], (u * w).sum(axis=0), atol=1e-15 * d)
        np.testing.assert_allclose(state[0][11, :N], (u * (w - start)).sum(axis=0), atol=2e-15 * d)
        state[0][[10, 11], :N] = before[0][[10, 11], :N]
        for old, new in zip(before, state, strict=True):
            np.testing.assert_array_equal(new, old)
