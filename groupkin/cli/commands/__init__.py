"""The commands, a module for each or for several that belong together."""
