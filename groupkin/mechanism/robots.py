"""Robots: a tool and what drives it, of which dexterity, stiffness and errors are read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, get_args

from groupkin.arguments import Name, check_fields
from groupkin.errors import MechanismError
from groupkin.showing import brief

Motions = Literal["translation", "rotation", "twist"]


@dataclass(frozen=True)
class Robot:
    """A tool and the freedoms that drive it; quantities such as ``dexterity robot`` are of its name.

    Parameters
    ----------
    tool : str
        A named point, or a body for its origin.
    motion : {"translation", "rotation", "twist"}
        Rows of the Jacobian of which dexterity is read: the velocity of the tool, the angular velocity of its body, or
        both. Stiffness and errors are always those of the tool's position.
    by : sequence of str, optional
        Freedoms, such as ``joint leg_1``, as of `groupkin.jacobian`. Default: all drivers.
    length : float, optional
        Characteristic length, m, by which lengths are divided where they mix with angles.
    stiffness : mapping of str to float, optional
        Of freedoms in `by`, N/m or N m/rad, each with its drive and gear; others are rigid.
    errors : mapping of str to float, optional
        Largest errors of freedoms in `by`, m or rad, such as half a backlash; and of parameters that are one number,
        such as ``length arm A-B``, in SI units.
    name : str

    Raises
    ------
    MechanismError
    """

    tool: Name
    motion: Motions = "translation"
    by: Sequence[str] = ()
    length: float | None = None
    stiffness: Mapping[str, float] = field(default_factory=dict, hash=False)
    errors: Mapping[str, float] = field(default_factory=dict, hash=False)
    name: Name = "robot"

    __repr__ = brief

    def __post_init__(self) -> None:
        check_fields(self, MechanismError)
        where = f"robot {self.name!r}"
        if self.motion not in get_args(Motions):
            raise MechanismError(f"{where}: motion is one of {', '.join(get_args(Motions))}, not {self.motion!r}")
        if isinstance(self.by, str):
            raise MechanismError(f"{where}: by must be a list of freedoms, not {self.by!r}")
        if self.length is not None and not 0.0 < self.length < float("inf"):
            raise MechanismError(f"{where}: length must be a positive number, not {self.length!r}")
        for of, x in self.stiffness.items():
            if not x > 0.0:
                raise MechanismError(f"{where}: the stiffness of `{of}` must be positive, not {x!r}")
        for of, x in self.errors.items():
            if not 0.0 <= x < float("inf"):
                raise MechanismError(f"{where}: the error of `{of}` must be a finite number from 0 on, not {x!r}")
        object.__setattr__(self, "by", tuple(self.by))
        for key in ("stiffness", "errors"):
            object.__setattr__(self, key, dict(getattr(self, key)))
