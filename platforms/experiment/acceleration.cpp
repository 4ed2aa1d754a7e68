// SPDX-License-Identifier: Apache-2.0
#include "platforms/experiment/acceleration.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>
#include <string>

#include "models/core/error.hpp"
#include "scenes/structures/structure_cache.hpp"

namespace reconverge {

namespace {

/// The parameters of a kernel that traces with a structure: addresses, the number of rays, and values of the structure.
struct Signature {
  std::string_view by;
  std::size_t addresses;  ///< the last two are rays and hits
  std::size_t values;
  std::uint64_t stack_bytes;  ///< of each ray if threads create others; 0: there are no such kernels
  std::uint64_t place_bytes;  ///< of each place if rays move from thread to thread; 0: there are no such kernels
  std::string_view text;
};

const Signature& signature(WorkloadStructure structure) {
  // Stacks as in platforms/kernels/kernels.h.
  static constexpr Signature bvh{"a BVH",
                                 5,
                                 0,
                                 64 * sizeof(std::uint32_t),
                                 65 * sizeof(std::uint32_t),
                                 "five addresses (nodes, triangle rows, triangle of row, rays, hits)"};
  static constexpr Signature kd_tree{"a kd-tree",
                                     5,
                                     6,
                                     48 * 2 * sizeof(std::uint32_t),
                                     49 * 2 * sizeof(std::uint32_t),
                                     "five addresses (nodes, leaf triangles, triangles, rays, hits)"};
  static constexpr Signature grid{
      "a grid", 6, 0, 0, 0, "six addresses (frame, first of each cell, cell triangles, triangles, rays, hits)"};
  switch (structure) {
    case WorkloadStructure::kd_tree:
      return kd_tree;
    case WorkloadStructure::grid:
      return grid;
    case WorkloadStructure::bvh:
    case WorkloadStructure::sbvh:
      break;
  }
  return bvh;
}

/// Parameters that follow the parameters for the work: the counter of rays taken, and the memory for stacks; only the
/// memory if threads create others.
std::size_t parameters_behind(const Signature& signature, const kernel::Program& trace) {
  const std::size_t usual = signature.addresses + 1 + signature.values;
  return trace.parameters.size() - std::min(trace.parameters.size(), usual);
}

bool fits(const Signature& signature, const kernel::Program& trace) {
  std::size_t most_behind = signature.place_bytes == 0 ? 1 : 2;
  if (creates_threads(trace)) most_behind = signature.stack_bytes == 0 ? 0 : 1;
  std::vector<unsigned> bytes(signature.addresses, 8);
  bytes.insert(bytes.end(), 1 + signature.values, 4);
  bytes.insert(bytes.end(), std::min<std::size_t>(parameters_behind(signature, trace), most_behind), 8);
  return std::ranges::equal(trace.parameters, bytes, {}, &kernel::KernelParameter::bytes);
}

scenes::GridOptions grid_options(const WorkloadParameters& workload) {
  const auto cells = [](std::uint64_t count) { return static_cast<int>(count); };
  return {{cells(workload.grid_cells_x), cells(workload.grid_cells_y), cells(workload.grid_cells_z)},
          static_cast<float>(workload.grid_density)};
}

/// The description of each of the three structures and of its memory layout.
struct Describe {
  WorkloadStructure kind;

  AccelerationFacts operator()(const scenes::Bvh& bvh) const {
    return {kind, bvh.nodes.size(), static_cast<std::uint64_t>(bvh.depth), scenes::references(bvh),
            scenes::size_in_memory(bvh)};
  }
  AccelerationFacts operator()(const scenes::KdTree& tree) const {
    return {kind, tree.nodes.size(), static_cast<std::uint64_t>(tree.depth), tree.leaf_triangles.size(),
            scenes::size_in_memory(tree)};
  }
  AccelerationFacts operator()(const scenes::Grid& grid) const {
    return {kind, grid.cells(), 0, grid.cell_triangles.size(), scenes::size_in_memory(grid)};
  }
};

struct Upload {
  DeviceMemory& memory;

  template <typename T>
  Argument array(std::string name, const std::vector<T>& values) const {
    return memory.upload(std::move(name), std::span<const T>(values));
  }
  Acceleration::OnDevice operator()(const scenes::Bvh& bvh) const {
    return {{array("bvh nodes", bvh.nodes), array("triangle rows", bvh.rows),
             array("triangle of row", bvh.triangle_of_row)},
            {}};
  }
  Acceleration::OnDevice operator()(const scenes::KdTree& tree) const {
    const auto& [low, high] = tree.bounds;
    return {{array("kd-tree nodes", tree.nodes), array("leaf triangles", tree.leaf_triangles),
             array("triangles", tree.triangles)},
            {low.x, low.y, low.z, high.x, high.y, high.z}};
  }
  Acceleration::OnDevice operator()(const scenes::Grid& grid) const {
    return {{array("grid frame", std::vector{grid.frame}), array("first of each cell", grid.first),
             array("cell triangles", grid.cell_triangles), array("triangles", grid.triangles)},
            {}};
  }
};

}  // namespace

bool creates_threads(const kernel::Program& trace) {
  return std::ranges::any_of(trace.instructions, [&](const kernel::Instruction& one) {
    return one.extension != kernel::no_extension && trace.extensions[one.extension].target;
  });
}

void check_trace_kernel(WorkloadStructure structure, const kernel::Program& trace) {
  const Signature& wanted = signature(structure);
  if (fits(wanted, trace)) return;
  std::string what = fmt::format(
      "it takes {}, the number of rays as .u32{}, and optionally the addresses of a counter of rays taken and of "
      "memory for stacks; only the latter if its threads create others",
      wanted.text, wanted.values == 0 ? "" : ", and six .f32 (the tree's box, low and high)");
  for (const auto other : {WorkloadStructure::bvh, WorkloadStructure::kd_tree, WorkloadStructure::grid}) {
    if (fits(signature(other), trace)) {
      what = fmt::format("it traces by {}: set workload.structure to {}", signature(other).by, to_string(other));
    }
  }
  throw ParameterError("workload.trace_kernel",
                       fmt::format("kernel '{}' of {} does not have the parameters of a kernel that traces by {}",
                                   trace.name, trace.file, wanted.by),
                       what);
}

bool takes_rays_itself(WorkloadStructure structure, const kernel::Program& trace) {
  return !creates_threads(trace) && parameters_behind(signature(structure), trace) >= 1;
}

std::uint64_t stack_bytes_of_place(WorkloadStructure structure, const kernel::Program& trace) {
  const Signature& wanted = signature(structure);
  return !creates_threads(trace) && parameters_behind(wanted, trace) == 2 ? wanted.place_bytes : 0;
}

std::uint64_t stack_bytes_of_ray(WorkloadStructure structure, const kernel::Program& trace) {
  const Signature& wanted = signature(structure);
  return creates_threads(trace) && parameters_behind(wanted, trace) == 1 ? wanted.stack_bytes : 0;
}

Acceleration::Acceleration(const WorkloadParameters& workload, const scenes::Mesh& mesh) : kind_(workload.structure) {
  const scenes::StructureCache cache;
  switch (workload.structure) {
    case WorkloadStructure::bvh:
      structure_ = cache.bvh(mesh);
      break;
    case WorkloadStructure::sbvh:
      structure_ = cache.sbvh(mesh);
      break;
    case WorkloadStructure::kd_tree:
      structure_ = cache.kd_tree(mesh, {.max_depth = static_cast<int>(workload.kd_max_depth)});
      break;
    case WorkloadStructure::grid:
      structure_ = about_parameter("workload.grid_cells_x", [&] { return cache.grid(mesh, grid_options(workload)); });
      break;
  }
}

AccelerationFacts Acceleration::facts() const { return std::visit(Describe{kind_}, structure_); }

scenes::TraceWork Acceleration::work_of(const scenes::Ray& ray, bool shadow) const {
  scenes::TraceWork work;
  std::visit([&](const auto& structure) { scenes::trace_scalar(structure, ray, shadow, &work); }, structure_);
  return work;
}

Acceleration::OnDevice Acceleration::upload(DeviceMemory& memory) const {
  return std::visit(Upload{memory}, structure_);
}

}  // namespace reconverge
