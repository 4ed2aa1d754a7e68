// Blocks of a launch that wait for one another: they run side by side, also where there is no time.

#include <catch2/catch.hpp>

#include "models/core/error.hpp"
#include "testbenches/contract/kernels.hpp"

namespace reconverge::contract {
namespace {

/// The first thread of each block says that it came, and waits until as many as `%nctaid.x` have.
constexpr const char* meeting = R"(
    atom.global.add.u32 %r1, [%sums], 1;
    mov.u32 %r2, %nctaid.x;
WAIT:
    ld.volatile.global.u32 %r3, [%sums];
    setp.lt.u32 %p1, %r3, %r2;
    @%p1 bra WAIT;
    st.global.u32 [%slice], %r3;
)";

/// A block waits for its neighbour's word, and then writes its own; the last block waits for nobody.
constexpr const char* chain = R"(
    mov.u32 %r1, %ctaid.x;
    mov.u32 %r2, %nctaid.x;
    mul.wide.u32 %rd1, %r1, 4;
    add.u64 %rd1, %rd1, %sums;
    sub.u32 %r2, %r2, 1;
    setp.eq.u32 %p1, %r1, %r2;
    @%p1 bra GO;
WAIT:
    ld.volatile.global.u32 %r3, [%rd1+4];
    setp.eq.u32 %p2, %r3, 0;
    @%p2 bra WAIT;
GO:
    st.volatile.global.u32 [%rd1], 1;
    st.global.u32 [%slice], %r1;
)";

}  // namespace

TEST_CASE("blocks that wait for all others of the launch end on the functional machine") {
  const Case test_case = make_case("meeting", meeting, {24, 1, 1}, {1, 1, 1});
  const Outcome outcome = run_functional(test_case);
  const auto* const words = reinterpret_cast<const std::uint32_t*>(outcome.memory.data());
  for (unsigned block = 0; block < 24; ++block) REQUIRE(words[block * slice_words] == 24);
}

TEST_CASE("blocks that wait for later ones end on the functional machine, however many there are") {
  const Case test_case = make_case("chain", chain, {200, 1, 1}, {1, 1, 1});
  const Outcome outcome = run_functional(test_case);
  const auto* const words = reinterpret_cast<const std::uint32_t*>(outcome.memory.data());
  for (unsigned block = 0; block < 200; ++block) REQUIRE(words[block * slice_words] == block);
}

TEST_CASE("a block that waits for nobody's word is found on the functional machine") {
  const Case test_case = make_case("forsaken",
                                   "WAIT: ld.volatile.global.u32 %r1, [%sums];\n"
                                   "setp.eq.u32 %p1, %r1, 0;\n@%p1 bra WAIT;\n",
                                   {40, 1, 1}, {32, 1, 1});
  REQUIRE_THROWS_AS(run_functional(test_case), ExecutionError);
}

}  // namespace reconverge::contract
