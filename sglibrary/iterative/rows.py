"""Rows of numbers of many steps."""

from sglibrary.convention import kernel


@kernel
def copy(x, out):
    """Copy rows."""
    for i in range(x.shape[0]):
        copy_row(x[i], out[i])


@kernel
def copy_row(x, out):
    """Copy one row."""
    for j in range(out.size):
        out[j] = x[j]


@kernel
def scale(out, share):
    """Multiply all rows by a number."""
    for i in range(out.shape[0]):
        o = out[i]
        for j in range(o.size):
            o[j] *= share
