"""Game records (`record.md`): read, checked, played, shown and written."""

from baofen.envs.records.errors import RecordError
from baofen.envs.records.files import (
    check_file,
    format_fault,
    format_record,
    parse_record,
    read_records,
    write_records,
)
from baofen.envs.records.main import replay_main
from baofen.envs.records.replay import Replay, replay_record
from baofen.envs.table import Table

__all__ = [
    "RecordError",
    "Replay",
    "check_file",
    "format_fault",
    "format_record",
    "parse_record",
    "read_records",
    "replay_main",
    "replay_record",
    "write_records",
]

Table.replay_record = replay_record
