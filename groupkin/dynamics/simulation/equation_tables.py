"""The equations of motion of a program as tables for compiled code (`sglibrary.dynamics`)."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from groupkin.dynamics.acting.coded_forces import coded_forces, coded_laws
from groupkin.dynamics.bodies.masses import center, central_inertia
from groupkin.kinematics.program.building import extended
from groupkin.kinematics.program.program import Program
from groupkin.kinematics.solving.call_packing import packed, packed_calls
from groupkin.kinematics.solving.driver_values import given_drivers
from groupkin.kinematics.solving.evaluation import known_state, memories
from groupkin.kinematics.solving.state_memory import block_state
from groupkin.mechanism.forces.force_functions import Callback
from groupkin.mechanism.laws.laws import Law
from sglibrary import laws
from sglibrary.array_types import Array, Ints
from sglibrary.dynamics.contacts import MOST
from sglibrary.dynamics.equations import Equations, Problem, Room, compiled_for, write_down
from sglibrary.dynamics.followed import Following
from sglibrary.iterative.column_loop import scratch_for
from sglibrary.iterative.knot_loop import FAR


class Tables(NamedTuple):
    """The equations of a program for compiled code.

    Attributes
    ----------
    program : Program
        With all rows that they read.
    problem : Problem
    callbacks : tuple of Callback
        The functions of the user that it calls.
    """

    program: Program
    problem: Problem
    callbacks: tuple[Callback, ...]


def equation_tables(program: Program, free: Ints, of_drivers: tuple[Law | None, ...]) -> Tables:
    """Make the equations of a program with free drivers, compiled.

    Parameters
    ----------
    program : Program
    free : (f,) array of int
        Numbers of the free drivers.
    of_drivers : tuple of Law or None
        The laws of all drivers.
    """
    tables = tables_of(program, free, of_drivers)
    # the evaluation first: a second process may compile kernels meanwhile
    evaluation, _ = compiled_for(tables.problem, unwritten_room(tables, 1))
    calls = packed(tables.program, memories(tables.program))
    return tables._replace(problem=tables.problem._replace(calls=calls, evaluation=evaluation))


def tables_of(program: Program, free: Ints, of_drivers: tuple[Law | None, ...]) -> Tables:
    """Make the equations of a program with free drivers, in which nothing is compiled: no calls, and no evaluation."""
    numbers = np.full(len(program.drivers), -1, np.int64)
    numbers[free] = np.arange(len(free))

    still = all(law is None or _still(law) for law in of_drivers)
    larger, (forces, callbacks) = extended(program, lambda layout: coded_forces(program, layout, numbers))
    equations = Equations(
        program.mechanism.dimension,
        len(free) == 1 and still,
        not still,
        numbers,
        np.array([driven.middle for driven in program.drivers], bool),
        *_masses(program),
        coded_laws(of_drivers),
    )
    drivers = given_drivers(program, np.zeros((0, 3, 0)))
    return Tables(larger, Problem(equations, packed_calls((), ()), drivers, forces, 0), callbacks)


def room(tables: Tables, lanes: int) -> Room:
    """Make the memory for some lanes of the extended program, with its problem written down."""
    found = unwritten_room(tables, lanes)
    _, words = compiled_for(tables.problem, found)
    found = found._replace(written=np.empty(words, np.int64) if words else [])
    write_down(tables.problem, found)
    return found


def unwritten_room(tables: Tables, lanes: int) -> Room:
    """Make the memory for some lanes, in which no problem is written down."""
    program, equations = tables.program, tables.problem.equations
    free = int((equations.numbers >= 0).sum())
    columns = lanes if equations.alone else (free + 1) * lanes
    inputs = np.diff(tables.problem.forces.functions.first).max(initial=0)
    drivers, groups = len(program.drivers), len(program.structure.groups)
    rows = {2: 4, 3: 12}[program.mechanism.dimension]
    moved = np.zeros((rows, columns)), np.zeros((rows, columns)), np.zeros((rows, lanes))
    return Room(
        block_state(program, columns),
        np.zeros((drivers, 3, columns)),
        np.zeros(columns),
        np.zeros((groups, columns), np.uint8),
        np.ones(lanes),
        np.zeros((3, lanes)),
        moved,
        np.zeros((free, free, lanes)),
        np.zeros((free, lanes)),
        np.zeros(lanes),
        np.zeros(lanes),
        np.zeros(2 + inputs),
        np.zeros(4),
        np.array([-1.0, np.nan]),
        np.zeros((MOST + 1, 5)),
        np.empty(0, np.int64),
    )


def following(program: Program) -> Following:
    """Make what following needs beside a room, at the reference configuration."""
    count, groups = len(program.drivers), len(program.structure.groups)
    return Following(
        block_state(program, 1),
        FAR * program.units,
        known_state(program),
        np.zeros((count, 3, 1)),
        np.zeros((groups, 1), np.uint8),
        scratch_for(count),
    )


def _still(law: Law) -> bool:
    kind, numbers, _ = law.coded or (laws.OTHER, (), None)
    return kind == laws.RAMP and numbers[0] == 0.0


# --- masses --------------------------------------------------------------------------------------


def _masses(program: Program) -> tuple[Ints, Array, Array]:
    """List the poses of bodies that have mass, what they weigh by these, and gravity."""
    mechanism, d = program.mechanism, program.mechanism.dimension
    poses, inertia = list[list[int]](), list[Array]()
    for name in mechanism.movable:
        body, pose = mechanism.body[name], program.poses[name]
        tensor = central_inertia(program, name)
        if not body.mass and not tensor.any():
            continue
        at = pose.coefficients(center(program, name), True) if body.mass else np.zeros(d)
        poses.append([pose.point, *pose.vectors])
        inertia.append(np.concatenate([at, [body.mass or 0.0], second_moments(tensor, pose.directions)]))
    gravity = np.array(mechanism.gravity or np.zeros(d), float)
    return (
        np.array(poses, np.int64).reshape(-1, 2 if d == 2 else 4),
        np.array(inertia, float).reshape(-1, 4 if d == 2 else 10),
        gravity,
    )


def second_moments(tensor: Array, directions: Array) -> Array:
    """Second moments of mass along directions, xx, yy, zz, xy, xz, yz; in the plane the moment of inertia."""
    if len(tensor) == 1:
        return tensor[0]
    second = directions.T @ (0.5 * np.trace(tensor) * np.eye(3) - tensor) @ directions
    return second[(0, 1, 2, 0, 0, 1), (0, 1, 2, 1, 2, 2)]
