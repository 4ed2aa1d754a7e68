# What scripts/prove proves of dynamic ray shuffling, and how.
size_names="warps, backup rows, lanes, registers, buffers"
size_parameters=(Warps BackupRows Lanes RayRegisters SwapBuffers)
size_pattern='[0-9]+ [0-9]+ (2|4|8|16|32) [0-9]+ [2-6]'
size_note=", lanes being a power of two up to 32"
fixed_parameters=("Rows=Warps + BackupRows + 2" WordWidth=1)
smallest="2 1 2 2 2"
sizes=("$smallest" "20 1 16 17 3")
own_size="58 1 32 17 6"

proofs=(lanes table renaming rows)
how=([lanes]=bdds [table]=induction [renaming]=induction [rows]=induction)
top_of=([lanes]=shuffle_control [table]=ray_state_table [renaming]=warp_renaming)
to_prove=(
  [lanes]="swap_lanes"
  [table]="ray_state_table"
  [renaming]="warp_renaming"
  [rows]="dynamic_ray_shuffling"
)
at_least=([lanes]=15 [table]=4 [renaming]=2 [rows]=2)
left_out=([rows]="i_table i_buffers")
begins=([lanes]="stage_q=4'd8")
cycles=([lanes]='3 + (Lanes > 1) + (Lanes > 2) + (Lanes > 4) + (Lanes > 8) + (Lanes > 16)')  # as long as a swap is packed

wrong_properties=(
  "table: a row holds what it held"
  "lanes: a ray stays in its lane"
  "rows: no row swaps"
)
properties=(
  [lanes]="a swap takes as many lanes of both rows, in order"
  [table]="a row holds what was written there last"
  [renaming]="a look-up returns the row that the warp was last given"
  [rows]="a row that a warp has does not swap"
)
