"""What inverse dynamics and statics find: forces of drivers and actuators, reactions, power, energy, shaking forces."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from groupkin.arguments import checked
from groupkin.dynamics.acting.loads import Acting, Loads, with_masses
from groupkin.dynamics.bodies.masses import center, masses, moment
from groupkin.dynamics.reactions.contact_losses import ContactLoss, contact_losses
from groupkin.dynamics.reactions.wrenches import Wrench, seen
from groupkin.errors import UnknownNameError
from groupkin.kinematics.motion.freedoms import freedom_of
from groupkin.kinematics.motion.kinds import FORCES
from groupkin.kinematics.motion.motion import Motion
from groupkin.kinematics.motion.quantities import Quantity, quantity, read_from
from groupkin.mechanism.points import coordinates
from groupkin.mechanism.units import Choice
from groupkin.messages import counted, hint
from groupkin.showing import InNotebooks, renderer
from sglibrary.array_types import Array, Flags

if TYPE_CHECKING:
    import xarray
    from matplotlib.figure import Figure


class Energy(NamedTuple):
    """Energies (n,) of a motion, J: of its velocities, in gravity (zero at the global origin), and in springs."""

    kinetic: Array
    gravity: Array
    springs: Array

    @property
    def total(self) -> Array:
        return self.kinetic + self.gravity + self.springs


class Demand(NamedTuple):
    """What an actuator must be able to do: largest amounts of force (N or N m), rate (rad/s or m/s), power (W)."""

    peak: float
    rms: float
    rate: float
    power: float


class DriverUnits(NamedTuple):
    """Units of the force and of the rate of a driver: N m and rad/s about an axis, N and m/s along one."""

    force: str
    rate: str


@dataclass(frozen=True, eq=False)
class Forces(InNotebooks):
    """Forces of a motion, in N, m and s.

    Attributes
    ----------
    motion : Motion
    drivers : dict of str to (n,) array
        What every driver, or actuator, exerts on the second body of its joint: N m about an axis, N along one.
    reactions : dict of str to (3 or 6, n) array
        What the first body of a joint does to the second: a moment about the joint's point on the second body, N m, and
        a force, N, in global components. It includes what the driver or actuator of the joint does, but no springs and
        forces of the user.
    acting : dict of str to Acting
        What each force of the user does.
    applied : Loads
        On the movable bodies, that no other body answers: forces and torques of the user on bodies.
    velocities : bool
        Whether inertia and damping are considered.
    length : float
        m, by which moments are divided where the least of all possible reactions of redundant joints are chosen.
    memory : (k, n) array, optional
        Which drivers and reactions are parts of, and may be filled again.
    """

    motion: Motion
    drivers: dict[str, Array]
    reactions: dict[str, Array]
    acting: dict[str, Acting] = field(repr=False)
    applied: Loads = field(repr=False)
    velocities: bool = True
    length: float = 1.0
    memory: Array | None = field(default=None, repr=False)

    @cached_property
    def outer(self) -> Array:
        """Loads (bodies, 3 or 6, n) on the movable bodies that no other body answers, inertia and gravity included.

        Torques, N m, are about the centers of mass; forces in N.
        """
        return with_masses(self.applied, self.velocities)

    def __repr__(self) -> str:
        what = "Forces" if self.velocities else "Static forces"
        steps = counted(self.motion.times.size, "step")
        return f"<{what} of {self.motion.program.mechanism.name}: {', '.join(self.drivers) or 'no drivers'}, {steps}>"

    @checked
    def driver(self, name: str) -> Array:
        """Read the force or torque (n,) of a driver or actuator, N or N m, by its joint or ``joint.freedom``."""
        if name not in self.drivers:
            raise UnknownNameError(f"there is no driver or actuator {name!r}{hint(name, self.drivers)}")
        return self.drivers[name]

    @checked
    def rate(self, name: str) -> Array:
        """Read the rate (n,) of the freedom of a driver or actuator, rad/s or m/s."""
        joint, number = freedom_of(self.motion.program.mechanism, name)
        for k, driven in enumerate(self.motion.program.drivers):
            if (driven.joint, driven.freedom) == (joint, number):
                return self.motion.driver(k)[1]
        return self.motion.joint_rate(joint)[number]

    @checked
    def reaction(self, joint: str, at: str | None = None, axes: str | None = None) -> Wrench:
        """Read what the first body of a joint does to the second.

        Parameters
        ----------
        joint : str
        at : str, optional
            The point, or body's origin, about which the moment is. Default: the joint's point on the second body.
        axes : str, optional
            A body in whose axes the components are, or ``"joint"``: the joint's axes on its first body. Default: the
            global axes.

        Raises
        ------
        UnknownNameError
        """
        self._check_joint(joint)
        return seen(self.motion, joint, self.reactions[joint], at, axes)

    @checked
    def driving(self, joint: str) -> Array:
        """Read what drivers or actuators exert along the freedoms of a joint (n, freedoms); NaN where there is none."""
        mechanism, none = self.motion.program.mechanism, np.full(self.motion.times.size, np.nan)
        names = [mechanism.driver_name(joint, k) for k in range(len(mechanism.freedoms(mechanism.joint[joint])))]
        if not any(name in self.drivers for name in names):
            raise UnknownNameError(f"there is no driver or actuator in joint {joint!r}{hint(joint, self.drivers)}")
        return np.stack([self.drivers.get(name, none) for name in names], axis=1)

    @checked
    def read(self, what: str | Quantity) -> Array:
        """Read a quantity by its text: ``driver A``, ``reaction B.norm``, ``moment B.z``, or one of the motion.

        Returns
        -------
        (n,) or (n, d) or (n, freedoms) array
            N and N m; (n,) where it is one number.

        Raises
        ------
        QuantityError, UnknownNameError
        """
        mechanism = self.motion.program.mechanism
        wanted = quantity(what, mechanism, forces=True)
        return read_from(self if wanted.kind in FORCES else self.motion, wanted, mechanism)

    @checked
    def determined(self, joint: str, at: str | None = None, axes: str | None = "joint") -> Flags:
        """Tell which components of a reaction are determined: moments, then forces, about a point and in axes.

        A mechanism with redundant joints can be stressed in itself, so that some reactions depend on stiffness and fit.
        Those components that no such stress changes at a few steps of the motion, (3,) in the plane or (6,) in space,
        are determined; of the others `reaction` gives the choice of least norm, see `inverse_dynamics`.

        Parameters
        ----------
        joint : str
        at, axes : str, optional
            As in `reaction`, but for the default, the joint's axes; None stands for the global ones.

        Raises
        ------
        UnknownNameError
        """
        from groupkin.dynamics.reactions.self_stress import determined

        self._check_joint(joint)
        return determined(self.motion, joint, at, axes)

    @checked
    def force(self, name: str) -> Array:
        """Read what a force of the mechanism does.

        Returns
        -------
        (n,) or (n, k) array
            Of a spring between points what it pushes its ends apart by, N; in a joint the force or torque on the second
            body, N or N m; of other forces and torques the global components.
        """
        if name not in self.acting:
            raise UnknownNameError(f"there is no force {name!r}{hint(name, self.acting)}")
        return self.acting[name].amount.T

    def power(self) -> dict[str, Array]:
        """Compute the power (n,) of every driver and every force of the mechanism on its bodies, W."""
        found = {name: force * self.rate(name) for name, force in self.drivers.items()}
        return found | {name: each.power for name, each in self.acting.items()}

    def energy(self) -> Energy:
        """Compute kinetic energy and the energies in gravity and springs, J."""
        moved, none = masses(self.motion.program), np.zeros(self.motion.times.size)
        springs = sum((each.energy for each in self.acting.values()), none)
        return Energy(moved.kinetic_energy(self.motion), moved.potential_energy(self.motion), springs)

    @checked
    def shaking(self, about: str | Sequence[float] | None = None) -> Wrench:
        """Compute what the mechanism as a whole does to its frame, weight and outer forces included.

        Parameters
        ----------
        about : str or (d,) sequence of float, optional
            A point or body's origin, or global coordinates, m. Default: the global origin.
        """
        program, n = self.motion.program, self.motion.times.size
        d = program.mechanism.dimension
        force, total = np.zeros((n, d)), np.zeros((n, 1 if d == 2 else 3))
        if isinstance(about, str):
            at = self.motion.position(about)
        else:
            at = np.zeros((n, d)) if about is None else coordinates(about, d, "about")
        for body, rows in zip(program.mechanism.movable, self.outer, strict=True):
            away = self.motion.point_on(body, center(program, body)) - at
            force += rows[-d:].T
            total += rows[:-d].T + moment(away.T, rows[-d:]).T
        return Wrench(force, total[:, 0] if d == 2 else total)

    def demand(self) -> dict[str, Demand]:
        """Compute what every driver or actuator must be able to do: peak and RMS force, peak rate and power."""
        found = {}
        for name, force in self.drivers.items():
            rate, amount = np.abs(self.rate(name)), np.abs(force)
            rms = np.sqrt(np.nanmean(force**2))
            found[name] = Demand(*(float(x) for x in (_largest(amount), rms, _largest(rate), _largest(amount * rate))))
        return found

    def contact_losses(self) -> list[ContactLoss]:
        """List the spans of time in which joints would have to do what their contact cannot.

        A cam or rolling wheel cannot pull, a `rope` cannot push, a wheel with `adhesion` slips, and gears and racks
        with play knock where their tangential force changes its sign. Joints in which drivers or actuators act are
        left out.
        """
        mechanism = self.motion.program.mechanism
        moved = {freedom_of(mechanism, name)[0] for name in self.drivers} | {each.joint for each in mechanism.drivers}
        return contact_losses(self.motion, self.reactions, moved)

    def plot(
        self,
        what: str | Sequence[str],
        axes: str | None = None,
        out: str | Path | None = None,
        width: float = 86.0,
        *,
        against: str | Quantity | None = None,
    ) -> Figure:
        """Plot forces over time, and polar diagrams of reactions, in the units of the mechanism.

        Components of reactions that are not determined are marked, and spans of time in which a joint would have to do
        what its contact cannot are shaded; see `determined` and `contact_losses`. `groupkin.plot` has several forces,
        as of designs, in one plot.

        Parameters
        ----------
        what : str or sequence of str
            ``driver A``, ``reaction B`` (components of the force), ``moment B``, ``force C`` of a spring, contact or
            any other of the mechanism's forces, ``power A`` of a driver or force, ``energy`` or ``energy kinetic``,
            ``shaking force`` or ``shaking moment`` about the origin. ``bearing B`` is the path of the tip of the
            reaction's force, of a hinge or shaft in space with axes "joint" across its axis. ``speed-torque A`` is the
            torque of a driver over its speed, or force over speed, with its RMS value and lines of constant power.
        axes : str, optional
            Of reactions, as in `reaction`.
        out : str or Path, optional
            A file that ends in .svg, .png or .pdf; a file of this name is replaced.
        width : float
            mm.
        against : str or Quantity, optional
            A quantity of the motion that all else is plotted over, such as ``joint crank``. Default: time.
        """
        return renderer("Forces.plot")(self, what, axes, out, width, against)

    def draw(
        self,
        time: float | Sequence[float] | None = None,
        out: str | Path | None = None,
        colors: str | None = None,
        names: str | None = None,
    ) -> Figure:
        """Draw the mechanism with the force in each joint as an arrow, of the first body on the second.

        Springs, contacts, bushings and forces on points are arrows of another color. `groupkin.draw` draws several
        forces, as of designs, over each other.

        Parameters
        ----------
        time : float or sequence of float, optional
            s: the step next to it is drawn; of several times all are, the earlier the paler. Default: the first step.
        out : str or Path, optional
            A file that ends in .svg, .png or .pdf; a file of this name is replaced.
        colors, names : str, optional
            As in `groupkin.draw`.
        """
        return renderer("Forces.draw")(self, time, out, colors, names)

    @checked
    def to_xarray(self, *, units: Choice = "SI") -> xarray.Dataset:
        """Convert drivers, reactions, forces and energies to an xarray.Dataset with named dimensions.

        Parameters
        ----------
        units : {"SI", "file"} or Units
            N and N m, the units of the mechanism's file, or others; energies and powers are in J and W.
        """
        from groupkin.dynamics.reactions.labeled_forces import to_xarray

        return to_xarray(self, units)

    @checked
    def save(self, path: str | Path, *, units: Choice = "SI") -> None:
        """Write all forces to a file: .nc or .csv; units as of `to_xarray`."""
        from groupkin.dynamics.reactions.labeled_forces import save

        save(self, path, units)

    def _check_joint(self, joint: str) -> None:
        if joint not in self.reactions:
            raise UnknownNameError(f"there is no reaction of a joint {joint!r}{hint(joint, self.reactions)}")

    def units_of(self, driver: str) -> DriverUnits:
        """Tell the units of the force and the rate of a driver or actuator."""
        joint, k = freedom_of(self.motion.program.mechanism, driver)
        mechanism = self.motion.program.mechanism
        rotation = mechanism.freedoms(mechanism.joint[joint])[k].rotation
        return DriverUnits("N*m", "rad/s") if rotation else DriverUnits("N", "m/s")


def _largest(values: Array) -> float:
    return float(np.nanmax(values, initial=0.0))
