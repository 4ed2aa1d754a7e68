# SPDX-License-Identifier: Apache-2.0
# Makes docs/results/silicon.md from docs/silicon/h100.json and docs/silicon/turing.json, which scripts/silicon leaves.

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
  "`scripts/silicon page` writes this page from [h100.json](../silicon/h100.json) and [turing.json](../silicon/turing.json): change `docs/results/silicon.jq`, not the page.",
  "",
  "The program `silicon` ([benchmarks/silicon](../../benchmarks/silicon)) takes the same measurements on a GPU and on a simulated platform, with the same PTX; the kernels read the clock themselves.",
  "`scripts/silicon NAME` measures the GPU of a machine, and needs only NVIDIA's driver.",
  "We measured one \($gpu.target.device) (sm_\($gpu.target.capability), \($gpu.target.multiprocessors) SMs, at most \($gpu.target.highest_clock_mhz) MHz, driver of CUDA \($gpu.target.driver / 1000 | decimals(1))) on \($gpu.target.date).",
  "",
  "No platform file describes an H100.",
  "The column *turing.yaml* is [the machine of the SI paper](../../yaml/platforms/turing.yaml), the only one with convergence barriers; its memory has one fixed latency below the first-level cache, as in that paper.",
  "So the columns are comparable in how warps diverge, not in the speed of memory.",
  "No parameter was changed after these measurements.",
  "",
  "## What the H100 does with a diverged warp",
  "",
  "- **The path with fewer lanes runs first; if both have the same number, the path that falls through.**",
  "  This holds in \($by_rule) of 62 cases: the lowest or highest 1 to 31 lanes take a branch of an if with an else.",
  "  It also explains the order in all five chains of ifs below, if it is applied at each branch.",
  "  A jump table (`brx.idx`) starts with the path of the lowest lane, whatever the number of lanes.",
  "  In our model the taken path always runs first; a jump table is the same.",
  "- **The paths of a warp do not overlap while one waits for memory.**",
  "  With 1, 2 and 4 paths of eight dependent loads each, a round takes \([1, 2, 4] | map(paths($gpu; .; "in them") | shown) | join(", ")) cycles, that is 1, \([2, 4] | map(paths($gpu; .; "in them") / paths($gpu; 1; "in them") | decimals(2) | tostring) | join(" and ")) times as long (model: \([1, 2, 4] | map(paths($model; .; "in them") | shown) | join(", "))).",
  "  This is the stall that [subwarp interleaving](si.md) removes.",
  "  If the loaded values are used only after the paths have joined, the loads do overlap: \([1, 2, 4] | map(paths($gpu; .; "after them") | shown) | join(", ")) cycles (model: \([1, 2, 4] | map(paths($model; .; "after them") | shown) | join(", "))).",
  "- **One more path costs \(path_cost($gpu; 16; "a chain of ifs"; 4) | shown) cycles beyond its operations** in a chain of ifs, and \(path_cost($gpu; 16; "brx.idx"; 4) | shown) in a jump table.",
  "  With 48 operations instead of 16 in a path the costs are \(path_cost($gpu; 48; "a chain of ifs"; 4) | shown) and \(path_cost($gpu; 48; "brx.idx"; 4) | shown), so they do not depend on its length.",
  "  The model has \(path_cost($model; 16; "a chain of ifs"; 5) | shown) and \(path_cost($model; 16; "brx.idx"; 5) | shown): `branch_latency` of turing.yaml, an estimate, is too short for a branch that diverges, and reconvergence costs nothing there.",
  "- **Other warps do not hide divergence.**",
  "  32 paths instead of one take \([1, 4, 16, 32] | map(many($gpu; 32; .) / many($gpu; 1; .) | decimals(1) | tostring) | join(", ")) times as long with 1, 4, 16 and 32 warps on an SM (model: \([1, 4, 16, 32] | map(many($model; 32; .) / many($model; 1; .) | decimals(1) | tostring) | join(", "))).",
  "- **After a divergent call through a pointer lanes stay apart**: \(gpu("paths"; "lanes together after a call of two functions through a pointer")[0]) of 32 run the next instruction together (model: \(model("paths"; "lanes together after a call of two functions through a pointer")[0])).",
  "  NVIDIA's compiler sets no barrier around that call. After ifs, loops, loops left in the middle, and jump tables all 32 lanes are together, on both.",
  "- One lane takes a spin lock, counts and leaves it in \(gpu("divergence"; "a spin lock in turn, 1 lanes") | shown) cycles, 32 lanes of a warp \(gpu("divergence"; "a spin lock in turn, 32 lanes") | shown), \(gpu("divergence"; "a spin lock in turn, 32 lanes") / gpu("divergence"; "a spin lock in turn, 1 lanes") | decimals(1)) times as many (model: \(model("divergence"; "a spin lock in turn, 1 lanes") | shown) and \(model("divergence"; "a spin lock in turn, 32 lanes") | shown)).",
  "  On the H100 waiting lanes do not slow the lane that holds the lock; in the model they take turns with it.",
  "",
  "## SIMD efficiency",
  "",
  "Lanes that are active in the average warp instruction.",
  "Persistent kernels are left out, because their number of threads depends on the number of SMs.",
  "NVIDIA's profiler counts machine instructions, our model PTX instructions; the mean difference is \($lane_error | percent), and \([$lanes[] | select(.name | test("trace")) | .model / .gpu - 1 | fabs] | mean | percent) for the tracers.",
  "",
  (["kernel", "H100", "turing.yaml"] | row), "|---|---|---|",
  ($lanes[] | [.name, (.gpu | decimals(2) | tostring), (.model | decimals(2) | tostring)] | row),
  "",
  "The first bounce uses \(gpu("efficiency"; "trace_while_while, conference, bounce 1, 1048576 rays") / 32 | percent) of the H100's lanes, the fourth \([names("efficiency")[] | select(test("trace_while_while, conference, bounce 4"))] | last | gpu("efficiency"; .) / 32 | percent) (`trace_while_while`, a million rays).",
  "",
  "## Diverged warps",
  "",
  table("divergence"; "cycles"),
  "",
  "## Order and reconvergence of paths",
  "",
  "Lanes in the order in which they begin, or for each lane how many run the next instruction with it.",
  "",
  table("paths"; "lanes"),
  "",
  "## Latency of instructions",
  "",
  table("latency"; "cycles"),
  "",
  "## Throughput of an SM",
  "",
  "32 warps of eight independent chains each.",
  "",
  table("throughput"; "operations a cycle"),
  "",
  "## Memory",
  "",
  "Others measured 32.0 cycles in the first-level cache, 280 in the near part of the second and 680 in DRAM on a GH200, and 34.1, 265 and 650 on an H100 with PCIe (github te42kyfo/gpu-benches, gpu-latency).",
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
  "The fastest of five launches. turing.yaml has two SMs and runs a sixteenth of the larger inputs, so only equal names compare, and only in their ratios.",
  "",
  table("kernels"; "ms"),
  "",
  "## Same memory on both",
  "",
  "`test_device \"[gpu]\"` runs kernels on the GPU and on the functional machine and compares their memory bit by bit, `random_on_device` does so with random programs.",
  "[h100_agreement.txt](../silicon/h100_agreement.txt) is what they printed on this H100:",
  "",
  "```text",
  ($agreement | rtrimstr("\n")),
  "```",
  "",
  "What is left out are instructions for which NVIDIA's compiler departs from the PTX manual: [departures.cpp](../../tests/device/departures.cpp) lists them with what the GPU gives.",
  "Without the driver's optimisation all random programs agree; with it one of the 1500 does not end on the GPU and two leave other memory."
