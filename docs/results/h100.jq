# SPDX-License-Identifier: Apache-2.0
# Makes docs/results/h100.md from docs/silicon/h100.json and docs/silicon/turing.json, which scripts/silicon leaves.

def row: "| " + join(" | ") + " |";
def decimals($n): (. * pow(10; $n) | round) / pow(10; $n);
def shown: if . == null then "-" elif type == "array" then if all(.[]; . == 32) then "32" elif all(.[]; . == 16) then "16" else map(tostring) | join(" ") end elif . < 1 then decimals(3) | tostring elif . < 100 then decimals(1) | tostring else round | tostring end;
def percent: "\(. * 100 | decimals(1)) %";

[inputs] as $files
| $files[0] as $gpu | $files[1] as $model
| def value($file; $group; $name): [$file.measurements[] | select(.group == $group and .name == $name) | .value] | first;
  def gpu($group; $name): value($gpu; $group; $name);
  def model($group; $name): value($model; $group; $name);
  def names($group): [$gpu.measurements[] | select(.group == $group) | .name];
  # A table of a group; the model's column is empty where it takes too long.
  def table($group; $unit): (["", "H100, \($unit)", "turing.yaml"] | row), "|---|---|---|",
    (names($group)[] | [., (gpu($group; .) | shown), (model($group; .) | shown)] | row);
  def ways($of; $n; $length; $form): value($of; "divergence"; "\($n) ways of \($length) multiply-adds by \($form)");
  # What one more path adds, less its operations.
  def path_cost($of; $length; $form; $each):
    (ways($of; 32; $length; $form) - ways($of; 1; $length; $form)) / 31 - $length * $each;
  def paths($of; $n; $where): value($of; "divergence"; "\($n) paths of 8 loads that are used \($where)");
  def many($of; $n; $warps): value($of; "divergence"; "\($n) ways of 48 multiply-adds by a chain of ifs" + (if $warps == 1 then "" else ", \($warps) warps" end));
  def mean: add / length;

  [gpu("paths"; "is the taken path first where the n lowest lanes take a branch, n from 1 to 31", "is the taken path first where the n highest lanes take a branch, n from 1 to 31")[]] as $firsts
| ([range(0; 62) | select($firsts[.] == (if . % 31 + 1 < 16 then 1 else 0 end))] | length) as $by_rule
| [names("efficiency")[] | {name: ., gpu: gpu("efficiency"; .), model: model("efficiency"; .)} | select(.model != null and (.name | test("persistent|replacing|while_if") | not))] as $lanes
| ([$lanes[] | .model / .gpu - 1 | fabs] | mean) as $lane_error
| "# A real GPU next to the models",
  "",
  "`scripts/silicon page` writes this page from [h100.json](../silicon/h100.json) and [turing.json](../silicon/turing.json): change `docs/results/h100.jq`, not the page.",
  "",
  "The program `silicon` ([benchmarks/silicon](../../benchmarks/silicon)) takes the same measurements on a GPU and on a simulated platform, with the same PTX.",
  "The kernels read `%clock64`; the cycles below are differences of its values.",
  "`scripts/silicon NAME` measures the GPU of the machine that it runs on; it needs only NVIDIA's driver.",
  "We measured one \($gpu.target.device) (sm_\($gpu.target.capability), \($gpu.target.multiprocessors) SMs, at most \($gpu.target.highest_clock_mhz) MHz, driver of CUDA \($gpu.target.driver / 1000 | decimals(1))) on \($gpu.target.date).",
  "",
  "No platform file describes an H100.",
  "The column *turing.yaml* is [the machine of the SI paper](../../yaml/platforms/turing.yaml), the only platform with convergence barriers.",
  "Its memory has a fixed latency for misses of the L1 cache, as in that paper.",
  "Compare how warps diverge, but not the speed of memory.",
  "We did not change any parameter of the model after these measurements.",
  "",
  "## What the H100 does with a diverged warp",
  "",
  "- **The path with fewer lanes runs first; if both have the same number of lanes, the fall-through path runs first.**",
  "  This holds in \($by_rule) of 62 cases, in which the lowest or the highest 1 to 31 lanes take the branch of an if with an else.",
  "  Applied at each branch, the rule also explains the order of paths in all five chains of ifs [below](#order-and-reconvergence-of-paths).",
  "  At a jump table (`brx.idx`), the path of the lowest lane runs first, regardless of the number of lanes.",
  "  In our model the taken path of a branch always runs first; at a jump table, the order is the same as on the H100.",
  "- **While one path of a warp waits for memory, the other paths do not run.**",
  "  With 1, 2 and 4 paths of eight dependent loads each, a round takes \([1, 2, 4] | map(paths($gpu; .; "in them") | shown) | join(", ")) cycles, which is 1, \([2, 4] | map(paths($gpu; .; "in them") / paths($gpu; 1; "in them") | decimals(2) | tostring) | join(" and ")) times as long (model: \([1, 2, 4] | map(paths($model; .; "in them") | shown) | join(", "))).",
  "  This is the stall that [subwarp interleaving](si.md) removes.",
  "  If the warp uses the loaded values only after the paths have reconverged, the loads overlap: \([1, 2, 4] | map(paths($gpu; .; "after them") | shown) | join(", ")) cycles (model: \([1, 2, 4] | map(paths($model; .; "after them") | shown) | join(", "))).",
  "- **In addition to its operations, each further path costs \(path_cost($gpu; 16; "a chain of ifs"; 4) | shown) cycles in a chain of ifs, and \(path_cost($gpu; 16; "brx.idx"; 4) | shown) in a jump table.**",
  "  With 48 operations in a path instead of 16, the costs are \(path_cost($gpu; 48; "a chain of ifs"; 4) | shown) and \(path_cost($gpu; 48; "brx.idx"; 4) | shown), so they hardly depend on the length of the path.",
  "  In the model the costs are \(path_cost($model; 16; "a chain of ifs"; 5) | shown) and \(path_cost($model; 16; "brx.idx"; 5) | shown) cycles.",
  "  This has two causes: `branch_latency` of turing.yaml, an estimate, is too short for a divergent branch, and reconvergence takes no time in the model.",
  "- **Other warps do not hide divergence.**",
  "  32 paths instead of one take \([1, 4, 16, 32] | map(many($gpu; 32; .) / many($gpu; 1; .) | decimals(1) | tostring) | join(", ")) times as long with 1, 4, 16 and 32 warps on an SM (model: \([1, 4, 16, 32] | map(many($model; 32; .) / many($model; 1; .) | decimals(1) | tostring) | join(", "))).",
  "- **Lanes do not reconverge after a divergent call through a pointer**: \(gpu("paths"; "lanes together after a call of two functions through a pointer")[0]) of 32 lanes run the next instruction together (model: \(model("paths"; "lanes together after a call of two functions through a pointer")[0])).",
  "  NVIDIA's compiler places no convergence barrier around this call.",
  "  After ifs, loops, loops that lanes leave in the middle, and jump tables, all 32 lanes run together, on the H100 and in the model.",
  "- **Lanes that wait for a spin lock do not slow the lane that holds it.**",
  "  One lane acquires a spin lock, counts and releases the lock in \(gpu("divergence"; "a spin lock in turn, 1 lanes") | shown) cycles.",
  "  For 32 lanes of a warp, this takes \(gpu("divergence"; "a spin lock in turn, 32 lanes") | shown) cycles, \(gpu("divergence"; "a spin lock in turn, 32 lanes") / gpu("divergence"; "a spin lock in turn, 1 lanes") | decimals(1)) times as many (model: \(model("divergence"; "a spin lock in turn, 1 lanes") | shown) and \(model("divergence"; "a spin lock in turn, 32 lanes") | shown)).",
  "  In the model, waiting lanes take turns with the lane that holds the lock.",
  "",
  "## SIMD efficiency",
  "",
  "The table gives the mean number of active lanes of a warp instruction, of 32.",
  "It leaves out persistent kernels, because their number of threads depends on the number of SMs.",
  "NVIDIA's profiler counts machine instructions, and our model counts PTX instructions.",
  "The mean difference is \($lane_error | percent) for all kernels, and \([$lanes[] | select(.name | test("trace")) | .model / .gpu - 1 | fabs] | mean | percent) for the ray tracers.",
  "",
  (["kernel", "H100", "turing.yaml"] | row), "|---|---|---|",
  ($lanes[] | [.name, (.gpu | decimals(2) | tostring), (.model | decimals(2) | tostring)] | row),
  "",
  "With a million rays, `trace_while_while` uses \(gpu("efficiency"; "trace_while_while, conference, bounce 1, 1048576 rays") / 32 | percent) of the H100's lanes in bounce 1, and \([names("efficiency")[] | select(test("trace_while_while, conference, bounce 4"))] | last | gpu("efficiency"; .) / 32 | percent) in bounce 4.",
  "",
  "## Diverged warps",
  "",
  "In the names of the measurements, a *way* is a path.",
  "",
  table("divergence"; "cycles"),
  "",
  "## Order and reconvergence of paths",
  "",
  "The name of a measurement says what its row contains:",
  "",
  "- *is the taken path first*: for each n, 1 if the taken path runs first, otherwise 0;",
  "- *lanes by the time at which they begin*: the lanes in the order in which they start their path;",
  "- *lanes together*: for each lane, how many lanes run the next instruction with it, including itself; one number if it is the same for all lanes.",
  "",
  table("paths"; "lanes"),
  "",
  "## Latency of instructions",
  "",
  table("latency"; "cycles"),
  "",
  "## Throughput of an SM",
  "",
  "Each measurement runs 32 warps, and each warp has eight independent chains of the instruction.",
  "",
  table("throughput"; "operations a cycle"),
  "",
  "## Memory",
  "",
  "For comparison, the benchmark gpu-latency (github te42kyfo/gpu-benches) reports latencies of other GPUs.",
  "On a GH200, they are 32.0 cycles in the L1 cache, 280 in the near part of the L2 cache and 680 in DRAM.",
  "On an H100 with PCIe, they are 34.1, 265 and 650 cycles.",
  "",
  table("memory"; "cycles"),
  "",
  "## Instruction fetch",
  "",
  "The model refuses kernels with more than 16,382 constants.",
  "",
  table("fetch"; "cycles an instruction"),
  "",
  "## Whole kernels",
  "",
  "The table gives the time of the fastest of five launches.",
  "turing.yaml has two SMs, so it runs only the smaller inputs.",
  "Compare only rows with both figures, and compare only the ratios between rows, not the times.",
  "",
  table("kernels"; "ms"),
  "",
  "## Same memory on both",
  "",
  "`test_device \"[gpu]\"` runs kernels on the GPU and on the functional machine and compares their memory bit by bit.",
  "`random_on_device` does the same with random programs.",
  "[h100_agreement.txt](../silicon/h100_agreement.txt) has their output on this H100:",
  "",
  "```text",
  ($agreement | rtrimstr("\n")),
  "```",
  "",
  "The programs leave out instructions for which NVIDIA's compiler departs from the PTX manual.",
  "[departures.cpp](../../tests/device/departures.cpp) lists these instructions with the results of the GPU.",
  "Without the driver's optimisation, all random programs agree.",
  "With it, one of the 1500 programs does not end on the GPU, and two leave different memory contents."
