"""The game core: the rules as small compiled functions over structured numpy arrays.

`state` says what a table is, `data` what a rule set is (`baofen.envs.layout` fills in how cards are ordered once
trump is known), `step` how an action changes a table and which actions there are next. Everything here works on one
table (a record of the `TABLE` dtype) and one rule set (a record of the `RULES` dtype); batches are loops over tables.
"""
