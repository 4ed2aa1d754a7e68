#!/usr/bin/env bash
# legal_sizes.sh TREE BLOCK: elaboration refuses sizes of a block outside the ranges that its port list documents, and accepts
# the limits. Other parameters have their lowest values, which Verilator's lint passes without a warning.
set -euo pipefail
# SPDX-License-Identifier: Apache-2.0
tree=$1 block=$2
command -v verilator >/dev/null || {
  echo "skipped: no verilator"
  exit 77
}
source=$tree/rtl/$block/$block.sv
log=$(mktemp)
trap 'rm -f "$log"' EXIT

fail() {
  echo "$1"
  head -n 5 "$log"
  exit 1
}

names=() ranges=() lowest=()
while IFS='|' read -r name range; do
  documented=$(sed -nE "s/^  parameter int unsigned $name = .*\/\/ (.*)/\1/p" "$source")
  if [[ $documented != *"$range"* ]]; then fail "$name: the check says '$range', the comment '$documented'"; fi
  names+=("$name")
  ranges+=("$range")
  lowest+=("$(sed -E 's/^a power of two, //; s/ to .*//' <<<"$range")")
done < <(sed -nE 's/^    \$error\("(\w+) must be (.*)"\);/\1|\2/p' "$source")
parameters=$(grep -c '^  parameter int unsigned' "$source")
if [ "${#names[@]}" -ne "$parameters" ]; then fail "$block has $parameters parameters, and ${#names[@]} checks"; fi

# lint [<index> <value>]: all parameters have their lowest values, except this one. Large tables have long loops and words.
lint() {
  local settings=() i
  for i in "${!names[@]}"; do settings+=("-G${names[i]}=${lowest[i]}"); done
  if [ $# -gt 0 ]; then settings[$1]=-G${names[$1]}=$2; fi
  verilator --lint-only -Wall --unroll-count 2048 --unroll-stmts 1000000 -I"$tree/rtl/$block" "${settings[@]}" \
    "$tree/rtl/$block"/*.sv "$tree"/rtl/common/*.sv --top-module "$block" >"$log" 2>&1
}

lint || fail "the lowest sizes are legal, but:"
for i in "${!names[@]}"; do
  high=${ranges[i]##* to }
  lint "$i" "$high" || ! grep -E "must be|%Error: [^E]" "$log" || fail "${names[i]} = $high is legal, but:"
  if lint "$i" "$((high + 1))" || ! grep -q "${names[i]} must be ${ranges[i]}" "$log"; then
    fail "${names[i]} = $((high + 1)) is not refused"
  fi
  # Below the lowest size, vectors without bits are errors, too.
  if [ "${lowest[i]}" -gt 0 ] && lint "$i" "$((lowest[i] - 1))"; then fail "${names[i]} = $((lowest[i] - 1)) is not refused"; fi
done
echo "$block: $parameters ranges are checked"
