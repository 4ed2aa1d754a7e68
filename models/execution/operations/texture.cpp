#include "models/kernel/texture.hpp"

#include <algorithm>

#include "models/execution/operations/addressing.hpp"

// tex.1d: elements of a row by number, unfiltered. A lane whose element is beyond the row reads zeros from nowhere.

namespace reconverge::operations {

namespace {

using kernel::Space;
using kernel::TextureDescriptor;

using Rows = std::array<std::array<std::uint32_t, warp_size>, 4>;

/// The descriptor at the handle, which a kernel may have made up.
TextureDescriptor descriptor_at(const Instruction& instruction, ExecutionContext& context, unsigned lane,
                                DeviceAddress handle) {
  TextureDescriptor descriptor;
  const Buffer* buffer = context.memory->find(handle);
  if (buffer != nullptr && buffer->contains(handle, handle, sizeof(descriptor))) {
    std::memcpy(&descriptor, context.memory->host() + handle, sizeof(descriptor));
  }
  if (descriptor.kind != TextureDescriptor::mark) fail_access(instruction, context, lane, handle, "no texture");
  const DeviceAddress first = descriptor.address;
  const auto bytes = descriptor.elements * descriptor.element_bytes();
  const auto holds_all = [&](const Buffer* data) {
    return data != nullptr && first >= data->address && first + bytes <= data->address + data->bytes;
  };
  if (!holds_all(context.last_buffer)) context.last_buffer = context.memory->find(first);
  if (!holds_all(context.last_buffer)) {
    fail_access(instruction, context, lane, first, "the elements of a texture lie outside every buffer");
  }
  return descriptor;
}

template <typename Channel, bool Normalized>
std::uint32_t component_bits(Channel value) {
  if constexpr (Normalized) {
    // The lowest signed value is no further from zero than the highest.
    const float scaled = static_cast<float>(value) / static_cast<float>(std::numeric_limits<Channel>::max());
    return std::bit_cast<std::uint32_t>(std::max(scaled, -1.0F));
  } else {
    return to_row<Channel>(value);
  }
}

template <typename Channel, bool Normalized>
void fetch(const ExecutionContext& context, LaneMask lanes, unsigned components, Rows& rows) {
  for_each_lane(lanes, [&](unsigned lane) {
    std::array<Channel, 4> element{};
    std::memcpy(element.data(), context.memory->host() + context.access.address[lane], components * sizeof(Channel));
    for (unsigned i = 0; i < 4; ++i) rows[i][lane] = component_bits<Channel, Normalized>(element[i]);
  });
}

void fetch_channel(const TextureDescriptor& descriptor, const ExecutionContext& context, LaneMask lanes, Rows& rows) {
  const bool normalized = descriptor.normalized != 0;
  const unsigned components = descriptor.components;
  switch (descriptor.channel) {
    case DataType::u8:
      return normalized ? fetch<std::uint8_t, true>(context, lanes, components, rows)
                        : fetch<std::uint8_t, false>(context, lanes, components, rows);
    case DataType::s8:
      return normalized ? fetch<std::int8_t, true>(context, lanes, components, rows)
                        : fetch<std::int8_t, false>(context, lanes, components, rows);
    case DataType::u16:
      return normalized ? fetch<std::uint16_t, true>(context, lanes, components, rows)
                        : fetch<std::uint16_t, false>(context, lanes, components, rows);
    case DataType::s16:
      return normalized ? fetch<std::int16_t, true>(context, lanes, components, rows)
                        : fetch<std::int16_t, false>(context, lanes, components, rows);
    default:
      return fetch<std::uint32_t, false>(context, lanes, components, rows);
  }
}

/// The number of the element that a coordinate names; a negative one is beyond any row.
std::uint64_t element_number(std::int32_t coordinate) {
  return static_cast<std::uint64_t>(static_cast<std::int64_t>(coordinate));
}
std::uint64_t element_number(float coordinate) {
  const float number = std::floor(coordinate);
  return number >= 0 && number < 1e18F ? static_cast<std::uint64_t>(number) : ~std::uint64_t{0};
}

template <typename Coordinate>
void texture(const Instruction& instruction, ExecutionContext& context, LaneMask mask) {
  const Reader<std::uint64_t> handles(context, instruction.source[0]);
  const Reader<Coordinate> coordinates(context, instruction.source[1]);
  auto& access = context.access;
  alignas(64) Rows rows{};
  // One texture after the other, should lanes have different ones.
  for (LaneMask left = mask; left != 0;) {
    const unsigned first = first_lane(left);
    const DeviceAddress handle = handles[first];
    const TextureDescriptor descriptor = descriptor_at(instruction, context, first, handle);
    access = {};
    access.space = Space::global;
    access.bytes = static_cast<std::uint32_t>(descriptor.element_bytes());
    LaneMask same = 0;
    for_each_lane(left, [&](unsigned lane) {
      if (handles[lane] != handle) return;
      same |= lane_bit(lane);
      const std::uint64_t number = element_number(coordinates[lane]);
      if (number >= descriptor.elements) return;
      access.lanes |= lane_bit(lane);
      access.address[lane] = descriptor.address + number * access.bytes;
    });
    fetch_channel(descriptor, context, access.lanes, rows);
    left &= ~same;
  }
  for (unsigned i = 0; i < 4; ++i) {
    if (instruction.destination[i].present()) {
      write_lanes<std::uint32_t>(context, instruction.destination[i], rows[i].data(), mask);
    }
  }
}

}  // namespace

Operation select_texture(const Instruction& instruction) {
  return instruction.source_type == DataType::f32 ? &texture<float> : &texture<std::int32_t>;
}

}  // namespace reconverge::operations
