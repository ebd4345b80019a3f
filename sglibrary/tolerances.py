"""Tolerances of kernels: what counts as zero, equal, closed or singular, and the steps of numerical differences.

Lengths are relative to the size of the mechanism and angles are in rad unless a note says otherwise. `docs/accuracy.md`
says what accuracy follows. The analysis around the kernels has a table of its own, `groupkin.tolerances`.
"""

# --- geometry --------------------------------------------------------------------------------

SHORTEST_ARM = 2e-6
"""Length below which two points define no direction: eight roundings of coordinates over it exceed 1e-9."""

DEGENERATE = 1e-9
"""Sine of the angle up to which two directions are parallel, and define no normal."""

ALIKE_AXES = 1e-10
"""Sine of the angle between axes that are parallel in the catalog's special cases, and distance of axes that meet."""

OFF_AXIS = 1e-2
"""Smallest distance of a point that is off an axis, and sine of the angle of axes that meet, in the same cases."""

SAME_PLACE = 1e-6
"""Distance of two points of a curve, in its longest pieces, that are the same contact."""

CURVE_ROUNDING = 2e-16
"""Correction of the parameter of a curve, relative to its interval, at which the nearest point is found."""

CONTACT_ROUNDING = 1e-15
"""Correction of the parameter of a curve, relative to its longest piece, at which a contact is found."""

PIECE_SLACK = 1e-12
"""Overlap of two pieces of a curve, relative to its length: rounding must not leave a place between them."""

SMALL_ANGLE = 1e-12
"""Angle below which sin(x / 2) / x is 1/2."""

# --- Newton's method for groups --------------------------------------------------------------

SINGULAR_BELOW = 1e-6
"""Conditioning (1 at best, 0 at a singular position) below which velocities are not computed.

At a dead center it is the square root of rounding errors, 1e-7 at most; velocities have the error of rounding over
its square.
"""

CLOSED = 1e-9
"""Residual up to which the equations of a redundant joint hold."""

POSITION_STEP = 2e-12
"""Last step that is left out at a position: the error of positions, and through them of rates."""

POSITION_NEAR = 3e-7
"""Step whose square is about `POSITION_STEP`: the next evaluation is the last, and computes the rates too."""

STEP_ROUNDING = 4e-15
"""Last step of a single position, times its conditioning, that is rounding: it grows toward singular positions."""

FIXED = 1e-10
"""Change of each unknown up to which an iteration stands still, whether or not all equations hold there."""

KNOT_STEP = 1e-7
"""Last step that is left out at a continuation point; positions between such points are iterated further."""

KNOT_NEAR = 1e-4
"""Step whose square is below `KNOT_STEP`."""

DECIDED_STEP = 1e-11
"""Last step that is left out where the iteration decides if a group can be assembled."""

DECIDED_NEAR = 1e-6
"""Step whose square is below `DECIDED_STEP`, and that shows no lack of contraction."""

STANDS_STILL = 1e-8
"""Step that may be the last if the next is no shorter: rounding near a singular position."""

BLURRED = 1e-6
"""Steps that do not become shorter: rounding over a Jacobian that is singular."""

SETTLED_VALUES = 1e-2
"""Relative change of the squared extreme singular values at which their iteration ends."""

NO_PIVOT = 1e-13
"""Length of what elimination leaves of a vector, relative to the vector, that is rounding."""

# --- following a path ------------------------------------------------------------------------

SMOOTH_MIDDLE = 1e-3
"""Deviation in the middle between two continuation points with which following is accepted: smooth motions have a
tenth."""

LOST_SOON = 1e-4
"""Distance of continuation points, as a share of the path, below which a group may soon be lost."""

SHORTEST_SHARE = 1e-9
"""Shortest distance of continuation points or columns, as a share of the path: where it is too far, a group is lost."""

SAME_KNOT = 1e-6
"""Distance of two continuation points that are one, relative to the step."""

LEAST_ERROR = 1e-12
"""Error of a step along a path that is taken for the length of the next one if the error is smaller."""

# --- the global formulation ------------------------------------------------------------------

CONVERGED = 1e-13
"""Residual (unit vectors, lengths) at which the iteration ends."""

STAGNATED = 1e-9
"""Residual that counts as converged when it no longer falls."""

CONTRADICTED = 1e-7
"""Residual of equations that depend on others in the reference configuration from which on they contradict them."""

PIVOT = 1e-13
"""Smallest pivot; a smaller one means a singular position."""

# --- simulation ------------------------------------------------------------------------------

ENERGY_LOST = 1e-3
"""Error of the energy balance, relative to the energy moved, with which a simulation is wrong; `SUSPECT` tenfold if
that is more."""

ENERGY_ROUNDING = 1e-15
"""Rounding error of kinetic and potential energy, relative to them."""

JACOBIAN_STEP = 6e-6
"""Step of central differences in the units of a coordinate: near the cube root of roundings."""

TIME_STEP_SHARE = 1e-3
"""Step of central differences by time, as a share of the integration step."""

SHORTEST_TIME_STEP = 1e-15
"""Shortest step of an integration, relative to the times: their rounding."""
