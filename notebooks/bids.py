# ---
# jupyter:
#   jupytext:
#     text_representation:
#       extension: .py
#       format_name: percent
#   kernelspec:
#     display_name: Python 3
#     language: python
#     name: python3
# ---

# %% [markdown]
# # What is a hand worth?
#
# In Baofen one player promises points and plays alone against three. This page looks at the promise: what a hand of 25
# cards is worth, where 85, 95 and 120 become right, what a pot changes, and how Bao Hong Wu differs.
#
# One idea carries it all. The target is a constant in the result (points captured, less the target, plus a bonus), so
# card play hardly depends on it, and **one distribution of outcomes prices every call**. The distribution comes from
# play-outs: the hidden cards are dealt at random, the heuristic plays all four seats, again and again.

# %%
import numpy as np
from rich.console import Console

from baofen.agents import make_agent
from baofen.agents.bids.handvalues import hand_values
from baofen.agents.bids.outcomes import Event, Prices
from baofen.envs.cards import SUITS
from baofen.envs.rules import Rules
from baofen.training.bids.hand.advice import advise
from baofen.training.bids.hand.given import auction_view, parse_hand
from baofen.training.bids.hand.report import points_chart, print_advice
from baofen.training.bids.par.table import load_par

WORLDS = 600
console = Console(width=110)
middling = "BJ LJ 2h As As Kd Kd Td 5d 9d 8d 7d 3d 2d Kh 5h Ac Kc Tc 9c 3c 6s 7s 8s Qs"
strong = "BJ BJ LJ 2d 2s Ad Ad Kd Kd Td 9d 8d 5d 3d As As Kh Ac Kc 7c 8h 9h 6s 7s Js"
weak = "2h 3s 4s 6s 7s 9s Js Qs 3h 4h 4h 6h 8h 9h 4c 6c 7c 8c Jc Qc 4d 6d 8d 9d Jd"

# %% [markdown]
# ## One hand, all calls
#
# `advise` answers what `baofen bids AGENT --hand "..."` prints. The expected score of a call is what it brings if it
# buys the contract; that of the pass is what happens if the auction goes as it looks now. Each has its error: one
# standard error of the play-outs.

# %%
rules = Rules("suzhou")
faces = parse_hand(middling)
bidder = make_agent("bidder:value")
advice = advise(auction_view(rules, faces), bidder, num_worlds=WORLDS)
print_advice(advice, bidder.name, faces, console, rules.score_unit)

# %% [markdown]
# The distribution is wide: the same 25 cards bring 40 points or 140. Averages hide that; the chance to *make* a call is
# what a player feels, and the bonus for all trump points (+50) or none (-100) moves the score as much as ten tricks.

# %% [markdown]
# ## Where 85, 95 and 120 become right
#
# A call is right when buying the contract at it is worth more than passing. For three hands, the expected score of
# each contract:

# %%
prices = Prices(rules)
print("hand        points   made 85/95/120      score 85     95    120")
for name, hand in (("weak", weak), ("middling", middling), ("strong", strong)):
    values = hand_values(auction_view(rules, parse_hand(hand)), WORLDS)
    own = values.declaring()
    points, _ = values.mean(prices.points[own])
    made = [values.mean(prices.made(target)[own])[0] for target in (85, 95, 120)]
    scores = [values.mean(prices.scores(target)[own])[0] for target in (85, 95, 120)]
    print(f"{name:10} {points:7.1f}   " + " / ".join(f"{m:.0%}" for m in made), "   ", *(f"{s:+7.1f}" for s in scores))

# %% [markdown]
# ## Features
#
# What makes a hand strong? The shipped par table says for 10,000 deals how every seat with every trump came out. Take
# the trump that each seat would name, and look at points by the number of trumps and by jokers.

# %%
par = load_par()
points = par.prices.points[par.as_named()].mean(-1)
deals = par.deals()
hands = np.zeros((len(par), 4, 54), int)
for seat in range(4):
    places = (deals["first_caller"].astype(int) + np.arange(100)[:, None]) % 4 == seat
    for face in range(54):
        hands[:, seat, face] = ((deals["deck"][:, :100] == face) & places.T).sum(1)
named = par.named.astype(int)
suit_cards = hands[:, :, :52].reshape(len(par), 4, 4, 13)
own_suit = np.take_along_axis(suit_cards, named[:, :, None, None], 2)[:, :, 0]
twos = suit_cards[:, :, :, 0].sum(2)
jokers = hands[:, :, 52:].sum(2)
trumps = own_suit[:, :, 1:].sum(2) + twos + jokers
print("trumps    hands   points | by jokers  0      1      2      3")
for count in range(8, 17):
    chosen = trumps == count
    by_jokers = [points[chosen & (jokers == j)] for j in range(4)]
    row = "  ".join(f"{p.mean():5.1f}" if len(p) > 30 else "    -" for p in by_jokers)
    print(f"{count:6d} {chosen.sum():8d}   {points[chosen].mean():6.1f} |          {row}")

# %% [markdown]
# Each trump is worth some points, and so is each joker. The two lines that matter at the table: break-even for the
# first call of 85, and how far a hand is from it.

# %% [markdown]
# ## The bonus events
#
# Of all contracts in the par table with the trump as named:

# %%
outcomes = par.as_named()
for event in Event:
    print(f"{event.name.lower():10} {np.mean(par.prices.event[outcomes] == event):.1%}")

# %% [markdown]
# ## What the pot changes
#
# If all pass, everybody pays into a pot. Who then declares and makes it takes the pot too; who fails pays its size into
# it. So a pot of P adds P times (2 × chance to make it − 1): it makes good hands better and bad hands worse.

# %%
for pot in (0, 100, 200):
    values = hand_values(auction_view(rules, faces, pot=pot), WORLDS)
    own = values.declaring()
    told = [f"{target}: {values.mean(prices.rewards(target, pot)[own])[0]:+.1f}" for target in (85, 95, 105)]
    print(f"pot {pot:3d}   " + "   ".join(told))

# %% [markdown]
# ## Passing has a price
#
# Each defender pays the declarer's score. When somebody else has called, passing means to defend his contract:

# %%
for auction in ("85", "85 90", "85 90 95"):
    values = hand_values(auction_view(rules, faces, auction), WORLDS)
    last = int(auction.split()[-1])
    passing, error = values.mean(-prices.scores(last)[values.defending(3)])
    raising = values.mean(prices.scores(last + 5)[values.declaring()])[0]
    print(f"after {auction:9} passing {passing:+6.1f} ± {error:.1f}, declaring {last + 5} {raising:+6.1f}")

# %% [markdown]
# ## Bao Hong Wu
#
# Calls begin at 70, settlement is in levels (ten points or part of them, each defender pays), caught red fives and the
# bottom count, and there is no sweep: scores are nearly proportional to points, without the heavy tails of Baofen.

# %%
levels = Rules("hongwu")
level_prices = Prices(levels)
for name, hand in (("weak", weak), ("middling", middling), ("strong", strong)):
    values = hand_values(auction_view(levels, parse_hand(hand)), WORLDS)
    own = values.declaring()
    mean, error = values.mean(level_prices.points[own])
    suit = SUITS[int(np.bincount(values.named, minlength=4).argmax())]
    scores = [values.mean(level_prices.scores(target)[own])[0] for target in (70, 85, 100)]
    print(
        f"{name:10} trump {suit}, R {mean:6.1f} ± {error:.1f}; levels at 70, 85, 100:", *(f"{s:+.2f}" for s in scores)
    )

# %%
advice = advise(auction_view(levels, faces), bidder, num_worlds=WORLDS)
print(advice.sentence)
print("\n".join(points_chart(advice)))
