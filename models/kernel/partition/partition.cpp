// SPDX-License-Identifier: Apache-2.0
#include "models/kernel/partition/partition.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <set>

#include "models/core/error.hpp"
#include "models/kernel/analysis/control_flow.hpp"
#include "models/kernel/analysis/loops.hpp"
#include "models/kernel/partition/bindings.hpp"
#include "models/kernel/partition/buffer_uses.hpp"
#include "models/kernel/partition/pass_variables.hpp"
#include "models/kernel/streams/record_values.hpp"
#include "models/kernel/streams/stream_refusals.hpp"

namespace reconverge::kernel {

namespace {

class Partitioner {
 public:
  Partitioner(const Program& program, const PartitionOptions& options)
      : program_(program),
        options_(options),
        buffers_(buffer_uses(program, options.distinct_arguments)),
        blocks_(cut_blocks(program, buffers_)),
        uniforms_(program, blocks_) {}

  Partition build() {
    partition_.program = &program_;
    choose_starts();
    make_regions();
    make_kernels();
    bipartize(partition_, options_.bipartization);
    refuse_copies();
    order_kernels();
    bind_arrays();
    for (PassKernel& kernel : partition_.kernels) count_passes(kernel);
    std::vector<UniformRow> read;
    for (const PassKernel& kernel : partition_.kernels) {
      read.insert(read.end(), kernel.uniforms.begin(), kernel.uniforms.end());
    }
    partition_.uniform_code = uniforms_.code_for(read);
    partition_.rows = uniforms_.rows();
    partition_.blocks = std::move(blocks_);
    return std::move(partition_);
  }

 private:
  using Merging = PartitionOptions::Merging;

  void choose_starts() {
    const BlockSet reached = reachable_blocks(blocks_, 0, BasicBlock::no_block);
    starts_ = reached;
    if (options_.merging == Merging::none) return;
    // A thread can end in any kernel; no separate kernel is needed.
    for (std::uint32_t block = 1; block < blocks_.size(); ++block) {
      if (only_ends(block)) starts_.reset(block);
    }
    MergeRule rule;
    if (options_.merging == Merging::ifs) rule.bytes_per_instruction = 0.0;
    if (options_.merging == Merging::cheap) rule.bytes_per_instruction = options_.bytes_per_instruction;
    if (rule.bytes_per_instruction) {
      const Liveness live =
          compute_liveness(blocks_, accesses_of(program_), program_.register_rows + program_.predicates);
      for (const ValueSet& values : live.live_in) {
        rule.record_bytes.push_back(4 * static_cast<std::uint32_t>(values.count()));
      }
    }
    // Blocks have no internal conflicts, so only conflicts between regions are checked.
    std::vector<BufferUses> uses(blocks_.size());  // by start
    for (std::uint32_t block = 0; block < blocks_.size(); ++block) {
      for (Pc pc = blocks_[block].first; pc != blocks_[block].end; ++pc) uses[block].add(buffers_[pc]);
    }
    const LoopForest forest = find_loops(blocks_);
    rule.join = [&](std::uint32_t owner, std::uint32_t block) {
      // The code after a loop is not a side of an if.
      const bool follows = forest.innermost[block] != forest.innermost[owner];
      if (options_.merging == Merging::ifs && follows) return false;
      if (uses[owner].conflict_with(uses[block])) return false;
      uses[owner].add(uses[block]);
      return true;
    };
    merge_blocks(blocks_, program_.instructions, rule, starts_);
    join_branches();
  }

  /// Removes kernels that consist of a single branch: their predecessors execute the branch, unless this would create a
  /// cycle in one of them.
  void join_branches() {
    for (std::uint32_t block = 1; block < blocks_.size(); ++block) {
      const BasicBlock& one = blocks_[block];
      const bool branches = one.end - one.first == 1 && program_.instructions[one.first].opcode == Opcode::bra;
      const bool is_region = std::ranges::all_of(one.successors, [&](std::uint32_t next) { return starts_[next]; });
      const bool to_itself = std::ranges::find(one.successors, block) != one.successors.end();
      if (branches && is_region && !to_itself) starts_.reset(block);
    }
  }

  bool only_ends(std::uint32_t block) const {
    const BasicBlock& one = blocks_[block];
    return one.end - one.first == 1 && leaves_program(program_.instructions[one.first]);
  }

  void make_regions() {
    RegionWalk walk(blocks_);
    for (const std::uint32_t block : reverse_post_order(blocks_)) {
      if (!starts_[block]) continue;
      kernel_of_[block] = static_cast<std::uint32_t>(regions_.size());
      regions_.push_back({walk.region_of(block, starts_), {}});
    }
    for (PassRegion& region : regions_) {
      std::set<std::uint32_t> successors;
      for (const std::uint32_t block : region.blocks) {
        for (const std::uint32_t to : blocks_[block].successors) {
          if (starts_[to]) successors.insert(kernel_of_.at(to));
        }
      }
      region.successors.assign(successors.begin(), successors.end());
    }
    values_ = region_values(program_, blocks_, regions_, [&](std::uint32_t region, std::uint16_t row) {
      return options_.constants && uniforms_.at(regions_[region].blocks.front(), row).has_value();
    });
    partition_.arrays = make_arrays(values_, options_.output_words);
  }

  void make_kernels() {
    std::vector<std::uint32_t> number_in_region(blocks_.size(), 0);
    for (std::uint32_t index = 0; index < regions_.size(); ++index) {
      const PassRegion& region = regions_[index];
      const std::uint32_t start = region.blocks.front();
      PassKernel kernel;
      kernel.name = blocks_[start].label.empty() ? fmt::format("B{}", index) : blocks_[start].label;
      kernel.successors = region.successors;
      std::set<SpecialRow> specials;
      for (std::uint32_t i = 0; i < region.blocks.size(); ++i) number_in_region[region.blocks[i]] = i;
      for (const std::uint32_t block : region.blocks) {
        const BasicBlock& one = blocks_[block];
        kernel.instructions += one.end - one.first;
        kernel.blocks.push_back({block, ways_of({program_, blocks_, starts_}, block, number_in_region,
                                                [&](std::uint32_t to, bool) { return kernel_of_.at(to); })});
        for (Pc pc = one.first; pc != one.end; ++pc) {
          for (const SpecialRow row : thread_rows(program_, program_.instructions[pc])) specials.insert(row);
        }
      }
      kernel.specials.assign(specials.begin(), specials.end());
      const ValueSet& constants = values_[index].constants;
      for (auto row = constants.find_first(); row != ValueSet::npos; row = constants.find_next(row)) {
        kernel.uniforms.push_back(
            {static_cast<std::uint16_t>(row), *uniforms_.at(start, static_cast<std::uint16_t>(row))});
      }
      partition_.kernels.push_back(std::move(kernel));
    }
  }

  void refuse_copies() const {
    const std::size_t copies = partition_.kernels.size() - regions_.size();
    if (copies <= options_.copying_kernels) return;
    // The kernel before the first copy that exceeds the limit.
    const std::size_t copy = regions_.size() + options_.copying_kernels;
    const auto before = std::ranges::find_if(partition_.kernels, [&](const PassKernel& kernel) {
      return std::ranges::find(kernel.successors, copy) != kernel.successors.end();
    });
    const PassRegion& region = regions_[static_cast<std::size_t>(before - partition_.kernels.begin())];
    const Pc last = blocks_[region.blocks.back()].end - 1;
    throw InputError(
        {program_.file, program_.instructions[last].line, 0},
        fmt::format("{} copying kernels are needed for each to read one array of program counters, and {} are "
                    "allowed; here is one too many",
                    copies, options_.copying_kernels),
        "raise multi_pass.partition.copying_kernels, or set its bipartization to none");
  }

  /// Reverse post-order in which a loop precedes the code after it: edges that leave loops are visited first.
  void order_kernels() {
    std::vector<PassKernel>& kernels = partition_.kernels;
    std::vector<BasicBlock> flow(kernels.size());
    for (std::uint32_t from = 0; from < kernels.size(); ++from) {
      for (const std::uint32_t to : kernels[from].successors) {
        flow[from].successors.push_back(to);
        flow[to].predecessors.push_back(from);
      }
    }
    const LoopForest forest = find_loops(flow);
    for (std::uint32_t from = 0; from < kernels.size(); ++from) {
      const auto shared_loops = [&](std::uint32_t to) {
        const std::uint32_t around = forest.smallest_around(from, to);
        return around == Loop::none ? 0 : forest.loops[around].depth;
      };
      std::ranges::stable_sort(flow[from].successors, {}, shared_loops);
    }
    std::uint32_t order = 0;
    for (const std::uint32_t kernel : reverse_post_order(flow)) kernels[kernel].order = order++;
  }

  void bind_arrays() {
    const auto count = static_cast<std::uint32_t>(partition_.kernels.size());
    const auto regions = static_cast<std::uint32_t>(regions_.size());
    for (std::uint32_t array = 0; array < partition_.arrays.size(); ++array) {
      const std::vector<ValueId>& members = partition_.arrays[array].values;
      const auto any = [&](const ValueSet& set) {
        return std::ranges::any_of(members, [&](ValueId value) { return set[value]; });
      };
      std::vector<ArrayNeeds> needs(count);
      for (std::uint32_t kernel = 0; kernel < regions; ++kernel) {
        const RegionValues& values = values_[kernel];
        needs[kernel] = {any(values.inputs), any(values.outputs), any(values.live_in), any(values.live_out)};
      }
      for (std::uint32_t copy = regions; copy < count; ++copy) {
        const bool live = needs[partition_.kernels[copy].successors.front()].live_in;
        needs[copy].live_in = needs[copy].live_out = live;
      }
      bind_array(partition_, array, needs, options_.bypassing);
    }
  }

  void count_passes(PassKernel& kernel) const {
    std::uint32_t written = 1;  // program counters
    std::uint32_t copied = 0;
    for (const ArrayUse& use : kernel.arrays) {
      written += use.written ? 1 : 0;
      copied += use.copied ? 1 : 0;
    }
    const auto passes_for = [&](std::uint32_t arrays) { return (arrays + options_.outputs - 1) / options_.outputs; };
    kernel.passes = passes_for(written);
    const std::uint32_t room = kernel.passes * options_.outputs - written;
    kernel.copy_passes = copied > room ? passes_for(copied - room) : 0;
  }

  const Program& program_;
  const PartitionOptions& options_;
  std::vector<BufferUse> buffers_;  // by pc
  std::vector<BasicBlock> blocks_;
  UniformValues uniforms_;
  BlockSet starts_;
  std::vector<PassRegion> regions_;
  std::vector<RegionValues> values_;                  // by region
  std::map<std::uint32_t, std::uint32_t> kernel_of_;  // by the block where it starts
  Partition partition_;
};

}  // namespace

void refuse_what_cannot_be_partitioned(const Program& program, const PartitionOptions& options) {
  refuse_company(program, {"a multi-pass machine", options.atomics, "multi_pass.atomics"});
  for (const Instruction& instruction : program.instructions) {
    if (!forks(instruction)) continue;
    throw InputError({program.file, instruction.line, 0}, "emit: a multi-pass machine has no streams",
                     "set machine to streams, or run the kernel without its emits");
  }
}

Partition make_partition(const Program& program, const PartitionOptions& options) {
  refuse_what_cannot_be_partitioned(program, options);
  return Partitioner(program, options).build();
}

}  // namespace reconverge::kernel
