#pragma once
/// How much memory of the host a process may still take.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace reconverge {

/// Where the system says what there is; tests give others.
struct MemorySources {
  std::filesystem::path proc = "/proc";
  std::filesystem::path control_groups = "/sys/fs/cgroup";
};

/// The narrowest limit.
struct AvailableMemory {
  std::uint64_t bytes = 0;
  std::string limit;  ///< `the machine`, `the control group`, `ulimit -v`
};

/// The least of what the machine has available (MemAvailable of /proc/meminfo), what is left of the limit of each
/// control group that the process is in (versions 1 and 2; pages of files are not counted as used), and of its address
/// space (RLIMIT_AS). Nothing where the system says none of these.
std::optional<AvailableMemory> available_memory(const MemorySources& sources = {});

}  // namespace reconverge
