"""Where things lie, for tests at any depth."""

from pathlib import Path

HELPERS = Path(__file__).parent
TESTS = HELPERS.parent
ROOT = TESTS.parent
DOCS = ROOT / "docs"
RECORDS = TESTS / "records"
