/// The RTL of dynamic ray shuffling in lock step with its model: every output of every cycle, under random traffic.

#include <catch2/catch.hpp>

#include "VDrs.h"
#include "VDrsLarge.h"
#include "VDrsSmall.h"
#include "testbenches/dynamic_ray_shuffling/lock_step.hpp"
#include "testbenches/dynamic_ray_shuffling/traffic.hpp"

using namespace reconverge;

namespace {

/// Runs until `cycles` have been compared, with ever new seeds.
template <typename Rtl>
void run(const DynamicRayShufflingParameters& parameters, std::size_t warps, unsigned width, unsigned rays,
         std::uint64_t cycles) {
  std::uint64_t compared = 0;
  for (std::uint32_t seed = 1; compared < cycles; ++seed) {
    INFO("seed " << seed);
    Traffic<LockStep<Rtl>> traffic(parameters, warps, width, rays, seed, 0.3 + 0.1 * (seed % 8));
    while (!traffic.done()) traffic.cycle();
    CHECK(traffic.sound);
    CHECK(traffic.mixed_runs == 0);
    CHECK(traffic.fetched == rays);
    compared += traffic.shuffler.cycles();
  }
}

}  // namespace

TEST_CASE("RTL and model of dynamic ray shuffling agree in every cycle") {
  SECTION("the default configuration") { run<VDrs>({}, 58, 32, 20'000, 400'000); }
  SECTION("eight backup rows and eighteen buffers") {
    DynamicRayShufflingParameters parameters;
    parameters.backup_rows = 8;
    parameters.swap_buffers = 18;
    run<VDrsLarge>(parameters, 60, 32, 20'000, 300'000);
  }
  SECTION("two warps of eight lanes, as in the paper's walkthrough") { run<VDrsSmall>({}, 2, 8, 500, 300'000); }
}
