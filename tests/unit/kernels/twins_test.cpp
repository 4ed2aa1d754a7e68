// SPDX-License-Identifier: Apache-2.0
#include "platforms/kernels/twins.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "models/core/error.hpp"
#include "platforms/kernels/block_fibres.hpp"

namespace reconverge::kernels {

TEST_CASE("a twin is found by the name of its kernel") {
  CHECK(twin("saxpy").name() == "saxpy");
  std::set<std::string_view> names;
  for (const Twin& t : twins()) names.insert(t.name());
  CHECK(names.size() == twins().size());
  CHECK_THROWS_WITH(twin("saxpi"), Catch::Contains("no kernel 'saxpi'") && Catch::Contains("saxpy"));
}

TEST_CASE("parameters have the same offsets as in PTX") {
  const auto parameters = twin("saxpy").parameters();  // f32, u64, u64, u32
  REQUIRE(parameters.size() == 4);
  CHECK(parameters[0].offset == 0);
  CHECK_FALSE(parameters[0].pointer);
  CHECK(parameters[1].offset == 8);  // aligned
  CHECK(parameters[1].bytes == 8);
  CHECK(parameters[1].pointer);
  CHECK(parameters[2].offset == 16);
  CHECK(parameters[3].offset == 24);
  CHECK(parameters[3].bytes == 4);
}

TEST_CASE("wrong arguments and shapes are refused before anything runs") {
  std::vector<float> x(4, 1.0F);
  std::vector<float> y(4, 1.0F);
  const Twin& saxpy = twin("saxpy");
  CHECK_THROWS_AS(saxpy(shape_for(4), 1.0F, x.data(), y.data()), InputError);
  CHECK_THROWS_WITH(saxpy(shape_for(4), 1.0, x.data(), y.data(), 4U), Catch::Contains("argument 0"));
  CHECK_THROWS_WITH(saxpy({{0, 1, 1}, {1, 1, 1}}, 1.0F, x.data(), y.data(), 4U), Catch::Contains("0 x 1 x 1"));
  CHECK_THROWS_WITH(saxpy({{1, 1, 1}, {32, 33, 1}}, 1.0F, x.data(), y.data(), 4U), Catch::Contains("at most 1024"));
  CHECK_THROWS_AS(saxpy.run(shape_for(4), std::vector<std::byte>(27)), InputError);
  CHECK(y == std::vector<float>(4, 1.0F));
}

TEST_CASE("shape_for returns enough whole blocks for the elements") {
  CHECK(shape_for(0).grid.x == 1);
  CHECK(shape_for(128).grid.x == 1);
  CHECK(shape_for(129).grid.x == 2);
  CHECK(shape_for(0xffffffffU, 128).grid.x == 0x2000000U);
  CHECK(shape_for(5, 64).block.x == 64);
}

TEST_CASE("fibres: no thread passes a barrier before all threads reach it") {
  constexpr unsigned threads = 17;
  constexpr unsigned barriers = 5;
  std::vector<unsigned> order;
  BlockFibres fibres(threads);
  for (int block = 0; block < 3; ++block) {
    order.clear();
    fibres.run([&](unsigned thread) {
      place.thread = {thread, 0, 0};
      for (unsigned b = 0; b < barriers; ++b) {
        order.push_back(b);
        synchronise();
        if (place.thread.x != thread) order.push_back(threads);  // each fibre keeps its thread's index
      }
    });
    CHECK(order.size() == std::size_t{threads} * barriers);
    CHECK(std::is_sorted(order.begin(), order.end()));
  }
}

TEST_CASE("fibres: an ended thread does not delay other threads") {
  constexpr unsigned threads = 8;
  std::vector<unsigned> passed(threads, 0);
  BlockFibres fibres(threads);
  fibres.run([&](unsigned thread) {
    for (unsigned b = 0; b < thread; ++b) {
      synchronise();
      ++passed[thread];
    }
  });
  for (unsigned thread = 0; thread < threads; ++thread) CHECK(passed[thread] == thread);
}

TEST_CASE("a barrier outside fibres is an error") { CHECK_THROWS_AS(synchronise(), std::logic_error); }

TEST_CASE("the host's minimum and maximum equal those of PTX") {
  const float nan = bits_float(0x7fc00000U);
  CHECK(minimum(1.0F, 2.0F) == 1.0F);
  CHECK(maximum(1.0F, 2.0F) == 2.0F);
  CHECK(minimum(nan, 3.0F) == 3.0F);
  CHECK(minimum(3.0F, nan) == 3.0F);
  CHECK(maximum(nan, 3.0F) == 3.0F);
  CHECK(maximum(3.0F, nan) == 3.0F);
  CHECK(float_bits(minimum(0.0F, -0.0F)) == 0x80000000U);
  CHECK(float_bits(minimum(-0.0F, 0.0F)) == 0x80000000U);
  CHECK(float_bits(maximum(0.0F, -0.0F)) == 0U);
  CHECK(float_bits(maximum(-0.0F, 0.0F)) == 0U);
}

TEST_CASE("the host's atomics return the old value and wrap") {
  int number = 0x7fffffff;
  CHECK(atomic_add(&number, 1) == 0x7fffffff);
  CHECK(number == static_cast<int>(0x80000000U));
  CHECK(atomic_max(&number, -5) == static_cast<int>(0x80000000U));
  CHECK(number == -5);
  CHECK(atomic_max(&number, -7) == -5);
  CHECK(number == -5);
}

}  // namespace reconverge::kernels
