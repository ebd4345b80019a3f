"""The scheme of a group of joints: all that its instruction lists depend on, as plain data.

Groups of one kind have the same scheme, and so share what is written of them; in rows and constants they differ
(`sglibrary.iterative.tables`). Frames are numbered, solved bodies first, then moves; moves of rods come after those of
the tree (`sglibrary.straight.rods`). The frame of a solved body is at a joint of the group, and all frames are placed
relative to where that of the first solved body is: so numbers are no larger than the group, however far from the origin
it is. The constants are, one after another,

========= =======================================================================================
group     size of the mechanism, m; what joints may be open
solved    point in the frame (3), directions in the frame (9)
moves     fixed turn (9) and shift (3) before it, factor of the driver
equations vector (3), vector (3), vector (3), value
bodies    point in the frame (3), directions in the frame (9)
rods      tip in its last frame (3), other end (3), side
couplings factors (n) and offsets (n) of the moves' values, factor of the equation; of a table, a spline: its number of
          pieces, 1 if it is closed, its breaks, and four coefficients for each piece in rising powers
========= =======================================================================================
"""

from typing import NamedTuple


class Move(NamedTuple):
    """A move.

    Attributes
    ----------
    frame : int
        The frame it starts from.
    kind, axis : int
    unknown, driver, variable : int
        Its first unknown, driver and first variable by their numbers, each or -1.
    factor : int
        Where the factor of the driver is in the constants.
    """

    frame: int
    kind: int
    axis: int
    unknown: int
    driver: int
    variable: int
    factor: int


class Coupling(NamedTuple):
    """A formula, table or function of moves.

    Attributes
    ----------
    moves : tuple of int
    constants : int
        Where its constants begin.
    given : int
        Of a table or function: how many rows of working memory are before its own.
    text : str
        The instruction list of a formula, which reads the values of its coordinates as rows of working memory.
    """

    moves: tuple[int, ...]
    constants: int
    given: int
    text: str


class Equation(NamedTuple):
    """An equation: its kind, two frames, or of LINEAR moves, and the move of a telescope, or -1."""

    kind: int
    first: int
    second: int
    move: int
    coupling: Coupling | None


class Rod(NamedTuple):
    """A rod: its first move, rotations, moves, and the frame of the other end."""

    first: int
    axes: int
    moves: int
    frame: int


class Scheme(NamedTuple):
    """A group of joints.

    Attributes
    ----------
    dimension : int
    counts : (5,) tuple of int
        What `sglibrary.straight.places` takes.
    still : tuple of bool
        Which of the points and directions that are read never change, so that their rates are 0.
    moves : tuple of Move
    equations : tuple of Equation
    bodies : tuple of int
        The frame of each body that is placed.
    rods : tuple of Rod
    least_squares : bool
        Whether more equations than unknowns are solved by least squares, as they agree to few digits only.
    """

    dimension: int
    counts: tuple[int, int, int, int, int]
    still: tuple[bool, ...]
    moves: tuple[Move, ...]
    equations: tuple[Equation, ...]
    bodies: tuple[int, ...]
    rods: tuple[Rod, ...]
    least_squares: bool


def pose_vectors(dimension: int) -> int:
    """Vectors of the pose of a body: its point, and as many directions as it has axes that move."""
    return 4 if dimension == 3 else 2
