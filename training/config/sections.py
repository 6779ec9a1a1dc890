"""What can be set, section by section: the defaults live here and nowhere else.

Names say what is counted. A *decision* is one answer of one seat, a *deal* one dealing of the cards, an
*iteration* one round of sampling and learning.
"""

from typing import Annotated, Literal, Self

from pydantic import ConfigDict, Field, model_validator
from pydantic.dataclasses import dataclass

# The sentence under a field is its help on the command line.
SETTINGS = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False, use_attribute_docstrings=True)

MAX_HIDDEN_LAYERS = 64
"""As agents read them (`baofen.agents.policy.policy_files`), which nothing here can load: they need the game."""

Count = Annotated[int, Field(ge=1)]
CountOrZero = Annotated[int, Field(ge=0)]
Positive = Annotated[float, Field(gt=0)]
NotNegative = Annotated[float, Field(ge=0)]
Probability = Annotated[float, Field(ge=0, le=1)]
Switch = bool | int | str
Precision = Literal["auto", "fp32", "fp32-medium", "bf16"]
# A list in a file becomes a tuple, so that a config cannot be changed by accident.
Names = Annotated[tuple[str, ...], Field(strict=False)]
LayerSizes = Annotated[tuple[Count, ...], Field(strict=False, min_length=1, max_length=MAX_HIDDEN_LAYERS)]


@dataclass(frozen=True, kw_only=True, config=SETTINGS)
class GameConfig:
    """Which game is played."""

    rules: str = "suzhou"
    """Name of the rule preset."""

    options: dict[str, Switch] = Field(default_factory=dict)
    """House rules that differ from the preset: name of the switch and its value."""

    deals_per_match: Count = 1
    """Deals that share one set of running totals, one pot and one rotation of the first caller."""


@dataclass(frozen=True, kw_only=True, config=SETTINGS)
class StartsConfig:
    """How a training match starts, so that bidders meet every score and pot. The first caller is drawn evenly."""

    pot_probability: Probability = 0.25
    """Share of matches that start with a pot on the table (its size and age are drawn)."""

    practice_auction_probability: Probability = 0.75
    """Share of matches whose auctions the heuristic calls; only play is learned from there. Without them, beginners
    find that every contract loses, soon only pass, and never learn to play."""

    totals_std_points: NotNegative = 150.0
    """Standard deviation, in points, of the running totals that a match starts with; 0 starts at zero."""


@dataclass(frozen=True, kw_only=True, config=SETTINGS)
class NetworkConfig:
    """The network of each role: bidder, declarer and defender have one each, of one shape."""

    hidden_sizes: LayerSizes = (256, 256)
    """Units of each hidden layer."""


@dataclass(frozen=True, kw_only=True, config=SETTINGS)
class SamplingConfig:
    """How games are played for learning."""

    num_env_runners: CountOrZero | None = None
    """Extra processes that play; 0 plays in the learner's own process. None: with plays one where there is a second core,
    which then labels while the learner learns; with ppo none."""

    tables_per_runner: Count = 1024
    """Tables that one runner plays side by side."""

    decisions_per_iteration: Count = 65_536
    """Decisions gathered before each round of learning (whole deals only, so a little more)."""

    skip_forced_decisions: bool = True
    """Do not ask, nor learn, where only one action is legal."""

    inference_precision: Precision = "auto"
    """Arithmetic of the playing networks; auto takes bf16 where the processor is quicker with it, else fp32-medium."""


@dataclass(frozen=True, kw_only=True, config=SETTINGS)
class RoleValues:
    """One number for each role."""

    bidder: NotNegative
    """For the network that calls."""

    declarer: NotNegative
    """For the network that names trump, buries and plays alone."""

    defender: NotNegative
    """For the network that plays against the declarer."""


@dataclass(frozen=True, kw_only=True, config=SETTINGS)
class RoleShares:
    """One share, 0 .. 1, for each role."""

    bidder: Probability
    """For the network that calls."""

    declarer: Probability
    """For the network that names trump, buries and plays alone."""

    defender: Probability
    """For the network that plays against the declarer."""


@dataclass(frozen=True, kw_only=True, config=SETTINGS)
class EntropyConfig:
    """The bonus for undecided policies: goes in a straight line from `start` to `end`."""

    start: RoleValues = RoleValues(bidder=0.02, declarer=0.01, defender=0.01)
    """Coefficients at the first decision."""

    end: RoleValues = RoleValues(bidder=0.005, declarer=0.002, defender=0.002)
    """Coefficients from `decay_decisions` on."""

    decay_decisions: Count = 10_000_000
    """Decisions sampled until `end` is reached."""


@dataclass(frozen=True, kw_only=True, config=SETTINGS)
class LearningConfig:
    """Proximal policy optimisation."""

    epochs_per_iteration: Count = 2
    """Passes over the decisions of one iteration."""

    minibatch_decisions: Count = 1024
    """Decisions of the declarer or of the defenders in one gradient step."""

    bidder_minibatch_decisions: Count = 512
    """Decisions of the bidder in one gradient step: a deal has few, and they would make hardly a step otherwise."""

    learning_rate: RoleValues = RoleValues(bidder=3e-4, declarer=1e-3, defender=1e-3)
    """Step size of the Adam optimiser; with plays it falls over the run, and the bidder's has no effect: it is not learned."""

    entropy: EntropyConfig = EntropyConfig()
    """The bonus for undecided policies."""

    clip: Annotated[float, Field(gt=0, lt=1)] = 0.2
    """How far the probability ratio may leave 1 before its gradient is cut."""

    value_clip: Positive | None = None
    """Largest squared value error that still counts, in scaled units; None counts all."""

    value_loss_coefficient: NotNegative = 0.5
    """Weight of the value loss beside the policy loss."""

    discount: Probability = 1.0
    """Weight of the next decision's return (a deal is short: 1 counts it fully)."""

    gae_lambda: RoleShares = RoleShares(bidder=0.9, declarer=0.8, defender=0.7)
    """How far advantages look ahead: 0 trusts the value network, 1 the outcome. Most of what happens later is the other
    seats' doing, for a defender more than for the declarer."""

    max_grad_norm: Positive = 0.5
    """Longest gradient of one role's network; longer ones are shortened to it."""

    return_scale_points: Positive = 100.0
    """Points that make a return of one: rewards are divided by it. A level of Bao Hong Wu counts as 10 points."""

    pay_at_once: bool = True
    """Count captured points when a trick brings them, not when the deal ends; a deal's sum stays the same."""

    precision: Precision = "auto"
    """Arithmetic of learning; auto takes bf16 where the processor is quicker with it, else fp32-medium."""

    threads: Count = 1
    """Threads of that arithmetic. More are quicker only on cores that are idle: beside other work they wait for each
    other. Results may differ in the last digits."""


@dataclass(frozen=True, kw_only=True, config=SETTINGS)
class PlaysConfig:
    """The method plays: which decisions are labelled by playing out all their plays, and what learns the labels."""

    hidden_size: Count = 384
    """Units of the embedding of what a seat knows, in each of the three networks (declarer, defender, bury)."""

    head_size: Count = 128
    """Units of the last layer, where a play meets the embedding."""

    decisions_per_iteration: Count = 8192
    """Labelled decisions of one iteration, about."""

    true_share: Probability = 0.25
    """Share of the plays that are labelled in the true deal: cheap, and noisy."""

    worlds_share: Probability = 0.06
    """Share of the plays that are labelled by the mean over `num_worlds` worlds that the seat may be in."""

    num_worlds: Count = 8
    """Worlds of such a label."""

    lead_factor: Count = 4
    """How many times as often leads are labelled in worlds: more is at stake there."""

    bury_share: Probability = 0.5
    """Share of the buries that are labelled."""

    exploration: Probability = 0.1
    """Share of the plays that are drawn from the list, so that labels cover what the players would not do."""

    worlds_from: Probability = 0.25
    """Share of the run after which labels in worlds begin; before it all are of the true deal."""

    network_from: Probability = 0.35
    """Share of the run after which the network plays too: labels then come from where it gets itself."""

    network_share: Probability = 0.7
    """Share of the sides that the network plays from then on; the heuristic has the others."""

    continuations_from: Probability = 1.0
    """Share of the run after which some labels let the network go on leading for its side in the play-outs, where until
    then the heuristic plays all seats to the end. Dear: it pays in runs of half an hour. 1 never does."""

    continuations_share: Probability = 0.7
    """Share of the time of labelling that goes into those labels from then on."""

    continuation_worlds: Count = 4
    """Worlds of such a label."""

    continuation_plays: Annotated[int, Field(ge=2)] = 6
    """Most plays of a decision that are labelled so: those the network likes best, and the heuristic's own."""

    world_weight: Positive = 4.0
    """How many times as often a label that is a mean over worlds is learned from."""

    continuation_weight: Positive = 8.0
    """The same of labels that the network went on to play."""

    passes: Positive = 2.5
    """How often a label of the true deal is learned from, on average, while learning and labelling take turns; with
    runner processes learning goes on all the time, at most four times as often."""

    buffer_decisions: Annotated[int, Field(ge=1024)] = 300_000
    """Newest labelled decisions of each kind that are kept to learn from; 2 kB each."""

    held_decisions: CountOrZero = 3000
    """Labelled decisions of other deals, never learned from, on which the curves `fit_...` are measured."""

    bonus_share: Probability = 0.25
    """Weight of what the score brings beyond captured points, in learning and in playing."""

    final_rate_share: Annotated[float, Field(gt=0, le=1)] = 0.02
    """The learning rate falls exponentially to this share of `learning.learning_rate` over the run."""


@dataclass(frozen=True, kw_only=True, config=SETTINGS)
class LeagueConfig:
    """Past selves as opponents."""

    snapshot_every_iterations: Count = 20
    """Iterations between two copies of the networks that join the pool."""

    pool_size: CountOrZero = 8
    """Copies that are kept; 0 plays against the present networks only."""

    frozen_table_probability: Probability = 0.25
    """Share of tables at which past selves sit in the other seats."""


@dataclass(frozen=True, kw_only=True, config=SETTINGS)
class StoppingConfig:
    """When training ends: at whichever limit comes first. Resuming goes on to the same limits."""

    minutes: Positive | None = 5.0
    """Minutes of training, all sittings together; None sets no limit."""

    iterations: Count | None = None
    """Iterations; None sets no limit."""

    decisions: Count | None = None
    """Decisions sampled; None sets no limit."""

    @model_validator(mode="after")
    def _has_a_limit(self) -> Self:
        if self.minutes is None and self.iterations is None and self.decisions is None:
            raise ValueError("set at least one of minutes, iterations, decisions")
        return self


@dataclass(frozen=True, kw_only=True, config=SETTINGS)
class EvaluationConfig:
    """Matches against fixed agents, on deals that training never sees."""

    every_iterations: Count = 25
    """Iterations between two quick evaluations."""

    deals: Annotated[int, Field(ge=2)] = 256
    """Deals of each quick comparison."""

    baselines: Names = ("random", "heuristic")
    """Agents to compare with, by name."""

    final_deals: Annotated[int, Field(ge=2)] = 2000
    """Deals of each comparison in the table at the end."""


@dataclass(frozen=True, kw_only=True, config=SETTINGS)
class CheckpointsConfig:
    """Copies of the whole state of training, from which it can be resumed."""

    every_iterations: Count = 25
    """Iterations between two checkpoints; one more is written at the end."""

    keep: Count = 3
    """Newest checkpoints that are kept."""
