// SPDX-License-Identifier: Apache-2.0
/// The shipped experiments of kernels whose results are too large for a file: they leave the same results as the native
/// twins.

#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <set>

#include "tests/system/experiment_buffers.hpp"
#include "tests/unit/kernels/tessellation.hpp"

using namespace reconverge::tests;
namespace kernels = reconverge::kernels;

TEST_CASE("the shading megakernel and the twins leave the same memory for the same rays") {
  const TemporaryFolder place;
  const auto* setting = GENERATE("machine=timed", "machine=functional");
  run_with_outputs("shading_megakernel",
                   {"nodes", "rows", "triangle_of_row", "material_of_triangle", "rays", "hits", "texels", "colours"},
                   setting, place);
  const auto read = [&]<typename T>(const char* name, T /*type*/) {
    return read_buffer<T>(place.path() / "out" / fmt::format("{}.bin", name));
  };
  const auto rays = read("rays", kernels::Ray{});
  const auto hits = read("hits", kernels::Hit{});
  const auto count = static_cast<unsigned>(rays.size());
  const auto shape = kernels::shape_for(count);
  std::vector<kernels::Hit> expected_hits(count);
  kernels::twin("trace_while_while")(shape, read("nodes", kernels::BvhNode{}).data(),
                                     read("rows", kernels::Float4{}).data(), read("triangle_of_row", 0).data(),
                                     rays.data(), expected_hits.data(), count);
  REQUIRE(same_bytes(hits, expected_hits));

  const auto materials = read("material_of_triangle", 0U);
  const auto colours = read("colours", kernels::Float4{});
  std::vector<kernels::Float4> expected(count);
  kernels::twin("shade_megakernel")(shape, rays.data(), hits.data(), materials.data(),
                                    read("texels", kernels::Float4{}).data(), 256U, expected.data(), count);
  CHECK(same_bytes(colours, expected));
  // It needs different programs: all seven of them, one after the other, in any order.
  std::set<unsigned> programs;
  unsigned changes = 0;
  for (unsigned i = 0; i < count; ++i) {
    const auto program_of = [&](unsigned ray) {
      return hits[ray].triangle < 0 ? 7 : materials.at(static_cast<std::size_t>(hits[ray].triangle)) % 7;
    };
    programs.insert(program_of(i));
    changes += i != 0 && program_of(i) != program_of(i - 1) ? 1U : 0U;
  }
  CHECK(programs.size() >= 7);
  CHECK(changes > count / 4);
}

TEST_CASE("material mapping leaves the picture of the twin") {
  constexpr unsigned side = 256;
  const TemporaryFolder place;
  const auto* setting =
      GENERATE("machine=timed", "machine=functional", "gpu.sm.scheme=mimd", "gpu.sm.scheme=thread_block_compaction");
  run_with_outputs("material_mapping", {"heights", "texels", "colours"}, setting, place);
  const auto mask = read_buffer<unsigned>(place.path() / "out" / "heights.bin");
  const auto texels = read_buffer<kernels::Float4>(place.path() / "out" / "texels.bin");
  const auto colours = read_buffer<kernels::Float4>(place.path() / "out" / "colours.bin");
  kernels::Tessellation map;
  map.side = side;
  map.amplitude = 1;
  const std::vector<float> heights = kernels::displacement_map(map).heights;
  REQUIRE(same_bytes(mask, heights));
  std::vector<kernels::Float4> expected(side * side);
  kernels::twin("material_mapping")({{16, 32, 1}, {16, 8, 1}}, mask.data(), texels.data(), 64U, side, side,
                                    expected.data());
  CHECK(same_bytes(colours, expected));
  const auto wood = static_cast<unsigned>(std::count(mask.begin(), mask.end(), 0U));
  CHECK(wood > side * side / 4);
  CHECK(wood < side * side * 3 / 4);
}

TEST_CASE("tessellation in each form leaves the triangles and the picture of the twins") {
  const TemporaryFolder place;
  using Run = std::pair<const char*, const char*>;
  const auto [name, setting] = GENERATE(
      Run("tessellation", "machine=timed"), Run("tessellation", "machine=functional"),
      Run("tessellation", "gpu.sm.scheme=mimd"), Run("tessellation", "gpu.sm.scheme=thread_block_compaction"),
      Run("tessellation_stack", "machine=timed"), Run("tessellation_stack", "machine=functional"),
      Run("tessellation_stack", "gpu.sm.scheme=mimd"),
      Run("tessellation_stack", "gpu.sm.scheme=thread_block_compaction"), Run("tessellation_alone", "machine=timed"),
      Run("tessellation_alone", "machine=functional"), Run("tessellation_alone", "machine=streams"));
  run_file(experiments + name + ".yaml", setting, place.path() / "out");

  kernels::Tessellation what;
  what.around = 32;
  what.across = 16;
  what.depth = 6;
  what.capacity = 8000;
  const kernels::Map map = kernels::displacement_map(what);
  kernels::Leaves expected = kernels::by_stack(what, map, kernels::torus(what));
  CHECK(read_buffer<int>(place.path() / "out" / "picture.bin") ==
        kernels::picture(what, map, expected, 150.0F, 256, 192));
  auto leaves = read_buffer<kernels::Record>(place.path() / "out" / "leaves.bin");
  kernels::sort_records(std::as_writable_bytes(std::span(leaves)));
  kernels::sort_records(std::as_writable_bytes(std::span(expected.records)));
  CHECK(same_bytes(leaves, expected.records));
}
