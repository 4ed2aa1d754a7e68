// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Converts a kernel for a machine without branches: nodes of straight-line code that pass records to each other (Popa
/// 2004, section 4.2).
///
/// A record contains the live values of a thread between two nodes. Within a node, all lanes issue every instruction;
/// lanes on other paths ignore it (conditional assignment). At the end of a node, lanes may take different arcs: each
/// arc gets the records of the lanes that take it.

#include <cstdint>
#include <string>
#include <vector>

#include "models/kernel/analysis/liveness.hpp"
#include "models/kernel/program.hpp"
#include "models/kernel/streams/node_regions.hpp"
#include "models/kernel/streams/uniform_values.hpp"

namespace reconverge::kernel {

/// The fields of the records that enter a node.
struct RecordFields {
  std::vector<std::uint16_t> registers;   ///< rows
  std::vector<std::uint16_t> predicates;  ///< one bit each
  std::vector<SpecialRow> specials;       ///< identity of the thread, if the code reads it

  /// Words of 32 bits; predicates share words.
  std::uint32_t words() const {
    return static_cast<std::uint32_t>(registers.size() + specials.size() + (predicates.size() + 31) / 32);
  }
  std::uint32_t bytes() const { return 4 * words(); }
};

enum class NodeKind : std::uint8_t {
  regular,
  merging,      ///< synchronises the sides of a branch: waits until all possible records have arrived
  accumulation  ///< synchronises the iterations of a loop: holds records that have left it until it is empty
};

struct StreamNode {
  std::string name;
  NodeKind kind = NodeKind::regular;
  std::vector<NodeBlock> blocks;      ///< in topological order; empty: records pass through
  std::uint32_t instructions = 0;     ///< instructions that each strip of records issues
  RecordFields fields;                ///< fields of the records that it reads
  std::vector<UniformRow> uniforms;   ///< kernel constants that it reads
  std::vector<std::uint32_t> inputs;  ///< arcs
  std::vector<std::uint32_t> outputs;
  std::vector<std::uint32_t> waits_for;  ///< nodes that must be empty before it runs
  std::uint32_t order = 0;               ///< in reverse post-order of the nodes
  std::uint32_t component = 0;           ///< nodes that reach each other have the same number
  /// In place: lanes that would take this arc keep their record and execute the node again.
  std::uint32_t repeated = no_arc;

  static constexpr std::uint32_t no_arc = ~0U;
  bool repeats() const { return repeated != no_arc; }
};

struct StreamArc {
  std::uint32_t from = 0;  ///< node; `source` for threads that begin
  std::uint32_t to = 0;
  bool feedback = false;   ///< back edge in the order of the nodes
  bool stack = false;      ///< emit.stack: records go to the top of a stack of stream registers
  std::uint32_t most = 1;  ///< maximum number of records on this arc for one record of the node (data amplification)
  static constexpr std::uint32_t source = ~0U;
};

/// Options of graph construction. Each can be set separately, to measure its effect.
struct StreamOptions {
  enum class Fields : std::uint8_t {
    live,   ///< values that are live in the thread
    shared  ///< every variable that any two nodes share, on every arc (Popa 4.2: pass-through)
  };
  enum class Merging : std::uint8_t {
    none,    ///< a node for each basic block
    chains,  ///< blocks that always follow each other are one node
    traffic  ///< also short sides of branches, if that costs less than moving records
  };
  Fields fields = Fields::live;
  Merging merging = Merging::traffic;
  bool merge_nodes = false;         ///< Popa 4.2.1
  bool accumulation_nodes = false;  ///< Popa 4.2.1
  bool in_place = false;            ///< a node with an arc to itself keeps its records (Popa 3.4)
  bool atomics = false;             ///< memory supports atomics, unlike the thesis' machine
  bool constants = true;            ///< values that all threads share are computed once, and are not on arcs
  /// Bytes that move between nodes while a lane issues one instruction: the weight for merging.
  double bytes_per_instruction = 6.25;
};

struct StreamingGraph {
  const Program* program = nullptr;
  std::vector<StreamNode> nodes;  ///< threads begin in the first
  std::vector<StreamArc> arcs;
  bool by_hand = false;  ///< the kernel marks the beginnings of its nodes with emit
  /// Computes the values that all threads share into separate rows, after the rows of the program.
  std::vector<Instruction> uniform_code;
  std::uint32_t rows = 0;  ///< total: those of the program and of uniform_code

  std::uint32_t add_arc(std::uint32_t from, std::uint32_t to, bool stack);
};

/// Makes the graph. `program` must outlive it. Throws InputError at the PTX line of an instruction that such a machine
/// does not support: barriers, atomics, exchanges between lanes, shared memory, calls, instructions of other schemes.
/// Also throws for a loop within a node, if the kernel marks its nodes.
StreamingGraph make_streaming_graph(const Program& program, const StreamOptions& options);

/// Throws InputError like make_streaming_graph, for everything that no graph can contain.
void refuse_what_cannot_stream(const Program& program, const StreamOptions& options);

/// A readable description of the graph: one paragraph per node, with the fields of its records, and the bytes of each
/// arc.
std::string streams_text(const StreamingGraph& graph);
/// The same for Graphviz.
std::string streams_dot(const StreamingGraph& graph);

}  // namespace reconverge::kernel
