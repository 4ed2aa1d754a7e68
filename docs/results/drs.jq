# SPDX-License-Identifier: Apache-2.0
# Makes docs/results/drs.md, or with --arg form json its figures, from what scripts/results drs leaves: reports of the software tracer,
# of thread block compaction, of micro-kernels and of ray shuffling by scene on the paper's machine (simulated) and on silicon's (silicon), of the two sweeps
# (rows, bank, ideal, buffers), of two rows and texture fetches that write once (once), of all three with one thing of the paper's machine changed at a time (changed, two_steps), of two with all 15 SMs (whole),
# of micro-kernels with one thing changed (created), the area of the RTL, and the results of tests of known figures.

def percent: if . == null then "-" else (. * 1000 | round) / 10 | "\(.) %" end;
def ratio: (. * 100 | round) / 100 | tostring;
def whole: round | tostring;
def row: "| " + join(" | ") + " |";
def shown($unit):
  def amount: if $unit == "%" then percent elif . >= 1000 then whole else ratio end;
  def named: if $unit == null or $unit == "%" then . else . + " \($unit)" end;
  if . == null then "-"
  elif type == "boolean" then if . then "holds" else "does not hold" end
  elif type == "object" then to_entries | map("\(.key): \(.value | shown($unit))") | join("; ")
  elif type == "array" then (if .[0] == .[1] then .[0] | amount else "\(.[0] | amount) to \(.[1] | amount)" end) | named
  else amount | named end;
def lies_in($accept):
  if . == null or $accept == null then null
  elif type == "object" then . as $measured | all($accept | keys[]; . as $key | $measured[$key] | lies_in($accept[$key]))
  elif type == "boolean" then . == $accept
  else . >= $accept[0] and . <= $accept[1] end;

# Camera rays and extension rays, bounce by bounce; shadow rays are not part of the paper's streams.
def bounces: [.stages[] | select(.name | test("^bounce [0-9]+$"))];
def first_four: bounces[:4];
def sum(f): map(f) | add;
def mean: if length == 0 then null else add / length end;
def cycles: sum(.figures.cycles);
def rays: sum(.rays);
# In millions per second, for one SM.
def rate: rays / sum(.figures.time) / 1e6;
def efficiency: sum(.figures.thread_instructions) / (32 * sum(.figures.warp_instructions));
def work: sum(.figures.thread_instructions);
def warps_a_cycle: sum(.figures.warp_instructions) / cycles;
def lines: sum(.counters["gpu.sm.load_store"].line_requests);
def misses: sum(.counters["gpu.sm.texture_cache"].misses);
def replies: sum(.counters["gpu.crossbar"].ejection_port_cycles);
def dram_reads: sum(.counters["gpu.dram"].reads);
def dram_writes: sum(.counters["gpu.dram"].writes);
def shuffling: .counters["gpu.sm.dynamic_ray_shuffling"];
def operands: .counters["gpu.sm.operand_collector"] | .reads + .writes;
def swapped: shuffling | .register_reads + .register_writes;
def traffic: sum(swapped) / (sum(swapped) + sum(operands));
def stall_rate: sum(shuffling.stalls) / sum(shuffling.control_reads);
def cycles_a_swap: sum(shuffling.swap_cycles) / sum(shuffling.swaps);
def waiting: sum(.figures.slots_shuffling * .figures.cycles) / cycles;
def depending: sum(.figures.slots_dependency * .figures.cycles) / cycles;
# Difference of the largest and the smallest, relative to the smallest.
def spread: max / min - 1;

[inputs | {key: (input_filename | capture("results/drs/(?<path>.*)/[a-z]+\\.json$").path), value: .}]
| map(select(.value.partial | not)) | from_entries as $of
| ["conference", "forest", "sponza", "plants"] as $scenes
| {simulated: {software: "simulated_software", shuffling: "simulated_shuffling", compaction: "simulated_compaction", microkernels: "simulated_microkernels"},
   silicon: {software: "baseline_drs", shuffling: "drs_shuffling", compaction: "tbc"}} as $names
| def report($machine; $kind; $scene):
    $of["\($machine)/\($names[if $machine == "silicon" then "silicon" else "simulated" end][$kind])/workload.scene=\($scene)"]
    // $of["\($machine)/\($names.simulated[$kind])"] // empty;
  def software($machine; $scene): report($machine; "software"; $scene);
  def shuffled($machine; $scene): report($machine; "shuffling"; $scene);
  def compacted($machine; $scene): report($machine; "compaction"; $scene);
  def created($scene): report("simulated"; "microkernels"; $scene);
  def creation_gain($scene; bounces): (created($scene) | bounces | rate) / (software("simulated"; $scene) | bounces | rate);
  # Share of a warp's instructions for spawns and states (the paper's SI).
  # Bin 6 of the instructions is `spawn`.
  def spawning: sum(.counters["gpu.sm.load_store"].instructions[6]) / sum(.figures.warp_instructions);
  def every_round($scene): $of["every_round/workload.scene=\($scene)"] | bounces;
  # Share of conflict cycles of spawn memory, for one SM.
  def conflicts: sum(.counters["gpu.sm.load_store"].spawn_conflict_cycles) / cycles;
  # Accesses to spawn memory per cycle: the most that could have conflicts, if each counts once.
  def spawn_accesses: sum(.counters["gpu.sm.load_store"].instructions[6]) / cycles;
  # Micro-kernels with one thing changed, on a machine of `changed`.
  def lives($change): $of["created/\($change)"] | first_four;
  def lives_gain($change; $machine; bounces): (lives($change) | bounces | rate) / (software("changed/\($machine)"; "conference") | first_four | bounces | rate);
  def in_order: [.[:-1], .[1:]] | transpose | all(.[0] > .[1]);
  def compaction_gain($machine; $scene; bounces): (compacted($machine; $scene) | bounces | rate) / (software($machine; $scene) | bounces | rate);
  def gain($machine; $scene; bounces): (shuffled($machine; $scene) | bounces | rate) / (software($machine; $scene) | bounces | rate);
  ["1", "2", "4", "8"] as $rows
| ["6", "9", "12", "18"] as $buffers
| "gpu.sm.dynamic_ray_shuffling" as $block
| ($rows | map({key: ., value: ($of["rows/\($block).backup_rows=\(.)"] | bounces)}) | from_entries) as $by_rows
| ($buffers | map({key: ., value: ($of["buffers/\($block).swap_buffers=\(.)"] | bounces)}) | from_entries) as $by_buffers
| (["1", "8"] | map({key: ., value: ($of["once/\($block).backup_rows=\(.)"] | bounces)}) | from_entries) as $once
| ($of["ideal/\($block).ideal=true"] | bounces) as $ideal
| ($of["bank/\($block).extra_bank=false"] | bounces) as $no_bank
| $of.area as $area
| (shuffled("simulated"; "conference") | bounces) as $room
| ($claims[0] | map({key: .id, value: .}) | from_entries) as $claim
| def absolute($machine):
    ($claim["drs.rays_absolute"].scenes
     | to_entries | map(.key as $scene | .value as $paper | (shuffled($machine; $scene) | first_four)
                        | [range(0; 4) as $b | 15 * .[$b].figures.ray_rate / $paper[$b]]) | add)
    | {lowest: min, highest: max};
  def register_traffic($machine): (shuffled($machine; "conference") | bounces) | {primary: (.[:1] | traffic), secondary: (.[1:] | traffic)};
  ($by_buffers | map_values(cycles_a_swap)) as $swap_cycles
| ($scenes | join(", ")) as $all
| "conference" as $one
| [{id: "drs.storage.swap_buffers", measured: ([$area.registers | to_entries[] | select(.key | endswith("i_buffers.held_q")).value] | add / 8),
    workload: "rtl/dynamic_ray_shuffling", command: "scripts/area dynamic_ray_shuffling --clock-gates --period 45 --latches i_buffers.held_q,i_table.states_q"},
   {id: "drs.storage.ray_state", measured: ([$area.registers | to_entries[] | select(.key == "i_table.states_q").value] | add / 8),
    workload: "rtl/dynamic_ray_shuffling", command: "scripts/area dynamic_ray_shuffling --clock-gates --period 45 --latches i_buffers.held_q,i_table.states_q"},
   {id: "drs.storage.dmk", measured: (if $of.spawn_memory.passed then 117504 else null end), workload: "tests/unit/dynamic_microkernel",
    command: "ctest --preset release -R 'spawn memory is as large as the paper'"},
   {id: "drs.storage.tbc", measured: (if $of.warp_buffer.passed then 2560 else null end), workload: "tests/unit/thread_block_compaction",
    command: "ctest --preset release -R 'the warp buffer has a number of ten bits'"},
   {id: "drs.area", measured: $area.nand2_equivalents, workload: "rtl/dynamic_ray_shuffling on \($area.liberty)",
    command: "scripts/area dynamic_ray_shuffling --clock-gates --period 45 --latches i_buffers.held_q,i_table.states_q"},
   {id: "drs.cycle", measured: $area.critical_path_fo4, workload: "rtl/dynamic_ray_shuffling on \($area.liberty)",
    command: "scripts/area dynamic_ray_shuffling --clock-gates --period 45 --latches i_buffers.held_q,i_table.states_q"},
   {id: "drs.walkthrough", measured: $of.walkthrough.passed, workload: "tests/unit/dynamic_ray_shuffling/ray_shuffler_test.cpp",
    command: "ctest --preset release -R 'The walkthrough of DRS section 3.3'"},
   {id: "drs.efficiency.software", workload: $all} + ({measured: "simulated", silicon: "silicon"} | map_values(. as $m | [software($m; $scenes[]) | bounces | efficiency] | mean)),
   {id: "drs.efficiency.drs", workload: $all} + ({measured: "simulated", silicon: "silicon"} | map_values(. as $m | [shuffled($m; $scenes[]) | bounces | efficiency] | mean)),
   {id: "drs.efficiency.dmk", measured: ([created($scenes[]) | bounces | efficiency] | mean), workload: $all},
   {id: "drs.efficiency.tbc", workload: $all} + ({measured: "simulated", silicon: "silicon"} | map_values(. as $m | [compacted($m; $scenes[]) | bounces | efficiency] | mean)),
   {id: "drs.speedup", workload: $all} + ({measured: "simulated", silicon: "silicon"} | map_values(. as $m | [gain($m; $scenes[]; bounces)] | mean)),
   {id: "drs.speedup.dmk", measured: ([creation_gain($scenes[]; bounces)] | mean), workload: $all},
   {id: "drs.speedup.tbc", workload: $all} + ({measured: "simulated", silicon: "silicon"} | map_values(. as $m | [compaction_gain($m; $scenes[]; bounces)] | mean)),
   {id: "drs.order", workload: $all,
    measured: (([([gain("simulated"; $scenes[]; bounces)] | mean), ([compaction_gain("simulated"; $scenes[]; bounces)] | mean),
                 ([creation_gain($scenes[]; bounces)] | mean), 1] | in_order)
               and ([([shuffled("simulated"; $scenes[]) | bounces | efficiency] | mean), ([created($scenes[]) | bounces | efficiency] | mean),
                     ([compacted("simulated"; $scenes[]) | bounces | efficiency] | mean), ([software("simulated"; $scenes[]) | bounces | efficiency] | mean)] | in_order)
               and gain("simulated"; "sponza"; bounces) == ([gain("simulated"; $scenes[]; bounces)] | min))},
   {id: "drs.bank_conflicts.dmk", workload: $one, measured: (created($one) | bounces | {primary: (.[:1] | conflicts), secondary: (.[1:] | conflicts)})},
   {id: "drs.backup_rows", workload: $one,
    measured: {rows: ([$by_rows[] | rate] | spread), ideal: (($ideal | rate) / ($by_rows["1"] | rate) - 1),
               "no bank": (1 - ($no_bank | rate) / ($by_rows["1"] | rate))}},
   {id: "drs.rdctrl_stall", workload: $one,
    measured: {"1 row": ($by_rows["1"] | stall_rate), "8 rows": ($by_rows["8"] | stall_rate),
               "of issues": ($by_rows["1"] | sum(shuffling.control_reads) / (sum(.figures.warp_instructions) + sum(shuffling.stalls)))}},
   {id: "drs.swap_cycles", workload: $one, measured: $swap_cycles,
    falls: ([$swap_cycles[$buffers[]]] | . as $c | all(range(1; length); $c[.] < $c[. - 1]))},
   {id: "drs.swap_buffers", measured: ([$by_buffers[] | rate] | spread), workload: $one},
   {id: "drs.register_traffic", workload: $one, measured: register_traffic("simulated"), silicon: register_traffic("silicon")},
   {id: "drs.rays_absolute", measured: absolute("simulated"), silicon: absolute("silicon"), workload: "\($all), fifteen times one SM"}]
| map(. as $figure | {id, measured, inside: (.measured | lies_in($claim[$figure.id].accept)), silicon, workload,
       command: (.command // if .measured == null then null else "scripts/results drs" end)}
      | if $figure | has("falls") then .inside = (.inside and $figure.falls) else . end)
| . as $figures
| if $form == "json" then .
  else
    "# Dynamic ray shuffling on the paper's scenes",
    "",
    "`scripts/results drs` writes this page: change `docs/results/drs.jq` or the experiment, not the page.",
    "The paper is Lü et al., MICRO 2017.",
    "",
    "The paper simulated a GTX 780 on GPGPU-Sim 3.2.1, and its claims are judged on [that machine](../../yaml/platforms/gtx780_gpgpusim3.yaml).",
    "The column *silicon* has the same figures on [the GTX 780 according to hardware documentation](../../yaml/platforms/gtx780.yaml).",
    "",
    "| claim | says | paper | accepted | measured | | silicon |",
    "|---|---|---|---|---|---|---|",
    ($figures[] | $claim[.id] as $c
     | ["`\(.id)`", $c.says + " (\($c.where | sub("^DRS "; "")))", ($c.value | shown($c.unit)), ($c.accept | shown($c.unit)),
        (.measured | shown($c.unit)),
        (if .inside == null then "not yet measured" elif .inside then "inside" else "**outside**" end),
        (.silicon | if . == null then "" else shown($c.unit) end)] | row),
    "",
    (software("simulated"; $one).stages[0]
     | "The rays are those of [the baseline](baseline.md): \(.rays) paths from the whole picture of 640 x 480 with 64 samples per pixel, on one SM.",
       "In the paper each bounce has two million rays: `scripts/results --set workload.max_rays=2000000 --resume drs`."),
    "",
    "## SIMD efficiency and speed by bounce",
    "",
    "Speedup is the ray rate over that of the software tracer, `trace_replacing_speculative_three_rows` on a reconvergence stack.",
    "",
    "- Compaction: the same kernel on thread block compaction, in blocks of six warps.",
    "- Micro-kernels: `trace_adaptive_microkernels` on [dynamic micro-kernels](dmk.md), which spawn where the rays of a warp diverge, with states of 17 words.",
    "- Shuffling: `trace_shuffled_three_rows` on dynamic ray shuffling.",
    "",
    ((["scene", ""] + [range(1; 9) | "B\(.)"] + ["all", "paper"]) | row),
    ("|---|---|" + ([range(0; 10) | "--:|"] | add)),
    ($scenes[] as $scene
     | (software("simulated"; $scene) | bounces) as $s | (shuffled("simulated"; $scene) | bounces) as $d | (compacted("simulated"; $scene) | bounces) as $c
     | (created($scene) | bounces) as $m | (software("silicon"; $scene) | bounces) as $ss | (shuffled("silicon"; $scene) | bounces) as $sd
     | ([$scene, "rays"] + ($d | map(.rays | tostring)) + [($d | rays | tostring), ""] | row),
       (["", "software"] + ($s | map(.figures.simd_efficiency | percent)) + [($s | efficiency | percent), ""] | row),
       (["", "compaction"] + ($c | map(.figures.simd_efficiency | percent)) + [($c | efficiency | percent), ""] | row),
       (["", "micro-kernels"] + ($m | map(.figures.simd_efficiency | percent)) + [($m | efficiency | percent), ""] | row),
       (["", "shuffling"] + ($d | map(.figures.simd_efficiency | percent)) + [($d | efficiency | percent), ""] | row),
       (["", "speedup of compaction"] + [range(0; 8) | ($s[.].figures.cycles / $c[.].figures.cycles) | ratio]
        + [(compaction_gain("simulated"; $scene; bounces) | ratio), ""] | row),
       (["", "speedup of micro-kernels"] + [range(0; 8) | ($s[.].figures.cycles / $m[.].figures.cycles) | ratio]
        + [(creation_gain($scene; bounces) | ratio), ""] | row),
       (["", "speedup of shuffling"] + [range(0; 8) | ($s[.].figures.cycles / $d[.].figures.cycles) | ratio]
        + [(gain("simulated"; $scene; bounces) | ratio), ($claim["drs.speedup"].scenes[$scene] | tostring)] | row),
       (["", "on silicon's machine"] + [range(0; 8) | ($ss[.].figures.cycles / $sd[.].figures.cycles) | ratio]
        + [(gain("silicon"; $scene; bounces) | ratio), ""] | row)),
    "",
    "## Effect of single changes",
    "",
    "Bounces 1 to 4 of `\($one)` with 8192 paths on the paper's machine, with one thing changed at a time.",
    "None of these is the machine of the claims.",
    "Rows marked *estimate* or *inference* change a value that is marked so in the platform file.",
    "",
    "Cycles are thread instructions, divided by the active lanes per warp instruction and by the warp instructions issued per cycle.",
    "The speedup is therefore the product of three ratios: lanes (SIMD efficiency, shuffling over software), work (thread instructions, software over shuffling) and pace (warp instructions per cycle, shuffling over software).",
    "Lines: requests to the L1 caches per cycle, software and shuffling.",
    "",
    (["machine", "lanes", "work", "pace", "speedup", "B1", "B2 to B4", "compaction", "warps per cycle", "lines per cycle"] | row),
    "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|",
    ([["nothing", "the paper's machine"], ["steps", "two steps of the load/store unit and the operand collector per cycle, the default of the simulator's option"],
      ["order", "textures are answered in any order"], ["both", "two steps per cycle, and textures are answered in any order"],
      ["lines", "two lines per cycle to the L1 caches, without the rest of that option"],
      ["writeback", "a texture fetch writes its result once, not once for each line"],
      ["stores", "global stores, such as stack writes of shuffled rays, stay in the L1 cache"], ["collector", "a collector per scheduler, whose units accept all rows in one cycle"],
      ["interval", "minimum and maximum occupy a pipe for one cycle instead of two"], ["fetch", "each scheduler has its own fetch unit"],
      ["pipes", "six arithmetic pipes instead of two"], ["code", "an instruction cache of 8 KiB instead of 2"],
      ["structure", "a BVH without spatial splits"],
      ["triangles", "kernels that load each row of a triangle when the test needs it, as the public kernel for Fermi does"],
      ["row_stacks", "stacks of moved rays coalesce by row, as if contexts moved with the rays"],
      ["slots", "*estimate:* 8 blocks per SM instead of 16"], ["crossbar", "*estimate:* interconnect latency of 24 cycles in each direction instead of 8"],
      ["second_level", "*estimate:* L2 latency of 20 cycles instead of 2"], ["memory", "*inference:* memory at the clock of a GTX 780, 1502 MHz, instead of 924; its latency stays 100 core cycles"]][]
     | . as [$key, $what] | "changed/\($key)" as $m
     | (software($m; $one) | first_four) as $s | (shuffled($m; $one) | first_four) as $d
     | [$what, (($d | efficiency) / ($s | efficiency) | ratio), (($s | work) / ($d | work) | ratio),
        (($d | warps_a_cycle) / ($s | warps_a_cycle) | ratio), (gain($m; $one; first_four) | ratio),
        (gain($m; $one; first_four[:1]) | ratio), (gain($m; $one; first_four[1:]) | ratio), (compaction_gain($m; $one; first_four) | ratio),
        "\($s | warps_a_cycle | ratio) to \($d | warps_a_cycle | ratio)", "\($s | lines / cycles | ratio) to \($d | lines / cycles | ratio)"] | row),
    "",
    "Two steps per cycle on all scenes, bounces 1 to 4:",
    "",
    (["", $scenes[], "mean"] | row),
    "|---|--:|--:|--:|--:|--:|",
    (["speedup of shuffling", ($scenes[] | gain("two_steps"; .; first_four) | ratio), ([gain("two_steps"; $scenes[]; first_four)] | mean | ratio)] | row),
    (["speedup of compaction", ($scenes[] | compaction_gain("two_steps"; .; first_four) | ratio), ([compaction_gain("two_steps"; $scenes[]; first_four)] | mean | ratio)] | row),
    (["speedup of shuffling with one step per cycle", ($scenes[] | gain("simulated"; .; first_four) | ratio), ([gain("simulated"; $scenes[]; first_four)] | mean | ratio)] | row),
    "",
    "## Micro-kernels with one thing changed",
    "",
    "Bounces 1 to 4 of `\($one)` with 8192 paths; primary rays are B1, secondary rays B2 to B4.",
    "",
    "- Spawns and states: their share of the warp instructions; in the paper 2.8 to 6.3 % for primary rays and 11.2 to 18.9 % for secondary rays, of all scenes.",
    "- Conflict cycles: cycles in which spawn memory serves a further part of an access, of all cycles; in the paper 8 and 18.6 %.",
    "- Accesses: accesses to spawn memory per cycle, an upper bound if a conflict is counted once per access.",
    "",
    (["", "speedup", "primary", "secondary", "SIMD efficiency", "spawns and states, primary", "secondary", "conflict cycles, primary", "secondary", "accesses, primary", "secondary"] | row),
    "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|",
    ([["nothing", "nothing", "unchanged: threads spawn where the rays of a warp diverge"], ["rounds", "nothing", "threads spawn in every iteration (`trace_microkernels`)"],
      ["patient", "nothing", "up to eight lanes wait while the others go on (`trace_patient_microkernels`)"],
      ["conflicts", "nothing", "no bank conflicts"], ["ports", "nothing", "a bank serves two words per cycle"],
      ["both", "both", "two steps per cycle, and textures are answered in any order"],
      ["both_rounds", "both", "the same, and threads spawn in every iteration"]][]
     | . as [$change, $machine, $what]
     | [$what, (lives_gain($change; $machine; .) | ratio), (lives_gain($change; $machine; .[:1]) | ratio), (lives_gain($change; $machine; .[1:]) | ratio), (lives($change) | efficiency | percent)]
       + (lives($change) | [(.[:1], .[1:]) | spawning | percent] + [(.[:1], .[1:]) | conflicts | percent] + [(.[:1], .[1:]) | spawn_accesses | percent]) | row),
    "",
    "## Ray rate",
    "",
    "Fifteen times the rate of one SM with the whole L2 cache and memory, so fifteen SMs would be slower.",
    "Mrays/s, bounces 1 to 4.",
    "",
    (["scene", "", "B1", "B2", "B3", "B4"] | row),
    "|---|---|--:|--:|--:|--:|",
    ($scenes[] as $scene
     | ([$scene, "paper, shuffling"] + ($claim["drs.rays_absolute"].scenes[$scene] | map(tostring)) | row),
       (["", "measured, shuffling"] + (shuffled("simulated"; $scene) | first_four | map(15 * .figures.ray_rate | ratio)) | row),
       (["", "with two steps per cycle"] + (shuffled("two_steps"; $scene) | first_four | map(15 * .figures.ray_rate | ratio)) | row),
       (["", "on silicon's machine"] + (shuffled("silicon"; $scene) | first_four | map(15 * .figures.ray_rate | ratio)) | row)),
    "",
    "## All SMs, and the memory that they share",
    "",
    "`\($one)`, bounces 1 to 4, 8192 paths per SM.",
    "Mrays/s:",
    "",
    (($claim["drs.rays_absolute"].scenes[$one] | map(. * 1e6)) as $paper
     | def one_sm($kind): report("changed/nothing"; $kind; $one) | first_four;
       def all_sms($kind): $of["whole/\($names.simulated[$kind])"] // empty | first_four;
       def by_bounce(f): map([.] | f | ratio);
       def rates: by_bounce(rate) + [rate | ratio];
       # Of software over shuffling.
       def speedups: . as [$s, $d] | [range(0; 4) | $s[.].figures.cycles / $d[.].figures.cycles | ratio] + [($s | cycles) / ($d | cycles) | ratio];
       def left(total): $paper | map(total / . | ratio);
       (["", "", "B1", "B2", "B3", "B4", "all"] | row),
       "|---|---|--:|--:|--:|--:|--:|",
       (("software", "shuffling") as $kind
        | ([$kind, "fifteen times one SM"] + (one_sm($kind) | by_bounce(15 * rate) + [15 * rate | ratio]) | row),
          ([$kind, "fifteen SMs"] + (all_sms($kind) | rates) | row)),
       (["shuffling", "the paper"] + ($paper | map(. / 1e6 | ratio)) + [""] | row),
       (["speedup", "one SM"] + ([one_sm("software", "shuffling")] | speedups) | row),
       (["speedup", "fifteen SMs"] + ([all_sms("software", "shuffling")] | select(length == 2) | speedups) | row),
       "",
       "Requests per ray of the same runs, and what the paper's machine can serve per ray at the paper's rates:",
       "",
       "- L1 caches: one line per core cycle and SM.",
       "- Ports of the L2 cache: each of six passes two flits of 32 bytes per core cycle, and a reply of 136 bytes has five flits. Other replies use these ports, too.",
       "- DRAM: each of six channels moves half a line of 128 bytes in two cycles of 924 MHz.",
       "",
       (["", "", "B1", "B2", "B3", "B4"] | row),
       "|---|---|--:|--:|--:|--:|",
       (def requests(what; f; total):
          (("software", "shuffling") as $kind
           | ([what, "\($kind), one SM"] + (one_sm($kind) | by_bounce(f / rays)) | row),
             ([what, "\($kind), fifteen SMs"] + (all_sms($kind) | by_bounce(f / rays)) | row)),
          (total | values | [what, "the paper's rates leave"] + left(total) | row);
        requests("lines"; lines; 15 * 980e6),
        requests("texture misses"; misses; 6 * 980e6 * 2 / 5),
        requests("reads of DRAM"; dram_reads; null),
        requests("reads and writes of DRAM"; dram_reads + dram_writes; 6 * 924e6 / 2 * 64 / 128))),
    "",
    "## Backup rows and swap buffers",
    "",
    "`\($one)`, four bounces, on the paper's machine.",
    "Waiting: issue slots in which all warps that could issue wait for a row.",
    "",
    (["", "Mrays/s of one SM", "rdctrl that stalls", "waiting", "cycles per swap"] | row),
    "|---|--:|--:|--:|--:|",
    ([["1 row, no extra bank, nine buffers", $no_bank], ($rows[] | ["\(.) row\(if . == "1" then "" else "s" end), extra bank, nine buffers", $by_rows[.]]),
      ["1 row, extra bank, shuffled in one cycle", $ideal], ($buffers[] | ["\(.) buffers, 1 row, no extra bank", $by_buffers[.]])][]
     | . as [$what, $b]
     | [$what, ($b | rate | ratio), ($b | stall_rate | percent), ($b | waiting | percent),
        (if ($b | sum(shuffling.swap_cycles)) == 0 then "-" else $b | cycles_a_swap | ratio end)] | row),
    "",
    (if any($of | keys[]; startswith("shared/")) then
       "## Scenes that are not in this tree",
       "",
       "Scenes of `../shared/scenes`, if that folder exists. Nothing else differs.",
       "",
       (["scene", "triangles", "rays", "software", "shuffling", "secondary rays: software", "shuffling", "speedup", "B1", "B2 to B8", "compaction"] | row),
       "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|",
       ($of | to_entries[] | select(.key | test("^shared/.*/simulated_shuffling$")) | .value as $d | $of[.key | sub("/simulated_shuffling$"; "/simulated_software")] as $s
        | $of[.key | sub("/simulated_shuffling$"; "/simulated_compaction")] as $c
        | ($s | bounces) as $sb | ($d | bounces) as $db
        | [(.key | split("/")[1]), ($d.workload.triangles | tostring), ($db | rays | tostring), ($sb | efficiency | percent), ($db | efficiency | percent),
           ($sb[1:] | efficiency | percent), ($db[1:] | efficiency | percent), (($sb | cycles) / ($db | cycles) | ratio),
           (($sb[:1] | cycles) / ($db[:1] | cycles) | ratio), (($sb[1:] | cycles) / ($db[1:] | cycles) | ratio),
           (($sb | cycles) / ($c | bounces | cycles) | ratio)] | row),
       ""
     else empty end),
    "## Findings",
    "",
    (software("simulated"; $one) | bounces) as $soft
    | (compacted("simulated"; $one) | bounces) as $c
    | (shuffled("silicon"; $one) | bounces) as $silicon_room | (software("silicon"; $one) | bounces) as $silicon_soft
    | ((($room | work) / ($soft | work) - 1)) as $more
    | (
    "- **Ray shuffling works as described in the paper**: SIMD efficiency rises from \([software("simulated"; $scenes[]) | bounces | efficiency] | mean | percent) to \([shuffled("simulated"; $scenes[]) | bounces | efficiency] | mean | percent); one backup row in the registers and six buffers are enough, and hardly any issue slot is lost to warps that wait for a row.",
    "  No parameter was tuned for this.",
    "- **`drs.speedup` is \([gain("simulated"; $scenes[]; bounces)] | mean | ratio) on the machine that the paper simulated, and \([gain("silicon"; $scenes[]; bounces)] | mean | ratio) on `gtx780` (silicon).** GPGPU-Sim fetches two instructions per cycle for all schedulers of an SM, and the six collector units for arithmetic pass about one and a half per cycle.",
    "  Each line of a texture fetch also writes all four registers of the result, so instructions wait for their banks.",
    "  The software tracer issues \($soft | warps_a_cycle | ratio) warp instructions per cycle in `\($one)`, and this limits it.",
    "  `gtx780` issues \($silicon_soft | warps_a_cycle | ratio); it is limited by the number of lines that loads request, which shuffling does not reduce.",
    "  The table above shows the effect of each limit.",
    "- **The texture cache is the other limit.** With shuffling the load/store unit sends a line in \($room | lines / cycles | percent) of the cycles (\($soft | lines / cycles | percent) without), and replies come in order: a warp waits for earlier misses of other warps.",
    "  GPGPU-Sim's GTX 480 configuration sets the steps per cycle of the load/store unit and the operand collector to one; the default of this option is two ([steps](../../models/sm/README.md#several-steps-per-cycle)).",
    "  With two, the mean of bounces 1 to 4 is \([gain("two_steps"; $scenes[]; first_four)] | mean | ratio) instead of \([gain("simulated"; $scenes[]; first_four)] | mean | ratio).",
    "  The setting in the paper's configuration is not known, so the claim is judged with one step per cycle.",
    "  With two steps and replies in any order, `\($one)` reaches \(gain("changed/both"; $one; first_four) | ratio) (bounces 1 to 4; the paper 1.84), and compaction \(compaction_gain("changed/both"; $one; first_four) | ratio): much of the claim depends on one cache.",
    "- Kernel 1 executes \($more | percent) more thread instructions than the software tracer for the same rays of `\($one)`.",
    "  For primary rays, where few lanes are idle, shuffling has little other effect (B1); the paper reports a speedup of 1.12 to 1.32 for these rays.",
    "- **`drs.speedup.tbc`** is \([compaction_gain("simulated"; $scenes[]; bounces)] | mean | ratio) (silicon \([compaction_gain("silicon"; $scenes[]; bounces)] | mean | ratio)); the paper has 1.18.",
    "  SIMD efficiency agrees with the paper (`drs.efficiency.tbc`).",
    "  A ray executes as much as without compaction (work \(($soft | work) / ($c | work) | ratio) in `\($one)`, lanes \(($c | efficiency) / ($soft | efficiency) | ratio)), but warp instructions per cycle go from \($soft | warps_a_cycle | ratio) to \($c | warps_a_cycle | ratio): all warps of a path synchronise after each divergent branch, and a block runs one path at a time.",
    "  This synchronisation costs less on a machine that is limited by instruction issue.",
    "  Spin locks are refused on this scheme: while one path of a block runs, the other paths do not, so a lock that a lane of another path holds is never released.",
    (created($one) | bounces) as $lives | every_round($one) as $rounds
    | "- **Micro-kernels (`drs.speedup.dmk`)** reach \([creation_gain($scenes[]; bounces)] | mean | ratio) of the software tracer's ray rate; the paper has 1.06. SIMD efficiency agrees with the paper (`drs.efficiency.dmk`).",
      "  The paper does not say where its threads spawn.",
      "  In the paper, spawns and states are 2.8 to 6.3 % of the instructions for primary rays, and 11.2 to 18.9 % for secondary rays, so its threads cannot spawn in every loop iteration.",
      "  Ours spawn where the rays of a warp diverge, which takes \($lives[:1] | spawning | percent) and \($lives[1:] | spawning | percent) in `\($one)`; with a spawn in every iteration (`trace_microkernels`) it would be \($rounds[:1] | spawning | percent) and \($rounds[1:] | spawning | percent), at \(($rounds | rate) / ($soft | rate) | ratio) of the software tracer's rate instead of \(creation_gain($one; bounces) | ratio).",
      "  A ray executes \(($lives | work) / ($soft | work) | ratio) times as many thread instructions as with the software tracer and requests \($lives | lines / rays | whole) lines instead of \($soft | lines / rays | whole): warp instructions per cycle go from \($soft | warps_a_cycle | ratio) to \($lives | warps_a_cycle | ratio).",
      "  Without bank conflicts they reach \(lives_gain("conflicts"; "nothing"; .) | ratio) instead of \(lives_gain("nothing"; "nothing"; .) | ratio) (bounces 1 to 4, 8192 paths), and with two steps per cycle and textures answered in any order, \(lives_gain("both"; "both"; .) | ratio): as with compaction, the texture cache is the limit.",
    "- **`drs.bank_conflicts.dmk`**: secondary rays have as many conflicts as in the paper. Primary rays have more, because their threads spawn more often than the paper's.",
    (($of["created/patient_full"] | bounces) as $patient
     | "  If up to eight lanes wait instead of spawning, spawns and states are \($patient[:1] | spawning | percent) of the instructions of primary rays, in the paper's range, and conflicts take \($patient[:1] | conflicts | percent) of the cycles instead of \($lives[:1] | conflicts | percent).",
       "  Then secondary rays spawn less often than the paper's: \($patient[1:] | spawning | percent), with \($patient[1:] | conflicts | percent) conflict cycles, so this change explains only the primary rays.",
       "  With it micro-kernels have a SIMD efficiency of \($patient | efficiency | percent) in `\($one)` and \(($patient | rate) / ($soft | rate) | ratio) of the software tracer's ray rate."),
    "  The paper divides \"#bank conflicts per SMX\" by cycles; GPGPU-Sim 3.2.1 counts the cycles in which a conflict stalls an access (`shader.cc`, `shared_cycle`), and so does this page.",
    "  If each access with conflicts counts once, the figure is at most \(lives("nothing")[:1] | spawn_accesses | percent) for primary rays and \(lives("nothing")[1:] | spawn_accesses | percent) for secondary rays, and the accepted ranges begin at 4 and 11 %; so this way of counting does not give both figures either.",
    "  Banks that serve two words per cycle do not explain the difference: primary rays then have \(lives("ports")[:1] | conflicts | percent), but secondary rays \(lives("ports")[1:] | conflicts | percent).",
    (([gain("simulated"; $scenes[]; bounces)]) as $d | ([compaction_gain("simulated"; $scenes[]; bounces)]) as $c | ([creation_gain($scenes[]; bounces)]) as $m
     | [range(0; $scenes | length) | select([$d[.], $c[.], $m[.], 1] | in_order) | $scenes[.]] as $agree
     | "- **`drs.order`**: ray shuffling is fastest and has the highest SIMD efficiency. The mean rates of all scenes are \($d | mean | ratio) for shuffling, \($c | mean | ratio) for compaction and \($m | mean | ratio) for micro-kernels.",
       "  The order is the paper's in \($agree | map("`\(.)`") | join(" and ")). In \($scenes - $agree | map("`\(.)`") | join(" and ")) it is not: micro-kernels reach only \(creation_gain("forest"; bounces[:1]) | ratio) of the software tracer's rate for primary rays of `forest`, and `plants` has few rays after B2.",
       "  `\($scenes[$d | index(min)])` gains least, in the paper `sponza`; of the other scenes, `\(($scenes | map(select(. != "plants"))) as $full | $full[[$full[] | gain("simulated"; .; bounces)] | index(min)])`."),
    (([gain("changed/both"; $one; first_four), compaction_gain("changed/both"; $one; first_four)] + [lives_gain("both_rounds", "both"; "both"; .)]) as [$d, $c, $rounds, $adaptive]
     | "  With two steps per cycle and textures answered in any order, the rates in `\($one)` are: shuffling \($d | ratio), compaction \($c | ratio), micro-kernels \($adaptive | ratio), or \($rounds | ratio) with a spawn in every iteration; with such spawns the order is \(if [$d, $c, $rounds, 1] | in_order then "" else "not " end)the paper's.",
       "  With patient spawns micro-kernels are faster than compaction (see `drs.bank_conflicts.dmk`), so the order of both depends on where threads spawn."),
    "- In `plants` most paths end early: from B3 on there are fewer rays than lanes (58 warps of 32), so neither its efficiency nor its speed is meaningful there.",
    "- **`drs.rays_absolute`**: primary rays of `\($one)` reach \(15 * $room[0].figures.ray_rate | whole) Mrays/s, in the paper 285; on silicon's machine \(15 * $silicon_room[0].figures.ray_rate | whole).",
    "  Secondary rays are slower than in the paper: a ray of B2 executes \($room[1:2] | work / rays | whole) thread instructions and requests \($room[1:2] | lines / rays | whole) lines.",
    "  The paper's 309 Mrays/s leave 48 cycles per ray, enough for 48 lines at one line per cycle.",
    "  Either the paper's rays request fewer lines than ours, or its machine sends more than one line per cycle.",
    "- **`drs.swap_cycles`**: a swap takes \($by_rows["1"] | cycles_a_swap | whole) cycles with nine buffers, and \($once["1"] | cycles_a_swap | whole) if a texture fetch writes its result once.",
    "  Lines of a fetch use the same four banks in successive cycles, and swaps have the lowest priority ([departures](../../models/schemes/dynamic_ray_shuffling/README.md#departures)); primary rays, with few lines, need \($by_rows["1"][:1] | cycles_a_swap | whole) cycles.",
    "  The paper does not say which accesses have priority.",
    "- **`drs.rdctrl_stall`** counts differently: here a stalled warp asks again when a row may be available, not in every cycle ([departure 11](../../models/schemes/dynamic_ray_shuffling/README.md#departures)), so there are fewer attempts with one row.",
    "  Most of our stalls do not wait for swaps: even if shuffling takes only one cycle, \($ideal | stall_rate | percent) of the attempts still stall.",
    "  With eight rows \($by_rows["8"] | stall_rate | percent) stall, and in the paper at most 4.81 %: swaps that wait for banks are late.",
    "  If a texture fetch writes its result once, \($once["8"] | stall_rate | percent) stall with eight rows, and \($once["1"] | stall_rate | percent) with one.",
    "- **`drs.register_traffic`**: the number of swaps follows the incoherence of rays, and primary rays of `\($one)` are coherent (\($scenes | map("`\(.)` \(software("simulated"; .) | bounces[:1] | efficiency | percent): \(shuffled("simulated"; .) | bounces[:1] | traffic | percent)") | join(", ")), by the software tracer's efficiency on them).",
    "  Including swaps there are \(1 - ($room | sum(swapped + operands)) / ($soft | sum(operands)) | percent) fewer accesses than with the software tracer; the paper also has fewer.",
    "- **`drs.area`** is outside the accepted range with flip-flops; with the buffers and the table in latches, the estimate is \($area.with_latches) NAND2 equivalents ([area and timing](../../rtl/dynamic_ray_shuffling/README.md#area-and-timing)). Rays change lanes, which takes two networks of multiplexers ([decision 12](../decisions/0012-rays-change-lanes.md)).",
    "  The storage equals the paper's to the bit.")
  end
