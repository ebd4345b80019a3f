"""The exceptions of the project, one for each kind of failure, all derived from `GroupkinError`.

Messages say what is wrong, where (names of bodies, joints, drivers, groups and times) and what to do. The command line
prints the message and exits with code 2.
"""

from __future__ import annotations

import reprlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any


def shown(value: object) -> str:
    """Represent a value in messages, shortened to a readable length."""
    try:
        text = reprlib.repr(value) if hasattr(value, "__len__") and not isinstance(value, str) else repr(value)
    except Exception:  # a number of thousands of digits, or an object of the caller
        text = f"<{type(value).__name__}>"
    return shorter(text.replace("\n", " "))


def shorter(text: str) -> str:
    """Shorten a text to a length that is read at a glance."""
    return text if len(text) <= 60 else text[:57] + "..."


def printable(text: str) -> str:
    """Escape the characters of a text that a terminal could take for a command; line breaks stay."""
    return "".join(sign if sign.isprintable() or sign == "\n" else repr(sign)[1:-1] for sign in text)


class GroupkinError(Exception):
    """Base class of all errors of this project; they can be pickled.

    Their messages have no control characters, whatever names and texts of others are in them.
    """

    def __str__(self) -> str:
        return printable(super().__str__())

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuilt, (type(self), self.args, vars(self))


def _rebuilt(kind: type[GroupkinError], arguments: tuple[Any, ...], attributes: dict[str, Any]) -> GroupkinError:
    """Rebuild an error without its constructor, which may take more arguments than the message."""
    error = kind.__new__(kind, *arguments)
    error.__dict__.update(attributes)
    return error


class GroupkinWarning(UserWarning):
    """A result may be misleading; the message says why and what to do."""


class ArgumentError(GroupkinError, ValueError):
    """An argument has a value that is not allowed; the message names it and the allowed ones."""


# --- mechanisms ------------------------------------------------------------------------------


class MechanismError(GroupkinError, ValueError):
    """The description of a mechanism is wrong."""


class UnknownJointTypeError(MechanismError):
    """The type of a joint is not in the table of pairs, or does not exist in this dimension."""


class UnknownNameError(MechanismError):
    """There is no body, joint, point or freedom of this name."""


class DuplicateNameError(MechanismError):
    """Two bodies or joints have the same name, or two drivers drive the same freedom."""


class GeometryError(MechanismError):
    """The geometry of a joint, body or curve is missing, not finite, of the wrong size or contradictory."""


class ConflictingPointError(MechanismError):
    """A named point has two different positions."""


class LawError(MechanismError):
    """The motion law of a driver cannot be used at all, or not at the requested times."""


class TooManyKnotsError(LawError):
    """A driver moves so much that its motion would be followed for too long.

    Attributes
    ----------
    joint : str
        The driven joint.
    rate : float
        Mean rate of the driver, rad/s or m/s.
    knots : float
        How many knots the motion would take, about.
    """

    def __init__(self, message: str, joint: str, rate: float, knots: float):
        super().__init__(message)
        self.joint, self.rate, self.knots = joint, rate, knots


class MassError(MechanismError):
    """A mass, center of mass, inertia or gravity is none."""


class ShapeError(MechanismError):
    """The shape of a body cannot be read, or its surface is open where a volume is needed."""


class ForceError(MechanismError):
    """A spring, force or torque is none, or acts where it cannot."""


class CouplingError(MechanismError):
    """A coupling is not stated well, or takes what no coupling can."""


class FormulaError(MechanismError):
    """The formula of an output, coupling or value cannot be read, or what it combines does not fit together."""


class FileError(MechanismError):
    """A file cannot be read or does not follow its schema."""


class ModelError(FileError):
    """A robot model cannot be read as a mechanism, or a mechanism cannot be written as a model."""


class OpenLoopError(ModelError):
    """The loops of a model do not close from where it is stated.

    Attributes
    ----------
    loop : str
        The loop that is open farthest.
    gap : float
        By how much, as a fraction of the size, or rad.
    """

    def __init__(self, message: str, loop: str, gap: float):
        super().__init__(message)
        self.loop, self.gap = loop, gap


class NoGeometryError(MechanismError):
    """The mechanism can be analyzed but not solved: its joints have no geometry."""


class NotAssembledError(MechanismError):
    """Joints do not close in the reference configuration.

    Attributes
    ----------
    gaps : dict of str to (float, str)
        Size of the gap of every open joint, and its unit, "m" or "rad".
    """

    def __init__(self, message: str, gaps: dict[str, tuple[float, str]]):
        super().__init__(message)
        self.gaps = gaps


# --- structure and routes --------------------------------------------------------------------


class StructureError(GroupkinError):
    """An operation is not possible with the structure of this mechanism."""


class NotDeterminedError(StructureError):
    """The mechanism cannot be decomposed, for parts of it are over-driven or under-driven.

    Attributes
    ----------
    over_driven, under_driven : tuple of str
        Names of the bodies in parts with too many and with too few equations.
    excess, lack : int
        Number of equations too many and too few.
    remedies : tuple of `groupkin.structure.not_determined.Remedy`
        Drivers that can be added or dropped, one of them for each equation that is lacking or too many.
    """

    def __init__(
        self,
        message: str,
        over_driven: tuple[str, ...] = (),
        under_driven: tuple[str, ...] = (),
        excess: int = 0,
        lack: int = 0,
        remedies: tuple[Any, ...] = (),
    ):
        super().__init__(message)
        self.remedies = remedies
        self.over_driven, self.under_driven = over_driven, under_driven
        self.excess, self.lack = excess, lack


class MisfitError(NotDeterminedError):
    """Joints repeat each other, but their dimensions agree to few digits only.

    Attributes
    ----------
    misfit : float
        By how much they are open per rad, or size of the mechanism, of motion: of the size, or rad.
    joints : tuple of str
        At which joints, or couplings, most of it is left.
    """

    def __init__(self, message: str, misfit: float = 0.0, joints: tuple[str, ...] = ()):
        super().__init__(message)
        self.misfit, self.joints = misfit, joints


class DeterminedByCountOnlyError(StructureError):
    """A group has as many equations as unknowns, but its geometry leaves it movable or locks it."""


class QueryError(StructureError, ValueError):
    """A criterion or condition on structures cannot be read."""


class RouteError(StructureError, ValueError):
    """A route cannot be read, or does not fit the structure: groups are missing or come before what they need."""


class TooManyRoutesError(RouteError):
    """There are too many routes to count or list."""


class ModeError(StructureError):
    """A chosen assembly mode, or the group it is chosen for, does not exist.

    Attributes
    ----------
    group : int
        Number of the group; 0 if there is none.
    """

    def __init__(self, message: str, group: int = 0):
        super().__init__(message)
        self.group = group


class NotModeledError(StructureError):
    """A joint or a driver can be analyzed, but its equations are not implemented."""


# --- motion ----------------------------------------------------------------------------------


class TimesError(GroupkinError, ValueError):
    """The times to solve at are not finite, not monotone or not one-dimensional."""


class OutputError(GroupkinError):
    """A result cannot be written."""


class ExportError(GroupkinError):
    """A mechanism cannot be written for another program, or nothing is there that could compile it."""


class QuantityError(GroupkinError, ValueError):
    """A text is no quantity or can be read as several, or a mechanism does not have the quantity."""


class ParameterError(GroupkinError, ValueError):
    """A text is no parameter, or a mechanism does not have the parameter."""


class FitError(GroupkinError, ValueError):
    """What a fit is to find is not stated well, or no design within its bounds does it."""


class SweepError(GroupkinError, ValueError):
    """The description of a sweep is wrong."""


class SolveError(GroupkinError):
    """A group cannot be solved at some step.

    Attributes
    ----------
    group : int
        Number of the group in solving order.
    time : float
        The first time at which it fails, s.
    motion : Motion
        The motion up to there; the failed step and all later ones are NaN.
    """

    def __init__(self, message: str, group: int, time: float, motion: Any):
        super().__init__(message)
        self.group, self.time, self.motion = group, time, motion


class CannotAssembleError(SolveError):
    """The bodies of a group cannot reach each other at this time."""


class SingularPositionError(SolveError):
    """A group is in a singular position (a dead center), where its velocities are not determined."""


class NotConvergedError(SolveError):
    """Newton's method did not converge for a group."""


# --- workers and stores ----------------------------------------------------------------------


class OpenJointError(CannotAssembleError):
    """A joint whose rows repeat those of others opens."""


class LoadError(GroupkinError):
    """Forces of a motion cannot be computed, or actuators cannot carry the loads."""


class JammingError(LoadError):
    """Friction holds a mechanism: no forces of its drivers move it as it should move.

    Attributes
    ----------
    joint : str
        In which friction grows most.
    time : float
        The first time at which it jams, s.
    share : float
        What all coefficients of friction would have to be multiplied by for it to be just about to jam.
    """

    def __init__(self, message: str, joint: str, time: float, share: float):
        super().__init__(message)
        self.joint, self.time, self.share = joint, time, share


class SimulationError(GroupkinError):
    """A motion under forces cannot be computed, or not beyond a time.

    Attributes
    ----------
    motion : Motion or None
        What was computed before.
    """

    motion: Any = None


class CheckpointError(SimulationError):
    """A checkpoint of a simulation exists already, is none, or is of another simulation."""


class ChatteringError(SimulationError):
    """An event of a simulation occurs again and again, within steps that do not resolve what it is about."""


class OutsideRangesError(GroupkinError):
    """No configuration is within the ranges of joints and other quantities."""


class WorkspaceError(GroupkinError):
    """A workspace has no place that was found, or no bounds."""


class RangeWarning(GroupkinWarning):
    """A motion leaves the range of a joint or of another quantity."""


class EnergyWarning(GroupkinWarning):
    """The energy of a simulation balances worse than its tolerance lets expect."""


class EnergyError(SimulationError):
    """The energy of a simulation does not balance, so its motion is wrong.

    Attributes
    ----------
    mechanism : str
        Name.
    time : float
        s.
    share : float
        Error of the balance, by the energy that has been moved.
    """

    def __init__(self, mechanism: str, time: float, share: float, finer: str) -> None:
        super().__init__(
            f"the energy of {mechanism} does not balance at t = {time:.6g} s: {share:.2g} of what has been moved is "
            f"missing or too much, so the motion is wrong from about there on. Take {finer} or another `method`, look "
            "for forces that jump, or choose other free coordinates"
        )
        self.mechanism, self.time, self.share = mechanism, time, share


class RankError(GroupkinError):
    """An MPI rank failed, or MPI is not installed."""


class StoreError(GroupkinError):
    """The folder of a store is no store, already exists, or holds something else."""


class ChangedSweepError(StoreError):
    """A store was created for another sweep or mechanism.

    Attributes
    ----------
    differences : tuple of str
        Each difference: its key in the description, and the values in the store and now.
    """

    def __init__(self, message: str, differences: tuple[str, ...] = ()):
        super().__init__(message)
        self.differences = differences


class WorkError(GroupkinError):
    """A worker of a batch, a rank or a process, failed; completed chunks are kept."""
