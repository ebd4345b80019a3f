"""``python -m groupkin`` is the command ``groupkin``."""

from groupkin.cli.main import main

if __name__ == "__main__":
    main(prog_name="groupkin")
