// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Runs a launch on a machine and records it in addition to the machine's counters.

#include <cstdint>
#include <optional>

#include "blocks/experiment.hpp"
#include "platforms/machine.hpp"
#include "platforms/profile/instruction_profile.hpp"

namespace reconverge {

/// What to record of launches.
struct Recording {
  bool profile = false;        ///< by instruction; on machines with warps
  std::uint64_t interval = 0;  ///< interval of the history in cycles; 0: none. On machines with warps and timing
};

/// What the experiment records.
Recording recording_of(const ExperimentParameters& parameters);

struct RecordedRun {
  bool completed = false;  ///< as returned by Machine::run
  std::optional<InstructionProfile> profile;
  RunHistory history;
};

/// Like Machine::run, and throws the same.
RecordedRun run_recorded(Machine& machine, const Launch& launch, const KeepGoing& keep_going,
                         const Recording& recording);

}  // namespace reconverge
