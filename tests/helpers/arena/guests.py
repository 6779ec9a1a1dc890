"""Guests that misbehave, to be named `arena.guests:Class`."""

import os
import threading

import numpy as np

from baofen.envs.core.dtypes import BURY, PLAY


class Polite:
    """Does nothing wrong but print."""

    name, cheats, needs_observation = "lowest", False, False

    def reset(self, num_tables, seed):
        pass

    def act(self, views):
        print("thinking")
        return views.action_mask.argmax(1).astype(np.int64)


class Sleepy(Polite):
    """Falls asleep for good when it is to bury."""

    def act(self, views):
        if (views.phase == BURY).any():
            threading.Event().wait()
        return super().act(views)


class Dying(Polite):
    """Takes its process with it in the play."""

    def act(self, views):
        if (views.phase == PLAY).any():
            os._exit(3)
        return super().act(views)


class Raising(Polite):
    """Raises at every third table."""

    def act(self, views):
        if (views.table % 3 == 0).any():
            raise KeyError("lost")
        return super().act(views)


class Unmade(Polite):
    """Cannot be made."""

    def __init__(self):
        raise OSError("no file")


class Planting(Polite):
    """Sends a pickle that runs code where it is read, instead of an answer."""

    def act(self, views):
        import gc
        import pickle
        from multiprocessing.connection import Connection

        class Planted:
            def __reduce__(self):
                return open, (os.environ["PLANT_HERE"], "w")

        for found in gc.get_objects():
            if isinstance(found, Connection) and found.writable:
                found.send_bytes(self.letter + pickle.dumps((True, Planted())))
        return super().act(views)

    letter = b""


class PlantingActions(Planting):
    """The same, said to be actions."""

    letter = b"A"


class Shouting(Polite):
    """Raises with a long text full of what a terminal obeys."""

    def act(self, views):
        raise ValueError("\x1b[2J" + "loud " * 10_000)


class Wordy(Polite):
    """Answers in objects."""

    def act(self, views):
        return np.array([{"action": 3}] * len(views.seat), object)
