// SPDX-License-Identifier: Apache-2.0
#include "models/kernel/analysis/occupancy.hpp"

#include <catch2/catch.hpp>
#include <filesystem>
#include <optional>
#include <string>

#include "models/core/quantity.hpp"
#include "models/core/yaml_file.hpp"

namespace reconverge::kernel {
namespace {

// The machine of Steffen and Zambreno (MICRO 2010), Table I: 1024 threads, 8 blocks, 16384 registers and 64 KB an SM.
constexpr SmLimits fx5800 = {16384, 1, 64 << 10, 1024 / 32, 8};

std::uint64_t warps_allowed_by(Resource resource, const Occupancy& found) {
  return found.warps_by_resource[static_cast<std::size_t>(resource)];
}

/// The value of a claim in shared/claims.yaml next to the source tree, if that file exists. The values in this test
/// must equal it.
std::optional<std::uint64_t> claimed(const std::string& id) {
  const auto file = std::filesystem::path(RECONVERGE_SOURCE_DIR) / ".." / "shared" / "claims.yaml";
  if (!std::filesystem::exists(file)) return {};
  for (const YamlNode& claim : read_yaml(file).find("dmk")->items()) {
    if (claim.find("id")->scalar() == id) return parse_count(claim.find("value")->scalar());
  }
  FAIL("no claim " << id);
  return {};
}

}  // namespace

TEST_CASE("the micro-kernels of the DMK paper fit 800 threads an SM") {
  // Section VI-A and Table II: 20 registers and 56 bytes of shared memory a thread, launched by warp.
  const Occupancy found = occupancy({20, 56 * 64, 64}, fx5800, LaunchUnit::warp);
  CHECK(found.threads == 800);
  CHECK(claimed("dmk.occupancy.ukernel").value_or(800) == found.threads);
  CHECK(found.warps == 25);
  CHECK(found.limit == Resource::registers);
}

TEST_CASE("the traditional kernel of the DMK paper fits 512 threads an SM") {
  // Section VI-A and Table II: 22 registers and 60 bytes of shared memory a thread, blocks of two warps.
  const Occupancy found = occupancy({22, 60 * 64, 64}, fx5800, LaunchUnit::block);
  CHECK(found.threads == 512);
  CHECK(claimed("dmk.occupancy.traditional").value_or(512) == found.threads);
  CHECK(found.blocks == 8);
  CHECK(found.limit == Resource::block_slots);
  // Without the limit of shared memory, registers allow 736 threads by warp, or 704 in whole blocks.
  CHECK(occupancy({22, 0, 64}, fx5800, LaunchUnit::warp).threads == 736);
  CHECK(warps_allowed_by(Resource::registers, found) * 32 == 704);
}

TEST_CASE("each resource can be the limit") {
  // CUDA C Programming Guide 8.0, table of technical specifications, compute capability 3.5; registers are allocated to
  // a warp in units of 256 (CUDA occupancy calculator).
  const SmLimits kepler = {65536, 256, 48 << 10, 64, 16};
  CHECK(occupancy({32, 0, 256}, kepler, LaunchUnit::block).limit == Resource::registers);
  CHECK(occupancy({32, 0, 256}, kepler, LaunchUnit::block).warps == 64);
  // 33 registers a thread are 1056 a warp, rounded to 1280: 51 warps, six whole blocks of eight.
  const Occupancy rounded = occupancy({33, 0, 256}, kepler, LaunchUnit::block);
  CHECK(rounded.warps == 48);
  CHECK(rounded.blocks == 6);
  CHECK(rounded.threads == 1536);
  CHECK(occupancy({33, 0, 256}, kepler, LaunchUnit::warp).warps == 51);
  const Occupancy slots = occupancy({16, 0, 256}, kepler, LaunchUnit::block);
  CHECK(slots.limit == Resource::warp_slots);
  CHECK(slots.threads == 2048);
  const Occupancy shared = occupancy({16, 10 << 10, 256}, kepler, LaunchUnit::block);
  CHECK(shared.limit == Resource::shared_memory);
  CHECK(shared.blocks == 4);
  CHECK(shared.warps == 32);
  CHECK(occupancy({16, 0, 64}, kepler, LaunchUnit::block).limit == Resource::block_slots);
  CHECK(warps_allowed_by(Resource::shared_memory, slots) == Occupancy::unlimited);
}

TEST_CASE("occupancy is zero if nothing fits, and counts only the threads of partly filled warps") {
  CHECK(occupancy({255, 0, 1024}, fx5800, LaunchUnit::block).blocks == 0);
  CHECK(occupancy({255, 0, 1024}, fx5800, LaunchUnit::warp).warps == 2);
  CHECK(occupancy({16, 65 << 10, 32}, fx5800, LaunchUnit::block).blocks == 0);
  CHECK(occupancy({8, 0, 48}, fx5800, LaunchUnit::block).threads == 8 * 48);
  CHECK(occupancy({0, 0, 32}, fx5800, LaunchUnit::warp).warps == 32);
}

TEST_CASE("a launch by warp has at least the occupancy of a launch by block") {
  for (std::uint64_t registers = 0; registers < 80; registers += 7) {
    for (std::uint64_t shared = 0; shared < 70'000; shared += 1'111) {
      for (const std::uint64_t threads : {1U, 32U, 33U, 64U, 200U, 1024U}) {
        const LaunchNeeds needs = {registers, shared, threads};
        const Occupancy by_warp = occupancy(needs, fx5800, LaunchUnit::warp);
        const Occupancy by_block = occupancy(needs, fx5800, LaunchUnit::block);
        REQUIRE(by_warp.warps >= by_block.warps);
        REQUIRE(by_block.warps * registers * 32 <= fx5800.registers);
        REQUIRE(by_block.blocks * shared <= fx5800.shared_memory);
        REQUIRE(by_block.threads == by_block.blocks * threads);
      }
    }
  }
}

}  // namespace reconverge::kernel
