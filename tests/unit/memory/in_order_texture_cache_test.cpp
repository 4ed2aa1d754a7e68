// SPDX-License-Identifier: Apache-2.0
// The texture cache that responds in order, between traffic and a next level of fixed latency.

#include "models/memory/in_order_texture_cache.hpp"

#include "tests/unit/memory/l1_bench.hpp"

namespace reconverge::tests {
namespace {

struct Bench : CacheBench<InOrderTextureCache> {
  /// Four sets of two lines of 128 bytes, one request a cycle.
  static TextureCacheParameters small() {
    TextureCacheParameters parameters;
    parameters.capacity = 1024;
    parameters.line = 128;
    parameters.ways = 2;
    parameters.banks = 1;
    parameters.hit_latency = hit;
    parameters.mshrs = 8;
    parameters.fragments = 16;
    return parameters;
  }
  static constexpr DeviceAddress same_set = 512;

  explicit Bench(const TextureCacheParameters& parameters = small()) : CacheBench(parameters) {}
};

// Requested in the cycle after the lookup; the response follows the fill by a hit's latency after the FIFO.
constexpr Cycle miss = 1 + Bench::fill + Bench::hit - 1;

}  // namespace

TEST_CASE("in-order texture cache: a hit takes its latency and a miss adds that of the next level") {
  Bench bench;
  REQUIRE(bench.isolated(read(0)) == miss);
  REQUIRE(bench.isolated(read(0)) == Bench::hit);
  REQUIRE(bench.statistics().misses == 1);
  REQUIRE(bench.statistics().hits == 1);
  REQUIRE(bench.statistics().fetched_sectors == 4);
}

TEST_CASE("in-order texture cache: a hit waits for an earlier miss and a pending line is a hit") {
  Bench bench;
  bench.isolated(read(0));
  const Cycle start = bench.traffic.now();
  const auto missed = bench.traffic.send(read(128));
  const auto hit = bench.traffic.send(read(0));
  const auto coming = bench.traffic.send(read(128));
  bench.run(1000);
  REQUIRE(bench.traffic.answered(missed) == start + miss);
  REQUIRE(bench.traffic.answered(hit) == start + miss + 1);
  REQUIRE(bench.traffic.answered(coming) == start + miss + 2);
  REQUIRE(bench.statistics().misses == 2);
  REQUIRE(bench.statistics().hits == 2);
}

TEST_CASE("in-order texture cache: a pending line may be replaced") {
  Bench bench;
  const Cycle start = bench.traffic.now();
  std::vector<std::uint32_t> sent;
  for (unsigned i = 0; i < 3; ++i) sent.push_back(bench.traffic.send(read(i * Bench::same_set)));
  sent.push_back(bench.traffic.send(read(0)));  // evicted
  bench.run(2000);
  REQUIRE(bench.statistics().misses == 4);
  for (unsigned i = 0; i < 4; ++i) REQUIRE(bench.traffic.answered(sent[i]) == start + miss + i);
}

TEST_CASE("in-order texture cache: the FIFO limits waiting requests and the MSHRs limit misses") {
  auto parameters = Bench::small();
  const bool few_misses = GENERATE(false, true);
  (few_misses ? parameters.mshrs : parameters.fragments) = 2;
  Bench bench(parameters);
  const Cycle start = bench.traffic.now();
  std::vector<std::uint32_t> sent;
  for (unsigned i = 0; i < 3; ++i) sent.push_back(bench.traffic.send(read(i * 128)));
  bench.run(2000);
  REQUIRE(bench.traffic.answered(sent[1]) == start + miss + 1);
  // The third enters when the first leaves, in the cycle of its fill.
  REQUIRE(bench.traffic.answered(sent[2]) == start + 1 + Bench::fill + miss);
  REQUIRE(bench.statistics().mshr_stalls == 1);
}

}  // namespace reconverge::tests
