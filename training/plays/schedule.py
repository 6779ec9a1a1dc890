"""What is labelled when: cheap labels first, better ones once there is a network that is worth them."""

from baofen.agents.plays.labeller import Labelling
from baofen.training.config import PlaysConfig


def labelling(plays: PlaysConfig, share_done: float) -> Labelling:
    """Return how deals are labelled at a share of the run (0 .. 1), continuations apart.

    >>> labelling(PlaysConfig(), 0.0).worlds, labelling(PlaysConfig(), 0.9).worlds > 0
    (0.0, True)
    """
    worlds = share_done >= plays.worlds_from
    return Labelling(
        true=plays.true_share,
        worlds=plays.worlds_share if worlds else 0.0,
        num_worlds=plays.num_worlds if worlds else 0,
        lead_factor=plays.lead_factor,
        bury=plays.bury_share,
        exploration=plays.exploration,
        network=plays.network_share if share_done >= plays.network_from else 0.0,
    )


def held_labelling(plays: PlaysConfig) -> Labelling:
    """Return how the labels are made that tell the fit: in worlds, of the heuristic's own deals."""
    return Labelling(true=0.0, worlds=0.2, num_worlds=plays.num_worlds, lead_factor=1, bury=1.0, exploration=0.05)


def continuing(plays: PlaysConfig) -> Labelling:
    """Return how labels of leads are made whose play-outs the network leads for its side.

    Of the declarer alone: for defenders labels of the heuristic's play-outs were the better ones.
    """
    return Labelling(
        true=0.0,
        worlds=1.0,
        num_worlds=plays.continuation_worlds,
        lead_factor=1,
        bury=0.0,
        exploration=plays.exploration,
        network=1.0,
        own_leads=True,
        only_leads=True,
        only_declarer=True,
        top=plays.continuation_plays,
    )


def has_continuations(plays: PlaysConfig, share_done: float) -> bool:
    """Return whether labels with continuations are made at a share of the run."""
    return plays.continuations_from <= share_done < 1 and plays.continuations_share > 0
