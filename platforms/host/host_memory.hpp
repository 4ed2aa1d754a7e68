// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The host memory that a process may still allocate.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace reconverge {

/// Paths of the system's files; tests give others.
struct MemorySources {
  std::filesystem::path proc = "/proc";
  std::filesystem::path control_groups = "/sys/fs/cgroup";
};

/// The narrowest limit.
struct AvailableMemory {
  std::uint64_t bytes = 0;
  std::string limit;  ///< `the machine`, `the control group`, `ulimit -v`
};

/// The minimum of the machine's available memory (MemAvailable of /proc/meminfo), the rest of the limit of each control
/// group of the process (versions 1 and 2; pages of files do not count as used), and the rest of its address space
/// (RLIMIT_AS). Nothing if the system reports none of these.
std::optional<AvailableMemory> available_memory(const MemorySources& sources = {});

}  // namespace reconverge
