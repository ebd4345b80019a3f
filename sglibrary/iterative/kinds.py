"""Codes of the moves and equations in the tables of a group, for those who write the tables and for the kernels."""

ROTATION, TRANSLATION, BALL, MIDDLE, CURVE = 0, 1, 2, 3, 4
"""Kinds of moves. MIDDLE is the second of three rotations about x, y, z, which must stay within a quarter turn; CURVE
leads along a curve in the plane of the frame it starts from, and turns with the tangent."""

COINCIDE, DOT, OFFSET, DISTANCE, LINEAR, TELESCOPE, FORMULA, TABLE, FUNCTION = 0, 1, 2, 3, 4, 5, 6, 7, 8
"""Kinds of equations (`sglibrary.straight.equations`)."""

BETWEEN_MOVES = frozenset((LINEAR, FORMULA, TABLE, FUNCTION))
"""Kinds of equations that relate moves, and no points and directions of frames."""

AT_DISTANCE, IN_PLANE = 0, 1
"""Kinds of equations of a hub: a point of it stays at a distance of a solved point, or in a plane of a solved body."""

RPR, UPS, CPS = 0, 1, 2
"""Kinds of legs of a hub, by the closed forms that place them."""
