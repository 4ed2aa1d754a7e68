# SPDX-License-Identifier: Apache-2.0
# Makes docs/results/sampling.md from reports of yaml/experiments/drs_shuffling.yaml: four scenes, each in full and sampled. See scripts/results.

def decimals($n): (. * pow(10; $n) | round) / pow(10; $n);
def row: "| " + join(" | ") + " |";
def signed: (. * 100 | decimals(2)) | (if . >= 0 then "+" else "" end) + "\(.) %";
def grouped: tostring | explode | reverse | [range(0; length) as $i | if $i > 0 and $i % 3 == 0 then 44, .[$i] else .[$i] end] | reverse | implode;

# The error of an estimate, and the half-width of its interval, both relative to the value of the full run.
def compared($full; $figure):
  ($full.tracing.figures[$figure]) as $right
  | {error: (.tracing.figures[$figure] / $right - 1), half: (.tracing.half_widths[$figure] / $right)};
def cell($full; $figure): compared($full; $figure) | "\(.error | signed) +- \(.half * 100 | decimals(2)) %";

[inputs] as $reports
| ($hosts | map({key: "\(.scene)/\(.every)", value: .seconds}) | from_entries) as $seconds
| ($reports | map({scene: .workload.scene, every: (.sampling.every // 1), report: .})) as $runs
| ["conference", "forest", "sponza", "plants"] as $scenes
| [3, 10, 30] as $everies
| def run($scene; $every): first($runs[] | select(.scene == $scene and .every == $every)).report;
  if ($runs | length) != 16 or ($reports | any(.partial)) or ($reports | any(.checks | any(. | not))) then
    error("four scenes are wanted, each in full and with three samples, run to the end")
  else
    [$scenes[] as $s | $everies[] as $e | run($s; $e) | compared(run($s; 1); "cycles", "ray_rate", "thread_ipc", "simd_efficiency")] as $all
    | "# Estimates from samples",
    "",
    "`scripts/results sampling` writes this page: change `docs/results/sampling.jq`, not the page.",
    "",
    "[Sampling](../sampling.md) estimates a run from a part of it.",
    "This page compares estimates with whole runs: dynamic ray shuffling on the four scenes of the DRS paper, two bounces with shadow rays, two paths per pixel.",
    "Each cell has the error of the estimate and the half-width of its 95 % confidence interval, both in percent of the whole run's value, summed over the launches that trace.",
    "Time is that of the host, from start to end, relative to the whole run; it includes the scene, the BVH, the recording of rays by a path tracer and the check of all hits.",
    "",
    (["scene", "rays", "one in", "speedup", "simulated cycles", "cycles", "ray rate", "IPC", "SIMD efficiency"] | row),
    "|---|---:|---:|---:|---:|---:|---:|---:|---:|",
    ($scenes[] as $s | run($s; 1) as $full | $everies[] as $e | run($s; $e) as $part
     | [$s, ($full.tracing.figures.rays | grouped), ($e | tostring),
        "\($seconds["\($s)/1"] / $seconds["\($s)/\($e)"] | decimals(1))",
        "\($full.total.figures.cycles / $part.sampling.simulated_cycles | decimals(1)) times fewer",
        ($part | cell($full; "cycles"), cell($full; "ray_rate"), cell($full; "thread_ipc"), cell($full; "simd_efficiency"))]
     | row),
    "",
    "\($all | map(select((.error | fabs) <= .half)) | length) of these \($all | length) intervals contain the value of the whole run.",
    "",
    "Hit rates of caches have, in addition, an error that no interval shows: each row of blocks begins with what the row before it left in the caches, and the more blocks lie between two rows, the less of this is useful.",
    "",
    (["scene", "one in", "L1", "texture cache", "L2"] | row),
    "|---|---:|---:|---:|---:|",
    ($scenes[] as $s | run($s; 1) as $full | $everies[] as $e | run($s; $e)
     | [$s, ($e | tostring), cell($full; "l1_hit_rate", "texture_hit_rate", "l2_hit_rate")] | row)
  end
