// SPDX-License-Identifier: Apache-2.0
#pragma once
/// A kernel in the form that a SIMD machine with only guards runs: kernels without control flow, each a pass over all
/// threads (Lashari, Lhoták and McCool 2008).
///
/// Each thread has a program counter in memory, the number of the kernel that it needs next. A pass executes one kernel
/// for the threads whose counter has its number, and writes their next counter. Live values are in arrays, with one
/// element for each thread. No pass may read and write the same array or buffer. So the program counters are two
/// arrays, of which a pass reads one and writes the other; values that a kernel reads and then writes are stored in the
/// same way.

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
  bool written = false;   ///< with results of the kernel
  bool copied = false;    ///< unchanged, to the other of the two
  std::uint8_t from = 0;  ///< which of the two it reads
  std::uint8_t to = 0;    ///< which it writes; if bindings are not static, as for the kernel's program counters
};

/// A kernel for a pass.
struct PassKernel {
  std::string name;
  std::vector<NodeBlock> blocks;  ///< NodeWay::to of their exits is a kernel; empty: it copies
  std::uint32_t instructions = 0;
  std::vector<std::uint32_t> successors;  ///< kernels
  std::vector<ArrayUse> arrays;
  std::vector<UniformRow> uniforms;  ///< constants
  std::vector<SpecialRow> specials;  ///< identity of the thread, as far as the code asks; follows from its element
  std::uint32_t order = 0;           ///< in reverse post-order
  std::uint8_t from = 0;             ///< which array of program counters it reads, if bindings are static
  /// Passes that it takes if it has more arrays than a pass has outputs. All compute the same, as nothing that they
  /// read is written; the last writes the program counters.
  std::uint32_t passes = 1;
  std::uint32_t copy_passes = 0;  ///< before these passes, that only copy arrays

  bool copies() const { return blocks.empty(); }
  std::uint32_t all_passes() const { return passes + copy_passes; }
};

/// How a kernel is partitioned. Each optimisation can be switched off, to measure its effect.
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
  bool bypassing = true;                ///< not all kernels copy every double-buffered array (section 4.2)
  std::uint32_t outputs = 8;            ///< arrays that a pass can write, including the program counters
  std::uint32_t output_words = 4;       ///< of an element
  /// Pointers among the arguments point to different buffers. Otherwise a kernel ends between any load and any store.
  bool distinct_arguments = true;
  bool atomics = false;                 ///< memory supports them, unlike the paper's machine
  bool constants = true;                ///< values that all threads share are not in arrays
  double bytes_per_instruction = 6.25;  ///< of state, moved while a lane issues one instruction: what `cheap` weighs
};

struct Partition {
  const Program* program = nullptr;
  std::vector<BasicBlock> blocks;   ///< of the program, split where a kernel must end
  std::vector<PassKernel> kernels;  ///< threads begin in the first
  std::vector<PassArray> arrays;
  bool static_bindings = false;  ///< each kernel always reads the same one of the two arrays of program counters
  /// Computes the values that all threads share into separate rows, after the rows of the program.
  std::vector<Instruction> uniform_code;
  std::uint32_t rows = 0;  ///< total: those of the program and of uniform_code
};

/// Makes the partition. `program` must outlive it. Throws InputError at the PTX line of anything that such a machine
/// cannot do: barriers, atomics, exchanges between lanes, shared memory, calls, and instructions of schemes; and if
/// bipartization needs more copying kernels than it may add.
Partition make_partition(const Program& program, const PartitionOptions& options);

/// Throws InputError like make_partition.
void refuse_what_cannot_be_partitioned(const Program& program, const PartitionOptions& options);

/// A readable description: one paragraph per kernel, with its arrays and how it uses them.
std::string partition_text(const Partition& partition);
/// The same for Graphviz.
std::string partition_dot(const Partition& partition);

}  // namespace reconverge::kernel
