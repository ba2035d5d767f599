"""Entry point: one line and exit code 2 for a fault of the input, 1 for one of the program."""

from __future__ import annotations

import contextlib
import os
import re
import signal
import sys
import threading
import time
import warnings
from collections.abc import Sequence
from typing import NoReturn

import rich_click as click
from click.exceptions import Exit

from .. import __version__

COMMAND_NAMES = (
    "demo",
    "read",
    "look",
    "study",
    "interact",
    "genome",
    "report",
    "compare",
    "predict",
    "evaluate",
    "methods",
    "expression",
    "ontology",
    "check",
)

LIGHT_COMMANDS = ("methods",)  # commands that compute nothing
STOPPED_EXIT_CODE = 130  # exit code
CLEANUP_SECONDS = 2.0  # seconds for what has to be put away
EXIT_SECONDS = 10.0  # and to end by itself
NO_ROOM = re.compile("can't start new thread|failed to map segment|annot allocate memory")
SHORT_SPIN = "18"  # log2 of the cycles that a thread of OpenBLAS burns before it sleeps, not 2^26


class Lazy(click.RichGroup):
    """A group that imports a command's module only when that command runs."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMAND_NAMES)

    def get_command(self, ctx: click.Context, cmd_name: str):
        import importlib

        if cmd_name not in COMMAND_NAMES:
            return None
        return importlib.import_module(f".{cmd_name}", __package__).command

    def resolve_command(self, ctx: click.Context, args: list[str]):
        if args and not args[0].startswith("-") and args[0] not in COMMAND_NAMES:
            from .._core.errors import nearest_hint

            raise click.UsageError(
                f"no command {args[0]!r}: {nearest_hint(args[0], COMMAND_NAMES)}"
            )
        return super().resolve_command(ctx, args)


@click.group(cls=Lazy, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="tamis")
@click.pass_context
def main(context: click.Context) -> None:
    """Find a few trustworthy features in wide biomedical data, and say how far to trust them."""
    from .._core.memory_limits import require_memory

    begins = "numpy" not in sys.modules  # a process that has its libraries had the memory for them
    if (
        begins
        and context.invoked_subcommand not in LIGHT_COMMANDS
        and not {"-h", "--help"} & set(sys.argv)
    ):
        require_memory()


def run() -> None:
    """The console script: exit codes 0, 1 and 2, and never a traceback for bad input."""
    from .._core.errors import TamisError
    from .._core.memory_limits import sparing_libraries
    from .._core.starting import begin_to_load
    from .._core.terminal import (
        CLOSED_STDOUT_MESSAGE,
        STOP_SIGNALS,
        occupy_closed_streams,
        say_to_user,
    )

    begin_to_load()
    sparing_libraries()
    occupy_closed_streams()
    os.environ.setdefault("OPENBLAS_THREAD_TIMEOUT", SHORT_SPIN)
    import_nothing_from_here()
    stopped = _Stop()
    for number in STOP_SIGNALS:
        if signal.getsignal(number) != signal.SIG_IGN:  # as a shell has it for what runs behind
            signal.signal(number, stopped)
    warnings.showwarning = lambda text, kind, *_: say_to_user(f"{kind.__name__}: {text}")
    try:
        code = main(standalone_mode=False)
        if workers := sys.modules.get("tamis._core.workers"):
            workers.end_workers()
        if sys.stdout is not None:
            sys.stdout.flush()
        elif code is not None:  # of --help and --version, which go nowhere in silence
            fail_with(CLOSED_STDOUT_MESSAGE)
    except SystemExit as stop:  # click's, of any pipe that breaks
        if not isinstance(stop.__context__, BrokenPipeError):
            raise
        stopped.end_of_pipe(stop.__context__)
    except TamisError as error:
        fail_with(*error.lines)
    except Exit as stop:
        sys.exit(stop.exit_code)
    except click.ClickException as error:
        fail_with(error.format_message())
    except (click.Abort, KeyboardInterrupt):
        stopped.say_and_exit()
    except SystemError as error:
        if not was_interrupted(error):
            raise
        stopped.say_and_exit()
    except BrokenPipeError as error:
        stopped.end_of_pipe(error)
    except OSError as error:  # a path that no system takes, a full disk behind stdout
        if was_interrupted(error):  # by a terminal that is closed, where progress was to end
            stopped.say_and_exit()
        fail_of_system(error)
    except (MemoryError, ImportError, RuntimeError) as error:
        if not lacks_memory(error):
            raise
        fail_with("not enough memory for this; use fewer features or a machine with more")
    finally:
        if server := sys.modules.get("tamis._core.fork_server"):
            server.end_server()
    sys.exit(code if isinstance(code, int) else 0)


def import_nothing_from_here() -> None:
    """Take the working directory, where `python -m` and PYTHONPATH look, off the path of this
    process and of its workers: what lies about there is not to run because it has the name of what
    a plan or a library asks for. --code says what may."""
    import tamis

    with contextlib.suppress(OSError):  # the directory is gone
        here = os.path.realpath(os.getcwd())
        own = os.path.realpath(os.path.join(os.path.dirname(tamis.__file__), os.pardir))
        if here == own:  # there Tamis itself lies, and what it needs
            return

        def paths_elsewhere(paths: list[str]) -> list[str]:
            return [p for p in paths if os.path.realpath(p or here) != here]

        sys.path[:] = paths_elsewhere(sys.path)
        os.environ["PYTHONSAFEPATH"] = "1"
        if "PYTHONPATH" in os.environ:
            paths = paths_elsewhere(os.environ["PYTHONPATH"].split(os.pathsep))
            os.environ["PYTHONPATH"] = os.pathsep.join(paths)


def fail_with(message: str, *more: str) -> NoReturn:
    """A line to stderr, or one for each of several faults; exit code 2."""
    from .._core.terminal import say_to_user
    from ._shared import one_line

    say_to_user(f"tamis: {one_line(message)}")
    for line in more:
        say_to_user(f"  {one_line(line)}")
    sys.exit(2)


def fail_of_system(error: OSError) -> NoReturn:
    """What the system said, in one line."""
    from .._core.errors import shorten_text
    from .._core.terminal import give_up_stdout

    give_up_stdout()
    place = "" if error.filename is None else f"{shorten_text(error.filename)!r}: "
    fail_with(f"{place}{error.strerror or error}")


class _Stop:
    """Ctrl-C, and a polite kill like it: one line, exit code 130.

    A second signal after a while ends the process at once: files are complete or absent, and
    worker processes end with this one.
    """

    def __init__(self) -> None:
        self.stopped_at, self.said = float("inf"), False
        self.stdout = os.fstat(1)

    def __call__(self, signal_number: int, frame: object) -> None:
        now = time.monotonic()
        if now > self.stopped_at + CLEANUP_SECONDS:
            self._leave()
        if now >= self.stopped_at:
            return
        self.stopped_at = now
        # what is raised in the middle of a callback or a finaliser is lost
        overdue = threading.Timer(EXIT_SECONDS, lambda: self.said or self._leave())
        overdue.daemon = True
        with contextlib.suppress(RuntimeError):  # no more threads here
            overdue.start()
        threading.excepthook = lambda _: None  # of threads that others kept for the work
        raise KeyboardInterrupt

    def _leave(self) -> NoReturn:
        if not self.said:  # by no buffer, for this may be in the middle of any other line
            with contextlib.suppress(OSError):
                os.write(2, f"{_stopped_line()}\n".encode())
        os._exit(STOPPED_EXIT_CODE)

    def end_of_pipe(self, error: BrokenPipeError) -> NoReturn:
        """Nobody reads stdout any more, which is no fault; else the pipe was a worker's."""
        from .._core.terminal import give_up_stdout, is_unread

        if self.stopped_at < float("inf"):
            self.say_and_exit()
        if not is_unread(self.stdout):
            fail_of_system(error)
        give_up_stdout()
        sys.exit(0)

    def say_and_exit(self) -> NoReturn:
        """The line, and the exit code of Ctrl-C."""
        from .._core.terminal import say_to_user

        self.said = True
        say_to_user(_stopped_line())
        sys.exit(STOPPED_EXIT_CODE)


def _stopped_line() -> str:
    then = "what is finished is kept (continue with --resume)"
    if not can_resume(sys.argv[1:]):
        then = "the result is not complete (run it again)"
    return f"tamis: stopped; {then}"


def can_resume(words: Sequence[str]) -> bool:
    """Whether the command that these words name goes on where it was stopped."""
    command: click.Command = main
    context = click.Context(main)
    for word in words:
        if not isinstance(command, click.Group):
            break
        command = command.get_command(context, word) or command
    return any("--resume" in parameter.opts for parameter in command.params)


def lacks_memory(error: BaseException | None) -> bool:
    """Whether memory ran out, or a limit of threads was reached, where a library was loaded or a
    thread begun: these raise errors of other kinds."""
    while error is not None:
        if isinstance(error, MemoryError) or NO_ROOM.search(str(error)):
            return True
        error = error.__cause__ or error.__context__
    return False


def was_interrupted(error: BaseException | None) -> bool:
    """Whether Ctrl-C is behind an error: Numba makes a SystemError of it in compiled code."""
    while error is not None:
        if isinstance(error, KeyboardInterrupt):
            return True
        error = error.__cause__ or error.__context__
    return False
