"""Andrews' squeezer, in the dimensions of the IFToMM benchmark A03 and of Hairer and Wanner (1996, VII.7)."""

from __future__ import annotations

import numpy as np

import groupkin as gk

BETA, GAMMA, PHI = (
    -0.0617138900142764496358948458001,
    0.455279819163070380255912382449,
    0.222668390165885884674473185609,
)
DELTA, EPSILON = 0.487364979543842550225598953530, 1.23054744454982119249735015568

MASSES = {
    "K1": (0.04325, 2.194e-6),
    "K2": (0.00365, 4.410e-7),
    "K3": (0.02373, 5.255e-6),
    "K4": (0.00706, 5.667e-7),
    "K5": (0.07050, 1.169e-5),
    "K6": (0.00706, 5.667e-7),
    "K7": (0.05498, 1.912e-5),
}

AT_LAST = 0.03
"""s."""

ANGLE, RATE, ACCELERATION = 15.810771195153707097119387, 1139.9203022591060642, -24631.763122874634470
"""Of K1 at that time, in quadruple precision; the published angle is right to ten digits."""


def along(angle: float) -> np.ndarray:
    return np.array([np.cos(angle), np.sin(angle)])


def across(angle: float) -> np.ndarray:
    return np.array([np.sin(angle), -np.cos(angle)])


def squeezer() -> gk.Mechanism:
    """The mechanism at rest at the beginning; its crank K1 is free."""
    origin, a, b = np.zeros(2), np.array([-0.06934, -0.00227]), np.array([-0.03635, 0.03273])
    f = 0.007 * along(BETA)
    e = f - 0.028 * along(BETA)
    d = b + 0.02 * along(GAMMA) + 0.018 * across(GAMMA)
    g, h = a + 0.04 * along(DELTA), a + 0.04 * across(EPSILON)
    centers = {
        "K1": 0.00092 * along(BETA),
        "K2": f - 0.0115 * along(BETA),
        "K3": b + 0.01874 * across(GAMMA) + 0.01043 * along(GAMMA),
        "K4": g + 0.00579 * across(PHI + DELTA),
        "K5": a + 0.02308 * along(DELTA) - 0.00916 * across(DELTA),
        "K6": h + 0.00579 * along(EPSILON - PHI),
        "K7": a + 0.01228 * across(EPSILON) - 0.00449 * along(EPSILON),
    }
    bodies = [
        gk.Body(name, mass=mass, center=tuple(centers[name]), inertia=inertia)
        for name, (mass, inertia) in MASSES.items()
    ]
    joints = [
        gk.Joint("O", "R", ("frame", "K1"), point=tuple(origin)),
        gk.Joint("F", "R", ("K1", "K2"), point=tuple(f)),
        gk.Joint("B", "R", ("frame", "K3"), point=tuple(b)),
        gk.Joint("E", "R", ("K2", "K3", "K4", "K6"), point=tuple(e)),
        gk.Joint("G", "R", ("K4", "K5"), point=tuple(g)),
        gk.Joint("A", "R", ("frame", "K5", "K7"), point=tuple(a)),
        gk.Joint("H", "R", ("K6", "K7"), point=tuple(h)),
    ]
    spring = gk.Spring("spring", ("K3", "frame"), (tuple(d), (0.014, 0.072)), 4530.0, 0.07785)
    forces = [spring, gk.JointForce("drive", "O", 0.033)]
    return gk.Mechanism(2, ["frame", *bodies], joints, [gk.Driver("O")], forces=forces, name="squeezer")


MULTIPLIERS = {
    "K3": (199.175348104538628, -29.7553099749717633),
    "K4": (23.0665436116221511, 31.4527252757711371),
    "K6": (22.6424947863943786, 11.6173923526112559),
}
"""Forces of the pin E on these bodies at that time, N."""
