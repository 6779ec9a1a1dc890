"""Guests: agents that are not ours, each in a process of its own, with a deadline for every call.

Code that hangs cannot be stopped within a process; a process can be ended. A guest that is late, or whose process ends,
is started anew, but only `MAX_LOST` times between two resets: then it is not asked any more until the next one.

A guest's process may send anything. What it sends is read as bytes that run nothing: a letter that says what follows,
then text, JSON, or an array as numpy saves it without pickle.
"""

import io
import json
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
from baofen.envs.render.printable import printable

START_S = 120.0
"""Seconds for a guest's process to start and make the agent; reading a large network takes its time."""
MAX_LOST = 3
MAX_ANSWER_BYTES = 1 << 26
MAX_ERROR_CHARACTERS = 300
MAX_NAME_CHARACTERS = 100
_FACTS, _ACTIONS, _NOTHING, _ERROR = b"F", b"A", b"N", b"E"


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
        return cast(tuple[str, bool, bool], self._answer(START_S, _FACTS))

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
        return self._answer(self._timeout_s, _ACTIONS if method == "act" else _NOTHING)

    def _answer(self, seconds: float, wanted: bytes) -> object:
        """Return what the guest answers, of the kind that is wanted; one that does not is ended."""
        assert self._pipe is not None
        try:
            if not self._pipe.poll(seconds):
                self._lose()
                raise Late(f"late: no answer within {seconds:g} s")
            answer = self._pipe.recv_bytes(MAX_ANSWER_BYTES)
        except (EOFError, OSError):
            self._lose()
            raise Lost("its process ended") from None
        kind, content = answer[:1], answer[1:]
        if kind == _ERROR:
            raise GuestError(printable(content.decode("utf-8", "replace"), MAX_ERROR_CHARACTERS))
        try:
            if kind == wanted:
                return _READ[kind](content)
        except (ValueError, TypeError, RecursionError, MemoryError, EOFError, SyntaxError):
            pass  # it is told as any other answer that is none
        self._lose()
        raise Lost("its process sent what is no answer")

    def _lose(self) -> None:
        self._end()
        self._pipe = None
        self._lost += 1


def _end_process(process: BaseProcess, pipe: Connection) -> None:
    pipe.close()
    process.kill()
    process.join()


def _read_facts(content: bytes) -> tuple[str, bool, bool]:
    """Return name, whether it cheats, and whether it needs observations."""
    name, cheats, needs = json.loads(content)
    if not isinstance(name, str) or not isinstance(cheats, bool) or not isinstance(needs, bool):
        raise TypeError("not the facts of an agent")
    return printable(name, MAX_NAME_CHARACTERS), cheats, needs


def _read_actions(content: bytes) -> NDArray[Any]:
    return cast(NDArray[Any], np.load(io.BytesIO(content), allow_pickle=False))


def _read_nothing(content: bytes) -> None:
    if content:
        raise ValueError("more than nothing")


_READ: dict[bytes, Callable[[bytes], object]] = {
    _FACTS: _read_facts,
    _ACTIONS: _read_actions,
    _NOTHING: _read_nothing,
}


def _written(given: object) -> bytes:
    """Return actions as they are sent; a guest that gives no array of numbers raises here, in its own process."""
    actions = np.asarray(given)
    if actions.dtype.kind not in "biuf":
        raise TypeError(f"actions must be numbers, not {actions.dtype}")
    content = io.BytesIO()
    np.save(content, actions, allow_pickle=False)
    return _ACTIONS + content.getvalue()


def _serve(pipe: Connection, make: Callable[[], Agent]) -> None:
    """Answer calls until the pipe is closed; the main function of a guest's process."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches all processes; the first one decides
    os.dup2(2, 1)  # what a guest prints is no result
    try:
        agent = make()
        agent.reset, agent.act  # noqa: B018, told now if they are missing
        facts = (str(agent.name), bool(agent.cheats), needs_observation(agent))
        pipe.send_bytes(_FACTS + json.dumps(facts).encode())
    except Exception as error:  # noqa: BLE001, whatever a guest does is its own loss
        pipe.send_bytes(_ERROR + _words(error).encode("utf-8", "replace"))
        return
    while True:
        try:
            method, arguments = pipe.recv()
        except EOFError:
            return
        try:
            given = getattr(agent, method)(*arguments)
            answer = _NOTHING if method == "reset" else _written(given)
        except Exception as error:  # noqa: BLE001
            answer = _ERROR + _words(error).encode("utf-8", "replace")
        pipe.send_bytes(answer)


def _words(error: Exception) -> str:
    if isinstance(error, UnknownAgentError):  # a mistyped name, whose message stands for itself
        return str(error)
    return f"{type(error).__name__}: {error}"[: 10 * MAX_ERROR_CHARACTERS]
