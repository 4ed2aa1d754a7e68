// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Partners of a block's pins with RTL of a given class, for tests.

#include <memory>

#include "models/cosim/twin/compared.hpp"
#include "models/cosim/twin/verilated.hpp"

namespace reconverge::twin {

/// RTL in lock step with the model. `Class`: Verilator's.
template <typename Ports, typename Class>
class ComparedWith : public Compared<Ports> {
 public:
  using Block = Verilated<Ports, Class>;

  explicit ComparedWith(const typename Ports::Shape& shape) : Compared<Ports>(std::make_unique<Block>(shape)) {}

  Class& verilated() { return static_cast<Block&>(this->rtl()).rtl(); }
};

/// RTL that gets the model's inputs, without a comparison.
template <typename Ports, typename Class>
class Driven {
 public:
  explicit Driven(const typename Ports::Shape& shape) : rtl_(shape) {}

  void cycle(const typename Ports::Inputs& inputs, const typename Ports::Outputs& /*expected*/) {
    rtl_.settle(inputs);
    rtl_.clock();
  }
  void within(const typename Ports::Inputs& /*inputs*/, const typename Ports::Outputs& /*expected*/) {}

 private:
  Verilated<Ports, Class> rtl_;
};

}  // namespace reconverge::twin
