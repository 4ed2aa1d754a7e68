# SPDX-License-Identifier: Apache-2.0
"""A tour of the package: kernels, errors, cycles, experiments and sweeps. README.md shows what it prints."""

import numpy as np
import reconverge

print("1. A kernel from a string, called like a function")

# Every warp has threads with a short and with a long loop.
COLLATZ = """
extern "C" __global__ void collatz(const unsigned* start, unsigned* steps, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  unsigned long long value = start[i];
  unsigned n = 0;
  while (value != 1) {
    value = value % 2 == 0 ? value / 2 : 3 * value + 1;
    ++n;
  }
  steps[i] = n;
}
"""


def collatz_on_host(value):
    steps = 0
    while value != 1:
        value = value // 2 if value % 2 == 0 else 3 * value + 1
        steps += 1
    return steps


start = np.arange(1, 2049, dtype=np.uint32)
steps = np.zeros_like(start)
kernel = reconverge.Kernel(COLLATZ, source="collatz.cu")
result = kernel[8, 256](start, steps, len(start))
assert steps.tolist() == [collatz_on_host(int(value)) for value in start]
print(f"   the longest way has {steps.max()} steps; SIMD efficiency {result.simd_efficiency:.3f}")

print("2. The same kernel on a timed machine, under two divergence schemes")
for scheme in ("reconvergence_stack", "mimd"):
    timed = reconverge.Kernel(kernel.module, machine="timed", platform="gtx780", set={"gpu.sm.scheme": scheme})
    result = timed[8, 256](start, steps, len(start))
    print(f"   {scheme}: {result.cycles:.0f} cycles, {result.ipc:.1f} thread instructions a cycle")

print("3. A wrong kernel, and a wrong call")
try:
    reconverge.Kernel("__global__ void f(int* p) { *p = q; }", source="wrong.cu")
except reconverge.InputError as error:
    print(f"   {error.file}, line {error.line}, column {error.column}: {error.problem}")
try:
    kernel[9, 256](start, steps, 9 * 256)
except reconverge.ExecutionError as error:
    print(f"   {error}")
try:
    kernel[8, 256](start, 3.5, len(start))
except reconverge.InputError as error:
    print(f"   {error}")

print("4. Arrays that stay on a device")
device = reconverge.Device("timed", set={"gpu.sms": 1})
on_device = reconverge.Kernel(kernel.module, device=device)
values, counts = device.array(start), device.zeros(start.shape, np.uint32)
cold = on_device[8, 256](values, counts, len(start))
warm = on_device[8, 256](values, counts, len(start))
print(f"   the first launch misses the L2 cache (hit rate {cold.l2_hit_rate:.2f}, {cold.cycles:.0f} cycles), the second "
      f"one does not ({warm.l2_hit_rate:.2f}, {warm.cycles:.0f} cycles)")
assert np.array_equal(counts.get(), steps)

print("5. An experiment: load, set, validate, run")
experiment = reconverge.Experiment(reconverge.data_folder() / "yaml/experiments/saxpy.yaml")
experiment["gpu.sms"] = 4
print(f"   {experiment.validate()['launches']} launch, {experiment['gpu.sms']} SMs")
report = experiment.run(progress=lambda progress: print(f"   {progress.part}: {progress.done} of {progress.all} blocks")
                        if progress.done == 0 else None)
assert np.array_equal(report.array("y.npy"), 1 + np.arange(4096))
print(f"   passed: {report.passed}, {report.figures['cycles']:.0f} cycles")

print("6. A sweep as a table")
runs = experiment.sweep({"gpu.sms": [1, 2, 4], "gpu.sm.scheduler.policy": ["greedy_then_oldest", "loose_round_robin"]})
try:
    frame = reconverge.sweep_frame(runs)
    print(frame[["gpu.sms", "gpu.sm.scheduler.policy", "cycles"]].to_string(index=False))
except ImportError as error:
    print(f"   {error}")
