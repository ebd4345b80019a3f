"""Rank of the equations of groups, mobility, and the reasons where rank lacks."""
