"""Status of each step. Kernels never raise: they write NaN and one of these codes."""

import math

from sglibrary.convention import kernel
from sglibrary.tolerances import SINGULAR_BELOW

SOLVED = 0
CANNOT_ASSEMBLE = 1
SINGULAR = 2
NOT_CONVERGED = 3
NO_INPUT = 4
OPEN = 5
"""While groups are iterated: not solved yet; of a knot: to be reached in shorter steps."""

JOINT_OPEN = 6
"""A redundant joint, whose rows repeat those of others, is open (`sglibrary.repeated_rows`; or a tall group's)."""

MEANING = {
    SOLVED: "solved",
    CANNOT_ASSEMBLE: "cannot assemble",
    SINGULAR: "singular position",
    NOT_CONVERGED: "not converged",
    NO_INPUT: "a group it depends on failed",
    JOINT_OPEN: "a redundant joint opens",
}


@kernel
def report(q, v, a, rows, count, out, written, status, conditioning, n):
    """Status of a closed form from its conditioning, NaN where it has no real solution.

    If one of the first `count` rows it reads is NaN as well, the fault lies earlier. What it wrote, `written` rows from
    row `out` on, becomes NaN where it failed; at a singular position the rates alone do.
    """
    cond, code = conditioning[:n], status[:n]
    failed = 0
    for j in range(cond.size):
        code[j] = SOLVED
        failed += not (cond[j] >= SINGULAR_BELOW)
    if failed == 0:
        return
    for j in range(cond.size):
        if cond[j] >= SINGULAR_BELOW:
            continue
        code[j] = SINGULAR
        if math.isnan(cond[j]):
            cond[j] = 0.0
            code[j] = CANNOT_ASSEMBLE
            for k in range(count):
                if math.isnan(q[rows[k], j]):
                    code[j] = NO_INPUT
        for k in range(out, out + written):
            if code[j] != SINGULAR:
                q[k, j] = math.nan
            v[k, j] = math.nan
            a[k, j] = math.nan


@kernel
def report_determined(q, v, a, rows, count, out, written, status, conditioning, n):
    """Status of a group that is always determined: solved unless one of the first `count` rows it reads is NaN."""
    cond = conditioning[:n]
    for j in range(cond.size):
        cond[j] = 1.0
    for k in range(count):
        x = q[rows[k], :n]
        for j in range(x.size):
            cond[j] += 0.0 * x[j]
    report(q, v, a, rows, count, out, written, status, conditioning, n)
