"""The header of an exported mechanism, and its source but for the groups: tables and what reads them."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from groupkin.export.c_names import comment, enumeration, identifiers, number, table, text
from groupkin.export.joint_values import driver_names
from groupkin.export.models import Memory, SharedModel
from groupkin.kinematics.program.program import Pose
from sglibrary.array_types import Array
from sglibrary.code.c_source import c_functions
from sglibrary.code.llvm import LANES
from sglibrary.exported.entries import FLAGS, INTEGERS, NUMBERS, OWN_NUMBERS
from sglibrary.run.step_loop import LARGEST
from sglibrary.status import MEANING

FUNCTIONS = """\
/* Set a model to the reference configuration. Models hold all that changes: they may be copied, as memory too, and used
   by several threads at once, each by one at a time. No function allocates memory. */
GK_API void gk_init(gk_model *model);

/* Solve all groups at values of the drivers (rad, m), with rates and accelerations, or NULL for zeros. Returns 0, or
   the status of the first group that is not solved, enum gk_status: its bodies, and those that depend on it, are
   NaN. */
GK_API int gk_evaluate(gk_model *model, const double *values, const double *rates, const double *accelerations);

/* Status of a group, counted from 0, and its conditioning: 1 at best, 0 at a singular position. */
GK_API int gk_group_status(const gk_model *model, int group);
GK_API double gk_group_conditioning(const gk_model *model, int group);

/* Coordinates of all joints at values of the drivers (rad, m); returns as gk_evaluate. Whole turns of angles are those
   nearest to the call before, of driven ones to the driver. */
GK_API int gk_joints(gk_model *model, const double *driven, double *all);

/* Rates of the same at the state, which was evaluated with rates of the drivers. */
GK_API void gk_joint_rates(gk_model *model, double *rates);

/* Of a body: position of its origin (m) and rotation by rows; velocities (m/s, rad/s), accelerations. Global
   components; local ones are global in the reference configuration. In the plane the third component is out of it. */
GK_API void gk_pose(const gk_model *model, int body, double position[3], double rotation[9]);
GK_API void gk_twist(const gk_model *model, int body, double velocity[3], double angular[3]);
GK_API void gk_acceleration(const gk_model *model, int body, double acceleration[3], double angular[3]);

/* Position of a named point (m), or its first or second derivative by time. */
GK_API void gk_point(const gk_model *model, int point, int order, double position[3]);

/* Rates of all coordinates of joints by those of the drivers (GK_COORDINATES rows, GK_DRIVERS columns), and of a body's
   velocity and angular velocity (6 rows), at the state of a model. Another is overwritten. Return as gk_evaluate. */
GK_API int gk_jacobian(const gk_model *model, gk_model *work, double *jacobian);
GK_API int gk_body_jacobian(const gk_model *model, gk_model *work, int body, double *jacobian);

/* Names of what is counted by the enumerations above. */
GK_API const char *gk_driver_name(int driver);
GK_API const char *gk_coordinate_name(int coordinate);
GK_API const char *gk_body_name(int body);
GK_API const char *gk_point_name(int point);
"""


def _names(shared: SharedModel) -> dict[str, list[str]]:
    """Names of what is counted, by what it is."""
    return {
        "driver": list(driver_names(shared.program)),
        "coordinate": list(shared.joints.names),
        "body": list(shared.program.poses),
        "point": list(shared.program.geometry.points),
    }


DYNAMICS = """\
/* The equations of motion M z'' = F with all drivers free: z are their values (rad, m), time (s) is what forces depend
   on. Springs, dampers, gravity and all other forces of the mechanism act; what drives it does not. */
typedef struct gk_dynamics {{
    double numbers[{numbers}];
    unsigned char codes[{codes}];
}} gk_dynamics;

/* Set to the reference configuration, from which groups by Newton's method are followed. */
GK_API void gk_init_dynamics(gk_dynamics *dynamics);

/* M (GK_DRIVERS rows and columns), the reduced masses, and F. Returns 0, or the status of a group not solved. */
GK_API int gk_equations(gk_dynamics *dynamics, double time, const double *values, const double *rates, double *mass,
    double *force);

/* z'', the right-hand side of the motion under these forces; NaN where a group is not solved, or no mass moves. */
GK_API int gk_free_accelerations(gk_dynamics *dynamics, double time, const double *values, const double *rates,
    double *accelerations);

/* Torques and forces M z'' - F that drivers exert for accelerations. */
GK_API int gk_driving_forces(gk_dynamics *dynamics, double time, const double *values, const double *rates,
    const double *accelerations, double *forces);
"""


def dynamics_header(equations: Memory) -> str:
    """Declare what belongs to the equations of motion."""
    return DYNAMICS.format(numbers=equations.numbers, codes=max(equations.codes, 1))


def dynamics_source(equations: Memory) -> str:
    """Define it, around the call of its entry."""
    own, places = equations.memories[OWN_NUMBERS], equations.places
    begin = [f"{{{k}, {number(own[k])}}}" for k in np.flatnonzero(own != 0.0).tolist()]
    names = ("times", "y", "out", "mass", "force")
    return "\n".join(
        [
            f"enum {{ {', '.join(f'OF_{name.upper()} = {places[name]}' for name in names)} }};",
            table("struct { int at; double value; }", "begin_dynamics", begin or ["{0, 0.0}"]),
            (Path(__file__).parent / "dynamics.c").read_text(encoding="utf-8"),
        ]
    )


def header(shared: SharedModel, more: str = "") -> str:
    """Write the header of a mechanism."""
    from groupkin import __version__

    program, names = shared.program, _names(shared)
    prefixes = {"driver": "GK_DRIVER", "coordinate": "GK_JOINT", "body": "GK_BODY", "point": "GK_POINT"}
    lists = "\n".join(
        f"enum gk_{kind} {{\n{enumeration(identifiers(prefixes[kind], each), each)}\n}};\n"
        for kind, each in names.items()
        if each
    )
    status = "".join(f"    {name} = {code}, /* {MEANING[code]} */\n" for name, code in STATUS.items())
    counts = zip(("DRIVERS", "COORDINATES", "BODIES", "POINTS"), map(len, names.values()), strict=True)
    sizes = ", ".join(f"GK_{name} = {count}" for name, count in (*counts, ("GROUPS", shared.memory.codes)))
    return f"""\
/* {comment(program.mechanism.name)}, solved by structural groups. Written by groupkin {__version__}. */
#ifndef GK_MODEL_H
#define GK_MODEL_H

#ifdef __cplusplus
extern "C" {{
#endif

#ifndef GK_API
#define GK_API
#endif

enum {{ {sizes} }};

{lists}
enum gk_status {{
{status}}};

/* A mechanism in some position: its state, and what it was reached from. */
typedef struct gk_model {{
    double numbers[{max(shared.memory.numbers, 1)}];
    double joints[{max(len(names["coordinate"]), 1)}];
    unsigned char codes[{max(shared.memory.codes, 1)}];
}} gk_model;

{FUNCTIONS}
{more}#ifdef __cplusplus
}}
#endif
#endif
"""


STATUS = {
    "GK_SOLVED": 0,
    "GK_CANNOT_ASSEMBLE": 1,
    "GK_SINGULAR": 2,
    "GK_NOT_CONVERGED": 3,
    "GK_NO_INPUT": 4,
    "GK_JOINT_OPEN": 6,
}
"""Names of the codes of `sglibrary.status` in C."""


def tables(shared: SharedModel) -> str:
    """Write what `runtime.c` reads of a mechanism."""
    program, places = shared.program, shared.memory.places
    d, mechanism = program.mechanism.dimension, program.geometry
    own = shared.memory.memories[OWN_NUMBERS]
    begin = [f"{{{k}, {number(own[k])}}}" for k in np.flatnonzero(own != 0.0).tolist()]
    numbered = {body: k for k, body in enumerate(program.poses)}
    poses = [_pose(pose, mechanism.origins[body], d) for body, pose in program.poses.items()]
    points = [
        f"{{{numbered[body]}, {_vector(_shift(program.poses[body], local))}}}"
        for body, local in mechanism.points.values()
    ]
    coordinates = [f"{{{number(x.reference)}, {number(x.period)}, {x.driver}}}" for x in shared.joints.coordinates]
    constants = {
        "DIMENSION": d,
        "LANES": LANES,
        "LARGEST": number(LARGEST),
        "VALUES": places["values"],
        "Q": places["q"],
        "V": places["v"],
        "A": places["a"],
        "CONDITIONING": places["conditioning"],
        "READ": places["q"] + LANES * program.rows,
    }
    names = _names(shared)
    return "\n".join(
        [
            f"enum {{ {', '.join(f'{name} = {value}' for name, value in constants.items() if name != 'LARGEST')} }};",
            f"#define LARGEST {constants['LARGEST']}",
            table("struct { int at; double value; }", "begin", begin or ["{0, 0.0}"]),
            table("double", "limits", [*map(number, shared.limits), "0.0"]),
            table("struct { double reference, period; int driver; }", "coordinates", [*coordinates, "{0.0, 0.0, -1}"]),
            table("struct { int point, vectors[3]; double origin[3], directions[3][3]; }", "poses", poses),
            table("struct { int body; double shift[3]; }", "points", [*points, "{0, {0.0, 0.0, 0.0}}"]),
            *(table("char *const", f"{kind}_names", [*map(text, each), '""']) for kind, each in names.items()),
            "",
        ]
    )


def _shift(pose: Pose, local: Array) -> Array:
    """A point of a body from that of its pose, along its directions."""
    return np.asarray(pose.directions.T @ (np.asarray(local) - pose.origin))


def _vector(x: Array) -> str:
    return "{" + ", ".join(map(number, [*x.tolist(), 0.0][:3])) + "}"


def _pose(pose: Pose, origin: Array, dimension: int) -> str:
    directions = np.eye(3)
    directions[:dimension, :dimension] = pose.directions
    vectors = ", ".join(map(str, (*pose.vectors, 0, 0)[:3]))
    rows = ", ".join(map(_vector, directions))
    return f"{{{pose.point}, {{{vectors}}}, {_vector(_shift(pose, origin))}, {{{rows}}}}}"


def runtime() -> str:
    """What is the same in the source of all mechanisms."""
    return (Path(__file__).parent / "runtime.c").read_text(encoding="utf-8")


def source(shared: SharedModel, name: str, groups: str, more: str = "") -> str:
    """Write the source of a mechanism, but for its header `name`; `groups` defines ``solve``, more comes at the end."""
    listed = shared.joints.listed
    return f"""\
#if defined(_WIN32)
#define GK_API __declspec(dllexport)
#elif defined(__GNUC__)
#define GK_API __attribute__((visibility("default")))
#endif

#include "{name}"

#include <math.h>
#include <stdint.h>
#include <string.h>

{tables(shared)}
{groups}
{table("int64_t", "read_rows", [*(str(row) for _, row in listed.rows), "0"])}
{table("double", "read_constants", [*map(number, listed.constants), "0.0"])}
static {c_functions({"read_list": listed.text})}
static void read(gk_model *m)
{{
    double *x = m->numbers;
    read_list(x + Q, x + V, x + A, NULL, read_rows, read_constants, LANES, 0, 0, 1);
}}

{runtime()}
{more}"""


def compiled_entry(memory: Memory, entry: str, kernels: Sequence[str], of: str) -> str:
    """Define the call of an entry (`sglibrary.exported`) for a struct of models, with the tables that it reads."""
    handles = ",\n    ".join(kernels)
    numbers = {
        "table": [*map(str, memory.table.tolist())],
        "integers": [*map(str, memory.memories[INTEGERS].tolist()), "0"],
        "numbers": [*map(number, memory.memories[NUMBERS].tolist()), "0.0"],
        "flags": [*(str(int(x)) for x in memory.memories[FLAGS]), "0"],
    }
    types = {"table": "int64_t", "integers": "int64_t", "numbers": "double", "flags": "unsigned char"}
    tables = "\n".join(table(types[name], f"{of}_{name}", entries) for name, entries in numbers.items())
    return f"""\
static void (*const {of}_handles[])(void) = {{
    {handles}
}};
{tables}
ENTRY({entry});

static int call_{of}({of} *m, int choice)
{{
    int64_t status = 0;
    void *error = NULL;
    {entry}(&status, &error, {of}_table, {of}_handles, {of}_integers, {of}_numbers, {of}_flags, m->numbers, m->codes,
        choice);
    return (int)status;
}}
"""


def compiled_groups(entries: Sequence[str], kernels: Sequence[str]) -> str:
    """Define ``solve``, and what compiled code calls, around the calls of entries."""
    declared = "\n".join(f"void {name}(void);" for name in dict.fromkeys(kernels))
    return f"""\
{declared}
#define ENTRY(name) int32_t name(int64_t *result, void **error, const void *table, const void *handles, \\
    const void *integers, const void *numbers, const void *flags, double *own, unsigned char *codes, int64_t choice)

{"".join(entries)}
static int solve(gk_model *m, int choice) {{ return call_gk_model(m, choice); }}

/* What compiled code calls for contiguous arrays. */
int numba_attempt_nocopy_reshape(int64_t nd, const int64_t *dims, const int64_t *strides, int64_t newnd,
    const int64_t *newdims, int64_t *newstrides, int64_t itemsize, int order)
{{
    (void)nd, (void)dims, (void)strides, (void)order;
    for (int64_t k = newnd - 1; k >= 0; k--) {{
        newstrides[k] = itemsize;
        itemsize *= newdims[k];
    }}
    return 1;
}}
"""
