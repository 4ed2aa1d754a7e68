# SPDX-License-Identifier: Apache-2.0
# Makes docs/results/mpp.md, or with --arg form json its figures, from what scripts/results mpp leaves: the structure of the ray tracer's partitions (structure), the
# paper's example (example), the tracer over three scenes automatically (automatic; with an if in each loop, ifs; with a word in each array, words) and by hand until the
# picture is complete (by_hand) and until the last ray has ended (until_ended), with one thing changed (changed), its structure by options of clang (compiled), and what tests
# of figures known on paper said (known).

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
# Cycles if the host takes $pass and $count microseconds for a pass and a completion count, at 1200 MHz. The platform has 12000 cycles for a count.
def cycles($pass; $count): counts | (.cycles[:5] | add) + 1200 * $pass * .passes + $count / 10 * .cycles[6];
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
  def until_ended($scene): $of["until_ended/glassner\($scene)_by_hand_until_ended"];
  def rounds_until_ended($scene): until_ended($scene) | .launches[] | select(.kernel == "voxel_traverse").runs;
  # By hand over automatic in percent, three scenes, by the host's times in microseconds; and the same for all figures of the claim.
  def form($scene; $form; $outputs): if $form == "words" then $of["words/glassner\($scene)_rounds/multi_pass.partition.outputs=\($outputs)"] else automatic($scene; $form; $outputs) end;
  def hand($scene; $until): if $until == "ended" then until_ended($scene) else by_hand($scene) end;
  def over($until; $form; $outputs; $pass; $count): [$scenes[] | 100 * (hand(.; $until) | cycles($pass; $count)) / (form(.; $form; $outputs) | cycles($pass; $count))];
  def fits($until; $form; $outputs; $pass; $count): over($until; $form; $outputs; $pass; $count) | if $outputs == 4 then all(. >= 75 and . <= 100) else all(. >= 100 and . <= 135) end;
  # Pairs of the host's times, every 10 microseconds up to half a millisecond for both, with which all six figures are inside.
  def pairs($until; $form): [range(0; 501; 10) as $pass | range(0; 501; 10) as $count | select(fits($until; $form; 8; $pass; $count) and fits($until; $form; 4; $pass; $count)) | [$pass, $count]];
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
    "It takes three minutes.",
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
    "*Ifs* is the nested tracer with an `if` as the body of each inner loop and the test at its end.",
    "*Rounds* is the tracer as one kernel with a single loop; one iteration does the work of one round of the hand-written kernels.",
    "All produce the same picture.",
    "",
    "![Glassner04](glassner04.png)",
    "",
    (["scene", "rounds by hand", "until the last ray has ended", "passes, nested", "passes, ifs", "passes, rounds", "over rounds until the last ray has ended", "paper: by hand", "automatic", "ratio"] | row),
    "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|",
    ({"04": [339, 681], "05": [279, 563], "10": [111, 227]} as $paper | $scenes[]
     | [("Glassner\(.)"), (rounds_by_hand(.) | tostring), (rounds_until_ended(.) | tostring), (iterations(.; "") | tostring), ($of["ifs/glassner\(.)"] | counts.passes | tostring), (iterations(.; "_rounds") | tostring),
        (iterations(.; "_rounds") / rounds_until_ended(.) | ratio), ($paper[.][0] | tostring), ($paper[.][1] | tostring), ($paper[.][1] / $paper[.][0] | ratio)] | row),
    "",
    (["scene", "by hand, cycles", "nested, 4 outputs", "nested, 8", "rounds, 4", "rounds, 8", "by hand over nested 4, 8", "over rounds 4, 8", "paper"] | row), "|---|--:|--:|--:|--:|--:|--:|--:|--:|",
    ({"04": "89 %, 121 %", "05": "87 %, 117 %", "10": "81 %, 107 %"} as $paper | $scenes[] | . as $scene | (by_hand(.) | cycles) as $hand
     | [("Glassner\(.)"), ($hand | tostring), (("", "_rounds") as $form | (4, 8) as $outputs | automatic($scene; $form; $outputs) | cycles | tostring),
        (("", "_rounds") as $form | [(4, 8) as $outputs | $hand / (automatic($scene; $form; $outputs) | cycles) | percent] | join(", ")), $paper[.]] | row),
    "",
    "Structure of the partitions:",
    "",
    (["", "nested", "ifs", "rounds", "paper"] | row), "|---|--:|--:|--:|--:|",
    (["basic blocks", "structure/blocks", "kernels", "12"], ["after merging the sides of ifs", "structure/ifs", "kernels", "5"], ["kernels, including copying kernels", "structure/all", "kernels", "7"],
     ["copying kernels", "structure/all", "copying", "2"], ["arrays of up to four words", "structure/all", "arrays", "11 variables"], ["double-buffered arrays", "structure/all", "twice", "4"],
     ["kernels that copy an array", "structure/all", "copies", "1"], ["kernels that copy an array, without bypassing", "structure/copying", "copies", "-"]
     | . as [$what, $run, $key, $paper] | [$what] + [("", "_ifs", "_rounds") as $form | $of["\($run)\($form)"][$key] | tostring] + [$paper] | row),
    "",
    "The nested tracer again, compiled with other options, which leave more or fewer of the source's conditions as branches:",
    "",
    (["clang", "basic blocks", "after merging the sides of ifs", "share left", "kernels", "copying kernels"] | row), "|---|--:|--:|--:|--:|--:|",
    ([["O2", "`-O2`, as on this page"], ["O1", "`-O1`"], ["folding", "`-O1`, no selects for the phis of two paths"], ["speculation", "`-O1`, no selects at all for ifs"]][] as [$name, $what]
     | $of["compiled/\($name)/blocks"].kernels as $blocks | $of["compiled/\($name)/ifs"].kernels as $merged
     | [$what, ($blocks | tostring), ($merged | tostring), ($merged / $blocks | ratio), ($of["compiled/\($name)/all"].kernels | tostring), ($of["compiled/\($name)/all"].copying | tostring)] | row),
    "",
    "## The host's times",
    "",
    "By hand over automatic in percent, for Glassner04, 05 and 10, if the host takes other times for a pass and for a completion count.",
    "Both are estimates, 10 us on this page; the time of a run is linear in both, so the table follows from the runs above.",
    "*Complete*: the hand-partitioned tracer stops when the picture is complete, as in the paper; *ended*: when its last ray has ended, as the automatic tracer does.",
    "*Separate*: each word is in a separate array, as the paper's variables are.",
    "Bold: all three are in the accepted range.",
    "",
    (["us for a pass", "us for a count", "nested, complete, 8 outputs", "rounds, complete, 8", "rounds, ended, 8", "rounds, separate, ended, 8", "the same, 4"] | row), "|--:|--:|--:|--:|--:|--:|--:|",
    ([[0, 0], [10, 10], [40, 10], [80, 10], [120, 10], [160, 10], [320, 10], [10, 120], [40, 80], [80, 80]][] as [$pass, $count]
     | [($pass | tostring), ($count | tostring)]
       + [(["complete", "", 8], ["complete", "_rounds", 8], ["ended", "_rounds", 8], ["ended", "words", 8], ["ended", "words", 4]) as [$until, $form, $outputs]
          | (over($until; $form; $outputs; $pass; $count) | map(round | tostring) | join(", ")) as $text
          | if fits($until; $form; $outputs; $pass; $count) then "**\($text)**" else $text end] | row),
    (["paper", "", "121, 117, 107", "121, 117, 107", "121, 117, 107", "121, 117, 107", "89, 87, 81"] | row),
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
    "  If the hand-partitioned tracer also runs until its last ray has ended, the ratios are \([$scenes[] | iterations(.; "_rounds") / rounds_until_ended(.) | ratio] | join(", ")); the paper has 2.01, 2.02 and 2.05.",
    "  The paper therefore seems to have partitioned a single loop over such rounds, and its pictures seem to have been complete when the last ray ended.",
    "- **`mpp.time`** is \(times("")["AP8, 04"] | round) % for nested loops on Glassner04 and \(times("_rounds")["AP8, 04"] | round) % for rounds; the paper has 121 %.",
    "  The host's times are estimates: the host takes \(automatic("04"; ""; 8) | host | percent) of the time of nested loops, and \(by_hand("04") | host | percent) of the time of the hand-partitioned tracer, which reads no completion counts.",
    "  No host time explains the difference: of all pairs up to 500 us (every 10 us), \(pairs("complete"; "") | length) put all figures of nested loops inside, and \(pairs("complete"; "_rounds") | length) those of rounds.",
    "  In the paper, an iteration takes nearly the same time in all scenes: 15.4, 15.0 and 14.8 by hand, 6.3, 6.4 and 6.8 with eight outputs, 8.6, 8.6 and 9.2 with four (the paper gives no unit).",
    "  The ratio of the times therefore follows the ratio of the iterations, which is 2.01 to 2.05 in the paper and \([$scenes[] | iterations(.; "") / rounds_by_hand(.) | ratio] | join(", ")) here.",
    (pairs("ended"; "words") as $pairs
     | "  With rounds, each word in a separate array and the hand-partitioned tracer until its last ray has ended, \($pairs | length) pairs put all six figures inside: \($pairs | map(.[0]) | "\(min) to \(max)") us for a pass and \($pairs | map(.[1]) | "\(min) to \(max)") us for a count, for example 120 and 10 (table above)."),
    "  These times depend on the size of the picture, which the paper does not give.",
    "  Without host cycles, the hand-partitioned tracer takes \(($of["by_hand_without_host"] | cycles) / (by_hand("04") | cycles) | ratio) of the time that it takes with them, the nested tracer \(($of["changed/host/glassner04"] | cycles) / (automatic("04"; ""; 8) | cycles) | ratio), and the tracer in rounds \(($of["changed/host/glassner04_rounds"] | cycles) / (automatic("04"; "_rounds"; 8) | cycles) | ratio).",
    "  The hand-partitioned kernels use all lanes in all rounds, and the automatic passes abort most of their tiles.",
    "- **Four outputs** instead of eight take almost no additional time, because the loops write three arrays of four words.",
    "  The paper keeps each variable in a separate array, and takes 36 % more time with four outputs.",
    "  With words in separate arrays, our tracer in rounds takes \(100 * (($of["changed/words_4/glassner04_rounds"] | cycles) / ($of["changed/words/glassner04_rounds"] | cycles) - 1) | round) % more time with four outputs than with eight.",
    "- **`mpp.raytracer.structure`**: the source computes most choices without branches, and clang converts further `if` statements to selects before partitioning.",
    "  The tracer with nested loops therefore has \($of["structure/blocks"].kernels) blocks instead of 12, and if-conversion reduces them to \($of["structure/ifs"].kernels).",
    "  If clang leaves the conditions as branches, there are \([("O1", "folding", "speculation") as $name | $of["compiled/\($name)/blocks"].kernels | tostring] | join(", ")) blocks, always with the same \($of["compiled/speculation/ifs"].kernels) after if-conversion: how many blocks precede if-conversion is a matter of the compiler, how many follow is not.",
    "  The paper does not print its source.",
    "  If each inner loop has an `if` as its body and the test at its end, the blocks are as many as in the paper (\($of["structure/blocks_ifs"].kernels) and \($of["structure/ifs_ifs"].kernels); \($of["structure/all_ifs"].twice) double-buffered arrays, paper 4; \($of["structure/all_ifs"].copying) copying kernels, paper 2).",
    "  Of a loop of the usual form, clang moves a copy of the test in front of the loop, which is one block more.",
    "  In the tracer in rounds, clang leaves the `if` statements, and if-conversion reduces \($of["structure/blocks_rounds"].kernels) blocks to \($of["structure/ifs_rounds"].kernels).",
    "- **Bipartization** works: each kernel runs with only one [binding](../../models/multi_pass/README.md#a-pass).",
    "  It takes more time than it saves.",
    "  Without copying kernels, the nested tracer takes \(($of["changed/bipartization/glassner04"] | cycles) / ($of["changed/nothing/glassner04"] | cycles) | ratio) of the time, and the tracer in rounds \(($of["changed/bipartization/glassner04_rounds"] | cycles) / ($of["changed/nothing/glassner04_rounds"] | cycles) | ratio).",
    "  The paper considers a copying kernel cheaper than a large block that runs twice.",
    "  A loop of one kernel, however, needs a separate copying kernel and therefore twice the passes.",
    "  With timestamps instead, the kernel can change its binding from pass to pass, and no thread runs twice.",
    ""
  end
