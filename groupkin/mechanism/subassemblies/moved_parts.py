"""Bodies, joints and drivers of parts, moved to where the parts are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from groupkin.mechanism.curves import Curve
from groupkin.mechanism.parts import Body, Driver, Joint, Shape
from groupkin.mechanism.subassemblies.move import Move, times


def moved_body(move: Move, body: Body) -> Body:
    """Move a body, with its points and its mass."""
    points: Any = (
        {move.name(name): move.point(at) for name, at in body.points.items()}
        if isinstance(body.points, Mapping)
        else tuple(map(move.name, body.points))
    )
    lengths = {(move.name(a), move.name(b)): x for (a, b), x in body.lengths.items()}
    origin, center, about = map(move.point, (body.origin, body.center, body.about))
    inertia = _inertia(move, body.inertia)
    return replace(
        body, name=move.body(body.name), origin=origin, points=points, lengths=lengths, center=center, about=about,
        inertia=inertia, shape=None if body.shape is None else _shape(move, body.shape),
    )  # fmt: skip


def _shape(move: Move, shape: Shape) -> Shape:
    """Move a shape; where its axes turn they are stated."""
    dimension = move.part.mechanism.dimension
    at = move.point((0.0,) * dimension if shape.at is None else shape.at)
    if not move.moved:
        return replace(shape, at=at)
    axes = [list(axis) for axis in shape.axes or np.eye(3).tolist()]
    return replace(
        shape, at=at, axes=[[*map(float, move.vector(axis[:dimension])), *axis[dimension:]] for axis in axes]
    )


def _inertia(move: Move, inertia: Any) -> Any:
    """Turn an inertia in space; one number is the same about all axes."""
    if not move.moved or isinstance(inertia, int | float):
        return inertia
    if isinstance(inertia, Mapping):
        full = [[inertia.get("".join(sorted(a + b)), 0.0) for b in "xyz"] for a in "xyz"]
    elif isinstance(inertia[0], int | float):
        full = [[inertia[i] if i == j else 0.0 for j in range(3)] for i in range(3)]
    else:
        full = [list(row) for row in inertia]
    return move.tensor(full)


def moved_joint(move: Move, joint: Joint) -> Joint:
    """Move a joint; coordinates that a mirror reverses have the other sign."""
    axis = joint.axis
    reference: Any = joint.reference
    if isinstance(reference, Mapping):
        reference = {name: times(move.sign(joint, name), angle) for name, angle in reference.items()}
    elif reference:  # of its rotation
        turning = next(each.name for each in move.part.mechanism.freedoms(joint) if each.rotation)
        reference = times(move.sign(joint, turning), reference)
    span: Any = joint.range
    if isinstance(span, Mapping):
        span = {name: _span(move.sign(joint, name), ends) for name, ends in span.items()}
    elif span is not None:
        span = _span(move.sign(joint, None), span)
    mirrored = bool(move.part.mirror)
    return replace(
        joint,
        name=move.name(joint.name),
        bodies=tuple(map(move.body, joint.bodies)),
        point=move.point(joint.point),
        points=None if joint.points is None else (move.point(joint.points[0]), move.point(joint.points[1])),
        axis=None
        if axis is None
        else tuple(move.name(str(end)) for end in axis)  # type: ignore[misc]
        if isinstance(axis[0], str)
        else move.vector(axis),
        axes=None if joint.axes is None else (move.vector(joint.axes[0]), move.vector(joint.axes[1])),
        reference=reference,
        range=span,
        pitch=-joint.pitch if mirrored and joint.pitch is not None else joint.pitch,
        helix_angle=-joint.helix_angle if mirrored and joint.helix_angle is not None else joint.helix_angle,
        curve=moved_curve(move, joint.curve),
        curves=None if joint.curves is None else tuple(moved_curve(move, curve) for curve in joint.curves),
    )


def _span(sign: float, ends: Sequence[float]) -> tuple[Any, Any]:
    """Return the ends of a range, which a coordinate that is reversed has the other way round."""
    return (ends[0], ends[1]) if sign > 0.0 else (-ends[1], -ends[0])


def moved_curve(move: Move, curve: Curve | None) -> Any:
    """Move a curve, if there is one."""
    return None if curve is None else curve.moved(move)


def moved_driver(move: Move, driver: Driver) -> Driver:
    """Move a driver; its law is reversed if its coordinate is."""
    pair = move.part.mechanism.joint[driver.joint]
    law = driver.law
    if law is not None and move.sign(pair, driver.freedom) < 0.0:
        law = law.scaled(-1.0)
    between: Any = tuple(map(move.body, pair.bodies)) if pair.of is not None else None
    return replace(driver, joint=move.name((pair.of or pair).name), law=law, between=between)
