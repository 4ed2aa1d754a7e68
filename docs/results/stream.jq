# SPDX-License-Identifier: Apache-2.0
# Makes docs/results/stream.md, or with --arg form json its figures, from what scripts/results stream leaves: tessellation by number and size of stream
# registers (registers; with another replacement and with a deeper recursion, use), three kernels by hand by size (size), a Julia set with and without packing (packing, and changed with one thing changed), a Julia set, a tessellation and a kd-tree
# on every machine (machines), and the results of tests of known figures.

def percent: if . == null then "-" else (. * 1000 | round) / 10 | "\(.) %" end;
def ratio: (. * 100 | round) / 100 | tostring;
def whole: round | tostring;
def row: "| " + join(" | ") + " |";
def mean: add / length;
def shown: if . == null then "-" elif type == "boolean" then if . then "holds" else "does not hold" end
  elif type == "string" then . elif type == "object" then to_entries | map("\(.key): \(.value | shown)") | join("; ")
  elif type == "array" then "\(.[0] | shown) to \(.[1] | shown)" elif . >= 100 then whole else ratio end;
def lies_in($accept):
  if . == null then null
  elif type == "object" then . as $measured | all($accept | keys[]; . as $key | $measured[$key] | lies_in($accept[$key]))
  elif type == "boolean" then . == $accept
  else . >= $accept[0] and . <= $accept[1] end;

# The launch that the thesis measures is the last one.
def counts: .launches[-1].counters.stream_processor;
def registers: .launches[-1].counters["stream_processor.registers"];
def megabytes: . / 1048576 | ratio;

[inputs | {key: (input_filename | capture("results/stream/(?<path>.*)/report\\.json$").path), value: .}] | from_entries as $of
| [2048, 4096, 8192, 16384, 32768, 65536] as $words
| def sized($count; $size): $of["registers/stream_processor.registers.count=\($count),stream_processor.registers.words=\($size)"];
  def test($run; $size): $of["size/\($run)/stream_processor.registers.words=\($size)"];
  def use($count; $size): sized($count; $size) | registers.used / counts.passes / ($count * $size);
  def taken($run; $which; $count; $size): $of["use/\($run)/stream_processor.registers.replacement=\($which),stream_processor.registers.count=\($count),stream_processor.registers.words=\($size)"];
  def in_use($count; $size): registers.used / counts.passes / ($count * $size);
  # Mean use of eight registers, as in the claim.
  def mean_use($run; $which): [$words[:5][] as $size | taken($run; $which; 8; $size) | in_use(8; $size)] | mean;
  # Mean ratio from one size to twice the size, with eight registers, for sizes with hundreds of spills.
  def falls(f): [range(0; 4) as $i | (sized(8; $words[$i + 1]) | f) / (sized(8; $words[$i]) | f)] | mean;
  # A launch of the Julia set with a long loop, and the use of its time.
  def packed($run; $packing; $side; $limit): $of["\($run)/stream_processor.packing=\($packing)"].launches[] | select(.name == "\($side) x \($side) \($limit) iterations");
  def time($run; $packing; $side; $limit): packed($run; $packing; $side; $limit) | .figures.time;
  def gain($run; $side; $limit): 100 * (1 - time($run; "on_write"; $side; $limit) / time($run; "none"; $side; $limit));
  def share($side; f): [[5, 10, 20][] as $limit | packed("packing"; "on_write"; $side; $limit) | 100 * (.figures | f)] | mean;
  def running: .cycles_run + .cycles_transfer + .cycles_memory + .cycles_load;
  def drawing: .cycles_run + .cycles_transfer + .cycles_memory;
  def other: .cycles_query + .cycles_pack + .cycles_starve + .cycles_spill;
  # Gains of the claim, from a gain by side and limit.
  def gains(f): [64, 256, 512] as $sides | [5, 10, 20] as $limits | [$sides[] as $side | [$limits[] as $limit | [$side, $limit] | f]]
    | {"at 64": (.[0] | max), "at 512": (.[2] | min), "grows with resolution": (. as $all | all(range(0; 3); $all[0][.] < $all[1][.] and $all[1][.] < $all[2][.])),
       "grows with iterations": all(.[1:][]; .[0] < .[1] and .[1] < .[2])};
  # Milliseconds of a launch by use, with these costs of a pass changed: drawn several times, with one setup and one binding; an additional setup; additional costs of an
  # unpacking (one for each iteration and one at the end) and of all other, the latter also for each point. The time is linear in them.
  def costs($packing; $side; $limit; $change): packed("packing"; $packing; $side; $limit) as $run | (1000 * $run.figures.time) as $ms | $run.counters.stream_processor.passes as $passes
    | {run: ($ms * ($run.figures | running + (($change.drawings // 1) - 1) * drawing) + $passes * ($change.setup // 0)),
       unpack: ($ms * $run.figures.cycles_unpack + if $packing == "none" then 0 else ($limit + 1) * ($change.unpack // 0) end),
       other: ($ms * ($run.figures | other) + $passes * (($change.other // 0) + $side * $side * ($change.point // 0)))};
  def total: .run + .unpack + .other;
  def gain_of($change): . as [$side, $limit] | 100 * (1 - (costs("on_write"; $side; $limit; $change) | total) / (costs("none"; $side; $limit; $change) | total));
  def shares_of($change): [64, 256, 512] | map(. as $side | [[5, 10, 20][] as $limit | costs("on_write"; $side; $limit; $change) | . as $costs | map_values(100 * . / ($costs | total))]
      | {key: "\($side) run", value: (map(.run) | mean)}, {key: "\($side) unpack", value: (map(.unpack) | mean)}, {key: "\($side) other", value: (map(.other) | mean)}) | from_entries;
  # Elapsed time in milliseconds with and without packing, and the shares of unpacking and of all other with packing (Tables 4.3 and 4.4), after 5 and after 20 iterations.
  {"64": [[1796, 1733, 4.85, 6.51], [6723, 6528, 5.23, 5.33]], "256": [[2413, 2588, 7.92, 8.91], [8462, 9655, 8.82, 7.76]], "512": [[4182, 5391, 12.2, 11.6], [14415, 19925, 13.75, 11.15]]} as $printed
| def printed_costs: . as [$with, $without, $unpack, $other] | ($with * $unpack / 100) as $unpacking | ($with * $other / 100) as $rest
    | {with: ($with - $unpacking - $rest), without: ($without - $rest), unpack: $unpacking, other: $rest};
  # Of a pass, from the 30 passes of the further 15 iterations; an iteration has one unpacking.
  def of_a_pass($side): $printed["\($side)"] | map(printed_costs) as [$few, $many] | $few | with_entries(.value = ($many[.key] - .value) / (if .key == "unpack" then 15 else 30 end));
  def here_of_a_pass($side): [5, 20] | map(. as $limit | costs("on_write"; $side; $limit; {}) as $with | costs("none"; $side; $limit; {}) as $without
      | {with: $with.run, without: $without.run, unpack: $with.unpack, other: $with.other}) as [$few, $many]
    | $few | with_entries(.value = ($many[.key] - .value) / (if .key == "unpack" then 15 else 30 end));
  # What a cost is without any point, and for each point, by its values for the smallest and the largest picture.
  def fixed($cost): of_a_pass(64)[$cost] as $small | of_a_pass(512)[$cost] as $large | $small - ($large - $small) / (64 - 1);
  def for_a_point($cost): (of_a_pass(512)[$cost] - of_a_pass(64)[$cost]) / (512 * 512 - 64 * 64);
  # The setup of this platform: passes without instructions and points.
  def own_setup: here_of_a_pass(64).without - (here_of_a_pass(512).without - here_of_a_pass(64).without) / 63;
  ($claims[0] | map({key: .id, value: .}) | from_entries) as $claim
| ([["nothing", {}]]
  + [(2, 4, 8) as $n | ["setup of \($n * own_setup | round) ms", {setup: (($n - 1) * own_setup)}]]
  + [["setup of \(fixed("without") | round) ms, as Tables 4.3 and 4.4 imply", {setup: (fixed("without") - own_setup)}]]
  + [(2, 3, 4) as $n | ["drawn \($n) times", {drawings: $n}]]
  + [(3, 4) as $n | ["drawn \($n) times, and that setup", {drawings: $n, setup: (fixed("without") - own_setup)}]]
  + [(3, 4) as $n | ["drawn \($n) times, that setup, and the constant cost of an unpacking and the other costs of Tables 4.3 and 4.4",
      {drawings: $n, setup: (fixed("without") - own_setup), unpack: fixed("unpack"), other: fixed("other"), point: for_a_point("other")}]])
  as $changes
| def fits($change): gains(gain_of($change)) | lies_in($claim["popa.packing.gain"].accept);
  def all_fit($change): fits($change) and (shares_of($change) | lies_in($claim["popa.packing.share"].accept));
  # Setup times with which all gains are inside, in ms.
  def setups($drawings): [range(1; 301) | select(. as $ms | fits({drawings: $drawings, setup: ($ms - own_setup)}))];
  ([$words[] as $size | [8, 16, 32][] as $count | sized($count; $size) | counts.records]) as $records
| {"popa.benes.stages": "stages", "popa.benes.switches": "switches", "popa.benes.rearrangeable": "permutations", "popa.conditional_streams": "conditional",
   "popa.active_node": "active", "popa.sync.spatial": "spatial", "popa.sync.temporal": "temporal", "popa.weight": "weights",
   "popa.registers.bound": "bound"} as $known
| ([$known | to_entries[] | {id: .key, measured: $of[.value].passed, workload: "a test"}]
   + [{id: "popa.registers.sweep", workload: "adaptive tessellation, nine rounds",
       measured: {passes: falls(counts.passes), switches: falls(counts.switches), spills: falls(registers.spills), bytes: falls(registers.spill_bytes), use: ([$words[:5][] | use(8; .)] | mean),
                  "records equal": (($records | max) - ($records | min) < 0.0001 * ($records | max)),
                  "falls with registers": all($words[]; . as $size | [8, 16, 32] | map(. as $count | sized($count; $size) | registers.spill_bytes) | . == (sort | reverse))}},
      {id: "popa.inplace", workload: "Julia set, 192 x 192, 256 rounds",
       measured: ((test("in_place"; 4096) | counts.switches) / (test("feedback"; 4096) | counts.switches))},
      {id: "popa.packing.gain", workload: "Julia set with a long loop", measured: gains(. as [$side, $limit] | gain("packing"; $side; $limit))},
      {id: "popa.packing.share", workload: "Julia set with a long loop",
       measured: ([64, 256, 512] | map({key: "\(.) run", value: share(.; running)}, {key: "\(.) unpack", value: share(.; .cycles_unpack)}, {key: "\(.) other", value: share(.; other)}) | from_entries)}])
  | map(. as $figure | {id, measured, inside: (.measured | lies_in($claim[$figure.id].accept)), workload, command: "scripts/results stream"}) as $figures
| if $form == "json" then $figures else
    "# Streams through a Benes network",
    "",
    "This page compares the thesis of Popa (2004) with measurements of the [stream processor](../../models/stream/README.md).",
    "`scripts/results stream` writes it in three minutes, and the figures as [JSON](stream.json).",
    "",
    "## Claims",
    "",
    (["claim", "where", "says", "published", "accepted", "measured", "inside"] | row), "|---|---|---|---|---|---|---|",
    ($figures[] | . as $figure | $claim[.id] | [("`\(.id)`"), .where, .says, (.value | shown), (.accept | shown), ($figure.measured | shown), (if $figure.inside then "yes" else "**no**" end)] | row),
    "",
    "## Registers (Table 3.1)",
    "",
    "Adaptive tessellation as a hand-written graph (`stream_registers.yaml`): six nodes and the node that places leaves, with a record of 27 words.",
    "The thesis does not give its scene and error; base, map and error here are [those of the tessellation](../../platforms/kernels/README.md#adaptive-tessellation).",
    "Words have 32 bits.",
    "",
    (["registers", "words of each", "passes", "kernel switches", "spills", "spilled MB", "words in use"] | row), "|--:|--:|--:|--:|--:|--:|--:|",
    ([8, 16, 32][] as $count | $words[] as $size | sized($count; $size)
     | [($count | tostring), ($size | tostring), (counts.passes | tostring), (counts.switches | tostring), (registers.spills | tostring), (registers.spill_bytes | megabytes), (use($count; $size) | percent)] | row),
    "",
    "Registers of \($words[1]) words, by the register that gives its place to another one, and for a deeper recursion: 128 triangles of the base and a fifth of the error.",
    "",
    (["recursion", "gives its place first", "registers", "spills", "spilled MB", "words in use", "registers with records", "words in use of these"] | row), "|---|---|--:|--:|--:|--:|--:|--:|",
    (["page", "deeper"][] as $run | ["deepest_first", "empty_first"][] as $which | [8, 16, 32][] as $count | taken($run; $which; $count; 4096)
     | [(if $run == "page" then "as above" else "deeper" end), (if $which == "deepest_first" then "the deepest of the stack" else "an empty one" end), ($count | tostring), (registers.spills | tostring), (registers.spill_bytes | megabytes),
        (in_use($count; 4096) | percent), (registers.occupied / counts.passes | ratio), (registers.used / registers.occupied / 4096 | percent)] | row),
    "",
    "## Kernel switches (Table 3.3)",
    "",
    "Eight registers.",
    "The graphs are hand-written: `stream_julia.yaml`, `stream_material_mapping.yaml`, `stream_tessellation.yaml`.",
    "",
    (["words of a register", "Julia, feedback", "Julia, in place", "material mapping", "tessellation"] | row), "|--:|--:|--:|--:|--:|",
    ([2048, 4096, 8192, 16384][] as $size | [($size | tostring)] + [("feedback", "in_place", "material_mapping", "tessellation") as $run | test($run; $size) | counts.switches | tostring] | row),
    "",
    "## Packing (Tables 4.3 and 4.4)",
    "",
    "`stream_packing.yaml`: a Julia set whose loop has 985 instructions, on [a GPU of 2004](../../yaml/platforms/sh_geforce_fx.yaml) that draws its passes.",
    "Gain is the reduction of elapsed time, in percent of the time without packing, as in the thesis.",
    "Shares with packing: `run` includes instructions, records and the cost of a pass before it draws; `other` includes queries.",
    "",
    (["points", "iterations", "ms with", "ms without", "gain %", "thesis", "run %", "thesis", "unpack %", "thesis"] | row), "|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|",
    ({"64": [[-3.5, 88.64, 4.85], [-2.7, 89.33, 4.98], [-2.9, 89.56, 5.23]], "256": [[6.7, 83.17, 7.92], [10.8, 83.47, 8.42], [12.3, 83.42, 8.82]],
      "512": [[22.4, 76.20, 12.20], [25.93, 74.83, 13.03], [27.65, 75.10, 13.75]]} as $thesis
     | [64, 256, 512][] as $side | [5, 10, 20] | to_entries[] | .value as $limit | $thesis["\($side)"][.key] as $printed
     | packed("packing"; "on_write"; $side; $limit) as $run
     | [("\($side) x \($side)"), ($limit | tostring), (1000 * $run.figures.time | whole), (1000 * time("packing"; "none"; $side; $limit) | whole), (gain("packing"; $side; $limit) | ratio), ($printed[0] | tostring),
        (100 * ($run.figures | running) | ratio), ($printed[1] | tostring), (100 * $run.figures.cycles_unpack | ratio), ($printed[2] | tostring)] | row),
    "",
    "Gain in percent after 5, 10 and 20 iterations, with one thing changed at a time:",
    "",
    (["changed", "64 x 64", "256 x 256", "512 x 512"] | row), "|---|---|---|---|",
    ([["packing", "nothing"], ["changed/setup", "a pass costs twice as much before it draws"], ["changed/binding", "binding costs nothing"], ["changed/unpacking", "unpacking costs half as much"]][] as [$run, $what]
     | [$what] + [[64, 256, 512][] as $side | [[5, 10, 20][] as $limit | gain($run; $side; $limit) | ratio] | join(", ")] | row),
    "",
    "Costs of a pass in ms: the thesis' are the differences between 20 and 5 iterations in Tables 4.3 and 4.4, divided by the 30 passes, or by the 15 unpackings.",
    "",
    (["points", "run without packing, thesis", "here", "run with packing, thesis", "here", "an unpacking, thesis", "here", "other, thesis", "here"] | row), "|--:|--:|--:|--:|--:|--:|--:|--:|--:|",
    ([64, 256, 512][] as $side | of_a_pass($side) as $thesis | here_of_a_pass($side) as $here
     | ["\($side) x \($side)"] + [("without", "with", "unpack", "other") as $cost | $thesis[$cost], $here[$cost] | ratio] | row),
    (["without points", (fixed("without") | ratio), (own_setup | ratio), "", "", (fixed("unpack") | ratio), "0", (fixed("other") | ratio), "0"] | row),
    "",
    "Gains and shares with other costs of a pass, which follow from the runs above because the time is linear in them.",
    "*Drawn* several times: the thesis' GPU writes one output, and Sh draws a pass again for each further output, without the code that this output does not need (section 4.5.3).",
    "The Julia set has four outputs (condition, position, number of the iteration, constant); setup and binding are counted once.",
    "The last two rows take setup and further costs from the thesis' tables: they show that these costs explain the figures, not that the model predicts them.",
    "",
    (["changed", "gain at 64", "at 256", "at 512", "gains inside", "shares outside"] | row), "|---|---|---|---|---|---|",
    ($changes[] | . as [$what, $change] | gains(gain_of($change)) as $gains | shares_of($change) as $shares
     | [$what] + [(64, 256, 512) as $side | [(5, 10, 20) as $limit | [$side, $limit] | gain_of($change) | ratio] | join(", ")]
       + [(if $gains | lies_in($claim["popa.packing.gain"].accept) then "yes" else "no" end),
          ([$shares | to_entries[] | . as $share | select(.value | lies_in($claim["popa.packing.share"].accept[$share.key]) | not) | "\(.key): \(.value | ratio)"] | if . == [] then "none" else join("; ") end)] | row),
    "",
    "## Every machine",
    "",
    "`every_machine.yaml` runs three workloads: the Julia set of the picture, all rounds of a tessellation, and camera rays through a kd-tree.",
    "Most machines run the same kernels; ray shuffling and the kd-tree's micro-kernels have separate kernels, and graphs are hand-written if the name says so.",
    "GPUs are one SM of a GTX 780 with 192 lanes at 980 MHz, the multi-pass machine is a GeForce 8800 GTS with 96 lanes whose host waits for each pass, and the stream processor has 16 lanes at 200 MHz and 2 GB/s of memory bandwidth.",
    "Only SIMD efficiency is therefore comparable between the machines.",
    "All machines produce the same picture and the same leaves, and their hits agree with Embree's.",
    "",
    "![The Julia set, by the stream processor](julia.png)",
    "",
    (["experiment", "cycles", "thread instructions per cycle", "SIMD efficiency"] | row), "|---|--:|--:|--:|",
    (["julia_stack", "julia_mimd", "julia_compaction", "julia_subwarps", "julia_microkernels", "julia_shuffling", "julia_multi_pass", "julia_streams",
      "tessellation_stack", "tessellation_mimd", "tessellation_compaction", "tessellation_subwarps", "tessellation_microkernels", "tessellation_multi_pass", "tessellation_streams", "tessellation_streams_by_hand",
      "kd_tree_stack", "kd_tree_mimd", "kd_tree_compaction", "kd_tree_subwarps", "kd_tree_microkernels", "kd_tree_shuffling", "kd_tree_multi_pass", "kd_tree_streams", "kd_tree_streams_by_hand"][] as $name
     | $of["machines/\($name)"] | (if .launches then first(.launches[] | select(.name == "all rounds")) // .launches[-1] else .tracing end).figures
     | [("`\($name)`"), (.cycles | tostring), (.thread_ipc | ratio), (.simd_efficiency | percent)] | row),
    "",
    "## Findings",
    "",
    "- **`popa.registers.sweep`** holds except for the words in use: \($figures[] | select(.id == "popa.registers.sweep").measured.use | percent) here and 50 to 60 % in the thesis.",
    (taken("page"; "deepest_first"; 8; 4096) as $page
     | "  Of our eight registers, \($page | registers.occupied / counts.passes | ratio) hold records in the mean pass, but only \($page | registers.used / registers.occupied / 4096 | percent) of their words: the streams between the nodes keep the records for which the next nodes have no certain room."),
    "  The assignment of registers is not the cause: if an empty register gives its place before the deepest of the stack, \(mean_use("page"; "empty_first") | percent) are in use, although only \(100 * (taken("page"; "empty_first"; 8; 4096) | registers.spill_bytes) / (taken("page"; "deepest_first"; 8; 4096) | registers.spill_bytes) | round) % of the bytes are spilled.",
    "  Nor is it the depth of the recursion: with a deeper one, \(mean_use("deeper"; "deepest_first") | percent) are in use, and \(mean_use("deeper"; "empty_first") | percent) with both changes.",
    (taken("page"; "deepest_first"; 32; 4096) as $page | taken("deeper"; "deepest_first"; 32; 4096) as $deeper
     | def filled: registers.used / counts.passes / 4096; def holding: registers.occupied / counts.passes;
       "  With 32 registers nearly all of the stack stays on chip: a deeper recursion needs \(($deeper | holding) - ($page | holding) | ratio) more registers, which are \((($deeper | filled) - ($page | filled)) / (($deeper | holding) - ($page | holding)) | percent) full, and all registers with records are \($deeper | filled / holding | percent) full, as in the thesis.",
       "  The thesis' figure therefore agrees with registers of which most belong to a deep stack, and counts perhaps only those with records; it does not say how it counts."),
    "  With more registers than the recursion needs, nothing is spilled here.",
    "  The threshold at which the stack grows has little effect: \([$of | to_entries[] | select(.key | startswith("threshold/")) | .value | registers.used / counts.passes / 32768] | "\(min | percent) to \(max | percent)") for thresholds of a quarter to nine tenths.",
    "- **Records** differ by less than one in ten thousand between the rows: leaves search for a free entry of a table, and the leaves of one strip may find the same entry.",
    "- **`popa.packing.gain`** grows with the picture size as expected, but less than in the thesis.",
    "  The thesis gives the setup time of a pass only indirectly: \(own_setup | round) ms according to the shares in Table 4.2 and the speed of the hardware, and \(fixed("without") | round) ms according to Tables 4.3 and 4.4.",
    "  No setup time from 1 to 300 ms puts all gains inside (\(setups(1) | length) of 300): a longer setup lowers the gain at 512 x 512 too, because it is also time that packing does not save.",
    "  In the thesis, drawing also takes more time for each point (table above): Sh draws a pass again for each of its outputs.",
    ((2, 3, 4) as $n | setups($n) as $setups | "  If a pass is drawn \($n) times, " + (if $setups == [] then "no setup time from 1 to 300 ms puts" else "every setup time from \($setups | min) to \($setups | max) ms puts" end) + " all gains inside."),
    "  At 512 x 512, binding, which packing does not change, has a larger share of the time.",
    "  With no binding, or with unpacking at half its cost, the gain at 512 x 512 exceeds 15 percent (table above).",
    "- **`popa.packing.share`** is outside for `unpack` and for `other`.",
    "  The cost of unpacking is \(1000 * (of_a_pass(512).unpack - of_a_pass(64).unpack) / (512 * 512 - 64 * 64) | ratio) us for each point in the thesis and \(1000 * (here_of_a_pass(512).unpack - here_of_a_pass(64).unpack) / (512 * 512 - 64 * 64) | ratio) us here; the rest of a pass takes less time here, so the share is larger.",
    "  The thesis says about `other` only that it does not depend on packing; it is \(fixed("other") | ratio) ms of a pass and \(1000 * for_a_point("other") | ratio) us for each point, for which the model has no cause.",
    ([$changes[] | select(.[1] as $change | all_fit($change)) | .[0]] as $fitting
     | if $fitting == [] then "  No row of the table puts all gains and shares inside." else "  All gains and shares are inside in these rows of the table: \($fitting | join("; "))." end),
    "- **In place**, a record stays on its lane, so a pass finishes the records that it starts: two switches remain for each register full of points.",
    "  With the feedback arc each round loads the loop again, because records return through a node without instructions; the thesis does this to prevent a program from writing to its own input (Fig. 4.18)."
  end
