// SPDX-License-Identifier: Apache-2.0
#include "platforms/experiment/judged_hits.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

#include "scenes/structures/bvh.hpp"
#include "scenes/structures/trace_scalar.hpp"
#include "tests/unit/scenes/test_support.hpp"

using namespace reconverge;
using namespace reconverge::scenes;

namespace {

/// More rays than fit one part, and hits, some of them wrong.
struct Judged {
  Judged() {
    for (const std::size_t wrong : {7U, 40'000U, 69'999U}) {
      hits[wrong].t *= 0.5F;
      hits[wrong].triangle = 0;
    }
  }

  Mesh mesh = random_mesh(11, 200, 1.0F, 0.3F);
  EmbreeScene oracle{mesh};
  std::vector<Ray> rays = random_rays(12, 70'000, 1.0F);
  std::vector<Hit> hits = trace_scalar(build_bvh(mesh), rays);
};

void expect_same(const HitComparison& parts, const HitComparison& whole) {
  CHECK(parts.rays == whole.rays);
  CHECK(parts.equal == whole.equal);
  CHECK(parts.ties == whole.ties);
  CHECK(parts.edges == whole.edges);
  CHECK(parts.mismatches == whole.mismatches);
  CHECK(parts.max_relative_distance_error == whole.max_relative_distance_error);
  REQUIRE(parts.examples.size() == whole.examples.size());
  for (std::size_t i = 0; i < whole.examples.size(); ++i) {
    CHECK(parts.examples[i].ray == whole.examples[i].ray);
    CHECK(parts.examples[i].reason == whole.examples[i].reason);
  }
}

}  // namespace

TEST_CASE("judging hits in parts has the same result as judging all together") {
  Judged judged;
  const auto always = [] { return true; };
  SECTION("few are wrong") {
    const auto parts = judged_hits({judged.mesh, judged.oracle}, judged.rays, judged.hits, false, always);
    REQUIRE(parts);
    CHECK(parts->mismatches > 1);
    CHECK(parts->examples.back().ray > 32'768);
    expect_same(*parts, compare_hits(judged.mesh, judged.oracle, judged.rays, judged.hits));
  }
  SECTION("most are wrong, and a few are examples") {
    for (Hit& hit : judged.hits) hit.t *= 0.5F;
    const auto parts = judged_hits({judged.mesh, judged.oracle}, judged.rays, judged.hits, false, always);
    REQUIRE(parts);
    expect_same(*parts, compare_hits(judged.mesh, judged.oracle, judged.rays, judged.hits));
  }
  SECTION("any triangle that blocks the ray is correct") {
    const auto parts = judged_hits({judged.mesh, judged.oracle}, judged.rays, judged.hits, true, always);
    REQUIRE(parts);
    expect_same(*parts, compare_occlusion(judged.mesh, judged.oracle, judged.rays, judged.hits));
  }
}

TEST_CASE("the caller can stop judging before any part") {
  const Judged judged;
  for (unsigned most = 0; most < 3; ++most) {
    unsigned asked = 0;
    CHECK_FALSE(
        judged_hits({judged.mesh, judged.oracle}, judged.rays, judged.hits, false, [&] { return asked++ < most; }));
    CHECK(asked == most + 1);
  }
}

TEST_CASE("without rays no hits are wrong") {
  const Judged judged;
  const auto none = judged_hits({judged.mesh, judged.oracle}, {}, {}, false, [] { return false; });
  REQUIRE(none);
  CHECK(none->rays == 0);
  CHECK(none->ok());
}
