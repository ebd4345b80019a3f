"""The commands on routes: ``groupkin routes | tune``."""
