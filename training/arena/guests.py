"""Guests: agents that are not ours, each in a process of its own, with a deadline for every call.

Code that hangs cannot be stopped within a process; a process can be ended. A guest that is late, or whose process ends,
is started anew, but only `MAX_LOST` times between two resets: then it is not asked any more until the next one.
"""

import os
import signal
import weakref
from collections.abc import Callable
from multiprocessing import get_context
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from baofen.agents.base import Agent, Views, needs_observation
from baofen.agents.registry import UnknownAgentError

START_S = 120.0
"""Seconds for a guest's process to start and make the agent; reading a large network takes its time."""
MAX_LOST = 3


class GuestError(Exception):
    """A guest raised; the message is its own exception."""


class Lost(GuestError):
    """A guest's process ended, or is not asked any more."""


class Late(Lost):
    """A guest did not answer in time."""


class Guest:
    """Stands for an agent in another process. Its `name`, `cheats` and `needs_observation` are that agent's."""

    def __init__(self, make: Callable[[], Agent], timeout_s: float) -> None:
        """Start the process and make the agent there.

        make: must be picklable. timeout_s: seconds for each call.

        Raises:
            GuestError: if the agent cannot be made, or not in START_S seconds.
        """
        self._make, self._timeout_s = make, timeout_s
        self._lost = 0
        self._last_reset: tuple[int, int] | None = None
        self._pipe: Connection | None = None
        self.name, self.cheats, self.needs_observation = self._start()

    def reset(self, num_tables: int, seed: int) -> None:
        """Start anew, in a fresh process if the last one is gone."""
        self._lost = 0
        self._last_reset = (num_tables, seed)
        self._call("reset", num_tables, seed)

    def act(self, views: Views) -> NDArray[np.int64]:
        """Return what the agent returns."""
        return cast(NDArray[np.int64], self._call("act", views))

    def _start(self) -> tuple[str, bool, bool]:
        # Not forked: compiled code and the threads of torch do not survive that everywhere.
        context = get_context("spawn")
        self._pipe, far_end = context.Pipe()
        process = context.Process(target=_serve, args=(far_end, self._make), daemon=True)
        process.start()
        far_end.close()
        self._end = weakref.finalize(self, _end_process, process, self._pipe)
        return cast(tuple[str, bool, bool], self._answer(START_S))

    def _call(self, method: str, *arguments: object) -> object:
        if self._pipe is None:
            if self._lost >= MAX_LOST:
                raise Late(f"its process was lost {MAX_LOST} times; it is not asked any more in this match")
            self._start()
            if method != "reset" and self._last_reset is not None:
                self._call("reset", *self._last_reset)
        assert self._pipe is not None
        try:
            self._pipe.send((method, arguments))
        except OSError:
            pass  # the answer will tell
        return self._answer(self._timeout_s)

    def _answer(self, seconds: float) -> object:
        """Return what the guest answers; one that does not is ended."""
        assert self._pipe is not None
        try:
            if not self._pipe.poll(seconds):
                self._lose()
                raise Late(f"late: no answer within {seconds:g} s")
            ok, answer = self._pipe.recv()
        except (EOFError, OSError):
            self._lose()
            raise Lost("its process ended") from None
        if not ok:
            raise GuestError(answer)
        return answer

    def _lose(self) -> None:
        self._end()
        self._pipe = None
        self._lost += 1


def _end_process(process: BaseProcess, pipe: Connection) -> None:
    pipe.close()
    process.kill()
    process.join()


def _serve(pipe: Connection, make: Callable[[], Agent]) -> None:
    """Answer calls until the pipe is closed; the main function of a guest's process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches all processes; the first one decides
    os.dup2(2, 1)  # what a guest prints is no result
    try:
        agent = make()
        agent.reset, agent.act  # noqa: B018, told now if they are missing
        facts = (str(agent.name), bool(agent.cheats), needs_observation(agent))
        pipe.send((True, facts))
    except Exception as error:  # noqa: BLE001, whatever a guest does is its own loss
        pipe.send((False, _words(error)))
        return
    while True:
        try:
            method, arguments = pipe.recv()
        except EOFError:
            return
        answer: tuple[bool, Any]
        try:
            given = getattr(agent, method)(*arguments)
            answer = (True, None if method == "reset" else np.asarray(given))
        except Exception as error:  # noqa: BLE001
            answer = (False, _words(error))
        pipe.send(answer)


def _words(error: Exception) -> str:
    if isinstance(error, UnknownAgentError):  # a mistyped name, whose message stands for itself
        return str(error)
    return f"{type(error).__name__}: {error}"
