#pragma once
/// A swap of rays between two rows, register by register, through buffers of one register row each (Lü et al., MICRO
/// 2017, section 3.2.4, Fig. 5).

#include "models/dynamic_ray_shuffling/messages.hpp"
#include "models/protocols/control.hpp"

namespace reconverge {

/// A unit's share of the swap buffers: one swap at a time.
///
/// A transfer takes a register row into a buffer and writes it into the other row a cycle later or more. Both ways, the
/// transfers of a register follow each other, and the first is written when the second has been read. One read and one
/// write a cycle.
class SwapBuffers : public sc_core::sc_module,
                    private ControlTarget<RaySwap>,
                    private ControlTarget<RegisterTransfers>,
                    private ControlTarget<TransferGrants> {
 public:
  ControlTargetSocket<RaySwap> swaps;  ///< that begin; the one before has ended
  ControlTargetSocket<RegisterTransfers> transfers;
  ControlTargetSocket<TransferGrants> grants;

  /// `buffers`: at least 2, or a swap both ways would never end.
  SwapBuffers(sc_core::sc_module_name name, std::size_t buffers, std::size_t ray_registers);

  /// Without a swap.
  void begin() { transfers_ = read_ = written_ = 0; }

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
  std::size_t transfers_ = 0;
  std::size_t read_ = 0;  // transfers that are in a buffer, or were
  std::size_t written_ = 0;
};

}  // namespace reconverge
