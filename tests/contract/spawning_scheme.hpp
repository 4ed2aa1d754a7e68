// SPDX-License-Identifier: Apache-2.0
#pragma once
/// A throw-away scheme that starts threads at run time. Each thread that ends starts another, for a given number of
/// generations, and each SM also starts some threads at the beginning. They start where the program first reads
/// %extension_0.

#include <algorithm>
#include <array>
#include <deque>
#include <span>

#include "tests/contract/stack_scheme.hpp"

namespace reconverge::contract {

struct SpawningCounts {
  std::uint64_t begun = 0;
  std::uint64_t ended = 0;
  std::uint64_t declined = 0;

  static std::span<const StatisticDescription> descriptions() {
    static const std::array all{
        counter_of_scheme<&SpawningCounts::begun>("begun", "threads", "Threads that it began."),
        counter_of_scheme<&SpawningCounts::ended>("ended", "threads", "Those that ended."),
        counter_of_scheme<&SpawningCounts::declined>("declined", "slots", "Slots that it left to blocks.")};
    return all;
  }
  SpawningCounts& operator+=(const SpawningCounts& other) {
    begun += other.begun, ended += other.ended, declined += other.declined;
    return *this;
  }
  SpawningCounts& operator-=(const SpawningCounts& other) {
    begun -= other.begun, ended -= other.ended, declined -= other.declined;
    return *this;
  }
};

struct SpawningParameters {
  static const BlockDescription& description() {
    static const BlockDescription block = [] {
      BlockDescription made = block_of_scheme("spawning", "Threads that bring threads.");
      made.statistics = SpawningCounts::descriptions();
      made.counters = &statistics_operations<SpawningCounts>;
      return made;
    }();
    return block;
  }
  bool operator==(const SpawningParameters&) const = default;
};

class SpawningScheme final : public StackScheme {
 public:
  static constexpr std::uint32_t generations = 2;  ///< that follow each thread of the grid
  static constexpr std::uint32_t at_begin = 40;    ///< threads that each SM starts itself
  static constexpr SchemeTraits traits{.threads = true};

  SpawningScheme(sc_core::sc_module_name name, const SchemePlace& place)
      : StackScheme(name, place), sm_(place.sm), identities_(place.parameters.warp_slots) {}

  /// Identities are numbered consecutively: the grid's threads, each generation, then the threads that SMs start at the
  /// beginning.
  static std::uint64_t identities(const Launch& launch, std::uint64_t sms) {
    return launch.grid.count() * launch.block.count() * (1 + generations) + sms * at_begin;
  }

 private:
  void add_statistics(Statistics& totals) const override { totals.of<SpawningCounts>() += counts_; }

  void begin(const SchemeLaunch& launch) override {
    launch_ = &launch.launch;
    grid_threads_ = static_cast<std::uint32_t>(launch_->grid.count() * launch_->block.count());
    entry_ = entry_of(*launch_->program);
    const auto first = static_cast<std::uint32_t>(identities(*launch_, sm_));
    for (std::uint32_t i = 0; i < at_begin; ++i) waiting_.push_back(first + i);
    has_threads_ = true;
  }

  static kernel::Pc entry_of(const kernel::Program& program) {
    const auto reads_identity = [](const kernel::Instruction& instruction) {
      const kernel::Operand row(kernel::Bank::special, static_cast<unsigned>(kernel::SpecialRow::extension_0));
      return std::ranges::find(instruction.source, row) != instruction.source.end();
    };
    const auto found = std::ranges::find_if(program.instructions, reads_identity);
    return static_cast<kernel::Pc>(found - program.instructions.begin());
  }

  void begin_threads(StartRequest& request) override {
    const auto count = static_cast<unsigned>(std::min<std::size_t>(waiting_.size(), warp_size));
    if (request.others_wait && count < warp_size) {
      ++counts_.declined;
      return;
    }
    for (unsigned lane = 0; lane < count; ++lane) {
      request.identity[lane] = identities_[request.slot][lane] = waiting_.front();
      waiting_.pop_front();
    }
    request.path = {entry_, all_lanes >> (warp_size - count), kernel::no_pc};
    counts_.begun += count;
    has_threads_ = !waiting_.empty();
  }

  void start(SchemeRequest& request) override {
    const ThreadPosition& place = request.position;
    const std::uint64_t first = place.block * launch_->block.count() + std::uint64_t{place.warp} * warp_size;
    if (request.path.pc != entry_) {
      for_each_lane(request.lanes,
                    [&](unsigned lane) { identities_[request.slot][lane] = static_cast<std::uint32_t>(first + lane); });
    }
    StackScheme::start(request);
  }

  void exit(SchemeRequest& request) override {
    for_each_lane(request.lanes, [&](unsigned lane) {
      const std::uint32_t identity = identities_[request.slot][lane];
      if (identity >= grid_threads_) ++counts_.ended;
      if (identity < grid_threads_ * generations) waiting_.push_back(identity + grid_threads_);
    });
    has_threads_ = !waiting_.empty();
    StackScheme::exit(request);
  }

  std::uint32_t sm_;
  const Launch* launch_ = nullptr;
  std::uint32_t grid_threads_ = 0;
  kernel::Pc entry_ = 0;
  std::deque<std::uint32_t> waiting_;                             // identities of threads that have not started yet
  std::vector<std::array<std::uint32_t, warp_size>> identities_;  // by warp slot and lane
  SpawningCounts counts_;
};

inline const SchemeKind& spawning_scheme() {
  static const SchemeKind kind{.part = scheme_part<SpawningParameters>(),
                               .traits = SpawningScheme::traits,
                               .make = [](const char* name, const SchemePlace& place) -> std::unique_ptr<Scheme> {
                                 return std::make_unique<SpawningScheme>(name, place);
                               }};
  return kind;
}

}  // namespace reconverge::contract
