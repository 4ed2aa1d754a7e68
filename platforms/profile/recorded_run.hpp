#pragma once
/// A launch on a machine, and what is recorded of it beside the machine's counters.

#include <cstdint>
#include <optional>

#include "platforms/machine.hpp"
#include "platforms/profile/instruction_profile.hpp"

namespace reconverge {

/// What shall be recorded of launches.
struct Recording {
  bool profile = false;        ///< by instruction; on machines with warps
  std::uint64_t interval = 0;  ///< over time, every so many cycles; 0: not. On machines with warps and time
};

struct RecordedRun {
  bool completed = false;  ///< as Machine::run says
  std::optional<InstructionProfile> profile;
  RunHistory history;
};

/// Machine::run; throws what that does.
RecordedRun run_recorded(Machine& machine, const Launch& launch, const KeepGoing& keep_going,
                         const Recording& recording);

}  // namespace reconverge
