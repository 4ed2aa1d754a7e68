# Makes docs/results/paper_size.md from what scripts/results paper_size leaves: reports of the software tracer, of thread block compaction and of ray
# shuffling by scene, on the paper's machine and with its two million rays a bounce.

def percent: (. * 1000 | round) / 10 | "\(.) %";
def ratio: (. * 100 | round) / 100 | tostring;
def row: "| " + join(" | ") + " |";
def bounces: [.stages[] | select(.name | test("^bounce [0-9]+$"))];
def sum(f): map(f) | add;
def mean: add / length;
def rays: sum(.rays);
def rate: rays / sum(.figures.time) / 1e6;
def efficiency: sum(.figures.thread_instructions) / (32 * sum(.figures.warp_instructions));

[inputs | select(.partial | not)] as $reports
| ($claims[0] | map({key: .id, value: .}) | from_entries) as $claim
| [$reports[].workload.scene] | unique as $scenes
| def of($experiment; $scene): $reports[] | select(.experiment == $experiment and .workload.scene == $scene) | bounces;
  def gain($experiment; $scene): (of($experiment; $scene) | rate) / (of("simulated_software"; $scene) | rate);
  "# Ray shuffling at the paper's own size",
  "",
  "Made by `scripts/results paper_size`, which takes a night on two cores and goes on where it was stopped; change `docs/results/paper_size.jq`, not this page.",
  "Two million rays a bounce and eight bounces on [the machine that the paper simulated](../../yaml/platforms/gtx780_gpgpusim3.yaml), one SM of it;",
  "[the page of ray shuffling](drs.md) has the same with fewer rays, and what is behind the figures.",
  "",
  (["scene", "rays", "software", "compaction", "shuffling", "speedup of compaction", "of shuffling", "paper", "B1 to B4, Mrays/s of 15 SMs", "paper"] | row),
  "|---|--:|--:|--:|--:|--:|--:|--:|---|---|",
  ($scenes[] as $scene
   | [$scene, (of("simulated_shuffling"; $scene) | rays | tostring), (of("simulated_software"; $scene) | efficiency | percent),
      (of("simulated_compaction"; $scene) | efficiency | percent), (of("simulated_shuffling"; $scene) | efficiency | percent),
      (gain("simulated_compaction"; $scene) | ratio), (gain("simulated_shuffling"; $scene) | ratio), ($claim["drs.speedup"].scenes[$scene] | tostring),
      (of("simulated_shuffling"; $scene)[:4] | map(15 * .figures.ray_rate | round | tostring) | join(", ")),
      ($claim["drs.rays_absolute"].scenes[$scene] | map(round | tostring) | join(", "))] | row),
  "",
  "Means of \($scenes | length) of the paper's four scenes: `drs.efficiency.software` \([of("simulated_software"; $scenes[]) | efficiency] | mean | percent), `drs.efficiency.tbc` \([of("simulated_compaction"; $scenes[]) | efficiency] | mean | percent), `drs.efficiency.drs` \([of("simulated_shuffling"; $scenes[]) | efficiency] | mean | percent), `drs.speedup.tbc` \([gain("simulated_compaction"; $scenes[])] | mean | ratio), `drs.speedup` \([gain("simulated_shuffling"; $scenes[])] | mean | ratio)."
