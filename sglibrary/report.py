"""Status of each step from the conditioning that a closed form computed."""

from sglibrary.convention import kernel
from sglibrary.status import CANNOT_ASSEMBLE, NO_INPUT, SINGULAR, SINGULAR_BELOW, SOLVED


@kernel
def report(q, rows, first, last, status, conditioning, n):
    """Tell apart what failed before, what cannot be reached and what is singular.

    A closed form writes NaN conditioning where it has no real solution. If what it reads, the rows listed in
    ``rows[first:last]``, is NaN as well, the fault lies earlier.
    """
    cond, code = conditioning[:n], status[:n]
    for j in range(cond.size):
        code[j] = SOLVED if cond[j] >= SINGULAR_BELOW else SINGULAR
    for j in range(cond.size):
        if cond[j] != cond[j]:
            code[j] = CANNOT_ASSEMBLE
            for k in range(first, last):
                x = q[rows[k], j]
                if x != x:
                    code[j] = NO_INPUT
            cond[j] = 0.0


@kernel
def known(q, rows, count, status, conditioning, n):
    """Status of a group that is always determined: solved unless one of the first `count` rows it reads is NaN."""
    code, cond = status[:n], conditioning[:n]
    for j in range(code.size):
        code[j] = SOLVED
        cond[j] = 1.0
    for k in range(count):
        x = q[rows[k], :n]
        for j in range(x.size):
            if x[j] != x[j]:
                code[j] = NO_INPUT
                cond[j] = 0.0
