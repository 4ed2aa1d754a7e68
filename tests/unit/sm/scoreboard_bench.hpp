// SPDX-License-Identifier: Apache-2.0
#pragma once
/// A scoreboard with stand-ins for a scheduler, which issues instructions and asks when the next one can issue, and for
/// a scheme, which asks for single lanes.

#include <initializer_list>
#include <memory>

#include "models/sm/scoreboard.hpp"
#include "tests/unit/sm/control_bench.hpp"
#include "tests/unit/sm/test_warp.hpp"

namespace reconverge::tests {

/// Lanes of a warp slot, and the homes of their threads; null: the threads are at home.
struct Threads {
  std::uint32_t slot = 0;
  LaneMask lanes = all_lanes;
  const Homes* homes = nullptr;
};

struct ScoreboardBench {
  struct Issue {
    DecodedInstruction decoded;
    Cycle result = 0;
    bool from_memory = false;
    bool written_back = false;
  };

  explicit ScoreboardBench(DependencyTracking tracking) : ScoreboardBench(SchemeTraits{.tracking = tracking}) {}
  explicit ScoreboardBench(
      const SchemeTraits& traits,
      std::string_view body = "add.u64 %rd1, %rd2, %rd3; add.u64 %rd4, %rd1, %rd2; st.global.u64 [%rd3], %rd4;",
      const ScoreboardParameters& parameters = {})
      : program(kernel_of(body)),
        image(program, memory),
        scoreboard(make_scoreboard("scoreboard", parameters, traits, 3)),
        scheduler("scheduler"),
        scheme("scheme") {
    scheduler.socket.bind(scoreboard->requests);
    scheme.socket.bind(scoreboard->readiness);
    elaborate();
    scoreboard->begin(image);
    REQUIRE(image.tracked() > 3);
  }

  /// An instruction that writes and reads the given registers, which are 0 to 3.
  DecodedInstruction instruction(std::initializer_list<unsigned> written, std::initializer_list<unsigned> read,
                                 Flow flow = Flow::on) const {
    DecodedInstruction decoded;
    Dependencies& dependencies = decoded.dependencies;
    dependencies.registers.fill(static_cast<std::uint16_t>(image.tracked()));
    for (const unsigned number : written)
      dependencies.registers[dependencies.count++] = static_cast<std::uint16_t>(number);
    dependencies.written = dependencies.count;
    for (const unsigned number : read)
      dependencies.registers[dependencies.count++] = static_cast<std::uint16_t>(number);
    decoded.flow = flow;
    return decoded;
  }

  /// Threads issue an instruction. Returns the scoreboard's answer for `next`; null: does not ask for an instruction.
  ScoreboardRequest after(const Issue& issued, const DecodedInstruction* next, const Threads& threads = {}) {
    ScoreboardRequest request;
    request.slot = threads.slot;
    request.homes = threads.homes;
    request.lanes = threads.lanes;
    request.next_lanes = threads.lanes;
    request.issued = &issued.decoded;
    request.next = next;
    request.result = issued.result;
    request.from_memory = issued.from_memory;
    request.written_back = issued.written_back;
    return scheduler.send(request);
  }
  ScoreboardRequest after(const Issue& issued, const DecodedInstruction& next, const Threads& threads = {}) {
    return after(issued, &next, threads);
  }
  /// Returns the scoreboard's answer for `next` without issuing an instruction.
  ScoreboardRequest ask(const DecodedInstruction& next, const Threads& threads = {}) {
    ScoreboardRequest request;
    request.slot = threads.slot;
    request.homes = threads.homes;
    request.next_lanes = threads.lanes;
    request.next = &next;
    return scheduler.send(request);
  }
  DecodedInstruction writes(unsigned number) const { return instruction({number}, {}); }
  DecodedInstruction reads(unsigned number) const { return instruction({}, {number}); }
  DecodedInstruction exit() const { return instruction({}, {}, Flow::exit); }
  const ScoreboardStatistics& statistics() const { return scoreboard->statistics(); }

  const SimulationContext context;
  const kernel::Program program;
  DeviceMemory memory;
  ProgramImage image;
  const std::unique_ptr<Scoreboard> scoreboard;
  ControlSource<ScoreboardRequest> scheduler;
  ControlSource<ReadinessRequest> scheme;
};

}  // namespace reconverge::tests
