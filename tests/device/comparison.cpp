// SPDX-License-Identifier: Apache-2.0
#include "tests/device/comparison.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace reconverge::tests {

namespace {

using device::Device;
using device::DriverError;
using device::Status;

constexpr Status invalid_ptx = 218;
constexpr Status unsupported_ptx_version = 222;

std::string with_target(const std::string& ptx, unsigned target) {
  std::string text = ptx;
  const std::string old = fmt::format("sm_{}", device::target_of(ptx));
  return text.replace(text.find(old), old.size(), fmt::format("sm_{}", target));
}

/// Empty, or why the case is not run on this device.
std::string reason_to_skip(const Device& device, const DeviceCase& each) {
  if (!each.departure.empty()) return each.departure;
  if (std::string reason = device::depends_on_machine(each.job.ptx); !reason.empty()) return reason;
  const unsigned target = device::target_of(each.job.ptx);
  if (target > device.capability() && !each.for_any_target) return fmt::format("for sm_{} and later", target);
  return {};
}

}  // namespace

std::string Comparison::summary() const {
  std::string text = fmt::format("{} equal, {} not", equal, failures.size());
  for (const auto& [reason, count] : skipped) text += fmt::format("; {} left out ({})", count, reason);
  return text;
}

Comparison compare(Device& device, const std::vector<DeviceCase>& cases) {
  Comparison result;
  for (const DeviceCase& each : cases) {
    if (const std::string reason = reason_to_skip(device, each); !reason.empty()) {
      ++result.skipped[reason];
      continue;
    }
    device::Job job = each.job;
    const unsigned target = device::target_of(job.ptx);
    const bool earlier = target > device.capability();
    if (earlier) job.ptx = with_target(job.ptx, device.capability());
    const auto fails = [&](const std::string& what) {
      result.failures.push_back(fmt::format("{}: {}", job.name, what));
    };
    try {
      const std::string difference = each.difference(device::run_here(job), device.run(job));
      if (difference.empty()) {
        ++result.equal;
      } else {
        fails(difference);
      }
    } catch (const DriverError& error) {
      if (error.status() == unsupported_ptx_version) {
        ++result.skipped["PTX later than the driver knows"];
      } else if (earlier && error.status() == invalid_ptx) {
        ++result.skipped[fmt::format("not on sm_{}", device.capability())];
      } else {
        fails(error.what());
      }
    } catch (const device::Endless& error) {
      fails(error.what());
      return result;
    }
  }
  return result;
}

}  // namespace reconverge::tests
