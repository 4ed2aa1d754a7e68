// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The element types of buffers and scalar arguments, and how users write numbers of these types.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace reconverge::launch {

enum class ElementType : std::uint8_t { u8, u16, u32, u64, s8, s16, s32, s64, f16, f32, f64 };

std::string_view to_string(ElementType type);
std::optional<ElementType> element_type(std::string_view name);
/// All names, in enumeration order.
std::span<const std::string_view> element_type_names();

unsigned bytes_of(ElementType type);
bool is_float(ElementType type);
bool is_signed(ElementType type);

/// Whether a whole number must be in the range of the type, or of either type of its width: compilers use the PTX type
/// .u32 also for `int`.
enum class Signedness : std::uint8_t { strict, either };

/// The bits of a number, in the low bytes. Whole numbers are decimal or, with 0x, hexadecimal; digits may be grouped by
/// single underscores. Floats may also be `inf`, `nan`, or their bits as PTX writes them: 0f3F800000,
/// 0d3FF0000000000000. Throws QuantityError if the text is not a number of the type or is out of its range.
std::uint64_t parse_element(ElementType type, std::string_view text, Signedness signedness = Signedness::strict);
/// The text of one element, which parses back to the same number.
std::string format_element(ElementType type, std::uint64_t bits);

/// Elements are little endian in memory, as on the device.
std::uint64_t load_element(ElementType type, const std::byte* place);
void store_element(ElementType type, std::byte* place, std::uint64_t bits);

/// The value of a float's bits, and the bits of the float nearest to a value (ties to even, infinite beyond the range).
double float_value(ElementType type, std::uint64_t bits);
std::uint64_t float_bits(ElementType type, double value);

}  // namespace reconverge::launch
