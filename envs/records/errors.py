"""The one exception of records."""


class RecordError(ValueError):
    """A record that is refused.

    Attributes:
        index: the action at fault, counted from 0; None for faults of the header, the result or the end.
        reason: its class, a word.
        message: what is wrong, a sentence.
    """

    def __init__(self, index: int | None, reason: str, message: str) -> None:
        super().__init__(message if index is None else f"action {index}: {message}")
        self.index = index
        self.reason = reason
        self.message = message
