"""What a store holds, as numbers, tables and pictures."""
