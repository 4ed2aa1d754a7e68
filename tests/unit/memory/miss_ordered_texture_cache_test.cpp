// SPDX-License-Identifier: Apache-2.0
// The texture cache whose hits can pass and whose misses are answered in order, between traffic and a next level of
// fixed latency.

#include "models/memory/miss_ordered_texture_cache.hpp"

#include "tests/unit/memory/l1_bench.hpp"

namespace reconverge::tests {
namespace {

struct Bench : CacheBench<MissOrderedTextureCache> {
  /// Four sets of two lines of 128 bytes.
  static TextureCacheParameters small() {
    TextureCacheParameters parameters;
    parameters.capacity = 1024;
    parameters.line = 128;
    parameters.ways = 2;
    parameters.banks = 1;
    parameters.hit_latency = hit;
    parameters.mshrs = 8;
    return parameters;
  }
  static constexpr DeviceAddress same_set = 512;

  explicit Bench(const TextureCacheParameters& parameters = small()) : CacheBench(parameters) {}
};

constexpr Cycle miss = Bench::fill + Bench::hit;

}  // namespace

TEST_CASE("miss-ordered texture cache: a hit takes its latency and a miss adds that of the next level") {
  Bench bench;
  REQUIRE(bench.isolated(read(0)) == miss);
  REQUIRE(bench.isolated(read(0)) == Bench::hit);
  REQUIRE(bench.statistics().misses == 1);
  REQUIRE(bench.statistics().hits == 1);
  REQUIRE(bench.statistics().fetched_sectors == 4);
}

TEST_CASE("miss-ordered texture cache: a hit passes misses but a request of a pending line waits") {
  Bench bench;
  bench.isolated(read(0));
  const Cycle start = bench.traffic.now();
  const auto missed = bench.traffic.send(read(128));
  const auto hit = bench.traffic.send(read(0));
  const auto coming = bench.traffic.send(read(128));
  bench.run(1000);
  REQUIRE(bench.traffic.answered(missed) == start + miss);
  REQUIRE(bench.traffic.answered(hit) == start + 1 + Bench::hit);
  REQUIRE(bench.traffic.answered(coming) == start + miss + 1);
  REQUIRE(bench.statistics().misses == 2);
  REQUIRE(bench.statistics().merges == 1);
  REQUIRE(bench.statistics().hits == 1);
}

TEST_CASE("miss-ordered texture cache: a miss waits for earlier misses even if its data arrives first") {
  Bench bench;
  const Cycle start = bench.traffic.now();
  const auto first = bench.traffic.send(read(0));
  bench.traffic.run(1);
  bench.next.latency = 30;
  const auto second = bench.traffic.send(read(128));
  bench.run(1000);
  REQUIRE(bench.traffic.answered(first) == start + miss);
  REQUIRE(bench.traffic.answered(second) == start + miss + 1);
}

TEST_CASE("miss-ordered texture cache: a miss reserves no line so any number of a set can be pending") {
  Bench bench;
  bench.isolated(read(0));
  bench.isolated(read(Bench::same_set));
  const Cycle start = bench.traffic.now();
  std::vector<std::uint32_t> missed;
  for (unsigned i = 2; i < 5; ++i) missed.push_back(bench.traffic.send(read(i * Bench::same_set)));
  const auto hit = bench.traffic.send(read(0));  // still present
  bench.run(1000);
  for (unsigned i = 0; i < 3; ++i) REQUIRE(bench.traffic.answered(missed[i]) == start + miss + i);
  REQUIRE(bench.traffic.answered(hit) == start + 3 + Bench::hit);
  REQUIRE(bench.statistics().mshr_stalls == 0);
  // The last two that arrived have the lines.
  REQUIRE(bench.isolated(read(4 * Bench::same_set)) == Bench::hit);
  REQUIRE(bench.isolated(read(3 * Bench::same_set)) == Bench::hit);
  REQUIRE(bench.isolated(read(2 * Bench::same_set)) == miss);
}

TEST_CASE("miss-ordered texture cache: the MSHRs limit waiting misses and a hit needs none") {
  auto parameters = Bench::small();
  parameters.mshrs = 2;
  Bench bench(parameters);
  const Cycle start = bench.traffic.now();
  std::vector<std::uint32_t> sent;
  for (unsigned i = 0; i < 3; ++i) sent.push_back(bench.traffic.send(read(i * 128)));
  bench.run(2000);
  REQUIRE(bench.traffic.answered(sent[1]) == start + miss + 1);
  // The third enters when the next level has answered the first.
  REQUIRE(bench.traffic.answered(sent[2]) == start + Bench::fill + miss);
  REQUIRE(bench.statistics().mshr_stalls == 1);
}

TEST_CASE("miss-ordered texture cache: requests and answered misses per cycle are limited") {
  auto parameters = Bench::small();
  parameters.banks = GENERATE(1, 2);
  Bench bench(parameters);
  const Cycle start = bench.traffic.now();
  std::vector<std::uint32_t> sent;
  for (unsigned i = 0; i < 4; ++i) sent.push_back(bench.traffic.send(read(0)));
  bench.run(1000);
  for (Cycle i = 0; i < 4; ++i) REQUIRE(bench.traffic.answered(sent[i]) == start + miss + i / parameters.banks);
}

TEST_CASE("miss-ordered texture cache: between launches all is forgotten") {
  Bench bench;
  bench.isolated(read(0));
  bench.cache.invalidate();
  REQUIRE(bench.isolated(read(0)) == miss);
}

}  // namespace reconverge::tests
