// SPDX-License-Identifier: Apache-2.0
#pragma once
/// A block in RTL, whatever its configuration and whoever compiled it: a clocked thing with pins.
///
/// `Ports` says what a block is; README.md has an example. It has
/// - `Inputs` and `Outputs`: what goes in and comes out in a cycle, in the model's own types;
/// - `Shape`: what the widths of ports depend on;
/// - `block`, `part` and `scope`: names of the block and of parts of it that are alike, for texts, and of the RTL's top
///   in waveforms;
/// - `inputs(rtl, in, shape, port)` and `outputs(rtl, out, shape, port)`: call `port(Port, pin, value)` for each value
///   that matters, in the order in which they are compared;
/// - `History`: made of nothing; `add(cycle, inputs, outputs)` sees each cycle, `text(part)` says what led there. With
///   nothing to say it is NoHistory.

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "models/cosim/twin/port.hpp"
#include "models/cosim/twin/signals.hpp"

namespace reconverge::twin {

/// All that the RTL remembers.
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

  /// What comes out in this cycle when that goes in. May come often in a cycle.
  virtual const Outputs& settle(const Inputs& inputs) = 0;
  /// The same, held against what should come out: the first port that differs, if there is one.
  virtual std::optional<PortDifference> compare(const Inputs& inputs, const Outputs& expected) = 0;
  /// Ends the cycle. Throws RtlAssertion.
  virtual void clock() = 0;
  /// What comes out as a cycle begins, of what depends on no input.
  virtual const Outputs& look() = 0;

  /// Shows all signals from now on, at the end of each cycle, which it counts. `signals` must outlive this object.
  /// Returns what a VCD declares them with.
  virtual std::string show(Signals& signals) = 0;
  /// Calls `visit` for each value that goes in or comes out.
  virtual void visit_ports(const Inputs& inputs, const Outputs& outputs,
                           const std::function<void(const Port&, std::uint64_t)>& visit) = 0;

  virtual RtlState save() const = 0;
  /// A waveform (VCD) of the cycles behind that state in which these inputs came, without the first `skipped`. An
  /// assertion ends it.
  virtual std::string waveform(const RtlState& state, std::span<const Inputs> inputs, std::size_t skipped) const = 0;
};

struct NoHistory {
  template <typename Inputs, typename Outputs>
  void add(std::uint64_t /*cycle*/, const Inputs& /*inputs*/, const Outputs& /*outputs*/) {}
  std::string text(std::optional<unsigned> /*part*/) const { return {}; }
};

}  // namespace reconverge::twin
