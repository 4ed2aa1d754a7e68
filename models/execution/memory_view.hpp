// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The view of device memory that each of several SMs has while all run the same quantum, one after another or in
/// parallel on several host threads, with equal results.
///
/// An SM sees the memory contents from the beginning of the quantum, and the SM's stores. At its first access that must
/// be in order (`order`), it waits until the SMs with lower numbers have ended their turns; from then on it also sees
/// their stores. All stores reach memory at the end of the quantum, in the order of the SM numbers. This is total store
/// order, which the memory model of PTX permits: a fence or an atomic drains the buffer of an SM.
///
/// The lowest SM whose turn has not ended never waits, so there is no deadlock if turns begin in the order of numbers.

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "models/execution/store_buffer.hpp"

namespace reconverge {

class MemoryViews;

/// Thrown by `order` in an SM if one with a lower number has failed, so its turn has no effect.
struct TurnAbandoned {};

/// The view of one SM.
class MemoryView {
 public:
  MemoryView(MemoryViews& views, std::size_t sm) : views_(views), sm_(sm) {}
  MemoryView(const MemoryView&) = delete;
  MemoryView& operator=(const MemoryView&) = delete;
  ~MemoryView() = default;

  /// The SM sees stores that memory does not contain.
  bool differs() const { return !stores_->empty(); }
  void store(DeviceAddress address, std::span<const std::byte> bytes) { stores_->store(address, bytes); }
  /// `bytes` are the contents of memory at `address`: applies the stores that the SM sees.
  void update(DeviceAddress address, std::span<std::byte> bytes) const { stores_->update(address, bytes); }
  /// Puts the following accesses in order with those of other SMs. Must be called before an atomic, a fence that other
  /// SMs observe, or any use of state that SMs share without delay.
  void order();

 private:
  friend MemoryViews;
  enum class Turn : std::uint8_t { running, ended, failed };

  MemoryViews& views_;
  std::size_t sm_;
  StoreBuffer own_;
  StoreBuffer* stores_ = &own_;  // or the merged stores of all SMs whose turns have ended
  std::atomic<Turn> turn_ = Turn::ended;
};

/// The views of all SMs of a GPU.
class MemoryViews {
 public:
  explicit MemoryViews(std::size_t sms);

  MemoryView& operator[](std::size_t sm) { return *views_[sm]; }
  /// All turns of a quantum begin.
  void begin_turns();
  /// The turn of an SM has ended, or failed.
  void end_turn(std::size_t sm, bool failed);
  /// All turns have ended: stores reach memory.
  void commit(DeviceMemory& memory);

 private:
  friend MemoryView;
  /// Waits for the turns before that of `sm`, and merges their stores.
  void merge_before(std::size_t sm);

  std::vector<std::unique_ptr<MemoryView>> views_;
  StoreBuffer merged_;           // used only by the SM that is in order
  std::size_t first_apart_ = 0;  // the first SM whose stores are not merged
};

}  // namespace reconverge
