// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Computes an address for each new thread from the two addresses of a spawn LUT line (Steffen and Zambreno, MICRO
/// 2010, section IV-C, Fig. 5). A chain of adders runs over the lanes; each adder adds one entry if its lane is active.

#include "models/protocols/control.hpp"
#include "models/schemes/dynamic_microkernel/messages.hpp"

namespace reconverge {

class ThreadAddressAdder : public sc_core::sc_module, private ControlTarget<ThreadAddresses> {
 public:
  ControlTargetSocket<ThreadAddresses> sums;

  explicit ThreadAddressAdder(sc_core::sc_module_name name);

 private:
  void b_transport(ThreadAddresses& threads, sc_core::sc_time& delay) override;
};

}  // namespace reconverge
