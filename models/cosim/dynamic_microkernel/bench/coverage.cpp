// SPDX-License-Identifier: Apache-2.0
#include "models/cosim/dynamic_microkernel/bench/coverage.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>

namespace reconverge {

namespace {

enum BinNumber : std::size_t {
  issues,
  in_vain,
  gives_way,
  no_line,
  no_first_part,
  no_second_part,
  fifo_is_full,
  new_line,
  both_addresses,
  no_second_address,
  no_address,
  leaves_room,
  one_short,
  completes,
  goes_on,
  goes_on_most,
  whole_warp,
  takes_none,
  takes_one,
  takes_two,
  finds_one,
  full_leaves,
  leaves_full_fifo,
  enters_full_fifo,
  enters_and_leaves,
  fills_fifo,
  empties_fifo,
  partial_alone,
  partial_lowest,
  partial_of_later_line,
  partial_with_second,
  partial_without_second,
  release_one,
  release_several,
  release_with_take,
  release_last,
  all_taken,
  comes_round,
  bins_by_name
};
constexpr std::array<const char*, bins_by_name> names{
    "spawn: issues",
    "spawn: is asked for, and does not issue",
    "spawn: gives way to another in the same cycle",
    "spawn: stalls for a line",
    "spawn: stalls for the first part",
    "spawn: stalls for the second part",
    "spawn: stalls for the FIFO",
    "spawn: the first at its micro-kernel",
    "spawn: at a line with both addresses",
    "spawn: at a line without a second address",
    "spawn: at a line whose warp went, and which has no address",
    "spawn: leaves room in the warp",
    "spawn: leaves the warp one short",
    "spawn: completes the warp, and no more",
    "spawn: goes on in the second part",
    "spawn: goes on there with 31 threads",
    "spawn: a whole warp at once",
    "spawn: takes no part of the area",
    "spawn: takes one",
    "spawn: takes two",
    "spawn: wants two and finds one",
    "full warp: leaves",
    "full warp: leaves a full FIFO",
    "full warp: enters a full FIFO as another leaves",
    "full warp: enters as another leaves",
    "full warp: fills the FIFO",
    "full warp: empties the FIFO",
    "partial warp: leaves, the only one",
    "partial warp: leaves, the lowest of several",
    "partial warp: leaves a line after another's line",
    "partial warp: leaves a line with a second address",
    "partial warp: leaves a line without one",
    "parts: one comes back",
    "parts: several come back in a cycle",
    "parts: one comes back as another is taken",
    "parts: the last comes back",
    "parts: all are taken",
    "parts: the register goes round",
};

const SpawnLut::Line* line_of(const std::vector<SpawnLut::Line>& lines, kernel::Pc pc) {
  const auto found = std::ranges::find(lines, pc, &SpawnLut::Line::pc);
  return found == lines.end() ? nullptr : &*found;
}

}  // namespace

FormationCoverage::FormationCoverage() {
  for (const char* name : names) bins_.push_back({name});
  counts_ = bins_.size();
  for (unsigned threads = 1; threads <= warp_size; ++threads) {
    bins_.push_back({fmt::format("spawn: of {} threads", threads)});
  }
}

void FormationCoverage::look(const WarpFormation& model) {
  lines_ = model.lut().lines();
  waiting_ = model.fifo().size();
  capacity_ = model.fifo().capacity();
  regions_ = model.pool().parts();
  taken_ = model.pool().taken();
  if (taken_ == regions_) hit(all_taken);
  if (model.pool().next() < next_) hit(comes_round);
  next_ = model.pool().next();
}

void FormationCoverage::within(const FormationInputs& /*inputs*/, const FormationOutputs& /*outputs*/) {
  hit(gives_way);
}

void FormationCoverage::cycle(const FormationInputs& inputs, const FormationOutputs& outputs) {
  const bool push = inputs.commit && outputs.spawn->completes;
  if (outputs.spawn) see_spawn(inputs, *outputs.spawn);
  if (inputs.pop) {
    hit(full_leaves);
    if (waiting_ == capacity_) hit(push ? enters_full_fifo : leaves_full_fifo);
    if (push) hit(enters_and_leaves);
    if (waiting_ == 1 && !push) hit(empties_fifo);
  } else if (push && waiting_ + 1 == capacity_) {
    hit(fills_fifo);
  }
  if (inputs.force) see_partial();
  see_releases(inputs);
}

void FormationCoverage::see_spawn(const FormationInputs& inputs, const FormationSpawn& spawn) {
  const SpawnLut::Line* const line = line_of(lines_, inputs.pc);
  if (spawn.stall == static_cast<std::uint32_t>(Formation::Stall::area)) return see_stall(line);
  if (spawn.stall == static_cast<std::uint32_t>(Formation::Stall::fifo)) return hit(fifo_is_full);
  hit(inputs.commit ? issues : in_vain);
  if (!inputs.commit) return;
  const std::uint32_t count = line == nullptr ? 0 : line->count;
  see_issue(inputs, line, count + count_lanes(inputs.lanes));
}

void FormationCoverage::see_stall(const SpawnLut::Line* line) {
  if (line == nullptr && line_of(lines_, kernel::no_pc) == nullptr) return hit(no_line);
  const bool has_first = line != nullptr && line->first != SpawnLut::Line::none;
  hit(has_first || taken_ != regions_ ? no_second_part : no_first_part);
}

void FormationCoverage::see_issue(const FormationInputs& inputs, const SpawnLut::Line* line, std::uint32_t sum) {
  constexpr SpawnAddress none = SpawnLut::Line::none;
  const unsigned threads = count_lanes(inputs.lanes);
  hit(counts_ + threads - 1);
  const bool has_first = line != nullptr && line->first != none;
  const bool has_second = line != nullptr && line->second != none;
  hit(line == nullptr ? new_line : !has_first ? no_address : has_second ? both_addresses : no_second_address);
  hit(sum < warp_size ? leaves_room : sum > warp_size ? goes_on : completes);
  if (sum == warp_size - 1) hit(one_short);
  if (sum == 2 * warp_size - 1) hit(goes_on_most);
  if (sum == warp_size && threads == warp_size) hit(whole_warp);
  // At most two: an address that is missing, and a new second address if the warp is complete.
  const std::size_t wanted =
      std::min<std::size_t>(2, (has_first ? 0 : 1) + (has_second ? 0 : 1) + (sum >= warp_size ? 1 : 0));
  const std::size_t taken = std::min(wanted, regions_ - taken_);
  hit(takes_none + taken);
  if (wanted == 2 && taken == 1) hit(finds_one);
  if (taken != 0 && std::ranges::any_of(inputs.release, [](std::uint64_t parts) { return parts != 0; })) {
    hit(release_with_take);
  }
}

void FormationCoverage::see_partial() {
  const SpawnLut::Line* lowest = nullptr;
  unsigned partial = 0;
  bool behind = false;
  for (const SpawnLut::Line& line : lines_) {
    if (line.count == 0) continue;
    ++partial;
    if (lowest != nullptr && line.pc > lowest->pc) continue;
    behind = lowest != nullptr;
    lowest = &line;
  }
  hit(partial == 1 ? partial_alone : partial_lowest);
  if (behind) hit(partial_of_later_line);
  hit(lowest->second == SpawnLut::Line::none ? partial_without_second : partial_with_second);
}

void FormationCoverage::see_releases(const FormationInputs& inputs) {
  std::size_t released = 0;
  for (const std::uint64_t parts : inputs.release) released += static_cast<std::size_t>(std::popcount(parts));
  if (released == 0) return;
  hit(released == 1 ? release_one : release_several);
  if (released == taken_ && !inputs.commit) hit(release_last);
}

std::string FormationCoverage::text() const {
  std::string text;
  for (const Bin& bin : bins_) text += fmt::format("{:>12} {}\n", bin.count, bin.name);
  return text;
}

std::vector<std::string> FormationCoverage::empty_bins() const {
  std::vector<std::string> empty;
  for (const Bin& bin : bins_) {
    if (bin.count == 0) empty.push_back(bin.name);
  }
  return empty;
}

}  // namespace reconverge
