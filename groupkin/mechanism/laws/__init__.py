"""Motion laws: by formulas and samples, from rest to rest, in sequences, and over other drivers."""
