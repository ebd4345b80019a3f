"""The inverse question: what drivers have to do so that other freedoms of a mechanism move as is wanted.

It often is the easier one. A Stewart platform driven by its legs is one group of thirteen bodies;
driven by its platform it is seven groups that have closed forms (Kinzel and Chang 1984; Celdran et al. 2022).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from groupkin.arguments import checked
from groupkin.errors import MechanismError
from groupkin.kinematics.motion.quantities import Quantity, quantity
from groupkin.mechanism.laws.laws import Law
from groupkin.mechanism.mechanism import Mechanism
from groupkin.mechanism.parts import Driver
from groupkin.messages import counted


@checked
def redrive(mechanism: Mechanism, laws: Mapping[str, Law], instead_of: Sequence[str] | None = None) -> Mechanism:
    """Drive other freedoms of a mechanism, as many as those whose drivers they replace.

    The joints that were driven are then moved by the mechanism: `motion.joint` tells what their drivers would have to
    do. A body that should go somewhere is driven by a free joint (F, in the plane FP) between it and the frame.

    Parameters
    ----------
    mechanism : Mechanism
    laws : mapping of str to Law
        For each freedom to be driven, as a quantity such as ``joint pose.x``, its law in rad or m and s.
    instead_of : sequence of str, optional
        The driven freedoms to be released, likewise; default: all.

    Returns
    -------
    Mechanism
        Without the assembly modes that were chosen, since its groups are others.

    Raises
    ------
    MechanismError
        If these are not as many, are no freedoms of joints, or those to be released are not driven.
    QuantityError, UnknownNameError
        If a freedom cannot be read, or there is none of that name.

    Examples
    --------
    >>> import groupkin as gk
    >>> bodies = ["frame", "crank", "rod", "piston"]
    >>> joints = [
    ...     gk.Joint("bearing", "R", ("frame", "crank"), point=(0, 0)),
    ...     gk.Joint("pin", "R", ("crank", "rod"), point=(0, 0.05)),
    ...     gk.Joint("wrist", "R", ("rod", "piston"), point=(0.12, 0)),
    ...     gk.Joint("bore", "P", ("frame", "piston"), point=(0.12, 0), axis=(1, 0)),
    ... ]
    >>> engine = gk.Mechanism(2, bodies, joints, [gk.Driver("bearing", gk.Ramp(rate=1.0))])
    >>> wanted = redrive(engine, {"joint bore": gk.Ramp(rate=-0.01)})
    >>> gk.solve(wanted, [0.0, 1.0]).joint("bearing").round(3)
    array([[0.   , 0.211]])
    """
    wanted = {_freedom(text, mechanism): law for text, law in laws.items()}
    present = {_name(driver): driver for driver in mechanism.drivers}
    released = set(present) if instead_of is None else {_freedom(text, mechanism) for text in instead_of}
    if unknown := released - set(present):
        raise MechanismError(
            f"{', '.join(map(str, sorted(unknown, key=str)))} cannot be released, for no driver drives it; driven are "
            f"{', '.join(map(str, present)) or 'none'}"
        )
    if len(wanted) != len(laws):
        raise MechanismError("one freedom is to be driven by two laws; name each freedom once")
    if len(wanted) != len(released):
        raise MechanismError(
            f"{counted(len(wanted), 'freedom')} cannot be driven instead of {len(released)}: "
            f"{', '.join(map(str, released))}. Drive as many freedoms as are released, and state which are to be "
            "released if others stay driven"
        )
    kept = [driver for name, driver in present.items() if name not in released]
    new = [Driver(str(name.of), law, name.component or None) for name, law in wanted.items()]
    return replace(mechanism, drivers=[*kept, *new], modes={})


def driven_freedoms(mechanism: Mechanism) -> list[Quantity]:
    """The freedoms of joints that are driven, in the order of the drivers."""
    return [_name(driver) for driver in mechanism.drivers]


def _name(driver: Driver) -> Quantity:
    return Quantity("joint", driver.joint, driver.freedom or "")


def _freedom(text: str, mechanism: Mechanism) -> Quantity:
    """A freedom of a joint, named as a driver of it would be.

    Raises
    ------
    MechanismError
    """
    found = quantity(text, mechanism)
    if found.kind != "joint":
        raise MechanismError(f"{text!r} is no freedom of a joint, and is not driven; drive one such as 'joint pose.x'")
    joint = mechanism.joint.get(str(found.of))
    freedoms = [freedom.name for freedom in mechanism.freedoms(joint)] if joint else []
    if joint is None or (len(freedoms) > 1 and not found.component):
        raise MechanismError(f"{text!r} has several freedoms, {', '.join(freedoms)}; name one, as in 'joint pose.x'")
    for driver in mechanism.drivers:  # which may leave out the name of an only freedom
        if driver.joint == joint.name and (driver.freedom or freedoms[0]) == (found.component or freedoms[0]):
            return _name(driver)
    return Quantity("joint", joint.name, found.component if len(freedoms) > 1 else "")
