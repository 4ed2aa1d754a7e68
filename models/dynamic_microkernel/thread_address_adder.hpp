#pragma once
/// From the two addresses of a spawn LUT line to one for each new thread (Steffen and Zambreno, MICRO 2010, section
/// IV-C, Fig. 5): a chain of adders over the lanes, each of which adds one entry where its lane is active.

#include "models/dynamic_microkernel/messages.hpp"
#include "models/protocols/control.hpp"

namespace reconverge {

class ThreadAddressAdder : public sc_core::sc_module, private ControlTarget<ThreadAddresses> {
 public:
  ControlTargetSocket<ThreadAddresses> sums;

  explicit ThreadAddressAdder(sc_core::sc_module_name name);

 private:
  void b_transport(ThreadAddresses& threads, sc_core::sc_time& delay) override;
};

}  // namespace reconverge
