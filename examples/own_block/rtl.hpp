// SPDX-License-Identifier: Apache-2.0
#pragma once
/// own_block.sv, compiled by Verilator, with the interface of its model. Only rtl.cpp includes Verilator's headers.

#include <memory>

#include "path_choice.hpp"

class VerilatedContext;
class Vown_block;

namespace own_block {

class Rtl {
 public:
  Rtl();
  ~Rtl();

  void reset();
  /// Drives the inputs, reads the outputs, and ends the clock cycle.
  std::optional<unsigned> choose(const Waiting& waiting);

 private:
  std::unique_ptr<VerilatedContext> context_;
  std::unique_ptr<Vown_block> block_;
};

}  // namespace own_block
