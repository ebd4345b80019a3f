"""Any group by Newton's method, with its equations written out as straight-line code."""
