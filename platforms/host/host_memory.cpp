// SPDX-License-Identifier: Apache-2.0
#include "platforms/host/host_memory.hpp"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <fstream>
#include <string_view>

namespace reconverge {

namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kibibyte = 1024;

/// The number at the start of a text, after blanks.
std::optional<std::uint64_t> number_of(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
  std::uint64_t value = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), value);
  return parsed.ec == std::errc{} ? std::optional(value) : std::nullopt;
}

/// The number in a file; nothing if the file contains something else, such as `max`.
std::optional<std::uint64_t> number_in(const fs::path& file) {
  std::ifstream in(file);
  std::string line;
  return std::getline(in, line) ? number_of(line) : std::nullopt;
}

/// The number after `key`, in the line that begins with it.
std::optional<std::uint64_t> number_behind(const fs::path& file, std::string_view key) {
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with(key)) return number_of(std::string_view(line).substr(key.size()));
  }
  return std::nullopt;
}

/// A value of `/proc/meminfo` or `/proc/self/status`, which are in KiB.
std::optional<std::uint64_t> bytes_behind(const fs::path& file, std::string_view key) {
  const auto kibibytes = number_behind(file, key);
  return kibibytes ? std::optional(*kibibytes * kibibyte) : std::nullopt;
}

class Least {
 public:
  void take(std::optional<std::uint64_t> limit, std::uint64_t used, const char* name) {
    if (!limit) return;
    const std::uint64_t left = *limit - std::min(*limit, used);
    if (!least_ || left < least_->bytes) least_ = AvailableMemory{left, name};
  }
  const std::optional<AvailableMemory>& result() const { return least_; }

 private:
  std::optional<AvailableMemory> least_;
};

/// File names of a cgroup version, and keys of memory.stat that include all nested groups.
struct GroupNames {
  const char* limit;
  const char* used;
  std::array<std::string_view, 2> file_pages;
};
constexpr GroupNames second_version{"memory.max", "memory.current", {"inactive_file ", "active_file "}};
constexpr GroupNames first_version{
    "memory.limit_in_bytes", "memory.usage_in_bytes", {"total_inactive_file ", "total_active_file "}};

/// Memory that a group uses and cannot release. Pages of files count as used in its statistics, but are reclaimed if
/// other memory is needed.
std::uint64_t bytes_kept(const fs::path& folder, const GroupNames& names) {
  std::uint64_t kept = number_in(folder / names.used).value_or(0);
  for (const std::string_view key : names.file_pages) {
    kept -= std::min(kept, number_behind(folder / "memory.stat", key).value_or(0));
  }
  return kept;
}

/// A group and the groups that contain it, in one hierarchy.
void take_groups(const fs::path& top, std::string group, const GroupNames& names, Least& least) {
  for (;; group.erase(group.rfind('/'))) {
    const fs::path folder = top.string() + group;
    least.take(number_in(folder / names.limit), bytes_kept(folder, names), "the control group");
    if (group.find('/') == std::string::npos) return;
  }
}

/// Lines are `number:controllers:/group`; version 2 has no controllers (cgroups(7)).
void take_control_groups(const MemorySources& sources, Least& least) {
  std::ifstream in(sources.proc / "self" / "cgroup");
  for (std::string line; std::getline(in, line);) {
    const std::size_t first = line.find(':');
    const std::size_t second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    const std::string controllers = fmt::format(",{},", line.substr(first + 1, second - first - 1));
    const std::string group = line.substr(second + 1);
    if (controllers == ",,") {
      take_groups(sources.control_groups, group, second_version, least);
    } else if (controllers.find(",memory,") != std::string::npos) {
      take_groups(sources.control_groups / "memory", group, first_version, least);
    }
  }
}

}  // namespace

std::optional<AvailableMemory> available_memory(const MemorySources& sources) {
  Least least;
  least.take(bytes_behind(sources.proc / "meminfo", "MemAvailable:"), 0, "the machine");
  take_control_groups(sources, least);
  rlimit space{};
  if (::getrlimit(RLIMIT_AS, &space) == 0 && space.rlim_cur != RLIM_INFINITY) {
    least.take(space.rlim_cur, bytes_behind(sources.proc / "self" / "status", "VmSize:").value_or(0), "ulimit -v");
  }
  return least.result();
}

}  // namespace reconverge
