// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The acceleration structure of a workload's rays - a hierarchy, a kd-tree or a grid - and the kernels that fit it.

#include <cstdint>
#include <string_view>
#include <variant>
#include <vector>

#include "blocks/workload.hpp"
#include "models/execution/device_memory.hpp"
#include "models/execution/launch.hpp"
#include "models/kernel/program.hpp"
#include "scenes/structures/bvh.hpp"
#include "scenes/structures/grid.hpp"
#include "scenes/structures/kd_tree.hpp"
#include "scenes/structures/trace_scalar.hpp"

namespace reconverge {

/// Refuses a kernel whose parameters are not those of a kernel that traces with `structure`
/// (platforms/kernels/kernels.h). Throws a ParameterError that lists the parameters and the structure that they would
/// fit.
void check_trace_kernel(WorkloadStructure structure, const kernel::Program& trace);

/// Whether threads of the kernel create others: an extension instruction names where the new threads begin.
bool creates_threads(const kernel::Program& trace);
/// Whether the threads of such a kernel are persistent and take ray after ray: it also takes the address of a counter.
bool takes_rays_itself(WorkloadStructure structure, const kernel::Program& trace);
/// Bytes of the stack for each place that a ray can occupy, in the memory that is the last parameter of a kernel whose
/// rays move from thread to thread; 0: it takes no stacks. A second counter, after that of the rays, then counts the
/// stacks taken.
std::uint64_t stack_bytes_of_place(WorkloadStructure structure, const kernel::Program& trace);
/// Bytes of the stack for each ray, in the memory that is the last parameter of a kernel whose threads create others;
/// 0: it takes no stacks.
std::uint64_t stack_bytes_of_ray(WorkloadStructure structure, const kernel::Program& trace);

/// The description of a structure for the report.
struct AccelerationFacts {
  WorkloadStructure kind = WorkloadStructure::bvh;
  std::uint64_t nodes = 0;    ///< inner nodes of a hierarchy, nodes of a kd-tree, cells of a grid
  std::uint64_t depth = 0;    ///< inner nodes on the longest path to a leaf; 0 for a grid
  std::uint64_t entries = 0;  ///< triangles in leaves or cells, each counted as often as it is listed
  std::uint64_t bytes = 0;    ///< of its arrays on the device
};

/// Built on the host, or read from the cache that scenes/structures/structure_cache.hpp describes.
class Acceleration {
 public:
  /// Throws InputError if the workload's options do not fit the scene.
  Acceleration(const WorkloadParameters& workload, const scenes::Mesh& mesh);

  AccelerationFacts facts() const;
  /// Null if it is of another kind.
  const scenes::Bvh* hierarchy() const { return std::get_if<scenes::Bvh>(&structure_); }

  /// The steps of tracing the ray; for any hit if it is a shadow ray.
  scenes::TraceWork work_of(const scenes::Ray& ray, bool shadow) const;

  /// Uploads the arrays. `arrays` gets the kernel arguments before rays, hits and count, `values` those after these.
  struct OnDevice {
    std::vector<Argument> arrays;
    std::vector<Argument> values;
  };
  OnDevice upload(DeviceMemory& memory) const;

 private:
  WorkloadStructure kind_;
  std::variant<scenes::Bvh, scenes::KdTree, scenes::Grid> structure_;
};

}  // namespace reconverge
