"""Everything that can go wrong, one exception each, all under `GroupkinError`.

Messages say what is wrong, where (names of bodies, joints, drivers, groups and times) and what to do.
The command line prints the message and exits with code 2; nothing else in the project catches them silently.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing import Any

    from groupkin.kinematics.motion.motion import Motion


class GroupkinError(Exception):
    """Root of all errors of this project; other processes can be told of them as they are."""

    def __reduce__(self) -> tuple[Any, ...]:
        return _again, (type(self), self.args, vars(self))


def _again(kind: type[GroupkinError], arguments: tuple[Any, ...], attributes: dict[str, Any]) -> GroupkinError:
    """An equal error, without its constructor, which may take more than the message."""
    error = kind.__new__(kind, *arguments)
    error.__dict__.update(attributes)
    return error


class GroupkinWarning(UserWarning):
    """A result may not be what its name promises; the message says what to do."""


class ArgumentError(GroupkinError, ValueError):
    """An argument of a function has a value that it cannot have; the message names it and says which it can."""


# --- the description -------------------------------------------------------------------------


class MechanismError(GroupkinError, ValueError):
    """A mechanism is described wrongly."""


class UnknownJointTypeError(MechanismError):
    """A joint has a type that is not in the table of pairs, or that does not exist in this dimension."""


class UnknownNameError(MechanismError):
    """A body, joint, point or freedom is named that does not exist."""


class DuplicateNameError(MechanismError):
    """Two bodies, joints or drivers share one name or one freedom."""


class GeometryError(MechanismError):
    """A point or an axis is missing, has the wrong size, is not finite or has zero length."""


class ConflictingPointError(MechanismError):
    """One named point is given two positions."""


class LawError(MechanismError):
    """The motion law of a driver cannot be used, in general or at the times asked for."""


class FileError(MechanismError):
    """A mechanism file cannot be read or does not follow the schema."""


class NoGeometryError(MechanismError):
    """The mechanism can be analyzed but not solved: its joints have no geometry."""


class NotAssembledError(MechanismError):
    """The joints do not close in the reference configuration.

    Attributes
    ----------
    gaps : dict of str to (float, str)
        For every open joint the size of the gap and its unit, "m" or "rad".
    """

    def __init__(self, message: str, gaps: dict[str, tuple[float, str]]):
        super().__init__(message)
        self.gaps = gaps


# --- the structure ---------------------------------------------------------------------------


class StructureError(GroupkinError):
    """The structure of a mechanism does not allow what was asked."""


class NotDeterminedError(StructureError):
    """The mechanism cannot be decomposed: parts of it are over-driven, under-driven or both.

    Attributes
    ----------
    over_driven, under_driven : tuple of str
        Names of the bodies in the parts with too many and too few equations.
    excess, lack : int
        By how many equations.
    """

    def __init__(
        self,
        message: str,
        over_driven: tuple[str, ...] = (),
        under_driven: tuple[str, ...] = (),
        excess: int = 0,
        lack: int = 0,
    ):
        super().__init__(message)
        self.over_driven, self.under_driven = over_driven, under_driven
        self.excess, self.lack = excess, lack


class DeterminedByCountOnlyError(StructureError):
    """A group has as many equations as unknowns, yet its geometry leaves it movable or blocks it."""


class QueryError(StructureError, ValueError):
    """A criterion or a condition on structures cannot be understood."""


class RouteError(StructureError, ValueError):
    """A route cannot be read, or does not fit the structure: groups are missing or come before what they need."""


class TooManyRoutesError(RouteError):
    """There are so many routes that they cannot be counted or listed."""


class ModeError(StructureError):
    """An assembly mode is chosen that a group does not have, or of a group that does not exist.

    Attributes
    ----------
    group : int
        Number of the group; 0 if there is none.
    """

    def __init__(self, message: str, group: int = 0):
        super().__init__(message)
        self.group = group


class NotModeledError(StructureError):
    """A joint type is known to the analysis but has no equations yet."""


# --- the motion ------------------------------------------------------------------------------


class TimesError(GroupkinError, ValueError):
    """The times to solve at are not finite, not monotone or not one-dimensional."""


class OutputError(GroupkinError):
    """Results cannot be written."""


class SweepError(GroupkinError, ValueError):
    """A sweep over variants of a mechanism is described wrongly."""


class SolveError(GroupkinError):
    """A group cannot be solved at some time.

    Attributes
    ----------
    group : int
        Number of the group in solving order.
    time : float
        The first time, in seconds, at which it fails.
    motion : Motion
        What was solved; the failed step and all after it are NaN.
    """

    def __init__(self, message: str, group: int, time: float, motion: Motion):
        super().__init__(message)
        self.group, self.time, self.motion = group, time, motion


class CannotAssembleError(SolveError):
    """The parts of a group cannot reach each other at this time."""


class SingularPositionError(SolveError):
    """A group is at a singular position (a dead center): its velocities are not determined."""


class NotConvergedError(SolveError):
    """The iteration of a group did not converge."""


# --- many workers ----------------------------------------------------------------------------


class RankError(GroupkinError):
    """An MPI rank failed, or there is no MPI."""


# --- the batch -------------------------------------------------------------------------------


class StoreError(GroupkinError):
    """A store of results cannot be used: it is none, it is in the way, or it holds something else."""


class ChangedSweepError(StoreError):
    """A store was begun with another sweep or mechanism.

    Attributes
    ----------
    differences : tuple of str
        What differs, each by its place in the description, in the store and now.
    """

    def __init__(self, message: str, differences: tuple[str, ...] = ()):
        super().__init__(message)
        self.differences = differences


class WorkError(GroupkinError):
    """A worker of a batch, a rank or a process, has failed or died; what was completed is kept."""
