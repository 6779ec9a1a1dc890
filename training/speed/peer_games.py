"""The same measurement on other packages: random legal play, a process for each, started by `peers.py`.

A decision is finding what is legal, choosing uniformly, and stepping; dealing is paid for. Every package is used the
quickest way its own documentation shows.
"""

import argparse
import json
import os
import random
import warnings
from collections.abc import Callable
from importlib import import_module
from typing import Any

import numpy as np

from baofen.training.speed.measure import median_rate, random_matches

Play = Callable[[int], tuple[float, float]]
"""(rounds) -> decisions taken and games ended in them."""

FULL_BRIDGE = "bridge(use_double_dummy_result=false)"
BRIDGE_CARDS = 52
TABLES = 1024
STEPS_A_CALL = 16


def openspiel_loop() -> Play:
    """Whole games of bridge in OpenSpiel's own C++ loop, with its uniformly random bots."""
    pyspiel = import_module("pyspiel")
    game = pyspiel.load_game(FULL_BRIDGE)
    bots = [pyspiel.make_uniform_random_bot(seat, seat) for seat in range(game.num_players())]
    seeds = iter(range(1 << 30))

    def play(rounds: int) -> tuple[float, float]:
        decisions = 0
        for _ in range(rounds):
            state = game.new_initial_state()
            pyspiel.evaluate_bots(state, bots, next(seeds))
            decisions += state.move_number() - BRIDGE_CARDS
        return decisions, rounds

    return play


def openspiel_python(observed: bool) -> Play:
    """Bridge from Python; `observed`: writing the observation of the seat to act into a numpy array."""
    game = import_module("pyspiel").load_game(FULL_BRIDGE)
    observation = import_module("open_spiel.python.observation").make_observation(game)
    draw, rng = random.Random(0).random, np.random.default_rng(0)

    def play(rounds: int) -> tuple[float, float]:
        decisions = 0
        for _ in range(rounds):
            state = game.new_initial_state()
            for card in rng.permutation(BRIDGE_CARDS).tolist():
                state.apply_action(card)
            while not state.is_terminal():
                if observed:
                    observation.set_from(state, state.current_player())
                legal = state.legal_actions()
                state.apply_action(legal[int(draw() * len(legal))])
                decisions += 1
        return decisions, rounds

    return play


def rlcard_engine(name: str) -> Play:
    """A game of RLCard without its environment: no observation is made."""
    env = import_module("rlcard").make(name, config={"seed": 0})
    game = env.game
    draw = random.Random(0).random
    of_bridge = name == "bridge"

    def play(rounds: int) -> tuple[float, float]:
        decisions = 0
        for _ in range(rounds):
            state, _ = game.init_game()
            while not game.is_over():
                legal = game.judger.get_legal_actions() if of_bridge else state["actions"]
                state, _ = game.step(legal[int(draw() * len(legal))])
                decisions += 1
        return decisions, rounds

    return play


def rlcard_env(name: str) -> Play:
    """The same game through RLCard's environment, with observation and legal actions."""
    env = import_module("rlcard").make(name, config={"seed": 0})
    draw = random.Random(0).random

    def play(rounds: int) -> tuple[float, float]:
        decisions = 0
        for _ in range(rounds):
            state, _ = env.reset()
            while not env.is_over():
                legal = list(state["legal_actions"])
                state, _ = env.step(legal[int(draw() * len(legal))])
                decisions += 1
        return decisions, rounds

    return play


def pettingzoo_classic(name: str, wrapped: bool) -> Play:
    """A card game of PettingZoo, with its wrappers or without, in PettingZoo's own loop."""
    module = import_module(f"pettingzoo.classic.{name}")
    return random_matches(module.env() if wrapped else module.raw_env())


def pgx_batch(name: str) -> Play:
    """A batch of a Pgx game on one core: masks, choices, steps and observations in one compiled loop."""
    os.environ["JAX_PLATFORMS"] = "cpu"
    os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false"
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:1])
    pgx, jax = import_module("pgx"), import_module("jax")
    env = pgx.make(name)
    step = jax.vmap(import_module("pgx.experimental.wrappers").auto_reset(env.step, env.init))

    def decide(carried: Any, key: Any) -> Any:
        state, games, seen = carried
        choice_key, step_key = jax.random.split(key)
        legal = jax.numpy.log(state.legal_action_mask.astype(jax.numpy.float32))
        state = step(state, jax.random.categorical(choice_key, legal), jax.random.split(step_key, TABLES))
        # What nobody reads would not be computed.
        return (state, games + state.terminated.sum(), seen + state.observation.sum()), None

    def decide_often(state: Any, key: Any) -> Any:
        return jax.lax.scan(decide, (state, 0, 0.0), jax.random.split(key, STEPS_A_CALL))[0]

    run = jax.jit(decide_often)
    first = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.key(0), TABLES))
    held = [first, jax.random.key(1)]

    def play(rounds: int) -> tuple[float, float]:
        games = 0
        for _ in range(rounds):
            held[1], key = jax.random.split(held[1])
            held[0], ended, seen = run(held[0], key)
            seen.block_until_ready()
            games += int(ended)
        return rounds * STEPS_A_CALL * TABLES, games

    return play


GAMES: dict[str, Callable[[], Play]] = {
    "openspiel_loop": openspiel_loop,
    "openspiel_python": lambda: openspiel_python(observed=False),
    "openspiel_observed": lambda: openspiel_python(observed=True),
    "rlcard_bridge_engine": lambda: rlcard_engine("bridge"),
    "rlcard_bridge": lambda: rlcard_env("bridge"),
    "rlcard_doudizhu_engine": lambda: rlcard_engine("doudizhu"),
    "rlcard_doudizhu": lambda: rlcard_env("doudizhu"),
    "pgx_leduc": lambda: pgx_batch("leduc_holdem"),
    "pgx_mahjong": lambda: pgx_batch("sparrow_mahjong"),
    "pettingzoo_raw": lambda: pettingzoo_classic("texas_holdem_v4", wrapped=False),
    "pettingzoo": lambda: pettingzoo_classic("texas_holdem_v4", wrapped=True),
}


def rates(play: Play, seconds: float) -> dict[str, float]:
    """Return decisions and games per CPU-second."""
    decisions, games = 0.0, 0.0

    def work(rounds: int) -> float:
        nonlocal decisions, games
        taken, ended = play(rounds)
        decisions, games = decisions + taken, games + ended
        return taken

    rate = median_rate(work, 1, seconds)
    return {"decisions": rate, "deals": rate * games / decisions}


def main() -> None:
    """Print the rates of the peer that is named, or what is missing: one object on the last line."""
    parser = argparse.ArgumentParser(description="Measure another package of card games.")
    parser.add_argument("name", choices=GAMES)
    parser.add_argument("seconds", type=float, help="CPU-seconds of each repeat")
    told = parser.parse_args()
    if not 0 < told.seconds <= 60:
        parser.error(f"seconds must be more than 0 and at most 60, not {told.seconds}")
    warnings.simplefilter("ignore")  # other people's deprecations
    try:
        print(json.dumps(rates(GAMES[told.name](), told.seconds)))
    except ModuleNotFoundError as error:
        print(json.dumps({"absent": (error.name or "").partition(".")[0]}))


if __name__ == "__main__":
    main()
