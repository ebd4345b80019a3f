"""Bodies that turn in all directions, through all angles, against elliptic functions."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.special import ellipj, ellipk

import groupkin as gk
from groupkin.dynamics.simulation import integration

Array = NDArray[np.float64]

GRAVITY = 9.81
MASS, ARM, ACROSS, ALONG = 2.0, 0.5, 0.1, 0.15
"""Of a top: mass, kg, distance of its center from its point, m, moments of inertia about its center, kg m²."""


def top() -> gk.Mechanism:
    """A symmetric top, upright in the reference configuration."""
    point = gk.Joint("point", "S", ("frame", "top"), point=(0.0, 0.0, 0.0))
    body = gk.Body("top", mass=MASS, center=(0.0, 0.0, ARM), inertia=(ACROSS, ACROSS, ALONG))
    return gk.Mechanism(3, ["frame", body], [point], gravity=(0.0, 0.0, -GRAVITY))


def height(nutation: float, precession: float, spin: float, times: Array) -> Array:
    """Cosine of the nutation of a top, given where it stands still; `spin` is about its own axis, rad/s.

    With u the cosine, u'² is a cubic, so that u is a square of the elliptic sine (Whittaker 1904, §71).
    """
    about = ACROSS + MASS * ARM**2
    u, fall, spinning = np.cos(nutation), 2.0 * MASS * GRAVITY * ARM / about, ALONG * spin / about
    turning = precession * (1.0 - u * u) + spinning * u
    energy = precession**2 * (1.0 - u * u) + fall * u
    # (1 - u²) (energy - fall u) - (turning - spinning u)²
    cubic = [fall, -energy - spinning**2, 2.0 * turning * spinning - fall, energy - turning**2]
    low, high, outside = np.sort(np.roots(cubic).real)
    m = (high - low) / (outside - low)
    later = ellipk(m) if abs(u - high) < abs(u - low) else 0.0
    return np.asarray(low + (high - low) * ellipj(0.5 * np.sqrt(fall * (outside - low)) * times + later, m)[0] ** 2)


@pytest.mark.parametrize(
    ("nutation", "precession", "spin"),
    [(0.4, 0.0, 9.0), (1.2, 3.0, 10.0), (1.9, -2.0, 14.0), (2.6, 4.0, 0.0), (3.0, 30.0, 0.0)],
)
def test_a_heavy_top_beyond_a_quarter_turn_of_nutation(nutation: float, precession: float, spin: float) -> None:
    """Without spin it is a spherical pendulum."""
    start = {
        "point.angle_x": nutation,
        "point.angle_y": (0.0, precession * np.sin(nutation)),
        "point.angle_z": (0.0, spin),
    }
    times = np.linspace(0.0, 10.0, 101)
    motion = gk.simulate(top(), times, start, rtol=1e-13)
    found = motion.rotation("top")[:, 2, 2]
    assert np.allclose(found, height(nutation, precession, spin, times), rtol=0, atol=1e-9)
    own = np.einsum("ni,ni->n", motion.angular_velocity("top"), motion.rotation("top")[:, :, 2])
    assert np.allclose(own, spin, rtol=0, atol=1e-9)


def test_a_free_asymmetric_body_flips_a_hundred_times() -> None:
    """About its middle axis, as a wing nut does: the solution of Euler's equations by elliptic functions (Jacobi)."""
    a, b, c = 1.0, 2.0, 3.0
    flight = gk.Joint("flight", "F", ("frame", "nut"), point=(0.0, 0.0, 0.0))
    nut = gk.Mechanism(3, ["frame", gk.Body("nut", mass=1.0, center=(0.0, 0.0, 0.0), inertia=(a, b, c))], [flight])
    wx, wy = 3.0, 6.0
    twice, square = a * wx**2 + b * wy**2, (a * wx) ** 2 + (b * wy) ** 2
    assert square < twice * b  # it goes around the first axis
    rate = np.sqrt((b - a) * (twice * c - square) / (a * b * c))
    m = (c - b) * (square - twice * a) / ((b - a) * (twice * c - square))
    half = 2.0 * ellipk(m) / rate
    times = np.linspace(0.0, 100.0 * half, 1001)
    start = {"flight.angle_x": (0.0, wx), "flight.angle_y": (0.0, wy)}
    motion = gk.simulate(nut, times, start, rtol=1e-13)
    own = np.einsum("nij,ni->nj", motion.rotation("nut"), motion.angular_velocity("nut"))
    sn = ellipj(rate * times + ellipk(m), m)[0]
    assert np.count_nonzero(np.diff(np.sign(own[:, 1]))) >= 99
    assert np.allclose(own[:, 1], wy * sn, rtol=0, atol=1e-9 * wy)
    assert np.allclose(motion.rotation("nut") @ (own * [a, b, c])[:, :, None], [[[a * wx], [b * wy], [0.0]]], atol=1e-9)


def test_rotations_are_counted_anew_alone_where_they_must(monkeypatch: pytest.MonkeyPatch) -> None:
    """A top that does not lean far keeps its coordinates; one that does goes on with others of the same freedoms."""
    names: list[list[str]] = []
    known = integration.changed

    def told(*given: object) -> object:
        found = known(*given)  # type: ignore[arg-type]
        names.extend([] if found is None else [found[0].names])
        return found

    monkeypatch.setattr(integration, "changed", told)
    gk.simulate(top(), [0.0, 5.0], {"point.angle_x": 0.3, "point.angle_z": (0.0, 80.0)})
    assert names == []
    gk.simulate(top(), [0.0, 5.0], {"point.angle_x": 3.0, "point.angle_y": (0.0, 5.0)})
    assert len(names) > 1
    assert {tuple(each) for each in names} == {("point.angle_x", "point.angle_y", "point.angle_z")}
