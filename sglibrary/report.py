"""Status of each step."""

import math

from sglibrary.convention import kernel
from sglibrary.status import CANNOT_ASSEMBLE, NO_INPUT, SINGULAR, SINGULAR_BELOW, SOLVED


@kernel
def report(q, rows, count, status, conditioning, n):
    """Status of a closed form from its conditioning, NaN where it has no real solution.

    If one of the first `count` rows it reads is NaN as well, the fault lies earlier.
    """
    cond, code = conditioning[:n], status[:n]
    for j in range(cond.size):
        code[j] = SOLVED if cond[j] >= SINGULAR_BELOW else SINGULAR
    failed = 0
    for j in range(cond.size):
        failed += cond[j] != cond[j]
    if failed == 0:
        return
    for j in range(cond.size):
        if cond[j] != cond[j]:
            code[j] = CANNOT_ASSEMBLE
            for k in range(count):
                x = q[rows[k], j]
                if x != x:
                    code[j] = NO_INPUT
            cond[j] = 0.0


@kernel
def discard(q, v, a, first, count, status, n):
    """NaN in `count` rows from `first` on where a group cannot be assembled: it fails as a whole."""
    code = status[:n]
    for j in range(code.size):
        if code[j] == CANNOT_ASSEMBLE:
            for k in range(first, first + count):
                q[k, j] = v[k, j] = a[k, j] = math.nan


@kernel
def known(q, rows, count, status, conditioning, n):
    """Status of a group that is always determined: solved unless one of the first `count` rows it reads is NaN."""
    cond = conditioning[:n]
    for j in range(cond.size):
        cond[j] = 1.0
    for k in range(count):
        x = q[rows[k], :n]
        for j in range(x.size):
            cond[j] += 0.0 * x[j]
    report(q, rows, count, status, conditioning, n)
