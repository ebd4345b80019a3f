"""What the texts of a group do not compute: where moves along curves lead, and formulas between moves.

It is put in working memory before a text is computed. It is compiled only where a group needs it, and called by its
address.
"""

import numpy as np

from sglibrary.convention import allocating, kernel
from sglibrary.iterative.curves import follow_curve
from sglibrary.iterative.formulas import evaluate_formula
from sglibrary.iterative.kinds import CURVE, FORMULA
from sglibrary.iterative.newton_tables import FORMULA_ROWS, SCALARS, TEXTS
from sglibrary.iterative.rows import copy_row
from sglibrary.straight.group_tables import curve_table, layout, moves_of
from sglibrary.straight.places import BENT, places


@allocating
def curves(q, work, rows, constants, first, at, n, x, orders):
    """Moves along curves at n steps, from step `first` of q and `at` of working memory on.

    `x` is the first row of the variables that they take, `orders` how many derivatives are wanted; curves have all.
    """
    tables, value = layout(rows), np.empty(n)
    own = places(rows[1], rows[2], rows[SCALARS], rows[FORMULA_ROWS], tables.moves)
    moves, table = moves_of(rows, tables), curve_table(rows, constants, tables, rows[2])
    for m in range(tables.moves):
        row, move = own.curves + BENT * m, moves[m]
        if move[1] == CURVE:
            _value(move, constants[tables.move_data + 13 * m + 12], q, work, first, at, x, value)
            out, bends = work[row : row + 4, at : at + n], work[row + 4 : row + 8, at : at + n]
            follow_curve(value, move[2], table, move[3] < 0, bends, out)


@allocating
def formulas(q, work, rows, constants, first, at, n, x, orders):
    """Formulas between moves, for which see `curves`."""
    tables = layout(rows)
    moves, values = moves_of(rows, tables), np.empty((tables.moves, n))
    for m in range(tables.moves):
        _value(moves[m], constants[tables.move_data + 13 * m + 12], q, work, first, at, x, values[m])
    numbers, data = rows[tables.formulas : rows[TEXTS]], constants[tables.formula_data :]
    equation, row = tables.move_at + 6 * tables.moves, places(rows[1], rows[2], rows[SCALARS], 0, 0).formulas
    for k in range(rows[5]):
        if rows[equation + 4 * k] == FORMULA:
            row = formula(numbers, data, rows[equation + 4 * k + 1], values, work[:, at : at + n], row, orders)


@kernel
def _value(move, share, q, work, first, at, x, out):
    """Values of a move, a driven one from the state; of a ball they mean nothing."""
    for j in range(out.size):
        out[j] = work[x + move[5], at + j] if move[3] >= 0 else share * q[max(0, move[4]), first + j]


@allocating
def formula(numbers, data, start, values, work, row, orders):
    """Value, first and, if they are wanted, second derivatives of a formula into successive rows; the row after them.

    Second derivatives along two coordinates together are those along each, and twice the mixed one.
    """
    n, width = numbers[start], values.shape[1]
    coordinates, found = np.zeros((n, 3, width)), np.empty((3, width))
    squares, mixed = np.empty((n, width)), row + 1 + n
    for c in range(n):
        copy_row(values[numbers[start + 3 + c]], coordinates[c, 0])
    for i in range(n):
        _along(coordinates, i, i, 1.0)
        evaluate_formula(numbers, data, start, coordinates, found)
        _along(coordinates, i, i, 0.0)
        copy_row(found[0], work[row])
        copy_row(found[1], work[row + 1 + i])
        copy_row(found[2], squares[i])
    for i in range(n):
        for k in range(i, n):
            out = work[mixed]
            copy_row(squares[i], out)
            if i != k and orders > 1:
                _along(coordinates, i, k, 1.0)
                evaluate_formula(numbers, data, start, coordinates, found)
                _along(coordinates, i, k, 0.0)
                for j in range(width):
                    out[j] = 0.5 * (found[2, j] - squares[i, j] - squares[k, j])
            mixed += 1
    return mixed


@kernel
def _along(coordinates, i, k, rate):
    """Let one or two coordinates change at a rate."""
    x, y = coordinates[i, 1], coordinates[k, 1]
    for j in range(x.size):
        x[j] = y[j] = rate
