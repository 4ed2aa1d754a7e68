#pragma once
/// The RTL of dynamic ray shuffling, whatever its configuration: a clocked thing with pins.

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "models/core/error.hpp"
#include "models/dynamic_ray_shuffling/twin/pins.hpp"

namespace reconverge {

/// An assertion of the RTL failed; standard output has its name.
class RtlAssertion : public ExecutionError {
 public:
  using ExecutionError::ExecutionError;
};

/// All that the RTL remembers.
using RtlState = std::vector<std::uint8_t>;

class RtlBlock {
 public:
  virtual ~RtlBlock() = default;
  RtlBlock() = default;
  RtlBlock(const RtlBlock&) = delete;
  RtlBlock& operator=(const RtlBlock&) = delete;

  /// What comes out in this cycle when that goes in. May come often in a cycle.
  virtual const PinOutputs& settle(const PinInputs& inputs) = 0;
  /// Ends the cycle. Throws RtlAssertion.
  virtual void clock() = 0;
  /// What comes out as a cycle begins, of what depends on no input.
  virtual const PinOutputs& look() = 0;

  virtual RtlState save() const = 0;
  /// A waveform (VCD) of the cycles behind that state in which these inputs came, without the first `skipped`. An
  /// assertion ends it.
  virtual std::string waveform(const RtlState& state, std::span<const PinInputs> inputs, std::size_t skipped) const = 0;
};

/// A configuration that was built, for warps of 32 lanes.
struct RtlConfiguration {
  std::size_t warps;
  std::size_t backup_rows;
  std::size_t swap_buffers;
  std::size_t ray_registers;
  std::unique_ptr<RtlBlock> (*make)();  ///< after reset
};

/// All of them: RECONVERGE_RTL of CMake says which.
std::span<const RtlConfiguration> rtl_configurations();

/// Throws ParameterError, which names those that there are, when none has these parameters.
void require_rtl(const DynamicRayShufflingParameters& parameters);
/// The block after reset. Throws the same when none has these parameters and so many warps.
std::unique_ptr<RtlBlock> make_rtl(const DynamicRayShufflingParameters& parameters, std::size_t warps);

}  // namespace reconverge
