"""What groups share that are solved by iteration: tables, variables, curves and formulas; knots and start values."""
