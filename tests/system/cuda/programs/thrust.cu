// SPDX-License-Identifier: Apache-2.0
// Thrust and CUB: a reduction, a scan, a sort, unique elements and a maximum, compared with the host's.
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sort.h>
#include <thrust/unique.h>

#include <algorithm>
#include <cstdio>
#include <cub/cub.cuh>
#include <numeric>
#include <vector>

int main() {
  std::vector<int> host(20'000);
  unsigned state = 1;
  for (int& value : host) value = static_cast<int>((state = state * 1664525U + 1013904223U) >> 20U);
  thrust::device_vector<int> device(host.begin(), host.end());
  int failures = 0;
  const auto check = [&](bool holds, const char* what) {
    if (!holds) std::printf("wrong: %s\n", what);
    failures += holds ? 0 : 1;
  };
  const auto equal = [](const thrust::device_vector<int>& ours, const std::vector<int>& theirs) {
    const thrust::host_vector<int> copy = ours;
    return std::equal(copy.begin(), copy.end(), theirs.begin(), theirs.end());
  };

  check(thrust::reduce(device.begin(), device.end(), 0L) == std::accumulate(host.begin(), host.end(), 0L), "sum");
  thrust::device_vector<int> sums(host.size());
  thrust::inclusive_scan(device.begin(), device.end(), sums.begin());
  std::vector<int> expected(host.size());
  std::partial_sum(host.begin(), host.end(), expected.begin());
  check(equal(sums, expected), "scan");
  thrust::device_vector<int> most(1);
  std::size_t bytes = 0;
  const auto maximum = [&](void* memory) {
    return cub::DeviceReduce::Max(memory, bytes, thrust::raw_pointer_cast(device.data()),
                                  thrust::raw_pointer_cast(most.data()), static_cast<int>(host.size()));
  };
  check(maximum(nullptr) == cudaSuccess, "size of CUB's memory");
  thrust::device_vector<char> memory(bytes);
  check(maximum(thrust::raw_pointer_cast(memory.data())) == cudaSuccess, "maximum");
  check(most[0] == *std::max_element(host.begin(), host.end()), "value of the maximum");

  thrust::sort(device.begin(), device.end());
  std::sort(host.begin(), host.end());
  check(equal(device, host), "sort");
  device.erase(thrust::unique(device.begin(), device.end()), device.end());
  host.erase(std::unique(host.begin(), host.end()), host.end());
  check(equal(device, host), "unique");
  std::printf("%s\n", failures == 0 ? "PASSED" : "FAILED");
  return failures == 0 ? 0 : 1;
}
