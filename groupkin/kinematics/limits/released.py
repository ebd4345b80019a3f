"""The equations of a mechanism with one driver released, whose value becomes an unknown.

They are those of the global formulation, all of them, so that they keep their rank where some of them repeat others:
at regular configurations one less than there are unknowns. Where the driver turns back they are regular as well, since
its value is an unknown as any other.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from groupkin.kinematics.global_formulation.equations import all_equations, substitution
from groupkin.kinematics.global_formulation.joint_equations import driven_freedoms, relations
from groupkin.kinematics.global_formulation.unknowns import Curves, choose_unknowns, list_curves
from groupkin.kinematics.limits.checks import Freedom
from groupkin.mechanism.mechanism import Mechanism
from groupkin.model.geometry.assembly import moved
from groupkin.model.geometry.coordinates import reference_coordinates, whole_turns
from groupkin.model.geometry.geometry import Geometry, near_origin
from groupkin.tolerances import FLAT_EQUATION
from sglibrary.array_types import Array, Flags, Ints

Poses = dict[str, tuple[Array, Array]]


@dataclass(frozen=True, eq=False)
class Released:
    """Equations Σ h g_s x_i x_j = 0 in n unknowns z = (x_1, …, x_m, u), with x_0 = 1 and u the value of the driver.

    Attributes
    ----------
    start : (n,) array
        The configuration they were made in; lengths are relative to the size.
    rows : int
        Number of equations.
    terms : (k, 4) array of int
        Equation, signal and two unknowns of each term.
    factors : (k,) array
        h, divided by the norms of the gradients at the start.
    signals : (s,) array
        g; those of unknowns are filled in at each configuration.
    owner : (s,) array of int
        The unknown, counted from 1, of which a signal is a function, or 0.
    curves : Curves
        These functions, but of the driver, see `groupkin.kinematics.global_formulation.kernel.solve_steps`.
    driver : int
        The first of the two signals of the driver.
    turns : bool
        Whether these are cosine and sine of the driver's value; else the first is the value.
    unit : float
        Of the driver's value: 1 rad, or the size in m.
    whole : bool
        Whether the driver is an angle, so that whole turns of it are the same.
    origins, rotations : (b, d, n) and (b, d, d, n) arrays
        Origins, relative to the size, and rotation matrices of the movable bodies as linear functions of
        (1, x_1, …, x_m); NaN where undetermined: a rod between two spherical joints is free to spin.
    """

    start: Array
    rows: int
    terms: Ints
    factors: Array
    signals: Array
    owner: Ints
    curves: Curves
    driver: int
    turns: bool
    unit: float
    whole: bool
    origins: Array
    rotations: Array

    def linearized(self, z: Array) -> tuple[Array, Array]:
        """Compute residuals (rows,) and their Jacobian (rows, n) at a configuration (n,)."""
        e, s, i, j = self.terms.T
        x, (g, slopes) = np.concatenate([[1.0], z]), self._signals_at(z)
        pair, own, width = x[i] * x[j], self.owner[s], z.size + 1
        weights = self.factors * g[s]
        places = np.concatenate([e * width + i, e * width + j, (e * width + own)[own > 0]])
        values = np.concatenate([weights * x[j], weights * x[i], (self.factors * slopes[s] * pair)[own > 0]])
        jacobian = np.bincount(places, values, self.rows * width).reshape(self.rows, width)[:, 1:]
        return np.asarray(np.bincount(e, weights * pair, self.rows), float), np.asarray(jacobian, float)

    def pose(self, z: Array) -> Array:
        """Compute origins and rotations of all bodies in one row, without what is undetermined."""
        return np.asarray(self.placing[self.determined] @ np.concatenate([[1.0], z[:-1]]))

    @cached_property
    def determined(self) -> Flags:
        """Which rows of `placing` are determined."""
        return np.asarray(~np.isnan(self.placing).any(axis=1))

    @cached_property
    def placing(self) -> Array:
        """Origins and rotations (b d (d + 1), n), body after body, as functions of (1, x_1, …, x_m)."""
        n = self.origins.shape[-1]
        bodies = (self.origins.reshape(len(self.origins), -1, n), self.rotations.reshape(len(self.origins), -1, n))
        return np.concatenate(bodies, axis=1).reshape(-1, n)

    def _signals_at(self, z: Array) -> tuple[Array, Array]:
        """Compute all signals (s,) at a configuration, and their derivatives by the unknowns that own them."""
        g, slopes, u, k = self.signals.copy(), np.zeros(self.signals.size), z[-1], self.driver
        if self.curves[0].size:
            from groupkin.kinematics.global_formulation.kernel import own_signals

            at_rest, x = np.zeros((3, g.size)), np.concatenate([[1.0], z])
            at_rest[0] = g
            own_signals(x, np.zeros(x.size), at_rest, slopes, self.owner, self.curves)
            g = at_rest[0]
        if self.turns:
            g[k], g[k + 1] = np.cos(u), np.sin(u)
            slopes[k], slopes[k + 1] = -g[k + 1], g[k]
        else:
            g[k], slopes[k] = u, 1.0
        return g, slopes


def release(
    mechanism: Mechanism, geometry: Geometry, values: dict[Freedom, float], driver: Freedom, at: Poses
) -> Released:
    """Make the equations of a mechanism in a configuration, one of its drivers released.

    Parameters
    ----------
    mechanism, geometry : Mechanism, Geometry
    values : dict of (str, int) to float
        Of all drivers in that configuration, rad or m.
    driver : (str, int)
        The one that is released.
    at : dict of str to ((d,) array, (d, d) array)
        Origins, m, and rotations of the movable bodies there.
    """
    geometry, shift = near_origin(_based(mechanism, moved(mechanism, geometry, at), values))
    unknowns, drivers = choose_unknowns(mechanism, geometry), driven_freedoms(mechanism, geometry)
    reduction, kept = substitution(relations(mechanism, geometry, unknowns), mechanism.name)
    equations, _ = all_equations(mechanism, geometry, unknowns, drivers, reduction)
    names = [(each.joint.name, each.index) for each in drivers]
    number, n = names.index(driver), kept.size
    owner = unknowns.owner(len(drivers), kept)
    owner[1 + 2 * number : 3 + 2 * number] = n
    signals = np.zeros(owner.size)
    signals[0] = 1.0
    turning = [each.freedom.rotation and not each.coupled for each in drivers]
    for k, (name, each) in enumerate(zip(names, drivers, strict=True)):
        value = values[name] / (1.0 if each.freedom.rotation else geometry.size)
        signals[1 + 2 * k : 3 + 2 * k] = (np.cos(value), np.sin(value)) if turning[k] else (value, 0.0)
    unit = 1.0 if drivers[number].freedom.rotation else geometry.size
    start = np.append(unknowns.start[kept][1:], values[driver] / unit)
    index = [(e, *key) for e, equation in enumerate(equations) for key in equation]
    factors = [value for equation in equations for value in equation.values()]
    d, bodies = mechanism.dimension, mechanism.movable
    placed = [unknowns.point(body, geometry.origins[body]) @ reduction for body in bodies]
    turned = [[unknowns.direction(body, axis) @ reduction for axis in np.eye(d)] for body in bodies]
    origins = np.array(placed).reshape(len(bodies), d, n)
    origins[..., 0] += shift / geometry.size
    rotations = np.array(turned).reshape(len(bodies), d, d, n)  # from the configuration on, axis by axis
    before = np.array([at[body][1] for body in bodies]).reshape(len(bodies), d, d)
    released = Released(
        start,
        len(equations),
        np.array(index, np.int64).reshape(-1, 4),
        np.array(factors, float),
        signals,
        owner,
        list_curves(unknowns),
        1 + 2 * number,
        turning[number],
        unit,
        drivers[number].freedom.rotation,
        origins,
        np.einsum("bkim,bkj->bijm", rotations, before),
    )
    norms = np.linalg.norm(released.linearized(start)[1], axis=1)
    scales = np.where(norms > FLAT_EQUATION, norms, 1.0)
    return replace(released, factors=released.factors / scales[released.terms[:, 0]])


def _based(mechanism: Mechanism, geometry: Geometry, values: dict[Freedom, float]) -> Geometry:
    """Give joints the angles of the configuration they are in as those of the reference, driven ones with all turns."""
    joints = {}
    for joint in mechanism.joints:
        form, stated = mechanism.form(joint), geometry.joints[joint.name]
        angles = reference_coordinates(form, stated)
        for index in mechanism.driven.get(joint.name, ()):
            place = form.places[index]
            if form.moves[place].rotation:
                angles[place] += whole_turns(values[joint.name, index] - angles[place])
        kept = [float(x) if move.rotation else 0.0 for move, x in zip(form.moves, angles, strict=True)]
        joints[joint.name] = replace(stated, reference=tuple(kept))
    return replace(geometry, joints=joints)
