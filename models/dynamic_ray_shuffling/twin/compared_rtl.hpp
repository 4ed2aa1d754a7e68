#pragma once
/// Lock step: the RTL of dynamic ray shuffling beside its model, which Pins drives; every output of every cycle is
/// compared.

#include <array>
#include <boost/circular_buffer.hpp>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "models/core/error.hpp"
#include "models/dynamic_ray_shuffling/twin/rtl_block.hpp"

namespace reconverge {

/// Model and RTL differ, or an assertion of the RTL failed. `what()` names cycle, port and both values, and what warps
/// and swaps did.
class LockStepDifference : public ExecutionError {
 public:
  LockStepDifference(const std::string& message, std::string waveform)
      : ExecutionError(message), waveform_(std::move(waveform)) {}

  /// VCD: all signals of the RTL in the cycles before, and in that of the difference.
  const std::string& waveform() const { return waveform_; }

 private:
  std::string waveform_;
};

/// What it takes to show the last cycles of the RTL.
class RtlRecorder {
 public:
  static constexpr std::size_t shown = 300;      ///< cycles of a waveform, the last included
  static constexpr std::size_t interval = 2048;  ///< from one saved state to the next

  /// Before each cycle.
  void add(const RtlBlock& rtl, const PinInputs& inputs);
  std::string waveform(const RtlBlock& rtl) const;

 private:
  struct Part {
    RtlState state;
    std::vector<PinInputs> inputs;  // behind it
  };
  Part older_;
  Part newer_;
};

class ComparedRtl {
 public:
  /// Throws ParameterError when there is no such RTL.
  ComparedRtl(const DynamicRayShufflingParameters& parameters, std::size_t warps, unsigned width)
      : ComparedRtl(make_rtl(parameters, warps), width) {}
  ComparedRtl(std::unique_ptr<RtlBlock> rtl, unsigned width)
      : rtl_(std::move(rtl)), lanes_(width == warp_size ? all_lanes : lane_bit(width) - 1) {}

  RtlBlock& rtl() { return *rtl_; }

  /// Throws LockStepDifference.
  void cycle(const PinInputs& inputs, const PinOutputs& expected);

 private:
  /// What a warp did.
  struct Event {
    std::uint64_t cycle;
    std::size_t warp;
    bool report;
    LaneMask lanes;  // of a report
    RayControl control;
  };
  /// What a unit is at.
  struct Swap {
    bool busy = false;
    std::uint64_t since = 0;
    std::size_t source = 0;
  };

  void remember(const PinInputs& inputs, const PinOutputs& expected);
  void compare(const PinOutputs& expected, const PinOutputs& seen) const;
  void compare(std::string_view port, std::uint64_t model, std::uint64_t rtl, int unit = -1) const;
  std::string history(int unit) const;

  std::unique_ptr<RtlBlock> rtl_;
  LaneMask lanes_;
  RtlRecorder recorder_;
  std::uint64_t cycle_ = 0;
  boost::circular_buffer<Event> events_{6};  // the last ones
  std::array<Swap, shuffle_units> swaps_;
};

}  // namespace reconverge
