"""The command line: `python -m rq run`, `python -m rq examples`."""

from __future__ import annotations

import argparse
import os
import sys

from rq import cli


def main(arguments: list[str] | None = None) -> int:
    """Run one command and return its exit code."""
    options = _parser().parse_args(arguments)
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")  # a console without "·" shows "?" instead of failing
    try:
        if options.command == "examples":
            return cli.print_examples()
        return _run(options.file, options.trace)
    except BrokenPipeError:
        # The reader has enough. Python would complain when it flushes at exit; give it nowhere to.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except KeyboardInterrupt:
        return 130


def _run(file: str, readable: bool) -> int:
    if file == "-":
        return cli.run(sys.stdin.buffer, readable)
    try:
        with open(file, "rb") as source:
            return cli.run(source, readable)
    except BrokenPipeError:
        raise
    except OSError as error:
        return cli.fail(f"cannot read {file}: {error.strerror}")


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m rq", description="A retrying job queue, made visible.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    run = commands.add_parser("run", help="answer scenarios: one line of JSON out for each in")
    run.add_argument("file", metavar="FILE", help="one scenario as JSON, or one a line; - is standard input")
    run.add_argument("--trace", action="store_true", help="print the readable trace instead of JSON")
    commands.add_parser("examples", help="print the four examples with their expected outputs")
    return parser


if __name__ == "__main__":
    sys.exit(main())
