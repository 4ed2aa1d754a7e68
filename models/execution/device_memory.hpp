// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Device memory: the data that loads read and stores write, without timing.
///
/// Global and constant buffers are in one arena at `arena_base`; any two are separated by a gap, so that an access past
/// the end of one never reaches another. Shared and local memory and the parameters of the kernel have windows of the
/// generic space.

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "models/execution/device_heap.hpp"

namespace reconverge {

inline constexpr DeviceAddress shared_window = 0x1'0000'0000;
inline constexpr DeviceAddress local_window = 0x2'0000'0000;
inline constexpr DeviceAddress param_window = 0x3'0000'0000;
inline constexpr DeviceAddress window_bytes = 0x1'0000'0000;
inline constexpr DeviceAddress arena_base = 0x10'0000'0000;

/// One allocation.
struct Buffer {
  std::string name;
  DeviceAddress address = 0;
  std::uint64_t bytes = 0;

  /// Whether [first, last + bytes - 1] lies inside.
  bool contains(DeviceAddress first, DeviceAddress last, unsigned access_bytes) const {
    return first >= address && last + access_bytes <= address + bytes;
  }
};

class DeviceMemory {
 public:
  /// Reserves `capacity` bytes of address space; the host allocates pages as they are touched.
  explicit DeviceMemory(std::uint64_t capacity = std::uint64_t{16} << 30);

  /// A zeroed buffer, 256-byte aligned. Throws InputError when the arena is full.
  DeviceAddress allocate(std::string name, std::uint64_t bytes);
  /// The same in pages that code of the host reaches by their device address, like memory of cudaMallocManaged. Throws
  /// HostError if the host's process uses these addresses.
  DeviceAddress allocate_shared(std::string name, std::uint64_t bytes);
  /// Makes a variable of the host a buffer at the same address, like a variable that is declared __managed__. It keeps
  /// its contents. Throws HostError, and InputError if the variable is not in the first 4 GiB, where other memory of
  /// the device has no address.
  DeviceAddress share(std::string name, std::span<std::byte> variable);
  /// Frees the buffer that begins at `address`; false if there is none, or if it is a variable of the host. Not
  /// while a kernel runs.
  bool release(DeviceAddress address);
  /// Frees all buffers, and with them the variables of all modules and the heap. Not while a kernel runs.
  void release_all();
  DeviceAddress upload(std::string name, std::span<const std::byte> bytes);
  template <typename T>
  DeviceAddress upload(std::string name, std::span<const T> values) {
    return upload(std::move(name), std::as_bytes(values));
  }

  std::span<const std::byte> view(DeviceAddress address) const;  ///< the whole buffer that starts at `address`
  std::span<std::byte> view(DeviceAddress address);
  template <typename T>
  std::span<const T> view_as(DeviceAddress address) const {
    const auto bytes = view(address);
    return {reinterpret_cast<const T*>(bytes.data()), bytes.size() / sizeof(T)};
  }

  const std::vector<Buffer>& buffers() const { return buffers_; }
  /// The buffer that holds `address`, or nullptr.
  const Buffer* find(DeviceAddress address) const;
  /// The first buffer of that name, or nullptr.
  const Buffer* find(std::string_view name) const;

  /// The heap of malloc and free in kernels: 256 MiB, whose pages are allocated as they are touched. It becomes a
  /// buffer on the first call, which must not be while a kernel runs.
  DeviceHeap& heap();
  /// What kernels have allocated; without the contents of memory.
  void archive(StateArchive& state) {
    if (heap_) state(*heap_);
  }
  /// The bytes of all buffers, and of the gaps between them.
  std::span<std::byte> used() { return {pages_.get(), used_}; }
  std::uint64_t capacity() const { return capacity_; }

  /// Host pointer for device address zero: `host() + address` is the byte at `address` if it is in a buffer.
  std::byte* host() const { return host_; }

 private:
  struct Unmap {
    std::uint64_t bytes;
    void operator()(std::byte* pages) const;
  };
  using Pages = std::unique_ptr<std::byte, Unmap>;

  DeviceAddress allocate(std::string name, std::uint64_t bytes, std::uint64_t alignment);
  void make_shareable();
  void insert(Buffer buffer);

  Pages pages_;
  std::byte* host_;
  std::uint64_t capacity_;
  std::uint64_t used_ = 0;  // up to the end of the last buffer
  std::vector<Buffer> buffers_;
  DeviceHeap places_;                                // of buffers, each with the gap that follows it
  std::map<DeviceAddress, DeviceAddress> place_of_;  // of buffers that do not begin with their place
  std::optional<DeviceHeap> heap_;
  bool shareable_ = false;                 // the pages can be mapped a second time
  std::map<DeviceAddress, Pages> shared_;  // host addresses of shared buffers, and device variables of the host
};

}  // namespace reconverge
