// SPDX-License-Identifier: Apache-2.0
#include "platforms/cuda/kernel_name.hpp"

#include <catch2/catch.hpp>

using reconverge::cuda::kernel_name;

TEST_CASE("mangled kernel names are converted to names of the source") {
  CHECK(kernel_name("_Z3addPKfS0_Pfj") == "add");
  CHECK(kernel_name("_Z5scaleIfEvPT_") == "scale<float>");
  CHECK(kernel_name("_ZN4math3sumILi4EEEvPi") == "math::sum<4>");
  CHECK(kernel_name("_ZN12_GLOBAL__N_14walkEPFivE") == "(anonymous namespace)::walk");
  CHECK(kernel_name("saxpy") == "saxpy");
}
