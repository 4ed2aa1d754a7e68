# Makes docs/results/one_sm.md from twelve reports of yaml/experiments/baseline_drs.yaml: four machines, each on three scenes. See scripts/results.

def decimals($n): (. * pow(10; $n) | round) / pow(10; $n);
def percent: "\(. * 100 | round) %";
def tenths: "\(. * 100 | decimals(1)) %";
def row: "| " + join(" | ") + " |";
def change: (. * 100 | decimals(1)) | (if . >= 0 then "+" else "" end) + "\(.) %";

# Rays a second of one SM of the machine, in millions.
def rate: .tracing.figures.ray_rate / .platform.sms;

[inputs] as $reports
| ["15 SMs", "one, a twelfth of everything", "one, the whole capacity of the cache", "one, cache and memory to itself"] as $machines
| [range(0; 4) | $reports[3 * .:3 * . + 3]] as $runs
| ($runs[0] | map(.workload.scene)) as $scenes
| if ($reports | length) != 12 or ($reports | any(.partial)) or ($runs | any(map(.workload.scene) != $scenes)) then
    error("four machines on the same three scenes are wanted, run to the end")
  else
    "# One SM and its share of the machine",
    "",
    "Made by `scripts/results one_sm`; change `docs/results/one_sm.jq`, not this page.",
    "",
    "Fifteen SMs cost fifteen times as much of the host. One SM with the nearest that there is to its share of the rest, a twelfth, runs any",
    "experiment faster:",
    "",
    "    reconverge run yaml/experiments/baseline_drs.yaml --set workload.bounces=2 --set workload.max_rays=16384 \\",
    "      --set gpu.sms=1 --set gpu.l2.slices=2 --set gpu.dram.channels=1 --set gpu.l2.capacity=128KiB",
    "",
    "What that is wrong by, with 16,384 rays of two bounces for each SM (`gpu.sms=15`, `workload.max_rays=245760` for the whole machine): Mrays/s of an SM,",
    "difference from the whole machine, hits of the second-level cache, SIMD efficiency.",
    "",
    (["machine"] + $scenes | row),
    "|---|" + ($scenes | map("---|") | add),
    (range(0; 4) | . as $m
     | ([$machines[$m]]
        + [range(0; $scenes | length) | . as $s | $runs[$m][$s]
           | "\(rate | decimals(2))"
             + (if $m == 0 then "" else " (\(rate / ($runs[0][$s] | rate) - 1 | change))" end)
             + ", \(.tracing.figures.l2_hit_rate | percent), \(.tracing.figures.simd_efficiency | tenths)"])
     | row),
    "",
    "SMs that trace one scene share most of what the cache holds, so a share of its capacity is too little for its hit rate; that the speed nearly",
    "agrees all the same is two errors against each other. For hit rates leave the capacity whole. Memory does not limit these kernels, as the last",
    "two rows show. Why one SM by itself differs from one of fifteen was not looked into."
  end
