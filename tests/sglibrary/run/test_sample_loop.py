"""One loop over samples: each with its own constants, drivers, fixed rows and memory; what fails ends there."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.typing import NDArray

from sglibrary.convention import kernel
from sglibrary.laws import OTHER
from sglibrary.run.calls import Drivers, State, handle
from sglibrary.run.sample_loop import SampleCalls, SampleResults, Samples, WatchedSamples, solve_samples
from sglibrary.status import CANNOT_ASSEMBLE, NO_INPUT, SINGULAR, SOLVED

Array = NDArray[np.float64]
STEPS, SAMPLES = 10, 4
TIMES = np.linspace(0.0, 0.9, STEPS)


@kernel
def first(q, v, a, memory, rows, constants, status, conditioning, n):  # type: ignore[no-untyped-def]
    """Row 5 is constant times driver plus memory plus what is fixed in row 4; above 3 it cannot be."""
    for j in range(n):
        q[5, j] = constants[0] * q[rows[0], j] + memory[0] + q[4, j]
        v[5, j] = constants[0] * v[rows[0], j]
        a[5, j] = constants[0] * a[rows[0], j]
        conditioning[j] = 1.0
        status[j] = SOLVED
        if q[5, j] > 3.0:
            q[5, j] = math.nan
            status[j] = CANNOT_ASSEMBLE


@kernel
def second(q, v, a, memory, rows, constants, status, conditioning, n):  # type: ignore[no-untyped-def]
    """Row 6 is its square, below 1 singular."""
    for j in range(n):
        q[6, j] = q[5, j] * q[5, j]
        v[6, j] = 2.0 * q[5, j] * v[5, j]
        a[6, j] = math.cos(q[rows[0] + 0, j])
        conditioning[j] = 0.5
        status[j] = SOLVED
        if math.isnan(q[5, j]):
            status[j] = NO_INPUT
        elif q[6, j] < constants[0]:
            status[j] = SINGULAR


def solved(
    constants: Array, drivers: Array, fixed: Array, memory: Array, places: NDArray[np.int64], block: int
) -> tuple[list[Array], NDArray[np.int64]]:
    """Rows of q, v, a and conditioning, by sample and time, and the failures."""
    handles = [handle(first), handle(second)]
    calls = SampleCalls(
        np.array(handles, np.int64) if isinstance(handles[0], int) else handles,
        np.array([1, 1], np.int64),
        np.array([[0, 0], [1, 1], [2, 2]], np.int64),
        np.array([0, 1], np.int64),
    )
    state = State(*(np.zeros((7, 16)) for _ in range(3)), np.zeros((2, 16)))
    kept = tuple(np.array(rows, np.int64) for rows in ([0, 5, 6], [5], [5], [0, 1]))
    results = tuple(np.full((rows.size, SAMPLES * STEPS), 7.0) for rows in kept)
    failures = np.full((SAMPLES, 3), -1, np.int64)
    samples, status = Samples(constants, memory, places, np.array([4]), fixed), np.zeros((2, 16), np.uint8)
    near = np.full(SAMPLES, True)
    watched = WatchedSamples(np.array([1], np.int64), np.full((1, STEPS), np.nan), np.zeros(2), near)
    times = np.tile(TIMES, (len(drivers), 1))
    driven = Drivers(np.array([OTHER]), np.zeros((1, 4)), np.zeros(0), np.array([True]), np.array([1]), drivers)
    solve_samples(calls, samples, times, driven, state, status, SampleResults(kept, results, failures), watched, block)
    assert not near.any()  # all the time one half
    return [x.reshape(-1, SAMPLES, STEPS) for x in results], failures


def driver(rate: float) -> Array:
    angle = rate * TIMES
    return np.stack([angle, np.full(STEPS, rate), np.zeros(STEPS), np.cos(angle), np.sin(angle)])[None]


@pytest.mark.parametrize("block", [3, 5, 10, 16])
@pytest.mark.parametrize("shared", [True, False])
def test_samples(block: int, shared: bool) -> None:
    factors = np.full(SAMPLES, 2.0) if shared else np.array([1.0, 2.0, 3.0, 2.0])
    rates = np.full(SAMPLES, 1.0) if shared else np.array([1.0, 1.5, 1.0, 0.5])
    offsets = np.full(SAMPLES, 0.5) if shared else np.array([0.5, 0.2, 0.1, 0.0])
    recalled = np.zeros(SAMPLES) if shared else np.array([0.0, 0.7, 1.0, 0.25])
    least = np.zeros(SAMPLES) if shared else np.array([0.0, 0.0, 0.0, 0.01])
    count = 1 if shared else SAMPLES
    constants = np.stack([factors, least], axis=1)[:count]
    memory = np.stack([recalled, np.zeros(SAMPLES)], axis=1)[:count].ravel()
    places = np.arange(0, 2 * count, 2)[:, None] + np.array([[0, 1, 2]])
    drivers = np.stack([driver(rate) for rate in rates[:count]])
    (q, v, a, conditioning), failures = solved(constants, drivers, offsets[:count, None], memory, places, block)
    for k in range(SAMPLES):
        value = factors[k] * rates[k] * TIMES + recalled[k] + offsets[k]
        stop = int(np.argmax(value > 3.0)) if (value > 3.0).any() else STEPS
        expected = [stop, 0, CANNOT_ASSEMBLE] if stop < STEPS else [STEPS, 0, SOLVED]
        if value[0] ** 2 < least[k]:
            stop, expected = 0, [0, 1, SINGULAR]
        assert failures[k].tolist() == expected
        np.testing.assert_allclose(q[0, k, :stop], TIMES[:stop])
        np.testing.assert_allclose(q[1, k, :stop], value[:stop])
        np.testing.assert_allclose(q[2, k, :stop], value[:stop] ** 2)
        np.testing.assert_allclose(v[0, k, :stop], factors[k] * rates[k])
        np.testing.assert_allclose(a[0, k, :stop], 0.0)
        np.testing.assert_array_equal(conditioning[:, k, :stop], np.broadcast_to([[1.0], [0.5]], (2, stop)))
        for x in (q, v, a, conditioning):
            assert np.isnan(x[:, k, stop:]).all()
    if not shared:
        assert failures[2, 0] < STEPS
