"""Mechanisms in the published form: an extended adjacency matrix and a matrix of known inputs."""

from __future__ import annotations

from collections.abc import Sequence

from groupkin.errors import MechanismError, shown
from groupkin.mechanism.pairs import freedoms
from groupkin.mechanism.parts import Driver, Joint


def parts_of(
    matrix: Sequence[Sequence[str]], known_inputs: Sequence[Sequence[int]], dimension: int
) -> tuple[list[str], list[Joint], list[Driver]]:
    """Bodies, joints and drivers of a mechanism in the published form; see `Mechanism.from_adjacency`."""
    n = len(matrix)
    if any(len(row) != n for row in matrix):
        raise MechanismError(f"the adjacency matrix must be square: it has {n} rows")
    if len(known_inputs) != n or any(len(row) != n for row in known_inputs):
        raise MechanismError(f"the known-inputs matrix must be {n} x {n}, as the adjacency matrix is")
    joints, drivers = [], []
    for i in range(n):
        if matrix[i][i] != "-" or known_inputs[i][i]:
            raise MechanismError(
                f"body {i + 1} is joined to itself: the diagonals of the matrices must be '-' and 0, but at "
                f"{i + 1}-{i + 1} they are {shown(matrix[i][i])} and {shown(known_inputs[i][i])}"
            )
        for j in range(i + 1, n):
            label = f"{i + 1}-{j + 1}"
            if matrix[i][j] != matrix[j][i] or known_inputs[i][j] != known_inputs[j][i]:
                raise MechanismError(f"the matrices must be symmetric; they differ at {label} and {j + 1}-{i + 1}")
            symbol, count = matrix[i][j], int(known_inputs[i][j])
            if symbol == "-" and count:
                raise MechanismError(f"bodies {label} are driven but not joined")
            if symbol == "-":
                continue
            names = [freedom.name for freedom in freedoms(symbol, dimension)]
            if not 0 <= count <= len(names):
                raise MechanismError(f"{count} freedoms of pair {label} are driven; {symbol} has {len(names)}")
            joints.append(Joint(label, symbol, (str(i + 1), str(j + 1))))
            drivers += [Driver(label, freedom=name) for name in names[:count]]
    return [str(i + 1) for i in range(n)], joints, drivers
