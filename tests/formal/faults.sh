#!/usr/bin/env bash
# faults.sh <top of the project> <block>: puts faults into the RTL of a block, one at a time, and has scripts/prove look for
# them: each makes it fail with the property that the fault breaks, and with no fault everything is proved.
set -euo pipefail
# SPDX-License-Identifier: Apache-2.0
top=$1 block=$2
for tool in yosys berkeley-abc; do
  if ! command -v $tool >/dev/null; then
    echo "$tool is missing, so no fault is looked for: scripts/install-dependencies test" >&2
    exit 77
  fi
done
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
failed=0

# with_fault <proof> <property that is not proved, or nothing> <file> <sed expression>
with_fault() {
  local proof=$1
  shift
  rm -rf "$folder"/*
  mkdir "$folder/scripts"
  cp -r "$top/rtl" "$folder/rtl"
  cp "$top/scripts/prove" "$folder/scripts"
  local file=$folder/rtl/$block/$2 code=0
  sed -i "$3" "$file"
  if [ -n "$1" ] && cmp -s "$file" "$top/rtl/$block/$2"; then
    echo "$2 has nothing that '$3' changes"
    failed=1
    return
  fi
  "$folder/scripts/prove" --size "$size" --only "$proof" "$block" >"$folder/said" || code=$?
  if [ -z "$1" ] && [ $code = 0 ] && ! grep -q 'NOT PROVED' "$folder/said"; then
    echo "nothing wrong: $proof is proved"
  elif [ -n "$1" ] && [ $code = 1 ] && grep -q "^$1.*NOT PROVED" "$folder/said"; then
    echo "$2, $3: not proved that $1"
  else
    echo "$2, $3: exit code $code"
    cat "$folder/said"
    failed=1
  fi
}

dynamic_ray_shuffling() {
  local size="2 1 4 2 2"
  for proof in lanes table renaming warps rays progress idle; do with_fault $proof "" lane_match.sv ""; done
  with_fault lanes "a swap takes as many lanes" lane_match.sv 's/taken_i & expand(taken_moves_i, moving)/taken_i/'
  with_fault lanes "a swap takes as many lanes" packed_lanes.sv 's/holes_q & ~odd/holes_q/'
  with_fault table "a row holds what" ray_state_table.sv 's/{write_high_q, write_low_q};/{write_low_q, write_high_q};/'
  with_fault table "a row holds what" ray_state_table.sv 's/none_q\[write_row_q\] <= |(~write_high_q/none_q[write_row_q] <= |(write_high_q/'
  with_fault renaming "a warp has the row" warp_renaming.sv 's/start_i ? start_row_i : bind_row_i/start_row_i/'
  with_fault warps "a row is given in one state" dynamic_ray_shuffling.sv 's/ControlDecide & ~locks/ControlDecide/'
  with_fault warps "a row is given in one state" dynamic_ray_shuffling.sv 's/offered_valid_q & free\[offered_row_q\]/offered_valid_q/'
  with_fault warps "a row is given in one state" shuffle_control.sv 's/if (taken_meanwhile) begin/if (1'"'"'b0) begin/'
  with_fault warps "a warp exits only" dynamic_ray_shuffling.sv 's/~own_rays_q & ~rays_unbound_q/~own_rays_q/'
  with_fault warps "a swap keeps its rows" dynamic_ray_shuffling.sv 's/\.may_end_i          (~updates)/.may_end_i          (1'"'"'b1)/'
  with_fault warps "a swap ends" swap_buffers.sv 's/written_q == transfers_q & may_end_i/written_q == transfers_q - CountWidth'"'"'(1) \& may_end_i/'
  with_fault warps "a swap keeps its rows" swap_buffers.sv 's/(both_ways_q & ~write_back) ? CountWidth.(2)/(both_ways_q \& ~write_back) ? CountWidth'"'"'(1)/'
  with_fault rays "a ray keeps its registers" swap_buffers.sv 's/write_back ? source_moves_q : destination_moves_q/write_back ? destination_moves_q : source_moves_q/'
  with_fault rays "a ray keeps its registers" swap_buffers.sv 's/held_q\[write_slot_q\]}/held_q[read_slot_q]}/'
  with_fault rays "no ray is lost" shuffle_control.sv 's/both_ways_q <= ~(|empty)/both_ways_q <= |empty/'
  with_fault progress "each rdctrl gets" dynamic_ray_shuffling.sv 's/ControlLook: control_d = ControlDecide/ControlLook: if (!choice_reads) control_d = ControlDecide/'
  with_fault progress "a choice waits" shuffle_control.sv 's/UpdateWriteSource: update_d = UpdateNone/UpdateWriteSource: if (stage_q == Sample) update_d = UpdateNone/'
  with_fault idle "nothing changes" dynamic_ray_shuffling.sv 's/rests & ~busy & ~table_writes/rests \& ~busy/'
  with_fault idle "nothing changes" shuffle_control.sv 's/failed_q != 2.d3;/1'"'"'b1;/'
}

dynamic_microkernel() {
  local size="2 4 2 4 2"
  for proof in adder partial lines entries; do with_fault $proof "" spawn_lut.sv ""; done
  with_fault adder "addresses of a spawn" thread_address_adder.sv 's/count_i);/count_i | 1);/'
  with_fault partial "the partial warp of the lowest" lowest_partial.sv 's/PcWidth\] < pc/PcWidth] > pc/'
  with_fault lines "a micro-kernel has one line" spawn_lut.sv 's/used_q\[i\] & pc_q/used_q[i] \& has_first_q[i] \& pc_q/'
  with_fault entries "addresses handed out are unique" partial_warp_pool.sv 's/(takes\[1\] & second_o/(takes[0] \& second_o/'
  with_fault entries "the counter never passes a warp" spawn_lut.sv 's/completes_o = sum >= /completes_o = sum > /'
  with_fault entries "no thread is dropped" spawn_lut.sv 's/<= completes_o ? second_o : first_o/<= completes_o ? refill : first_o/'
  with_fault entries "a full warp is announced" dynamic_microkernel.sv 's/push_i(commit && completes)/push_i(commit \&\& completes \&\& !pop_i)/'
}

subwarp_interleaving() {
  local size="2 4 1 2"
  for proof in entries active selection; do with_fault $proof "" subwarp_wakeup.sv ""; done
  with_fault entries "a STALLED thread whose count" subwarp_wakeup.sv 's/is_stalled & is_zero ? Ready/is_stalled \& is_zero \& |match ? Ready/'
  with_fault entries "the count never goes below" subwarp_wakeup.sv 's/{&match, ^match}/|match/'
  with_fault entries "a result in the cycle of the stall" subwarp_interleaving.sv 's/stall_i(stall), .scoreboard_i(stall/stall_i(stall \& ~result[0+:Entries]), .scoreboard_i(stall/'
  with_fault active "at most one subwarp" subwarp_selection.sv 's/candidate = some_ready & ~active/candidate = some_ready \& (~active | waits_q)/'
  with_fault active "at most one subwarp" thread_status_table.sv 's/others = ~(set_i | taken)/others = ~taken/'
  with_fault selection "the lowest-numbered" subwarp_selection.sv 's/stalled_count >= runs_count/stalled_count > runs_count/'
  with_fault selection "no READY subwarp" subwarp_selection.sv 's/behind_next = .1 << next/behind_next = '"'"'1/'
  with_fault selection "no READY subwarp" subwarp_selection.sv 's/set_i(~take_peers_i)/set_i(take_peers_i)/'
}

benes_network() {
  local size="4 1 64"
  for proof in records round_trip; do with_fault $proof "" benes_control.sv ""; done
  with_fault records "every record arrives" benes_control.sv 's/ ^ from_up;/ ^ (from_up << 1);/'
  with_fault records "every record arrives" benes_control.sv 's/ ^ (from_down << 1));/ ^ from_down);/'
  with_fault records "every record arrives" benes_control.sv 's/firsts != .0 & seconds != .0 & //; s/1.b1 < {1.b0, firsts}/1'"'"'b1 < {1'"'"'b0, firsts} - 1'"'"'b1/'
  with_fault records "every record returns" benes_network.sv 's/Before = stage < Levels/Before = stage < Levels - 1/'
  with_fault records "a whole group splits" benes_control.sv 's/(gap) + 1.b1 </(gap) </'
  with_fault records "every record arrives" benes_network.sv 's/valid_i & ~(conflicts & second_q)/valid_i/'
  with_fault round_trip "unpacking is the inverse" benes_network.sv 's/unpacks ? Before : Behind/Behind/'
  with_fault round_trip "unpacking is the inverse" lane_counts.sv 's/>> step) & 1) == 1/>> step) \& 1) == 1 \&\& step != 1/'
}

"$block"
exit $failed
