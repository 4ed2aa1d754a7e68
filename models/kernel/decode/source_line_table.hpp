// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Converts the source locations of .loc to the tables of the program.

#include <cstdint>
#include <unordered_map>

#include "models/kernel/program.hpp"
#include "models/kernel/syntax/syntax.hpp"

namespace reconverge::kernel {

/// Fills Program::source_files and Program::inlined_at.
class SourceLineTable {
 public:
  SourceLineTable(const Module& module, Program& program) : module_(module), program_(program) {}

  /// `source`: index into Module::sources, or no_source. The line is 0 if no .file has the number.
  SourceLine line_of(std::uint32_t source);

 private:
  std::uint32_t inlined_at(std::uint32_t source);

  const Module& module_;
  Program& program_;
  std::unordered_map<std::uint32_t, std::uint32_t> calls_;  ///< from Module::sources into Program::inlined_at
};

}  // namespace reconverge::kernel
