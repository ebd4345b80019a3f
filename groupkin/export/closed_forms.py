"""Closed forms of groups as C: instruction lists of their kernels, which a process without the compiler traces."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Sequence

from groupkin.child_processes import python_command
from groupkin.errors import ExportError
from groupkin.export.c_names import number, table
from groupkin.export.models import SharedModel
from groupkin.kinematics.program.program import Program
from sglibrary.code.c_source import c_functions
from sglibrary.exported.tracing import Form
from sglibrary.tolerances import SINGULAR_BELOW
from sglibrary.trigonometry import COSINE, HIGH, LOW, MIDDLE, SINE


def traced_forms(program: Program) -> list[Form]:
    """Trace the kernels of all calls of a program.

    Raises
    ------
    ExportError
        If some groups have no closed form, or one that cannot be written as C.
    """
    _require_closed(program, [call.group for call in program.calls if call.knot is not None], "have no closed form")
    calls = [
        (call.kernel.__module__, call.kernel.__name__, call.rows.tolist(), call.constants.tolist())
        for call in program.calls
    ]
    done = subprocess.run(
        python_command("sglibrary.exported.tracing"),
        input=json.dumps({"rows": program.rows, "calls": calls}),
        env=os.environ | {"NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode != 0:
        raise ExportError(f"the process that writes closed forms as C has failed: {done.stderr.strip()[-2000:]}")
    forms = [None if form is None else Form(**form) for form in json.loads(done.stdout)]
    left = [call.group for call, form in zip(program.calls, forms, strict=True) if form is None]
    _require_closed(program, left, "have a closed form that chooses between formulas")
    return [form for form in forms if form is not None]


def _require_closed(program: Program, groups: Sequence[int], why: str) -> None:
    if not groups:
        return
    named = [
        f"{', '.join(program.structure.groups[k - 1].bodies)} ({program.solvers[k - 1]})" for k in dict.fromkeys(groups)
    ]
    raise ExportError(
        f"these groups {why}, and cannot be written as C: {'; '.join(named)}. Write a compiled library instead: "
        "--library, or groupkin.export_library"
    )


def groups_in_c(shared: SharedModel) -> str:
    """Define ``solve`` in C.

    Raises
    ------
    ExportError
    """
    forms = traced_forms(shared.program)
    names = {text: f"form_{k}" for k, text in enumerate(dict.fromkeys(form.text for form in forms))}
    rows, constants, lines = list[int](), list[float](), list[str]()
    for call, form in zip(shared.program.calls, forms, strict=True):
        group, at, number_at = call.group - 1, len(rows), len(constants)
        state = f"x + Q, x + V, x + A, x + CONDITIONING + LANES * {group}"
        tables = f"group_rows + {at}, group_constants + {number_at}"
        lines.append(f"    {names[form.text]}({state}, {tables}, LANES, 0, 0, 1);")
        rows += form.rows
        constants += form.constants
        if form.report is not None:
            count, out, written, determined = form.report
            lines.append(
                f"    report(m, {group}, group_rows + {len(rows)}, {count}, {out}, {written}, {int(determined)});"
            )
            rows += form.reads[:count]
    driven = [
        f"    drive(x, {k}, {driven.row}, {int(driven.rotation)});" for k, driven in enumerate(shared.program.drivers)
    ]
    functions = "\n".join(f"static {c_functions({name: text})}" for text, name in names.items())
    steps = "\n".join([*driven, *lines])
    return f"""\
{table("int64_t", "group_rows", [*map(str, rows), "0"])}
{table("double", "group_constants", [*map(number, constants), "0.0"])}
#define SINGULAR_BELOW {number(SINGULAR_BELOW)}
#define HIGH {number(HIGH)}
#define MIDDLE {number(MIDDLE)}
#define LOW {number(LOW)}
{table("double", "sine", [*map(number, SINE)])}
{table("double", "cosine", [*map(number, COSINE)])}
{functions}
{REPORT}
static int solve(gk_model *m, int choice)
{{
    double *x = m->numbers;
    (void)choice;
{steps}
    for (int k = 0; k < GK_GROUPS; k++)
        if (m->codes[k]) return m->codes[k];
    return 0;
}}
"""


REPORT = """\
/* What a driver does; cosine and sine of angles up to 1e5 by polynomials, as sglibrary/trigonometry.py has them. */
static void drive(double *x, int driver, int row, int is_angle)
{
    const double *given = x + VALUES + 3 * driver;
    double angle = given[0], *q = x + Q + LANES * row;
    q[0] = angle, x[V + LANES * row] = given[1], x[A + LANES * row] = given[2];
    if (!is_angle) return;
    if (!(fabs(angle) <= 1e5)) {
        q[LANES] = cos(angle), q[2 * LANES] = sin(angle);
        return;
    }
    double n = floor(angle * (2.0 / 3.14159265358979323846) + 0.5);
    double r = fma(n, -LOW, fma(n, -MIDDLE, fma(n, -HIGH, angle))), z = r * r, p = sine[5], u = cosine[5];
    for (int k = 4; k >= 0; k--) p = fma(z, p, sine[k]), u = fma(z, u, cosine[k]);
    double s = fma(r * z, p, r), c = fma(z * z, u, fma(-0.5, z, 1.0)), quarter = n - 4.0 * floor(0.25 * n);
    int odd = quarter == 1.0 || quarter == 3.0;
    double first = odd ? s : c, second = odd ? c : s;
    q[LANES] = quarter == 1.0 || quarter == 2.0 ? -first : first;
    q[2 * LANES] = quarter >= 2.0 ? -second : second;
}

/* Status of a group from its conditioning; NaN in what it writes where it is not solved. */
static void report(gk_model *m, int group, const int64_t *reads, int count, int out, int written, int determined)
{
    double *x = m->numbers, *conditioning = x + CONDITIONING + LANES * group;
    if (determined) {
        *conditioning = 1.0;
        for (int k = 0; k < count; k++) *conditioning += 0.0 * x[Q + LANES * reads[k]];
    }
    m->codes[group] = GK_SOLVED;
    if (*conditioning >= SINGULAR_BELOW) return;
    m->codes[group] = GK_SINGULAR;
    if (isnan(*conditioning)) {
        *conditioning = 0.0;
        m->codes[group] = GK_CANNOT_ASSEMBLE;
        for (int k = 0; k < count; k++)
            if (isnan(x[Q + LANES * reads[k]])) m->codes[group] = GK_NO_INPUT;
    }
    for (int k = out; k < out + written; k++) {
        if (m->codes[group] != GK_SINGULAR) x[Q + LANES * k] = NAN;
        x[V + LANES * k] = x[A + LANES * k] = NAN;
    }
}
"""
