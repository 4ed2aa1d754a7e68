// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Measurements that a GPU and a simulated platform take with the same PTX, from the clock that the kernels read.

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "testbenches/device/job.hpp"

namespace reconverge::silicon {

struct Measurement {
  std::string group;  ///< `latency`, `throughput`, `memory`, `geometry`, `fetch`, `divergence`, `paths`
  std::string name;   ///< of the group's quantity, for example `add.rn.f32`
  std::string unit;
  std::uint64_t bytes = 0;  ///< of the largest buffer: a simulated platform leaves out what takes it too long
  std::function<std::vector<device::Job>()> jobs;
  /// From the contents of all buffers after each job. One value, or one for each lane, way or size that the name says.
  std::function<std::vector<double>(std::span<const device::Buffers> after)> values;
};

std::vector<Measurement> latencies();
std::vector<Measurement> throughputs();
std::vector<Measurement> memory_measurements();
std::vector<Measurement> geometry_measurements();
std::vector<Measurement> divergence_measurements();
std::vector<Measurement> path_measurements();
std::vector<Measurement> fetch_measurements();

}  // namespace reconverge::silicon
