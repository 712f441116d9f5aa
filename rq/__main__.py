"""The command line: `python -m rq run`, `check` and `examples`."""

from __future__ import annotations

import argparse
import os
import sys

from rq import cli


def main(arguments: list[str] | None = None) -> int:
    """Run one command and return its exit code."""
    parser = _parser()
    options = parser.parse_args(arguments)
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")  # a console without "·" shows "?" instead of failing
    try:
        code = _dispatch(parser, options)
        sys.stdout.flush()
        return code
    except BrokenPipeError:
        _say_no_more()  # the reader has enough
        return 0
    except OSError as error:
        _say_no_more()
        return cli.fail(f"cannot write the output: {error.strerror}")
    except KeyboardInterrupt:
        return 130


def _dispatch(parser: argparse.ArgumentParser, options: argparse.Namespace) -> int:
    if options.command == "examples":
        return cli.print_examples()
    if options.command == "check":
        if (options.target is None) == (options.program is None):
            parser.error("check takes FILE.py:CLASS or --command, one of the two")
        return cli.check(options.target, options.program, options.json)
    return _run(options.file, options.trace)


def _run(file: str, readable: bool) -> int:
    if file == "-":
        if sys.stdin is None:
            return cli.fail("there is no standard input to read")
        return cli.run(sys.stdin.buffer, readable)
    try:
        source = open(file, "rb")  # noqa: SIM115  # only opening it may fail for the file's sake
    except OSError as error:
        return cli.fail(f"cannot read {file}: {error.strerror}")
    with source:
        return cli.run(source, readable)


def _say_no_more() -> None:
    """Give standard output nowhere to go, so that Python does not fail once more when it flushes at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m rq", description="A retrying job queue, made visible.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    run = commands.add_parser("run", help="answer scenarios: one line of JSON out for each in")
    run.add_argument("file", metavar="FILE", help="one scenario as JSON, or one a line; - is standard input")
    run.add_argument("--trace", action="store_true", help="print the readable trace instead of JSON")
    check = commands.add_parser("check", help="compare a queue with the contract: a counterexample, or a proof")
    check.add_argument("target", metavar="FILE.py:CLASS", nargs="?", help="a Python class")
    check.add_argument(
        "--command",
        dest="program",
        metavar="PROGRAM",
        help="a program that reads one scenario a line and writes its answers on one line",
    )
    check.add_argument("--json", action="store_true", help="print the report as one line of JSON")
    commands.add_parser("examples", help="print the four examples with their expected outputs")
    return parser


if __name__ == "__main__":
    sys.exit(main())
