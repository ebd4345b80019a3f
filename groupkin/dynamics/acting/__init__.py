"""Forces that act on a mechanism: gravity, springs, contacts, friction and functions; as loads, and as tables."""
