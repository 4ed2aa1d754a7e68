// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Assigns to each kernel the one of two arrays that it reads, and adds the copying kernels that a static assignment
/// needs.

#include "models/kernel/partition/partition.hpp"

namespace reconverge::kernel {

/// Inserts copying kernels on edges until no cycle has an odd number of kernels, and sets for each kernel the array of
/// program counters that it reads (Lashari 2008, section 4.1).
void bipartize(Partition& partition, PartitionOptions::Bipartization how);

/// How a kernel uses an array.
struct ArrayNeeds {
  bool read = false;
  bool written = false;
  bool live_in = false;   ///< must hold a value that this kernel or a later one reads
  bool live_out = false;  ///< must hold a value when threads leave the kernel
};

/// Fills ArrayUse of one array in all kernels. `needs`: by kernel. If bindings are static and `bypassing` is set, as
/// few kernels as possible copy the array: in each cycle, the number of kernels that read and then write it plus the
/// number of kernels that copy it is even (section 4.2). Otherwise each kernel that the array passes through copies it,
/// like the program counters.
void bind_array(Partition& partition, std::uint32_t array, std::span<const ArrayNeeds> needs, bool bypassing);

}  // namespace reconverge::kernel
