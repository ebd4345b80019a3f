"""Structural transformations: the ways to drive a mechanism, and the groups that each of them leads to.

A choice says how many freedoms of every joint are driven. Each driven freedom is one more equation, and a choice is
valid if every equation has a body that takes it (`groupkin.structure.counting`). Valid choices are the bases of a
matroid: what excludes a few equations excludes more, and from every valid choice any other can be reached by moving one
driver at a time. So choices are built equation by equation, each placed by one augmenting path; where they are too
many, a search leads from one choice to better ones.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice

import numpy as np

from groupkin.errors import MechanismError, UnknownNameError
from groupkin.mechanism.mechanism import Driver, Joint, Mechanism
from groupkin.mechanism.pairs import form
from groupkin.messages import hint
from groupkin.model.determination.undriven import Undriven, driven_groups
from groupkin.structure.counting import Shares, count, incidence, share, unheld
from groupkin.structure.decomposition import levels_of, solving_order
from groupkin.structure.idle_spins import Balance, balance
from groupkin.structure.not_determined import not_determined
from groupkin.structure.redundancy import Redundancy, with_eased
from groupkin.structure.signature import GroupGraph, joint_code
from groupkin.transformations.outline import Members, Outline, order_of

SMALL = 100
"""Number of bodies up to which sets of bodies as bits are faster."""

Choice = tuple[int, ...]
"""Number of driven freedoms of every joint."""

Easing = Callable[[Mechanism], Sequence[Redundancy]]
"""Rows that repeat others, and the joints eased for them, of an over-constrained mechanism with some drivers."""


@dataclass(frozen=True)
class Restrictions:
    """Which joints may be driven, and by how many freedoms.

    Attributes
    ----------
    driven, forbid : collection of str
        Joints of which at least one freedom, or none, is driven.
    only : collection of str
        If there are any: joints that alone may be driven.
    at_frame : bool
        Only joints with the frame.
    types : collection of str
        If there are any: symbols of the pairs that alone may be driven.
    at_most : int, optional
        Driven freedoms of any one joint.
    fixed : mapping of str to int
        Joints of which exactly this many freedoms are driven; the other restrictions do not concern them.
    """

    driven: Collection[str] = ()
    forbid: Collection[str] = ()
    only: Collection[str] = ()
    at_frame: bool = False
    types: Collection[str] = ()
    at_most: int | None = None
    fixed: Mapping[str, int] | None = None


@dataclass(frozen=True)
class Space:
    """The choices of drivers of a mechanism.

    Attributes
    ----------
    mechanism : Mechanism
    balanced : Balance
        The mechanism with its fixed drivers only; idle spins are held, and joints that hold them are not driven.
    low, high : tuple of int
        Driven freedoms of every joint, at least and at most.
    number : int
        Driven freedoms in all.
    """

    mechanism: Mechanism
    balanced: Balance
    low: Choice
    high: Choice
    number: int

    @property
    def size(self) -> int:
        """Number of choices, valid or not."""
        spare = self.number - sum(self.low)
        ways = [1] + [0] * max(spare, 0)
        for least, most in zip(self.low, self.high, strict=True):
            width = most - least + 1
            ways = [sum(ways[max(0, total - width + 1) : total + 1]) for total in range(len(ways))]
        return ways[spare] if spare >= 0 else 0

    def as_drivers(self, choice: Choice) -> dict[str, int]:
        """Driven freedoms of the joints that are driven, by name."""
        return {joint.name: w for joint, w in zip(self.mechanism.joints, choice, strict=True) if w}


def space(
    mechanism: Mechanism,
    restrictions: Restrictions | None = None,
    easing: Easing | None = None,
    given: Undriven | None = None,
) -> Space:
    """Find the choices of driven freedoms of a mechanism: as many as its mobility without the idle spins.

    Parameters
    ----------
    mechanism : Mechanism
        Its drivers do not matter.
    restrictions : Restrictions, optional
    easing : callable, optional
        Of an over-constrained mechanism, whose choices `eased_choices` places.
    given : Undriven, optional
        An over-constrained mechanism by rank, whose choices are those of `choices_by_rank`.

    Raises
    ------
    UnknownNameError, UnknownJointTypeError
        If a restriction names a joint, or type of joint, that does not exist.
    MechanismError
        If more freedoms of a joint are to be driven than it has, or restrictions contradict each other.
    NotDeterminedError
        If there are too many equations without any drivers, or joints do not connect all bodies to the frame.
    """
    limits = restrictions or Restrictions()
    fixed = dict(limits.fixed or {})
    _check_names(mechanism, [*limits.driven, *limits.forbid, *limits.only, *fixed])
    for symbol in limits.types:
        form(symbol, mechanism.dimension)  # raises if there is none
    driven = drive(mechanism, fixed)
    redundancies = tuple(easing(driven)) if easing else ()
    balanced = balance(with_eased(driven, redundancies)) if given is None else _by_rank(given)
    if given is None and ((balanced.shares.excess.any() and not fixed) or unheld(balanced.counts)):
        raise not_determined(replace(mechanism, drivers=()), balanced, redundancies=redundancies)
    eased = {joint.name for redundancy in redundancies for joint in redundancy.eased}
    held = {name for spin in balanced.spins for name in spin.joints}
    low, high = [], []
    for joint, solved_as in zip(mechanism.joints, balanced.solved_as.joints, strict=True):
        freedoms = mechanism.freedoms(joint) if joint.name in eased else balanced.solved_as.freedoms(solved_as)
        most = 0 if joint.name in held else len(freedoms)
        allowed = _allowed(mechanism, joint, limits)
        most = fixed.get(joint.name, min(most, most if limits.at_most is None else limits.at_most) if allowed else 0)
        low.append(fixed.get(joint.name, int(joint.name in limits.driven)))
        high.append(most)
        if low[-1] > most or (fixed.get(joint.name) and joint.name in limits.forbid):
            raise MechanismError(
                f"joint {joint.name!r} is both to be driven and not to be driven; remove one of the restrictions"
            )
    needed = balanced.counts.need * balanced.counts.bodies - int(balanced.counts.equations.sum()) + sum(fixed.values())
    needed = needed if given is None else given.mobility
    return Space(mechanism, balanced, tuple(low), tuple(high), needed)


def _by_rank(given: Undriven) -> Balance:
    """Count the equations of a mechanism of which some repeat others."""
    counts = count(given.cluster.mechanism)
    return Balance(given.cluster.mechanism, given.spins, counts, share(counts))


def drive(mechanism: Mechanism, drivers: Mapping[str, int]) -> Mechanism:
    """Replace the drivers of a mechanism: drive so many first freedoms of each joint, with the laws that they have.

    Raises
    ------
    UnknownNameError, MechanismError
        If there is no such joint, or it has fewer freedoms.
    """
    _check_names(mechanism, list(drivers))
    chosen = []
    for name, number in drivers.items():
        freedoms = mechanism.freedoms(mechanism.joint[name])
        if not 0 <= number <= len(freedoms):
            raise MechanismError(f"{number} freedoms of joint {name!r} are to be driven; it has {len(freedoms)}")
        present = mechanism.driven.get(name, {})
        chosen += [present.get(k, Driver(name, None, freedom.name)) for k, freedom in enumerate(freedoms[:number])]
    return replace(mechanism, drivers=chosen, modes={})


def _check_names(mechanism: Mechanism, names: Collection[str]) -> None:
    for name in names:
        if name not in mechanism.joint:
            raise UnknownNameError(f"there is no joint {name!r}{hint(name, mechanism.joint)}")


def _allowed(mechanism: Mechanism, joint: Joint, limits: Restrictions) -> bool:
    return (
        joint.name not in limits.forbid
        and (not limits.only or joint.name in limits.only)
        and (not limits.types or joint.type in limits.types)
        and (not limits.at_frame or mechanism.frame in joint.bodies)
    )


# --- equations and the bodies that take them -------------------------------------------------


class Placement:
    """Equations assigned to bodies one by one; `given` and `room` change.

    Attributes
    ----------
    given : list of [int, int]
        Equations that every joint gives to its two bodies.
    room : list of int
        Equations that every body can still take.
    """

    def __init__(self, space: Space):
        counts = space.balanced.counts
        self.ends: list[list[int]] = counts.ends.tolist()
        self.joints_of = incidence(counts)
        self.given: list[list[int]] = space.balanced.shares.given.tolist()
        self.room: list[int] = space.balanced.shares.lack.tolist()

    def add(self, joint: int) -> bool:
        """Assign one more equation of a joint by an augmenting path; False, with no change, if no body can take it."""
        came: dict[int, tuple[int, int]] = {}
        waiting = []
        for side, body in enumerate(self.ends[joint]):
            if body >= 0 and body not in came:
                came[body] = (joint, side)
                waiting.append(body)
        for body in waiting:
            if self.room[body]:
                self._hand_on(body, came, joint)
                return True
            for other in self.joints_of[body]:
                a, b = self.ends[other]
                side = 1 if a == body else 0
                near = b if side else a
                if near >= 0 and near not in came and self.given[other][1 - side]:
                    came[near] = (other, side)
                    waiting.append(near)
        return False

    def _hand_on(self, body: int, came: Mapping[int, tuple[int, int]], start: int) -> None:
        self.room[body] -= 1
        while True:
            joint, side = came[body]
            self.given[joint][side] += 1
            if joint == start:
                return
            self.given[joint][1 - side] -= 1
            body = self.ends[joint][1 - side]

    def remove(self, joint: int) -> None:
        """Remove one equation of a joint."""
        side = 0 if self.given[joint][0] else 1
        self.given[joint][side] -= 1
        self.room[self.ends[joint][side]] += 1

    def acceptable(self) -> set[int]:
        """Joints of which one more equation can be assigned: those on bodies that have room or can make it."""
        waiting = [body for body, room in enumerate(self.room) if room]
        bodies, joints = set(waiting), set()
        for body in waiting:
            for joint in self.joints_of[body]:
                joints.add(joint)
                side = 1 if self.ends[joint][0] == body else 0
                near = self.ends[joint][side]
                if near >= 0 and near not in bodies and self.given[joint][side]:
                    bodies.add(near)
                    waiting.append(near)
        return joints


def placed(space: Space, choice: Choice) -> Placement | None:
    """Assign all equations of a choice; None if no body can take one of them."""
    if space.balanced.shares.excess.any():
        return None
    placement, fixed = Placement(space), space.balanced.solved_as.driven
    for joint, (described, w) in enumerate(zip(space.mechanism.joints, choice, strict=True)):
        for _ in range(w - len(fixed.get(described.name, ()))):
            if not placement.add(joint):
                return None
    return placement


# --- examining choices -----------------------------------------------------------------------


def valid_choices(space: Space) -> Iterator[tuple[Choice, Placement]]:
    """All valid choices, the first joints first; the placement of a choice changes with the next one."""
    placement = placed(space, space.low)
    if placement is None or sum(placement.room) != space.number - sum(space.low):
        return
    choice = list(space.low)

    def extend(first: int, missing: int) -> Iterator[tuple[Choice, Placement]]:
        if not missing:
            yield tuple(choice), placement
            return
        for joint in range(first, len(choice)):
            if choice[joint] < space.high[joint] and placement.add(joint):
                choice[joint] += 1
                yield from extend(joint, missing - 1)
                choice[joint] -= 1
                placement.remove(joint)

    yield from extend(0, space.number - sum(space.low))


def eased_choices(space: Space, easing: Easing, budget: int) -> Iterator[tuple[Choice, Space, Placement]]:
    """The valid ones among the first `budget` choices of an over-constrained mechanism.

    Which joints are eased depends on which are driven, so that each choice comes with a space of its own.
    """
    drivers = partial(drive, space.mechanism)
    fixed = drivers({name: len(freedoms) for name, freedoms in space.balanced.solved_as.driven.items()})
    for choice in islice(_choices(space, (), space.number), budget):
        balanced = balance(with_eased(fixed, easing(drivers(space.as_drivers(choice)))))
        eased = replace(space, balanced=balanced)
        placement = placed(eased, choice)
        if placement is not None and not any(placement.room):
            yield choice, eased, placement


def _choices(space: Space, first: Choice, missing: int) -> Iterator[Choice]:
    """All choices that begin with the first ones and drive as many freedoms more, valid or not."""
    if len(first) == len(space.low):
        yield from (first,) * (missing == 0)
        return
    least, most = space.low[len(first)], space.high[len(first)]
    rest = space.low[len(first) + 1 :], space.high[len(first) + 1 :]
    for w in range(max(least, missing - sum(rest[1])), min(most, missing - sum(rest[0])) + 1):
        yield from _choices(space, (*first, w), missing - w)


def best_first(
    space: Space, score: Callable[[Choice, Placement], tuple[float, ...]], budget: int
) -> Iterator[tuple[Choice, Placement]]:
    """At most `budget` valid choices, found from the best so far by moving one driver at a time.

    The best choice has the lowest `score`. The search begins with the drivers of the mechanism, if they are a choice.
    """
    first = _first_choice(space)
    if first is None:
        return
    seen: set[Choice] = set()
    waiting: list[tuple[tuple[float, ...], Choice]] = []

    def add(choice: Choice, placement: Placement) -> None:
        seen.add(choice)
        heapq.heappush(waiting, (score(choice, placement), choice))

    add(*first)
    yield first
    while waiting and len(seen) < budget:
        _, choice = heapq.heappop(waiting)
        for changed, placement in _neighbors(space, choice):
            if changed not in seen:
                add(changed, placement)
                yield changed, placement
                if len(seen) == budget:
                    return


def _first_choice(space: Space) -> tuple[Choice, Placement] | None:
    declared = tuple(len(space.mechanism.driven.get(joint.name, ())) for joint in space.mechanism.joints)
    inside = all(a <= w <= b for a, w, b in zip(space.low, declared, space.high, strict=True))
    if inside and sum(declared) == space.number:
        placement = placed(space, declared)
        if placement is not None:
            return declared, placement
    placement, choice = placed(space, space.low), list(space.low)
    if placement is None or sum(placement.room) != space.number - sum(space.low):
        return None
    for joint, most in enumerate(space.high):
        while choice[joint] < most and placement.add(joint):
            choice[joint] += 1
    return (tuple(choice), placement) if sum(choice) == space.number else None


def _neighbors(space: Space, choice: Choice) -> Iterator[tuple[Choice, Placement]]:
    placement = placed(space, choice)
    if placement is None:
        return
    for joint, w in enumerate(choice):
        if w == space.low[joint]:
            continue
        placement.remove(joint)
        for other in sorted(placement.acceptable()):
            if other != joint and choice[other] < space.high[other]:
                placement.add(other)
                changed = list(choice)
                changed[joint] -= 1
                changed[other] += 1
                yield tuple(changed), placement
                placement.remove(other)
        placement.add(joint)


def outline(space: Space, choice: Choice, placement: Placement) -> Outline:
    """The groups that a valid choice leads to, in solving order."""
    members, levels = _order(placement) if len(placement.room) <= SMALL else _order_of_many(space, placement)
    return _outlined(space, choice, members, levels)


def choices_by_rank(space: Space, given: Undriven, budget: int) -> Iterator[tuple[Choice, Outline]]:
    """The valid ones among the first `budget` choices of an over-constrained mechanism, and their groups."""
    for choice in islice(_choices(space, (), space.number), budget):
        chosen = space.as_drivers(choice)
        found = driven_groups(given, drive(given.cluster.mechanism, chosen), chosen)
        if found is not None:
            yield choice, _outlined(space, choice, tuple(found[0]), tuple(levels_of(found[1])))


def _outlined(space: Space, choice: Choice, members: Members, levels: tuple[int, ...]) -> Outline:
    """Describe groups in solving order."""
    position = [(-1, -1)] * (space.balanced.counts.bodies + 1)  # the last is the frame's
    for number, bodies in enumerate(members):
        for k, body in enumerate(bodies):
            position[body] = (number, k)
    joints: list[list[int]] = [[] for _ in members]
    edges: list[list[tuple[int, int, str]]] = [[] for _ in members]
    for joint, ((a, b), w) in enumerate(zip(space.balanced.counts.ends.tolist(), choice, strict=True)):
        (first, i), (second, j) = position[a], position[b]
        late = max(first, second)
        joints[late].append(joint)
        code = joint_code(space.balanced.solved_as.joints[joint].type, range(w))
        edges[late].append((i if first == late else -1, j if second == late else -1, code))
    dimension = space.mechanism.dimension
    graphs = [
        GroupGraph(dimension, len(bodies), tuple(sorted(held_by)))
        for bodies, held_by in zip(members, edges, strict=True)
    ]
    return Outline(members, levels, tuple(map(tuple, joints)), tuple(graphs))


def _order(placement: Placement) -> tuple[Members, tuple[int, ...]]:
    """Groups in solving order and their levels, from sets of bodies as bits."""
    depends = [1 << body for body in range(len(placement.room))]
    for (a, b), given in zip(placement.ends, placement.given, strict=True):
        if a >= 0 and b >= 0:
            if given[0]:
                depends[a] |= 1 << b
            if given[1]:
                depends[b] |= 1 << a
    return order_of(depends)


def _order_of_many(space: Space, placement: Placement) -> tuple[Members, tuple[int, ...]]:
    """The same result as `_order`, by the decomposition of large mechanisms."""
    given, bodies = np.array(placement.given, np.int32), len(placement.room)
    counts = replace(space.balanced.counts, equations=given.sum(axis=1, dtype=np.int32))
    shares = Shares(given, np.zeros(len(given), np.int32), np.zeros(bodies, np.int32))
    members, before = solving_order(counts, shares)
    return tuple(members), tuple(levels_of(before))
