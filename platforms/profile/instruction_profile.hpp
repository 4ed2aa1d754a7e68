// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The cost of each instruction of a program, in one or more launches.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "models/kernel/program.hpp"
#include "models/protocols/observer.hpp"

namespace reconverge {

/// Lost issue slots, by cause; zero for slots that were used.
using LostSlots = decltype(WarpSchedulerStatistics::slots);

/// A source line, as given by .loc and .file.
struct ListedSource {
  std::string file;
  std::uint32_t line = 0;
};

/// An instruction in source form.
struct ListedInstruction {
  std::uint32_t line = 0;  ///< of the PTX file
  std::string text;
  std::string_view space;  ///< the buffer that it names; `texture` for fetches
  bool branch = false;     ///< or of a call
  /// The instruction's source line, then the line where its function was inlined, and so on; empty: unknown.
  std::vector<ListedSource> sources;
};

/// Threads that went from a branch to `pc`.
struct BranchTarget {
  kernel::Pc pc = kernel::no_pc;
  std::uint64_t threads = 0;
};

/// Lines that an instruction requested from its first-level cache. Stores and atomics count as neither hit nor miss.
struct LineCounts {
  FirstLevel cache = FirstLevel::data;
  std::uint64_t lines = 0;
  std::uint64_t hits = 0;
  std::uint64_t misses = 0;
  std::uint64_t merges = 0;

  LineCounts& operator+=(const LineCounts& other);
};

struct ProfiledInstruction {
  std::uint64_t executions = 0;  ///< warp instructions issued; if each lane issues by itself, thread instructions
  std::uint64_t threads = 0;     ///< active lanes, summed over all executions
  std::uint64_t divergent = 0;   ///< executions after which lanes continued in more than one place
  std::vector<BranchTarget> targets;
  LineCounts lines;
  /// Slots lost while the warp that they are charged to was at this instruction (LostSlotsNote).
  LostSlots lost;

  ProfiledInstruction& operator+=(const ProfiledInstruction& other);
};

struct InstructionProfile {
  std::string program;                            ///< the PTX file
  std::uint32_t lanes = warp_size;                ///< per execution: one, if each lane issues by itself
  std::vector<ListedInstruction> listing;         ///< by pc
  std::vector<ProfiledInstruction> instructions;  ///< by pc
  LostSlots elsewhere;                            ///< slots that are charged to no warp

  /// Adds another launch of the same program.
  InstructionProfile& operator+=(const InstructionProfile& later);
};

/// The program without any executions.
InstructionProfile empty_profile(const kernel::Program& program);

}  // namespace reconverge
