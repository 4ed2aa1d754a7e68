// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Stores that have not reached device memory: the stored bytes with their newest values.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "models/execution/device_memory.hpp"

namespace reconverge {

class StoreBuffer {
 public:
  bool empty() const { return lines_.empty(); }
  /// Adds a store of `bytes` at `address`, which replaces earlier stores.
  void store(DeviceAddress address, std::span<const std::byte> bytes) {
    for_each_piece(address, bytes, [this](DeviceAddress line, std::size_t first, std::span<const std::byte> piece) {
      store_in_line(line_of(line), first, piece);
    });
  }
  /// `bytes` was read from `address`: replaces each byte that has a store here.
  void update(DeviceAddress address, std::span<std::byte> bytes) const {
    for_each_piece(address, bytes, [this](DeviceAddress line, std::size_t first, std::span<std::byte> piece) {
      if (const Line* const found = find(line)) read_from_line(*found, first, piece);
    });
  }
  /// Moves all stores to `older`, where they replace earlier stores. Leaves this buffer empty.
  void move_to(StoreBuffer& older);
  /// Moves all stores to memory.
  void move_to(DeviceMemory& memory);

 private:
  static constexpr std::size_t line_bytes = 64;

  struct Line {
    DeviceAddress address = 0;
    std::uint64_t stored = 0;  // bit i: byte i was stored
    std::array<std::byte, line_bytes> bytes;
  };

  /// Calls `use(line address, first byte in the line, bytes)` for the part of `bytes` in each line.
  template <typename Bytes, typename Use>
  static void for_each_piece(DeviceAddress address, Bytes bytes, const Use& use) {
    while (!bytes.empty()) {
      const std::size_t first = address % line_bytes;
      const std::size_t count = std::min(bytes.size(), line_bytes - first);
      use(address - first, first, bytes.first(count));
      bytes = bytes.subspan(count);
      address += count;
    }
  }
  static std::uint64_t mask_of(std::size_t first, std::size_t count) {
    return (~std::uint64_t{0} >> (line_bytes - count)) << first;
  }
  static void store_in_line(Line& line, std::size_t first, std::span<const std::byte> piece);
  static void read_from_line(const Line& line, std::size_t first, std::span<std::byte> piece);

  std::size_t start_of(DeviceAddress address) const {
    return (address / line_bytes * 0x9e37'79b9'7f4a'7c15U) >> shift_;
  }
  const Line* find(DeviceAddress address) const;
  /// The line, which is added if necessary.
  Line& line_of(DeviceAddress address);
  void add_to_index(std::uint32_t number);
  void grow();
  void clear();

  std::vector<Line> lines_;
  // Hash table with open addressing: 1 + the number of a line, or 0. At most half of it is in use.
  std::vector<std::uint32_t> index_ = std::vector<std::uint32_t>(64);
  unsigned shift_ = 64 - 6;
  mutable std::size_t last_ = 0;  // the last line found: the next lane usually needs the same one
};

}  // namespace reconverge
