#pragma once
/// The GPU platform: SMs and the memory behind them; constructed, bound, and given launches.

#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <systemc>
#include <vector>

#include "blocks/gpu.hpp"
#include "models/execution/device_memory.hpp"
#include "models/memory/fixed_latency_memory.hpp"
#include "models/memory/memory_hierarchy.hpp"
#include "platforms/gpu/schemes.hpp"
#include "platforms/gpu/sm.hpp"

namespace reconverge {

/// How far a launch is.
struct LaunchProgress {
  Cycle cycles = 0;
  std::uint64_t blocks_ended = 0;
  std::uint64_t blocks = 0;
};

class Gpu : public sc_core::sc_module, private BlockSource {
 public:
  /// `kinds`: of the schemes that the parameters may name.
  Gpu(sc_core::sc_module_name name, const GpuParameters& parameters, SchemeList kinds = built_in_schemes());

  DeviceMemory& memory() { return memory_; }
  const GpuParameters& parameters() const { return parameters_; }

  /// Asked every `report_interval` cycles; false stops the run, after which no launch is possible.
  using KeepGoing = std::function<bool(const LaunchProgress&)>;
  static constexpr Cycle report_interval = 20'000;
  /// Cycles without any change that others could see, after which somebody looks whether the launch goes nowhere.
  static constexpr Cycle patience = 50 * report_interval;
  /// Of the cycles that SMs may run ahead.
  static constexpr Cycle longest_quantum = 64;

  /// Runs a launch to its end; returns false when it was stopped. Throws InputError when it cannot start, and
  /// ExecutionError when the program goes wrong or no warp can ever move again, or all run in circles.
  bool run(const Launch& launch, const KeepGoing& keep_going = {});

  /// Blocks of such a launch that fill all SMs, whatever its grid; zero where none fits.
  std::uint64_t blocks_at_once(const Launch& launch) const;

  /// Counters of all launches so far, added up over SMs and schedulers.
  Statistics totals() const;

 private:
  std::optional<std::uint64_t> next_block(std::uint32_t sm, Cycle now) override;
  bool exhausted() const override { return blocks_given_ == blocks_; }
  void block_ended(Cycle now) override;
  void threads_ended(Cycle now) override { last_end_ = std::max(last_end_, now); }
  void fail(std::exception_ptr error) override;
  /// All blocks have ended, and all threads that schemes began.
  bool ended() const;
  /// Lets what is on its way arrive, and time pass to `end` at least.
  void drain(Cycle end);
  /// How far SMs may run ahead.
  Cycle quantum() const;
  /// Throws std::logic_error unless memory has answered all that the SMs sent.
  void check_conservation() const;
  /// Throws when no warp gets anywhere.
  void look_for_circles(const Launch& launch);
  const ProgramImage& image_of(const kernel::Program& program);

  std::vector<const SchemeKind*> schemes_;  // of its SMs; first the one that says which paths warps run
  GpuParameters parameters_;
  Clock clock_;
  DeviceMemory memory_;
  std::unique_ptr<MemoryHierarchy> hierarchy_;  // this, or the one below
  std::unique_ptr<FixedLatencyMemory> fixed_latency_;
  std::vector<std::unique_ptr<Sm>> sms_;
  std::map<const kernel::Program*, ProgramImage> images_;

  std::uint64_t blocks_ = 0;
  std::uint64_t blocks_given_ = 0;
  std::uint64_t next_block_ = 0;  // behind those of the turns
  Cycle begin_ = 0;               // of the launch
  Cycle turns_ = 0;               // its first cycles, in which SMs take blocks by turns
  std::uint64_t blocks_ended_ = 0;
  Cycle last_end_ = 0;  // of a block
  Cycle watched_ = 0;   // the last time that anything happened, or that somebody looked
  bool stopped_ = false;
  std::exception_ptr error_;
  GpuStatistics statistics_;
  Statistics zeros_;  // of all blocks
};

}  // namespace reconverge
