// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The new-warp FIFO (Steffen and Zambreno, MICRO 2010, section IV-C): complete warps that wait for a warp slot. A FIFO
/// entry is the address of the last thread's formation entry; the addresses of the other threads follow from it.

#include <boost/circular_buffer.hpp>

#include "models/protocols/control.hpp"
#include "models/schemes/dynamic_microkernel/messages.hpp"

namespace reconverge {

class NewWarpFifo : public sc_core::sc_module, private ControlTarget<WarpPush>, private ControlTarget<WarpPop> {
 public:
  ControlTargetSocket<WarpPush> pushes;
  ControlTargetSocket<WarpPop> pops;

  NewWarpFifo(sc_core::sc_module_name name, std::size_t capacity);

  void begin() { warps_.clear(); }
  bool full() const { return warps_.full(); }
  bool empty() const { return warps_.empty(); }
  std::size_t size() const { return warps_.size(); }
  std::size_t capacity() const { return warps_.capacity(); }
  /// The warp that leaves next. The FIFO must not be empty.
  const NewWarp& front() const { return warps_.front(); }

 private:
  /// The initiator must have checked that the FIFO is not full.
  void b_transport(WarpPush& push, sc_core::sc_time& delay) override;
  void b_transport(WarpPop& pop, sc_core::sc_time& delay) override;

  boost::circular_buffer<NewWarp> warps_;
};

}  // namespace reconverge
