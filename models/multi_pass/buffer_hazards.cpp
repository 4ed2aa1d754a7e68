// SPDX-License-Identifier: Apache-2.0
#include "models/multi_pass/buffer_hazards.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "models/core/error.hpp"

namespace reconverge {

void BufferHazards::begin(const DeviceMemory& memory, std::string where) {
  memory_ = &memory;
  where_ = std::move(where);
  read_.clear();
  written_.clear();
}

void BufferHazards::note(const MemoryAccess& access, LaneMask lanes) {
  if (access.space == kernel::Space::local) return note(local_, access.write);
  if (access.space != kernel::Space::global) return;
  const std::vector<const Buffer*>& known = access.write ? written_ : read_;
  for_each_lane(lanes, [&](unsigned lane) {
    const DeviceAddress address = access.address[lane];
    if (!known.empty() && known.back()->contains(address, address, access.bytes)) return;
    // Lanes access only buffers: other accesses have already been reported as errors.
    note(*memory_->find(address), access.write);
  });
}

void BufferHazards::note(const Buffer& buffer, bool write) {
  std::vector<const Buffer*>& known = write ? written_ : read_;
  const std::vector<const Buffer*>& others = write ? read_ : written_;
  if (std::ranges::find(others, &buffer) != others.end()) fail(buffer);
  const auto place = std::ranges::find(known, &buffer);
  if (place == known.end()) {
    known.push_back(&buffer);
  } else {
    std::iter_swap(place, known.end() - 1);
  }
}

void BufferHazards::fail(const Buffer& buffer) const {
  throw ExecutionError(fmt::format(
      "{} reads and writes '{}': a buffer is input or output of a pass, not both; give the kernel different "
      "buffers to read and to write",
      where_, buffer.name));
}

}  // namespace reconverge
