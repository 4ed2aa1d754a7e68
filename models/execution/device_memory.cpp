// SPDX-License-Identifier: Apache-2.0
#include "models/execution/device_memory.hpp"

#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "models/core/error.hpp"
#include "models/core/host_error.hpp"

namespace reconverge {

namespace {

constexpr std::uint64_t unit = 256;
constexpr std::uint64_t page = 4096;

[[noreturn]] void throw_host_error(std::string_view what) {
  throw HostError(fmt::format("cannot {}: {}", what, std::strerror(errno)));
}

std::byte* reserve(std::uint64_t bytes) {
  void* pages = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (pages == MAP_FAILED) {
    throw HostError(fmt::format(
        "cannot reserve {} bytes of address space for device memory; raise the limit of virtual memory (ulimit -v)",
        bytes));
  }
  // Lanes access it at random. If the call fails, only speed is affected.
  ::madvise(pages, bytes, MADV_HUGEPAGE);
  return static_cast<std::byte*>(pages);
}

}  // namespace

void DeviceMemory::Unmap::operator()(std::byte* pages) const { ::munmap(pages, bytes); }

DeviceMemory::DeviceMemory(std::uint64_t capacity)
    : pages_(reserve(capacity), Unmap{capacity}),
      host_(pages_.get() - arena_base),
      capacity_(capacity),
      places_(arena_base, capacity) {}

DeviceAddress DeviceMemory::allocate(std::string name, std::uint64_t bytes) {
  return allocate(std::move(name), bytes, unit);
}

DeviceAddress DeviceMemory::allocate(std::string name, std::uint64_t bytes, std::uint64_t alignment) {
  // At least one unused unit follows each buffer: the gap that catches accesses past the end.
  const std::uint64_t span = bytes < capacity_ ? (bytes / alignment + 2) * alignment + (alignment - unit) : ~unit;
  const DeviceAddress place = places_.allocate(span);
  if (place == 0) {
    throw InputError({}, fmt::format("buffer '{}' of {} bytes does not fit in device memory", name, bytes),
                     fmt::format("{} of {} bytes are in use", used_, capacity_));
  }
  const DeviceAddress address = (place + alignment - 1) / alignment * alignment;
  if (address != place) place_of_[address] = place;
  const std::uint64_t begin = place - arena_base;
  // Later pages have never been touched.
  if (begin < used_) std::memset(pages_.get() + begin, 0, std::min(span, used_ - begin));
  used_ = std::max(used_, begin + span);
  insert({std::move(name), address, bytes});
  return address;
}

void DeviceMemory::insert(Buffer buffer) {
  const auto after = std::ranges::upper_bound(buffers_, buffer.address, {}, &Buffer::address);
  buffers_.insert(after, std::move(buffer));
}

bool DeviceMemory::release(DeviceAddress address) {
  const auto buffer = std::ranges::find(buffers_, address, &Buffer::address);
  if (buffer == buffers_.end() || address < arena_base) return false;
  buffers_.erase(buffer);
  shared_.erase(address);
  const auto moved = place_of_.extract(address);
  places_.release(moved.empty() ? address : moved.mapped());
  return true;
}

void DeviceMemory::release_all() {
  buffers_.clear();
  shared_.clear();
  place_of_.clear();
  heap_.reset();
  places_ = DeviceHeap(arena_base, capacity_);
}

void DeviceMemory::make_shareable() {
  if (shareable_) return;
  const std::vector<std::byte> contents(pages_.get(), pages_.get() + used_);
  constexpr int how = MAP_SHARED | MAP_ANONYMOUS | MAP_FIXED | MAP_NORESERVE;
  if (::mmap(pages_.get(), capacity_, PROT_READ | PROT_WRITE, how, -1, 0) == MAP_FAILED)
    throw_host_error("share device memory");
  std::ranges::copy(contents, pages_.get());
  shareable_ = true;
}

DeviceAddress DeviceMemory::allocate_shared(std::string name, std::uint64_t bytes) {
  make_shareable();
  const DeviceAddress address = allocate(std::move(name), bytes, page);
  const std::uint64_t whole = std::max(page, (bytes + page - 1) / page * page);
  // A device address is the host's address here. The first call fails if these addresses are in use.
  auto* const wanted = reinterpret_cast<void*>(address);  // NOLINT(performance-no-int-to-ptr)
  constexpr int how = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE;
  if (::mmap(wanted, whole, PROT_NONE, how, -1, 0) == MAP_FAILED ||
      ::mremap(host_ + address, 0, whole, MREMAP_MAYMOVE | MREMAP_FIXED, wanted) == MAP_FAILED) {
    release(address);
    throw_host_error("map device memory at its own address");
  }
  shared_.emplace(address, Pages(static_cast<std::byte*>(wanted), Unmap{whole}));
  return address;
}

DeviceAddress DeviceMemory::share(std::string name, std::span<std::byte> variable) {
  const auto address = reinterpret_cast<DeviceAddress>(variable.data());
  if (address + variable.size() > shared_window) {
    throw InputError({}, fmt::format("'{}' is at host address {:#x}, which the device does not reach", name, address),
                     "link the program with -no-pie");
  }
  const DeviceAddress begin = address / page * page;
  const std::uint64_t whole = (address + variable.size() - begin + page - 1) / page * page;
  std::byte* const pages = variable.data() - (address - begin);
  shared_.erase(address);  // remains from before release_all
  constexpr int how = MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE;
  void* const wanted = host_ + begin;
  if (::mmap(wanted, whole, PROT_READ | PROT_WRITE, how, -1, 0) == MAP_FAILED) throw_host_error("share a variable");
  Pages shared(static_cast<std::byte*>(wanted), Unmap{whole});
  std::memcpy(wanted, pages, whole);
  if (::mremap(wanted, 0, whole, MREMAP_MAYMOVE | MREMAP_FIXED, pages) == MAP_FAILED)
    throw_host_error("share a variable");
  shared_.emplace(address, std::move(shared));
  insert({std::move(name), address, variable.size()});
  return address;
}

DeviceAddress DeviceMemory::upload(std::string name, std::span<const std::byte> bytes) {
  const DeviceAddress address = allocate(std::move(name), bytes.size());
  if (!bytes.empty()) std::memcpy(host_ + address, bytes.data(), bytes.size());
  return address;
}

const Buffer* DeviceMemory::find(DeviceAddress address) const {
  // Buffers are in the order of their addresses.
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
