#pragma once
/// A launch with everything that it needs, so that it can run on any machine, a real GPU among them.

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
/// bytes, read as 0..1, linear filter, wrapped, coordinates from 0 to 1. A GPU's driver is not asked for these.
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

/// What the job leaves in its buffers on a machine with that memory, where `run` runs a launch to its end.
Buffers run_on(DeviceMemory& memory, const std::function<void(const Launch&)>& run, const Job& job);

/// The same on the untimed machine. Throws InputError or ExecutionError as that does.
Buffers run_here(const Job& job);

/// What the first `.target` of a module asks: 75 of sm_75; 0 where there is none.
unsigned target_of(const std::string& ptx);

/// Empty, or why a GPU need not leave what the job leaves here: it reads registers that say where and when a thread
/// runs, or has warp operations whose members are those that happen to be together.
std::string depends_on_machine(const std::string& ptx);

}  // namespace reconverge::device
