# What scripts/prove proves of a subwarp scheduler, and how.
size_names="warps, entries, scoreboard bits, count bits"
size_parameters=(Warps Entries ScoreboardBits CountBits)
size_pattern='[0-9]+ [0-9]+ [0-9]+ [0-9]+'
fixed_parameters=()
smallest="2 4 1 2"
sizes=("$smallest" "3 6 2 3" "8 2 3 6")
own_size="8 32 3 6"

# The proof `entries` omits selection, whose outputs may then have any value.
proofs=(entries active selection)
how=([entries]=induction [active]=induction [selection]=induction)
top_of=([selection]=subwarp_selection)
to_prove=(
  [entries]="subwarp_interleaving"
  [active]="active_subwarp"
  [selection]="subwarp_selection"
)
at_least=([entries]=6 [active]=4 [selection]=8)
left_out=([entries]="i_selection")

wrong_properties=(
  "entries: nothing wakes up"
  "entries: no two results come for an entry at once"
  "active: all entries of a warp are ACTIVE"
  "selection: the entry whose turn it is leads"
  "selection: no READY entry is passed"
)
properties=(
  [entries]="a STALLED thread whose count is zero becomes READY
the count never goes below zero
a result in the cycle of the stall counts"
  [active]="at most one subwarp of a warp is ACTIVE"
  [selection]="the lowest-numbered stalled warp changes
no READY subwarp waits for ever"
)
