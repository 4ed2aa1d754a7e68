# SPDX-License-Identifier: Apache-2.0
# Makes the table of the papers' claims in README.md from docs/results/{drs,dmk,si,stream,mpp}.json; scripts/results runs it after each page.

def percent: (. * 1000 | round) / 10 | "\(.) %";
def ratio: (. * 100 | round) / 100 | tostring;
def row: "| " + join(" | ") + " |";

($claims[0] | map({key: .id, value: .}) | from_entries) as $claim
| ([inputs[] | {key: .id, value: .}] | from_entries) as $figure
| def published($id): $claim[$id].value;
  def measured($id): $figure[$id].measured;
  def inside($prefix): [$figure[] | select(.id | startswith($prefix + "."))] | "\(map(select(.inside)) | length) of \(length)";
  ([$figure[] | select(.inside)] | length) as $all
| "Each claim of the papers is judged on the machine that its paper simulated, with an accepted range: \($all) of \($figure | length) are inside.",
  "The pages explain the others by experiments that change one thing.",
  "",
  "| paper | claims inside | for example | paper | measured |",
  "|---|---|---|--:|--:|",
  (["[dynamic ray shuffling](docs/results/drs.md) (MICRO 2017)", inside("drs"), "SIMD efficiency, four scenes",
    (published("drs.efficiency.drs") | percent), (measured("drs.efficiency.drs") | percent)] | row),
  (["", "", "speedup over the software tracer", (published("drs.speedup") | ratio), (measured("drs.speedup") | ratio)] | row),
  (["[dynamic micro-kernels](docs/results/dmk.md) (MICRO 2010)", inside("dmk"), "gain of instructions per cycle, without bank conflicts",
    (published("dmk.speedup.ipc.no_conflicts") | ratio), (measured("dmk.speedup.ipc.no_conflicts") | ratio)] | row),
  (["[subwarp interleaving](docs/results/si.md) (2022)", inside("si"), "speedup, mean of ten megakernels",
    (published("si.speedup") | ratio), (measured("si.speedup") | ratio)] | row),
  (["[conditional streams](docs/results/stream.md) (Popa 2004)", inside("popa"), "time that packing saves, Julia set at 512 x 512",
    (published("popa.packing.gain")["512"] / 100 | percent), (measured("popa.packing.gain")["at 512"] / 100 | percent)] | row),
  (["[multi-pass partitioning](docs/results/mpp.md) (2007)", inside("mpp"), "time of hand-partitioned kernels over automatic ones, Glassner04",
    (published("mpp.time")["AP8, 04"] / 100 | percent), (measured("mpp.time")["AP8, 04"] / 100 | percent)] | row)
