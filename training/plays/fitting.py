"""The loss of labelled decisions, and how well a scorer fits labels that it has not learned from."""

from dataclasses import dataclass

import torch
from torch import Tensor

from baofen.agents.policy.scorer import PlayScorer
from baofen.agents.policy.scorer_kernels import POINTS_PER_UNIT
from baofen.training.plays.ring import Minibatch


def centred(values: Tensor, batch: Minibatch) -> tuple[Tensor, Tensor]:
    """Return values of plays less the mean of their decision, [m], and the means, [n].

    Which play is best is all in the differences; what all plays of a decision have in common is mostly luck.
    """
    sums = torch.zeros(len(batch.count)).index_add_(0, batch.row_of_play, values)
    means = sums / batch.count
    return values - means[batch.row_of_play], means


@dataclass(frozen=True)
class Losses:
    """Parts of the loss of a minibatch, means over plays (the value's: over decisions), in units of 20 points squared."""

    points: Tensor
    bonus: Tensor
    value: Tensor

    def total(self, bonus_share: float, value_coefficient: float) -> Tensor:
        """Return what is learned from: an error of the bonus weighs as it does when playing."""
        return self.points + bonus_share**2 * self.bonus + value_coefficient * self.value


def losses(scorer: PlayScorer, batch: Minibatch, bonus_share: float) -> Losses:
    """Return the squared errors of a scorer's answers, centred within each decision."""
    points, bonus, value = scorer(batch.observation, batch.cards, batch.features, batch.row_of_play)
    wanted, mean_points = centred(batch.points / POINTS_PER_UNIT, batch)
    wanted_bonus, mean_bonus = centred(batch.bonus / POINTS_PER_UNIT, batch)
    return Losses(
        points=(centred(points, batch)[0] - wanted).square().mean(),
        bonus=(centred(bonus, batch)[0] - wanted_bonus).square().mean(),
        value=(value - mean_points - bonus_share * mean_bonus).square().mean(),
    )


@torch.no_grad()
def fit(scorer: PlayScorer, batch: Minibatch, bonus_share: float) -> dict[str, float]:
    """Return how a scorer does on labels of other deals.

    explained_variance_of_points: of the differences between the plays of a decision, at most 1.
    gain_points, gain_bonus: a decision, of the scorer's pick over the heuristic's, which is the first play.
    best_gain_points: the same of the play that is best by its label, noise and all.
    """
    points, bonus, _ = scorer(batch.observation, batch.cards, batch.features, batch.row_of_play)
    wanted, _ = centred(batch.points / POINTS_PER_UNIT, batch)
    answered, _ = centred(points, batch)
    ends = batch.count.cumsum(0)
    first = ends - batch.count
    pick = _best(points + bonus_share * bonus, batch, first)
    best = _best(batch.points + bonus_share * batch.bonus, batch, first)
    return {
        "explained_variance_of_points": 1
        - float((answered - wanted).square().sum() / wanted.square().sum().clamp_min(1e-9)),
        "gain_points": float((batch.points[pick] - batch.points[first]).mean()),
        "gain_bonus": float((batch.bonus[pick] - batch.bonus[first]).mean()),
        "best_gain_points": float((batch.points[best] - batch.points[first]).mean()),
    }


def _best(scores: Tensor, batch: Minibatch, first: Tensor) -> Tensor:
    """Return the best play of each decision, int64 [n]; the first of equals."""
    padded = torch.full((len(batch.count), int(batch.count.max())), -torch.inf)
    padded[batch.row_of_play, torch.arange(len(scores)) - first[batch.row_of_play]] = scores.float()
    return first + padded.argmax(1)
