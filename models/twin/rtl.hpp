#pragma once
/// A block in RTL, independent of its configuration and its compiler: clocked logic with pins.
///
/// `Ports` describes a block; README.md has an example. It has
/// - `Inputs` and `Outputs`: the inputs and outputs of a cycle, in the model's types;
/// - `Shape`: the parameters that the widths of ports depend on;
/// - `block`, `part` and `scope`: names of the block and of its identical parts, for texts, and of the RTL's top in
///   waveforms;
/// - `inputs(rtl, in, shape, port)` and `outputs(rtl, out, shape, port)`: call `port(Port, pin, value)` for each value
///   that matters, in the order in which they are compared;
/// - `History`: default-constructed; `add(cycle, inputs, outputs)` gets each cycle, `text(part)` describes the events
///   before. Without a history it is NoHistory.

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "models/twin/port.hpp"
#include "models/twin/signals.hpp"

namespace reconverge::twin {

/// The complete state of the RTL.
using RtlState = std::vector<std::uint8_t>;

template <typename Ports>
class Rtl {
 public:
  using Inputs = typename Ports::Inputs;
  using Outputs = typename Ports::Outputs;

  virtual ~Rtl() = default;
  Rtl() = default;
  Rtl(const Rtl&) = delete;
  Rtl& operator=(const Rtl&) = delete;

  /// The outputs of this cycle for these inputs. May be called several times in a cycle.
  virtual const Outputs& settle(const Inputs& inputs) = 0;
  /// The same, compared with the expected outputs: returns the first port that differs, if any.
  virtual std::optional<PortDifference> compare(const Inputs& inputs, const Outputs& expected) = 0;
  /// Ends the cycle. Throws RtlAssertion.
  virtual void clock() = 0;
  /// The outputs at the beginning of a cycle that depend on no input.
  virtual const Outputs& look() = 0;

  /// Records all signals from now on, at the end of each cycle, which it counts. `signals` must outlive this object.
  /// Returns the declarations of the signals in a VCD.
  virtual std::string show(Signals& signals) = 0;
  /// Calls `visit` for each value of the inputs and outputs.
  virtual void visit_ports(const Inputs& inputs, const Outputs& outputs,
                           const std::function<void(const Port&, std::uint64_t)>& visit) = 0;

  virtual RtlState save() const = 0;
  /// A waveform (VCD) of the cycles after that state with these inputs, without the first `skipped`. An assertion ends
  /// it.
  virtual std::string waveform(const RtlState& state, std::span<const Inputs> inputs, std::size_t skipped) const = 0;
};

struct NoHistory {
  template <typename Inputs, typename Outputs>
  void add(std::uint64_t /*cycle*/, const Inputs& /*inputs*/, const Outputs& /*outputs*/) {}
  std::string text(std::optional<unsigned> /*part*/) const { return {}; }
};

}  // namespace reconverge::twin
