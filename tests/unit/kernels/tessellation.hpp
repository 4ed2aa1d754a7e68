// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Adaptive tessellation of the displaced torus by the native twins, which is the expected result of every machine.

#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

#include "platforms/kernels/kernels.h"
#include "platforms/kernels/twins.hpp"

namespace reconverge::kernels {

/// A triangle of a stream: its six rows in memory.
using Record = std::array<Float4, 6>;

struct Tessellation {
  unsigned side = 64;         ///< side of the map, in texels
  float amplitude = 0.5F;     ///< amplitude of the map
  unsigned around = 16;       ///< patches around the torus
  unsigned across = 8;        ///< patches around its tube
  float tolerance = 0.02F;    ///< tolerance in the picture, at distance 1
  unsigned depth = 9;         ///< number of rounds that may split
  unsigned capacity = 60000;  ///< triangles of each stream
  unsigned run = 1024;        ///< leaves of each base triangle, if these have separate runs

  unsigned base_count() const { return 2 * around * across; }
};

struct Map {
  std::vector<float> heights, bounds;
};

inline Map displacement_map(const Tessellation& what) {
  Map map{std::vector<float>(what.side * what.side), std::vector<float>(2 * ((what.side * what.side - 1) / 3))};
  twin("displacement_map")({{1, 1, 1}, {128, 1, 1}}, map.heights.data(), map.bounds.data(), what.side, what.amplitude);
  return map;
}

inline std::vector<Record> torus(const Tessellation& what) {
  std::vector<Record> base(what.base_count());
  twin("torus_patches")(shape_for(what.base_count() / 2), base.data()->data(), what.around, what.across);
  return base;
}

/// Streams after all rounds. Counts are numbers of triangles that requested an entry.
struct Leaves {
  std::vector<Record> records;
  unsigned count = 0;
  std::vector<unsigned> round_counts;  ///< triangles that enter each round of tessellate_pass
};

inline Leaves by_passes(const Tessellation& what, const Map& map, const std::vector<Record>& base) {
  Leaves leaves{std::vector<Record>(what.capacity), 0, {what.base_count()}};
  std::vector<Record> triangles = base;
  std::vector<Record> parts(what.capacity);
  triangles.resize(what.capacity);
  for (unsigned round = 0; round <= what.depth; ++round) {
    unsigned part_count = 0;
    twin("tessellate_pass")(LaunchShape{{2, 1, 1}, {96, 1, 1}}, triangles.data(), &leaves.round_counts.back(),
                            round < what.depth ? parts.data() : nullptr, &part_count, leaves.records.data(),
                            &leaves.count, what.capacity, map.heights.data(), map.bounds.data(), what.side,
                            what.tolerance);
    leaves.round_counts.push_back(part_count);
    triangles.swap(parts);
  }
  return leaves;
}

inline Leaves by_stack(const Tessellation& what, const Map& map, const std::vector<Record>& base) {
  Leaves leaves{std::vector<Record>(what.capacity), 0, {}};
  twin("tessellate_stack")(shape_for(what.base_count()), base.data(), what.base_count(), what.depth,
                           leaves.records.data(), &leaves.count, what.capacity, map.heights.data(), map.bounds.data(),
                           what.side, what.tolerance);
  return leaves;
}

/// The leaves of each base triangle, in separate runs.
struct Runs {
  std::vector<Record> records;  ///< `run` entries for each base triangle
  std::vector<unsigned> counts;
};

inline Runs runs_of(const Tessellation& what, const Map& map, const std::vector<Record>& base) {
  const auto count = static_cast<unsigned>(base.size());
  Runs runs{std::vector<Record>(std::size_t{count} * what.run), std::vector<unsigned>(count)};
  twin("tessellate_alone")(shape_for(count), base.data(), count, what.depth, runs.records.data(), runs.counts.data(),
                           what.run, map.heights.data(), map.bounds.data(), what.side, what.tolerance);
  return runs;
}

inline Leaves packed(const Tessellation& what, const Runs& runs) {
  const auto count = static_cast<unsigned>(runs.counts.size());
  Leaves leaves{std::vector<Record>(what.capacity), 0, {}};
  twin("pack_runs")(shape_for(count), runs.records.data(), runs.counts.data(), count, what.run, leaves.records.data(),
                    &leaves.count);
  return leaves;
}

/// Sorts records into a canonical order. `bytes` contains whole records.
inline void sort_records(std::span<std::byte> bytes) {
  std::vector<std::array<std::byte, sizeof(Record)>> records(bytes.size() / sizeof(Record));
  std::memcpy(records.data(), bytes.data(), bytes.size());
  std::sort(records.begin(), records.end());
  std::memcpy(bytes.data(), records.data(), bytes.size());
}

inline std::vector<int> picture(const Tessellation& what, const Map& map, const Leaves& leaves, float scale,
                                unsigned width, unsigned height) {
  std::vector<int> pixels(width * height);
  twin("draw_displaced")(LaunchShape{{4, 1, 1}, {64, 1, 1}}, leaves.records.data(), &leaves.count, map.heights.data(),
                         what.side, scale, pixels.data(), width, height);
  return pixels;
}

}  // namespace reconverge::kernels
