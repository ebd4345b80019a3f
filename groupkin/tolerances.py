"""Tolerances: what counts as zero, equal, closed or singular, and the steps of numerical differences.

Lengths are relative to the size of the mechanism (`Geometry.size`) and angles are in rad unless a note says otherwise.
`docs/accuracy.md` says what accuracy follows. Kernels have a table of their own, `sglibrary.tolerances`.
"""

from __future__ import annotations

# --- rounding errors -------------------------------------------------------------------------

ROUNDING = 1e-12
"""Difference that counts as rounding, relative to the largest number compared: thousands of roundings of 2e-16."""

SAME_VECTOR = 1e-15
"""Difference of two points or directions of a body that share rows of the state: a few roundings."""

SAME_TWIST = 1e-13
"""Change of a line, turned and shifted by a move, up to which the move leaves it where it is."""

SAME_LINE = 1e-9
"""Difference of directions, or distance of points, of lines that coincide at all sampled times."""

FORCE_ROUNDING = 1e-14
"""Force that counts as rounding, relative to the largest: what closed forms leave."""

NO_FORCE = 1e-9
"""Force that counts as zero, relative to the largest: what groups solved by Newton's method leave."""

WARNED_FORCE = 1e-6
"""Smallest tangential force (N) on the idle flanks of gears that a warning names."""

PERIOD_ROUNDING = 1e-13
"""Gap of a period that counts as rounding, relative to the largest value, where the values hardly change."""

LIGHT = 1e-14
"""Smallest reduced mass that can be accelerated, relative to the largest and to the mass and inertia of all bodies.

It is the square of 1e-7, the distance of a mass from its axis that may be a rounding error of the geometry.
"""

SHORTEST_TIME_STEP = 1e-15
"""Shortest step of an integration, relative to the times: their rounding, as in the compiled methods."""

COSTS = 1e-9
"""Difference of the costs of two routes, relative to them, that makes none better."""

SAME_TIME = 1e-9
"""Difference of two times, or heights of a diagram, that are the same, relative to the largest."""

SHORTEST_RISE = 1e-12
"""Shortest duration of a rise (s): powers of it stay finite."""

ON_RANGE = 1e-9
"""By how much a quantity may pass the end of its range: sizes of the mechanism, rad, or relative to the larger end."""

ON_END = 1e-11
"""Distance from the end of the range of a stop, as of `ON_RANGE`, at which a step of a simulation ends on it: more than
the errors of positions by Newton's method."""

ON_STOP = 1e-6
"""Slack of a range, relative to the size or rad, up to which the boundary of a workspace is at its end."""

FLAT_PART = 1e-6
"""Distance of a boundary from the middle of a part of it, relative to its extent, up to which the part lies on it."""

SMALLEST_SHARE = 1e-6
"""Smallest share of a phase of a rise in its duration."""

LEAST_SQUARES = 1e-15
"""Relative change of a residual, its gradient or the unknowns at which least squares of lengths end."""

EXACT_FIT = 1e-10
"""Error of a fit, relative to the sum of squares of the targets, that is rounding: the design meets its targets."""

# --- geometry as it is given -----------------------------------------------------------------

CLOSED_JOINT = 1e-8
"""Gap up to which a joint counts as closed in the given points: geometry is often written with no more digits."""

COINCIDENT = 1e-9
"""Distance up to which a point lies on another point or on a curve."""

CAM_CURVE = 1e-13
"""Distance of the curve of a cam from its exact profile, relative to the base circle: 1e-11 of usual strokes."""

CROWDED = 1e-8
"""Extent of all joints, relative to that of all points, up to which the mechanism is stated in one point."""

POINT_ROUNDING = 1e-9
"""Distance (m) of a point from a joint that may be a rounding error of the same point."""

PARALLEL = 1e-9
"""Sine of the angle between two axes up to which they count as parallel, or its complement as a right angle."""

ON_AXIS = 1e-5
"""Distance of a point from an axis up to which the axis passes through it, relative to that of the axis's points."""

LENGTHS_MET = 1e-12
"""Difference of a body's length from the given one, relative to the largest length of the body."""

LENGTHS_SETTLED = 1e-14
"""Residual of a body's lengths, relative to the largest, at which their iteration ends."""

LINEAR = 1e-9
"""Deviation from a linear function (rad or relative) that the rounding of points explains."""

FRACTION = 1e-9
"""Difference of a ratio of gears from a fraction that the rounding of radii explains."""

MESHED = 1e-7
"""Deviation (rad) of two angles from the relation of their gears; 1 of 300,000 wrong readings deviates less."""

GIMBAL = 1e-4
"""Cosine of the middle one of three rotations at which only the sum of the other two is known."""

INERTIA_ROUNDING = 1e-6
"""Violation of the conditions on inertia tensors, relative to the largest moment, that rounding of input explains."""

MOST_MISFIT = 1e-2
"""Largest misfit that a mechanism may state."""

WRONG_DERIVATIVE = 1e-5
"""Difference of a function's derivative from central differences, relative to the largest derivative."""

SHORT_VECTOR = 1e-6
"""Length of a vector between points of a body that is no base vector of the global formulation."""

# --- rank and mobility -----------------------------------------------------------------------

RANK = 1e-8
"""Singular value that counts as zero, relative to the largest: geometry given with eight digits passes."""

NOT_ROUNDING = 1e-14
"""Singular value, relative to the largest, that is no rounding error although it counts as zero."""

LEVER_ROUNDING = 1e-7
"""Length of a lever, relative to the coordinates it is the difference of, that may be rounding.

With `RANK`, its errors are those of these coordinates, 1e-15.
"""

TAKES_PART = 1e-6
"""Share of a unit twist, stress or motion above which a body or joint takes part; axes often have no more digits."""

UNKNOWN_RANK = 1e-15
"""Conditioning at random dimensions below which the rank is unknown: rounding is as large in long chains."""

ZERO = 1e-9
"""Singular value at a position, relative to the largest, that counts as zero."""

NOT_ZERO = 1e-6
"""Singular value at a position, relative to the largest, that does not count as zero; in between it is unclear."""

FELT = 1e-7
"""Change of a leftover row by a unit change of an unknown, from which on the row depends on it."""

DEPENDENT_DRIVERS = 1e-3
"""Singular value of the rates of drivers, relative to the largest, up to which they depend on each other.

Closer to a singular position no position with other driver values is found.
"""

CLOSED_WAY = 1e-10
"""Gap of joints on a finite motion: Newton's method converges quadratically, so what closes at all falls below it."""

# --- solutions, branches and modes -----------------------------------------------------------

NO_COEFFICIENT = 1e-14
"""Coefficient of the equations of the global formulation that is a rounding error."""

AGREED_POSITION = 1e-9
"""Difference of positions from those of the global formulation with which a motion is right."""

AGREED_RATE = 1e-7
"""Difference of velocities and accelerations, relative to their largest, with which a motion is right."""

SAME_POSE = 1e-6
"""Difference of two poses of a mechanism that are the same: at singular positions iterations end 1e-8 apart."""

SAME_ANGLE = 1e-6
"""Difference (rad) of an angle in two motions that agree: near singular positions rounding errors grow."""

REAL_SOLUTION = 1e-8
"""Gap of joints with which a solution is real: products of vectors do not tell an axis from its opposite."""

CLOSED_CURVE = 1e-9
"""Residual of equations on a curve of configurations: least squares converge quadratically to below it."""

CURVE_ROUNDING = 1e-14
"""Correction on a curve of configurations that is rounding."""

SHORTEST_CURVE_STEP = 1e-7
"""Shortest step along a curve of configurations."""

CROSSED = 1e-6
"""Singular value that is not zero, and shortest step, beside a crossing of curves of configurations.

Curves that pass each other closer, as where lengths differ by its square, count as crossing.
"""

STILL = 1e-9
"""Rate by the driver that counts as zero: component of a unit tangent, or change of a distance by rad or size."""

FLAT_EQUATION = 1e-6
"""Gradient (unit vectors, lengths) below which an equation is flat and is left out."""

CLOSED_COUPLING = 1e-11
"""Residual of couplings, rad or lengths, in the global formulation."""

SHORTEST_PIECE = 1e-9
"""Shortest piece of a motion between two times that is tried, relative to the whole time."""

ROOT_PLACE = 1e-13
"""Accuracy of the place of a limit along a step of a curve of configurations."""

RESOLVED_SERIES = 1e-10
"""Last coefficients of a Chebyshev series, relative to the function's scale, that count as zero."""

FLAT_FUNCTION = 1e-9
"""Values, relative to the function's scale, that are zero on a whole piece."""

SHORT_ROD = 1e-6
"""Length of a rod, relative to the group, up to which it is not left out: it would fit twice wherever it fits."""

# --- equilibria, vibrations and forces -------------------------------------------------------

ACTUATORS_SINGULAR = 1e-12
"""Singular value at which actuators cannot hold the mechanism, relative to the largest and to a driver's own."""

CLEAR_PIVOT = 1e-9
"""Ratio of the smallest pivot to the largest down to which actuators need no singular values."""

FRICTION_SETTLED = 1e-9
"""Change of friction, relative to the largest normal force, that rounding may leave in the last round."""

FINEST_SHARE = 1e-6
"""Step in the share of friction below which the mechanism jams."""

NO_STRESS = 1e-7
"""Share of a unit self-stress that counts as zero: repeated rows of a solved position deviate less."""

INDEPENDENT_STRESS = 1e-9
"""Squared length, relative to the largest, from which on a combination of self-stresses is independent."""

CLOSED_PERIOD = 1e-6
"""Gap between the last and the first value of a period, relative to their range."""

REACHED_PERIOD = 1e-8
"""Gap of a periodic motion between its start and end (rad, lengths, and per second of the fastest rate)."""

UNCHANGED = 1e-6
"""Singular value, relative to the largest, of directions along which a periodic motion is not corrected."""

CLOSED_AT_REST = 1e-6
"""Residual of joints at an equilibrium; that of a wrong branch of their coordinates is far larger."""

BALANCED = 1e-9
"""Forces left at an equilibrium, relative to stiffness times rad or size; in steady motion also to inertia forces."""

BALANCED_START = 1e-12
"""Force, relative to stiffness times rad or size, with which a start is an equilibrium already."""

LAST_DESCENT = 1e-9
"""Step at which the way downhill ends: energies differ by roundings only."""

SAME_EQUATIONS = 1e-6
"""Difference of the equations at two places of a steady motion, relative to the largest coefficient of each."""

NEUTRAL = 1e-7
"""Pole that is zero, relative to the largest: a steady motion at another speed."""

ENERGY_RTOL = 1e-6
"""Relative tolerance of the energy balance where steps have a fixed length."""

TABLE_END = 1e-6
"""Distance from the end of a table of forces, relative to its length, that is at the end."""

LEAST_PROGRESS = 1e-6
"""Share of the whole time by which a simulation must advance within 10,000 steps."""

# --- tolerances of simulations ---------------------------------------------------------------

TIGHTEST_RTOL = 1e-13
"""Smallest relative tolerance of a simulation."""

RTOL = 1e-8
"""Relative tolerance of a simulation by default."""

PERIODIC_RTOL = 1e-11
"""Relative tolerance of the simulations within the search for a periodic motion, by default."""

# --- robot models ----------------------------------------------------------------------------

CLOSED_MODEL = 1e-10
"""Gap of a loop, relative to the size, or rad, up to which a model counts as closed: below `REPEATED_JOINT`."""

FREE_RANK = 1e-10
"""Singular value of the equations of loops, relative to the largest, below which an equation repeats others."""

FREE_SHARE = 1e-6
"""Share of a coordinate's rates that must be independent of those chosen before for it to be free as well."""

LEAST_MASS = 1e-6
"""Mass (kg) that massless bodies get in MJCF, as MuJoCo moves none without: small against that of any machine."""

LEAST_INERTIA = 1e-9
"""Smallest moment of inertia (kg m²) of bodies in MJCF of a mechanism with a size of one meter."""

POLYNOMIAL = 1e-12
"""Difference of a coupling from a polynomial, relative to its values, up to which it is one."""

# --- designs ---------------------------------------------------------------------------------

SAME_MOTION = 1e-6
"""Difference of bodies' points, after a small motion of the drivers, with which two mechanisms move alike."""

BETTER = 1e-6
"""Share by which a search step must improve a design for another to be taken."""

LEAST_DAMPING = 1e-9
"""Smallest damping of a search, relative to that which `DAMPED` defines."""

# --- steps of numerical differences ----------------------------------------------------------

CENTRAL_STEP = 1e-5
"""Step of central differences (rad, lengths; of rates, relative to the fastest): its square is near roundings."""

DESIGN_STEP = 6e-6
"""Step of central differences by dimensions, relative to the size or one: the cube root of roundings."""

FORWARD_STEP = 1e-6
"""Step of differences of given functions and driven freedoms, relative to their argument's unit."""

EDGE_STEP = 1e-7
"""Step of one-sided differences by unknowns of a search, relative to their range."""

ASIDE = 1e-5
"""Distance from nominal dimensions, relative to the size, at which nothing coincides by chance."""
