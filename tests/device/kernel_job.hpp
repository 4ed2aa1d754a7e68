// SPDX-License-Identifier: Apache-2.0
#pragma once
/// A kernel of the testbenches with its arguments, for any machine.

#include <fmt/format.h>

#include <fstream>
#include <iterator>

#include "platforms/kernels/twins.hpp"
#include "tests/device/device_cases.hpp"

namespace reconverge::tests {

/// A job under construction: arguments in order.
class KernelJob {
 public:
  KernelJob(const std::string& file, const std::string& entry, kernels::LaunchShape shape) {
    std::ifstream stream(fmt::format("{}/platforms/kernels/{}.ptx", RECONVERGE_SOURCE_DIR, file));
    job_.ptx.assign(std::istreambuf_iterator<char>(stream), {});
    job_.name = job_.entry = entry;
    job_.grid = {shape.grid.x, shape.grid.y, shape.grid.z};
    job_.block = {shape.block.x, shape.block.y, shape.block.z};
  }

  template <typename T>
  KernelJob& buffer(const std::vector<T>& values) {
    job_.arguments.emplace_back(device::BufferAddress{place(values)});
    return *this;
  }
  /// A buffer that becomes an argument later, by `address`; returns its number.
  template <typename T>
  std::size_t place(const std::vector<T>& values) {
    const auto bytes = std::as_bytes(std::span(values));
    job_.buffers.emplace_back(bytes.begin(), bytes.end());
    return job_.buffers.size() - 1;
  }
  KernelJob& volume(const std::vector<unsigned char>& texels, unsigned side, unsigned layers) {
    job_.arguments.emplace_back(device::VolumeTexture{place(texels), side, layers});
    return *this;
  }
  KernelJob& address(std::size_t buffer) {
    job_.arguments.emplace_back(device::BufferAddress{buffer});
    return *this;
  }
  template <typename T>
  KernelJob& value(T number) {
    job_.arguments.emplace_back(Argument(number));
    return *this;
  }
  DeviceCase finished() const { return {job_}; }

 private:
  device::Job job_;
};

/// The voxel tracer, and one round from its middle, when its rays wait for different kernels.
void add_voxel_tracer(std::vector<DeviceCase>& all);

}  // namespace reconverge::tests
