// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Assigns a counted scoreboard to each long operation, and finds the scoreboards that each instruction waits for, as
/// encoded in the instructions of machines with software scoreboards (`&wr=sb5`, `&req=sb5` in Damani et al., "GPU
/// Subwarp Interleaving", HPCA 2022, section III and Fig. 9).
///
/// A counter of the warp is incremented when an operation that reports to it issues, and decremented when its result is
/// written. An instruction that waits for the scoreboard issues when the counter is zero. Operations read their sources
/// at issue, so only results are guarded.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "models/kernel/analysis/liveness.hpp"
#include "models/kernel/program.hpp"

namespace reconverge::kernel {

/// Number of scoreboards of a warp: three bits select one (section III-C).
inline constexpr unsigned si_scoreboards = 8;

struct ScoreboardUse {
  std::optional<std::uint8_t> reports_to;  ///< for an operation of unknown latency
  std::uint32_t waits_for = 0;             ///< bit i: scoreboard i
};

/// Whether the latency of an operation varies and it writes registers: loads, atomics, extension instructions.
bool has_variable_latency(const Instruction& instruction);

/// By pc. `long_operation` marks the producers by pc. Every instruction that reads or writes a row which a producer may
/// still write, on any path, waits for that producer's scoreboard. Producers that may be outstanding at the same time
/// get separate scoreboards, in order of pc. If none is left, a producer shares the scoreboard of the earlier producer
/// that was issued last, for which a consumer waits longest in any case. `scoreboards` is 1 to 32.
std::vector<ScoreboardUse> allocate_scoreboards(std::span<const BasicBlock> blocks, std::span<const Accesses> accesses,
                                                const std::vector<bool>& long_operation,
                                                unsigned scoreboards = si_scoreboards);

/// The same for a program. Calls and returns wait for all scoreboards.
std::vector<ScoreboardUse> allocate_scoreboards(const Program& program, unsigned scoreboards = si_scoreboards);

}  // namespace reconverge::kernel
