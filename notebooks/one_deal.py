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
# # One deal of Baofen, from the cards to the score
#
# Baofen (包分) is a card game for four with two packs: one player promises to take a number of points and plays alone
# against the other three. This page plays one deal with the built-in heuristic in all seats and looks at what the
# library shows on the way: hands, the auction, action masks, why a play is illegal, a throw, the score, the record.

# %%
import numpy as np

from baofen.agents.registry import make_agent
from baofen.envs import Table
from baofen.envs.actions import action_name
from baofen.envs.cards import parse_cards
from baofen.envs.observation import PARTS, named_views
from baofen.envs.render.display import table_text
from baofen.envs.render.text import hand_text
from baofen.envs.views import make_views

table = Table("suzhou", seed=1)
for seat in range(4):
    print(f"seat {seat}: {hand_text(parse_cards(table.hand(seat)))}")
print(f"seat {table.first_caller} speaks first")

# %% [markdown]
# ## The auction
#
# From the first caller on, each seat calls more than the last or passes for good. An agent sees a *view*: what one
# seat may know. It answers with a number of the action space; `action_name` says it in words.

# %%
heuristic = make_agent("heuristic")
heuristic.reset(num_tables=1, seed=0)


def answer() -> int:
    """Return what the heuristic would do for the seat to act."""
    return int(heuristic.act(make_views(table.rules, table.tables))[0])


while table.phase.name == "AUCTION":
    action = answer()
    print(f"seat {table.acting_seat}: {action_name(action)}")
    table.apply(action)
print(f"seat {table.declarer} declares {table.tables['target'][0]}")

# %% [markdown]
# ## Trump and the bottom
#
# The declarer takes the eight cards that were left over, names a suit as trump and puts eight cards of his choice away.
# The mask says at each step what may be done: four suits first, then any card of the hand.

# %%
print("legal:", ", ".join(action_name(a) for a in table.legal_actions()))
table.apply(answer())
print("trump is", table.trump)
buried = []
while table.phase.name == "BURY":
    action = answer()
    buried.append(action)
    table.apply(action)
print("buried:", hand_text(buried))

# %% [markdown]
# ## Playing card by card
#
# A play of several cards is chosen card by card. A lead ends with `commit`; a follow ends by itself. The mask is exact:
# a card may be picked if and only if the selection can still be completed to a legal play.

# %%
print(table_text(table))
print("\nthe leader may pick any of his", len(table.legal_actions()), "faces (or lead an eight, if he holds one)")

# %% [markdown]
# The first lead is a throw: several components of one suit together, here the big joker and a pair of 2s. Nobody can
# beat either of them, so the throw stands; else the lowest part that can be beaten would be led alone, and paid for.
# The next seat owes three trumps, a pair among them if it has one.

# %%
while table.tables["num_plays"][0] == 0:
    table.apply(answer())
assert table.tables["lead_is_throw"][0]
print(table_text(table))
follower = table.acting_seat
print(f"\nseat {follower} may pick:", ", ".join(action_name(a) for a in table.legal_actions()))

# %% [markdown]
# Anything else is refused, and nothing changes; the reason names the rule. The same words answer an illegal action, a
# wrong game record, and a person at the table.

# %%
illegal = [a for a in parse_cards(table.hand(follower)) if a not in table.legal_actions()]
for action in sorted(set(illegal))[:3]:
    print(f"{action_name(action)}: {table.why_illegal(action)}")

# %% [markdown]
# ## What a seat may know
#
# The observation is a vector of bytes with named parts. Hidden cards are in no part of it.

# %%
parts = named_views(table.observe(follower))
for part in PARTS:
    if part.name in ("hand_cards", "trump", "declarer", "target", "captured", "lead_cards", "lead_pairs", "unseen"):
        print(f"{part.name:10} {parts[part.name].reshape(-1).tolist()}   {part.meaning}")
assert table.observe(follower).dtype == np.uint8

# %% [markdown]
# ## To the last trick

# %%
captured = [0]
while not table.is_over:
    before = int(table.tables["num_tricks"][0])
    table.apply(answer())
    if table.tables["num_tricks"][0] > before:
        captured.append(int(table.tables["captured"][0]))
print("points of the declarer, trick by trick:", captured)

# %% [markdown]
# ## The score
#
# The declarer's points against the target, 50 more with all trump points, 100 less with none; each defender pays or
# gets the same. The record of the deal is text that any tool can read back and check.

# %%
result = table.result
assert result is not None
print(result)
again = Table.from_record(table.record())
assert again.result == result
assert again.totals == table.totals
