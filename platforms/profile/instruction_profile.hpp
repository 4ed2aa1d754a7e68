#pragma once
/// What each instruction of a program cost, in one launch or in several.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "models/kernel/program.hpp"
#include "models/protocols/observer.hpp"

namespace reconverge {

/// Issue slots that were lost, by what they were lost to; zero for those that were used.
using LostSlots = decltype(WarpSchedulerStatistics::slots);

/// A line of a source, as .loc and .file name it.
struct ListedSource {
  std::string file;
  std::uint32_t line = 0;
};

/// An instruction as it is written.
struct ListedInstruction {
  std::uint32_t line = 0;  ///< of the PTX file
  std::string text;
  std::string_view space;  ///< that it names; `texture` of fetches
  bool branch = false;     ///< or a call
  /// The line it comes from, then where the function that this is in was inlined, and so on; empty: not known.
  std::vector<ListedSource> sources;
};

/// Threads that went from a branch to `pc`.
struct BranchTarget {
  kernel::Pc pc = kernel::no_pc;
  std::uint64_t threads = 0;
};

/// Lines that an instruction asked its first-level cache for. Stores and atomics neither hit nor miss.
struct LineCounts {
  FirstLevel cache = FirstLevel::data;
  std::uint64_t lines = 0;
  std::uint64_t hits = 0;
  std::uint64_t misses = 0;
  std::uint64_t merges = 0;

  LineCounts& operator+=(const LineCounts& other);
};

struct ProfiledInstruction {
  std::uint64_t executions = 0;  ///< warp instructions that issued; where each lane issues by itself, of those
  std::uint64_t threads = 0;     ///< lanes that executed, all executions added
  std::uint64_t divergent = 0;   ///< executions that sent lanes to more than one place
  std::vector<BranchTarget> targets;
  LineCounts lines;
  /// Slots that were lost while the warp that they are charged to stood here (LostSlotsNote).
  LostSlots lost;

  ProfiledInstruction& operator+=(const ProfiledInstruction& other);
};

struct InstructionProfile {
  std::string program;                            ///< the PTX file
  std::uint32_t lanes = warp_size;                ///< that an execution can have: one, where each issues by itself
  std::vector<ListedInstruction> listing;         ///< by pc
  std::vector<ProfiledInstruction> instructions;  ///< by pc
  LostSlots elsewhere;                            ///< slots that are charged to no warp

  /// Adds another launch of the same program.
  InstructionProfile& operator+=(const InstructionProfile& later);
};

/// The program, nothing of it executed yet.
InstructionProfile empty_profile(const kernel::Program& program);

}  // namespace reconverge
