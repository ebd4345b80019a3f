"""Names of all kinds, for text forms."""

from __future__ import annotations

from hypothesis import strategies as st

from groupkin.arguments import is_name
from groupkin.kinematics.motion.kinds import KINDS
from groupkin.kinematics.parameters.parameters import WORDS

NAMES = (
    st.text("'- @.[]\"\\,x1é中", min_size=1, max_size=12)
    | st.text(min_size=1, max_size=30)
    | st.sampled_from([*KINDS, *WORDS, "norm", "x", "-", "''", "main bearing", "a.b-c@d[2]"])
).filter(is_name)
"""Printable names, many of them with signs that have a meaning in text forms, or that are words of these forms."""
