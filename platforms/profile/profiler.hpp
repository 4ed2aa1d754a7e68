// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Counts events in the SMs of a launch by instruction.

#include "platforms/profile/instruction_profile.hpp"

namespace reconverge {

class Profiler final : public SmObserver {
 public:
  explicit Profiler(const kernel::Program& program) : profile_(empty_profile(program)) {}

  const InstructionProfile& profile() const { return profile_; }

  void issued(const IssueNote& note) override;
  void branched(const BranchNote& note) override;
  void slots_lost(const LostSlotsNote& note) override;
  void line_taken(const LineNote& note) override;

 private:
  ProfiledInstruction& at(kernel::Pc pc) { return profile_.instructions[pc]; }

  InstructionProfile profile_;
};

}  // namespace reconverge
