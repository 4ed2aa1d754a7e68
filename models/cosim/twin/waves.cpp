// SPDX-License-Identifier: Apache-2.0
#include "models/cosim/twin/waves.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "models/core/error.hpp"
#include "models/cosim/twin/probe.hpp"

namespace reconverge::twin {

namespace {

template <typename Visit>
void for_each_probe(const std::vector<sc_core::sc_object*>& objects, const Visit& visit) {
  for (sc_core::sc_object* object : objects) {
    for_each_probe(object->get_child_objects(), visit);
    if (auto* const probe = dynamic_cast<Probe*>(object)) visit(*probe);
  }
}

}  // namespace

std::size_t Waves::connect() {
  for_each_probe(sc_core::sc_get_top_level_objects(), [&](Probe& probe) {
    const sc_core::sc_object* const block = probe.get_parent_object();
    probe.connect(*blocks_.emplace_back(std::make_unique<Signals>(block->name(), window_)));
  });
  return blocks_.size();
}

std::string Waves::fst() {
  std::vector<SignalStream*> streams;
  std::uint64_t longest = 0;
  for (const auto& block : blocks_) {
    longest = std::max(longest, block->cycle());
    if (block->cycle() <= window_.first) continue;
    for (const auto& stream : block->streams()) streams.push_back(stream.get());
  }
  if (!streams.empty()) return fst_of(streams);
  throw ExecutionError(
      fmt::format("no block in RTL had a cycle from {} on: the one that worked longest had {}, counted from 0",
                  window_.first, longest));
}

}  // namespace reconverge::twin
