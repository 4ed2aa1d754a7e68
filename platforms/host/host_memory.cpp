#include "platforms/host/host_memory.hpp"

#include <fmt/format.h>
#include <sys/resource.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <limits>
#include <string_view>

namespace reconverge {

namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kibibyte = 1024;

/// The number that a text begins with, behind blanks.
std::optional<std::uint64_t> number_of(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
  std::uint64_t value = 0;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), value);
  return parsed.ec == std::errc{} ? std::optional(value) : std::nullopt;
}

/// The number in a file of one; nothing where there is none, as in `max`.
std::optional<std::uint64_t> number_in(const fs::path& file) {
  std::ifstream in(file);
  std::string line;
  return std::getline(in, line) ? number_of(line) : std::nullopt;
}

/// Of `/proc/meminfo` or `/proc/self/status`: the number behind `key`, in KiB there, in bytes here.
std::optional<std::uint64_t> bytes_behind(const fs::path& file, std::string_view key) {
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    if (!line.starts_with(key)) continue;
    const auto kibibytes = number_of(std::string_view(line).substr(key.size()));
    return kibibytes ? std::optional(*kibibytes * kibibyte) : std::nullopt;
  }
  return std::nullopt;
}

class Least {
 public:
  void take(std::optional<std::uint64_t> limit, std::optional<std::uint64_t> used, const char* name) {
    if (!limit) return;
    const std::uint64_t left = *limit - std::min(*limit, used.value_or(0));
    if (!least_ || left < least_->bytes) least_ = AvailableMemory{left, name};
  }
  const std::optional<AvailableMemory>& result() const { return least_; }

 private:
  std::optional<AvailableMemory> least_;
};

/// A group and those around it, of one hierarchy.
void take_groups(const fs::path& top, std::string group, const char* limit, const char* used, Least& least) {
  for (;; group.erase(group.rfind('/'))) {
    const fs::path folder = top.string() + group;
    least.take(number_in(folder / limit), number_in(folder / used), "the control group");
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
      take_groups(sources.control_groups, group, "memory.max", "memory.current", least);
    } else if (controllers.find(",memory,") != std::string::npos) {
      take_groups(sources.control_groups / "memory", group, "memory.limit_in_bytes", "memory.usage_in_bytes", least);
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
    least.take(space.rlim_cur, bytes_behind(sources.proc / "self" / "status", "VmSize:"), "ulimit -v");
  }
  return least.result();
}

}  // namespace reconverge
