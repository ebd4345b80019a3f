"""Inertia and weight of a body as formulas of rows of the state."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from groupkin.dynamics.bodies.linear_rows import Combination, combinations
from groupkin.dynamics.bodies.masses import center, central_inertia
from groupkin.kinematics.program.program import Program
from groupkin.tolerances import SAME_VECTOR
from sglibrary.code.graph import Expr, Graph, total


def inertia_and_weight(graph: Graph, program: Program, name: str, moving: bool) -> list[Expr]:
    """Values of the torque about the center of mass, N m, and the force, N, of inertia, if it moves, and gravity.

    The rate of spin of a body is Σ J_kl u_k × ü_l, with its directions u and second moments of mass J along them, so
    that no angular velocity is needed.
    """
    mechanism, d = program.mechanism, program.mechanism.dimension
    body, gravity = mechanism.body[name], mechanism.gravity or (0.0,) * mechanism.dimension
    pull = [graph.number(body.mass * part) for part in gravity]
    one, none = graph.number(1.0), graph.number(0.0)
    if not moving:
        return [none] * (2 * d - 3) + pull
    mass = graph.number(body.mass)
    gains = _values(graph, program, combinations(program, name, center(program, name), True), "a")
    force = [total(graph, [(weight, one, 1.0), (mass, gain, -1.0)]) for weight, gain in zip(pull, gains, strict=True)]
    tensor, pose = central_inertia(program, name), program.poses[name]
    at, gain = (
        [
            _values(graph, program, combinations(program, name, pose.directions[:, k], False), kind)
            for k in range(len(pose.vectors))
        ]
        for kind in "qa"
    )
    if d == 2:
        spin = total(graph, [(at[0][0], gain[0][1], 1.0), (at[0][1], gain[0][0], -1.0)])
        return [total(graph, [(graph.number(tensor[0, 0]), spin, -1.0)]), *force]
    second = pose.directions.T @ (0.5 * np.trace(tensor) * np.eye(3) - tensor) @ pose.directions
    second[np.abs(second) <= SAME_VECTOR * np.abs(second).max()] = 0.0  # rounding
    sums = [
        [total(graph, ((graph.number(second[k, i]), gain[i][c], 1.0) for i in range(3))) for c in range(3)]
        for k in range(3)
    ]
    torque = []
    for c in range(3):
        s, t = (c + 1) % 3, (c + 2) % 3
        torque.append(
            total(graph, ((at[k][x], sums[k][y], f) for k in range(3) for x, y, f in ((s, t, -1.0), (t, s, 1.0))))
        )
    return [*torque, *force]


def _values(graph: Graph, program: Program, found: Iterable[Combination], kind: str) -> list[Expr]:
    """Values of combinations of rows of positions or accelerations, of which constants have none."""
    one = graph.number(1.0)
    return [
        total(
            graph,
            [
                *((graph.value(kind, int(program.kept[row]), 0), one, factor) for row, factor in factors.items()),
                *([(graph.number(known), one, 1.0)] if kind == "q" else []),
            ],
        )
        for factors, known in found
    ]
