# SPDX-License-Identifier: Apache-2.0
# Makes docs/results/dmk.md, or with --arg form json its figures, from what scripts/results dmk leaves: reports of the kd-tree tracer by machine and
# scene, for the first 300,000 cycles (first), half of them (half) and whole pictures (whole), on an ideal memory (ideal), with one thing changed at a time (changed), for
# the causes of the low ray rate (causes), and the results of tests of known figures.

def percent: if . == null then "-" else (. * 1000 | round) / 10 | "\(.) %" end;
def ratio: (. * 100 | round) / 100 | tostring;
def whole: round | tostring;
def row: "| " + join(" | ") + " |";
def mean: add / length;
def shown: if . == null then "-" elif type == "boolean" then if . then "holds" else "does not hold" end
  elif type == "object" then to_entries | map("\(.key): \(.value | ratio)") | join("; ")
  elif type == "array" then if .[0] == .[1] then .[0] | shown else "\(.[0] | shown) to \(.[1] | shown)" end
  elif . >= 100 then whole else ratio end;
def accepted: if type == "object" then to_entries | map("\(.key): \(.value | shown)") | join("; ") else shown end;
def lies_in($accept):
  if . == null then null
  elif type == "object" then . as $measured | all($accept | keys[]; . as $key | $measured[$key] | lies_in($accept[$key]))
  elif type == "boolean" then . == $accept
  else . >= $accept[0] and . <= $accept[1] end;

# The camera rays, which are all that the paper traces.
def camera: .stages[] | select(.name == "bounce 1");
def ipc: camera.figures.thread_ipc;
def of_peak: ipc / (32 * .platform.sms);
def rate: camera.figures.ray_rate;
def simd: camera.figures.simd_efficiency;
def work: camera | .figures.thread_instructions / .rays_done;
def slots($cause): camera.figures["slots_\($cause)"];
def unit: camera.counters["gpu.sm.load_store"];
def created: camera.counters["gpu.sm.dynamic_microkernel"];
def read: unit.bytes_loaded;
def written: unit.bytes_stored;
def megabytes: . / 1e6 | ratio;
# Shares of issued instructions by the paper's classes of active lanes: W1:4 and so on.
def classes: camera.counters["gpu.sm.scheduler"].active_lanes as $lanes
  | ($lanes | add) as $all | [range(0; 8) | (1 + 4 * .) as $low | ($lanes[$low:$low + 4] | add) / $all];

[inputs | {key: (input_filename | capture("results/dmk/(?<path>.*)/report\\.json$").path), value: .}] | from_entries as $of
| ["conference_large", "forest", "atrium"] as $scenes
| "conference_large" as $room
| ["simulated_dmk", "dmk_warps", "dmk_no_conflicts", "dmk_microkernels", "dmk_mimd"] as $machines
| {simulated_dmk: "stack, by blocks", dmk_warps: "stack, by warps", dmk_no_conflicts: "micro-kernels, no bank conflicts",
   dmk_microkernels: "micro-kernels", dmk_mimd: "MIMD"} as $name
| {dmk_warps: "stack, by warps", dmk_microkernels: "hand-written", dmk_automatic: "generated, all loops", dmk_automatic_outer: "generated, outer loop", dmk_automatic_inner: "generated, inner loops",
   dmk_rounds: "adaptive, all loops, checks only at rounds", dmk_adaptive: "adaptive, all loops", dmk_adaptive_outer: "adaptive, outer loop", dmk_adaptive_inner: "adaptive, inner loops"} as $conversions
| def first($machine; $scene): $of["first/\($machine)/workload.scene=\($scene)"];
  def half($machine; $scene): $of["half/\($machine)/workload.scene=\($scene)"];
  # Rate in the second half of the cycles, in millions per second.
  def later($machine; $scene): first($machine; $scene) as $all | half($machine; $scene) as $half
    | ($all | camera.rays_done) - ($half | camera.rays_done) | . / ($all | camera.figures.time - ($half | camera.figures.time)) / 1e6;
  def picture($machine; $scene): $of["whole/\($machine)/workload.scene=\($scene)"];
  def ideal($machine): $of["ideal/\($machine)_ideal"];
  # Rate in millions per second. Whole pictures give the instructions of a ray; an unfinished ray counts by its share of them.
  def progress($machine; $scene): first($machine; $scene) | camera.figures
    | .thread_instructions / .time / 1e6 / (picture({dmk_no_conflicts: "dmk_microkernels"}[$machine] // $machine; $scene) | work);
  def gain(f; $over; $under): [$scenes[] as $s | (first($over; $s) | f) / (first($under; $s) | f)] | mean;
  def progress_gain($over; $under): [$scenes[] as $s | progress($over; $s) / progress($under; $s)] | mean;
  # Whole pictures of the room, by the stack.
  def warps_over_blocks($memory): def of($machine): if $memory == "usual" then picture($machine; $room) else $of["changed/warps_\($memory)/\($machine)"] end;
    (of("dmk_warps") | rate) / (of("simulated_dmk") | rate);
  # Changes that explain the ray rate, on the stack and on micro-kernels without bank conflicts. `plain` changes only the micro-kernels.
  # Instructions per ray are those of whole pictures; scripts/results adds 11 instructions per created thread or iteration to programs of `loops`.
  def cause($change; $machine; $scene): $of["causes/\($change)/\($machine)/workload.scene=\($scene)"];
  def added($change; $scene): if $change | test("loops") then 11 * (picture("dmk_microkernels"; $scene) | created.threads_spawned / camera.rays) else 0 end;
  def loops_of($change; $scene): ($change | sub("_?plain"; "")) as $change | if $change == "" then first("simulated_dmk"; $scene) else cause($change; "stack"; $scene) end;
  def lives_of($change; $scene): if $change == "" then first("dmk_no_conflicts"; $scene) else cause($change; "microkernels"; $scene) end;
  def loops_length($change; $scene): (picture("simulated_dmk"; $scene) | work) + added($change; $scene);
  def lives_length($change; $scene): (if $change | test("plain") then cause("whole"; "microkernels"; $scene) else picture("dmk_microkernels"; $scene) end | work) + added($change; $scene);
  def ipc_gain($change; $scene): (lives_of($change; $scene) | ipc) / (loops_of($change; $scene) | ipc);
  def length_gain($change; $scene): lives_length($change; $scene) / loops_length($change; $scene);
  def ray_gain($change; $scene): ipc_gain($change; $scene) / length_gain($change; $scene);
  # IPC of the stack with one thing changed, and of the same on the ideal memory.
  def on_ideal($change):
    (if $change == "" then first("simulated_dmk"; $room) elif $change == "memory" or $change == "loops" then cause($change; "stack"; $room) else $of["causes/\($change)"] end | ipc) as $usual
    | ($of["causes/\($change)_ideal"] // ideal("simulated_dmk") | ipc) as $ideal | {usual: $usual, ideal: $ideal, gain: ($ideal / $usual)};
  def bytes(f): [$scenes[] as $s | (picture("dmk_microkernels"; $s) | f) / (picture("simulated_dmk"; $s) | f)] | mean;
  ($claims[0] | map({key: .id, value: .}) | from_entries) as $claim
| first("simulated_dmk"; $room) as $stack
| first("dmk_microkernels"; $room) as $micro
| first("dmk_no_conflicts"; $room) as $free
| [{id: "dmk.occupancy.ukernel", measured: $of["threads/microkernels"].threads, workload: "trace_kd_tree_microkernels", command: "reconverge inspect occupancy"},
   {id: "dmk.occupancy.traditional", measured: $of["threads/traditional"].threads, workload: "trace_kd_tree, room for the paper's registers", command: "reconverge inspect occupancy"},
   {id: "dmk.spawn_memory.formation_entries", measured: $of.formula.passed, workload: "tests/unit/dynamic_microkernel"},
   {id: "dmk.spawn_memory.state_bytes", measured: $of.state.passed, workload: "tests/unit/kernels"},
   {id: "dmk.spawn_memory.addressing", measured: $of.addressing.passed, workload: "tests/unit/dynamic_microkernel"},
   {id: "dmk.forced_partial", measured: $of.partial.passed, workload: "tests/unit/dynamic_microkernel"},
   {id: "dmk.efficiency.pdom", measured: ($stack | of_peak), workload: $room},
   {id: "dmk.speedup.ipc.no_conflicts", measured: (($free | ipc) / ($stack | ipc)), workload: $room},
   {id: "dmk.speedup.ipc.conflicts", measured: (($micro | ipc) / ($stack | ipc)), workload: $room},
   {id: "dmk.speedup.rays", measured: progress_gain("dmk_no_conflicts"; "simulated_dmk"), workload: ($scenes | join(", "))},
   {id: "dmk.warp_vs_block", measured: progress_gain("dmk_warps"; "simulated_dmk"), workload: ($scenes | join(", "))},
   {id: "dmk.mimd.fraction", measured: (($micro | ipc) / (ideal("dmk_mimd") | ipc)), workload: $room},
   {id: "dmk.pdom.ideal_memory", measured: ((ideal("simulated_dmk") | ipc) / ($stack | ipc)), workload: $room},
   {id: "dmk.bandwidth", measured: {read: bytes(read), total: bytes(read + written)}, workload: ($scenes | join(", "))}]
| map(. as $figure | {id, measured, inside: (.measured | lies_in($claim[$figure.id].accept)), workload, command: (.command // "scripts/results dmk")})
| . as $figures
| if $form == "json" then .
  else
    "# Dynamic micro-kernels on the paper's scenes",
    "",
    "`scripts/results dmk` writes this page: change `docs/results/dmk.jq` or the experiment, not the page.",
    "The paper is Steffen and Zambreno, MICRO 2010.",
    "",
    "The paper simulated a Quadro FX 5800 on GPGPU-Sim 2.1, and its claims are judged on [that machine](../../yaml/platforms/fx5800_gpgpusim2.yaml), as in the paper: the first 300,000 cycles of a picture of 256 x 256, on 30 SMs at 325 MHz.",
    "\($figures | map(select(.inside)) | length) of \($figures | map(select(.inside != null)) | length) claims are inside the accepted range.",
    "",
    "| claim | says | paper | accepted | measured | |",
    "|---|---|---|---|---|---|",
    ($figures[] | $claim[.id] as $c
     | ["`\(.id)`", $c.says + " (\($c.where | sub("^DMK "; "")))", ($c.value | shown), ($c.accept | accepted), (.measured | shown),
        (if .inside == null then "not measured" elif .inside then "inside" else "**outside**" end)] | row),
    "",
    "## Ray rate and IPC",
    "",
    "`reconverge run yaml/experiments/dmk.yaml`, and the same for the paper's other two scenes.",
    "The stack runs `trace_kd_tree`, which has three loops; the micro-kernels are hand-written, [one thread per loop iteration](../../platforms/kernels/trace_kd_tree_microkernels.cu), and pass 48 bytes to the next thread.",
    "The paper does not say how it counts rays.",
    "A run starts with an empty machine, and a machine that holds more threads has more unfinished rays when the run stops: up to 24,000 of 65,536.",
    "The claims of Fig. 8 therefore count an unfinished ray by the share of its instructions that have been executed.",
    "The ray rate is then thread instructions per second, divided by the thread instructions per ray of the whole picture.",
    "",
    "- In the second half: the ray rate, from the rays finished in the last 150,000 cycles.",
    "- IPC: thread instructions per cycle, of 960.",
    "- Unit busy: issue slots in which every warp that could continue waited for a pipe, here the load/store unit.",
    "",
    (["scene", "machine", "Mrays/s, with unfinished rays", "over the stack", "rays finished", "Mrays/s", "over the stack", "in the second half", "over the stack", "IPC", "over the stack", "SIMD efficiency", "issued", "unit busy", "memory"] | row),
    "|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|",
    ($scenes[] as $scene | $machines[] as $machine | first($machine; $scene)
     | [$scene, $name[$machine]]
       + (if $machine == "dmk_mimd" then ["", ""] else [progress($machine; $scene), progress($machine; $scene) / progress("simulated_dmk"; $scene) | ratio] end)
       + [(camera.rays_done | tostring), (rate | ratio), (rate / (first("simulated_dmk"; $scene) | rate) | ratio),
        (if half($machine; $scene) then later($machine; $scene) | ratio else "" end),
        (if half($machine; $scene) then later($machine; $scene) / later("simulated_dmk"; $scene) | ratio else "" end),
        (ipc | whole), (ipc / (first("simulated_dmk"; $scene) | ipc) | ratio), (simd | percent), (slots("issued") | percent),
        (slots("pipe") | percent), (slots("memory") + slots("dependency") | percent)] | row),
    "",
    "## Active lanes",
    "",
    "Issued instructions by number of active lanes, conference room (Figs. 3, 7 and 9).",
    "The plots show the same over time, and the slots in which nothing issued.",
    "",
    (["machine", "W1:4", "W5:8", "W9:12", "W13:16", "W17:20", "W21:24", "W25:28", "W29:32"] | row),
    "|---|--:|--:|--:|--:|--:|--:|--:|--:|",
    ($machines[] as $machine | [$name[$machine]] + (first($machine; $room) | classes | map(percent)) | row),
    "",
    "![Stack, by blocks](simulated_dmk.svg)",
    "",
    "![Micro-kernels without bank conflicts](dmk_no_conflicts.svg)",
    "",
    "![Micro-kernels](dmk_microkernels.svg)",
    "",
    "## Whole pictures",
    "",
    "The same runs to the end of the picture, with every hit compared with Embree's.",
    "Bytes count what lanes request, before coalescing and caches, from memory on or off the chip (Table IV).",
    "",
    (["scene", "machine", "cycles", "Mrays/s", "SIMD efficiency", "instructions per ray", "threads created per ray", "of them in partial warps", "MB read", "MB written", "hits that differ"] | row),
    "|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|",
    ($scenes[] as $scene | ("simulated_dmk", "dmk_warps", "dmk_microkernels") as $machine | picture($machine; $scene)
     | [$scene, $name[$machine], (camera.figures.cycles | whole), (rate | ratio), (simd | percent), (work | whole),
        (created.threads_spawned / camera.rays | ratio), (if created.threads_spawned == 0 then "-" else created.partial_threads / created.threads_spawned | percent end),
        (read | megabytes), (written | megabytes), (camera.hits.mismatches | tostring)] | row),
    "",
    "The paper's picture of the conference room reads 64.2 MB with the traditional kernel and 263.3 MB with micro-kernels, and writes 0.25 and 179.6 MB.",
    "Our figures include the traversal stacks of the rays.",
    "",
    "## An ideal memory",
    "",
    "This section uses the ideal memory of GPGPU-Sim (Fig. 10; `gpgpu_perfect_mem`) and the conference room; micro-kernels have no bank conflicts.",
    "It replies immediately, but the load/store unit still sends one request per cycle.",
    "For MIMD, the memory has no limits.",
    "",
    (["machine", "IPC", "of the MIMD ideal", "Mrays/s", "of the MIMD ideal", "IPC over the usual memory"] | row),
    "|---|--:|--:|--:|--:|--:|",
    (["simulated_dmk", $stack], ["dmk_microkernels", $free], ["dmk_mimd", first("dmk_mimd"; $room)]
     | . as [$machine, $usual] | ideal($machine)
     | [$name[$machine], (ipc | whole), (ipc / (ideal("dmk_mimd") | ipc) | percent), (rate | ratio), (rate / (ideal("dmk_mimd") | rate) | percent),
        (ipc / ($usual | ipc) | ratio)] | row),
    "",
    "The gain of the stack from this memory, with one thing changed on both memories:",
    "",
    (["", "IPC", "with the ideal memory", "gain"] | row),
    "|---|--:|--:|--:|",
    ([["", "unchanged"], ["loops", "loops as long as the paper's (below)"], ["memory", "no crossbar or DRAM: 110 cycles for each request, without limit on their number"],
      ["rows", "DRAM with zero row activation time"], ["textures", "a texture cache of 64 KiB instead of 8"],
      ["units", "two requests per cycle from the load/store unit to the caches"]][]
     | . as [$change, $what] | on_ideal($change) | [$what, (.usual | whole), (.ideal | whole), (.gain | ratio)] | row),
    "",
    "## Causes of the ray rate",
    "",
    "The ratio of ray rates is the ratio of instructions per cycle, divided by the ratio of instructions per ray.",
    "This table has both factors, with one thing changed or several; micro-kernels have no bank conflicts.",
    "",
    "- Shorter micro-kernels: a step down does not keep the divisor away from zero, so it has seven instructions fewer. Micro-kernels, unlike loops, find the reciprocal in each step.",
    "- Longer loops: each iteration of a loop and each created thread executes 11 more instructions, so that a ray of the room takes as many with loops as in the paper. This is a diagnosis, not a reproduction.",
    "- Memory without limits: no crossbar or DRAM, but 110 cycles for each request.",
    "",
    (["", "IPC of the stack", "of micro-kernels", "ratio", "instructions per ray, stack", "of micro-kernels", "ratio", "ray rate over the stack, room", "forest", "atrium", "mean"] | row),
    "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|",
    ([["", "the machine of the claims"], ["plain", "shorter micro-kernels"], ["loops", "longer loops"], ["memory", "memory without limits"],
      ["loops_memory", "longer loops, memory without limits"], ["loops_memory_plain", "all three"]][]
     | . as [$change, $what]
     | [$what, (loops_of($change; $room) | ipc | whole), (lives_of($change; $room) | ipc | whole), (ipc_gain($change; $room) | ratio),
        (loops_length($change; $room) | whole), (lives_length($change; $room) | whole), (length_gain($change; $room) | ratio), (ray_gain($change; $scenes[]) | ratio),
        ([$scenes[] as $s | ray_gain($change; $s)] | mean | ratio)] | row),
    (["the paper, by its figures", "326", "615", "1.89", "2250", "at most 2970", "at most 1.32", "", "", "", "1.4"] | row),
    "",
    "## Hand-written and generated micro-kernels",
    "",
    "[The transform](../../models/kernel/transform/README.md) generates micro-kernels from the traditional kernel (`yaml/experiments/dmk_conversion.yaml`): at all of its loops, or at the outer or inner ones.",
    "The adaptive forms branch instead of spawning as long as all lanes of a warp continue; the paper proposes this improvement.",
    "Conference room, first 300,000 cycles.",
    "",
    (["", "Mrays/s", "IPC", "SIMD efficiency", "issued", "threads created per ray"] | row),
    "|---|--:|--:|--:|--:|--:|",
    ($conversions | to_entries[] | .value as $what | $of["conversion/\(.key)"] | select(.)
     | [$what, (rate | ratio), (ipc | whole), (simd | percent), (slots("issued") | percent), (created.threads_spawned / camera.rays_done | ratio)] | row),
    "",
    "## One thing changed at a time",
    "",
    "Micro-kernels in the conference room, first 300,000 cycles.",
    "",
    (["", "Mrays/s", "IPC", "over the stack", "issued", "unit busy", "memory", "conflict cycles per SM and cycle"] | row),
    "|---|--:|--:|--:|--:|--:|--:|--:|",
    (["unchanged", $micro],
     ["no bank conflicts", $free],
     ["banks as in silicon: every word of a vector needs its own bank, one word per cycle", $of["changed/banks"]],
     ["spawn memory in device memory", $of["changed/device"]],
     ["registers for 512 threads, as for the stack", $of["changed/threads"]],
     ["no texture cache, a possible reading of Table I", $of["changed/textures"]],
     ["a texture cache of 64 ways instead of 2", $of["changed/ways"]],
     ["DRAM with zero row activation time", $of["changed/rows"]],
     ["no crossbar or DRAM: 110 cycles for each request, without limit on their number", $of["changed/latency"]],
     ["two requests per cycle from the load/store unit to the caches", $of["changed/units"]]
     | . as [$what, $report] | $report
     | [$what, (rate | ratio), (ipc | whole), (ipc / ($stack | ipc) | ratio), (slots("issued") | percent), (slots("pipe") | percent),
        (slots("memory") + slots("dependency") | percent), (unit.spawn_conflict_cycles / (camera.figures.cycles * .platform.sms) | ratio)] | row),
    "",
    "## Findings",
    "",
    (picture("simulated_dmk"; $room) as $loops | picture("dmk_microkernels"; $room) as $lives
     | ((($lives | work) - ($loops | work)) / ($lives | created.threads_spawned / camera.rays)) as $overhead
     | ([$scenes[] as $s | later("dmk_no_conflicts"; $s) / later("simulated_dmk"; $s)] | mean) as $late
     | ([$scenes[] as $s | (picture("dmk_microkernels"; $s) | rate) / (picture("simulated_dmk"; $s) | rate)] | mean) as $finish
     | "- **SIMD efficiency and IPC agree with the paper.** Warps of created threads keep \($free | simd | percent) of their lanes active, warps of the kernel with loops \($stack | simd | percent), and the machine executes \(($free | ipc) / ($stack | ipc) | ratio) times as many thread instructions per cycle.",
       "  The stack reaches \($stack | of_peak | percent) of peak in the paper's 300,000 cycles, and less over the whole picture ([baseline](baseline.md)): the first rays are adjacent, and therefore the most coherent.",
       "- **The ray rate does not agree (`dmk.speedup.rays`).** The ratio of micro-kernels to the stack is \($figures[] | select(.id == "dmk.speedup.rays").measured | ratio) with unfinished rays, \(gain(rate; "dmk_no_conflicts"; "simulated_dmk") | ratio) for finished rays, \($late | ratio) in the second half, \($finish | ratio) for whole pictures.",
       "  A ray of the room takes \($loops | work | whole) thread instructions with loops and \($lives | work | whole) with micro-kernels, \(($lives | work) / ($loops | work) | ratio) times as many: each created thread has \($overhead | ratio) instructions that an iteration of a loop does not have (pointer, three loads, three stores, the spawns and the choice between them), and a ray has \($lives | created.threads_spawned / camera.rays | ratio) threads.",
       "  The paper's figures allow at most 1.32 times as many: its IPC rises from 326 to 615, its ray rate from 47 to 67 Mrays/s.",
       "  Its loops take about 2,250 instructions per ray, and Table IV has 53 threads per ray, so 14 additional instructions per thread would give a factor of 1.3.",
       "  With loops and micro-kernels longer by the same number of instructions, so that loops take as many as the paper's, our factor is \(length_gain("loops"; $room) | ratio); with shorter micro-kernels too, it is \(length_gain("loops_memory_plain"; $room) | ratio).",
       "- **Memory is the main cause of the low ratio, the instructions of a ray the other** ([table](#causes-of-the-ray-rate)).",
       "  Without limits of the memory the ratio is \([$scenes[] as $s | ray_gain("memory"; $s)] | mean | ratio), because micro-kernels gain more than the stack: in the atrium it changes from \(ray_gain(""; "atrium") | ratio) to \(ray_gain("memory"; "atrium") | ratio).",
       "  With the usual memory, instructions matter little: longer loops change the ratio to \([$scenes[] as $s | ray_gain("loops"; $s)] | mean | ratio), shorter micro-kernels to \([$scenes[] as $s | ray_gain("plain"; $s)] | mean | ratio), because micro-kernels wait for memory instead.",
       "  Without limits of the memory they matter: the ratio is \([$scenes[] as $s | ray_gain("loops_memory"; $s)] | mean | ratio) with longer loops, and \([$scenes[] as $s | ray_gain("loops_memory_plain"; $s)] | mean | ratio) with all three.",
       "  The lanes of a warp of created threads are at unrelated nodes of the tree, and each node and each stack entry is a separate request.",
       "  These requests stall the pipeline in \($micro | slots("pipe") | percent) of the slots, and in \($free | slots("pipe") | percent) without bank conflicts; with zero row activation time of DRAM the rate is \(($of["changed/rows"] | rate) / ($micro | rate) | ratio) times as high.",
       "  On an ideal memory micro-kernels are \((ideal("dmk_microkernels") | rate) / (ideal("simulated_dmk") | rate) | ratio) times as fast as the stack.",
       "- **`dmk.pdom.ideal_memory`**: the stack gains \(on_ideal("").gain - 1 | percent) from an ideal memory, and nothing in the paper; micro-kernels gain \((ideal("dmk_microkernels") | ipc) / ($free | ipc) - 1 | percent).",
       "  The cause is that our rays execute fewer instructions per request: with loops as long as the paper's the gain is \(on_ideal("loops").gain - 1 | percent), and the stack reaches \(on_ideal("loops").usual / (32 * $stack.platform.sms) | percent) of peak instead of \($stack | of_peak | percent) (the paper 34 %).",
       "  What the stack waits for is the rate of the memory, not its latency: with 110 cycles for each request and no limit on their number an ideal memory would gain \(on_ideal("memory").gain - 1 | percent), with zero row activation time \(on_ideal("rows").gain - 1 | percent), with a texture cache of 64 KiB \(on_ideal("textures").gain - 1 | percent).",
       "  The load/store unit is not the cause: with two requests per cycle the gain is \(on_ideal("units").gain - 1 | percent).",
       "  The stack waits for memory in \($stack | slots("memory") + slots("dependency") | percent) of its slots.",
       "  [The baseline](baseline.md) divides the cost of memory into parts.",
       "- **`dmk.warp_vs_block`** is \($figures[] | select(.id == "dmk.warp_vs_block").measured | ratio) with unfinished rays, \(gain(rate; "dmk_warps"; "simulated_dmk") | ratio) for finished rays, and \([$scenes[] as $s | (picture("dmk_warps"; $s) | rate) / (picture("simulated_dmk"; $s) | rate)] | mean | ratio) in whole pictures.",
       "  In the paper more threads hide more latency; here sixteen warps already fill \($stack | slots("issued") | percent) of the pipeline.",
       "  The texture cache is not the limit either.",
       "  For whole pictures of the room the ratio is \(warps_over_blocks("usual") | ratio), with a texture cache of 64 KiB \(warps_over_blocks("larger") | ratio), and with only a latency of 110 cycles \(warps_over_blocks("latency") | ratio).",
       "- **`dmk.mimd.fraction`** is measured in instructions per cycle: the paper's 45 % is 429 of the 960 instructions per cycle of the peak, so its theoretical MIMD machine reaches the peak, or nearly.",
       "  In rays per second it is \(($micro | rate) / (ideal("dmk_mimd") | rate) | percent).",
       "- Bank conflicts cost \(1 - ($micro | rate) / ($free | rate) | percent) here, and 30 % of the instructions per cycle in the paper.",
       "  In the first 150,000 cycles, before rays diverge, they cost \(1 - (half("dmk_microkernels"; $room) | ipc) / (half("dmk_no_conflicts"; $room) | ipc) | percent).",
       "  Bank conflicts stall the whole pipeline for \($micro | unit.spawn_conflict_cycles / (camera.figures.cycles * .platform.sms) | percent) of the cycles, but without them \($free | 1 - slots("issued") | percent) of the slots still issue nothing.",
       "  A vector access needs only the bank of its first word, and a bank serves two words per cycle, as in GPGPU-Sim 2.1; with banks as in silicon (table above), conflicts cost \(1 - ($of["changed/banks"] | ipc) / ($free | ipc) | percent).",
       "- The end of a whole picture is inefficient: when no other warps can start, \($lives | created.partial_threads / created.threads_spawned | percent) of the created threads run in partial warps; none do in the paper's 300,000 cycles.")
  end
