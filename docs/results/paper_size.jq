# SPDX-License-Identifier: Apache-2.0
# Makes docs/results/paper_size.md, or with --arg form json its figures, from what scripts/results paper_size leaves: reports of the software tracer, of
# thread block compaction and of ray shuffling by scene, on the paper's machine and with its two million rays per bounce. Scenes without reports are
# as they were in paper_size.json ($before), so scenes can be run on different nights.

def percent: (. * 1000 | round) / 10 | "\(.) %";
def ratio: (. * 100 | round) / 100 | tostring;
def row: "| " + join(" | ") + " |";
def bounces: [.stages[] | select(.name | test("^bounce [0-9]+$"))];
def sum(f): map(f) | add;
def mean: add / length;
def rays: sum(.rays);
def rate: rays / sum(.figures.time) / 1e6;
def efficiency: sum(.figures.thread_instructions) / (32 * sum(.figures.warp_instructions));
def rounded($to): (. * $to | round) / $to;

[inputs | select(.partial | not)] as $reports
# Published speedups and ray rates of the scenes.
| {"drs.speedup": {scenes: {conference: 1.84, forest: 1.92, sponza: 1.67, plants: 1.83}},
   "drs.rays_absolute": {scenes: {conference: [285.27, 309.1, 270.88, 231.93], forest: [255.35, 264.52, 253.5, 249.04],
     sponza: [216.73, 238.82, 186.45, 168.99], plants: [276.84, 217.66, 201.02, 198.03]}}} as $claim
| def of($experiment; $scene): $reports[] | select(.experiment == $experiment and .workload.scene == $scene) | bounces;
  def measured($scene): of("simulated_software"; $scene) as $software | of("simulated_compaction"; $scene) as $compaction | of("simulated_shuffling"; $scene) as $shuffling
    | first($reports[] | select(.experiment == "simulated_shuffling" and .workload.scene == $scene) | .sampling.every // 1) as $every
    | {scene: $scene, every: $every, rays: ($shuffling | rays), software: ($software | efficiency | rounded(1000)),
       compaction: ($compaction | efficiency | rounded(1000)), shuffling: ($shuffling | efficiency | rounded(1000)),
       compaction_speedup: (($compaction | rate) / ($software | rate) | rounded(100)), shuffling_speedup: (($shuffling | rate) / ($software | rate) | rounded(100)),
       shuffling_rates: ($shuffling[:4] | map(15 * .figures.ray_rate | round))};
  $before[0] as $known
| [($claim["drs.speedup"].scenes | keys_unsorted[]) as $scene | [measured($scene)][0] // ($known[] | select(.scene == $scene))] as $rows
| if $form == "json" then $rows
  else
    "# Ray shuffling at the paper's own size",
    "",
    "`scripts/results paper_size` writes this page: change `docs/results/paper_size.jq`, not the page.",
    "This page has the results of ray shuffling with the number of rays that the paper used.",
    "A run takes a night on two cores; if it is stopped, the next run continues it.",
    "`--set sample.every=10` [estimates](../sampling.md) it from one ray in ten.",
    "It traces eight bounces of two million rays each, on one SM of [the machine that the paper simulated](../../yaml/platforms/gtx780_gpgpusim3.yaml).",
    "[The page of ray shuffling](drs.md) has the same table for fewer rays and explains the figures.",
    "",
    # Runs of the machine before these corrections did not record how they were sampled.
    ($rows | map(select(.every == null)) | if length == 0 then empty else
      "The runs of \(map(.scene) | join(", ")) are older than the last corrections of that machine: each line of a texture fetch writes its result, local stores do not allocate lines, and kernels load three rows of each triangle.",
      "They change speedups by more than 1 %: the page of ray shuffling is newer.",
      "" end),
    ($rows | map(select(.every > 1)) | if length == 0 then empty else
      "These figures are estimates from one ray in \(map(.every) | unique | map(tostring) | join(" or ")) (\(map(.scene) | join(", "))).",
      "[The page of samples](sampling.md) has the errors of such estimates: up to 3 % of the ray rate.",
      "" end),
    (["scene", "rays", "software", "compaction", "shuffling", "speedup of compaction", "of shuffling", "paper", "B1 to B4, Mrays/s of 15 SMs", "paper"] | row),
    "|---|--:|--:|--:|--:|--:|--:|--:|---|---|",
    ($rows[] | [.scene, (.rays | tostring), (.software | percent), (.compaction | percent), (.shuffling | percent), (.compaction_speedup | ratio), (.shuffling_speedup | ratio),
                ($claim["drs.speedup"].scenes[.scene] | tostring), (.shuffling_rates | map(tostring) | join(", ")),
                ($claim["drs.rays_absolute"].scenes[.scene] | map(round | tostring) | join(", "))] | row),
    "",
    "Means over \($rows | length) of the paper's four scenes: `drs.efficiency.software` \([$rows[].software] | mean | percent), `drs.efficiency.tbc` \([$rows[].compaction] | mean | percent), `drs.efficiency.drs` \([$rows[].shuffling] | mean | percent), `drs.speedup.tbc` \([$rows[].compaction_speedup] | mean | ratio), `drs.speedup` \([$rows[].shuffling_speedup] | mean | ratio)."
  end
