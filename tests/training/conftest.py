"""Ray and torch warn of their own affairs while they are imported; warnings from our code stay errors."""

import pytest

THEIRS = (
    "ignore::DeprecationWarning:ray.*",
    "ignore::FutureWarning:ray.*",
    "ignore::UserWarning:ray.*",
    "ignore::DeprecationWarning:tensorboard.*",
    "ignore::DeprecationWarning:google.*",
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        for theirs in THEIRS:
            item.add_marker(pytest.mark.filterwarnings(theirs), append=False)
