"""The structural diagram, routes through it, and the tree of all routes."""
