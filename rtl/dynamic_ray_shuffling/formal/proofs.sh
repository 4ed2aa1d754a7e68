# What scripts/prove proves of dynamic ray shuffling, and how.
size_names="warps, backup rows, lanes, registers"
size_parameters=(Warps BackupRows Lanes RayRegisters)
size_pattern='[0-9]+ [0-9]+ (2|4|8|16|32) [0-9]+'
size_note=", lanes being a power of two up to 32"
fixed_parameters=(WordWidth=1)
smallest="2 1 2 2"
sizes=("$smallest" "20 1 16 17")
own_size="58 1 32 17"

# Four proofs. Each has the modules whose properties it proves, the least number of these properties (so that none is lost
# unnoticed), the modules whose properties it may assume because another proof shows them, and the instances that it leaves
# out. The outputs of omitted instances may have any value.
proofs=(lanes table warps rays)
how=([lanes]=bdds [table]=induction [warps]=induction [rays]=induction)
top_of=([lanes]=swap_choice)
to_prove=(
  [lanes]="swap_choice"
  [table]="ray_state_table"
  [warps]="dynamic_ray_shuffling swap_units swap_buffers"
  [rays]="followed_rays"
)
at_least=([lanes]=15 [table]=8 [warps]=60 [rays]=50)
proved_elsewhere=([rays]="swap_units swap_buffers")
choices="i_collect_leaf i_collect_fetch i_eject_inner i_renaming"
left_out=(
  [table]="gen_unit[*].i_choice gen_unit[*].i_buffers $choices"
  [warps]="gen_unit[*].i_choice"
  [rays]="gen_unit[*].i_choice i_table $choices"
)
sees_within="warps rays"  # of inner modules, by the wires of wires.txt

wrong_properties=(
  "warps: no swap ends that goes one way"
  "rays: no swap ends that goes both ways"
  "rays: a ray stays in its row"
  "table: a place holds what it held"
  "lanes: a ray stays in its lane"
)
properties=(
  [lanes]="a swap takes as many lanes of both rows, in order"
  [table]="a place holds what was written there last"
  [warps]="no row is bound to two warps
rows are given in one state, and do not swap
a swap ends"
  [rays]="no ray is lost or copied
a ray keeps its registers and its state"
)
