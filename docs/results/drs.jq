# Makes docs/results/drs.md, or with --arg form json its figures, from what scripts/results drs leaves: reports of the software tracer,
# of thread block compaction and of ray shuffling by scene (overall), of the two sweeps (rows, bank, ideal, buffers), of the first and the
# last with one thing of the machine changed at a time (changed), the area of the RTL, and what tests of figures known on paper said.

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

# Rays from the camera and from surface to surface, bounce by bounce; shadow rays are no part of the paper's streams.
def bounces: [.stages[] | select(.name | test("^bounce [0-9]+$"))];
def first_four: bounces[:4];
def sum(f): map(f) | add;
def mean: if length == 0 then null else add / length end;
def cycles: sum(.figures.cycles);
def rays: sum(.rays);
# In millions a second, of one SM.
def rate: rays / sum(.figures.time) / 1e6;
def efficiency: sum(.figures.thread_instructions) / (32 * sum(.figures.warp_instructions));
def work: sum(.figures.thread_instructions);
def warps_a_cycle: sum(.figures.warp_instructions) / cycles;
def lines: sum(.counters["gpu.sm.load_store"].line_requests);
def misses: sum(.counters["gpu.sm.texture_cache"].misses);
def replies: sum(.counters["gpu.crossbar"].ejection_port_cycles);
def shuffling: .counters["gpu.sm.dynamic_ray_shuffling"];
def operands: .counters["gpu.sm.operand_collector"] | .reads + .writes;
def swapped: shuffling | .register_reads + .register_writes;
def traffic: sum(swapped) / (sum(swapped) + sum(operands));
def stall_rate: sum(shuffling.stalls) / sum(shuffling.control_reads);
def cycles_a_swap: sum(shuffling.swap_cycles) / sum(shuffling.swaps);
def waiting: sum(.figures.slots_shuffling * .figures.cycles) / cycles;
def depending: sum(.figures.slots_dependency * .figures.cycles) / cycles;
# How far apart the largest and the smallest are, of the smallest.
def spread: max / min - 1;

[inputs | {key: (input_filename | capture("results/drs/(?<path>.*)/[a-z]+\\.json$").path), value: .}]
| map(select(.value.partial | not)) | from_entries as $of
| ["conference", "forest", "sponza", "plants"] as $scenes
| ["overall", "changed/alu", "changed/requests", "changed/lines", "changed/latency", "changed/memory"] as $machines
| {overall: "GTX 780 as configured", "changed/alu": "one arithmetic pipe of 32 lanes in place of six",
   "changed/requests": "four requests a cycle to the first-level caches in place of one",
   "changed/lines": "eight requests, and 64 banks of the texture cache for them",
   "changed/latency": "one request, but nothing behind the first-level caches takes time or room",
   "changed/memory": "both"} as $machine
| def software($machine; $scene): $of["\($machine)/baseline_drs/workload.scene=\($scene)"] // empty;
  def shuffled($machine; $scene): $of["\($machine)/drs_shuffling/workload.scene=\($scene)"] // empty;
  def compacted($machine; $scene): $of["\($machine)/tbc/workload.scene=\($scene)"] // empty;
  def compaction_gain($machine; $scene; bounces): (compacted($machine; $scene) | bounces | rate) / (software($machine; $scene) | bounces | rate);
  def gain($machine; $scene; bounces): (shuffled($machine; $scene) | bounces | rate) / (software($machine; $scene) | bounces | rate);
  ["1", "2", "4", "8"] as $rows
| ["6", "9", "12", "18"] as $buffers
| "gpu.sm.dynamic_ray_shuffling" as $block
| ($rows | map({key: ., value: ($of["rows/\($block).backup_rows=\(.)"] | bounces)}) | from_entries) as $by_rows
| ($buffers | map({key: ., value: ($of["buffers/\($block).swap_buffers=\(.)"] | bounces)}) | from_entries) as $by_buffers
| ($of["ideal/\($block).ideal=true"] | bounces) as $ideal
| ($of["bank/\($block).extra_bank=false"] | bounces) as $no_bank
| $of.area as $area
| (shuffled("overall"; "conference") | bounces) as $room
| ($claims[0] | map({key: .id, value: .}) | from_entries) as $claim
| ($claim["drs.rays_absolute"].scenes
   | to_entries | map(.key as $scene | .value as $paper | (shuffled("overall"; $scene) | first_four)
                      | [range(0; 4) as $b | {$scene, bounce: ($b + 1), paper: $paper[$b], measured: (15 * .[$b].figures.ray_rate)}]) | add) as $absolute
| ($by_buffers | map_values(cycles_a_swap)) as $swap_cycles
| ($scenes | join(", ")) as $all
| "conference" as $one
| [{id: "drs.storage.swap_buffers", measured: ([$area.registers | to_entries[] | select(.key | endswith("i_buffers.held_q")).value] | add / 8),
    workload: "rtl/dynamic_ray_shuffling", command: "scripts/area dynamic_ray_shuffling"},
   {id: "drs.storage.ray_state", measured: ([$area.registers | to_entries[] | select(.key | startswith("i_table.")).value] | add / 8),
    workload: "rtl/dynamic_ray_shuffling", command: "scripts/area dynamic_ray_shuffling"},
   {id: "drs.storage.dmk", measured: null},
   {id: "drs.storage.tbc", measured: (if $of.warp_buffer.passed then 2560 else null end), workload: "tests/unit/thread_block_compaction",
    command: "ctest --preset release -R 'the warp buffer has a number of ten bits'"},
   {id: "drs.area", measured: $area.nand2_equivalents, workload: "rtl/dynamic_ray_shuffling on \($area.liberty)",
    command: "scripts/area dynamic_ray_shuffling"},
   {id: "drs.cycle", measured: $area.critical_path_fo4, workload: "rtl/dynamic_ray_shuffling on \($area.liberty)",
    command: "scripts/area dynamic_ray_shuffling"},
   {id: "drs.walkthrough", measured: $of.walkthrough.passed, workload: "tests/unit/dynamic_ray_shuffling/ray_shuffler_test.cpp",
    command: "ctest --preset release -R 'The walkthrough of DRS section 3.3'"},
   {id: "drs.efficiency.software", measured: ([software("overall"; $scenes[]) | bounces | efficiency] | mean), workload: $all},
   {id: "drs.efficiency.drs", measured: ([shuffled("overall"; $scenes[]) | bounces | efficiency] | mean), workload: $all},
   {id: "drs.efficiency.dmk", measured: null},
   {id: "drs.efficiency.tbc", measured: ([compacted("overall"; $scenes[]) | bounces | efficiency] | mean), workload: $all},
   {id: "drs.speedup", measured: ([gain("overall"; $scenes[]; bounces)] | mean), workload: $all},
   {id: "drs.speedup.dmk", measured: null},
   {id: "drs.speedup.tbc", measured: ([compaction_gain("overall"; $scenes[]; bounces)] | mean), workload: $all},
   {id: "drs.order", measured: null}, {id: "drs.bank_conflicts.dmk", measured: null},
   {id: "drs.backup_rows", workload: $one,
    measured: {rows: ([$by_rows[] | rate] | spread), ideal: (($ideal | rate) / ($by_rows["1"] | rate) - 1),
               "no bank": (1 - ($no_bank | rate) / ($by_rows["1"] | rate))}},
   {id: "drs.rdctrl_stall", workload: $one,
    measured: {"1 row": ($by_rows["1"] | stall_rate), "8 rows": ($by_rows["8"] | stall_rate),
               "of issues": ($by_rows["1"] | sum(shuffling.control_reads) / (sum(.figures.warp_instructions) + sum(shuffling.stalls)))}},
   {id: "drs.swap_cycles", workload: $one, measured: $swap_cycles,
    falls: ([$swap_cycles[$buffers[]]] | . as $c | all(range(1; length); $c[.] < $c[. - 1]))},
   {id: "drs.swap_buffers", measured: ([$by_buffers[] | rate] | spread), workload: $one},
   {id: "drs.register_traffic", workload: $one, measured: {primary: ($room[:1] | traffic), secondary: ($room[1:] | traffic)}},
   {id: "drs.rays_absolute", workload: "\($all), fifteen times one SM",
    measured: {lowest: ($absolute | map(.measured / .paper) | min), highest: ($absolute | map(.measured / .paper) | max)}}]
| map(. as $figure | {id, measured, inside: (.measured | lies_in($claim[$figure.id].accept)), workload,
       command: (.command // if .measured == null then null else "scripts/results drs" end)}
      | if $figure | has("falls") then .inside = (.inside and $figure.falls) else . end)
| . as $figures
| if $form == "json" then .
  else
    "# Dynamic ray shuffling on the paper's scenes",
    "",
    "Made by `scripts/results drs`; change `docs/results/drs.jq` or the experiment, not this page. The paper is Lü et al., MICRO 2017.",
    "",
    "| claim | says | paper | accepted | measured | |",
    "|---|---|---|---|---|---|",
    ($figures[] | $claim[.id] as $c
     | ["`\(.id)`", $c.says + " (\($c.where | sub("^DRS "; "")))", ($c.value | shown($c.unit)), ($c.accept | shown($c.unit)),
        (.measured | shown($c.unit)),
        (if .inside == null then "not yet measured" elif .inside then "inside" else "**outside**" end)] | row),
    "",
    "Micro-kernels are no scheme of the machine yet, so what is of them is not measured, nor an order with them.",
    "",
    (software("overall"; $one).stages[0]
     | "The rays are those of [the baseline](baseline.md): \(.rays) paths from all over a picture of 640 x 480 with 64 samples a pixel, on one SM. In the",
       "paper each bounce has two million rays: `scripts/results --set workload.max_rays=2000000 drs`."),
    "",
    "## SIMD efficiency and speed by bounce",
    "",
    "Speedup: rays a second over those of the software tracer, `trace_replacing_speculative` on a reconvergence stack. Compaction runs the same",
    "kernel on thread block compaction in blocks of six warps; shuffling runs `trace_shuffled` on dynamic ray shuffling.",
    "",
    ((["scene", ""] + [range(1; 9) | "B\(.)"] + ["all", "paper"]) | row),
    ("|---|---|" + ([range(0; 10) | "--:|"] | add)),
    ($scenes[] as $scene
     | (software("overall"; $scene) | bounces) as $s | (shuffled("overall"; $scene) | bounces) as $d | (compacted("overall"; $scene) | bounces) as $c
     | ([$scene, "rays"] + ($d | map(.rays | tostring)) + [($d | rays | tostring), ""] | row),
       (["", "software"] + ($s | map(.figures.simd_efficiency | percent)) + [($s | efficiency | percent), ""] | row),
       (["", "compaction"] + ($c | map(.figures.simd_efficiency | percent)) + [($c | efficiency | percent), ""] | row),
       (["", "shuffling"] + ($d | map(.figures.simd_efficiency | percent)) + [($d | efficiency | percent), ""] | row),
       (["", "speedup of compaction"] + [range(0; 8) | ($s[.].figures.cycles / $c[.].figures.cycles) | ratio]
        + [(compaction_gain("overall"; $scene; bounces) | ratio), ""] | row),
       (["", "speedup of shuffling"] + [range(0; 8) | ($s[.].figures.cycles / $d[.].figures.cycles) | ratio]
        + [(gain("overall"; $scene; bounces) | ratio), ($claim["drs.speedup"].scenes[$scene] | tostring)] | row)),
    "",
    "## What holds the speedup back",
    "",
    "Bounces 1 to 4, one thing of the machine changed at a time, for both kernels. None of these is the configuration of the claims.",
    "",
    "Cycles are thread instructions, over the lanes that are active in a warp instruction, over the warp instructions issued a cycle. So the",
    "speedup is the product of three ratios: lanes (SIMD efficiency, shuffling over software), work (thread instructions, software over shuffling)",
    "and pace (warp instructions a cycle, shuffling over software). Lines: requests to the first-level caches a cycle, software and shuffling;",
    "the machine has room for one. Reply port: cycles in which the port of the SM, 32 bytes wide, takes what the crossbar brings.",
    "",
    (["machine", "scene", "lanes", "work", "pace", "speedup", "B1", "B2 to B4", "warps a cycle", "lines a cycle", "reply port"] | row),
    "|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|",
    ($machines[] as $m | $scenes[] as $scene
     | (software($m; $scene) | first_four) as $s | (shuffled($m; $scene) | first_four) as $d
     | [$machine[$m], $scene, (($d | efficiency) / ($s | efficiency) | ratio), (($s | work) / ($d | work) | ratio),
        (($d | warps_a_cycle) / ($s | warps_a_cycle) | ratio), (gain($m; $scene; first_four) | ratio),
        (gain($m; $scene; first_four[:1]) | ratio), (gain($m; $scene; first_four[1:]) | ratio),
        "\($s | warps_a_cycle | ratio) to \($d | warps_a_cycle | ratio)", "\($s | lines / cycles | ratio) to \($d | lines / cycles | ratio)",
        (if ($s | replies) == 0 then "-" else "\($s | replies / cycles | percent) to \($d | replies / cycles | percent)" end)] | row),
    "",
    "## Rays a second",
    "",
    "Fifteen times one SM, which has the second-level cache and the memory for itself: more than fifteen SMs would do. Mrays/s, bounces 1 to 4.",
    "",
    (["scene", "", "B1", "B2", "B3", "B4"] | row),
    "|---|---|--:|--:|--:|--:|",
    ($scenes[] as $scene
     | ([$scene, "paper, shuffling"] + ($claim["drs.rays_absolute"].scenes[$scene] | map(tostring)) | row),
       (["", "measured, shuffling"] + (shuffled("overall"; $scene) | first_four | map(15 * .figures.ray_rate | ratio)) | row),
       (["", "with one arithmetic pipe"] + (shuffled("changed/alu"; $scene) | first_four | map(15 * .figures.ray_rate | ratio)) | row)),
    "",
    "## Backup rows and swap buffers",
    "",
    "`\($one)`, four bounces. Waiting: issue slots with no other warp to issue than such as wait for a row.",
    "",
    (["", "Mrays/s of one SM", "rdctrl that stalls", "waiting", "cycles a swap"] | row),
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
       "Of `../shared/scenes`, where there is such a folder; with the camera that a file without one gets. Nothing else differs.",
       "",
       (["scene", "triangles", "rays", "software", "shuffling", "secondary rays: software", "shuffling", "speedup", "B1", "B2 to B8"] | row),
       "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|",
       ($of | to_entries[] | select(.key | test("^shared/.*/drs_shuffling$")) | .value as $d | $of[.key | sub("/drs_shuffling$"; "/baseline_drs")] as $s
        | ($s | bounces) as $sb | ($d | bounces) as $db
        | [(.key | split("/")[1]), ($d.workload.triangles | tostring), ($db | rays | tostring), ($sb | efficiency | percent), ($db | efficiency | percent),
           ($sb[1:] | efficiency | percent), ($db[1:] | efficiency | percent), (($sb | cycles) / ($db | cycles) | ratio),
           (($sb[:1] | cycles) / ($db[:1] | cycles) | ratio), (($sb[1:] | cycles) / ($db[1:] | cycles) | ratio)] | row),
       ""
     else empty end),
    "## What this says",
    "",
    (software("overall"; $one) | bounces) as $soft
    | (software("changed/memory"; $one).stages | map(select(.name == "bounce 3"))[0].figures) as $soft_free
    | (shuffled("changed/memory"; $one).stages | map(select(.name == "bounce 3"))[0].figures) as $free
    | (software("changed/alu"; $one) | first_four) as $soft_alu | (shuffled("changed/alu"; $one) | first_four) as $room_alu
    | ((($room | work) / ($soft | work) - 1)) as $more
    | (
    "- **Ray shuffling does what the paper says it does**: SIMD efficiency goes from \([software("overall"; $scenes[]) | bounces | efficiency] | mean | percent) to \([shuffled("overall"; $scenes[]) | bounces | efficiency] | mean | percent); one backup row in the registers and six buffers are enough, a",
    "  swap takes the time it has there, and no issue slot of note is lost to warps that wait for a row. No parameter was chosen for any of it.",
    "- **`drs.speedup` is missed because this SM is held up by lines that its loads ask for, not by instructions.** The load/store unit sends one request a",
    "  cycle, and the software tracer uses \($soft | lines / cycles | percent) of these cycles in `\($one)`, the shuffled one \($room | lines / cycles | percent). Shuffling changes which rays share a warp, hardly how",
    "  many lines they read (\($soft | lines / rays | whole) requests a ray before, \($room | lines / rays | whole) after), so fewer instructions leave the limit where it was. Behind it is a second one: with",
    "  four requests a cycle, shuffling has the port on which lines come from the crossbar busy in \(shuffled("changed/requests"; $one) | first_four | replies / cycles | percent) of the cycles, and is no faster than the",
    "  software tracer (\(gain("changed/requests"; $one; first_four) | ratio)). Its 58 warps of busy lanes miss the texture cache more often (\(shuffled("changed/requests"; $one) | first_four | misses | whole) times, the 48 of the software tracer \(software("changed/requests"; $one) | first_four | misses | whole)).",
    "  With both limits gone the speedup is \(gain("changed/memory"; $one; first_four) | ratio), and \(gain("changed/memory"; $one; first_four[1:]) | ratio) on secondary rays; then warps wait for loads that hit and for results",
    "  (dependency: \($free.slots_dependency | percent) of the issue slots of B3, of the software tracer's \($soft_free.slots_dependency | percent)).",
    "- One load/store unit is what `gtx780.yaml` takes from the GK110 whitepaper (32 lanes), and texture loads go through it too. What the 16 texture units of",
    "  an SM, of which the whitepaper tells as well, serve in a cycle is not in the platform, nor in the paper; the port's 32 bytes are an estimate.",
    "- **The paper's figures are those of a machine limited by instructions.** Its efficiencies, 81.0 over 41.1 %, would give 1.97 where each instruction costs the same, and it has 1.79; and its",
    "  primary rays are hardly faster than its secondary ones, where ours are \($room[0].figures.ray_rate / $room[1].figures.ray_rate | ratio) times as fast. Its Table 1 lists 32 SIMD lanes an SM, which we read as the",
    "  width of a pipe and not as all there is, as a GK110 has 192 ([departure 1](../../models/sm/README.md#departures)). With one arithmetic pipe and nothing else changed the",
    "  speedup of `\($one)` is \(gain("changed/alu"; $one; first_four) | ratio), \(gain("changed/alu"; $one; first_four[1:]) | ratio) on secondary rays, for which the paper has 1.58 to 2.51, and the software tracer makes",
    "  \(15 * $soft_alu[0].figures.ray_rate | whole) Mrays/s of primary rays. This is a reading of the paper's figures, not one of them, and no machine of the claims.",
    "- What is missing from 1.79 even then is work: kernel 1 as compiled here executes \($more | percent) more thread instructions than the software tracer for the same",
    "  rays. On primary rays, where few lanes are idle, that makes it slower (B1), and the paper's is 1.12 to 1.32 times as fast there.",
    (compacted("overall"; $one) | bounces) as $c
    | "- **`drs.speedup.tbc`** is missed though lanes are as busy as the paper says (`drs.efficiency.tbc`). A ray executes what it executes without compaction",
      "  (work \(($soft | work) / ($c | work) | ratio) in `\($one)`, lanes \(($c | efficiency) / ($soft | efficiency) | ratio)), but warp instructions a cycle go from \($soft | warps_a_cycle | ratio) to \($c | warps_a_cycle | ratio): all warps of a path come",
      "  together behind each divergent branch. They wait there for the last branch, and for no loads. When the model let each wait for its loads as well, the speedup was 0.68 and the efficiency 52.1 %:",
      "  so that wait is not what holds compaction back.",
      "  Warps wait for results in \($c | depending | percent) of the issue slots, \($soft | depending | percent) without compaction; requests, the software tracer's limit, go from \($soft | lines / cycles | percent) to \($c | lines / cycles | percent) of the cycles.",
      "  A block runs one path at a time, so latency counts where the machine has issue slots to spare. Where it has not, with one arithmetic pipe, the speedup is",
      "  \([compaction_gain("changed/alu"; $scenes[]; first_four)] | mean | ratio) (\($scenes | map("`\(.)` \(compaction_gain("changed/alu"; .; first_four) | ratio)") | join(", "))), and the paper has 1.18.",
      "  Spin locks stay refused on it: while a path runs, the other paths of its block do not, so a lock that one of them holds is never given back.",
    (shuffled("overall"; "sponza") | .tracing.counters) as $d | (software("overall"; "sponza") | .tracing.counters) as $s
    | "- `sponza` gains least, as in the paper. Here lines come back no faster: the reply port is busy in \(software("overall"; "sponza") | first_four | replies / cycles | percent) of the cycles without shuffling and in",
    "  \(shuffled("overall"; "sponza") | first_four | replies / cycles | percent) with it, and while the texture cache's 64 miss registers wait for them it turns requests away in \($s["gpu.sm.load_store"].blocked_cycles / $s.gpu.cycles | percent) and \($d["gpu.sm.load_store"].blocked_cycles / $d.gpu.cycles | percent).",
      "  Where nothing behind the first level takes time or room, it has \(gain("changed/latency"; "sponza"; first_four) | ratio) in place of \(gain("overall"; "sponza"; first_four) | ratio), and requests are its limit, too.",
    "- `plants` ends most paths early: from B3 on there are fewer rays than places for them (58 warps of 32), so neither its efficiency nor its speed says much there.",
    "- **`drs.rays_absolute`** is missed in both directions. Coherent rays are too fast since six arithmetic pipes work where the paper's have 32 lanes; with",
    "  one pipe B1 of `\($one)` makes \(15 * $room_alu[0].figures.ray_rate | whole) of the paper's 285. Secondary rays are too slow: a ray of B2 executes \($room[1:2] | work / rays | whole) thread instructions and",
    "  requests \($room[1:2] | lines / rays | whole) lines; the paper's 309 Mrays/s leave it 48 cycles, in which one request a cycle would be 48 lines and one pipe of 32",
    "  lanes 1,540 thread instructions. So the paper's rays have less to do than ours, or its machine does more at once; which, it does not say.",
    "- **`drs.rdctrl_stall`** counts another thing: a warp that stalls asks again when there may be a row for it, not in every cycle",
    "  ([departure 11](../../models/dynamic_ray_shuffling/README.md#departures)), so there are fewer attempts with one row. Most of ours do not wait for swaps: with shuffling in",
    "  one cycle \($ideal | stall_rate | percent) still stall. With eight rows \($by_rows["8"] | stall_rate | percent) stall and the paper has 4.81 % at most. That is the short",
    "  run: while a launch ends there are no rays to fill rows with. With 131,072 paths B1 and B2 have \($of["longer/\($block).backup_rows=8"] | bounces | stall_rate | percent) instead of \($by_rows["8"][:2] | stall_rate | percent).",
    "- **`drs.register_traffic`** is inside for secondary rays and just below for primary ones in `\($one)`: swaps follow the disorder of rays, and our primary",
    "  rays have less of it (\($scenes | map("`\(.)` \(software("overall"; .) | bounces[:1] | efficiency | percent): \(shuffled("overall"; .) | bounces[:1] | traffic | percent)") | join(", ")), by the software tracer's efficiency on them).",
    "  With swaps there are \(1 - ($room | sum(swapped + operands)) / ($soft | sum(operands)) | percent) fewer accesses than the software tracer makes, and the paper, too, has fewer.",
    "- **`drs.area` and `drs.cycle`** are missed by what the model asks of the RTL ([area and timing](../../rtl/dynamic_ray_shuffling/README.md#area-and-timing)): rays change lanes, which takes",
    "  six networks of multiplexers, and the swaps of three units are chosen one after another in one cycle. Both are departures of the model (1 and 3); the storage,",
    "  which does not depend on them, is the paper's to the bit.")
  end
