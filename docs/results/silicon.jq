# SPDX-License-Identifier: Apache-2.0
# Makes docs/results/silicon.md, or with $form "svg" its plot, from the files in docs/silicon. $published: the published
# figures; $kernels: times of published kernels next to ours; the inputs: measurements of platforms, by their names.

def row: "| " + join(" | ") + " |";
def decimals($n): (. * pow(10; $n) | round) / pow(10; $n);
def shown: if . == null then "-" elif . < 10 then decimals(2) | tostring elif . < 1000 then decimals(1) | tostring else round | tostring end;
def signed: decimals(1) | if . > 0 then "+\(.) %" else "\(.) %" end;
def mean: if length == 0 then null else add / length end;
def error: 100 * (.ours / .published - 1);
def absolute: map(error | fabs) | mean | decimals(1) | "\(.) %";

# Measurements of platforms by platform, group and name.
([inputs | {(.target.platform | rtrimstr(".yaml")): (.measurements | map({key: "\(.group): \(.name)", value: .value}) | from_entries)}] | add) as $measured
| def value($figure; $name): $measured[$figure.platform]["\($figure.group): \($name)"];
  def ours: . as $figure
    | (value($figure; $figure.measurement)) as $one
    | if $one == null then error("no measurement for \($figure.id): \($figure.measurement)") else . end
    | ($one - ($figure.less // null | if . == null then 0 else value($figure; .) end) - ($figure.minus // 0)) * ($figure.factor // 1);
  [$published[0][] | . + {ours: ours}] as $figures
| def correlation: (map([(.published | log), (.ours | log)])) as $points
    | ($points | map(.[0]) | mean) as $x | ($points | map(.[1]) | mean) as $y
    | ($points | map((.[0] - $x) * (.[1] - $y)) | add)
      / (($points | map(pow(.[0] - $x; 2)) | add) * ($points | map(pow(.[1] - $y; 2)) | add) | sqrt);
  ($kernels[0] // []) as $kernels
| [$kernels[] | select(.unit == "cycles")] as $in_cycles
| [$kernels[] | select(.unit == "ms")] as $in_time
| def geometric_error: map((.ours / .published) | log | fabs) | mean | exp;

  def figure($id): $figures[] | select(.id == $id);
  def published: "\(.published | shown) \(.unit)";
  if $form == "svg" then
    # Both axes from the least to the greatest power of ten.
    ([$in_cycles[] | .published, .ours] | [(min | log10 | floor), (max | log10 | ceil)]) as [$low, $high]
    | def x: 60 + 400 * ((log10) - $low) / ($high - $low);
      def y: 420 - 400 * ((log10) - $low) / ($high - $low);
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 760 470\" font-family=\"sans-serif\" font-size=\"12\">",
      "<rect width=\"760\" height=\"470\" fill=\"white\"/>",
      "<path d=\"M60 20 V420 H460\" fill=\"none\" stroke=\"black\"/>",
      "<path d=\"M60 420 L460 20\" stroke=\"#999999\"/>",
      (range($low; $high + 1) | pow(10; .) as $tick
        | "<text x=\"\($tick | x | decimals(1))\" y=\"438\" text-anchor=\"middle\">10^\(.)</text>",
          "<text x=\"54\" y=\"\($tick | y + 4 | decimals(1))\" text-anchor=\"end\">10^\(.)</text>"),
      "<text x=\"260\" y=\"460\" text-anchor=\"middle\">cycles on a Quadro GV100</text>",
      "<text x=\"16\" y=\"220\" text-anchor=\"middle\" transform=\"rotate(-90 16 220)\">cycles of v100.yaml</text>",
      ($in_cycles | sort_by(.published) | to_entries[]
        | "<circle cx=\"\(.value.published | x | decimals(1))\" cy=\"\(.value.ours | y | decimals(1))\" r=\"4\" fill=\"#1f77b4\"/>",
          "<text x=\"\(.value.published | x + 6 | decimals(1))\" y=\"\(.value.ours | y + 12 | decimals(1))\" font-size=\"9\">\(.key + 1)</text>",
          "<text x=\"490\" y=\"\(30 + 18 * .key)\">\(.key + 1) \(.value.kernel)</text>"),
      "</svg>"
  elif $form == "readme" then
    "Platforms of a Tesla V100, an RTX 2060, a Tesla T4 and an RTX 3080 [are compared](docs/results/silicon.md) with \($figures | length) published measurements of GPUs: the mean absolute error is \([$figures[] | select(.sets)] | absolute) for figures that set parameters, and \([$figures[] | select(.sets | not)] | absolute) for the others.",
    "Cycles of \($in_cycles | length) published kernels on a Quadro GV100 have a mean absolute error of \($in_cycles | absolute), and their logarithms a correlation of \($in_cycles | correlation | decimals(3))."
  else
  "# Platforms next to published measurements",
  "",
  "`scripts/silicon page` writes this page from the files in [docs/silicon](../silicon): change `docs/results/silicon.jq`, not the page.",
  "[published.json](../silicon/published.json) has \($figures | length) figures that others measured on GPUs and published, each with its source.",
  "For each of them, one of our microbenchmarks ([benchmarks/silicon](../../benchmarks/silicon)) takes the same measurement on one of four platforms: [v100.yaml](../../yaml/platforms/v100.yaml) (Volta), [rtx2060.yaml](../../yaml/platforms/rtx2060.yaml) and [t4.yaml](../../yaml/platforms/t4.yaml) (Turing), and [rtx3080.yaml](../../yaml/platforms/rtx3080.yaml) (GA102).",
  "`scripts/silicon platforms` takes them.",
  "We measured none of these GPUs ourselves; [an H100](h100.md) is the only GPU that we measured.",
  "",
  "A figure *sets* a parameter if the platform file names it, or another figure of the same quantity, as the source of a value.",
  "No value was set by the time of a kernel.",
  "",
  "## Errors by class",
  "",
  "The table gives the mean absolute error, and in brackets the number of figures.",
  "",
  (["class", "Volta", "Turing", "GA102", "all", "figures that set parameters", "other figures"] | row),
  "|---|---|---|---|---|---|---|",
  (([{name: "Volta", of: ["v100"]}, {name: "Turing", of: ["rtx2060", "t4"]}, {name: "GA102", of: ["rtx3080"]}]) as $families
  | (($figures | group_by(.class) | map({name: .[0].class, figures: .})) + [{name: "**all**", figures: $figures}])[]
    | . as $class
    | def cell: if length == 0 then "-" else "\(absolute) (\(length))" end;
      ([.name] + [$families[] | .of as $of | [$class.figures[] | select(.platform as $p | $of | index($p))] | cell]
        + [(.figures | cell), ([.figures[] | select(.sets)] | cell), ([.figures[] | select(.sets | not)] | cell)] | row)
  ),
  "",
  "The figures of one class disagree with each other, too, and a parameter can equal only one of them.",
  "The largest errors of other figures have these causes:",
  "",
  "- **Division on a TITAN V and a TITAN RTX** (\(figure("titan_v_041") | published) for `div.rn.f64` and \(figure("titan_v_045") | published) for `div.rn.f32`): the model has one latency for each routine, that of gpu-benches (\(figure("tesla_v100_077") | published) on a V100) or of an H100.",
  "  The published times are five to nine times as long, as of operands that need the slow path of the routine.",
  "- **Level 1 and shared memory of a TITAN V**: the microbenchmarks of Accel-Sim give \(figure("titan_v_015") | published) and \(figure("titan_v_019") | published) for a chip for which Jia et al. give \(figure("tesla_v100_019") | published) and \(figure("tesla_v100_021") | published).",
  "  They give \(figure("titan_v_023") | published) for loads of 4 bytes, where Jia et al. give \(figure("tesla_v100_067") | published).",
  "- **Level 2 and memory**: gpu-benches visits lines of the whole cache in random order (\(figure("tesla_v100_080") | published)), Jia et al. a small part of it (\(figure("tesla_v100_020") | published)).",
  "  The crossbar here has one latency for all pairs of SMs and slices. The TITAN V has three stacks of memory instead of four, and other clocks.",
  "- **Atomics of several lanes on one address**: the model adds the same time for each lane; the published times grow in steps.",
  "- **Size of level 1**: the cache seems to have 7 KiB less than configured; Jia et al. do not explain it, and the model does not have it.",
  "- **Memory of a T4**: \(figure("tesla_t4_023") | published) are 74 % of the peak, where other boards reach 86 to 97 %; the timings of GDDR6 here lead to \(figure("tesla_t4_023") | .ours | shown).",
  "- **MUFU**: the machine instruction takes 14 cycles; the PTX instruction that the model times, 16 to 23 (Arafa et al.), since it also scales its operand.",
  "- **RTX 2070 and RTX 3060**: other chips of their generation, with caches of other sizes; the platforms have the latencies of a T4 and an A40.",
  "",
  (if ($kernels | length) == 0 then empty else
  "## Kernels",
  "",
  "Accel-Sim's authors published the cycles of these kernels of Rodinia, Parboil and the CUDA samples on a Quadro GV100, with arguments.",
  "`scripts/published-programs` builds the same programs and makes their inputs, and `scripts/published-kernels` runs them with `reconverge exec`, on v100.yaml, with an empty L2 cache at each launch.",
  "Nsight Compute, which measured, holds a GPU at its base clock: SMs run at 1132 MHz and memory at 850 MHz, as in Accel-Sim's configuration of this GPU.",
  "nvcc 13 compiled the programs to PTX; texture references of three programs, which it does not know, became texture objects.",
  "The mean absolute error is \($in_cycles | absolute); the geometric mean of the larger over the smaller time is \($in_cycles | geometric_error | decimals(2)); the correlation of the logarithms is \($in_cycles | correlation | decimals(3)).",
  "",
  "![Cycles on a Quadro GV100 and of v100.yaml](silicon.kernels.svg)",
  "",
  (["", "kernel", "arguments", "launches", "Quadro GV100, cycles", "v100.yaml, cycles", "error", "IPC", "SIMD efficiency"] | row),
  "|---|---|---|---|---|---|---|---|---|",
  ($in_cycles | sort_by(.published) | to_entries[] | .key as $i | .value
    | ["\($i + 1)", .kernel, .arguments, "\(.launches)\(if .sampled then " (sampled)" else "" end)", (.published | round | tostring), (.ours | round | tostring), (error | signed), (.ipc | decimals(1) | tostring), "\(.simd_efficiency * 100 | decimals(1)) %"] | row),
  "",
  $notes[0].kernels[],
  "",
  (if ($in_time | length) == 0 then empty else
  "## Reductions",
  "",
  "Seven reductions of 32-bit words in blocks of 512 threads, measured by others on GeForce cards; the first one diverges, and the second has bank conflicts instead.",
  "A published time is that of a call, which may have several launches, on a cold cache; ours is the sum of the cycles of the launches, at the boost clock.",
  "A published time also contains a fill, copies of partial sums and waits of the host, which take most of the time of 2^20 words.",
  "The mean absolute error is \($in_time | absolute), and the correlation of the logarithms \($in_time | correlation | decimals(3)).",
  "",
  (["reduction", "platform", "GPU, ms", "ours, ms", "error", "SIMD efficiency"] | row),
  "|---|---|---|---|---|---|",
  ($in_time[] | ["\(.kernel), \(.arguments)", .platform, (.published | decimals(4) | tostring), (.ours | decimals(4) | tostring), (error | signed), "\(.simd_efficiency * 100 | decimals(1)) %"] | row),
  "",
  $notes[0].reductions[],
  ""
  end)
  end),
  "## Errors that other simulators publish",
  "",
  "Huerta et al. (MICRO 2025) report mean absolute errors of cycles over 128 benchmarks, driven by traces of the machine code: Accel-Sim 34.03 % on an RTX A6000 and 29.38 % on an RTX 2080 Ti, and their model 13.45 % and 19.3 %.",
  "Kernels here run from PTX, whose instructions and registers differ from the machine code that ran on the GPU.",
  "",
  "## All figures",
  "",
  ($figures | group_by(.platform)[]
    | "### \(.[0].platform).yaml",
      "",
      (["", "GPU", "published", "ours", "error", "sets", "source"] | row),
      "|---|---|---|---|---|---|---|",
      (.[] | ["\(.class): \(.what)\(if .note then " (\(.note))" else "" end)", .device, "\(.published | shown) \(.unit)", (.ours | shown), (error | signed), (if .sets then "x" else "" end), "\(.source)\(if .quoted then " (quoted)" else "" end)"] | row),
      "")
  end
