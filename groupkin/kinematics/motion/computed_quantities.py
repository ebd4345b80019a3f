"""Quantities that are computed from others, as expressions: distances, centers, screws, curvatures, advantages."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from groupkin.kinematics.motion.kinds import RATES
from groupkin.kinematics.motion.quantities import Quantity
from groupkin.mechanism.formulas.operations import OPERATIONS, Parts
from sglibrary.code.graph import Expr, cross, function, size

Names = Sequence[str]
Get = Callable[[Quantity], Parts]
"""Returns the components of a quantity that is read from motions."""


@dataclass(frozen=True)
class Computed:
    """How a kind of quantities is computed.

    Attributes
    ----------
    needs : callable
        The quantities that it is computed from, by its names and the dimension.
    express : callable
        Writes its components from theirs.
    """

    needs: Callable[[Names, int], tuple[Quantity, ...]]
    express: Callable[[Get, Names, int], Parts]


def computed_bases(kind: str, of: Names, order: int, dimension: int) -> tuple[Quantity, ...]:
    """List what a kind, or a derivative of it by time, is computed from."""
    found = dict[Quantity, None]()
    for base in COMPUTED[kind].needs(of, dimension):
        found[base] = None
        turning = base.kind == "rotation"  # whose rate follows from the angular velocity
        rate = "angular_velocity" if turning else RATES.get(base.kind, "")
        for _ in range(order):
            found[replace(base, kind=rate)] = None
            rate = RATES.get(rate, "")
    return tuple(found)


def turning_axes(leaves: Mapping[tuple[Quantity, int], Expr]) -> dict[Expr, Expr]:
    """Write the rates of the entries of rotation matrices in space whose angular velocities are known."""
    rates: dict[Expr, Expr] = {}
    for body in dict.fromkeys(base.of for base, _ in leaves if base.kind == "rotation"):
        spin, turn = Quantity("angular_velocity", body), Quantity("rotation", body)
        if (spin, 2) not in leaves:
            continue
        omega = tuple(leaves[spin, k] for k in range(3))
        for j in range(3):
            axis = tuple(leaves[turn, 3 * i + j] for i in range(3))
            rates |= zip(axis, cross(omega, axis), strict=True)  # type: ignore[arg-type]
    return rates


# --- vectors in the plane and in space -------------------------------------------------------


def _minus(u: Parts, w: Parts) -> Parts:
    return tuple(x - y for x, y in zip(u, w, strict=True))


def _plus(u: Parts, w: Parts) -> Parts:
    return tuple(x + y for x, y in zip(u, w, strict=True))


def _over(u: Parts, x: Expr) -> Parts:
    return tuple(each / x for each in u)


def _norm(u: Parts) -> Expr:
    return OPERATIONS["norm"].express(u)[0]


def _crossed(u: Parts, w: Parts) -> Parts:
    """Cross two vectors, in the plane to the number along z."""
    return OPERATIONS["cross"].express(u, w)


def _turning(spin: Parts, arm: Parts) -> Parts:
    """Velocity ω × r of the end of an arm."""
    if len(arm) == 2:
        return -(spin[0] * arm[1]), spin[0] * arm[0]
    return cross(spin, arm)  # type: ignore[arg-type]


def _axes(get: Get, body: str, dimension: int) -> list[Parts]:
    """Axes of a body's frame, which are the global ones in the reference configuration."""
    if dimension == 2:
        (angle,) = get(Quantity("angle", body))
        c, s = function("cos", angle), function("sin", angle)
        return [(c, s), (-s, c)]
    entries = get(Quantity("rotation", body))
    return [tuple(entries[3 * i + j] for i in range(3)) for j in range(3)]


def _turn(body: str, dimension: int) -> Quantity:
    return Quantity("angle" if dimension == 2 else "rotation", body)


# --- two and three points --------------------------------------------------------------------


def _positions(of: Names, _: int) -> tuple[Quantity, ...]:
    return tuple(Quantity("position", point) for point in of)


def _distance(get: Get, of: Names, _: int) -> Parts:
    start, end = map(get, _positions(of, 0))
    return (_norm(_minus(end, start)),)


def _transmission_angle(get: Get, of: Names, _: int) -> Parts:
    """Angle at a corner between the lines to two points, up to π/2."""
    start, corner, end = map(get, _positions(of, 0))
    first, second = _minus(start, corner), _minus(end, corner)
    across, along = _crossed(first, second), _along(first, second)
    height = size(across[0]) if len(across) == 1 else _norm(across)
    return (function("atan2", height, size(along)),)


def _along(u: Parts, w: Parts) -> Expr:
    return OPERATIONS["dot"].express(u, w)[0]


# --- one body against another ----------------------------------------------------------------


def _beside(of: Names, dimension: int) -> tuple[Quantity, ...]:
    point, body = of
    return Quantity("position", point), Quantity("position", body), _turn(body, dimension)


def _relative_position(get: Get, of: Names, dimension: int) -> Parts:
    """Coordinates of a point in the frame of a body."""
    point, body = of
    return _in_frame(get, get(Quantity("position", point)), body, dimension)


def _in_frame(get: Get, place: Parts, body: str, dimension: int) -> Parts:
    arm = _minus(place, get(Quantity("position", body)))
    return tuple(_along(axis, arm) for axis in _axes(get, body, dimension))


def _relative_angle(get: Get, of: Names, _: int) -> Parts:
    """Angle of the second body in the frame of the first."""
    first, second = (get(Quantity("angle", body))[0] for body in of)
    return (second - first,)


def _twists(of: Names, _: int) -> tuple[Quantity, ...]:
    kinds = ("position", "velocity", "angular_velocity")
    return tuple(Quantity(kind, body) for body in of for kind in kinds)


def _relative_twist(get: Get, of: Names) -> tuple[Parts, Parts, Parts]:
    """Origin of the second body, its velocity there against the first body, and the angular velocity."""
    (start, moving, turning), (at, velocity, spin) = (
        tuple(get(Quantity(kind, body)) for kind in ("position", "velocity", "angular_velocity")) for body in of
    )
    carried = _plus(moving, _turning(turning, _minus(at, start)))
    return at, _minus(velocity, carried), _minus(spin, turning)


def _instant_center(get: Get, of: Names, _: int) -> Parts:
    """Point at which the second body does not move against the first."""
    at, velocity, (spin,) = _relative_twist(get, of)
    return at[0] - velocity[1] / spin, at[1] + velocity[0] / spin


def _centrode(get: Get, of: Names, dimension: int) -> Parts:
    """Instantaneous center of two bodies in the frame of the first, where it draws its centrode."""
    return _in_frame(get, _instant_center(get, of, dimension), of[0], dimension)


def _centrode_needs(of: Names, dimension: int) -> tuple[Quantity, ...]:
    return (*_twists(of, dimension), _turn(of[0], dimension))


def _screw_point(get: Get, of: Names, _: int) -> Parts:
    """Point of the screw axis that is next to the origin of the second body."""
    at, velocity, spin = _relative_twist(get, of)
    return _plus(at, _over(_crossed(spin, velocity), _along(spin, spin)))


def _screw_direction(get: Get, of: Names, _: int) -> Parts:
    spin = _relative_twist(get, of)[2]
    return _over(spin, _norm(spin))


def _screw_pitch(get: Get, of: Names, dimension: int) -> Parts:
    _, velocity, spin = _relative_twist(get, of)
    return (_along(spin, velocity) / _along(spin, spin),)


# --- paths -----------------------------------------------------------------------------------


def _path(of: Names, _: int) -> tuple[Quantity, ...]:
    return tuple(Quantity(kind, of[0]) for kind in ("position", "velocity", "acceleration"))


def _curvature(get: Get, of: Names, _: int) -> Parts:
    """Curvature of a path: in the plane positive where it bends to the left."""
    velocity, acceleration = (get(each) for each in _path(of, 0)[1:])
    bend, speed = _crossed(velocity, acceleration), _norm(velocity)
    return ((bend[0] if len(bend) == 1 else _norm(bend)) / (speed * speed * speed),)


def _curvature_center(get: Get, of: Names, _: int) -> Parts:
    at, velocity, acceleration = (get(each) for each in _path(of, 0))
    bend = _crossed(velocity, acceleration)
    share = _along(velocity, velocity) / (_along(bend, bend) if len(bend) == 3 else bend[0] * bend[0])
    return _plus(at, tuple(share * x for x in _turning(bend, velocity)))


# --- what moves what -------------------------------------------------------------------------


def _guided(of: Names, _: int) -> tuple[Quantity, ...]:
    point, body = of
    return tuple(
        Quantity(kind, name)
        for kind, name in (
            ("position", point),
            ("velocity", point),
            ("position", body),
            ("velocity", body),
            ("angular_velocity", body),
        )
    )


def _pressure_angle(get: Get, of: Names, _: int) -> Parts:
    """Angle between the velocity of a point and the normal of the path that it draws on a body."""
    place, velocity, at, moving, spin = (get(each) for each in _guided(of, 0))
    sliding = _minus(velocity, _plus(moving, _turning(spin, _minus(place, at))))
    across = _crossed(velocity, sliding)
    return (function("atan2", size(_along(velocity, sliding)), size(across[0]) if len(across) == 1 else _norm(across)),)


def _rates_of(of: Names, _: int) -> tuple[Quantity, ...]:
    return tuple(Quantity("joint_rate", joint) for joint in of)


def _mechanical_advantage(get: Get, of: Names, _: int) -> Parts:
    """Force at the output over that at the input, without losses: the rate of the input over that of the output."""
    driving, driven = (get(rate)[0] for rate in _rates_of(of, 0))
    return (driving / driven,)


COMPUTED: dict[str, Computed] = {
    "distance": Computed(_positions, _distance),
    "transmission_angle": Computed(_positions, _transmission_angle),
    "relative_position": Computed(_beside, _relative_position),
    "relative_angle": Computed(lambda of, _: tuple(Quantity("angle", body) for body in of), _relative_angle),
    "instant_center": Computed(_twists, _instant_center),
    "centrode": Computed(_centrode_needs, _centrode),
    "screw_point": Computed(_twists, _screw_point),
    "screw_direction": Computed(_twists, _screw_direction),
    "screw_pitch": Computed(_twists, _screw_pitch),
    "curvature": Computed(_path, _curvature),
    "curvature_center": Computed(_path, _curvature_center),
    "pressure_angle": Computed(_guided, _pressure_angle),
    "mechanical_advantage": Computed(_rates_of, _mechanical_advantage),
}
"""Kinds of quantities that are computed from others."""
