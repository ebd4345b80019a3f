"""Mechanisms with couplings in the global formulation: drivers in place of the couplings, led so that these hold.

For every coupling a freedom is driven instead, whose values are found by Newton's method at all times of a window:
the coupling and its first two derivatives vanish there. Nothing of this is shared with groups that couplings hold.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import combinations, islice

import numpy as np

from groupkin.errors import GroupkinError, NotDeterminedError
from groupkin.kinematics.global_formulation.global_motion import GlobalModel, GlobalMotion, build, solve_globally
from groupkin.mechanism.couplings.relations import Coordinate, Jet, Relation
from groupkin.mechanism.laws.laws import Samples
from groupkin.mechanism.mechanism import Mechanism
from groupkin.mechanism.parts import Driver
from groupkin.model.geometry.assembly import reference_values
from groupkin.model.geometry.coordinates import coordinates, reference_coordinates
from groupkin.model.geometry.geometry import Geometry
from groupkin.structure.decomposition import decompose
from groupkin.tolerances import CLOSED_COUPLING, FORWARD_STEP, SHORTEST_PIECE
from sglibrary.array_types import Array

WINDOW, ROUNDS, TRIED = 8, 12, 2000
"""Times that are found together, iterations of Newton's method, and choices of driven freedoms that are tried."""

SETTLED = 4
"""Iterations at which couplings hold: one after another rates, then accelerations follow."""

FAR = 0.3
"""Largest change of a degree of freedom from one time to the next (rad, or relative to the size)."""

NEAR = 0.03
"""Largest deviation of that change from a straight line (rad, or relative to the size)."""

ALONG = 1e-2
"""How far, in rad and sizes of the mechanism, bodies are moved on to differentiate joint coordinates by time."""


@dataclass(frozen=True)
class _Led:
    """The mechanism without couplings and with drivers in place of them, whose freedoms have `units` of 1 or m."""

    mechanism: Mechanism
    freedoms: tuple[tuple[str, int], ...]
    units: Array
    model: GlobalModel
    relations: tuple[Relation, ...]
    kept: Array


def solve_coupled(mechanism: Mechanism, times: Array, geometry: Geometry) -> GlobalMotion:
    """Compute the motion of a mechanism with couplings; see `solve_globally`.

    Raises
    ------
    GroupkinError
        If no driver can take the place of a coupling, or a step cannot be solved.
    """
    led = _led(mechanism, geometry)
    motion, found = _window(led, times[:1], np.zeros((3, len(led.freedoms), 0)))
    at, least = times[:1], SHORTEST_PIECE * abs(float(times[-1] - times[0]))
    span = np.inf
    while at[-1] != times[-1]:
        span = min(2.0 * span, _horizon(led, found[:, :, -1]))
        ahead = times[at.size - np.count_nonzero(~np.isin(at, times)) :][:WINDOW]
        ahead = ahead[np.abs(ahead - at[-1]) <= span]
        if not ahead.size:  # a time between
            ahead = at[-1:] + np.copysign(span, times[-1] - times[0])
        try:
            motion, found = _window(led, np.concatenate([at, ahead]), found)
            at = np.concatenate([at, ahead])
        except GroupkinError as error:
            span = 0.25 * min(span, abs(ahead[-1] - at[-1]))
            if span <= least:
                raise GroupkinError(
                    f"{mechanism.name}: the couplings {', '.join(mechanism.relations)} cannot be followed beyond "
                    f"t = {at[-1]:.6g} s: {error}"
                ) from None
    asked = np.isin(at, times)
    return GlobalMotion(
        times,
        motion.origin[..., asked],
        motion.rotation[..., asked],
        motion.residual[asked],
        motion.iterations[asked],
    )


def _horizon(led: _Led, jet: Array) -> float:
    """How long the Taylor series of the freedoms, (3, m), may be followed, s."""
    rate, gain = np.abs(jet[1:] / led.units).max(axis=1)
    with np.errstate(divide="ignore"):
        return float(min(FAR / rate, np.sqrt(2.0 * NEAR / gain)))


def _led(mechanism: Mechanism, geometry: Geometry) -> _Led:
    """Choose the freedoms that are driven in place of couplings: those of the couplings first."""
    relations = tuple(mechanism.relations.values())
    plain, known = replace(mechanism, couplings=()), dict[tuple[str, int], None]()
    for each in (each for relation in relations for each in relation.coordinates):
        known[each.name] = None
    known |= {(joint.name, k): None for joint in mechanism.joints for k in range(len(mechanism.freedoms(joint)))}
    free = [(name, k) for name, k in known if name in mechanism.joint and k not in mechanism.driven.get(name, ())]
    for chosen in islice(combinations(free, len(relations)), TRIED):
        drivers = [Driver(name, None, mechanism.freedoms(mechanism.joint[name])[k].name) for name, k in chosen]
        led = replace(plain, drivers=(*plain.drivers, *drivers))
        try:
            decompose(led)
            model = build(led, geometry)
        except (NotDeterminedError, GroupkinError):
            continue
        rotations = [mechanism.freedoms(mechanism.joint[name])[k].rotation for name, k in chosen]
        units = np.array([1.0 if rotation else geometry.size for rotation in rotations])
        kept = [float(each.kept(reference_values(mechanism, geometry, each))) for each in relations]
        return _Led(led, tuple(chosen), units, model, relations, np.array(kept))
    raise GroupkinError(f"{mechanism.name}: no drivers can take the place of its couplings in the global formulation")


def _window(led: _Led, times: Array, found: Array) -> tuple[GlobalMotion, Array]:
    """Find values, rates and accelerations (3, m, n) of the freedoms at all times; those found before stay."""
    known, m = found.shape[2], len(led.freedoms)
    guess = _extrapolated(led, times, found)
    first, settled = guess.copy(), 0
    for _ in range(ROUNDS):
        motion, missed = _missed(led, times, guess)
        if not np.isfinite(missed).all():
            break
        settled += bool(np.abs(missed[0, :, known:]).max() <= CLOSED_COUPLING)
        if settled == SETTLED:
            if known and np.abs((guess - first)[0] / led.units[:, None]).max() > NEAR:
                raise GroupkinError("another solution may have been found")
            return motion, guess
        slopes = np.empty((times.size, m, m))
        for k in range(m):
            moved = guess.copy()
            moved[0, k, known:] += FORWARD_STEP * led.units[k]
            slopes[:, :, k] = ((_missed(led, times, moved)[1][0] - missed[0]) / (FORWARD_STEP * led.units[k])).T
        with np.errstate(all="ignore"):
            steps = np.stack([_solved(slopes[known:], missed[order, :, known:]) for order in range(3)])
        guess[:, :, known:] -= steps
    raise GroupkinError("the couplings do not hold")


def _solved(slopes: Array, missed: Array) -> Array:
    try:
        return np.asarray(np.linalg.solve(slopes, missed.T[..., None])[..., 0].T)
    except np.linalg.LinAlgError:
        raise GroupkinError("a coupling is singular") from None


def _extrapolated(led: _Led, times: Array, found: Array) -> Array:
    known = found.shape[2]
    if not known:
        start = [_reference(led, name, k) for name, k in led.freedoms]
        values = np.tile(np.array(start)[:, None], (1, times.size))
        return np.stack([values, 0.0 * values, 0.0 * values])
    h = times[known:] - times[known - 1]
    x, v, a = (found[order, :, -1:] for order in range(3))
    ahead = np.stack([x + v * h + 0.5 * a * h**2, v + a * h, np.broadcast_to(a, (a.shape[0], h.size))])
    return np.concatenate([found, ahead], axis=2)


def _reference(led: _Led, name: str, k: int) -> float:
    form = led.mechanism.form(led.mechanism.joint[name])
    return float(reference_coordinates(form, led.model.geometry.joints[name])[form.places[k]])


def _missed(led: _Led, times: Array, values: Array) -> tuple[GlobalMotion, Array]:
    """Solve with given values of the freedoms; by how much the couplings and their derivatives (3, m, n) are missed."""
    own = {name: values[:, k] for k, name in enumerate(led.freedoms)}
    driven = {(joint, k): driver for joint, each in led.mechanism.driven.items() for k, driver in each.items()}
    laws = {name: _sampled(times, own[name]) if name in own else driver.law for name, driver in driven.items()}
    drivers = tuple(replace(driver, law=laws[name]) for name, driver in driven.items())
    mechanism = replace(led.mechanism, drivers=drivers)
    motion = solve_globally(mechanism, times, led.model)
    given = {name: law.at(times) for name, law in laws.items() if law is not None}
    missed = np.empty((3, len(led.relations), times.size))
    for number, relation in enumerate(led.relations):
        jet = relation.jet([_jet(led, motion, each, given) for each in relation.coordinates], 2)
        unit = led.model.geometry.size ** float(relation.unit[0])
        for order in range(3):
            missed[order, number] = (jet[order] - (led.kept[number] if order == 0 else 0.0)) / unit
    return motion, missed


def _sampled(times: Array, jet: Array) -> Samples:
    """Make the law of values, rates and accelerations (3, n); samples need two times."""
    if times.size == 1:
        x, v, a = jet[:, 0].tolist()
        return Samples((times[0], times[0] + 1.0), (x, x + v + 0.5 * a), (v, v + a), (a, a))
    return Samples(tuple(times.tolist()), *map(tuple, jet.tolist()))


# --- joint coordinates of a motion --------------------------------------------------------------------


def _jet(led: _Led, motion: GlobalMotion, coordinate: Coordinate, laws: Mapping[tuple[str, int], Array]) -> Jet:
    """Compute a coordinate (n,) and its derivatives by time, m and rad; driven ones are what `laws` say."""
    if coordinate.name in laws:
        value, rate, gain = laws[coordinate.name]
        return value + coordinate.offset, rate, gain
    joint, form = coordinate.joint, led.mechanism.form(coordinate.joint)
    geometry = led.model.geometry
    often = [
        max(np.abs(motion.rotation[k]).max(initial=0.0), np.abs(motion.origin[k]).max(initial=0.0) / geometry.size)
        ** (1.0 / k)
        for k in (1, 2)
    ]
    h = ALONG / max(*often, ALONG)

    def at(time: float) -> Array:
        weights = np.array([1.0, time, 0.5 * time**2])
        placed = [_placed(led, motion, body, weights) for body in joint.bodies]
        stated = geometry.joints[joint.name]
        axes = [turn @ stated.frames[side] for side, (_, turn) in enumerate(placed)]
        ends = [
            origin + np.einsum("nij,j->ni", turn, stated.points[side] - geometry.origins[body])
            for side, (body, (origin, turn)) in enumerate(zip(joint.bodies, placed, strict=True))
        ]
        back = axes[0].swapaxes(1, 2)
        shift = np.einsum("nij,nj->ni", back, ends[1] - ends[0])
        return np.asarray(coordinates(form, back @ axes[1], shift, stated.bend, stated.contact)[coordinate.move])

    value = at(0.0)
    near = [at(k * h) for k in (-2.0, -1.0, 1.0, 2.0)]
    if coordinate.freedom.rotation:
        near = [value + np.remainder(x - value + np.pi, 2 * np.pi) - np.pi for x in near]
        value, before = np.unwrap(value), value
        near = [x + value - before for x in near]
        start = reference_coordinates(form, geometry.joints[joint.name])[coordinate.move]
        turns = 2 * np.pi * np.round((start - value[0]) / (2 * np.pi))
        value, near = value + turns, [x + turns for x in near]
    a, b, c, d = near
    rate = (a - 8 * b + 8 * c - d) / (12 * h)
    gain = (-a + 16 * b - 30 * value + 16 * c - d) / (12 * h * h)
    return value + coordinate.offset, rate, gain


def _placed(led: _Led, motion: GlobalMotion, body: str, weights: Array) -> tuple[Array, Array]:
    """Origin (n, d) and rotation (n, d, d) of a body a little later, by the derivatives at all times."""
    d, n = led.mechanism.dimension, motion.times.size
    if body == led.mechanism.frame:
        return np.tile(led.model.geometry.origins[body], (n, 1)), np.tile(np.eye(d), (n, 1, 1))
    k = led.mechanism.movable.index(body)
    origin = np.einsum("o,odn->nd", weights, motion.origin[:, k])
    return origin, np.einsum("o,oijn->nij", weights, motion.rotation[:, k])
