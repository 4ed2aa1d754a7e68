// SPDX-License-Identifier: Apache-2.0 An ideal MIMD machine in its own library, the bound for all divergence hardware
// with the same number of lanes: threads never wait for a lane of another thread. Lanes take turns between threads at
// no cost, so a launch takes as many cycles as its longest thread, or as its instructions take on all lanes, whichever
// is more (McNaughton, Scheduling with deadlines and loss functions, 1959).

#include "ideal_mimd/ideal_mimd.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "models/core/quantity.hpp"
#include "platforms/figures/measurement.hpp"
#include "platforms/figures/text.hpp"
#include "platforms/machines/functional/functional_machine.hpp"
#include "platforms/plugin.hpp"

namespace reconverge::ideal_mimd {

namespace {

/// Counts the instructions of each thread of a launch.
class Threads final : public SmObserver {
 public:
  void begin(std::uint32_t warps_of_block) {
    *this = Threads();
    warps_of_block_ = warps_of_block;
  }

  std::uint64_t instructions() const { return instructions_; }
  std::uint64_t longest() const { return longest_; }
  std::uint64_t started() const { return started_; }

 private:
  using Lanes = std::array<std::uint64_t, warp_size>;

  /// The lanes of a warp. Each block that runs has a separate number in `sm`.
  Lanes& lanes_of(const WarpPlace& place) {
    const std::size_t warp = std::size_t{place.sm} * warps_of_block_ + place.slot;
    if (warp >= executed_.size()) executed_.resize(warp + 1);
    return executed_[warp];
  }
  void threads_started(const ThreadsNote& note) override {
    lanes_of(note.place) = {};
    started_ += count_lanes(note.lanes);
  }
  void issued(const IssueNote& note) override {
    Lanes& lanes = lanes_of(note.place);
    for_each_lane(note.lanes, [&](unsigned lane) { longest_ = std::max(longest_, ++lanes[lane]); });
    instructions_ += count_lanes(note.lanes);
  }

  std::uint32_t warps_of_block_ = 1;
  std::vector<Lanes> executed_;  // instructions
  std::uint64_t instructions_ = 0;
  std::uint64_t longest_ = 0;
  std::uint64_t started_ = 0;
};

/// Instructions have their effect as on the functional machine.
class IdealMimd final : public Machine {
 public:
  explicit IdealMimd(std::uint64_t lanes) : lanes_(lanes), functional_({ForwardProgress::lanes, {}}) {
    functional_.observe_sms(&threads_);
  }

  DeviceMemory& memory() override { return functional_.memory(); }

  bool run(const Launch& launch, const KeepGoing& keep_going) override {
    threads_.begin(launch.warps_per_block());
    const bool completed = functional_.run(launch, [&](const LaunchProgress& progress) {
      const std::uint64_t now = sum(cycles().values);
      if (most_cycles_ != 0 && now >= most_cycles_) return false;
      return !keep_going || keep_going({now, progress.blocks_ended, progress.blocks});
    });
    IdealMimdStatistics counts;
    counts.cycles = cycles();
    counts.instructions = threads_.instructions();
    counts.longest = threads_.longest();
    counts.threads = threads_.started();
    counts.launches = completed ? 1 : 0;
    statistics_ += counts;
    return completed;
  }

  std::uint64_t blocks_at_once(const Launch& launch) const override { return launch.grid.count(); }
  InstructionCounts instructions() const override { return {statistics_.instructions, statistics_.instructions}; }
  void stop_after(std::uint64_t cycles) override { most_cycles_ = cycles; }
  Statistics totals() const override {
    Statistics totals(IdealMimdParameters::description());
    totals.of<IdealMimdStatistics>() = statistics_;
    return totals;
  }

 private:
  /// Of the launch so far.
  decltype(IdealMimdStatistics::cycles) cycles() const {
    const std::uint64_t least = (threads_.instructions() + lanes_ - 1) / lanes_;
    decltype(IdealMimdStatistics::cycles) cycles;
    cycles[IdealMimdCycles::work] = threads_.instructions() / lanes_;
    cycles[IdealMimdCycles::wait] = std::max(least, threads_.longest()) - cycles[IdealMimdCycles::work];
    return cycles;
  }

  std::uint64_t lanes_;
  Threads threads_;
  FunctionalMachine functional_;
  IdealMimdStatistics statistics_;
  std::uint64_t most_cycles_ = 0;  // of a launch; 0: no limit
};

const IdealMimdParameters& own(const Platform& platform) { return platform.machines.of<IdealMimdParameters>(); }
const IdealMimdStatistics& counts_of(const Measurement& m) { return m.totals.of<IdealMimdStatistics>(); }

void add_figures(const Measurement& m, std::vector<Figure>& list) {
  const IdealMimdStatistics& counts = counts_of(m);
  list.push_back({"thread_instructions", "thread instructions", "Instructions of single threads.",
                  "ideal_mimd.instructions", real(counts.instructions)});
  list.push_back({"thread_ipc", "thread instructions/cycle", "Instructions of single threads in a cycle.",
                  "instructions / cycles", thread_ipc(m)});
  list.push_back({"lane_use", "share", "Lanes that executed an instruction, of all lanes in all cycles.",
                  "instructions / (ideal_mimd.lanes * cycles)",
                  ratio(real(counts.instructions), real(m.slots_per_cycle) * real(cycles(m)))});
}

std::string details(std::string_view subject, const Measurement& m) {
  std::string out = fmt::format("\nCycles ({}: {} cycles, {} of them in the longest threads)\n", subject,
                                grouped(cycles(m)), grouped(counts_of(m).longest));
  add_bins(out, m.totals.view<IdealMimdStatistics>(), "cycles");
  return out;
}

std::span<const MachineKind* const> machines() {
  static const MachineKind kind{
      .name = "ideal_mimd",
      .traits = {.any_launch = true},
      .part = machine_part<IdealMimdParameters>(),
      .make = [](const Platform& platform, SchemeList) -> std::unique_ptr<Machine> {
        return std::make_unique<IdealMimd>(own(platform).lanes);
      },
      .describe =
          [](const Platform& platform) {
            return fmt::format("ideal MIMD of {} lanes at {}", own(platform).lanes,
                               format_frequency(own(platform).clock));
          },
      .facts = [](const Platform& platform) -> std::vector<MachineFact> {
        return {{"lanes", own(platform).lanes}, {"clock_hz", own(platform).clock}};
      },
      .zeros = [](SchemeList) { return Statistics(IdealMimdParameters::description()); },
      .rate = [](const Platform& platform) -> MachineRate {
        return {own(platform).clock, own(platform).lanes};
      },
      .cycles = [](const Statistics& totals) { return sum(totals.of<IdealMimdStatistics>().cycles.values); },
      .executed = [](const Measurement& m) -> Executed {
        return {counts_of(m).instructions, counts_of(m).instructions, 1};
      },
      .add_figures = add_figures,
      .details = details};
  static const MachineKind* const kinds[] = {&kind};
  return kinds;
}

}  // namespace

}  // namespace reconverge::ideal_mimd

extern "C" const reconverge::Plugin reconverge_plugin{reconverge::interface_version, nullptr,
                                                      reconverge::ideal_mimd::machines};
