// SPDX-License-Identifier: Apache-2.0
#include "platforms/cuda/device.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <utility>

#include "models/core/error.hpp"
#include "platforms/cuda/kernel_name.hpp"

namespace reconverge::cuda {

namespace {

using HostClock = std::chrono::steady_clock;

RunControl control_of(const Settings& settings, const ConfiguredPlatform& platform, PrepareMachine record) {
  RunControl control;
  control.kinds = platform.plugins.kinds();
  control.keep_running = [start = HostClock::now(), most = settings.most_seconds](const RunProgress&) {
    const std::chrono::duration<double> elapsed = HostClock::now() - start;
    return Device::interrupted == 0 && (most == 0 || elapsed.count() < most);
  };
  control.most_cycles = settings.most_cycles;
  control.prepare = [threads = settings.threads, record = std::move(record)](Machine& machine) {
    machine.use_threads(threads);
    if (record) record(machine);
  };
  return control;
}

/// The program and its kernels write to the same stream, so their texts appear in order.
void print(std::string_view text) { std::fwrite(text.data(), 1, text.size(), stdout); }

}  // namespace

volatile std::sig_atomic_t Device::interrupted = 0;

Device::Device(const Settings& settings, ConfiguredPlatform platform, PrepareMachine record)
    : platform_(std::move(platform)),
      control_(control_of(settings, platform_, std::move(record))),
      session_(platform_.machine(), platform_.parameters, platform_.plugins.kinds().schemes),
      sequence_(session_, control_) {
  session_.record(recording_of(platform_.parameters));
  if (platform_.parameters.sample.every > 1) session_.sample(platform_.parameters.sample);
}

DeviceAddress Device::allocate(std::uint64_t bytes, Allocation how) {
  constexpr const char* name = "memory of the program";
  const DeviceAddress address =
      how == Allocation::device ? memory().allocate(name, bytes) : memory().allocate_shared(name, bytes);
  allocations_.emplace(address, how);
  allocated_ += bytes;
  return address;
}

bool Device::release(DeviceAddress address, bool of_host) {
  const auto known = allocations_.find(address);
  if (known == allocations_.end() || (known->second == Allocation::host) != of_host) return false;
  allocated_ -= memory().find(address)->bytes;
  allocations_.erase(known);
  return memory().release(address);
}

const Allocation* Device::allocation_at(DeviceAddress address) const {
  const auto after = allocations_.upper_bound(address);
  if (after == allocations_.begin()) return nullptr;
  const auto& [begin, how] = *std::prev(after);
  const Buffer* const buffer = const_cast<Device*>(this)->memory().find(address);
  return buffer != nullptr && buffer->address == begin ? &how : nullptr;
}

void Device::reset() {
  memory().release_all();
  allocations_.clear();
  allocated_ = 0;
}

std::size_t Device::entry_of(const KernelLaunch& launch) {
  std::vector<launch::PlannedLaunch>& launches = plan_.launches;
  const auto known = std::ranges::find_if(launches, [&](const launch::PlannedLaunch& other) {
    return other.program == launch.program && other.grid == launch.grid && other.block == launch.block &&
           other.dynamic_shared_bytes == launch.dynamic_shared_bytes;
  });
  if (known != launches.end()) return static_cast<std::size_t>(known - launches.begin());
  launch::PlannedLaunch planned;
  planned.name = kernel_name(launch.program->name);
  const unsigned same = ++shapes_[planned.name];
  if (same != 1) planned.name += fmt::format(" {}", same);
  planned.program = launch.program;
  planned.grid = launch.grid;
  planned.block = launch.block;
  planned.dynamic_shared_bytes = launch.dynamic_shared_bytes;
  planned.cooperative = launch.cooperative;
  launches.push_back(std::move(planned));
  return launches.size() - 1;
}

void Device::take_copy_time(std::uint64_t bytes) {
  now_ += static_cast<double>(bytes) / static_cast<double>(platform_.parameters.host_link.bandwidth);
}

bool Device::run(const KernelLaunch& kernel) {
  Launch launch =
      make_packed_launch(*kernel.program, kernel.grid, kernel.block, kernel.parameters, kernel.dynamic_shared_bytes);
  launch.cooperative = kernel.cooperative;
  launch.stack_bytes = stack_bytes;
  launch.print = print;
  std::optional<launch::LaunchResult> result =
      sequence_.run(launch, [&](const LaunchProgress&) { return RunProgress{kernel.program->name}; });
  if (!result) return false;
  const std::size_t entry = entry_of(kernel);
  plan_.order.push_back(entry);
  const bool completed = result->completed;
  const double clock = static_cast<double>(platform_.parameters.gpu.clock);
  now_ += static_cast<double>(result->cycles()) / clock;
  if (entry < result_.launches.size()) {
    result_.launches[entry] += *result;
  } else {
    result_.launches.push_back(std::move(*result));
  }
  return completed;
}

}  // namespace reconverge::cuda
