# What scripts/prove proves of dynamic ray shuffling, and how.
size_names="warps, backup rows, lanes, registers, buffers"
size_parameters=(Warps BackupRows Lanes RayRegisters SwapBuffers)
size_pattern='[0-9]+ [0-9]+ (2|4|8|16|32) [0-9]+ [2-6]'
size_note=", lanes being a power of two up to 32"
fixed_parameters=("Rows=Warps + BackupRows + 2" WordWidth=1)
smallest="2 1 2 2 2"
sizes=("$smallest" "20 1 16 17 3")
own_size="58 1 32 17 6"

proofs=(lanes table renaming warps rays progress idle)
how=([lanes]=bdds [table]=induction [renaming]=induction [warps]=induction [rays]=induction [progress]=induction [idle]=induction)
top_of=([lanes]=shuffle_control [table]=ray_state_table [renaming]=warp_renaming)
to_prove=(
  [lanes]="swap_lanes"
  [table]="ray_state_table"
  [renaming]="warp_renaming"
  [warps]="dynamic_ray_shuffling swaps choices swap_buffers"
  [rays]="followed_rays"
  [progress]="progress"
  [idle]="idle swap_buffers"
)
proved_elsewhere=([rays]="swaps swap_buffers")
left_out=(
  [warps]="read_high_o read_low_o look_up_row_o"
  [rays]="read_high_o read_low_o i_renaming i_first i_second"
  [progress]="i_table i_renaming i_rows i_given i_taken i_match"
)
sees_within="warps rays progress idle"  # of inner modules, by the wires of wires.txt
at_least=([lanes]=15 [table]=4 [renaming]=2 [warps]=60 [rays]=20 [progress]=18 [idle]=12)
constant_while=([idle]=i_idle_properties.still)
begins=([lanes]="stage_q=4'd8")
cycles=([lanes]='3 + (Lanes > 1) + (Lanes > 2) + (Lanes > 4) + (Lanes > 8) + (Lanes > 16)')  # as long as a swap is packed

wrong_properties=(
  "warps: no swap ends that goes one way"
  "rays: no swap ends that goes both ways"
  "rays: a ray stays in its row"
  "table: a row holds what it held"
  "lanes: a ray stays in its lane"
  "renaming: a warp stays in its first row"
  "warps: no warp gets another row"
  "progress: a warp never waits ten cycles for an answer"
  "progress: a choice never takes as long as it may"
  "idle: the block is never idle"
)
properties=(
  [lanes]="a swap takes as many lanes of both rows, in order"
  [table]="a row holds what was written there last"
  [renaming]="a warp has the row that it was given last"
  [warps]="no row is bound to two warps
a row is given in one state, and does not swap
a report changes the row of its warp
a warp exits only without rays
a swap keeps its rows until the table shows it
a swap ends"
  [rays]="no ray is lost or copied
a ray keeps its registers and its state"
  [progress]="each rdctrl gets one answer, in time
a choice waits for nothing but the last swap"
  [idle]="nothing changes while the block is idle"
)
