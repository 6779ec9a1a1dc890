"""For all tests: which of them compiles first is chance, so that it compiles is not said."""

import os

os.environ["BAOFEN_QUIET"] = "1"
