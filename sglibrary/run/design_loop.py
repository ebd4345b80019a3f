"""One design of a mechanism: its constants from a table of operations, then all steps of its motion, in one call."""

from sglibrary.convention import kernel
from sglibrary.run.motion_loop import solve_steps
from sglibrary.run.near_singular import ends_touch
from sglibrary.run.task import read
from sglibrary.scalar_tables import compute, relied_on

UNUSABLE, UNFINISHED, SOLVED = 0, 1, 2
"""The table is not right for the values; a step is not solved, or a singular position may be passed; all is well."""


@kernel
def solve_design(task, times, values, given, table, comparisons, finite, work, valid, constants, fixed):
    """Solve one design.

    Parameters
    ----------
    task : array of int
        See `sglibrary.run.motion_loop.solve_steps`; its constants are written.
    times : (n,) array
        s.
    values : (d, 3 or 5, n) array
        Those of `Drivers`.
    given : (p,) array
        The parameters, which are the inputs of the table.
    table, comparisons, finite : arrays of int
        Operations, comparisons and rows as `sglibrary.scalar_tables` has them.
    work : (rows, 1) array
        Of the table, its fixed numbers filled in.
    valid : (1,) array of bool
    constants, fixed : (k, 2) arrays of int
        Places of constants, and rows of the state, with the rows of the table that go there.

    Returns
    -------
    int
    """
    for k in range(given.size):
        work[k, 0] = given[k]
    compute(table, work)
    relied_on(comparisons, finite, work, valid)
    if not valid[0]:
        return UNUSABLE
    calls, _, state, results, watched, _, _ = read(task)
    for k in range(constants.shape[0]):
        calls.constants[constants[k, 0]] = work[constants[k, 1], 0]
    for k in range(fixed.shape[0]):
        row, number = state.q[fixed[k, 0]], work[fixed[k, 1], 0]
        for j in range(row.size):
            row[j] = number
    solved, near = solve_steps(task, times, values, 0)
    for k in range(watched.groups.size):
        near |= times.size > 1 and ends_touch(results.targets[3][watched.groups[k], : times.size])
    return SOLVED if solved and not near else UNFINISHED
