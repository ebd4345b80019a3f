"""The motion of a mechanism: rows of natural coordinates, and what users read from them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
from numpy.typing import NDArray

from groupkin.arguments import Kind, checked
from groupkin.errors import GeometryError, UnknownNameError, shown
from groupkin.kinematics.motion.joint_coordinates import joint_coordinates, pair_of
from groupkin.kinematics.motion.turns import with_turns
from groupkin.mechanism.carriers import why_on_none
from groupkin.mechanism.points import coordinates as coordinates_given
from groupkin.mechanism.units import Choice
from groupkin.messages import counted, nearest
from groupkin.showing import InNotebooks, Shown, renderer

if TYPE_CHECKING:
    import xarray
    from matplotlib.figure import Figure

    from groupkin.kinematics.motion.quantities import Quantity
    from groupkin.kinematics.motion.ranges import Outside
    from groupkin.kinematics.program.program import Attached, Pose, Program
    from groupkin.kinematics.solving.motion_memory import SolverMemory
    from groupkin.model.geometry.frames import JointGeometry
    from sglibrary.iterative.column_loop import Start

Array = NDArray[np.float64]
Order = Annotated[int, Kind("0, 1 or 2", lambda order: 0 <= order <= 2)]
"""Of a derivative with respect to time."""


@dataclass(frozen=True, eq=False)
class Inputs:
    """What the drivers of a motion do, where no laws say it.

    Attributes
    ----------
    values : (drivers, 3, n) array
        Values, rates and accelerations.
    path : bool
        Whether the steps are positions of one motion, followed one after another.
    reached : Start, optional
        The state at the last solved step, where groups are solved by Newton's method.
    """

    values: Array
    path: bool
    reached: Start | None = None


@dataclass(frozen=True)
class Passage:
    """A singular position that a motion goes through, in general with other assembly modes from there on.

    Attributes
    ----------
    time : float
        s.
    groups : tuple of int
        Numbers of the groups that change over to another mode there, or are singular if none does.
    """

    time: float
    groups: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Occurrence:
    """An event of a simulation that has occurred.

    Attributes
    ----------
    name : str
        Of the event.
    time : float
        s.
    motion : Motion
        All bodies at this time alone.
    """

    name: str
    time: float
    motion: Motion


@dataclass(frozen=True, eq=False)
class Motion(InNotebooks):
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
    inputs : Inputs, optional
        What the drivers do, if the motion was evaluated without laws; its times are then numbers of steps.
    keep : tuple of Quantity, optional
        What `to_xarray`, `save` and tables hold; default: everything. All can be read still.
    passages : tuple of Passage
        The singular positions that it goes through, where it was solved with ``on_singular="continue"``.
    events : tuple of Occurrence
        Of a simulation, in the order of their times.
    """

    program: Program
    times: Array
    q: Array
    v: Array
    a: Array
    status: NDArray[np.uint8]
    conditioning: Array
    memory: SolverMemory | None = field(default=None, repr=False)
    inputs: Inputs | None = None
    keep: tuple[Quantity, ...] | None = None
    passages: tuple[Passage, ...] = ()
    events: tuple[Occurrence, ...] = field(default=(), repr=False)

    def __getstate__(self) -> dict[str, Any]:
        """Without the memory of the solver, which knows addresses of this process."""
        return {**self.__dict__, "memory": None}

    def but(self, **fields: Any) -> Motion:
        """Change some fields, as `dataclasses.replace` does in ten times the time."""
        changed = object.__new__(Motion)
        changed.__dict__.update(self.__dict__, **fields)
        return changed

    def __repr__(self) -> str:
        bodies = counted(len(self.program.mechanism.movable), "movable body", "movable bodies")
        steps, lost = counted(self.times.size, "step"), int((~self.solved).sum())
        span = f" from {self.times[0]:g} s to {self.times[-1]:g} s" if self.times.size else ""
        missing = f", {lost} not solved" if lost else ""
        return f"<Motion of {self.program.mechanism.name}: {bodies}, {steps}{span}{missing}>"

    @property
    def evaluated(self) -> bool:
        """Whether the motion was evaluated without laws, in memory that can be used again for that."""
        return self.inputs is not None and self.memory is not None

    @property
    def driven(self) -> Array:
        """Values, rates and accelerations (drivers, 3, n) of all drivers, in the order of ``program.drivers``."""
        count = len(self.program.drivers)
        return np.stack([self.driver(k) for k in range(count)]) if count else np.zeros((0, 3, self.times.size))

    def driver(self, k: int) -> Array:
        """Value, rate and acceleration (3, n) of driver number k."""
        return self.program.drivers[k].law.at(self.times) if self.inputs is None else self.inputs.values[k]

    @property
    def solved(self) -> NDArray[np.bool_]:
        """Steps (n,) at which all groups were solved."""
        return np.asarray(~self.status.any(axis=0))

    @property
    def placed(self) -> NDArray[np.bool_]:
        """Steps (n,) at which all bodies have positions: those solved, and those at most singular positions."""
        from sglibrary import status as codes

        found = ((self.status == codes.SOLVED) | (self.status == codes.SINGULAR)).all(axis=0)
        return np.asarray(found & np.isfinite(self.q).all(axis=0) if self.status.any() else found)

    @property
    def outside(self) -> tuple[Outside, ...]:
        """The ends of ranges that it passes, with the first time and the worst, in the order of the times."""
        from groupkin.kinematics.motion.ranges import outside

        return outside(self)

    def position(self, name: str) -> Array:
        """Read the position (n, d) of a body's origin or of a named point, m."""
        return self._point(name, 0)

    def velocity(self, name: str) -> Array:
        """Read the velocity (n, d) of a body's origin or of a named point, m/s."""
        return self._point(name, 1)

    def acceleration(self, name: str) -> Array:
        """Read the acceleration (n, d) of a body's origin or of a named point, m/s²."""
        return self._point(name, 2)

    def rotation(self, body: str) -> Array:
        """Read the rotation matrix (n, d, d) of a body; it is the identity in the reference configuration."""
        return self.rotation_rate(body, 0)

    @checked
    def rotation_rate(self, body: str, order: Order = 1) -> Array:
        """Read the time derivative of order 0, 1 or 2 of the rotation matrix (n, d, d) of a body."""
        pose = self._pose(body)
        vectors = self._vectors(pose, order)
        return np.stack([_combined(row, vectors) for row in pose.directions], axis=2)

    def angular_velocity(self, body: str) -> Array:
        """Compute the angular velocity of a body, rad/s: (n, 3) in space, (n,) in the plane."""
        return self._spin(body, 1)

    def angular_acceleration(self, body: str) -> Array:
        """Compute the angular acceleration of a body, rad/s²: (n, 3) in space, (n,) in the plane."""
        return self._spin(body, 2)

    def angle(self, body: str) -> Array:
        """Compute the unwrapped angle (n,) of a body of a plane mechanism, rad, zero in the reference configuration.

        Whole turns from step to step follow from the angular velocity, and where steps are long from steps in between;
        a `GroupkinWarning` says if they cannot be told.
        """
        if self.rotation(body).shape[1] != 2:
            raise UnknownNameError(f"body {body!r} moves in space: read its rotation matrix instead of an angle")

        def read(motion: Motion) -> tuple[Array, Array]:
            rotation = motion.rotation(body)
            rates = motion.angular_velocity(body) if motion.inputs is None else np.zeros(0)
            return np.arctan2(rotation[:, 1, 0], rotation[:, 0, 0]), rates

        return with_turns(self, read, f"the angle of body {body!r}")

    @property
    def by_themselves(self) -> bool:
        """Whether the steps are not positions of one motion, so that nothing follows from one for the next."""
        return self.inputs is not None and not self.inputs.path

    @checked
    def joint(self, name: str, between: tuple[str, str] | None = None) -> Array:
        """Compute the coordinates of a joint: unwrapped angles in rad, displacements in m.

        Driven angles follow their drivers, that of a helical joint its displacement. Whole turns of all others follow
        from their rates, and where steps are long from steps in between; a `GroupkinWarning` says if they cannot be
        told. The angles of a free body or a spherical joint are intrinsic rotations about x, y and z; the second one is
        singular at ±π/2.

        Parameters
        ----------
        name : str
        between : (str, str), optional
            Of a multi-joint, the two bodies: coordinates are those of the second relative to the first. Default: those
            of all other bodies relative to the first, one after another.

        Returns
        -------
        (freedoms, n) array
            In the order of the joint's freedoms.
        """
        return joint_coordinates(self, name, between)

    @checked
    def joint_rate(self, name: str) -> Array:
        """Compute the rates (freedoms, n) of the coordinates of a joint from velocities, rad/s and m/s.

        Singular where the coordinates are.

        Raises
        ------
        UnknownNameError, NotModeledError
            If there is no such joint, or it is a cam.
        """
        from groupkin.kinematics.motion.quantities import Quantity, check

        check(Quantity("joint_rate", name), self.program.mechanism)
        pair = pair_of(self.program, name)
        return pair.rates(self)[list(pair.form.places)]

    @checked
    def joint_acceleration(self, name: str) -> Array:
        """Compute the accelerations (freedoms, n) of the coordinates of a joint, rad/s² and m/s²; see `joint_rate`."""
        from groupkin.kinematics.motion.quantities import Quantity, check

        check(Quantity("joint_acceleration", name), self.program.mechanism)
        pair = pair_of(self.program, name)
        return pair.rates(self, 2)[list(pair.form.places)]

    @checked
    def read(self, quantity: str | Quantity) -> Array:
        """Read a quantity, such as ``velocity P.norm``, ``angle crank`` or ``joint pose.x``.

        Parameters
        ----------
        quantity : str or Quantity
            As `groupkin.quantity` takes it; `groupkin.kinematics.motion.quantities.KINDS` is the table of all kinds.

        Returns
        -------
        (n,) or (n, d) or (n, d, d) or (n, freedoms) array
            m, rad and s; (n,) where it is one number.

        Raises
        ------
        QuantityError, UnknownNameError, NotModeledError
        """
        from groupkin.kinematics.motion.quantities import read

        return read(self, quantity)

    def relative_placement(self, joint: str) -> tuple[Array, Array]:
        """Compute rotation (n, d, d) and shift (n, d), m, of the second frame of a joint in the first."""
        return self.placement(self.program.mechanism.joint[joint].bodies, self.program.geometry.joints[joint])

    def placement(self, bodies: Sequence[str], geometry: JointGeometry) -> tuple[Array, Array]:
        """Compute the same of the second of two frames on bodies in the first."""
        turns = [self.rotation(body) @ geometry.frames[side] for side, body in enumerate(bodies)]
        ends = [self.point_on(body, geometry.points[side]) for side, body in enumerate(bodies)]
        back = np.swapaxes(turns[0], 1, 2)
        return back @ turns[1], np.einsum("nij,nj->ni", back, ends[1] - ends[0])

    def ends(self, bodies: Sequence[str], geometry: JointGeometry, order: Order = 0) -> list[Array]:
        """Read two frames on bodies: components (n,) of the axes and the origin of each, m, or derivatives by time."""
        found: list[Array] = []
        for body, frame, point in zip(bodies, geometry.frames, geometry.points, strict=True):
            pose = self._pose(body)
            vectors = self._vectors(pose, order)
            axes = [_combined(axis, vectors) for axis in (pose.directions.T @ frame).T]
            found += [row for vector in (*axes, self._end(pose, point, vectors, order)) for row in vector.T]
        return found

    def at(self, steps: NDArray[np.int64]) -> Motion:
        """Select some steps of the motion."""
        q, v, a = (x[:, steps] for x in (self.q, self.v, self.a))
        inputs = None
        if self.inputs is not None:
            inputs = Inputs(self.inputs.values[..., steps], self.inputs.path)
        status, conditioning = self.status[:, steps], self.conditioning[:, steps]
        more = {"inputs": inputs, "keep": self.keep, "passages": self.passages, "events": self.events}
        return type(self)(self.program, self.times[steps], q, v, a, status, conditioning, **more)  # type: ignore[arg-type]

    @checked
    def to_xarray(self, *, units: Choice = "SI") -> xarray.Dataset:
        """Convert the motion, or what it keeps, to an xarray.Dataset with named dimensions, coordinates and units.

        Parameters
        ----------
        units : {"SI", "file"} or Units
            Meters and radians, those of the mechanism's file, or others; times are in seconds.
        """
        from groupkin.kinematics.motion.labeled_arrays import to_xarray

        return to_xarray(self, units)

    @checked
    def save(self, path: str | Path, *, units: Choice = "SI") -> None:
        """Write the motion, or what it keeps, to a file: .nc, .zarr, .csv or .npz; units as of `to_xarray`."""
        from groupkin.kinematics.motion.motion_files import save

        save(self, path, units)

    def plot(
        self,
        quantities: str | Quantity | Sequence[str | Quantity],
        against: str | Quantity | None = None,
        out: str | Path | None = None,
        width: float = 86.0,
    ) -> Figure:
        """Plot quantities of the motion; see `groupkin.plot`, which plots several motions as well."""
        return renderer("Motion.plot")(self, quantities, against, out, width)

    def draw(
        self,
        out: str | Path | None = None,
        kind: str | None = None,
        time: float | Sequence[float] | None = None,
        colors: str | None = None,
        names: str | None = None,
    ) -> Shown | None:
        """Draw the mechanism at one or more times, see `groupkin.draw`; without a file a notebook shows the picture."""
        shown: Shown | None = renderer("Motion.draw")(self, out, kind, colors, names, time)
        return shown

    def animate(
        self,
        out: str | Path | None = None,
        trace: Sequence[str] | None = None,
        plot: Sequence[str | Quantity] | None = None,
        seconds: float | None = None,
        colors: str | None = None,
        names: str | None = None,
    ) -> Shown | str:
        """Write the motion as a page or a film, see `groupkin.animate`; without a file a notebook shows the page."""
        return renderer("Motion.animate")(self, out, trace, plot, seconds, colors, names)

    def _pose(self, body: str) -> Pose:
        poses, points = self.program.poses, self.program.geometry.points
        if isinstance(body, str) and (body in poses or body in self.program.structure.group_of):
            return poses[body]
        if isinstance(body, str) and body in points:
            raise UnknownNameError(f"{body!r} is a point, not a body; it is on body {points[body][0]!r}: read that one")
        raise UnknownNameError(self._why_unknown(body))

    def _why_unknown(self, name: object) -> str:
        """Say why something is no body or point that can be read."""
        if not isinstance(name, str):
            return f"the name of a body or point is needed, not {shown(name)}"
        if name in self.program.mechanism.positions:
            return why_on_none(self.program.mechanism, name)
        if name in self.program.mechanism.joint or name in self.program.mechanism.shared:
            return f"{name!r} is a joint, not a body or point: name its point, or read `point_on` of one of its bodies"
        near = nearest(name, [*self.program.poses, *self.program.geometry.points])
        return f"there is no body or point {name!r}" + (f"; did you mean {near}?" if near else "")

    def _point(self, name: str, order: Order) -> Array:
        geometry = self.program.geometry
        if isinstance(name, str) and name in geometry.points:
            return self.point_on(*geometry.points[name], order)
        self._pose(name)
        return self.point_on(name, geometry.origins[name], order)

    @checked
    def point_on(self, body: str, local: Sequence[float] | Array, order: Order = 0) -> Array:
        """Compute position, velocity or acceleration of a point of a body.

        Parameters
        ----------
        body : str
        local : (d,) sequence of float
            Local coordinates, which are the global ones in the reference configuration, m.
        order : {0, 1, 2}

        Returns
        -------
        (n, d) array
            m, m/s or m/s².
        """
        pose = self._pose(body)
        what = f"local, a point on body {body!r},"
        if isinstance(local, str):
            count = self.program.mechanism.dimension
            raise GeometryError(
                f"{what} must be {count} numbers, not {local!r}; position({local!r}) reads a named point"
            )
        point = coordinates_given(local, self.program.mechanism.dimension, what)
        return self._end(pose, point, self._vectors(pose, order), order)

    def _end(self, pose: Pose, local: Array, vectors: list[Array], order: Order) -> Array:
        """Compute a point (n, d) of a body from its directions."""
        return self.rows(pose.point, order) + _combined(pose.directions.T @ (local - pose.origin), vectors)

    def _vectors(self, body: Pose | Attached, order: Order) -> list[Array]:
        """Read all d directions (n, d) of a body, or derivatives of them."""
        vectors = [self.rows(row, order) for row in body.vectors]
        if len(vectors) == 1:
            x, y = vectors[0].T
            vectors.append(np.stack([-y, x], axis=1))
        return vectors

    def rows(self, first: int, order: Order) -> Array:
        """Read a point or direction (n, d) of the state by its first row, or a derivative of it."""
        program, n = self.program, self.times.size
        if first in program.attached:
            attached = program.attached[first]
            vector = _combined(attached.coefficients, self._vectors(attached, order))
            return vector if attached.point < 0 else vector + self.rows(attached.point, order)
        d = program.mechanism.dimension
        if first in program.fixed:
            fixed = [program.fixed[first + k] if order == 0 else 0.0 for k in range(d)]
            return np.tile(fixed, (n, 1))
        row = int(np.searchsorted(program.kept, first))
        return np.ascontiguousarray((self.q, self.v, self.a)[order][row : row + d].T)

    def _spin(self, body: str, order: Order) -> Array:
        columns, rates = (list(self.rotation_rate(body, k).T) for k in (0, order))
        found = spin(columns, rates)
        return found[0] if len(found) == 1 else np.stack(found, axis=1)


def spin(columns: Sequence[Sequence[Array]], rates: Sequence[Sequence[Array]]) -> list[Array]:
    """Compute ω = ½ Σ e × e' over the columns of a rotation; with e'' the angular acceleration."""
    if len(columns) == 2:
        return [columns[0][0] * rates[0][1] - columns[0][1] * rates[0][0]]
    pairs = list(zip(columns, rates, strict=True))
    return [sum(0.5 * (e[i] * w[j] - e[j] * w[i]) for e, w in pairs) for i, j in ((1, 2), (2, 0), (0, 1))]  # type: ignore[misc]


def _combined(coefficients: Array, vectors: list[Array]) -> Array:
    """Combine vectors (n, d) linearly."""
    total = coefficients[0] * vectors[0]
    for coefficient, vector in zip(coefficients[1:], vectors[1:], strict=True):
        total += coefficient * vector
    return total
