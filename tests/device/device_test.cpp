// SPDX-License-Identifier: Apache-2.0
// A GPU leaves the same memory as the untimed machine. Skipped, with the reason printed, if there is no GPU.
// Environment: RECONVERGE_CUDA_DRIVER is the driver's library (libcuda.so.1), RECONVERGE_RANDOM_PROGRAMS the number of
// random programs (200), RECONVERGE_RANDOM_SEED the first seed (1).

#include <catch2/catch.hpp>
#include <cstdlib>
#include <iostream>
#include <optional>

#include "tests/device/comparison.hpp"
#include "tests/device/device_cases.hpp"
#include "tests/repetition.hpp"

namespace reconverge::tests {
namespace {

/// The cases are built only if there is a device to run them.
template <typename MakeCases>
void check(MakeCases make_cases) {
  const char* const library = std::getenv("RECONVERGE_CUDA_DRIVER");
  std::optional<device::Device> device;
  try {
    device.emplace(library == nullptr ? "libcuda.so.1" : library);
  } catch (const device::Unavailable& reason) {
    std::cout << "skipped: " << reason.what() << '\n';
    return;
  }
  const Comparison comparison = compare(*device, make_cases());
  std::cout << device->name() << " (sm_" << device->capability() << "): " << comparison.summary() << '\n';
  for (const std::string& failure : comparison.failures) FAIL_CHECK(failure);
  CHECK(comparison.equal > 0);
}

}  // namespace

TEST_CASE("a GPU agrees about the kernels", "[gpu]") { check(kernel_cases); }
TEST_CASE("a GPU agrees about the corpus as nvcc made it", "[gpu]") { check(nvcc_cases); }
TEST_CASE("a GPU agrees about the corpus as clang makes it", "[gpu]") { check(clang_cases); }
TEST_CASE("a GPU agrees about the contract suite", "[gpu]") { check(contract_cases); }
TEST_CASE("a GPU agrees about every form of every operation", "[gpu]") { check(operation_cases); }
TEST_CASE("a GPU agrees about random programs", "[gpu]") {
  check([] {
    return random_cases(from_environment("RECONVERGE_RANDOM_SEED", 1),
                        from_environment("RECONVERGE_RANDOM_PROGRAMS", 200));
  });
}

}  // namespace reconverge::tests
