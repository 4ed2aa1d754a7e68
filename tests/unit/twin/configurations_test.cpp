// SPDX-License-Identifier: Apache-2.0
/// The selection of one of the built RTL configurations.

#include "models/cosim/twin/configurations.hpp"

#include <array>
#include <catch2/catch.hpp>

#include "models/core/error.hpp"

using namespace reconverge;
using Catch::Contains;

namespace {

struct CounterPorts {
  struct Inputs {};
  struct Outputs {};
  struct Sizes {
    unsigned bits;
  };
  static constexpr const char* parameter = "gpu.counter.implementation";
  static constexpr const char* option = "RECONVERGE_COUNTER_RTL";

  static std::span<const twin::Configuration<CounterPorts>> configurations() {
    static constexpr std::array<twin::Configuration<CounterPorts>, 2> all{{{{8}, nullptr}, {{16}, nullptr}}};
    return all;
  }
  static bool fits(const Sizes& built, const Sizes& wanted) { return built.bits >= wanted.bits; }
  static std::string text_of(const Sizes& sizes) { return std::to_string(sizes.bits) + " bits"; }
};

}  // namespace

TEST_CASE("the first RTL configuration that fits is selected") {
  CHECK(twin::is_built<CounterPorts>({9}));
  CHECK(twin::find_rtl<CounterPorts>({8}).sizes.bits == 8);
  CHECK(twin::find_rtl<CounterPorts>({9}).sizes.bits == 16);
}

TEST_CASE("the error for RTL that was not built names the parameter, the built RTL, and the option of CMake") {
  CHECK_FALSE(twin::is_built<CounterPorts>({17}));
  CHECK_THROWS_AS(twin::find_rtl<CounterPorts>({17}), ParameterError);
  CHECK_THROWS_WITH(twin::find_rtl<CounterPorts>({17}),
                    Contains("no RTL was built for 17 bits; built were: 8 bits; 16 bits") &&
                        Contains("gpu.counter.implementation") && Contains("RECONVERGE_COUNTER_RTL"));
}
