// SPDX-License-Identifier: Apache-2.0
#include "models/kernel/partition/pass_variables.hpp"

#include <algorithm>
#include <map>

namespace reconverge::kernel {

namespace {

class Analysis {
 public:
  Analysis(const Program& program, std::span<const BasicBlock> blocks, std::span<const PassRegion> regions,
           const std::function<bool(std::uint32_t, std::uint16_t)>& shared)
      : program_(program),
        blocks_(blocks),
        regions_(regions),
        shared_(shared),
        accesses_(accesses_of(program)),
        count_(program.register_rows + program.predicates),
        region_at_(blocks.size(), BasicBlock::no_block),
        values_(regions.size()) {
    for (std::uint32_t region = 0; region < regions.size(); ++region)
      region_at_[regions[region].blocks.front()] = region;
  }

  std::vector<RegionValues> all() {
    const Liveness liveness = compute_liveness(blocks_, accesses_, count_);
    for (std::uint32_t region = 0; region < regions_.size(); ++region) {
      RegionValues& values = values_[region];
      values.written = written_in(region);
      values.live_in = liveness.live_in[regions_[region].blocks.front()];
    }
    find_inputs();
    // A kernel need not load all live values from arrays: some are constants of the kernel.
    find_live();
    find_inputs();
    find_live();
    for (RegionValues& values : values_) values.outputs = values.written & values.live_out;
    return std::move(values_);
  }

 private:
  ValueSet written_in(std::uint32_t region) const {
    ValueSet written(count_);
    for (const std::uint32_t block : regions_[region].blocks) {
      for (Pc pc = blocks_[block].first; pc != blocks_[block].end; ++pc) {
        for (const ValueId value : accesses_[pc].definitions) written.set(value);
      }
    }
    return written;
  }

  /// Liveness within each region. A value that the region writes on some path must be correct on all paths.
  void find_inputs() {
    for (std::uint32_t region = 0; region < regions_.size(); ++region) {
      RegionValues& values = values_[region];
      const std::vector<std::uint32_t>& blocks = regions_[region].blocks;
      std::map<std::uint32_t, ValueSet> live_at;
      for (std::size_t i = blocks.size(); i-- > 0;) {
        const BasicBlock& block = blocks_[blocks[i]];
        ValueSet live(count_);
        for (const std::uint32_t successor : block.successors) {
          const std::uint32_t to = region_at_[successor];
          live |= to == BasicBlock::no_block ? live_at.at(successor) : values_[to].live_in & values.written;
        }
        for (Pc pc = block.end; pc-- > block.first;) step_back(accesses_[pc], live);
        live_at.insert_or_assign(blocks[i], std::move(live));
      }
      values.inputs = live_at.at(blocks.front());
      values.constants = ValueSet(count_);
      for (auto value = values.inputs.find_first(); value < program_.register_rows;
           value = values.inputs.find_next(value)) {
        if (shared_(region, static_cast<std::uint16_t>(value))) values.constants.set(value);
      }
      values.inputs -= values.constants;
    }
  }

  /// Liveness over regions: the values that a region and later regions read from arrays.
  void find_live() {
    for (RegionValues& values : values_) {
      values.live_in = values.inputs;
      values.live_out.clear();
      values.live_out.resize(count_);
    }
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t region = regions_.size(); region-- > 0;) {
        RegionValues& values = values_[region];
        ValueSet live(count_);
        for (const std::uint32_t to : regions_[region].successors) live |= values_[to].live_in;
        if (live == values.live_out) continue;
        changed = true;
        values.live_in = values.inputs | (live - values.written);
        values.live_out = std::move(live);
      }
    }
  }

  const Program& program_;
  std::span<const BasicBlock> blocks_;
  std::span<const PassRegion> regions_;
  const std::function<bool(std::uint32_t, std::uint16_t)>& shared_;
  std::vector<Accesses> accesses_;
  std::size_t count_;
  std::vector<std::uint32_t> region_at_;  // by the first block of a region
  std::vector<RegionValues> values_;
};

}  // namespace

std::vector<RegionValues> region_values(const Program& program, std::span<const BasicBlock> blocks,
                                        std::span<const PassRegion> regions,
                                        const std::function<bool(std::uint32_t, std::uint16_t)>& shared) {
  return Analysis(program, blocks, regions, shared).all();
}

std::vector<PassArray> make_arrays(std::span<const RegionValues> regions, std::uint32_t words) {
  if (regions.empty()) return {};
  // For each value, the regions that write it, and whether the region reads it before.
  std::map<std::vector<std::pair<std::uint32_t, bool>>, std::vector<ValueId>> alike;
  ValueSet kept(regions.front().written.size());
  for (const RegionValues& values : regions) kept |= values.inputs | values.outputs;
  std::vector<std::vector<std::pair<std::uint32_t, bool>>> writers(kept.size());  // by value
  for (std::uint32_t region = 0; region < regions.size(); ++region) {
    const RegionValues& values = regions[region];
    for (auto value = values.outputs.find_first(); value != ValueSet::npos; value = values.outputs.find_next(value)) {
      writers[value].emplace_back(region, values.inputs[value]);
    }
  }
  for (auto value = kept.find_first(); value != ValueSet::npos; value = kept.find_next(value)) {
    alike[std::move(writers[value])].push_back(static_cast<ValueId>(value));
  }
  std::vector<PassArray> arrays;
  for (const auto& [written_by, values] : alike) {
    const bool twice = std::ranges::any_of(written_by, [](const auto& writer) { return writer.second; });
    for (std::size_t first = 0; first < values.size(); first += words) {
      const auto begin = values.begin() + static_cast<std::ptrdiff_t>(first);
      const auto size = static_cast<std::ptrdiff_t>(std::min<std::size_t>(words, values.size() - first));
      arrays.push_back({{begin, begin + size}, twice});
    }
  }
  std::ranges::sort(arrays, {}, [](const PassArray& array) { return array.values.front(); });
  return arrays;
}

}  // namespace reconverge::kernel
