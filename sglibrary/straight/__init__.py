"""Small groups by Newton's method, with the equations of each written out as straight-line code."""
