"""What designers of suspensions read, as outputs of a wheel's points, by the definitions of ISO 8855:2011."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from groupkin.arguments import Name, check_fields
from groupkin.errors import MechanismError, UnknownNameError
from groupkin.messages import hint
from groupkin.showing import brief
from groupkin.text_forms import written

VIRTUAL = "screw"
"""Steering axis of a wheel that no two points hold: the screw axis of its carrier."""


@dataclass(frozen=True)
class Suspension:
    """The points of a wheel and its carrier, from which its angles and offsets are read.

    x points forward, y to the left and z up, in the frame of the vehicle body. Each is an output of the mechanism.

    Parameters
    ----------
    center : str
        Center of the wheel, a named point of the carrier.
    axis : str
        A point of the wheel's axis on the carrier, outward of the center.
    contact : str
        Where the wheel stands on the ground, a point of the carrier.
    steering : (str, str) or "screw", optional
        Points of the steering axis, the lower first, such as two ball joints, or a ball joint and the top of a strut;
        or the screw axis of the carrier in a motion that steers alone.
    carrier : str
        The body that carries the wheel; needed for a screw axis.
    spring : (str, str), optional
        Ends of the spring.
    spring_rate : float, optional
        Its stiffness, N/m, for the wheel rate.
    free_length : float, optional
        Its length without load, m, for the part of the wheel rate that is due to the force of the spring.
    travel : str, optional
        The driven freedom by which the wheel travels, such as ``wheel.z``: gains and ratios are then derivatives by
        it, the other drivers standing, which exist also where the wheel stands still. Default: ratios of the rates of
        the motion.
    body : str
        The vehicle body; default: the frame.
    name : str
        What the names of the outputs begin with, as in ``left_camber``.
    wheelbase, height : float, optional
        Of the vehicle, and of its center of mass, m, for anti-dive and anti-lift.
    brake_share : float, optional
        Share of the braking force on this axle, 0 to 1.
    end : {"front", "rear"}
        Of the vehicle.
    """

    center: Name
    axis: Name
    contact: Name
    steering: Sequence[str] | str | None = None
    carrier: str = ""
    spring: Sequence[str] | None = None
    spring_rate: float | None = None
    free_length: float | None = None
    travel: str = ""
    body: str = ""
    name: str = ""
    wheelbase: float | None = None
    height: float | None = None
    brake_share: float | None = None
    end: Literal["front", "rear"] = "front"

    __repr__ = brief

    def __post_init__(self) -> None:
        check_fields(self, MechanismError)
        for key in ("steering", "spring"):
            stated = getattr(self, key)
            if stated is None or (key == "steering" and stated == VIRTUAL):
                continue
            if isinstance(stated, str) or len(stated) != 2 or stated[0] == stated[1]:
                or_screw = ', or "screw"' if key == "steering" else ""
                raise MechanismError(f"suspension {self.name!r}: {key} must name two points{or_screw}, not {stated!r}")
            object.__setattr__(self, key, tuple(stated))
        if self.steering == VIRTUAL and not self.carrier:
            raise MechanismError(f"suspension {self.name!r}: a screw axis is that of its `carrier`; name the body")
        if self.end not in ("front", "rear"):
            raise MechanismError(f'suspension {self.name!r}: end must be "front" or "rear", not {self.end!r}')
        if self.steering == VIRTUAL and self.body:
            raise MechanismError(
                f"suspension {self.name!r}: a screw axis is read where the vehicle body is the frame; name two points "
                "as `steering`, or leave out `body`"
            )
        for key, needed in (("spring_rate", "spring"), ("free_length", "spring_rate")):
            if getattr(self, key) is not None and getattr(self, needed) is None:
                raise MechanismError(f"suspension {self.name!r}: `{key}` needs `{needed}`; state it")
        if self.travel and self.free_length is not None:
            raise MechanismError(
                f"suspension {self.name!r}: how the motion ratio changes is read from accelerations, not by `travel` "
                "alone; leave out `free_length`, or leave out `travel` and let the wheel move"
            )
        given = [x is not None for x in (self.wheelbase, self.height, self.brake_share)]
        if any(given) and not all(given):
            raise MechanismError(
                f"suspension {self.name!r}: anti-dive needs `wheelbase`, `height` and `brake_share`; state all of them"
            )

    @property
    def points(self) -> tuple[str, ...]:
        """The named points that it refers to."""
        more = [*(() if self.steering in (None, VIRTUAL) else self.steering or ()), *(self.spring or ())]
        return (self.center, self.axis, self.contact, *more)


def outputs_of_suspension(
    wheel: Suspension, positions: Mapping[str, Any], bodies: Sequence[str], frame: str
) -> dict[str, str]:
    """Write the outputs of a wheel.

    Parameters
    ----------
    wheel : Suspension
    positions : mapping of str to (3,) array
        Of all named points in the reference configuration, m.
    bodies : sequence of str
        All bodies.
    frame : str

    Returns
    -------
    dict of str to str
        Formulas by their names.

    Raises
    ------
    UnknownNameError, MechanismError
        If a point or body does not exist, or the wheel's axis tells no side.
    """
    for point in wheel.points:
        if point not in positions:
            raise UnknownNameError(f"suspension {wheel.name!r}: there is no point {point!r}{hint(point, positions)}")
    for body in (wheel.carrier, wheel.body):
        if body and body not in bodies:
            raise UnknownNameError(f"suspension {wheel.name!r}: there is no body {body!r}{hint(body, bodies)}")
    outward = float(positions[wheel.axis][1] - positions[wheel.center][1])
    if len(positions[wheel.center]) != 3 or not outward:
        raise MechanismError(
            f"suspension {wheel.name!r}: the wheel's axis, from {wheel.center!r} to {wheel.axis!r}, must point to the "
            "left (y) or right in space"
        )
    side = "" if outward > 0.0 else "-"
    body, own = wheel.body if wheel.body != frame else "", f"{wheel.name}_" if wheel.name else ""
    at, moving = (_reader(kind, body) for kind in ("position", "velocity"))
    n = {k: f"({at(wheel.axis, k)} - {at(wheel.center, k)})" for k in "xyz"}
    found = {
        "camber": f"atan2(-{n['z']}, hypot({n['x']}, {n['y']}))",
        "toe": f"atan2({n['x']}, {side}{n['y']})",
        "half_track": f"{side}{at(wheel.contact, 'y')}",
    }
    if wheel.steering is not None:
        found |= _steering(wheel, at, side, frame)
    if wheel.travel:
        found["contact"] = at(wheel.contact, "")

    def change(of: str) -> str:
        """Write the rate of an output, or its derivative by the driver of the travel."""
        kind, end = ("output_influence", f"-{written(wheel.travel)}") if wheel.travel else ("output_rate", "")
        return f"{kind} {written(own + of)}{end}"

    v = {k: f"{{{change('contact')}.{k}}}" if wheel.travel else moving(wheel.contact, k) for k in "xyz"}
    found["roll_center_height"] = f"{at(wheel.contact, 'y')} * {v['y']} / {v['z']}"
    found |= {f"{of}_gain": f"{{{change(of)}}} / {v['z']}" for of in ("camber", "toe")}
    found["bump_steer"] = found.pop("toe_gain")
    if wheel.spring is not None:
        between = "-".join(map(written, wheel.spring))
        if wheel.travel:
            found["spring_length"] = f"{{distance {between}}}"
        rate = change("spring_length") if wheel.travel else f"distance_rate {between}"
        found["motion_ratio"] = f"-{{{rate}}} / {v['z']}"
        found |= _wheel_rate(wheel, between, written(own + "motion_ratio"), v["z"])
    if wheel.wheelbase is not None and wheel.height is not None and wheel.brake_share is not None:
        share = float(wheel.brake_share) * float(wheel.wheelbase) / float(wheel.height)
        name, sign = ("anti_dive", "") if wheel.end == "front" else ("anti_lift", "-")
        found[name] = f"{sign}{share!r} * {v['x']} / {v['z']}"
    return {own + name: text for name, text in found.items()}


Read = Callable[[str, str], str]
"""Writes a component of what is read of a point."""


def _reader(kind: str, body: str) -> Read:
    """Return what writes a component of a point's position or velocity, in the frame of a body."""

    def read(point: str, axis: str) -> str:
        of = f"relative_{kind} {written(point)}-{written(body)}" if body else f"{kind} {written(point)}"
        return f"{{{of}.{axis}}}" if axis else f"{{{of}}}"

    return read


def _wheel_rate(wheel: Suspension, between: str, ratio: str, speed: str) -> dict[str, str]:
    """Write the wheel rate k i² + F di/dz without the tire (Milliken and Milliken 1995).

    The second term, of the force F of the spring, is there where its free length is stated.
    """
    if wheel.spring_rate is None:
        return {}
    stiffness = f"{float(wheel.spring_rate)!r} N / 1 m"
    text = f"{stiffness} * {{output {ratio}}} ** 2"
    if wheel.free_length is not None:
        force = f"{stiffness} * ({float(wheel.free_length)!r} m - {{distance {between}}})"
        text += f" + {force} * {{output_rate {ratio}}} / {speed}"
    return {"wheel_rate": text}


def _steering(wheel: Suspension, at: Read, side: str, frame: str) -> dict[str, str]:
    """Write caster, inclination and offsets of the steering axis, through a point in a direction."""
    if wheel.steering == VIRTUAL:
        pair = f"{written(frame)}-{written(wheel.carrier)}"
        start = {axis: f"{{screw_point {pair}.{axis}}}" for axis in "xyz"}
        way = {axis: f"{{screw_direction {pair}.{axis}}}" for axis in "xyz"}
    else:
        lower, upper = wheel.steering or ("", "")
        start = {axis: at(lower, axis) for axis in "xyz"}
        way = {axis: f"({at(upper, axis)} - {at(lower, axis)})" for axis in "xyz"}
    below = f"({at(wheel.contact, 'z')} - {start['z']}) / {way['z']}"
    ground = {axis: f"({start[axis]} + {way[axis]} * {below})" for axis in "xy"}
    return {
        "caster": f"-atan({way['x']} / {way['z']})",
        "kingpin_inclination": f"{'' if side else '-'}atan({way['y']} / {way['z']})",
        "trail": f"{ground['x']} - {at(wheel.contact, 'x')}",
        "scrub_radius": f"{side}({at(wheel.contact, 'y')} - {ground['y']})",
    }
