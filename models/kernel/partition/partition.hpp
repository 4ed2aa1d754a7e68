// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Partitions a kernel for a SIMD machine that has guards but no branches: the result is a set of kernels without
/// control flow, each of which runs in passes over all threads (Lashari, Lhoták and McCool 2008).
///
/// Each thread has a program counter in memory: the number of the kernel that it needs next. A pass executes one kernel
/// for the threads whose counter has its number, and writes their next counter. Live values are in arrays, with one
/// element for each thread. No pass may read and write the same array or buffer. Program counters are therefore stored
/// in two arrays, of which a pass reads one and writes the other; values that a kernel reads and then writes are stored
/// in the same way.

#include <cstdint>
#include <string>
#include <vector>

#include "models/kernel/draft.hpp"
#include "models/kernel/program.hpp"
#include "models/kernel/streams/node_regions.hpp"
#include "models/kernel/streams/streaming_graph.hpp"

namespace reconverge::kernel {

/// State of threads between passes: an element of a few words for each.
struct PassArray {
  std::vector<ValueId> values;  ///< register rows, then Program::register_rows + predicate, a word each
  /// Some kernel reads and then writes it (RW variables, section 3.2): there are two copies, and the current state of a
  /// thread is in one of them.
  bool double_buffered = false;

  std::uint32_t bytes() const { return 4 * static_cast<std::uint32_t>(values.size()); }
};

/// How a kernel uses an array.
struct ArrayUse {
  std::uint32_t array = 0;
  bool read = false;
  bool written = false;   ///< the kernel writes results to it
  bool copied = false;    ///< the kernel copies it unchanged to the other of the two arrays
  std::uint8_t from = 0;  ///< the number of the array that it reads
  std::uint8_t to = 0;    ///< the number of the array that it writes; without static bindings, as for program counters
};

/// A kernel that a pass executes.
struct PassKernel {
  std::string name;
  std::vector<NodeBlock> blocks;  ///< NodeWay::to of their exits is a kernel; empty: it copies
  std::uint32_t instructions = 0;
  std::vector<std::uint32_t> successors;  ///< kernels
  std::vector<ArrayUse> arrays;
  std::vector<UniformRow> uniforms;  ///< constants
  std::vector<SpecialRow> specials;  ///< identity of the thread, if the code reads it; follows from its element
  std::uint32_t order = 0;           ///< in reverse post-order
  std::uint8_t from = 0;             ///< number of the array of program counters that it reads, if bindings are static
  /// Passes that it takes if it has more arrays than a pass has outputs. All compute the same, as nothing that they
  /// read is written; the last writes the program counters.
  std::uint32_t passes = 1;
  std::uint32_t copy_passes = 0;  ///< passes before these that only copy arrays

  bool copies() const { return blocks.empty(); }
  std::uint32_t all_passes() const { return passes + copy_passes; }
};

/// Options of partitioning. Each optimisation can be switched off, to measure its effect.
struct PartitionOptions {
  enum class Merging : std::uint8_t {
    none,    ///< a kernel for each basic block
    chains,  ///< blocks that always follow each other are merged
    cheap,   ///< also sides of ifs, if idle lanes cost less than moving the state
    ifs      ///< all sides of ifs (section 5)
  };
  enum class Bipartization : std::uint8_t {
    none,    ///< kernels run with both bindings of the program counters (section 3.4)
    greedy,  ///< copying kernels by the greedy cut (section 4.1)
    exact    ///< by the largest cut, in graphs of up to 20 kernels; in larger ones greedy
  };
  Merging merging = Merging::ifs;
  Bipartization bipartization = Bipartization::exact;
  std::uint32_t copying_kernels = ~0U;  ///< most kernels that bipartization may add
  bool bypassing = true;                ///< kernels may skip copying double-buffered arrays (section 4.2)
  std::uint32_t outputs = 8;            ///< arrays that a pass can write, including the program counters
  std::uint32_t output_words = 4;       ///< words of an element
  /// Pointer arguments point to different buffers. If false, a kernel ends between any load and any store.
  bool distinct_arguments = true;
  bool atomics = false;                 ///< memory supports atomics, unlike the paper's machine
  bool constants = true;                ///< values that all threads share are not in arrays
  double bytes_per_instruction = 6.25;  ///< state moved while a lane issues an instruction: weight for `cheap`
};

struct Partition {
  const Program* program = nullptr;
  std::vector<BasicBlock> blocks;   ///< blocks of the program, split where a kernel must end
  std::vector<PassKernel> kernels;  ///< threads begin in the first
  std::vector<PassArray> arrays;
  bool static_bindings = false;  ///< each kernel always reads the same array of program counters
  /// Computes the values that all threads share into separate rows, after the rows of the program.
  std::vector<Instruction> uniform_code;
  std::uint32_t rows = 0;  ///< total: those of the program and of uniform_code
};

/// Makes the partition. `program` must outlive it. Throws InputError at the PTX line of an instruction that such a
/// machine does not support: barriers, atomics, exchanges between lanes, shared memory, calls, and instructions of
/// schemes. Also throws if bipartization needs more copying kernels than allowed.
Partition make_partition(const Program& program, const PartitionOptions& options);

/// Throws InputError like make_partition.
void refuse_what_cannot_be_partitioned(const Program& program, const PartitionOptions& options);

/// A readable description: one paragraph per kernel, with its arrays and their uses.
std::string partition_text(const Partition& partition);
/// The same for Graphviz.
std::string partition_dot(const Partition& partition);

}  // namespace reconverge::kernel
