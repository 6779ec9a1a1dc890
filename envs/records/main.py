"""`baofen replay FILE [--show]`: results on stdout, exit code 0 or 1."""

import shutil
import sys
from pathlib import Path

from baofen.envs.records.errors import RecordError
from baofen.envs.records.files import format_fault, iterate_lines, parse_record
from baofen.envs.records.replay import replay_record
from baofen.envs.records.show import show_record
from baofen.envs.render.text import fold

SET_IN = 10
"""Columns before what goes on from the line above: as many as `  hand 0  ` takes."""


def replay_main(file: Path, show: bool) -> int:
    """Check the records of a file and print the faults, and with `show` the games; return 0, or 1 for faults.

    Raises:
        OSError: if the file cannot be read.
    """
    if hasattr(
        sys.stdout, "reconfigure"
    ):  # a terminal without suit symbols shows escapes instead of ending in an error
        sys.stdout.reconfigure(errors="backslashreplace")
    width = shutil.get_terminal_size((80, 24)).columns
    checked = 0
    faults = 0
    for number, line in iterate_lines(file):
        checked += 1
        try:
            record = parse_record(line)
            if show:
                print(f"line {number}")
                for words in show_record(record):
                    print(fold(words, width, SET_IN))
                print()
            else:
                replay_record(record)
        except RecordError as error:
            faults += 1
            print(format_fault(number, error))
    if not faults:
        print(f"{checked} {'record' if checked == 1 else 'records'}, all legal")
    return 1 if faults else 0
