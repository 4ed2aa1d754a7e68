// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Tracks the registers with pending writes, and the cycles in which they are written. The time of a result of memory
/// may not be known yet. A warp ends only after all of its results are available. The divergence scheme selects the
/// granularity of tracking (DependencyTracking).

#include <memory>
#include <systemc>
#include <vector>

#include "blocks/scoreboard.hpp"
#include "models/execution/program_image.hpp"
#include "models/protocols/issue.hpp"
#include "models/protocols/scheme.hpp"

namespace reconverge {

/// A register's state in one word: four times the cycle in which it is ready, plus one if the value comes from memory,
/// or plus three if an asynchronous instruction of a scheme loads it. The largest word of several registers therefore
/// also contains the cause of the wait.
struct RegisterReady {
  static std::uint64_t word(Cycle cycle, bool from_memory, bool asynchronous = false) {
    // Without a branch, because the host cannot predict which instructions are loads.
    const unsigned memory = from_memory ? 1 : 0;
    return cycle << 2U | memory << (asynchronous ? 1U : 0U) | memory;
  }
  /// The word of the instruction that the request reports as issued.
  static std::uint64_t word(const ScoreboardRequest& request) {
    return word(request.result, request.from_memory, request.issued->asynchronous);
  }
  static Cycle cycle(std::uint64_t word) { return word >> 2U; }
  static bool from_memory(std::uint64_t word) { return (word & 1U) != 0; }
  static bool asynchronous(std::uint64_t word) { return (word & 2U) != 0; }
};

/// Results of memory that must arrive before a warp ends.
struct OutstandingLoads {
  std::uint32_t unknown = 0;  ///< number of results whose time is not yet known
  Cycle until = 0;            ///< when the other results are available

  /// A result is pending; `written_back`: the time of a pending result is now known.
  void note(Cycle result, bool written_back) {
    if (result >= never) {
      ++unknown;
      return;
    }
    until = until > result ? until : result;
    unknown -= written_back ? 1 : 0;
  }
  std::uint64_t word() const { return RegisterReady::word(unknown != 0 ? never : until, true); }
};

class Scoreboard : public sc_core::sc_module,
                   public ControlTarget<ScoreboardRequest>,
                   protected ControlTarget<ReadinessRequest> {
 public:
  ControlTargetSocket<ScoreboardRequest> requests;
  ControlTargetSocket<ReadinessRequest> readiness;  ///< requests of individual lanes

  /// Begins a launch: all registers of all warps are ready.
  virtual void begin(const ProgramImage& image) = 0;
  /// New threads begin in these lanes of the slot, in which no threads run.
  virtual void clear(std::uint32_t slot, LaneMask lanes) = 0;

  const ScoreboardStatistics& statistics() const { return statistics_; }

 protected:
  explicit Scoreboard(sc_core::sc_module_name name) : sc_module(name), requests("requests"), readiness("readiness") {
    requests.bind(static_cast<ControlTarget<ScoreboardRequest>&>(*this));
    readiness.bind(static_cast<ControlTarget<ReadinessRequest>&>(*this));
  }
  /// Writes `latest` into the answer to the request.
  void answer(ScoreboardRequest& request, std::uint64_t latest) {
    request.ready = RegisterReady::cycle(latest);
    request.waits_for_memory = RegisterReady::from_memory(latest);
    request.waits_for_unit = RegisterReady::asynchronous(latest);
    if (request.written_back) return;
    ++statistics_.checks;
    statistics_.waits += request.ready > request.result ? 1 : 0;
  }

  ScoreboardStatistics statistics_;
};

/// The scoreboard that a scheme with these traits needs. Throws ParameterError if the scheme requires another kind than
/// the parameters select.
std::unique_ptr<Scoreboard> make_scoreboard(const char* name, const ScoreboardParameters& parameters,
                                            const SchemeTraits& traits, std::size_t warp_slots);

}  // namespace reconverge
