// SPDX-License-Identifier: Apache-2.0
#include "platforms/host/memory_need.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <numeric>

#include "models/core/error.hpp"
#include "models/core/quantity.hpp"

namespace reconverge {

namespace {

constexpr const char* variable = "RECONVERGE_MEMORY";

/// The user's limit; nothing if the variable is not set or empty.
std::optional<std::string> setting() {
  const char* const value = std::getenv(variable);
  return value == nullptr || *value == '\0' ? std::nullopt : std::optional<std::string>(value);
}

std::optional<AvailableMemory> allowed(const MemorySources& sources) {
  const auto set = setting();
  if (!set) return available_memory(sources);
  if (*set == "off") return std::nullopt;
  try {
    return AvailableMemory{parse_bytes(*set), variable};
  } catch (const QuantityError& error) {
    throw InputError({}, fmt::format("{}: {}", variable, error.what()), "write a size such as 40 GiB, or off");
  }
}

}  // namespace

void MemoryNeed::add(std::string_view name, std::uint64_t bytes) {
  const auto known = std::ranges::find(parts_, name, &Part::name);
  if (known == parts_.end()) {
    parts_.push_back({name, bytes});
  } else {
    known->bytes += bytes;
  }
}

std::uint64_t MemoryNeed::total() const {
  return std::accumulate(parts_.begin(), parts_.end(), std::uint64_t{0},
                         [](std::uint64_t sum, const Part& part) { return sum + part.bytes; });
}

std::string MemoryNeed::text() const {
  std::vector<Part> parts = parts_;
  std::ranges::stable_sort(parts, std::ranges::greater{}, &Part::bytes);
  std::string list;
  for (const Part& part : parts) {
    if (part.bytes < total() / 20) break;
    list += fmt::format("{}{} {}", list.empty() ? "" : ", ", part.name, memory_text(part.bytes));
  }
  return fmt::format("{} ({})", memory_text(total()), list);
}

std::string memory_text(std::uint64_t bytes) {
  constexpr double mebibyte = 1024.0 * 1024.0;
  const double mebibytes = static_cast<double>(bytes) / mebibyte;
  return mebibytes < 1024.0 ? fmt::format("{:.0f} MiB", mebibytes) : fmt::format("{:.1f} GiB", mebibytes / 1024.0);
}

void tell_large(const MemoryNeed& need) {
  if (need.total() < large_need) return;
  std::fputs(fmt::format("reconverge: {} takes about {} of memory\n", need.subject(), need.text()).c_str(), stderr);
}

bool memory_is_there(const MemoryNeed& need, const MemorySources& sources) {
  const auto there = allowed(sources);
  return !there || need.total() <= there->bytes;
}

void check_memory(const MemoryNeed& need, std::string_view hint, const MemorySources& sources) {
  const auto there = allowed(sources);
  if (!there || need.total() <= there->bytes) return;
  throw InputError({},
                   fmt::format("{} would take about {} of memory, and {} allows {}", need.subject(), need.text(),
                               there->limit, memory_text(there->bytes)),
                   fmt::format("{}, or set {} to a size or to off", hint, variable));
}

}  // namespace reconverge
