// SPDX-License-Identifier: Apache-2.0
// Every address maps to one place in one slice and one channel, without gaps.

#include "models/memory/address_map.hpp"

#include <catch2/catch.hpp>
#include <random>
#include <set>

#include "models/core/error.hpp"

namespace reconverge {
namespace {

L2CacheParameters with(std::uint64_t slices, L2CacheHash hash) {
  L2CacheParameters parameters;
  parameters.slices = slices;
  parameters.hash = hash;
  return parameters;
}

}  // namespace

TEST_CASE("division by reciprocal is exact") {
  std::mt19937_64 random(1);
  for (const std::uint64_t divisor : {1ULL, 2ULL, 3ULL, 7ULL, 12ULL, 24ULL, 128ULL, 1'000'003ULL, 1ULL << 63U}) {
    const Divisor by(divisor);
    for (unsigned i = 0; i < 1000; ++i) {
      const std::uint64_t number = i < 8 ? ~std::uint64_t{i} : random() >> (i % 64);
      const auto [quotient, rest] = by.divide(number);
      REQUIRE(quotient == number / divisor);
      REQUIRE(rest == number % divisor);
    }
  }
}

TEST_CASE("places in slices and channels are numbered without gaps") {
  const auto hash = GENERATE(L2CacheHash::modulo, L2CacheHash::fold);
  const std::uint64_t slices = GENERATE(1, 8, 12, 24);
  const auto parameters = with(slices, hash);
  const std::uint64_t channels = slices % 3 == 0 ? slices / 2 : slices;
  const AddressMap map(parameters, channels);
  const std::uint64_t chunks = 64;  // of each slice
  std::set<std::pair<std::uint64_t, std::uint64_t>> in_slices;
  std::set<std::pair<std::uint64_t, std::uint64_t>> in_channels;
  for (std::uint64_t chunk = 0; chunk < slices * chunks; ++chunk) {
    const DeviceAddress address = chunk * parameters.interleave + 40;
    const auto [slice, offset] = map.in_slice(address);
    REQUIRE(offset % parameters.interleave == 40);
    REQUIRE(offset < chunks * parameters.interleave);
    REQUIRE(in_slices.emplace(slice, offset).second);
    const std::uint64_t in_channel = map.offset_in_channel(address);
    REQUIRE(in_channel < slices / channels * chunks * parameters.interleave);
    REQUIRE(in_channels.emplace(map.channel_of(slice), in_channel).second);
  }
}

TEST_CASE("address map: an interleave is in one slice, and a stride of all slices under modulo") {
  const std::uint64_t interleave = GENERATE(128, 256, 4096);
  const auto slices_of_stride = [&](L2CacheHash hash) {
    auto parameters = with(8, hash);
    parameters.interleave = interleave;
    const AddressMap map(parameters, 4);
    std::set<unsigned> slices;
    for (DeviceAddress turn = 0; turn < 64; ++turn) slices.insert(map.in_slice(turn * 8 * parameters.interleave).slice);
    REQUIRE(map.in_slice(0).slice == map.in_slice(parameters.interleave - 1).slice);
    REQUIRE(map.in_slice(0).slice != map.in_slice(parameters.interleave).slice);
    return slices.size();
  };
  REQUIRE(slices_of_stride(L2CacheHash::modulo) == 1);
  REQUIRE(slices_of_stride(L2CacheHash::fold) == 8);
}

TEST_CASE("slices that do not belong to channels, and an interleave that cuts lines, are refused") {
  auto parameters = with(12, L2CacheHash::fold);
  REQUIRE_THROWS_WITH(AddressMap(parameters, 5), Catch::Contains("12 slices for 5 channels"));
  parameters.interleave = 96;
  REQUIRE_THROWS_AS(AddressMap(parameters, 6), InputError);
  parameters.interleave = 64;
  REQUIRE_THROWS_WITH(AddressMap(parameters, 6), Catch::Contains("no less than the line"));
}

}  // namespace reconverge
