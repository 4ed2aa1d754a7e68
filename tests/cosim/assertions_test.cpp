/// The assertions of dynamic ray shuffling's RTL, tested: each finds a fault of its own in a block of four warps.

#include <catch2/catch.hpp>
#include <fstream>
#include <optional>
#include <regex>
#include <string>
#include <vector>

#include "Vbound_rows_stay.h"
#include "Vends_after_grants.h"
#include "Vrays_stay.h"
#include "Vrow_of_one_state.h"
#include "Vrow_of_one_warp.h"
#include "Vwants_until_it_ends.h"
#include "Vwords_stay.h"
#include "models/dynamic_ray_shuffling/traffic/traffic.hpp"
#include "testbenches/dynamic_ray_shuffling/lock_step.hpp"

using namespace reconverge;

namespace {

/// The RTL gets what the model gets, and nobody compares.
template <typename Rtl>
class Driven {
 public:
  Driven(const DynamicRayShufflingParameters& parameters, std::size_t warps, unsigned width)
      : rtl_(std::make_unique<VerilatedBlock<Rtl>>(parameters, warps, width)) {}

  void cycle(const PinInputs& inputs, const PinOutputs& /*expected*/) {
    rtl_->settle(inputs);
    rtl_->clock();
  }

 private:
  std::unique_ptr<VerilatedBlock<Rtl>> rtl_;
};

/// The name of the assertion that fails, as its file has it in the line that the message says or above.
template <typename Rtl>
std::string failing() {
  try {
    Traffic<PinsWithRays<Driven<Rtl>>> traffic({}, 4, 8, 2000, 1, 0.7);
    while (!traffic.done()) traffic.cycle();
  } catch (const RtlAssertion& assertion) {
    const std::string message = assertion.what();
    const auto line = std::stoul(message.substr(message.rfind(':') + 1));
    std::ifstream in(ASSERTIONS);
    std::string text;
    std::smatch found;
    std::string name;
    for (std::size_t number = 1; number <= line && std::getline(in, text); ++number) {
      if (std::regex_search(text, found, std::regex("^ *([a-z_]+) :"))) name = found[1];
    }
    return name;
  }
  return "none";
}

}  // namespace

TEST_CASE("each assertion of dynamic ray shuffling's RTL finds a fault") {
  CHECK(failing<Vrow_of_one_warp>() == "row_of_one_warp");
  CHECK(failing<Vrow_of_one_state>() == "row_of_one_state");
  CHECK(failing<Vbound_rows_stay>() == "bound_rows_stay");
  CHECK(failing<Vrays_stay>() == "rays_stay");
  CHECK(failing<Vwords_stay>() == "words_stay");
  CHECK(failing<Vwants_until_it_ends>() == "wants_until_it_ends");
  CHECK(failing<Vends_after_grants>() == "ends_after_grants");
}

TEST_CASE("an assertion ends a lock step as a difference does") {
  // A swap that ends at the wrong time shows at the pins a cycle later.
  Traffic<LockStep<Vends_after_grants>> traffic({}, 4, 8, 2000, 1, 0.7);
  try {
    while (!traffic.done()) traffic.cycle();
    FAIL("nobody found it");
  } catch (const LockStepDifference& difference) {
    CHECK_THAT(difference.what(), Catch::Contains("cycle ") && Catch::Contains("assertion of the RTL failed") &&
                                      Catch::Contains("rdctrl of warp"));
    CHECK_THAT(difference.waveform(), Catch::Contains("$enddefinitions"));
  }
}
