# SPDX-License-Identifier: Apache-2.0
# Makes docs/results/si.md, or with --arg form json its figures, from what scripts/results si leaves: reports of the microbenchmark and of the ten
# megakernels by list (main, settings, latency, warp_slots, subwarps, instruction_cache; both_N and subwarps_N with other paths), experiment and settings, of one of them sampled and whole
# (sampling), of other traversal units (unit_*), of primary rays by size of the unit's cache (primary_rays), of the microbenchmark with longer code (longer, code_*), of one workload under all machines
# (machines, shuffling, microkernels, stack), and what tests of things known on paper said.

def percent: if . == null then "-" else (. * 1000 | round) / 10 | "\(.) %" end;
def places($n): if . == null then "-" else (. * pow(10; $n) | round) / pow(10; $n) | tostring end;
def whole: round | tostring;
def row: "| " + join(" | ") + " |";
def mean: if length == 0 or any(.[]; . == null) then null else add / length end;
def shown($unit):
  if . == null then "-"
  elif type == "boolean" then if . then "holds" else "does not hold" end
  elif type == "object" then to_entries | map("\(.key): \(.value | shown($unit))") | join("; ")
  elif type == "array" then "\(.[0] | shown($unit)) to \(.[1] | shown($unit))"
  elif $unit == "%" then percent
  else places(3) end;
def lies_in($accept):
  if . == null then null
  elif type == "object" then . as $measured | [$accept | keys[] as $key | $measured[$key] | lies_in($accept[$key])] | if any(. == null) then null else all end
  elif type == "boolean" then . == $accept
  else . >= $accept[0] and . <= $accept[1] end;
def rising: . as $all | if any(.[]; . == null) then null else all(range(1; length); $all[.] >= $all[. - 1]) end;

# Cycles of schedulers in which no warp issued and one waited for memory: all, and those in which a diverged warp waited.
def stalls($kind): .tracing.counters["gpu.sm.scheduler"].load_stalls[if $kind == "exposed" then 0 else 1 end];
def slots: .tracing.figures.cycles * .platform.sms * 4;

# Settings of a folder's name, by the last word of their path: {"trigger": "half", "yield_after": "1"}.
def settings: split(",") | map(split("=") | {key: (.[0] | split(".") | last), value: (.[1] | split("+") | .[0])}) | from_entries;
def interleaves: .platform.scheme | tostring | test("subwarp_interleaving");

["conference_diffuse", "conference_occlusion", "forest_reflection", "sponza_reflection", "atrium_mixed", "glassner_occlusion", "glassner_reflection",
 "sponza_diffuse", "plants_reflection", "forest_mixed"] as $names
| {conference_diffuse: "AV1", conference_occlusion: "AV2", forest_reflection: "BFV1", sponza_reflection: "BFV2", atrium_mixed: "Ctrl", glassner_occlusion: "Coll1",
   glassner_reflection: "Coll2", sponza_diffuse: "DDGI", plants_reflection: "MW", forest_mixed: "MC"} as $trace
| [inputs | {file: input_filename, report: .}] as $all
| ($all | map(select(.file | test("results/si/[^/]*/report\\.json$")) | {key: (.file | split("/")[-2]), value: .report}) | from_entries) as $of
| [$all[] | .report as $report | .file | capture("results/si/(?<list>[^/]*)/(?<name>[^/]*)/(?<settings>.*)/report\\.json$")
   | {list, name, settings: (.settings | settings), report: $report}] as $runs
| def run($list; $name; $machine; $wanted):
    [$runs[] | select(.list == $list and .name == $name and (.report | interleaves) == $machine and (.settings | . + $wanted == .))]
    | if length > 1 then error("several runs of \($list) \($name) \($wanted)") else .[0].report end;
  def cycles: if . == null then null else .tracing.figures.cycles end;
  def over($one; $other): if $one == null or $other == null then null else ($one | cycles) / ($other | cycles) end;
  # Speedups by megakernel, of a list that has both machines.
  def speedup($list; $name; $wanted): over(run($list; $name; false; $wanted); run($list; $name; true; $wanted));
  def speedups($list; $wanted): [$names[] | speedup($list; .; $wanted)];
  def of_setting($name; $latency; $trigger; $yield_after):
    over(run("latency"; $name; false; {latency: $latency}); run("settings"; $name; true; {latency: $latency, trigger: $trigger, yield_after: $yield_after}));
  def of_entries($name; $entries): over(run("main"; $name; false; {}); run("subwarps"; $name; true; {entries: $entries}));
  # The mean gain with other paths of light.
  def of_paths($entries; $seed): [$names[] | over(run("both_\($seed)"; .; false; {}); run("subwarps_\($seed)"; .; true; {entries: $entries}))] | mean;
  def fewer($name; $kind): run("main"; $name; false; {}) as $without | run("main"; $name; true; {}) as $with
    | if $without == null or $with == null or ($without | stalls($kind)) == null then null else 1 - ($with | stalls($kind)) / ($without | stalls($kind)) end;
  def launched($machine; $launch): run("main"; "subwarps"; $machine; {}) | if . == null then null else [.launches[] | select(.name == $launch)][0] end;
  def ways($machine; $ways): launched($machine; "\($ways) ways");
  def gained($launch): launched(false; $launch) as $a | launched(true; $launch) as $b | if $a == null or $b == null then null else $a.figures.cycles / $b.figures.cycles end;
  def micro($ways): gained("\($ways) ways");
  # The microbenchmark with other code of a way: loads, and additions after each.
  def long($code; $refill; $machine; $ways): [$runs[] | select(.list == "longer" and .name == $code and .settings.refill == $refill and (.report | interleaves) == $machine)
    | .report.launches[] | select(.name == "\($ways) ways")][0];
  def longer($code; $refill; $ways): long($code; $refill; false; $ways) as $a | long($code; $refill; true; $ways) as $b | if $a == null or $b == null then null else $a.figures.cycles / $b.figures.cycles end;
  def kib($code): $of["code_\($code)"].instructions * 16 / 1024;
  ["16_0", "32_0", "48_0", "64_0", "96_0"] as $loads
| ["16_0", "16_2", "16_4", "16_5", "16_6"] as $additions
| def shortest($codes; $refill): [$codes[] | select(longer(.; $refill; 32) != null and longer(.; $refill; 32) < longer(.; $refill; 16))][0];
  def shortest_text($codes; $refill): shortest($codes; $refill) as $code | if $code then "less than 16 from \(kib($code) | whole) KiB of code on" else "more than 16 with each of these lengths" end;
  # Ray rate in a list, by scheme, of one experiment or scene.
  def rate($list; $scheme; $which): [$runs[] | select(.list == $list and .report.platform.scheme == $scheme and (.name == $which or .settings.scene == $which))
    | .report | .tracing.figures.ray_rate] | if length > 1 then error("several runs of \($list) \($scheme) \($which)") else .[0] end;
  [["any", "half", "all"][] as $trigger | ["0", "1"][] as $yield_after | {$trigger, $yield_after}] as $all_settings
| {any: "N > 0", half: "N >= 0.5", all: "N = 1"} as $trigger_name
| def best($name; $latency): [$all_settings[] | of_setting($name; $latency; .trigger; .yield_after)] | if any(. == null) then null else max end;
  def best_of($latency): [$names[] | best(.; $latency)] | mean;
  ([1, 2, 4, 6, 32] | map({key: tostring, value: (tostring as $n | [$names[] | of_entries(.; $n)] | mean)}) | from_entries) as $by_entries
| ($claims[0] | map({key: .id, value: .}) | from_entries) as $claim
| [{id: "si.storage.full", measured: $of.cost["bytes of 32 warps with 32 entries"], workload: "rtl/subwarp_interleaving", command: "tests/cosim/subwarp_cost.sh rtl/subwarp_interleaving"},
   {id: "si.storage.two", measured: $of.cost["bytes of 32 warps with 2 entries"], workload: "rtl/subwarp_interleaving", command: "tests/cosim/subwarp_cost.sh rtl/subwarp_interleaving"},
   {id: "si.wakeup.cost", measured: {comparators: $of.cost["comparators of 32 entries"], multiplexers: $of.cost.multiplexers, subtractors: $of.cost.subtractors},
    workload: "rtl/subwarp_interleaving", command: "tests/cosim/subwarp_cost.sh rtl/subwarp_interleaving"},
   {id: "si.states", measured: $of.states.passed, workload: "tests/unit/subwarp_interleaving", command: "ctest --preset release -R 'Figure 7'"},
   {id: "si.walkthrough.stall", measured: $of.walkthrough_stall.passed, workload: "tests/unit/subwarp_interleaving", command: "ctest --preset release -R 'Figure 10a'"},
   {id: "si.walkthrough.yield", measured: $of.walkthrough_yield.passed, workload: "tests/unit/subwarp_interleaving", command: "ctest --preset release -R 'Figure 10b'"},
   {id: "si.switch_latency", measured: (if $of.switch.passed then 6 else null end), workload: "tests/contract/subwarp_interleaving_test.cpp",
    command: "ctest --preset release -R 'a switch takes its latency'"},
   {id: "si.microbenchmark", workload: "subwarps",
    measured: ([2, 4, 8, 16, 32] | map({key: tostring, value: micro(.)}) | from_entries
      | . + {"32 below 16": (if .["16"] == null then null else .["32"] < .["16"] end)})},
   {id: "si.if_then", workload: "subwarps", measured: gained("if then")},
   {id: "si.speedup", workload: "ten megakernels", measured: (speedups("main"; {}) | mean)},
   {id: "si.stalls", workload: "ten megakernels", measured: {exposed: ([$names[] | fewer(.; "exposed")] | mean), divergent: ([$names[] | fewer(.; "divergent")] | mean)}},
   {id: "si.latency", workload: "ten megakernels",
    measured: (["300", "600", "900"] | map({key: ., value: best_of(.)}) | from_entries | . + {rising: ([.["300"], .["600"], .["900"]] | rising)})},
   {id: "si.warp_slots", workload: "ten megakernels", measured: (["8", "16", "32"] | map({key: ., value: (speedups("warp_slots"; {warp_slots: .}) | mean)}) | from_entries)},
   {id: "si.subwarps", workload: "ten megakernels",
    measured: ($by_entries | {"2": .["2"], "4": .["4"], "6": .["6"], "32": .["32"], rising: ([.["2"], .["4"], .["6"], .["32"]] | rising),
      sublinear: (if .["2"] == null or .["32"] == null then null else .["32"] - 1 < 16 * (.["2"] - 1) end),
      "four of all": (if .["4"] == null or .["32"] == null then null else (.["4"] - 1) / (.["32"] - 1) end)})},
   {id: "si.icache", workload: "ten megakernels", measured: (speedups("instruction_cache"; {}) | mean)}]
| map(. as $figure | {id, measured, inside: (.measured | lies_in($claim[$figure.id].accept)), workload, command: (.command // "scripts/results si")})
| . as $figures
| if $form == "json" then .
  else
    "# Subwarp interleaving on ten ray-tracing megakernels",
    "",
    "`scripts/results si` writes this page: change `docs/results/si.jq` or the experiments, not the page.",
    "The paper is Damani et al., HPCA 2022.",
    "",
    "The paper simulated two SMs of a [Turing-like machine](../../yaml/platforms/turing.yaml) with traces of games, which are not public.",
    "This project uses [megakernels](../../platforms/kernels/README.md#ray-tracing-megakernels) with the same mix of effects on other scenes.",
    "They run at 1080p and are sampled by thread block, like the paper's traces.",
    "\($figures | map(select(.inside)) | length) of \($figures | map(select(.inside != null)) | length) claims are inside the accepted range.",
    "",
    "| claim | says | paper | accepted | measured | |",
    "|---|---|---|---|---|---|",
    ($figures[] | $claim[.id] as $c
     | ["`\(.id)`", $c.says + " (\($c.where | sub("^SI "; "")))", ($c.value | shown($c.unit)), ($c.accept | shown($c.unit)), (.measured | shown($c.unit)),
        (if .inside == null then "not measured" elif .inside then "inside" else "**outside**" end)] | row),
    "",
    "## The microbenchmark (Table III)",
    "",
    "The experiment is `yaml/experiments/subwarps.yaml`.",
    "Instruction fetch stalls are shares of the issue slots of the scheduler that has the warp.",
    "",
    (["ways", "cycles without", "with", "speedup", "paper", "instruction fetch stalls, without", "with", "L0 misses of fetches, without", "with"] | row),
    "|--:|--:|--:|--:|--:|--:|--:|--:|--:|",
    ([2, 4, 8, 16, 32][] | . as $n | select(micro($n)) | ways(false; $n) as $a | ways(true; $n) as $b
     | def misses: .counters["gpu.sm.fetch"] | .misses / .fetches;
     [tostring, ($a.figures.cycles | whole), ($b.figures.cycles | whole), (micro($n) | places(2)), ($claim["si.microbenchmark"].value[$n | tostring] | tostring),
      # One of the eight schedulers of two SMs.
      (8 * $a.figures.slots_fetch | percent), (8 * $b.figures.slots_fetch | percent), ($a | misses | percent), ($b | misses | percent)] | row),
    "",
    "## The megakernels (Fig. 3)",
    "",
    "These are results of the machine without subwarp interleaving.",
    "Exposed: cycles of a scheduler in which no warp issues, and at least one warp waits for a load or texture fetch and not for the traversal unit.",
    "Divergent: exposed cycles in which a diverged warp waits.",
    "",
    (["megakernel", "replaces", "triangles", "rays", "cycles", "SIMD efficiency", "exposed", "divergent", "instruction fetch stalls"] | row),
    "|---|---|--:|--:|--:|--:|--:|--:|--:|",
    ($names[] | . as $name | run("main"; $name; false; {}) | select(.)
     | [$name, $trace[$name], (.workload.triangles | tostring), (.workload.rays | tostring), (cycles | whole), (.tracing.figures.simd_efficiency | percent),
        (if stalls("exposed") == null then "-" else stalls("exposed") / slots | percent end), (if stalls("divergent") == null then "-" else stalls("divergent") / slots | percent end),
        (.tracing.figures.slots_fetch | percent)] | row),
    "",
    "## Six settings (Fig. 12)",
    "",
    "Speedup at a latency of 600 cycles.",
    "SOS: switch on stall; both: switch on stall, and yield after long operations.",
    "Fewer: reduction of stalls in the setting of the claims, which is *both, N >= 0.5*.",
    "",
    (["megakernel"] + ($all_settings | map("\(if .yield_after == "1" then "both" else "SOS" end), \($trigger_name[.trigger])")) + ["best", "fewer exposed", "fewer divergent"] | row),
    "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|",
    ($names[] | . as $name | [$name] + [$all_settings[] | of_setting($name; "600"; .trigger; .yield_after) | places(3)]
     + [(best($name; "600") | places(3)), (fewer($name; "exposed") | percent), (fewer($name; "divergent") | percent)] | row),
    (["mean"] + [$all_settings[] | . as $s | [$names[] | of_setting(.; "600"; $s.trigger; $s.yield_after)] | mean | places(3)]
     + [(best_of("600") | places(3)), ([$names[] | fewer(.; "exposed")] | mean | percent), ([$names[] | fewer(.; "divergent")] | mean | percent)] | row),
    "",
    "## Latency (Fig. 13)",
    "",
    (["L1 miss latency"] + ($all_settings | map("\(if .yield_after == "1" then "both" else "SOS" end), \($trigger_name[.trigger])")) + ["best of each", "paper"] | row),
    "|--:|--:|--:|--:|--:|--:|--:|--:|--:|",
    (["300", "600", "900"][] | . as $latency
     | [$latency] + [$all_settings[] | . as $s | [$names[] | of_setting(.; $latency; $s.trigger; $s.yield_after)] | mean | places(3)]
     + [(best_of($latency) | places(3)), ($claim["si.latency"].value[$latency] | tostring)] | row),
    "",
    "## Warp slots, subwarps, instruction caches (Figs. 14 and 15, section V-C.4)",
    "",
    (["megakernel", "8 slots", "16 slots", "32 slots", "2 subwarps", "4 subwarps", "6 subwarps", "32 subwarps", "a quarter of the instruction caches"] | row),
    "|---|--:|--:|--:|--:|--:|--:|--:|--:|",
    ($names[] | . as $name
     | [$name] + [["8", "16", "32"][] | speedup("warp_slots"; $name; {warp_slots: .}) | places(3)] + [["2", "4", "6", "32"][] | of_entries($name; .) | places(3)]
     + [speedup("instruction_cache"; $name; {}) | places(3)] | row),
    (["mean"] + [["8", "16", "32"][] | . as $n | speedups("warp_slots"; {warp_slots: $n}) | mean | places(3)] + [["2", "4", "6", "32"][] | $by_entries[.] | places(3)]
     + [speedups("instruction_cache"; {}) | mean | places(3)] | row),
    "",
    "## Effect of the traversal unit",
    "",
    "Subwarp interleaving overlaps the loads of shader programs.",
    "It does not overlap the traversal, for which all shader programs wait.",
    "The table shows, for traversal units of different sizes, the ray rate of the ten megakernels and the speedup of interleaving; nothing else changes.",
    "The first row has the platform's unit.",
    "",
    (["traversal unit", "Mrays/s without interleaving, mean", "speedup, mean", "least", "most", "exposed stalls of slots, mean"] | row),
    "|---|--:|--:|--:|--:|--:|",
    ([["main", "the platform\u0027s: 32 warps, 128 bytes per cycle, cache of 1 MiB"], ["unit_vulkan_sim", "Vulkan-Sim\u0027s: 4 warps, 32 bytes per cycle, cache of 64 KiB"],
      ["unit_small_cache", "cache of 64 KiB"], ["unit_large_cache", "cache of 8 MiB (no bounding volume hierarchy is much larger), 1024 outstanding misses"]][] as [$list, $what]
     | [$names[] | speedup($list; .; {})] as $gains | select($gains | all(. != null))
     | [$names[] | run($list; .; false; {})] as $without
     | [$what, ($without | map(.tracing.figures.ray_rate) | mean | places(1)), ($gains | mean | places(3)), ($gains | min | places(3)), ($gains | max | places(3)),
        ($without | map(stalls("exposed") / slots) | mean | percent)] | row),
    "",
    "The next table has primary rays at 1920 x 1080, in Mrays/s of both SMs together (`yaml/experiments/si_primary_rays.yaml`).",
    "NVIDIA states 11 giga rays/s for 72 units at 1770 MHz.",
    "Two units at the platform's clock of 1350 MHz therefore correspond to 233 million rays/s.",
    "Caches larger than the platform's do not increase the rate, and smaller caches reduce it.",
    "",
    (["node cache", "conference", "forest", "sponza", "plants", "mean"] | row),
    "|--:|--:|--:|--:|--:|--:|",
    (["64 KiB", "128 KiB", "256 KiB", "512 KiB", "1 MiB", "8 MiB"][] as $size
     | [["conference", "forest", "sponza", "plants"][] as $scene
        | [$runs[] | select(.list == "primary_rays" and .settings.scene == $scene and .settings.capacity == ($size | split(" ")[0])) | .report.stages[0].figures.ray_rate][0]] as $rates
     | select($rates | all(. != null)) | [$size] + ($rates | map(places(1))) + [$rates | mean | places(1)] | row),
    "",
    "## The microbenchmark on smaller instruction caches",
    "",
    "In the paper 32 ways gain less than 16, because instruction fetch limits them; our code fits in the L1 instruction cache.",
    "The table has the same benchmark with a smaller cache:",
    "",
    (["L1 instruction cache", "16 ways", "32 ways", "instruction fetch stalls, 32 ways"] | row),
    "|--:|--:|--:|--:|",
    (["64 KiB", "32 KiB", "16 KiB", "8 KiB"][] as $size
     | def of($machine; $ways): [$runs[] | select(.list == "microbenchmark" and (.report | interleaves) == $machine and .settings.capacity == ($size | split(" ")[0])) | .report.launches[]
         | select(.name == "\($ways) ways")][0];
       select(of(true; 32)) | [$size] + [(16, 32) as $ways | of(false; $ways).figures.cycles / of(true; $ways).figures.cycles | places(2)] + [8 * of(true; 32).figures.slots_fetch | percent] | row),
    "",
    "## The microbenchmark with longer code",
    "",
    "The paper gives neither the length of its code nor how its fetch unit refills the instruction buffers.",
    "In the paper 16 ways gain almost linearly, and 32 ways thrash both instruction caches: 32 ways exceed the L1 instruction cache of 64 KiB, and 16 ways do not.",
    "The code of a way therefore has 2 to 4 KiB, 128 to 256 instructions of 16 bytes.",
    "The table has longer code in two forms: more loads one after the other, or additions after each load; the number of loads in all stays nearly the same.",
    "*Ahead* is the platform's fetch unit, which fetches the next instructions while a buffer is in use (an estimate); *when empty* fetches them after the last has issued.",
    "",
    (["loads of a way", "additions after each", "code", "refill", "2 ways", "4", "8", "16", "32", "instruction fetch stalls, 32 ways"] | row),
    "|--:|--:|--:|---|--:|--:|--:|--:|--:|--:|",
    (($loads + $additions[1:])[] as $code | ["ahead", "empty"][] as $refill | select(longer($code; $refill; 32))
     | ($code | split("_")) + ["\(kib($code) | whole) KiB", (if $refill == "ahead" then "ahead" else "when empty" end)]
       + [(2, 4, 8, 16, 32) as $ways | longer($code; $refill; $ways) | places(2)] + [8 * (long($code; $refill; true; 32).figures.slots_fetch) | percent] | row),
    (["paper", "", "", ""] + ($claim["si.microbenchmark"].value | [.["2"], .["4"], .["8"], .["16"], .["32"]] | map(tostring)) + ["\"rise sharply\""] | row),
    "",
    "## Findings",
    "",
    "- **`si.microbenchmark`** is outside only for 32 ways: the paper's result there is limited by instruction fetch, and our code, 25 KiB, thrashes only the L0 cache.",
    "  With an L1 instruction cache of 16 KiB and nothing else changed, 32 ways gain about as much as in the paper, and less than 16 (table above).",
    (if longer("16_6"; "ahead"; 32) then
       "  Longer code has the same effect (table above): with additions after each load, 32 ways gain \(shortest_text($additions; "ahead")).",
       "  With more loads in a row instead, they gain \(shortest_text($loads; "ahead")): each load ends the subwarp's turn, and the line that it needs next is fetched while the others run.",
       "  If buffers are filled only when they are empty, more loads have the effect as well: 32 ways gain \(shortest_text($loads; "empty")).",
       "  So the paper's result needs code of 32 ways that exceeds the L1 instruction cache, and misses that other subwarps do not cover."
     else empty end),
    (["2", "4", "6", "32"] as $entries
     | [[$entries[] | $by_entries[.]], (("2", "3") as $seed | [$entries[] | of_paths(.; $seed)])] as $paths
     | if any($paths[][]; . == null) then empty else
       "- **`si.subwarps`**: differences between two and 32 subwarps are as small as their variation. With 2, 4, 6 and 32 subwarps the gains are \($paths[0] | map(places(3)) | join(", ")); with other paths of light (`workload.seed`) \($paths[1] | map(places(3)) | join(", ")) and \($paths[2] | map(places(3)) | join(", ")).",
       "  Their means are \($paths | transpose | map(mean | places(3)) | join(", ")): two subwarps give \(($paths | transpose | map(mean)) as $means | ($means[0] - 1) / ($means | max - 1) * 100 | round) % of the largest gain, in the paper 67 %."
       end),
    "- **The traversal unit limits the gain.** With Vulkan-Sim's sizes there is no gain: warps wait for rays, as the paper reports for its machine (section VI).",
    "  The sizes here are derived from the ray rate of silicon's units, not from these claims.",
    "- **Not every removed stall saves time.** In many of the cycles that are no longer exposed to loads, warps wait for the traversal unit instead (`sponza_diffuse`).",
    "- **With fewer warp slots, interleaving gains more here, and less in the paper.** With eight slots, nothing else hides the latency of loads here.",
    "  In the paper's traces, something else hides it.",
    "  The paper gives no further description of its machine with fewer slots.",
    "- **With ray shuffling**, interleaving changes the ray rate by less than two percent, because the rays of a warp are in one state and rarely diverge.",
    "  The same is true **with micro-kernels**.",
    "  Ray shuffling and micro-kernels combine with interleaving without any change.",
    "- **Compaction**: a compacted warp runs one path of its block's stack, so it has no second subwarp to switch to.",
    "  `gpu.sm.scheme` refuses the combination.",
    "- **The best machine** for incoherent rays with one kernel has ray shuffling, whichever scheme runs the paths.",
    "  For megakernels, whose programs differ, the best machine has subwarp interleaving.",
    "- **A sample of a picture** only exaggerates the start and the end of the run.",
    "  A smaller sample has a lower ray rate, because the machine is empty at the end of a short run.",
    "  The error of the speedup is smaller.",
    "",
    "## Which machine is best",
    "",
    "Mrays/s on the paper's machine, with the best in bold.",
    "Incoherent rays (`si_machines.yaml`, `si_shuffling.yaml`, `si_microkernels.yaml`): one SM, two bounces, each scheme with the kernel written for it, as in [the comparison of ray shuffling](drs.md).",
    "Columns with shuffling or micro-kernels also name the scheme that runs the paths.",
    "Thread block compaction and subwarp interleaving both decide which paths warps run, so no machine has both.",
    "",
    ([["reconvergence_stack", "stack"], ["convergence_barrier", "barriers"], ["subwarp_interleaving", "interleaving"], ["thread_block_compaction", "compaction"],
      ["reconvergence_stack+dynamic_ray_shuffling", "shuffling, stack"], ["convergence_barrier+dynamic_ray_shuffling", "shuffling, barriers"],
      ["subwarp_interleaving+dynamic_ray_shuffling", "shuffling, interleaving"], ["reconvergence_stack+dynamic_microkernel", "micro-kernels, stack"],
      ["convergence_barrier+dynamic_microkernel", "micro-kernels, barriers"], ["subwarp_interleaving+dynamic_microkernel", "micro-kernels, interleaving"]] as $machines
     | (["rays of"] + ($machines | map(.[1])) | row), "|---|" + ("--:|" * ($machines | length)),
       (["conference", "forest", "sponza", "plants"][] as $scene
        | [$machines[][0] as $scheme | rate(if ($scheme | test("shuffling")) then "shuffling" elif ($scheme | test("microkernel")) then "microkernels" else "machines" end; $scheme; $scene)] as $rates
        | [$scene] + [$rates[] | if . == null then "-" elif . == ($rates | max) then "**\(places(1))**" else places(1) end] | row)),
    "",
    ([["reconvergence_stack+raytrace", "stack"], ["convergence_barrier+raytrace", "barriers"], ["subwarp_interleaving+raytrace", "interleaving"],
      ["thread_block_compaction+raytrace", "compaction"]] as $machines
     | (["megakernel"] + ($machines | map(.[1])) | row), "|---|" + ("--:|" * ($machines | length)),
       ($names[] as $name
        | [$machines[][0] as $scheme | rate(if ($scheme | test("stack|compaction")) then "stack" else "main" end; $scheme; $name)] as $rates
        | [$name] + [$rates[] | if . == null then "-" elif . == ($rates | max) then "**\(places(1))**" else places(1) end] | row)),
    "",
    "## Sampling",
    "",
    ([$runs[] | select(.list == "sampling")] | sort_by(.settings.sample_blocks | tonumber)) as $samples
    | if $samples == [] then "Not measured." else
      ($samples | map(select(.settings.sample_blocks == "1"))) as $full
      | def of($machine; $n): $samples[] | select((.report | interleaves) == $machine and .settings.sample_blocks == $n) | .report;
        def pace: .tracing.figures.ray_rate;
        def gained($n): ((of(false; $n) | cycles) / (of(true; $n) | cycles));
      "`\($full[0].name)` at \($full[0].report.picture.width) x \($full[0].report.picture.height), with every block and with every n-th.",
      "The errors of Mrays/s and of the speedup are relative to the run with every block.",
      "",
      (["every n-th block", "rays", "Mrays/s without", "error", "Mrays/s with", "error", "speedup", "error"] | row),
      "|--:|--:|--:|--:|--:|--:|--:|--:|",
      ([$samples[].settings.sample_blocks] | unique | sort_by(tonumber)[] | . as $n | of(false; $n) as $a | of(true; $n) as $b
       | [$n, ($a.workload.rays | tostring), ($a | pace | places(2)), (($a | pace) / (of(false; "1") | pace) - 1 | percent), ($b | pace | places(2)),
          (($b | pace) / (of(true; "1") | pace) - 1 | percent), (gained($n) | places(3)), (gained($n) / gained("1") - 1 | percent)] | row)
      end
  end
