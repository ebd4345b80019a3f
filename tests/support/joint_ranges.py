"""Mechanisms of the examples with ranges."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

import groupkin as gk
from groupkin.model.geometry.coordinates import reference_coordinates
from groupkin.model.geometry.geometry import resolve
from tests.support.paths import EXAMPLES

CRANK, ROD = 0.05, 0.13
"""Lengths of the slider-crank among the examples (m)."""


def ranged(name: str, **ranges: Any) -> gk.Mechanism:
    """Give joints of an example ranges, by their names with underscores for blanks."""
    mechanism = gk.load(EXAMPLES / f"{name}.toml")
    return with_ranges(mechanism, {key.replace("_", " "): ends for key, ends in ranges.items()})


def with_ranges(mechanism: gk.Mechanism, ranges: dict[str, Any]) -> gk.Mechanism:
    """Give joints ranges, by their names."""
    joints = [replace(joint, range=ranges.get(joint.name, joint.range)) for joint in mechanism.joints]
    return replace(mechanism, joints=joints)


def about_the_reference(mechanism: gk.Mechanism) -> gk.Mechanism:
    """Give all hinges and slides ranges about where they are in the reference configuration."""
    geometry, ranges = resolve(mechanism), {}
    for joint in mechanism.joints:
        form = mechanism.form(joint)
        if joint.of is None and (form.hinge or form.slide) and not form.curved:
            here = float(reference_coordinates(form, geometry.joints[joint.name])[0])
            ends = np.array([-0.6, 0.9]) if form.hinge else geometry.size * np.array([-0.1, 0.2])
            ranges[joint.name] = tuple(map(float, here + ends))
    return with_ranges(mechanism, ranges)


def piston(times: Any) -> Any:
    """Where the piston of the slider-crank is from the bearing, m, at times of its file, s."""
    angle = np.pi / 2 + 20 * np.pi * np.asarray(times)
    return CRANK * np.cos(angle) + np.sqrt(ROD**2 - (CRANK * np.sin(angle)) ** 2)
