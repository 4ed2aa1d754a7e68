// SPDX-License-Identifier: Apache-2.0
#pragma once
/// A launch with all its inputs, which can run on any machine, including a real GPU.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <variant>
#include <vector>

#include "models/execution/launch.hpp"

namespace reconverge::device {

/// Bytes of buffers, in the order in which a job lists them.
using Buffers = std::vector<std::vector<std::byte>>;

/// The address of `Job::buffers[index]` as an argument.
struct BufferAddress {
  std::size_t index = 0;
};
/// A texture object over all of `Job::buffers[index]` as an argument: `layers` times side x side elements of four
/// bytes, read as 0..1, linear filter, wrapped, coordinates from 0 to 1. Not supported on a GPU.
struct VolumeTexture {
  std::size_t index = 0;
  std::uint32_t side = 0;
  std::uint32_t layers = 0;
};
using JobArgument = std::variant<BufferAddress, VolumeTexture, Argument>;

struct Job {
  std::string name;
  std::string ptx;
  std::string entry;
  Dim3 grid;
  Dim3 block;
  std::uint32_t dynamic_shared_bytes = 0;
  Buffers buffers;  ///< before the launch; none is empty
  std::vector<JobArgument> arguments;
};

/// The contents of the job's buffers after it ran on a machine with that memory; `run` runs a launch to its end.
Buffers run_on(DeviceMemory& memory, const std::function<void(const Launch&)>& run, const Job& job);

/// The same on the functional machine. Throws its InputError or ExecutionError.
Buffers run_here(const Job& job);

/// The version in a module's first `.target`: 75 for sm_75; 0 if there is none.
unsigned target_of(const std::string& ptx);

/// Empty, or why a GPU may give other results than this machine: the program reads registers that tell where and when a
/// thread runs, or has warp operations whose members are the threads that happen to be together.
std::string depends_on_machine(const std::string& ptx);

}  // namespace reconverge::device
