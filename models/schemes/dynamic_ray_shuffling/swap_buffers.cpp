// SPDX-License-Identifier: Apache-2.0
#include "models/schemes/dynamic_ray_shuffling/swap_buffers.hpp"

namespace reconverge {

SwapBuffers::SwapBuffers(sc_core::sc_module_name name, std::size_t buffers, std::size_t ray_registers)
    : sc_module(name),
      swaps("swaps"),
      transfers("transfers"),
      grants("grants"),
      buffers_(buffers),
      ray_registers_(ray_registers) {
  swaps.bind(*this);
  transfers.bind(*this);
  grants.bind(*this);
}

void SwapBuffers::b_transport(RaySwap& swap, sc_core::sc_time& /*delay*/) {
  swap_ = swap;
  busy_ = true;
  transfers_ = ray_registers_ * (swap.both_ways ? 2 : 1);
  read_ = 0;
  written_ = 0;
}

void SwapBuffers::b_transport(RegisterTransfers& wanted, sc_core::sc_time& /*delay*/) {
  wanted = {read(), write(), busy_, busy_ && written_ == transfers_};
}

void SwapBuffers::b_transport(TransferGrants& granted, sc_core::sc_time& /*delay*/) {
  if (granted.read) ++read_;
  if (granted.write) ++written_;
  if (granted.end) busy_ = false;
}

std::optional<RegisterAccess> SwapBuffers::read() const {
  if (read_ == transfers_ || read_ - written_ == buffers_) return std::nullopt;
  const bool back = backwards(read_);
  return RegisterAccess{back ? swap_.destination : swap_.source, register_of(read_),
                        back ? swap_.destination_lanes : swap_.source_lanes};
}

std::optional<RegisterAccess> SwapBuffers::write() const {
  const bool back = backwards(written_);
  // Before the first transfer of a pair overwrites a row, the second must have read it.
  const std::size_t needed = written_ + (swap_.both_ways && !back ? 2 : 1);
  if (written_ == transfers_ || read_ < needed) return std::nullopt;
  return RegisterAccess{back ? swap_.source : swap_.destination, register_of(written_),
                        back ? swap_.source_lanes : swap_.destination_lanes};
}

}  // namespace reconverge
