// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Interface of a block's RTL at its pins, independent of the configuration and of the tool that compiled the RTL.
///
/// `Ports` describes a block; README.md has an example. It has
/// - `Inputs` and `Outputs`: inputs and outputs of a cycle, in the model's types;
/// - `Shape`: the numbers that the widths of ports depend on;
/// - `block`, `part` and `scope`: names of the block and of its identical parts, for messages, and of the RTL's top in
///   waveforms;
/// - `inputs(rtl, in, shape, port)` and `outputs(rtl, out, shape, port)`: call `port(Port, pin, value)` for each
///   relevant value, in the order of comparison;
/// - `History`: constructed without arguments; `add(cycle, inputs, outputs)` is called for each cycle, and `text(part)`
///   describes the events before a difference. NoHistory describes none.

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "models/cosim/twin/port.hpp"
#include "models/cosim/twin/signals.hpp"

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
  /// Compares the outputs for these inputs with `expected`. Returns the first port that differs, if any.
  virtual std::optional<PortDifference> compare(const Inputs& inputs, const Outputs& expected) = 0;
  /// Ends the cycle. Throws RtlAssertion.
  virtual void clock() = 0;
  /// The outputs at the beginning of a cycle; only outputs that depend on no input are valid.
  virtual const Outputs& look() = 0;

  /// Records all signals from now on, at the end of each cycle, and counts the cycles. `signals` must outlive this
  /// object. Returns the header of the VCD.
  virtual std::string show(Signals& signals) = 0;
  /// Calls `visit` for each input and output value.
  virtual void visit_ports(const Inputs& inputs, const Outputs& outputs,
                           const std::function<void(const Port&, std::uint64_t)>& visit) = 0;

  virtual RtlState save() const = 0;
  /// A waveform (VCD) of the cycles after `state` with these inputs, without the first `skipped`. It ends at a failed
  /// assertion.
  virtual std::string waveform(const RtlState& state, std::span<const Inputs> inputs, std::size_t skipped) const = 0;
};

struct NoHistory {
  template <typename Inputs, typename Outputs>
  void add(std::uint64_t /*cycle*/, const Inputs& /*inputs*/, const Outputs& /*outputs*/) {}
  std::string text(std::optional<unsigned> /*part*/) const { return {}; }
};

}  // namespace reconverge::twin
