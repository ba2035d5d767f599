"""`python -m tamis`: the command."""

from tamis.cli.main import run

if __name__ == "__main__":  # else a worker process looks at what started it
    run()
