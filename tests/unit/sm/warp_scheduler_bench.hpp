// SPDX-License-Identifier: Apache-2.0
#pragma once
/// A warp scheduler with stand-ins for all blocks that it communicates with: operand collector, scoreboard, fetch, SM,
/// the scheme that has the paths, and a second scheme.

#include <algorithm>
#include <array>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "models/sm/warp_scheduler.hpp"
#include "tests/unit/sm/control_bench.hpp"
#include "tests/unit/sm/test_warp.hpp"

namespace reconverge::tests {

/// Records the scheduler's notifications to the SM.
struct SmStandIn : sc_core::sc_module, SmEvents {
  explicit SmStandIn(sc_core::sc_module_name name) : sc_module(name) {}
  void threads_ended(Warp& warp, LaneMask lanes, Cycle now) override {
    warp.live &= ~lanes;
    ended.push_back({&warp, lanes, now});
  }
  void barrier_reached(Warp& warp, const kernel::Instruction& /*barrier*/, LaneMask lanes, Cycle now) override {
    at_barrier.push_back({&warp, lanes, now});
  }
  Cycle load_store_room(std::uint32_t /*number*/, Cycle now) override { return std::max(now, room); }

  struct Event {
    const Warp* warp;
    LaneMask lanes;
    Cycle now;
  };
  Cycle room = 0;  ///< when the load/store unit has room
  std::vector<Event> ended;
  std::vector<Event> at_barrier;
};

struct SchedulerBench {
  static constexpr Cycle latency = 4;  ///< default latency of issued instructions
  /// Causes of lost slots while the first or the second scheme holds a warp.
  static constexpr auto held_by_scheme = WarpSchedulerSlots::causes;
  static constexpr auto held_by_beside =
      static_cast<WarpSchedulerSlots>(static_cast<std::size_t>(WarpSchedulerSlots::causes) + 1);

  static WarpSchedulerParameters one_dispatch() {
    WarpSchedulerParameters parameters;
    parameters.count = 1;
    parameters.dispatch = 1;
    parameters.policy = WarpSchedulerPolicy::oldest_first;
    return parameters;
  }

  /// Warps with these ages in slots 0, 1, ..., which run a kernel of these instructions. `traits` are those of the
  /// first scheme; extension instructions of the kernel belong to the second scheme.
  explicit SchedulerBench(std::string_view body, const WarpSchedulerParameters& parameters = one_dispatch(),
                          const std::vector<std::uint64_t>& ages = {0}, std::uint64_t fetch_group = 0,
                          const SchemeTraits& traits = {}, InstructionBuffer buffer = InstructionBuffer::groups)
      : program(kernel_of(body)),
        image(program, memory),
        scheduler("scheduler", 0, parameters,
                  std::array{WarpScheduler::SchemePort{traits, held_by_scheme, 1},
                             WarpScheduler::SchemePort{{}, held_by_beside, 1}},
                  {fetch_group == 0 ? InstructionBuffer::ideal : buffer, fetch_group}),
        sm("sm"),
        collector("collector"),
        results("results"),
        scoreboard("scoreboard"),
        fetch("fetch"),
        scheme("scheme"),
        beside("beside") {
    scheduler.sm.bind(sm);
    scheduler.issue.bind(collector.socket);
    scheduler.results.bind(results.socket);
    scheduler.scoreboard.bind(scoreboard.socket);
    scheduler.fetch.bind(fetch.socket);
    scheduler.schemes[0]->bind(scheme.socket);
    scheduler.schemes[1]->bind(beside.socket);
    collector.serve = [this](IssueRequest& request) {
      request.result = request.now + latency;
      request.from_memory = request.decoded->memory;
      if (request.from_memory) request.result = never;
      treat(request);
      if (request.refusal == Refusal::none) issued.emplace_back(request.warp->slot, request.now);
    };
    scoreboard.serve = [this](ScoreboardRequest& request) {
      request.ready = dependent || request.from_memory ? request.result : 0;
      request.waits_for_memory = request.from_memory;
    };
    scheme.serve = [](SchemeRequest& request) {
      if (request.event == SchemeEvent::exit) {
        request.path.lanes &= ~request.lanes;
        request.answer = request.path.lanes != 0 ? SchemeAnswer::run : SchemeAnswer::done;
      }
      if (request.event == SchemeEvent::branch) {
        ++request.path.pc;
        request.answer = SchemeAnswer::run;
      }
    };
    for (const std::uint64_t age : ages) {
      Warp& warp = warps.emplace_back(std::make_unique<TestWarp>(program))->warp;
      warp.slot = static_cast<std::uint32_t>(warps.size()) - 1;
      warp.age = age;
      scheduler.add(warp);
    }
    begin_.notify(sc_core::SC_ZERO_TIME);
    elaborate();
    scheduler.begin(image, std::vector<std::uint8_t>(program.extensions.size(), 1), 0);
    // The SM starts warps in the order of their ages.
    for (std::uint64_t age = 0; age < ages.size(); ++age) {
      for (const auto& one : warps) {
        if (one->warp.age == age) scheduler.resume(one->warp, 0, 0);
      }
    }
  }

  Warp& warp(std::size_t slot = 0) { return warps[slot]->warp; }
  /// Runs the cycles before `end`.
  void run(Cycle end) {
    for (; now < end; ++now) {
      if (scheduler.next_event() <= now) scheduler.tick(now);
    }
    scheduler.account_until(end);
  }
  std::vector<std::uint32_t> slots_issued() const {
    std::vector<std::uint32_t> slots;
    for (const auto& [slot, cycle] : issued) slots.push_back(slot);
    return slots;
  }
  std::vector<Cycle> cycles_issued() const {
    std::vector<Cycle> cycles;
    for (const auto& [slot, cycle] : issued) cycles.push_back(cycle);
    return cycles;
  }
  std::uint64_t slots(WarpSchedulerSlots cause) const { return scheduler.statistics().slots[cause]; }

  const SimulationContext context;
  const kernel::Program program;
  DeviceMemory memory;
  ProgramImage image;
  WarpScheduler scheduler;
  SmStandIn sm;
  ControlStandIn<IssueRequest> collector;
  ControlStandIn<ResultRequest> results;
  ControlStandIn<ScoreboardRequest> scoreboard;
  ControlStandIn<FetchRequest> fetch;
  ControlStandIn<SchemeRequest> scheme;
  ControlStandIn<SchemeRequest> beside;
  std::vector<std::unique_ptr<TestWarp>> warps;
  std::function<void(IssueRequest&)> treat = [](IssueRequest& /*request*/) {};  ///< may refuse, or change results
  bool dependent = true;                                ///< each instruction waits for the previous one
  std::vector<std::pair<std::uint32_t, Cycle>> issued;  ///< slots and cycles
  Cycle now = 0;

 private:
  sc_core::sc_event begin_;  // gives the first run an event
};

}  // namespace reconverge::tests
