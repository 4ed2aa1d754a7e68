# SPDX-License-Identifier: Apache-2.0
# Makes docs/results/one_sm.md from twelve reports of yaml/experiments/baseline_drs.yaml: four machines, each on three scenes. See scripts/results.

def decimals($n): (. * pow(10; $n) | round) / pow(10; $n);
def percent: "\(. * 100 | round) %";
def tenths: "\(. * 100 | decimals(1)) %";
def row: "| " + join(" | ") + " |";
def change: (. * 100 | decimals(1)) | (if . >= 0 then "+" else "" end) + "\(.) %";

# Ray rate of one SM of the machine, in millions per second.
def rate: .tracing.figures.ray_rate / .platform.sms;

[inputs] as $reports
| ["15 SMs", "one, with a twelfth of everything", "one, with the whole capacity of the cache", "one, with the whole cache and memory"] as $machines
| [range(0; 4) | $reports[3 * .:3 * . + 3]] as $runs
| ($runs[0] | map(.workload.scene)) as $scenes
| if ($reports | length) != 12 or ($reports | any(.partial)) or ($runs | any(map(.workload.scene) != $scenes)) then
    error("four machines on the same three scenes are wanted, run to the end")
  else
    "# One SM and its share of the machine",
    "",
    "`scripts/results one_sm` writes this page: change `docs/results/one_sm.jq`, not the page.",
    "",
    "Simulating fifteen SMs takes fifteen times as long as one.",
    "Any experiment runs faster with one SM and approximately its share of the other units, a twelfth:",
    "",
    "    reconverge run yaml/experiments/baseline_drs.yaml --set workload.bounces=2 --set workload.max_rays=16384 \\",
    "      --set gpu.sms=1 --set gpu.l2.slices=2 --set gpu.dram.channels=1 --set gpu.l2.capacity=128KiB",
    "",
    "The table gives the error of this approximation with 16,384 rays of two bounces for each SM (`gpu.sms=15`, `workload.max_rays=245760` for the whole machine).",
    "Each cell has the Mrays/s of one SM, the difference from the whole machine, the hit rate of the L2 cache, and SIMD efficiency.",
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
    "SMs that trace one scene share most of the cache's contents, so a share of its capacity gives too low a hit rate.",
    "The speed nearly agrees only because two errors cancel.",
    "To study hit rates, keep the whole capacity.",
    "Memory does not limit these kernels, as the last two rows show.",
    "Why a single SM differs from one of fifteen was not investigated."
  end
