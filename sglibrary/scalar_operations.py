"""Codes of operations and comparisons in tables of scalar operations, for those who write tables and for kernels."""

PLUS, MINUS, TIMES, OVER, NEGATIVE, SQRT, SIN, COS, ATAN2, ABS, SIGN = range(11)
"""Operations; the sign of zero is 1."""

LESS, NOT_LESS = 0, 1
"""Comparisons on which a table relies: the first operand is less than the second, or it is not."""
