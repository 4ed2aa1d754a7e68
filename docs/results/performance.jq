# SPDX-License-Identifier: Apache-2.0
# Makes docs/performance.md, its data and its plots from the lines of benchmarks/growth, benchmarks/parallel_speed,
# scripts/bench and scripts/host-instructions, in $growth, $parallel, $speed and $instructions. $form: md, json, sms.svg
# or threads.svg. $host: the processor.

def decimals($n): (. * pow(10; $n) | round) / pow(10; $n);
def row: "| " + join(" | ") + " |";
def table($head; rows): ($head | row), "|---|" + (($head | length) - 1) * "--:|", (rows | row);
def millions: . / 1e6 | decimals(2) | tostring;

# A plot of lines over a logarithmic axis: {title, x, y, lines: [{name, points: [[x, y], ...]}]}.
def plot:
  . as $p
  | [.lines[].points[][0]] as $xs | [.lines[].points[][1]] as $ys
  | ($xs | min | log2) as $left | ($xs | max | log2) as $right | ($ys | max * 1.05) as $top
  | def px: 60 + 480 * (log2 - $left) / ($right - $left) | decimals(1);
    def py: 260 - 220 * . / $top | decimals(1);
    ["#1f77b4", "#d62728", "#2ca02c", "#9467bd"] as $colours
  | "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 720 310\" font-family=\"sans-serif\" font-size=\"12\">",
    "<rect width=\"720\" height=\"310\" fill=\"white\"/>",
    "<text x=\"60\" y=\"20\" font-weight=\"bold\">\(.title)</text>",
    "<path d=\"M60 40 V260 H540\" fill=\"none\" stroke=\"black\"/>",
    "<text x=\"300\" y=\"300\" text-anchor=\"middle\">\(.x)</text>",
    "<text x=\"16\" y=\"150\" text-anchor=\"middle\" transform=\"rotate(-90 16 150)\">\(.y)</text>",
    ($xs | unique[] | "<text x=\"\(px)\" y=\"278\" text-anchor=\"middle\">\(.)</text>"),
    (range(0; 5) | (. * $top / 4) as $y
     | "<text x=\"54\" y=\"\($y | py + 4)\" text-anchor=\"end\">\($y | decimals(1))</text>",
       "<path d=\"M60 \($y | py) H540\" stroke=\"#dddddd\"/>"),
    (range(0; .lines | length) as $i
     | $p.lines[$i] as $line
     | "<polyline fill=\"none\" stroke=\"\($colours[$i])\" stroke-width=\"2\" points=\"\($line.points | map("\(.[0] | px),\(.[1] | py)") | join(" "))\"/>",
       "<text x=\"552\" y=\"\(60 + 18 * $i)\" fill=\"\($colours[$i])\">\($line.name)</text>"),
    "</svg>";

def series($name): [$growth[] | select(.series == $name)];
# What revision 5617b023 needed, counted in the same way.
def before: {"software tracer": 2295, "subwarp interleaving": 9923};
def threads: [2, 4, 8, 16, 64];
def described: {"gtx780.15sm": "GTX 780, 15 SMs, software tracer", "dmk.30sm": "FX 5800, 30 SMs, micro-kernels",
                "si.15sm": "Turing, 15 SMs, subwarp interleaving", "drs.15sm": "GTX 780, 15 SMs, ray shuffling"}[.];

if $form == "json" then {host: $host, growth: $growth, parallel: $parallel, speed: $speed, instructions: $instructions}
elif $form == "sms.svg" then
  {title: "Time of 100,000 cycles of the conference room, one thread", x: "SMs", y: "seconds",
   lines: [{name: "GTX 780", points: (series("sms") | map([.value, .seconds]))}]} | plot
elif $form == "threads.svg" then
  {title: "Predicted speedup", x: "threads", y: "speedup",
   lines: ($parallel | map({name: .name, points: ([[1, 1]] + (. as $p | threads | map([., $p.predicted["\(.)"]])))}))} | plot
else
  "# Performance",
  "",
  "`scripts/results performance` measures this page in ten minutes on an idle machine, and writes it: change `docs/results/performance.jq`, not the page.",
  "",
  "All times are of \($host), with two cores of a host that other programs share: speeds change by a factor of three between days, and some speedups exceed the number of threads.",
  "Compare figures of one table, not of different hosts.",
  "",
  "## Speed on one core",
  "",
  "`scripts/bench` prints these figures.",
  "",
  table(["figure", "per second"]; $speed[] | [ "`\(.name)`", "\(.value | if . >= 1e5 then millions + " million" else tostring end) \(.unit | sub("/s$"; ""))"]),
  "",
  "### Instructions of the host",
  "",
  "`scripts/host-instructions` counts in Valgrind how many instructions of the host a warp instruction takes.",
  "Unlike times, the counts do not depend on other programs.",
  "Traversal units work without warp instructions, so interleaving has a high count.",
  "",
  table(["run", "for each warp instruction", "revision 5617b023", "ratio"];
        $instructions[] | [.run, "\(.each)", "\(before[.run])", "\(.each / before[.run] | decimals(2))"]),
  "",
  ($instructions[] | "Functions with at least 2 % of the instructions, \(.run):", "",
    table(["function", "share"]; .functions[] | ["`\(.name)`", "\(.share * 100 | decimals(1)) %"]), ""),
  "No function dominates: each instruction passes scheduler, operand collector, lanes or load/store unit, and scoreboard, and each takes a similar part.",
  "Counts do not show what the host waits for: branches that it cannot predict, and loads that miss its first-level cache, since an SM has more warps than this cache holds.",
  "Runs of the software tracer are 1.18 times as fast as those of revision 14e94c85, the last one before SMs ran in a fixed order (mean of 8 pairs of `scripts/compare-speed`, standard error 0.01).",
  "With profile-guided optimisation by GCC 12, the software tracer took 0.97 of the time (median of 15 pairs), so the tree has no preset for it.",
  "",
  "## Several cores",
  "",
  "One run uses all cores, and results are the same for any number ([decision](decisions/0013-one-order-of-accesses.md)).",
  "`benchmarks/parallel_speed` measures the speedup of runs on two threads, as the median of pairs and without checks of results, and predicts larger hosts from the times of the parts of each quantum on one thread.",
  "The prediction includes 2 us for each quantum, in which the threads start and meet, and no waits of SMs for each other's atomics.",
  "",
  table(["machine", "memory", "serial", "longest turn / mean", "2 threads, measured", "range", "2, predicted", "4", "8", "16", "64"];
        $parallel[] | [(.name | described), "\(.memory * 100 | decimals(1)) %", "\(.serial * 100 | decimals(1)) %", .longest_turn,
                       .speedup, "\(.least) to \(.most)"] + (.predicted as $p | threads | map($p["\(.)"])) | map(tostring)),
  "",
  "*Memory* is the share of crossbar, L2 cache and DRAM, which are one part; *serial* is what only one thread does: it commits stores and exchanges messages.",
  "",
  "![Predicted speedup by number of threads](results/performance.threads.svg)",
  "",
  "## Growth",
  "",
  "`benchmarks/growth` runs the conference room on the GTX 780 on one thread, each run in a separate process.",
  "The time of a run grows with the cycles of all its SMs and with its instructions.",
  "From 30 SMs on, its 65,536 rays do not fill all SMs, so instructions grow no further.",
  "",
  "![Time by number of SMs](results/performance.sms.svg)",
  "",
  table(["run", "value", "s", "cycles", "warp instructions", "million a second", "MiB"];
        $growth[] | ["\({sms: "SMs, 100,000 cycles", warps: "warp slots of one SM, 500,000 cycles", rays: "rays at most, four SMs, to the end", memory: "rays of each bounce, ray shuffling, 20,000 cycles"}[.series])",
                     .value, (.seconds | decimals(2)), .cycles, .warp_instructions,
                     (.warp_instructions / .seconds / 1e6 | decimals(2)), .mebibytes] | map(tostring)),
  "",
  "The memory of a run is that of its scene and rays; SMs and warps add little.",
  "The last row states it for two million rays of each of eight bounces.",
  "",
  "## Other simulators",
  "",
  "| simulator | speed | source |",
  "|---|---|---|",
  "| Accel-Sim, parallel | 5.8 times on 16 threads, with unchanged results | Huerta and González, [Parallelizing a modern GPU simulator](https://arxiv.org/abs/2502.14691) |",
  "| cycle-level simulators | 0.2 million instructions of threads a second: GATSim has more than 80 million, and is 400 times faster on average | Punniyamurthy et al., [GATSim](https://past.date-conference.com/proceedings-archive/2017/html/0643.html), DATE 2017 |",
  "",
  "We know no published speed for kernels and inputs that this tree has, so read these rates as orders of magnitude."
end
