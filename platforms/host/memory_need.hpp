#pragma once
/// What a run, or a page, will take of the host's memory, part by part: told beforehand, and refused where it is not
/// there.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "platforms/host/host_memory.hpp"

namespace reconverge {

/// An estimate. Parts with their sizes in bytes.
class MemoryNeed {
 public:
  /// `subject`: whose need it is, in messages.
  explicit MemoryNeed(std::string_view subject = "the run") : subject_(subject) {}

  /// Parts of one name are added up.
  void add(std::string_view name, std::uint64_t bytes);

  std::string_view subject() const { return subject_; }
  std::uint64_t total() const;
  /// `1.5 GiB (rays 1.2 GiB, scene 300 MiB)`: the parts that matter, the largest first.
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

/// Refuses, by an InputError, what needs more than there is: more than RECONVERGE_MEMORY says (`40 GiB`; `off` for no
/// limit), or than the host has where that is not set. `hint` says what to make smaller.
void check_memory(const MemoryNeed& need, std::string_view hint, const MemorySources& sources = {});
/// Whether that would let it pass.
bool memory_is_there(const MemoryNeed& need, const MemorySources& sources = {});

/// A need from which on users are told at the start of a run.
inline constexpr std::uint64_t large_need = std::uint64_t{1} << 30U;
/// Tells, on standard error, of a need that is so large.
void tell_large(const MemoryNeed& need);

}  // namespace reconverge
