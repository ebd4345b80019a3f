"""Changed mechanisms: the program of other dimensions and laws, by a table or built anew; the mechanism itself."""
