// SPDX-License-Identifier: Apache-2.0
#pragma once
/// A throw-away scheme whose stacks are in memory and that has its own port to it: it writes what it pushes, and warps
/// wait for what it pops, and for a first entry when they start.

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <utility>

#include "tests/contract/stack_scheme.hpp"

namespace reconverge::contract {

struct RememberingCounts {
  std::uint64_t reads = 0;
  std::uint64_t writes = 0;

  static std::span<const StatisticDescription> descriptions() {
    static const std::array all{
        counter_of_scheme<&RememberingCounts::reads>("reads", "entries", "Entries that it read."),
        counter_of_scheme<&RememberingCounts::writes>("writes", "entries", "Entries that it wrote.")};
    return all;
  }
  RememberingCounts& operator+=(const RememberingCounts& other) {
    reads += other.reads, writes += other.writes;
    return *this;
  }
  RememberingCounts& operator-=(const RememberingCounts& other) {
    reads -= other.reads, writes -= other.writes;
    return *this;
  }
};

struct RememberingParameters {
  static const BlockDescription& description() {
    static constexpr std::array<CauseDescription, 2> causes{
        {{"first_entry", "for the first entry of a stack in memory"}, {"entry", "for an entry of a stack in memory"}}};
    static const BlockDescription block = [] {
      BlockDescription made = block_of_scheme("remembering", "Stacks in memory.");
      made.causes = causes;
      made.statistics = RememberingCounts::descriptions();
      made.counters = &statistics_operations<RememberingCounts>;
      return made;
    }();
    return block;
  }
  bool operator==(const RememberingParameters&) const = default;
};

class RememberingScheme final : public StackScheme {
 public:
  RememberingScheme(sc_core::sc_module_name name, const SchemePlace& place)
      : StackScheme(name, place),
        sm_(place.sm),
        clock_(place.clock),
        depths_(place.parameters.warp_slots),
        paths_(place.parameters.warp_slots) {
    memory_port = std::make_unique<MemoryPort>("memory_port", sm_, clock_,
                                               [this](std::uint32_t ticket, Cycle cycle) { answered(ticket, cycle); });
  }

 private:
  static constexpr std::uint32_t write_ticket = ~std::uint32_t{0};

  void add_statistics(Statistics& totals) const override { totals.of<RememberingCounts>() += counts_; }

  void start(SchemeRequest& request) override {
    StackScheme::start(request);
    read(request, 0);
  }

  void settle(SchemeRequest& request) override {
    StackScheme::settle(request);
    std::size_t& depth = depths_[request.slot];
    const std::size_t before = std::exchange(depth, stacks_[request.slot].depth());
    if (request.event == SchemeEvent::start || depth == before || request.path.lanes == 0) return;
    if (depth < before) return read(request, 1);
    ++counts_.writes;
    memory_port->write(address_of(request.slot), 1, write_ticket, request.now);
  }

  /// The warp waits for the top of its stack. Some memories know at once when they will answer.
  void read(SchemeRequest& request, std::uint8_t cause) {
    ++counts_.reads;
    known_.reset();
    paths_[request.slot] = request.path;
    within_read_ = true;
    memory_port->read(address_of(request.slot), 1, request.slot, request.now);
    within_read_ = false;
    request.answer = SchemeAnswer::wait;
    request.until = known_.value_or(never);
    request.cause = cause;
  }

  void answered(std::uint32_t ticket, Cycle cycle) {
    if (ticket == write_ticket) return;
    if (within_read_) {
      known_ = cycle;
      return;
    }
    ResumeRequest request;
    request.slot = ticket;
    request.path = paths_[ticket];
    request.now = clock_.now();
    request.cycle = cycle;
    send(resumed, request);
  }

  /// Above local memory, 256 bytes for each warp.
  DeviceAddress address_of(std::uint32_t slot) const { return (DeviceAddress{0x300} + sm_) << 32U | slot * 256U; }

  std::uint32_t sm_;
  Clock clock_;
  // By warp slot:
  std::vector<std::size_t> depths_;  // of stacks
  std::vector<Path> paths_;          // of the waiting ones
  bool within_read_ = false;
  std::optional<Cycle> known_;  // when the response to the request that is being sent arrives
  RememberingCounts counts_;
};

inline const SchemeKind& remembering_scheme() {
  static const SchemeKind kind{.part = scheme_part<RememberingParameters>(),
                               .make = [](const char* name, const SchemePlace& place) -> std::unique_ptr<Scheme> {
                                 return std::make_unique<RememberingScheme>(name, place);
                               }};
  return kind;
}

}  // namespace reconverge::contract
