"""The schema of couplings in files, by pydantic: import this module only where it is needed."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, model_validator

from groupkin.mechanism.files.schema_values import Name, Number, Part, problem
from groupkin.mechanism.formulas.syntax import LONGEST

Two = Annotated[list[Number], Field(min_length=2, max_length=2)]


class Coupling(Part):
    """An equation between joint coordinates, points and angles of bodies: a formula, or a table of two of them."""

    name: Name
    """Name of the coupling."""
    equation: Annotated[str, Field(min_length=1, max_length=2 * LONGEST)] | None = None
    """A formula of quantities in braces, such as `{joint B} = 2 * {joint A}`; without `=` it keeps its value."""
    of: Annotated[list[Name], Field(min_length=2, max_length=2)] | None = None
    """Two quantities, the second of which follows the first by a table."""
    table: list[Two] | None = None
    """Values of both, in the units of the file, the first increasing."""
    csv: Name | None = None
    """Instead of `table`: a CSV file, its path relative to this file."""
    columns: Annotated[list[Name], Field(min_length=2, max_length=2)] | None = None
    """Names of the columns of the CSV file; default: its two columns."""
    closed: bool = False
    """Whether the table repeats after its last row."""

    @model_validator(mode="after")
    def _one_kind(self) -> Coupling:
        if (self.equation is None) == (self.of is None):
            raise problem("a coupling has either `equation`, or `of` with `table` or `csv`")
        if self.equation is None and (self.table is None) == (self.csv is None):
            raise problem("a coupling `of` two quantities has either `table` or `csv`")
        if self.equation is not None and (self.table is not None or self.csv is not None):
            raise problem("a coupling by an `equation` has no table")
        return self
