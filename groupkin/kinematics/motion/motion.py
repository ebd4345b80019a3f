"""The motion of a mechanism: rows of natural coordinates, and what users read from them."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from groupkin.errors import GroupkinWarning, UnknownNameError
from groupkin.mechanism.pairs import Form, counted, nearest
from groupkin.mechanism.points import coordinates as coordinates_given
from groupkin.model.geometry.coordinates import coordinates, periods, reference_coordinates, relation, whole_turns
from sglibrary.unwrap import unwrap

if TYPE_CHECKING:
    import xarray

    from groupkin.kinematics.program.poses import Attached, Pose
    from groupkin.kinematics.program.program import Program
    from groupkin.kinematics.solving.blocks import SolverMemory

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Motion:
    """Positions, velocities and accelerations of all bodies at all times.

    Everything is in meters, radians and seconds, in global components. Names are those of bodies (then the body's
    origin is meant) or of named points.

    Attributes
    ----------
    program : Program
    times : (n,) array
        s.
    q, v, a : (rows, n) arrays
        Natural coordinates, one row each (the rows `program.kept` of the state), and their time derivatives.
    status : (groups, n) array of uint8
        `sglibrary.status` of every group and step; 0 is solved.
    conditioning : (groups, n) array
        1 at best, 0 at a singular position: smallest over largest singular value of a group's equations, or what
        corresponds to it in a closed form.
    memory : SolverMemory, optional
        What the solver needs to fill the motion again.
    """

    program: Program
    times: Array
    q: Array
    v: Array
    a: Array
    status: NDArray[np.uint8]
    conditioning: Array
    memory: SolverMemory | None = field(default=None, repr=False)

    def __getstate__(self) -> dict[str, Any]:
        """Without the memory of the solver, which knows addresses of this process."""
        return {**self.__dict__, "memory": None}

    def __repr__(self) -> str:
        bodies = counted(len(self.program.mechanism.movable), "movable body", "movable bodies")
        steps, lost = counted(self.times.size, "step"), int((~self.solved).sum())
        span = f" from {self.times[0]:g} s to {self.times[-1]:g} s" if self.times.size else ""
        missing = f", {lost} not solved" if lost else ""
        return f"<Motion of {self.program.mechanism.name}: {bodies}, {steps}{span}{missing}>"

    @property
    def solved(self) -> NDArray[np.bool_]:
        """(n,): whether all groups were solved at each time."""
        return np.asarray(~self.status.any(axis=0))

    def position(self, name: str) -> Array:
        """Position (n, d) of a body's origin or of a named point, m."""
        return self._point(name, 0)

    def velocity(self, name: str) -> Array:
        """Velocity (n, d) of a body's origin or of a named point, m/s."""
        return self._point(name, 1)

    def acceleration(self, name: str) -> Array:
        """Acceleration (n, d) of a body's origin or of a named point, m/s²."""
        return self._point(name, 2)

    def rotation(self, body: str) -> Array:
        """Rotation matrix (n, d, d) of a body; the identity in the reference configuration."""
        return self.rotation_rate(body, 0)

    def rotation_rate(self, body: str, order: int = 1) -> Array:
        """Time derivative of the rotation matrix (n, d, d), of order 0, 1 or 2."""
        pose = self._pose(body)
        vectors = self._vectors(pose, order)
        return np.stack([_combined(row, vectors) for row in pose.directions], axis=2)

    def angular_velocity(self, body: str) -> Array:
        """Angular velocity of a body, rad/s: (n, 3) in space, (n,) in the plane."""
        return self._spin(body, 1)

    def angular_acceleration(self, body: str) -> Array:
        """Angular acceleration of a body, rad/s²: (n, 3) in space, (n,) in the plane."""
        return self._spin(body, 2)

    def angle(self, body: str) -> Array:
        """Unwrapped angle (n,) of a body of a plane mechanism, rad; zero in the reference configuration.

        Whole turns from step to step follow from the angular velocity; a `GroupkinWarning` says if steps are so long
        that it changes too much for that.
        """
        rotation = self.rotation(body)
        if rotation.shape[1] != 2:
            raise UnknownNameError(f"body {body!r} moves in space: read its rotation matrix instead of an angle")
        found = np.arctan2(rotation[:, 1, 0], rotation[:, 0, 0])
        solved = np.isfinite(found)
        row = found[solved][None]
        if row.size and unwrap(row, self.angular_velocity(body)[solved][None], self.times[solved]):
            warnings.warn(
                f"the angular velocity of body {body!r} changes so much from one step to the next that its angle may "
                "lack whole turns; solve with smaller steps, or integrate its angular velocity",
                GroupkinWarning,
                stacklevel=2,
            )
        found[solved] = row[0]
        return found

    def joint(self, name: str, between: tuple[str, str] | None = None) -> Array:
        """Coordinates (freedoms, n) of a joint, in the order of its freedoms: unwrapped angles in rad, distances in m.

        Driven angles follow their drivers, that of a helical joint its displacement. Of the others, changes by more
        than half a turn from one step to the next cannot be told from smaller ones the other way.

        Of a free body or a spherical joint the angles are intrinsic rotations about x, y and z; the second one is
        singular at ±π/2.

        Of a joint of more than two bodies, coordinates are those of the second body of `between` relative to the first;
        by default those of all other bodies relative to the first one, one after another.
        """
        mechanism = self.program.mechanism
        if isinstance(name, str) and name in mechanism.shared:
            bodies = mechanism.shared[name].bodies
            wanted = [(bodies[0], body) for body in bodies[1:]] if between is None else [between]
            return np.concatenate([self._shared(name, pair) for pair in wanted])
        if not isinstance(name, str) or name not in self.program.geometry.joints:
            near = nearest(name, [*mechanism.shared, *(j.name for j in mechanism.joints)])
            raise UnknownNameError(f"there is no joint {name!r}" + (f"; did you mean {near}?" if near else ""))
        rotation, shift = self.relative_placement(name)
        form = self._form(name)
        geometry = self.program.geometry.joints[name]
        values = coordinates(form, rotation, shift, geometry.bend, geometry.contact)
        for k, period in enumerate(periods(form, geometry)):
            if period is not None:
                values[k] = _unwrap(values[k], period)
        return self._aligned(name, values)[list(form.places)]

    def _shared(self, name: str, between: tuple[str, str]) -> Array:
        """Coordinates (freedoms, n) of one body of a multi-joint relative to another."""
        program = self.program
        pairs = [joint for joint in program.mechanism.joints if joint.of is not None and joint.of.name == name]
        whole = program.mechanism.shared[name]
        if len(between) != 2 or any(body not in whole.bodies for body in between):
            raise UnknownNameError(f"joint {name!r} joins {', '.join(whole.bodies)}; `between` must name two of them")
        for joint in pairs:
            if joint.bodies == tuple(between):
                return self.joint(joint.name)
        spots = {
            body: (program.geometry.joints[joint.name].frames[side], program.geometry.joints[joint.name].points[side])
            for joint in pairs
            for side, body in enumerate(joint.bodies)
        }
        first, second = between
        back = np.swapaxes(self.rotation(first) @ spots[first][0], 1, 2)
        away = self.point_on(second, spots[second][1]) - self.point_on(first, spots[first][1])
        form = program.mechanism.form(whole)
        turn = back @ (self.rotation(second) @ spots[second][0])
        values = coordinates(form, turn, np.einsum("nij,nj->ni", back, away))
        for k, move in enumerate(form.moves):
            solved = np.flatnonzero(np.isfinite(values[k]))
            if move.rotation and solved.size:
                values[k] = _unwrap(values[k])
                values[k] -= whole_turns(values[k, solved[0]])
        return values[list(form.places)]

    def relative_placement(self, joint: str) -> tuple[Array, Array]:
        """Rotation (n, d, d) and shift (n, d), m, from the first to the second frame of a joint, in the first."""
        geometry = self.program.geometry.joints[joint]
        bodies = self.program.mechanism.joint[joint].bodies
        turns = [self.rotation(body) @ geometry.frames[side] for side, body in enumerate(bodies)]
        ends = [self.point_on(body, geometry.points[side], 0) for side, body in enumerate(bodies)]
        back = np.swapaxes(turns[0], 1, 2)
        return back @ turns[1], np.einsum("nij,nj->ni", back, ends[1] - ends[0])

    def at(self, chosen: NDArray[np.int64]) -> Motion:
        """The motion at some of its steps only."""
        q, v, a = (x[:, chosen] for x in (self.q, self.v, self.a))
        return replace(
            self,
            times=self.times[chosen],
            q=q,
            v=v,
            a=a,
            status=self.status[:, chosen],
            conditioning=self.conditioning[:, chosen],
            memory=None,
        )

    def to_xarray(self) -> xarray.Dataset:
        """The motion as an xarray.Dataset with named dimensions, coordinates and units."""
        from groupkin.kinematics.motion.output import to_xarray

        return to_xarray(self)

    def save(self, path: Any) -> None:
        """Write to a file: .nc, .zarr, .csv or .npz."""
        from groupkin.kinematics.motion.output import save

        save(self, path)

    def _aligned(self, joint: str, values: Array) -> Array:
        """Shift angles by whole turns: driven ones follow their driver, others start next to the reference."""
        form, geometry = self._form(joint), self.program.geometry.joints[joint]
        start = reference_coordinates(form, geometry)
        laws = {form.places[d.freedom]: d.law for d in self.program.drivers if d.joint == joint}
        for k, period in enumerate(periods(form, geometry)):
            solved = np.flatnonzero(np.isfinite(values[k]))
            if period is None or not solved.size:
                continue
            if k in laws:
                values[k] += whole_turns(laws[k].at(self.times)[0] - values[k], period)
            elif form.coupled and k in form.coupled and not all(form.moves[m].rotation for m in form.coupled):
                (ours, theirs), value = relation(form, geometry)
                other = form.coupled[1]
                if k == other:
                    ours, theirs, other = theirs, ours, form.coupled[0]
                values[k] += whole_turns((value - theirs * values[other]) / ours - values[k])
            else:
                values[k] += whole_turns(start[k] - values[k, solved[0]], period)
        return values

    def _form(self, joint: str) -> Form:
        mechanism = self.program.mechanism
        return mechanism.form(mechanism.joint[joint])

    def _pose(self, body: str) -> Pose:
        poses, points = self.program.poses, self.program.geometry.points
        if isinstance(body, str) and body in poses:
            return poses[body]
        if isinstance(body, str) and body in points:
            raise UnknownNameError(f"{body!r} is a point, not a body; it is on body {points[body][0]!r}: read that one")
        raise UnknownNameError(self._no_place(body))

    def _no_place(self, name: object) -> str:
        """Why something is no body or point that can be read."""
        if not isinstance(name, str):
            return f"the name of a body or point is needed, not {name!r}"
        if name in self.program.mechanism.positions:
            return f"point {name!r} is on no body: name it in the points of one"
        near = nearest(name, [*self.program.poses, *self.program.geometry.points])
        return f"there is no body or point {name!r}" + (f"; did you mean {near}?" if near else "")

    def _point(self, name: str, order: int) -> Array:
        geometry = self.program.geometry
        if isinstance(name, str) and name in geometry.points:
            return self.point_on(*geometry.points[name], order)
        self._pose(name)
        return self.point_on(name, geometry.origins[name], order)

    def point_on(self, body: str, local: Sequence[float] | Array, order: int = 0) -> Array:
        """Position, velocity or acceleration (n, d) of a point given by local coordinates (d,) on a body, m.

        Local coordinates are the global ones in the reference configuration; `order` is 0, 1 or 2.
        """
        pose = self._pose(body)
        place = coordinates_given(local, self.program.mechanism.dimension, f"local, a point on body {body!r},")
        vectors = self._vectors(pose, order)
        return self.rows(pose.point, order) + _combined(pose.directions.T @ (place - pose.origin), vectors)

    def _vectors(self, body: Pose | Attached, order: int) -> list[Array]:
        """The directions (n, d) of a body, all d of them, or derivatives of them."""
        vectors = [self.rows(row, order) for row in body.vectors]
        if len(vectors) == 1:
            x, y = vectors[0].T
            vectors.append(np.stack([-y, x], axis=1))
        return vectors

    def rows(self, first: int, order: int) -> Array:
        """A point or direction (n, d) of the state by its first row, or a derivative of it."""
        program, n = self.program, self.times.size
        if first in program.attached:
            own = program.attached[first]
            found = _combined(own.coefficients, self._vectors(own, order))
            return found if own.point < 0 else found + self.rows(own.point, order)
        d = program.mechanism.dimension
        if first in program.fixed:
            fixed = [program.fixed[first + k] if order == 0 else 0.0 for k in range(d)]
            return np.tile(fixed, (n, 1))
        place = int(np.searchsorted(program.kept, first))
        return np.ascontiguousarray((self.q, self.v, self.a)[order][place : place + d].T)

    def _spin(self, body: str, order: int) -> Array:
        # ω = ½ Σ e × e' and α = ½ Σ e × e'' over the columns e of the rotation
        e, de = self.rotation(body), self.rotation_rate(body, order)
        if e.shape[1] == 2:
            return e[:, 0, 0] * de[:, 1, 0] - e[:, 1, 0] * de[:, 0, 0]
        return 0.5 * np.cross(e, de, axis=1).sum(axis=2)


def _combined(coefficients: Array, vectors: list[Array]) -> Array:
    """Linear combination (n, d) of vectors (n, d)."""
    found = coefficients[0] * vectors[0]
    for coefficient, vector in zip(coefficients[1:], vectors[1:], strict=True):
        found += coefficient * vector
    return found


def _unwrap(angles: Array, period: float = 2 * np.pi) -> Array:
    """Remove jumps of 2π, or another period, across failed steps too."""
    out = angles.copy()
    good = np.isfinite(angles)
    out[good] = np.unwrap(angles[good], period=period)
    return out
