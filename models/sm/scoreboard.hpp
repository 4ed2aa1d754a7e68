#pragma once
/// Which registers are on their way, and until when. A result of memory may have no known time yet; a warp does not
/// end before all of its results are there. What a register is told apart by, the divergence scheme chooses
/// (DependencyTracking).

#include <memory>
#include <systemc>
#include <vector>

#include "blocks/scoreboard.hpp"
#include "models/execution/program_image.hpp"
#include "models/protocols/issue.hpp"
#include "models/protocols/scheme.hpp"

namespace reconverge {

/// Registers in one word: four times the cycle in which it is ready, plus one if it comes from memory, or three if it
/// does by an asynchronous instruction of a scheme. The largest of several then also tells what an instruction waits
/// for.
struct RegisterReady {
  static std::uint64_t word(Cycle cycle, bool from_memory, bool asynchronous = false) {
    return cycle << 2U | (from_memory ? (asynchronous ? 3U : 1U) : 0U);
  }
  /// Of what the request says was issued.
  static std::uint64_t word(const ScoreboardRequest& request) {
    return word(request.result, request.from_memory, request.issued->asynchronous);
  }
  static Cycle cycle(std::uint64_t word) { return word >> 2U; }
  static bool from_memory(std::uint64_t word) { return (word & 1U) != 0; }
  static bool asynchronous(std::uint64_t word) { return (word & 2U) != 0; }
};

/// Results of memory that an end has to wait for.
struct OutstandingLoads {
  std::uint32_t unknown = 0;  ///< results whose time is not known
  Cycle until = 0;            ///< the others are there

  /// A result is on its way; `written_back`: one that was, has a time now.
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
                   protected ControlTarget<ScoreboardRequest>,
                   protected ControlTarget<ReadinessRequest> {
 public:
  ControlTargetSocket<ScoreboardRequest> requests;
  ControlTargetSocket<ReadinessRequest> readiness;  ///< of single lanes

  /// Begins a launch: all registers of all warps are ready.
  virtual void begin(const ProgramImage& image) = 0;
  /// New threads take these lanes of the slot, which had no others at work.
  virtual void clear(std::uint32_t slot, LaneMask lanes) = 0;

  const ScoreboardStatistics& statistics() const { return statistics_; }

 protected:
  explicit Scoreboard(sc_core::sc_module_name name) : sc_module(name), requests("requests"), readiness("readiness") {
    requests.bind(static_cast<ControlTarget<ScoreboardRequest>&>(*this));
    readiness.bind(static_cast<ControlTarget<ReadinessRequest>&>(*this));
  }
  /// Puts what `latest` says into the answer to who asked about the next instruction.
  void answer(ScoreboardRequest& request, std::uint64_t latest) {
    request.ready = RegisterReady::cycle(latest);
    request.waits_for_memory = RegisterReady::from_memory(latest);
    request.waits_for_unit = RegisterReady::asynchronous(latest);
    if (request.written_back) return;
    ++statistics_.checks;
    if (request.ready > request.result) ++statistics_.waits;
  }

  ScoreboardStatistics statistics_;
};

/// That which a scheme with these traits needs. Throws ParameterError where its kind has not the one that is wanted.
std::unique_ptr<Scoreboard> make_scoreboard(const char* name, const ScoreboardParameters& parameters,
                                            const SchemeTraits& traits, std::size_t warp_slots);

}  // namespace reconverge
