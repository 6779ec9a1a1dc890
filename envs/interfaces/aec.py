"""Baofen as a PettingZoo environment: four seats that act in turn (`docs/episode.md`)."""

from collections.abc import Mapping
from operator import index
from typing import Any

import numpy as np
from gymnasium.spaces import Dict, Discrete
from numpy.typing import NDArray
from pettingzoo import AECEnv

from baofen.envs.actions import NUM_ACTIONS
from baofen.envs.cards import NUM_SEATS
from baofen.envs.core.loops import (
    DEAL_ENDED,
    ENDED,
    ILLEGAL,
    PAID,
    PLAIN_ANSWERS,
    SEAT_MASK,
    apply_single,
    mask_single,
    observe_single,
    step_single,
)
from baofen.envs.deal_checks import check_deals_per_match
from baofen.envs.explain import explain
from baofen.envs.interfaces.spaces import action_space, check_history_tokens, masked_observation_space, state_box
from baofen.envs.observation import OBSERVATION_SIZE
from baofen.envs.records import replay_record
from baofen.envs.render.modes import HUMAN, check_render_mode, render_modes_here, render_table
from baofen.envs.rules import OptionValue, Rules
from baofen.envs.table import Table

AGENTS = tuple(f"seat_{seat}" for seat in range(NUM_SEATS))
SEATS = {agent: seat for seat, agent in enumerate(AGENTS)}

Observation = dict[str, NDArray[Any]]


class BaofenEnv(AECEnv[str, Observation, int]):
    """Four seats, one action space for exposing, calling, naming trump, burying and playing.

    An observation is `{"observation": uint8 [O], "action_mask": int8 [99]}`: what the seat may know, and what it may do
    now; the mask is all zeros for a seat that is not to act. Rewards are the changes of the running totals, unscaled. An
    episode is a match of `deals_per_match` deals. An illegal action raises `IllegalAction` and changes nothing.

    `table` is the game itself, with its `record()`; reading it is free, acting is for `step`.
    """

    table: Table

    metadata = {  # noqa: RUF012, PettingZoo's own habit
        "name": "baofen_v0",
        "render_modes": render_modes_here(),
        "render_fps": 1,
        "is_parallelizable": False,
    }

    def __init__(
        self,
        rules: str | Rules = "suzhou",
        options: Mapping[str, OptionValue] | None = None,
        deals_per_match: int = 1,
        render_mode: str | None = None,
        history_tokens: bool = False,
    ) -> None:
        """Make an environment; `reset` deals.

        history_tokens: observations also have `"history_tokens"`, int16 [H]: the actions of the deal that the seat knows,
            for sequence models (`baofen.envs.history.history_tokens`).

        Raises:
            ValueError: for rules, options, a number of deals or a render mode that do not exist.
            TypeError: if `history_tokens` is neither True nor False.
            DependencyNotInstalled: for the render mode `rgb_array` without Pillow.
        """
        super().__init__()
        self.rules = Rules.of(rules, options)
        check_render_mode(render_mode)
        self.deals_per_match = check_deals_per_match(deals_per_match)
        self.render_mode = render_mode
        self.possible_agents = list(AGENTS)
        self.agents: list[str] = []
        self.history_tokens = check_history_tokens(history_tokens)
        self.observation_spaces = {agent: masked_observation_space(history_tokens=history_tokens) for agent in AGENTS}
        self.action_spaces = {agent: action_space() for agent in AGENTS}
        self.state_space = state_box()

    def observation_space(self, agent: str) -> Dict:
        """Return the space of a seat's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Discrete[np.int64]:
        """Return the space of a seat's actions."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a match: from a seed, or else the next of the stream of deals.

        options: `{"record": {...}}` begins with a game record (`record.md`) instead of a new deal, its actions played
            first; the match is played by the rules of the record. Anything else is ignored, as PettingZoo's own tests ask.

        Raises:
            RecordError: for a record that is not legal.
            ValueError: for a record of a game that is over.
        """
        record = (options or {}).get("record")
        if record is not None:
            table = replay_record(record, seed=self._some_seed(seed), deals_per_match=self.deals_per_match)
            if table.is_over:
                raise ValueError("the game on record is over: nobody could act")
            self.table = table
        elif seed is None and hasattr(self, "table") and self.table.rules == self.rules:
            self.table.rematch()
        else:
            self.table = Table(self.rules, seed=self._some_seed(seed), deals_per_match=self.deals_per_match)
        self._tables = self.table.tables
        self._rules_in_force = self.table.rules.record
        self._totals = self._tables["totals"][0].tolist()
        self.agents = list(AGENTS)
        self.agent_selection = AGENTS[self.table.acting_seat]
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in AGENTS}
        self.rewards = dict.fromkeys(AGENTS, 0.0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0.0)
        self._skip_agent_selection = None
        self._shown: Observation | None = None
        self._has_paid = False
        self._is_over = False
        self._show_people()

    def step(self, action: int) -> None:
        """Take an action of the selected seat; None for a seat whose match is over.

        Raises:
            IllegalAction: with the reason; nothing has changed then.
        """
        if self._is_over:
            self._leave(action)
            return
        observation = np.empty(OBSERVATION_SIZE, np.uint8)
        mask = np.empty(NUM_ACTIONS, np.int8)
        before = self._tables.copy() if self.deals_per_match > 1 else self._tables
        try:
            answer = step_single(self._tables, self._rules_in_force, index(action), observation, mask)
        except OverflowError:  # no action is beyond 64 bits
            answer = ILLEGAL
        if answer == ILLEGAL:
            fault = explain(self._tables, self.table.rules, index(action))
            assert fault is not None
            raise fault.as_error()
        self._shown = {"observation": observation, "action_mask": mask}
        self._cumulative_rewards[self.agent_selection] = 0.0
        if answer < PLAIN_ANSWERS:
            self.agent_selection = AGENTS[answer]
            if self._has_paid:
                self._pay()
            self._show_people()
            return
        if answer & DEAL_ENDED:
            self.table.keep_finished_deal(before, apply_single, index(action))
        self._go_on(answer)

    def forfeit(self, seat: int | str, room: str = "points") -> None:
        """End the deal because a seat, by number or agent name, leaves (`rules.md` section 5).

        Raises:
            ValueError: if the match is over, or there is no such seat or room.
        """
        self.table.forfeit(SEATS.get(seat, -1) if isinstance(seat, str) else seat, room)
        self._shown = None
        self._go_on(PAID | (ENDED if self.table.is_over else self.table.acting_seat))

    def observe(self, agent: str) -> Observation:
        """Return what a seat may know; its mask is all zeros if it is not to act."""
        if agent == self.agent_selection and self._shown is not None:
            shown, self._shown = self._shown, None  # arrays are handed out once: the caller may write to them
            return self._with_history(agent, shown) if self.history_tokens else shown
        observation = np.empty(OBSERVATION_SIZE, np.uint8)
        observe_single(self._tables, self._rules_in_force, SEATS[agent], observation)
        if agent == self.agent_selection and not self.terminations.get(
            agent, True
        ):  # a wrapper may have ended the game
            mask = np.empty(NUM_ACTIONS, np.int8)
            mask_single(self._tables, self._rules_in_force, mask)
        else:
            mask = np.zeros(NUM_ACTIONS, np.int8)
        shown = {"observation": observation, "action_mask": mask}
        return self._with_history(agent, shown) if self.history_tokens else shown

    def _with_history(self, agent: str, shown: Observation) -> Observation:
        return {**shown, "history_tokens": self.table.history_tokens(SEATS[agent])}

    def state(self) -> NDArray[np.uint8]:
        """Return the omniscient state, uint8 [S] (`baofen.envs.observation.STATE_PARTS`)."""
        return self.table.state()

    def render(self) -> str | NDArray[np.uint8] | None:
        """Return the whole table, all hands open: as text (`ansi`) or as a picture, uint8 [H, W, 3] (`rgb_array`).

        The mode `human` prints the text, also by itself after each `reset` and `step`.
        """
        shown: str | NDArray[np.uint8] | None = render_table(self.table, self.render_mode)
        return shown

    def close(self) -> None:
        """Do nothing: there is no window to close."""

    def _show_people(self) -> None:
        if self.render_mode == HUMAN:
            self.render()

    def _go_on(self, answer: int) -> None:
        """See to what is rarer than the next seat acting: rewards, and the end of the match."""
        self._pay()
        if answer & ENDED:
            self._is_over = True
            self._shown = None
            self.terminations = dict.fromkeys(AGENTS, True)
            self.agent_selection = AGENTS[0]
        else:
            self.agent_selection = AGENTS[answer & SEAT_MASK]
        self._show_people()

    def _pay(self) -> None:
        """Make the changes of the running totals the rewards."""
        totals = self._tables["totals"][0].tolist()
        changes = [float(now - before) for now, before in zip(totals, self._totals, strict=True)]
        self._totals = totals
        self._has_paid = any(changes)
        self.rewards = dict(zip(AGENTS, changes, strict=True))
        if self._has_paid:
            self._accumulate_rewards()

    def _leave(self, action: object) -> None:
        """Let the selected seat leave a match that is over."""
        if not self.agents:
            raise ValueError("the match is over and all seats have left: reset() begins the next")
        self._was_dead_step(action)

    def _some_seed(self, seed: int | None) -> int:
        """Return the seed, or without one the place in the stream of deals, or where there is none a random number."""
        if seed is not None:
            return seed
        if hasattr(self, "table"):
            return int(self.table.tables["rng"][0])
        return int(np.random.SeedSequence().generate_state(1, np.uint64)[0])
