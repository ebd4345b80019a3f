"""A Jansen leg from its thirteen published lengths, for groupkin and for pylinkage.

Lengths: T. Jansen, *The Great Pretender*, 010 Publishers 2007. The crank turns once per second.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

import groupkin as gk

LENGTH = {
    "a": 38.0,
    "b": 41.5,
    "c": 39.3,
    "d": 40.1,
    "e": 55.8,
    "f": 39.4,
    "g": 36.7,
    "h": 65.7,
    "i": 49.0,
    "j": 50.0,
    "k": 61.9,
    "l": 7.8,
    "m": 15.0,
}
RATE = 2 * np.pi
"""Of the crank, rad/s."""

BARS = {
    "V": ("X", "Y", "j", "b", 1),
    "U": ("X", "Y", "k", "c", -1),
    "W": ("V", "Y", "e", "d", 1),
    "T": ("W", "U", "f", "g", 1),
    "S": ("T", "U", "h", "i", 1),
}
"""Every further point: two points it hangs on, the lengths of the bars, and the side it lies on."""


def points() -> dict[str, np.ndarray]:
    """All points with the crank to the right, in the unit of the lengths."""
    found = {
        "Z": np.zeros(2),
        "Y": np.array([-LENGTH["a"], -LENGTH["l"]]),
        "X": np.array([LENGTH["m"], 0.0]),
    }
    for name, (first, second, l1, l2, side) in BARS.items():
        a, b = found[first], found[second]
        span = b - a
        along = 0.5 + (LENGTH[l1] ** 2 - LENGTH[l2] ** 2) / (2 * span @ span)
        aside = side * np.sqrt(LENGTH[l1] ** 2 / (span @ span) - along**2)
        found[name] = a + along * span + aside * np.array([span[1], -span[0]])
    return found


def mechanism() -> gk.Mechanism:
    """The leg: crank and five dyads; triangles are bodies."""
    at = points()
    ends = [
        ("Z", "frame", "crank"),
        ("X", "crank", "upper"),
        ("X", "crank", "lower"),
        ("Y", "frame", "triangle"),
        ("V", "upper", "triangle"),
        ("Y", "frame", "swing"),
        ("U", "lower", "swing"),
        ("W", "triangle", "side"),
        ("U", "swing", "foot"),
        ("T", "side", "foot"),
    ]
    joints = [gk.Joint(f"{k}", "R", (one, two), point=at[name]) for k, (name, one, two) in enumerate(ends)]
    bodies = ["frame", "crank", "upper", "lower", "triangle", "swing", "side"]
    foot = gk.Body("foot", points={"S": at["S"]})
    return gk.Mechanism(
        dimension=2,
        bodies=[*bodies, foot],
        joints=joints,
        drivers=[gk.Driver("0", gk.Ramp(rate=RATE))],
    )


def pylinkage_runner(times: np.ndarray) -> tuple[Callable[[], tuple[np.ndarray, ...]], str]:
    """A function that solves all steps and returns positions, velocities and accelerations (n, 8, 2); S is last."""
    from pylinkage.actuators import Crank
    from pylinkage.components import Ground
    from pylinkage.dyads import RRRDyad
    from pylinkage.simulation import Linkage

    at, step = points(), times[1] - times[0]
    parts = {"Z": Ground(*at["Z"], name="Z"), "Y": Ground(*at["Y"], name="Y")}
    # its first result is one step after the start
    crank = Crank(anchor=parts["Z"], radius=LENGTH["m"], angular_velocity=RATE * step, initial_angle=-RATE * step)
    parts["X"] = crank
    for name, (first, second, l1, l2, _) in BARS.items():
        anchors = (parts[key].output if key == "X" else parts[key] for key in (first, second))
        parts[name] = RRRDyad(*anchors, LENGTH[l1], LENGTH[l2], x=at[name][0], y=at[name][1], name=name)
    linkage = Linkage(list(parts.values()))
    linkage.set_input_velocity(crank, RATE)
    linkage.compile()
    start = [part.position for part in parts.values()]

    def run() -> tuple[np.ndarray, ...]:
        linkage.set_coords(start)
        return linkage.step_fast_with_kinematics(times.size)

    return run, "Linkage.compile, step_fast_with_kinematics"
