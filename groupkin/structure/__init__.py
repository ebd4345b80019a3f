"""Which groups in which order, by counting: decomposition, refusals, signatures and tables."""
