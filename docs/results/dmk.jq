# Makes docs/results/dmk.md, or with --arg form json its figures, from what scripts/results dmk leaves: reports of the kd-tree tracer by machine and
# scene, for the first 300,000 cycles (first), half of them (half) and whole pictures (whole), on an ideal memory (ideal), with one thing changed at a time (changed), and
# what tests of figures known on paper said.

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

# The rays from the camera, which is what the paper traces.
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
# Of the paper's ten classes those with lanes: W1:4 and so on, of issued instructions.
def classes: camera.counters["gpu.sm.scheduler"].active_lanes as $lanes
  | ($lanes | add) as $all | [range(0; 8) | (1 + 4 * .) as $low | ($lanes[$low:$low + 4] | add) / $all];

[inputs | {key: (input_filename | capture("results/dmk/(?<path>.*)/report\\.json$").path), value: .}] | from_entries as $of
| ["conference_large", "forest", "atrium"] as $scenes
| "conference_large" as $room
| ["simulated_dmk", "dmk_warps", "dmk_no_conflicts", "dmk_microkernels", "dmk_mimd"] as $machines
| {simulated_dmk: "stack, by blocks", dmk_warps: "stack, by warps", dmk_no_conflicts: "micro-kernels, no bank conflicts",
   dmk_microkernels: "micro-kernels", dmk_mimd: "MIMD"} as $name
| {dmk_warps: "stack, by warps", dmk_microkernels: "by hand", dmk_automatic: "by the pass, all loops", dmk_automatic_outer: "outer loop", dmk_automatic_inner: "inner loops",
   dmk_rounds: "adaptive, all loops, rounds alone", dmk_adaptive: "adaptive, all loops", dmk_adaptive_outer: "adaptive, outer loop", dmk_adaptive_inner: "adaptive, inner loops"} as $conversions
| def first($machine; $scene): $of["first/\($machine)/workload.scene=\($scene)"];
  def half($machine; $scene): $of["half/\($machine)/workload.scene=\($scene)"];
  # Of the second half of the cycles, in millions a second.
  def later($machine; $scene): first($machine; $scene) as $all | half($machine; $scene) as $half
    | ($all | camera.rays_done) - ($half | camera.rays_done) | . / ($all | camera.figures.time - ($half | camera.figures.time)) / 1e6;
  def picture($machine; $scene): $of["whole/\($machine)/workload.scene=\($scene)"];
  def ideal($machine): $of["ideal/\($machine)_ideal"];
  # In millions a second, of a kernel of whose rays whole pictures tell the instructions: a ray under way counts by its share of them.
  def progress($machine; $scene): first($machine; $scene) | camera.figures
    | .thread_instructions / .time / 1e6 / (picture({dmk_no_conflicts: "dmk_microkernels"}[$machine] // $machine; $scene) | work);
  def gain(f; $over; $under): [$scenes[] as $s | (first($over; $s) | f) / (first($under; $s) | f)] | mean;
  def progress_gain($over; $under): [$scenes[] as $s | progress($over; $s) / progress($under; $s)] | mean;
  # Whole pictures of the room, by the stack.
  def warps_over_blocks($memory): def of($machine): if $memory == "usual" then picture($machine; $room) else $of["changed/warps_\($memory)/\($machine)"] end;
    (of("dmk_warps") | rate) / (of("simulated_dmk") | rate);
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
    "Made by `scripts/results dmk`; change `docs/results/dmk.jq` or the experiment, not this page. The paper is Steffen and Zambreno, MICRO 2010.",
    "",
    "It simulated a Quadro FX 5800 on GPGPU-Sim 2.1, and its claims are judged on [that machine](../../yaml/platforms/fx5800_gpgpusim2.yaml), as the paper",
    "did: the first 300,000 cycles of a picture of 256 x 256, on 30 SMs at 325 MHz. \($figures | map(select(.inside)) | length) of \($figures | map(select(.inside != null)) | length) claims are inside.",
    "",
    "| claim | says | paper | accepted | measured | |",
    "|---|---|---|---|---|---|",
    ($figures[] | $claim[.id] as $c
     | ["`\(.id)`", $c.says + " (\($c.where | sub("^DMK "; "")))", ($c.value | shown), ($c.accept | accepted), (.measured | shown),
        (if .inside == null then "not measured" elif .inside then "inside" else "**outside**" end)] | row),
    "",
    "## Rays a second and instructions a cycle",
    "",
    "`reconverge run yaml/experiments/dmk.yaml`, and the same for the paper's other two scenes. The stack runs `trace_kd_tree`, which has three loops; the",
    "micro-kernels are written by hand, [a thread for each round](../../testbenches/kernels/trace_kd_tree_microkernels.cu), and leave 48 bytes to the next.",
    "The paper does not say how it counts rays. Machines begin empty, and those that hold more threads have more rays under way when the run stops: up to",
    "24,000 of 65,536. So the claims of Fig. 8 count a ray under way by its share of instructions: thread instructions a second, over those that a ray takes in",
    "the whole picture. In the second half: rays that were done in the last 150,000 cycles.",
    "IPC: thread instructions a cycle, of 960. Unit busy: issue slots in which every warp that could go on waited for a pipe, here the load/store unit.",
    "",
    (["scene", "machine", "Mrays/s, those under way counted", "over the stack", "rays done", "Mrays/s", "over the stack", "in the second half", "over the stack", "IPC", "over the stack", "SIMD efficiency", "issued", "unit busy", "memory"] | row),
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
    "## Lanes at work",
    "",
    "Issued instructions by the lanes that are active, conference room (Figs. 3, 7 and 9). The pictures have them over time, with the slots in which nothing issued.",
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
    "The same to the end, where every hit is compared with Embree's. Bytes: what lanes ask for, with no coalescing and no caches, on chip or off (Table IV).",
    "",
    (["scene", "machine", "cycles", "Mrays/s", "SIMD efficiency", "instructions a ray", "threads created a ray", "of them in partial warps", "MB read", "MB written", "hits that differ"] | row),
    "|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|",
    ($scenes[] as $scene | ("simulated_dmk", "dmk_warps", "dmk_microkernels") as $machine | picture($machine; $scene)
     | [$scene, $name[$machine], (camera.figures.cycles | whole), (rate | ratio), (simd | percent), (work | whole),
        (created.threads_spawned / camera.rays | ratio), (if created.threads_spawned == 0 then "-" else created.partial_threads / created.threads_spawned | percent end),
        (read | megabytes), (written | megabytes), (camera.hits.mismatches | tostring)] | row),
    "",
    "The paper's picture of the conference room reads 64.2 MB by the traditional kernel and 263.3 MB by micro-kernels, and writes 0.25 and 179.6 MB. Ours have their stacks in it, too.",
    "",
    "## An ideal memory",
    "",
    "The simulator\u0027s own ideal memory (Fig. 10; `gpgpu_perfect_mem`), conference room; micro-kernels without bank conflicts. It answers at once, and the load/store unit",
    "still sends one request a cycle. MIMD has no limits.",
    "",
    (["machine", "IPC", "of the MIMD ideal", "Mrays/s", "of the MIMD ideal", "IPC over the usual memory"] | row),
    "|---|--:|--:|--:|--:|--:|",
    (["simulated_dmk", $stack], ["dmk_microkernels", $free], ["dmk_mimd", first("dmk_mimd"; $room)]
     | . as [$machine, $usual] | ideal($machine)
     | [$name[$machine], (ipc | whole), (ipc / (ideal("dmk_mimd") | ipc) | percent), (rate | ratio), (rate / (ideal("dmk_mimd") | rate) | percent),
        (ipc / ($usual | ipc) | ratio)] | row),
    "",
    "## By hand, and by the pass",
    "",
    "[The pass](../../models/kernel/transform/README.md) makes micro-kernels of the traditional kernel (`yaml/experiments/dmk_conversion.yaml`): at all of its loops, at the outer or the inner",
    "ones, and adaptively, where a warp goes on by a branch as long as all of its lanes do (the improvement that the paper proposes). Conference room, first 300,000 cycles.",
    "",
    (["", "Mrays/s", "IPC", "SIMD efficiency", "issued", "threads created a ray"] | row),
    "|---|--:|--:|--:|--:|--:|",
    ($conversions | to_entries[] | .value as $what | $of["conversion/\(.key)"] | select(.)
     | [$what, (rate | ratio), (ipc | whole), (simd | percent), (slots("issued") | percent), (created.threads_spawned / camera.rays_done | ratio)] | row),
    "",
    "## One thing changed at a time",
    "",
    "Micro-kernels in the conference room, first 300,000 cycles.",
    "",
    (["", "Mrays/s", "IPC", "over the stack", "issued", "unit busy", "memory", "conflict cycles an SM and cycle"] | row),
    "|---|--:|--:|--:|--:|--:|--:|--:|",
    (["as above", $micro],
     ["no bank conflicts", $free],
     ["banks as silicon has them: every word of a vector needs its own, one a cycle", $of["changed/banks"]],
     ["spawn memory in device memory", $of["changed/device"]],
     ["room for 512 threads, those of the stack", $of["changed/threads"]],
     ["no texture cache, as Table I may mean", $of["changed/textures"]],
     ["a texture cache of 64 ways in place of 2", $of["changed/ways"]],
     ["DRAM whose rows open in no time", $of["changed/rows"]],
     ["no crossbar and DRAM: 110 cycles for each request, any number at once", $of["changed/latency"]],
     ["two requests a cycle from the load/store unit to the caches", $of["changed/units"]]
     | . as [$what, $report] | $report
     | [$what, (rate | ratio), (ipc | whole), (ipc / ($stack | ipc) | ratio), (slots("issued") | percent), (slots("pipe") | percent),
        (slots("memory") + slots("dependency") | percent), (unit.spawn_conflict_cycles / (camera.figures.cycles * .platform.sms) | ratio)] | row),
    "",
    "## What this says",
    "",
    (picture("simulated_dmk"; $room) as $loops | picture("dmk_microkernels"; $room) as $lives
     | ((($lives | work) - ($loops | work)) / ($lives | created.threads_spawned / camera.rays)) as $overhead
     | ([$scenes[] as $s | later("dmk_no_conflicts"; $s) / later("simulated_dmk"; $s)] | mean) as $late
     | ([$scenes[] as $s | (picture("dmk_microkernels"; $s) | rate) / (picture("simulated_dmk"; $s) | rate)] | mean) as $finish
     | "- **Lanes and instructions a cycle are the paper\u0027s.** Warps of created threads keep \($free | simd | percent) of their lanes, the loops \($stack | simd | percent), and the machine executes",
       "  \(($free | ipc) / ($stack | ipc) | ratio) times as many thread instructions a cycle. The stack has \($stack | of_peak | percent) of peak in the paper\u0027s 300,000 cycles; to the end of the picture less ([there](baseline.md)):",
       "  the first rays, side by side, are the easiest.",
       "- **Rays a second are not (`dmk.speedup.rays`)**: \($figures[] | select(.id == "dmk.speedup.rays").measured | ratio) with rays under way, \(gain(rate; "dmk_no_conflicts"; "simulated_dmk") | ratio) in those that were done, \($late | ratio) in",
       "  the second half, \($finish | ratio) for whole pictures. A ray of the room takes \($loops | work | whole) thread instructions by loops and \($lives | work | whole) by micro-kernels, which is \(($lives | work) / ($loops | work) | ratio) times: a life has \($overhead | ratio) instructions that a round of",
       "  a loop has not (pointer, three loads, three stores, the spawns and what chooses among them), and a ray has \($lives | created.threads_spawned / camera.rays | ratio) lives. The paper\u0027s figures allow no more than 1.32: 615 over 326",
       "  instructions and 67 over 47 Mrays/s. Its loops take about 2,250 instructions a ray, and Table IV has 53 lives, so that it would be 1.3 with 14 instructions a life. Ours would be",
       "  \(($lives | created.threads_spawned / camera.rays) * $overhead / 2250 + 1 | ratio) over loops as long as those: half of the miss is a leaner kernel to be compared with.",
       "- The rest is memory: lanes of a formed warp are anywhere in the tree, and each node and each entry of a stack is a request of its own. For these the one pipeline stands in \($micro | slots("pipe") | percent) of the slots,",
       "  \($free | slots("pipe") | percent) without bank conflicts, and with rows of DRAM that open in no time the rate is \(($of["changed/rows"] | rate) / ($micro | rate) | ratio) times this. On an ideal",
       "  memory micro-kernels are \((ideal("dmk_microkernels") | rate) / (ideal("simulated_dmk") | rate) | ratio) times as fast as the stack.",
       "- **`dmk.pdom.ideal_memory`**: the stack gains \((ideal("simulated_dmk") | ipc) / ($stack | ipc) - 1 | percent), the paper\u0027s nothing; micro-kernels gain \((ideal("dmk_microkernels") | ipc) / ($free | ipc) - 1 | percent). The stack waits for memory in",
       "  \($stack | slots("memory") + slots("dependency") | percent) of its slots, and that is the gain: what it sends takes the same time on both. [What memory costs](baseline.md) is there in parts.",
       "- **`dmk.warp_vs_block`** is \($figures[] | select(.id == "dmk.warp_vs_block").measured | ratio) with rays under way, \(gain(rate; "dmk_warps"; "simulated_dmk") | ratio) in those that were done, and \([$scenes[] as $s | (picture("dmk_warps"; $s) | rate) / (picture("simulated_dmk"; $s) | rate)] | mean | ratio) in whole pictures. The paper has more threads hide more latency. Here sixteen",
       "  warps fill \($stack | slots("issued") | percent) of the pipeline already. Nor do they share what is too small: whole pictures of the room have \(warps_over_blocks("usual") | ratio), with a texture cache of 64 KiB \(warps_over_blocks("larger") | ratio), and with nothing but a latency",
       "  of 110 cycles \(warps_over_blocks("latency") | ratio).",
       "- **`dmk.mimd.fraction`** is taken in instructions a cycle: the paper\u0027s 45 % is its 429 of 960, so its MIMD theoretical is the peak, or next to it. In rays a second it is",
       "  \(($micro | rate) / (ideal("dmk_mimd") | rate) | percent).",
       "- Bank conflicts cost \(1 - ($micro | rate) / ($free | rate) | percent) here, and 30 % of the instructions a cycle in the paper. In the first 150,000 cycles, before rays part, they cost",
       "  \(1 - (half("dmk_microkernels"; $room) | ipc) / (half("dmk_no_conflicts"; $room) | ipc) | percent). They hold up the whole pipeline for \($micro | unit.spawn_conflict_cycles / (camera.figures.cycles * .platform.sms) | percent) of the cycles; but \($free | 1 - slots("issued") | percent) of the slots issue nothing without them either. A vector access needs the bank of its first word alone, and a bank",
       "  serves two words in a cycle, as in GPGPU-Sim 2.1; silicon\u0027s banks are in the table above, and cost \(1 - ($of["changed/banks"] | ipc) / ($free | ipc) | percent).",
       "- Whole pictures end badly: when nothing is left to begin, \($lives | created.partial_threads / created.threads_spawned | percent) of the threads that are created run in partial warps, in the paper\u0027s 300,000 cycles none.")
  end
