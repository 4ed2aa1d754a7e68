// The scoreboard by its socket: a scheduler that issues, and asks when the next instruction can.

#include "models/sm/scoreboard.hpp"

#include <initializer_list>

#include "tests/unit/sm/control_bench.hpp"
#include "tests/unit/sm/test_warp.hpp"

namespace reconverge {
namespace {

struct Bench {
  Bench()
      : program(tests::kernel_of("add.u64 %rd1, %rd2, %rd3; add.u64 %rd4, %rd1, %rd2; st.global.u64 [%rd3], %rd4;")),
        image(program, memory),
        scoreboard("scoreboard", 2),
        scheduler("scheduler") {
    scheduler.socket.bind(scoreboard.requests);
    tests::elaborate();
    scoreboard.begin(image);
    REQUIRE(image.tracked() > 3);
  }

  /// An instruction that writes and reads registers 0 to 3.
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

  struct Issue {
    DecodedInstruction decoded;
    Cycle result = 0;
    bool from_memory = false;
    bool written_back = false;
  };
  /// What the scoreboard says of `next` after `issued`.
  ScoreboardRequest after(const Issue& issued, const DecodedInstruction& next, std::uint32_t slot = 0,
                          bool all = false) {
    ScoreboardRequest request;
    request.slot = slot;
    request.issued = &issued.decoded;
    request.next = &next;
    request.result = issued.result;
    request.from_memory = issued.from_memory;
    request.written_back = issued.written_back;
    request.all = all;
    return scheduler.send(request);
  }
  /// The same, when nothing was issued.
  ScoreboardRequest ask(const DecodedInstruction& next, std::uint32_t slot = 0) {
    ScoreboardRequest request;
    request.slot = slot;
    request.next = &next;
    return scheduler.send(request);
  }
  DecodedInstruction writes(unsigned number) const { return instruction({number}, {}); }
  DecodedInstruction reads(unsigned number) const { return instruction({}, {number}); }
  const ScoreboardStatistics& statistics() const { return scoreboard.statistics(); }

  const SimulationContext context;
  const kernel::Program program;
  DeviceMemory memory;
  ProgramImage image;
  Scoreboard scoreboard;
  tests::ControlSource<ScoreboardRequest> scheduler;
};

}  // namespace

TEST_CASE("scoreboard: who reads or writes a register waits for its result, nobody else does") {
  Bench bench;
  const Bench::Issue add{bench.writes(1), 20};
  REQUIRE(bench.after(add, bench.reads(1)).ready == 20);
  REQUIRE_FALSE(bench.ask(bench.reads(1)).waits_for_memory);
  REQUIRE(bench.ask(bench.writes(1)).ready == 20);
  REQUIRE(bench.ask(bench.reads(2)).ready == 0);
  REQUIRE(bench.ask(bench.instruction({}, {})).ready == 0);
  // Of several the last; the fifth register is looked at, too.
  bench.after({bench.writes(3), 30}, bench.reads(2));
  REQUIRE(bench.ask(bench.instruction({2}, {0, 1, 3})).ready == 30);
  REQUIRE(bench.ask(bench.instruction({0}, {2, 2, 2, 3})).ready == 30);
  REQUIRE(bench.ask(bench.instruction({0, 1}, {2})).ready == 20);
}

TEST_CASE("scoreboard: reading makes nobody wait") {
  Bench bench;
  REQUIRE(bench.after({bench.instruction({1}, {2}), 20}, bench.reads(2)).ready == 0);
}

TEST_CASE("scoreboard: each warp slot has registers of its own, and a new warp finds them ready") {
  Bench bench;
  bench.after({bench.writes(1), 20}, bench.reads(0), 0);
  bench.after({bench.writes(1), 25}, bench.reads(0), 1);
  REQUIRE(bench.ask(bench.reads(1), 0).ready == 20);
  REQUIRE(bench.ask(bench.reads(1), 1).ready == 25);
  bench.scoreboard.clear(0);
  REQUIRE(bench.ask(bench.reads(1), 0).ready == 0);
  REQUIRE(bench.ask(bench.reads(1), 1).ready == 25);
  bench.scoreboard.begin(bench.image);
  REQUIRE(bench.ask(bench.reads(1), 1).ready == 0);
}

TEST_CASE("scoreboard: a result of memory may have no time yet") {
  Bench bench;
  const auto load = bench.writes(1);
  REQUIRE(bench.after({load, never, true}, bench.reads(2)).ready == 0);
  const auto waiting = bench.ask(bench.reads(1));
  REQUIRE(waiting.ready == never);
  REQUIRE(waiting.waits_for_memory);
  const auto known = bench.after({load, 60, true, true}, bench.reads(1));
  REQUIRE(known.ready == 60);
  REQUIRE(known.waits_for_memory);
  // The later result says what is waited for.
  bench.after({bench.writes(2), 61}, bench.reads(0));
  REQUIRE_FALSE(bench.ask(bench.instruction({}, {1, 2})).waits_for_memory);
  bench.after({bench.writes(2), 59}, bench.reads(0));
  REQUIRE(bench.ask(bench.instruction({}, {1, 2})).waits_for_memory);
}

TEST_CASE("scoreboard: a warp ends when all that it loaded is there") {
  Bench bench;
  const auto exit = bench.instruction({}, {}, Flow::exit);
  SECTION("at known times") {
    bench.after({bench.writes(1), 70, true}, exit);
    bench.after({bench.writes(2), 60, true}, exit);
    bench.after({bench.writes(3), 80}, exit);  // no load
    const auto end = bench.ask(exit);
    REQUIRE(end.ready == 70);
    REQUIRE(end.waits_for_memory);
  }
  SECTION("or not known yet") {
    const Bench::Issue first{bench.writes(1), never, true};
    const Bench::Issue second{bench.writes(2), never, true};
    bench.after(first, exit);
    REQUIRE(bench.after(second, exit).ready == never);
    REQUIRE(bench.after({first.decoded, 50, true, true}, exit).ready == never);
    REQUIRE(bench.after({second.decoded, 40, true, true}, exit).ready == 50);
  }
  SECTION("a store leaves nothing to wait for") {
    REQUIRE(bench.after({bench.reads(1), never, true}, exit).ready == 0);
  }
}

TEST_CASE("scoreboard: where warps meet they wait for all of their results") {
  Bench bench;
  bench.after({bench.writes(1), 70, true}, bench.reads(0));
  const auto all = bench.after({bench.writes(2), 50}, bench.reads(0), 0, true);
  REQUIRE(all.ready == 70);
  REQUIRE(all.waits_for_memory);
}

TEST_CASE("scoreboard: lookups are counted, but not those of a result that came later") {
  Bench bench;
  bench.after({bench.writes(1), 20}, bench.reads(2));
  REQUIRE(bench.statistics().checks == 1);
  REQUIRE(bench.statistics().waits == 0);
  bench.after({bench.writes(2), 12}, bench.reads(1));  // which is there in 20
  REQUIRE(bench.statistics().checks == 2);
  REQUIRE(bench.statistics().waits == 1);
  bench.after({bench.writes(1), 60, true, true}, bench.reads(1));
  REQUIRE(bench.statistics().checks == 2);
}

}  // namespace reconverge
