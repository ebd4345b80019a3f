"""The forces of a mechanism as the user describes them: their data, checks, units and functions."""
