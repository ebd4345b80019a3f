"""What groups share that are solved by iteration: tables, variables and curves; knots and start values."""
