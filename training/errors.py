"""The one exception that the command line tells without a traceback."""


class UserError(Exception):
    """A mistake of the person at the keyboard: the message says all that is wrong, the exit code is 2."""
