// SPDX-License-Identifier: Apache-2.0
#include "rtl.hpp"

#include "Vown_block.h"
#include "verilated.h"

namespace own_block {

Rtl::Rtl() : context_(std::make_unique<VerilatedContext>()), block_(std::make_unique<Vown_block>(context_.get())) {
  reset();
}

Rtl::~Rtl() = default;

void Rtl::reset() {
  block_->take_i = 0;
  for (const CData level : {1, 0, 1}) {  // the reset acts at its falling edge
    block_->rst_ni = level;
    block_->eval();
  }
}

std::optional<unsigned> Rtl::choose(const Waiting& waiting) {
  // A path has 32 lanes, one word of the port.
  for (std::size_t path = 0; path < waiting.size(); ++path) block_->lanes_i[path] = waiting[path];
  block_->eval();
  const bool valid = block_->valid_o != 0;
  const unsigned path = block_->path_o;
  block_->take_i = block_->valid_o;
  for (const CData level : {1, 0}) {
    block_->clk_i = level;
    block_->eval();
  }
  return valid ? std::optional(path) : std::nullopt;
}

}  // namespace own_block
