// SPDX-License-Identifier: Apache-2.0
// The order in which SMs access shared resources within a quantum.

#include <catch2/catch.hpp>
#include <vector>

#include "testbenches/contract/kernels.hpp"

namespace reconverge::contract {
namespace {

/// Each block draws a ticket, twice: in its first instructions, and when the first answer has arrived.
constexpr const char* tickets = R"(
    atom.global.add.u32 %r1, [%sums], 1;
    st.global.u32 [%slice], %r1;
    and.b32 %r2, %r1, 0;
    add.u32 %r2, %r2, 1;
    atom.global.add.u32 %r3, [%sums+4], %r2;
    st.global.u32 [%slice+4], %r3;
)";

}  // namespace

TEST_CASE("within a quantum, atomics take effect in the order of the numbers of the SMs") {
  constexpr std::uint32_t sms = 15;
  const Case test_case = make_case("tickets", tickets, {sms}, {1});
  GpuParameters parameters = parameters_of(shapes().front(), "reconvergence_stack", test_case);
  parameters.sms = sms;
  const TimedOutcome outcome = run_timed(test_case, parameters);
  const auto* const words = reinterpret_cast<const std::uint32_t*>(outcome.memory.data());
  std::vector<bool> second(sms);
  for (std::uint32_t block = 0; block < sms; ++block) {
    CAPTURE(block);
    // At the beginning of a launch, block i goes to SM i, and all reach their atomics in the same cycle.
    CHECK(words[block * slice_words] == block);
    // Answers arrive in different quanta, but no ticket is drawn twice.
    const std::uint32_t ticket = words[block * slice_words + 1];
    REQUIRE(ticket < sms);
    CHECK_FALSE(second[ticket]);
    second[ticket] = true;
  }
}

}  // namespace reconverge::contract
