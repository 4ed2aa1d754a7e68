// SPDX-License-Identifier: Apache-2.0
#include "models/cosim/benes_network/bench/coverage.hpp"

#include <fmt/format.h>

#include <array>

namespace reconverge {

namespace {

enum BinNumber : std::size_t {
  packs,
  splits,
  unpacks,
  permutes,
  permutes_some,
  idles,
  behind_request,
  behind_idle,
  second_clock,
  behind_second,
  arrives_while_idle,
  pack_goes_round,
  pack_fills,
  first_alone,
  second_alone,
  second_goes_round,
  both_at_once,
  both_fill,
  both_meet_in_lowest,
  both_meet_elsewhere,
  both_apart,
  switch_asked_for_both,
  port_asked_for_both,
  unpack_at_once,
  unpack_in_two,
  bins_by_name
};
constexpr std::array<const char*, bins_by_name> names{
    "mode: pack",
    "mode: split",
    "mode: unpack",
    "mode: permute",
    "mode: permute some lanes",
    "clock: without a request",
    "clock: a request right after another",
    "clock: a request with none before it",
    "clock: the second of a request",
    "clock: a request after the second clock of another",
    "clock: records leave while there is no request",
    "pack: goes round the stripes",
    "pack: of all lanes",
    "split: all to bank 0",
    "split: all to bank 1",
    "split: bank 1 goes round the stripes",
    "split: to both banks in one clock",
    "split: of all lanes, in one clock",
    "split: stripes meet, records in the lowest lanes",
    "split: stripes meet, records elsewhere, in one clock",
    "split: stripes do not meet, in one clock",
    "split: two clocks for a switch, with ports enough",
    "split: two clocks for a port",
    "unpack: from both banks in one clock",
    "unpack: from both banks in two",
};

}  // namespace

NetworkCoverage::NetworkCoverage(unsigned ports)
    : packing_(BenesRouting(ports)), counts_(names.size()), stripes_(counts_ + ports + 1) {
  for (const char* name : names) bins_.push_back({name});
  for (unsigned records = 0; records <= ports; ++records)
    bins_.push_back({fmt::format("group: of {} records", records)});
  for (unsigned bank = 0; bank < 2; ++bank) {
    for (unsigned stripe = 0; stripe < ports; ++stripe) {
      bins_.push_back({fmt::format("bank {}: from stripe {}", bank, stripe)});
    }
  }
}

void NetworkCoverage::cycle(const NetworkInputs& inputs, const NetworkOutputs& outputs) {
  hit(idles, !inputs.valid);
  hit(arrives_while_idle, !inputs.valid && outputs.valid != 0);
  if (inputs.valid && !second_) {
    hit(asked_ ? behind_request : behind_idle);
    hit(behind_second, behind_second_);
    see_request(inputs, !outputs.ready);
  }
  hit(second_clock, second_);
  asked_ = inputs.valid;
  behind_second_ = second_;
  second_ = !outputs.ready;
}

void NetworkCoverage::see_request(const NetworkInputs& inputs, bool in_two) {
  const RecordGroup& group = inputs.group;
  const PortMask all = packing_.routing().all_ports();
  const auto count = [](PortMask mask) { return static_cast<unsigned>(std::popcount(mask)); };
  hit(static_cast<std::size_t>(inputs.mode));
  hit(counts_ + count(group.active));
  const unsigned ports = packing_.routing().ports();
  switch (inputs.mode) {
    case NetworkMode::permute:
      hit(permutes_some, group.active != all);
      return;
    case NetworkMode::pack:
      hit(pack_goes_round, group.first + count(group.active) > ports);
      hit(pack_fills, group.active == all);
      break;
    case NetworkMode::split:
      hit(first_alone, group.to_first() != 0 && group.to_second() == 0);
      hit(second_alone, group.to_first() == 0 && group.to_second() != 0);
      hit(second_goes_round, count(group.to_second()) > group.second + 1);
      if (group.to_first() != 0 && group.to_second() != 0) see_both_banks(group, in_two);
      break;
    case NetworkMode::unpack:
      if (group.to_first() != 0 && group.to_second() != 0) hit(in_two ? unpack_in_two : unpack_at_once);
      break;
  }
  hit(stripes_ + group.first);
  hit(stripes_ + ports + group.second);
}

void NetworkCoverage::see_both_banks(const RecordGroup& group, bool in_two) {
  const unsigned around = packing_.routing().around();
  const unsigned gap = (group.second - group.first) & around;
  if (in_two) {
    const bool overlap = gap + 1 < static_cast<unsigned>(std::popcount(group.active));
    return hit(overlap ? port_asked_for_both : switch_asked_for_both);
  }
  const bool lowest = (group.active & (group.active + 1)) == 0;
  hit(both_at_once);
  hit(both_fill, group.active == packing_.routing().all_ports());
  hit(gap != around ? both_apart : lowest ? both_meet_in_lowest : both_meet_elsewhere);
}

std::string NetworkCoverage::text() const {
  std::string text;
  for (const Bin& bin : bins_) text += fmt::format("{:>12} {}\n", bin.count, bin.name);
  return text;
}

std::vector<std::string> NetworkCoverage::empty_bins() const {
  std::vector<std::string> empty;
  for (const Bin& bin : bins_) {
    if (bin.count == 0) empty.push_back(bin.name);
  }
  return empty;
}

}  // namespace reconverge
