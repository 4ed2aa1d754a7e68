// SPDX-License-Identifier: Apache-2.0
/// Devices of a host that has several.

#include "platforms/embedding/device.hpp"

#include <catch2/catch.hpp>
#include <fstream>
#include <iterator>
#include <memory>
#include <numeric>
#include <thread>

#include "models/core/error.hpp"
#include "platforms/embedding/kernel_source.hpp"
#include "platforms/embedding/launch_figures.hpp"

using namespace reconverge;
using embedding::Device;
using embedding::DeviceLaunch;

namespace {

const std::string platform = RECONVERGE_SOURCE_DIR "/yaml/platforms/gtx780.yaml";
constexpr std::uint32_t count = 600;

std::shared_ptr<const kernel::Program> saxpy() {
  std::ifstream file(RECONVERGE_SOURCE_DIR "/platforms/kernels/saxpy.ptx");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  return embedding::KernelText({text, "saxpy.ptx"}).load("");
}

std::unique_ptr<Device> device_of(const std::string& machine, const std::vector<std::string>& settings = {}) {
  return std::make_unique<Device>(embedding::DeviceSettings{machine, platform, settings});
}

/// y = 2 x + y on the device, with x = 0, 1, 2 ...; y has `elements` elements. Returns the cycles.
Cycle run(Device& device, std::uint32_t elements = count) {
  std::vector<float> x(count);
  std::iota(x.begin(), x.end(), 0.0F);
  const DeviceAddress from = device.allocate("x", sizeof(float) * count);
  const DeviceAddress to = device.allocate("y", sizeof(float) * elements);
  std::ranges::copy(std::as_bytes(std::span(x)), device.memory(from, sizeof(float) * count).begin());
  DeviceLaunch launch;
  launch.program = saxpy();
  launch.grid = {3};
  launch.block = {256};
  launch.parameters = pack_arguments(*launch.program, std::vector<Argument>{2.0F, from, to, count});
  const launch::LaunchResult result = device.run(launch);
  REQUIRE(result.completed);
  std::vector<float> y(count);
  std::ranges::copy(device.memory(to, sizeof(float) * count), std::as_writable_bytes(std::span(y)).begin());
  for (std::size_t i = 0; i < count; ++i) REQUIRE(y[i] == 2 * x[i]);
  return result.cycles();
}

}  // namespace

TEST_CASE("timed devices run in turns and end in any order, with the cycles of one device") {
  const Cycle expected_small = run(*device_of("timed", {"gpu.sms=1"}));
  const Cycle expected_large = run(*device_of("timed", {"gpu.sms=4", "gpu.sm.scheme=mimd"}));
  CHECK(expected_small > expected_large);
  auto small = device_of("timed", {"gpu.sms=1"});
  auto large = device_of("timed", {"gpu.sms=4", "gpu.sm.scheme=mimd"});
  CHECK(run(*small) == expected_small);
  CHECK(run(*large) == expected_large);
  small.reset();
  const auto functional = device_of("functional");
  CHECK(run(*functional) == 0);
  run(*large);
  CHECK(run(*device_of("timed", {"gpu.sms=1"})) == expected_small);
}

TEST_CASE("devices of several threads take turns") {
  const Cycle expected = run(*device_of("timed", {"gpu.sms=2"}));
  std::vector<Cycle> cycles(3);
  std::vector<std::thread> threads;
  threads.reserve(cycles.size());
  for (Cycle& own : cycles) threads.emplace_back([&own] { own = run(*device_of("timed", {"gpu.sms=2"})); });
  for (std::thread& thread : threads) thread.join();
  CHECK(cycles == std::vector<Cycle>(3, expected));
}

TEST_CASE("a device whose launch failed takes no further one, and its memory can be read") {
  const std::string machine = GENERATE(as<std::string>{}, "timed", "functional");
  const auto device = device_of(machine);
  CHECK_THROWS_WITH(run(*device, 4), Catch::Contains("saxpy.ptx:") && Catch::Contains("outside every buffer"));
  CHECK_THROWS_WITH(run(*device), Catch::Contains("make a new device"));
  const DeviceAddress more = device->allocate("more", 16);
  CHECK(device->memory(more + 4, 12).size() == 12);
  CHECK_THROWS_WITH(device->memory(more + 4, 13), Catch::Contains("exceed buffer 'more' of 16 bytes"));
}

TEST_CASE("a launch that is stopped at its beginning has no result and leaves the device") {
  const auto device = device_of("timed");
  DeviceLaunch launch;
  launch.program = saxpy();
  launch.parameters.resize(launch.program->parameter_bytes);
  launch.grid = {1};
  launch.block = {32};
  CHECK_FALSE(device->run(launch, [](const RunProgress&) { return false; }).completed);
  CHECK(run(*device) > 0);
}

TEST_CASE("platforms are files or shipped ones, and settings are named without an option") {
  CHECK_THROWS_AS(embedding::platform_file("nothing"), InputError);
  CHECK_THROWS_WITH(device_of("timed", {"gpu.smss=3"}),
                    Catch::StartsWith("gpu.smss=3: ") && Catch::Contains("did you mean"));
  CHECK_THROWS_WITH(device_of("timd"), Catch::Contains("timed"));
}
