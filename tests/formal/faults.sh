#!/usr/bin/env bash
# faults.sh <top of the project>: puts faults into the RTL of dynamic ray shuffling, one at a time, and has scripts/prove
# look for them: each makes it fail with the property that the fault breaks, and with no fault everything is proved.
set -euo pipefail
top=$1
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
  local file=$folder/rtl/dynamic_ray_shuffling/$2 code=0
  sed -i "$3" "$file"
  if [ -n "$1" ] && cmp -s "$file" "$top/rtl/dynamic_ray_shuffling/$2"; then
    echo "$2 has nothing that '$3' changes"
    failed=1
    return
  fi
  "$folder/scripts/prove" --size "2 1 4 2" --only "$proof" >"$folder/said" || code=$?
  if [ -z "$1" ] && [ $code = 0 ] && ! grep -q 'NOT PROVED' "$folder/said"; then
    echo "nothing wrong: $proof is proved"
  elif [ -n "$1" ] && [ $code = 1 ] && grep -q "^$1 .*NOT PROVED" "$folder/said"; then
    echo "$2, $3: not proved that $1"
  else
    echo "$2, $3: exit code $code"
    cat "$folder/said"
    failed=1
  fi
}

for proof in lanes table warps rays; do with_fault $proof "" swap_choice.sv ""; done
with_fault lanes "a swap takes as many lanes" swap_choice.sv 's/taken & expand(destination_moves_o, moving)/taken/'
with_fault lanes "a swap takes as many lanes" lane_moves.sv 's/holes & ~odd/holes/'
with_fault table "a place holds" ray_state_table.sv 's/(to & {Lanes{Lows\[unit\]}})/(to \& {Lanes{Highs[unit]}})/'
with_fault warps "no row is bound to two warps" eject_choice.sv 's/inner_i & ~(bound_i | /inner_i \& ~(/'
with_fault warps "a swap ends" swap_buffers.sv 's/(read_q - written_q != CountWidth.(Buffers))/1'"'"'b1/'
with_fault rays "no ray is lost or copied" exchange_lanes.sv 's/compress(destination_moves_i, high_i)/compress(source_moves_i, high_i)/'
with_fault rays "a ray keeps its registers" swap_buffers.sv 's/write_back ? source_moves_q/write_back ? destination_moves_q/'
exit $failed
