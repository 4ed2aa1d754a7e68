// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Estimates the host memory of a run or a page, part by part, to report it beforehand and to refuse runs that do not
/// fit.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "platforms/host/host_memory.hpp"

namespace reconverge {

/// An estimate: parts with their sizes in bytes.
class MemoryNeed {
 public:
  /// `subject`: what needs the memory, for messages.
  explicit MemoryNeed(std::string_view subject = "the run") : subject_(subject) {}

  /// Parts with the same name are added up.
  void add(std::string_view name, std::uint64_t bytes);

  std::string_view subject() const { return subject_; }
  std::uint64_t total() const;
  /// `1.5 GiB (rays 1.2 GiB, scene 300 MiB)`: the significant parts, largest first.
  std::string text() const;

 private:
  struct Part {
    std::string_view name;
    std::uint64_t bytes = 0;
  };
  std::string_view subject_;
  std::vector<Part> parts_;
};

/// `1.5 GiB`.
std::string memory_text(std::uint64_t bytes);

/// Refuses, by an InputError, a need above the limit: RECONVERGE_MEMORY (`40 GiB`; `off` for no limit) if set,
/// otherwise the host's available memory. `hint` says how to reduce the need.
void check_memory(const MemoryNeed& need, std::string_view hint, const MemorySources& sources = {});
/// Whether check_memory would accept it.
bool memory_is_there(const MemoryNeed& need, const MemorySources& sources = {});

/// The need from which on users are informed at the start of a run.
inline constexpr std::uint64_t large_need = std::uint64_t{1} << 30U;
/// Reports a need of at least that size on standard error.
void tell_large(const MemoryNeed& need);

}  // namespace reconverge
