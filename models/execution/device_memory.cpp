// SPDX-License-Identifier: Apache-2.0
#include "models/execution/device_memory.hpp"

#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstring>

#include "models/core/error.hpp"
#include "models/core/host_error.hpp"

namespace reconverge {

namespace {

constexpr std::uint64_t alignment = 256;

std::byte* reserve(std::uint64_t bytes) {
  void* pages = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (pages == MAP_FAILED) {
    throw HostError(fmt::format(
        "cannot reserve {} bytes of address space for device memory; raise the limit of virtual memory (ulimit -v)",
        bytes));
  }
  // Lanes access it at random; if the call fails, only speed is lost.
  ::madvise(pages, bytes, MADV_HUGEPAGE);
  return static_cast<std::byte*>(pages);
}

}  // namespace

void DeviceMemory::Unmap::operator()(std::byte* pages) const { ::munmap(pages, bytes); }

DeviceMemory::DeviceMemory(std::uint64_t capacity)
    : pages_(reserve(capacity), Unmap{capacity}), host_(pages_.get() - arena_base), capacity_(capacity) {}

DeviceAddress DeviceMemory::allocate(std::string name, std::uint64_t bytes) {
  // At least one unused unit follows each buffer: the gap that catches accesses past the end.
  const std::uint64_t span = (bytes / alignment + 2) * alignment;
  if (span > capacity_ - used_) {
    throw InputError({}, fmt::format("buffer '{}' of {} bytes does not fit in device memory", name, bytes),
                     fmt::format("{} of {} bytes are in use", used_, capacity_));
  }
  buffers_.push_back({std::move(name), arena_base + used_, bytes});
  used_ += span;
  return buffers_.back().address;
}

DeviceAddress DeviceMemory::upload(std::string name, std::span<const std::byte> bytes) {
  const DeviceAddress address = allocate(std::move(name), bytes.size());
  if (!bytes.empty()) std::memcpy(host_ + address, bytes.data(), bytes.size());
  return address;
}

const Buffer* DeviceMemory::find(DeviceAddress address) const {
  // Buffers are allocated at rising addresses.
  auto after = std::upper_bound(buffers_.begin(), buffers_.end(), address,
                                [](DeviceAddress value, const Buffer& buffer) { return value < buffer.address; });
  if (after == buffers_.begin()) return nullptr;
  const Buffer& buffer = *--after;
  return address < buffer.address + buffer.bytes ? &buffer : nullptr;
}

const Buffer* DeviceMemory::find(std::string_view name) const {
  const auto found =
      std::find_if(buffers_.begin(), buffers_.end(), [&](const Buffer& buffer) { return buffer.name == name; });
  return found == buffers_.end() ? nullptr : &*found;
}

DeviceHeap& DeviceMemory::heap() {
  constexpr std::uint64_t heap_bytes = std::uint64_t{256} << 20;
  if (!heap_) heap_.emplace(allocate("heap of malloc", heap_bytes), heap_bytes);
  return *heap_;
}

std::span<const std::byte> DeviceMemory::view(DeviceAddress address) const {
  const Buffer* buffer = find(address);
  if (buffer == nullptr) return {};
  return {host_ + buffer->address, buffer->bytes};
}

std::span<std::byte> DeviceMemory::view(DeviceAddress address) {
  const auto bytes = static_cast<const DeviceMemory*>(this)->view(address);
  return {host_ + arena_base + (bytes.data() - pages_.get()), bytes.size()};
}

}  // namespace reconverge
