#pragma once
/// A swap of rays between two rows, register by register, through buffers of one register row each (Lü et al., MICRO
/// 2017, section 3.2.4, Fig. 5). Plain logic, no SystemC.

#include <cstddef>
#include <optional>

#include "models/core/lane_mask.hpp"

namespace reconverge {

/// Rays that change places: the i-th lane of `source_lanes` with the i-th of `destination_lanes`.
struct RaySwap {
  std::size_t source = 0;  ///< row
  std::size_t destination = 0;
  LaneMask source_lanes = 0;
  LaneMask destination_lanes = 0;
  bool both_ways = false;  ///< the destination's places hold rays, too

  bool operator==(const RaySwap&) const = default;
};

/// What a swap wants of the register file in a cycle.
struct RegisterAccess {
  std::size_t row = 0;
  std::size_t ray_register = 0;
  LaneMask lanes = 0;  ///< read: those that the buffer takes; write: those that are written

  bool operator==(const RegisterAccess&) const = default;
};

/// An entry of the swapping-request table with its share of the swap buffers: one swap at a time.
///
/// A transfer takes a register row into a buffer and writes it into the other row a cycle later or more. Both ways, the
/// transfers of a register follow each other, and the first is written when the second has been read. One read and one
/// write a cycle.
class SwapBuffers {
 public:
  /// `buffers`: at least 2, or a swap both ways would never end.
  SwapBuffers(std::size_t buffers, std::size_t ray_registers) : buffers_(buffers), ray_registers_(ray_registers) {}

  bool busy() const { return written_ < transfers_; }
  const RaySwap& swap() const { return swap_; }

  void start(const RaySwap& swap);
  /// What is wanted in this cycle; asked again until granted.
  std::optional<RegisterAccess> read() const;
  std::optional<RegisterAccess> write() const;
  /// The end of the cycle. Returns whether the swap ended with it.
  bool step(bool read_granted, bool write_granted);

 private:
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
