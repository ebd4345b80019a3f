"""The command line ``groupkin COMMAND``."""
