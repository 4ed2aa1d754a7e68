// SPDX-License-Identifier: Apache-2.0
#pragma once
/// A swap of rays between two rows, register by register, through buffers of one register row each (Lü et al., MICRO
/// 2017, section 3.2.4, Fig. 5).

#include "models/protocols/control.hpp"
#include "models/schemes/dynamic_ray_shuffling/messages.hpp"

namespace reconverge {

/// The swap buffers: one swap at a time.
///
/// A transfer reads a register row into a buffer and writes it to the other row at least one cycle later. In a two-way
/// swap, the two transfers of a register follow each other, and the first is written only after the second has been
/// read. One read and one write a cycle. A swap has finished in the cycle after its last write.
class SwapBuffers : public sc_core::sc_module,
                    private ControlTarget<RaySwap>,
                    private ControlTarget<RegisterTransfers>,
                    private ControlTarget<TransferGrants> {
 public:
  ControlTargetSocket<RaySwap> swaps;  ///< swaps that begin; the previous one has ended, at the latest in this cycle
  ControlTargetSocket<RegisterTransfers> transfers;
  ControlTargetSocket<TransferGrants> grants;

  /// `buffers`: at least 2, or a two-way swap would never end.
  SwapBuffers(sc_core::sc_module_name name, std::size_t buffers, std::size_t ray_registers);

  /// Begins a launch without a swap.
  void begin() {
    busy_ = false;
    transfers_ = read_ = written_ = 0;
  }

 private:
  void b_transport(RaySwap& swap, sc_core::sc_time& delay) override;
  void b_transport(RegisterTransfers& wanted, sc_core::sc_time& delay) override;
  void b_transport(TransferGrants& granted, sc_core::sc_time& delay) override;

  std::optional<RegisterAccess> read() const;
  std::optional<RegisterAccess> write() const;
  std::size_t register_of(std::size_t transfer) const { return swap_.both_ways ? transfer / 2 : transfer; }
  bool backwards(std::size_t transfer) const { return swap_.both_ways && transfer % 2 == 1; }

  std::size_t buffers_;
  std::size_t ray_registers_;
  RaySwap swap_;
  bool busy_ = false;
  std::size_t transfers_ = 0;
  std::size_t read_ = 0;  // transfers that are or were in a buffer
  std::size_t written_ = 0;
};

}  // namespace reconverge
