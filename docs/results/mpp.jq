# SPDX-License-Identifier: Apache-2.0
# Makes docs/results/mpp.md, or with --arg form json its figures, from what scripts/results mpp leaves: the structure of the ray tracer's partitions (structure), the
# paper's example (example), the tracer over three scenes automatically (automatic) and by hand (by_hand), with one thing changed (changed), and what
# tests of figures known on paper said (known).

def percent: if . == null then "-" else (. * 1000 | round) / 10 | "\(.) %" end;
def ratio: (. * 100 | round) / 100 | tostring;
def row: "| " + join(" | ") + " |";
def shown: if . == null then "-" elif type == "boolean" then if . then "holds" else "does not hold" end
  elif type == "string" then . elif type == "object" then to_entries | map("\(.key): \(.value | shown)") | join("; ")
  elif type == "array" then "\(.[0] | shown) to \(.[1] | shown)" elif . >= 100 then round | tostring else ratio end;
def lies_in($accept):
  if . == null then null
  elif type == "object" then . as $measured | all($accept | keys[]; . as $key | $measured[$key] | lies_in($accept[$key]))
  elif type == "boolean" then . == $accept
  else . >= $accept[0] and . <= $accept[1] end;

def cycles: .total.figures.cycles;
def counts: .total.counters.multi_pass;
# Share of cycles in which a pass waits for the host.
def host: .total.figures | .cycles_launch + .cycles_count;

[inputs | {key: (input_filename | capture("results/mpp/(?<path>.*)/report\\.json$").path), value: .}] | from_entries as $of
| ($claims[0] | map({key: .id, value: .}) | from_entries) as $claim
| ["04", "05", "10"] as $scenes
| def automatic($scene; $form; $outputs): $of["automatic/glassner\($scene)\($form)/multi_pass.partition.outputs=\($outputs)"];
  def by_hand($scene): $of["by_hand/glassner\($scene)_by_hand"];
  def rounds_by_hand($scene): by_hand($scene) | .launches[] | select(.kernel == "voxel_traverse").runs;
  # Passes over the program counters, including copying kernels.
  def iterations($scene; $form): automatic($scene; $form; 8) | counts.passes;
  def structure($form): {"blocks left by if-conversion": ($of["structure/ifs\($form)"].kernels / $of["structure/blocks\($form)"].kernels),
    "copying kernels": $of["structure/all\($form)"].copying, "kernels": $of["structure/all\($form)"].kernels,
    "double-buffered": $of["structure/all\($form)"].twice, "kernels that copy": ($of["structure/all\($form)"] | .copies / .kernels)};
  def times($form): [["AP4", 4], ["AP8", 8]] | map(. as [$name, $outputs] | $scenes[] | {key: "\($name), \(.)", value: (100 * (by_hand(.) | cycles) / (automatic(.; $form; $outputs) | cycles))}) | from_entries;
  def iterations_over($form): [$scenes[] | {key: ., value: (iterations(.; $form) / rounds_by_hand(.))}] | from_entries;
  # Iterations of the loop of the tracer in rounds.
  def loop($scene): [automatic($scene; "_rounds"; 8) | .launches[0].parts[] | select(.name | test(" to ") | not).runs] | max;
  def part($run; $name): $of["example/multi_pass.partition.bipartization=\($run)"].launches[0].parts[] | select(.name == $name).runs | tostring;
  ([("mpp.example.stale", "mpp.example.timestamp", "mpp.example.bipartite", "mpp.variables", "mpp.termination", "mpp.maxcut")
    | {id: ., measured: $of["known/\(split(".")[-1])"].passed, workload: "a test"}]
   + [{id: "mpp.raytracer.structure", measured: structure(""), workload: "voxel_picture"},
      {id: "mpp.time", measured: times(""), workload: "Glassner04, 05, 10 at 256 x 256"},
      {id: "mpp.iterations", measured: iterations_over(""), workload: "Glassner04, 05, 10 at 256 x 256"}])
  | map(. as $figure | {id, measured, inside: (.measured | lies_in($claim[$figure.id].accept)), workload, command: "scripts/results mpp"}) as $figures
| if $form == "json" then $figures else
    "# Multi-pass partitioning",
    "",
    "This page compares the paper of Lashari, Lhoták and McCool (CC 2008) with measurements of the [machine with guards instead of branches](../../models/multi_pass/README.md), configured as [the GPU that they used](../../yaml/platforms/geforce_8800_gts.yaml).",
    "`scripts/results mpp` writes this page and its figures as [JSON](mpp.json).",
    "It takes a minute.",
    "",
    "## Claims",
    "",
    (["claim", "where", "says", "published", "accepted", "measured", "inside"] | row), "|---|---|---|---|---|---|---|",
    ($figures[] | . as $figure | $claim[.id] | [("`\(.id)`"), .where, .says, (.value | shown), (.accept | shown), ($figure.measured | shown), (if $figure.inside then "yes" else "**no**" end)] | row),
    "",
    "## The example (Figs. 1 to 3)",
    "",
    "Three threads run the loop of B zero times, once and twice (`mpp/pass_example.yaml`).",
    "The table shows how often each kernel runs.",
    "",
    (["", "A", "B", "D", "copying kernels", "passes"] | row), "|---|--:|--:|--:|--:|--:|",
    (["none", "exact"][] as $run
     | $of["example/multi_pass.partition.bipartization=\($run)"] as $example
     | ([$example.launches[0].parts[] | select(.name | test(" to ")).runs] | add // 0) as $copies
     | [(if $run == "none" then "timestamps (Fig. 2b)" else "and two copying kernels (Fig. 3)" end), part($run; "B0"), part($run; "LBB0_1"), part($run; "LBB0_2"), ($copies | tostring), ($example | counts.passes | tostring)] | row),
    "",
    "Without timestamps the run is aborted at `pass_limit`, and the error names the kernels that ran because of stale program counters.",
    "",
    "## The ray tracer (Table 1)",
    "",
    "The scenes and their grids are in BrookGPU's files.",
    "*By hand* is the hand-partitioned tracer, with seven kernels; three of them form a round, which is repeated until the picture is complete.",
    "*Nested* is the tracer as one kernel with nested loops.",
    "*Rounds* is the tracer as one kernel with a single loop; one iteration does the work of one round of the hand-written kernels.",
    "All produce the same picture.",
    "",
    "![Glassner04](glassner04.png)",
    "",
    (["scene", "rounds by hand", "passes, nested", "passes, rounds", "paper: by hand", "automatic"] | row), "|---|--:|--:|--:|--:|--:|",
    ({"04": [339, 681], "05": [279, 563], "10": [111, 227]} as $paper | $scenes[]
     | [("Glassner\(.)"), (rounds_by_hand(.) | tostring), (iterations(.; "") | tostring), (iterations(.; "_rounds") | tostring), ($paper[.][0] | tostring), ($paper[.][1] | tostring)] | row),
    "",
    (["scene", "by hand, cycles", "nested, 4 outputs", "nested, 8", "rounds, 4", "rounds, 8", "by hand over nested 4, 8", "over rounds 4, 8", "paper"] | row), "|---|--:|--:|--:|--:|--:|--:|--:|--:|",
    ({"04": "89 %, 121 %", "05": "87 %, 117 %", "10": "81 %, 107 %"} as $paper | $scenes[] | . as $scene | (by_hand(.) | cycles) as $hand
     | [("Glassner\(.)"), ($hand | tostring), (("", "_rounds") as $form | (4, 8) as $outputs | automatic($scene; $form; $outputs) | cycles | tostring),
        (("", "_rounds") as $form | [(4, 8) as $outputs | $hand / (automatic($scene; $form; $outputs) | cycles) | percent] | join(", ")), $paper[.]] | row),
    "",
    "Structure of the partitions:",
    "",
    (["", "nested", "rounds", "paper"] | row), "|---|--:|--:|--:|",
    (["basic blocks", "structure/blocks", "kernels", "12"], ["after merging the sides of ifs", "structure/ifs", "kernels", "5"], ["kernels, including copying kernels", "structure/all", "kernels", "7"],
     ["copying kernels", "structure/all", "copying", "2"], ["arrays of up to four words", "structure/all", "arrays", "11 variables"], ["double-buffered arrays", "structure/all", "twice", "4"],
     ["kernels that copy an array", "structure/all", "copies", "1"], ["kernels that copy an array, without bypassing", "structure/copying", "copies", "-"]
     | . as [$what, $run, $key, $paper] | [$what, ($of[$run][$key] | tostring), ($of["\($run)_rounds"][$key] | tostring), $paper] | row),
    "",
    "## Effect of each optimisation",
    "",
    "Each row changes one thing for Glassner04, and gives the cycles relative to the unchanged run, and the passes.",
    "",
    (["changed", "nested", "passes", "rounds", "passes"] | row), "|---|--:|--:|--:|--:|",
    ([["nothing", "nothing"], ["bipartization", "no copying kernels: kernels run with both bindings"], ["bypassing", "all kernels copy all double-buffered arrays"], ["merging", "one kernel per basic block"],
      ["constants", "values that all threads share are in arrays"], ["words", "each word in a separate array"], ["words_4", "the same, four outputs"], ["skipping", "tiles whose threads have ended are not skipped"],
      ["tiles_8", "tiles of 8 threads"], ["tiles_1024", "tiles of 1,024 threads"], ["host", "host cycles are zero"]][] as [$run, $what]
     | [$what] + [("glassner04", "glassner04_rounds") as $form | (($of["changed/\($run)/\($form)"] | cycles) / ($of["changed/nothing/\($form)"] | cycles) | ratio), ($of["changed/\($run)/\($form)"] | counts.passes | tostring)] | row),
    "",
    "## Findings",
    "",
    "- **`mpp.iterations`** is \(iterations("04"; "") / rounds_by_hand("04") | ratio) for nested loops; the paper has 2.01.",
    "  With nested loops, the inner loop runs until no thread is in it, and threads that have left it wait.",
    "  With hand-written kernels, a ray that has tested its triangles continues in the same round.",
    "  The paper's iteration counts are twice those of its hand-partitioned tracer, plus three to five (681 = 2 x 339 + 3, 563 = 2 x 279 + 5, 227 = 2 x 111 + 5).",
    "  A loop of one kernel and its copying kernel takes two passes per round, which agrees with these counts.",
    "  The automatic tracer in rounds needs \(loop("04")) rounds until its last ray has ended, and runs them in \(iterations("04"; "_rounds")) passes.",
    "  The picture is complete after \(rounds_by_hand("04")) rounds, because rays that hit nothing end last.",
    "  The paper therefore seems to have partitioned a single loop over such rounds.",
    "- **`mpp.time`** is \(times("")["AP8, 04"] | round) % for nested loops on Glassner04 and \(times("_rounds")["AP8, 04"] | round) % for rounds; the paper has 121 %.",
    "  The difference depends mostly on the host's time per pass, which is an estimate: the host takes \(automatic("04"; ""; 8) | host | percent) of the time of nested loops, and \(by_hand("04") | host | percent) of the time of the hand-partitioned tracer, which reads no completion counts.",
    "  Without host cycles, the hand-partitioned tracer takes \(($of["by_hand_without_host"] | cycles) / (by_hand("04") | cycles) | ratio) of the time that it takes with them, the nested tracer \(($of["changed/host/glassner04"] | cycles) / (automatic("04"; ""; 8) | cycles) | ratio), and the tracer in rounds \(($of["changed/host/glassner04_rounds"] | cycles) / (automatic("04"; "_rounds"; 8) | cycles) | ratio).",
    "  The hand-partitioned kernels use all lanes in all rounds, and the automatic passes abort most of their tiles.",
    "- **Four outputs** instead of eight take almost no additional time, because the loops write three arrays of four words.",
    "  The paper keeps each variable in a separate array, and takes 36 % more time with four outputs.",
    "  With words in separate arrays, our tracer in rounds takes \(100 * (($of["changed/words_4/glassner04_rounds"] | cycles) / ($of["changed/words/glassner04_rounds"] | cycles) - 1) | round) % more time with four outputs than with eight.",
    "- **`mpp.raytracer.structure`**: clang converts most `if` statements to conditional assignments before partitioning.",
    "  The tracer with nested loops therefore has 9 blocks instead of 12, and if-conversion reduces them to 6.",
    "  In the tracer in rounds, clang leaves the `if` statements, and if-conversion reduces 9 blocks to 3.",
    "- **Bipartization** works: each kernel runs with only one [binding](../../models/multi_pass/README.md#a-pass).",
    "  It takes more time than it saves.",
    "  Without copying kernels, the nested tracer takes \(($of["changed/bipartization/glassner04"] | cycles) / ($of["changed/nothing/glassner04"] | cycles) | ratio) of the time, and the tracer in rounds \(($of["changed/bipartization/glassner04_rounds"] | cycles) / ($of["changed/nothing/glassner04_rounds"] | cycles) | ratio).",
    "  The paper considers a copying kernel cheaper than a large block that runs twice.",
    "  A loop of one kernel, however, needs a separate copying kernel and therefore twice the passes.",
    "  With timestamps instead, the kernel can change its binding from pass to pass, and no thread runs twice.",
    ""
  end
