// SPDX-License-Identifier: Apache-2.0
// A platform's functional machine leaves the same memory as its timed machine and ends when that ends: threads that
// wait for each other get the same forward progress.

#include <catch2/catch.hpp>
#include <string>

#include "models/core/error.hpp"
#include "platforms/machines/functional/functional_kind.hpp"
#include "testbenches/contract/kernels.hpp"
#include "testbenches/contract/waiting_cases.hpp"

namespace reconverge::contract {
namespace {

/// Schemes that decide which paths warps run and whose forward progress the functional machine reproduces.
constexpr std::string_view schemes_of_paths[] = {"reconvergence_stack", "mimd", "convergence_barrier",
                                                 "subwarp_interleaving"};

/// The waiting lanes run first.
Case acquired_flag() {
  return make_case("a flag that lanes wait for by acquiring loads", R"(
  setp.ne.u32 %p0, %lane, 0;
  @%p0 bra AGAIN;
  mov.u32 %r1, 7;
  st.release.gpu.global.u32 [%sums], %r1;
  bra END;
AGAIN:
  ld.acquire.gpu.global.u32 %r0, [%sums];
  setp.eq.u32 %p1, %r0, 0;
  @%p1 bra AGAIN;
END:
  st.global.u32 [%slice], %lane;
  ret;)",
                   {1}, {32});
}

Case flag_in_function() {
  return make_case("a flag that a function waits for", R"(
  setp.ne.u32 %p0, %lane, 3;
  @%p0 bra WAITS;
  mov.u32 %r1, 7;
  st.volatile.global.u32 [%sums], %r1;
  bra END;
WAITS:
  call waits, (%sums);
END:
  st.global.u32 [%slice], %lane;
  ret;)",
                   {1}, {32}, {}, R"(
.func waits(.reg .u64 %a)
{
  .reg .u32 %v;
  .reg .pred %p;
AGAIN:
  ld.volatile.global.u32 %v, [%a];
  setp.eq.u32 %p, %v, 0;
  @%p bra AGAIN;
  ret;
})");
}

Case barrier_after_exit() {
  return make_case("a barrier after some lanes ended", R"(
  setp.lt.u32 %p0, %lane, 9;
  @%p0 bra GO;
  exit;
GO:
  bar.sync 0;
  st.global.u32 [%slice], %lane;
  ret;)",
                   {1}, {64});
}

/// Lanes reach a vote that names all of them from two calls of one function, which do not reconverge.
Case vote_in_calls() {
  return make_case("a vote within two calls of a function", R"(
  setp.lt.u32 %p0, %lane, 9;
  @%p0 bra LEFT;
  call (%r0), votes, (%lane);
  add.u32 %r0, %r0, 1;
  bra JOIN;
LEFT:
  call (%r0), votes, (%lane);
JOIN:
  st.global.u32 [%slice], %r0;
  ret;)",
                   {1}, {32}, {}, R"(
.func (.reg .u32 %r) votes(.reg .u32 %n)
{
  .reg .pred %p;
  setp.gt.u32 %p, %n, 4;
  vote.sync.ballot.b32 %r, %p, -1;
  ret;
})");
}

Case missing_barrier() { return make_case("a barrier that is never complete", "bar.sync 2, 128;", {1}, {64}); }

/// Lanes 10 to 19 vote in a function while the others wait for each other there, and again after the others have ended.
Case vote_after_others_ended() {
  return make_case("a vote after the lanes that were missing at one before", R"(
  setp.lt.u32 %p0, %lane, 10;
  selp.u32 %r0, 1, 0, %p0;
  setp.ge.u32 %p1, %lane, 20;
  selp.u32 %r0, 3, %r0, %p1;
  call votes, (%r0);
  setp.ge.u32 %p3, %lane, 15;
  @%p3 bra FAR;
MEET:
  vote.ballot.b32 %r2, 1;
  st.global.u32 [%slice], %r2;
  ret;
FAR:
  bra MEET;)",
                   {1}, {32}, {}, R"(
.func votes(.reg .u32 %n)
{
  .reg .u32 %r;
  .reg .pred %p;
  setp.eq.u32 %p, %n, 3;
  @%p bra HOLD;
  setp.ne.u32 %p, %n, 1;
  @%p bra VOTE;
  call votes, (2);
VOTE:
  vote.ballot.b32 %r, 1;
  setp.eq.u32 %p, %n, 2;
  @%p bra HOLD;
  ret;
HOLD:
  bar.warp.sync 0xfff003ff;
  exit;
})");
}

/// Lanes of a warp that wait for all others at two points.
Case exchanges_on_two_sides() {
  return make_case("exchanges on two sides of a branch", R"(
  setp.lt.u32 %p0, %lane, 5;
  @%p0 bra LEFT;
  bar.warp.sync -1;
  bra JOIN;
LEFT:
  vote.sync.ballot.b32 %r2, %p0, -1;
JOIN:
  ret;)",
                   {1}, {32});
}

/// The result of a run: memory, or that it does not end.
template <typename Run>
std::string verdict(const Run& run) {
  try {
    const std::vector<std::byte> memory = run().memory;
    return {reinterpret_cast<const char*>(memory.data()), memory.size()};
  } catch (const ExecutionError&) {
    return "does not end";
  }
}

std::string timed(const Case& test_case, const GpuParameters& parameters) {
  return verdict([&] { return run_timed(test_case, parameters); });
}

std::string functional(const Case& test_case, const GpuParameters& parameters) {
  return verdict([&] { return run_functional(test_case, functional_parameters(parameters)); });
}

GpuParameters with_blocks(GpuParameters parameters, std::uint64_t blocks) {
  parameters.sms = 1;
  parameters.sm.block_slots = blocks;
  return parameters;
}

}  // namespace

TEST_CASE("the functional and timed machines of a platform leave the same memory", "[functional]") {
  const std::string_view scheme = GENERATE(from_range(std::begin(schemes_of_paths), std::end(schemes_of_paths)));
  const auto all = shapes();
  std::size_t turn = 0;
  for (const Case& test_case : cases()) {
    INFO(scheme << ": " << test_case.name);
    const GpuParameters parameters = parameters_of(all[turn++ % all.size()], scheme, test_case);
    const Outcome found = run_functional(test_case, functional_parameters(parameters));
    CHECK_THAT(difference(run_timed(test_case, parameters).memory, found.memory), Catch::Equals(""));
    CHECK(found.thread_instructions == run_scalar(test_case).thread_instructions);
  }
}

TEST_CASE("threads that wait for each other end on the functional as on the timed machine", "[functional]") {
  const std::string_view scheme = GENERATE(from_range(std::begin(schemes_of_paths), std::end(schemes_of_paths)));
  const bool stack = scheme == "reconvergence_stack";
  for (const Case& test_case : {lock_in_loop(), flag_after_loop(), acquired_flag(), flag_in_function(),
                                barrier_on_two_sides(), vote_in_calls()}) {
    INFO(scheme << ": " << test_case.name);
    const GpuParameters parameters = parameters_of(shapes().front(), scheme, test_case);
    CHECK(timed(test_case, parameters) == functional(test_case, parameters));
    CHECK((functional(test_case, parameters) == "does not end") == stack);
  }
  for (const Case& test_case : {barrier_after_exit(), vote_after_loop()}) {
    INFO(scheme << ": " << test_case.name);
    const GpuParameters parameters = parameters_of(shapes().front(), scheme, test_case);
    CHECK(timed(test_case, parameters) == functional(test_case, parameters));
    CHECK(functional(test_case, parameters) != "does not end");
  }
  for (const Case& test_case : {missing_barrier(), lost_flag(1)}) {
    INFO(scheme << ": " << test_case.name);
    const GpuParameters parameters = parameters_of(shapes().front(), scheme, test_case);
    CHECK(timed(test_case, parameters) == "does not end");
    CHECK(functional(test_case, parameters) == "does not end");
  }
}

TEST_CASE("lanes that pass one exchange without others wait for each other at the next", "[functional]") {
  const Case test_case = vote_after_others_ended();
  const GpuParameters parameters = parameters_of(shapes().front(), "mimd", test_case);
  const TimedOutcome expected = run_timed(test_case, parameters);
  const Outcome found = run_functional(test_case, functional_parameters(parameters));
  CHECK_THAT(difference(expected.memory, found.memory), Catch::Equals(""));
  const auto* const words = reinterpret_cast<const std::uint32_t*>(found.memory.data());
  for (unsigned lane = 0; lane < 32; ++lane) {
    CHECK(words[lane * slice_words] == (lane >= 10 && lane < 20 ? 0xffc00U : 0U));
  }
}

TEST_CASE("a deadlock of lanes at exchanges names their positions on both machines", "[functional]") {
  const Case test_case = exchanges_on_two_sides();
  const std::string_view scheme = GENERATE("mimd", "convergence_barrier", "subwarp_interleaving");
  INFO(scheme);
  const GpuParameters parameters = parameters_of(shapes().front(), scheme, test_case);
  const auto check = [&](const auto& run) {
    CHECK_THROWS_WITH(run(), Catch::Contains("no warp can move") && Catch::Contains("block 0 warp 0 lanes 0x") &&
                                 Catch::Contains("lanes 0xffffffe0 at ") && Catch::Contains("lanes 0x0000001f at "));
  };
  check([&] { run_timed(test_case, parameters); });
  check([&] { run_functional(test_case, functional_parameters(parameters)); });
}

TEST_CASE("the functional machine: blocks may wait for later blocks that the platform holds", "[functional]") {
  const Case test_case = chain_of_blocks(12, 32);
  const GpuParameters parameters = parameters_of(shapes().front(), "reconvergence_stack", test_case);
  for (const auto& [blocks, ends] : {std::pair{12U, true}, std::pair{11U, false}}) {
    INFO(blocks << " blocks at a time");
    const std::string found = functional(test_case, with_blocks(parameters, blocks));
    CHECK(found == timed(test_case, with_blocks(parameters, blocks)));
    CHECK((found != "does not end") == ends);
  }
  CHECK_THROWS_WITH(run_functional(test_case, functional_parameters(with_blocks(parameters, 4))),
                    Catch::Contains("8 blocks have not begun: the platform holds 4 at a time"));
}

}  // namespace reconverge::contract
