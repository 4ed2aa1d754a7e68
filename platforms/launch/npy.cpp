// SPDX-License-Identifier: Apache-2.0
#include "platforms/launch/npy.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <array>
#include <bit>
#include <cctype>
#include <charconv>
#include <functional>
#include <limits>
#include <optional>
#include <utility>

#include "models/core/error.hpp"
#include "models/core/input_file.hpp"

namespace reconverge::launch {

namespace {

constexpr std::string_view magic{"\x93NUMPY", 6};
constexpr std::size_t prefix_bytes = 8;  // magic and version
constexpr std::size_t header_alignment = 64;
constexpr std::size_t most_dimensions = 64;

/// The contents of the header, a literal of a Python dictionary.
struct Header {
  std::string descr;
  bool fortran_order = false;
  std::vector<std::uint64_t> shape;
};

class HeaderParser {
 public:
  HeaderParser(std::string_view text, const std::string& file) : text_(text), file_(file) {}

  Header parse() {
    Header header;
    bool has_descr = false;
    bool has_order = false;
    bool has_shape = false;
    expect('{');
    while (!accept('}')) {
      const std::string key = word();
      expect(':');
      if (key == "descr") {
        if (peek() == '[') {
          throw InputError({file_}, "the array holds records", "save each field of the records to a separate file");
        }
        header.descr = word();
        has_descr = true;
      } else if (key == "fortran_order") {
        header.fortran_order = truth();
        has_order = true;
      } else if (key == "shape") {
        header.shape = shape();
        has_shape = true;
      } else {
        refuse(fmt::format("has the unknown key '{}'", key));
      }
      if (!accept(',') && peek() != '}') refuse("is no dictionary");
    }
    if (peek() != '\0') refuse("goes on after the dictionary");
    if (!has_descr || !has_order || !has_shape) refuse("lacks one of descr, fortran_order and shape");
    return header;
  }

 private:
  [[noreturn]] void refuse(const std::string& problem) const {
    throw InputError({file_}, fmt::format("the header of the .npy file {}", problem), "write the file with numpy.save");
  }

  char peek() {
    while (position_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[position_])) != 0) ++position_;
    return position_ < text_.size() ? text_[position_] : '\0';
  }

  bool accept(char c) {
    if (peek() != c) return false;
    ++position_;
    return true;
  }

  void expect(char c) {
    if (!accept(c)) refuse(fmt::format("has no '{}' where one must be", c));
  }

  std::string word() {
    const char quote = peek();
    if (quote != '\'' && quote != '"') refuse("has no text where one must be");
    const std::size_t end = text_.find(quote, ++position_);
    if (end == std::string_view::npos) refuse("has a text without end");
    std::string result(text_.substr(position_, end - position_));
    position_ = end + 1;
    return result;
  }

  bool truth() {
    peek();
    for (const std::string_view name : {"True", "False"}) {
      if (!text_.substr(position_).starts_with(name)) continue;
      position_ += name.size();
      return name == "True";
    }
    refuse("does not say whether the array is in Fortran order");
  }

  std::vector<std::uint64_t> shape() {
    std::vector<std::uint64_t> extents;
    expect('(');
    while (!accept(')')) {
      std::uint64_t extent = 0;
      peek();
      const char* const begin = text_.data() + position_;
      const auto [end, error] = std::from_chars(begin, text_.data() + text_.size(), extent);
      if (error != std::errc{}) refuse("has a shape that is none");
      position_ += static_cast<std::size_t>(end - begin);
      accept('L');  // as Python 2 writes long numbers
      extents.push_back(extent);
      if (extents.size() > most_dimensions) refuse("has too many dimensions");
      if (!accept(',') && peek() != ')') refuse("has a shape that is none");
    }
    return extents;
  }

  std::string_view text_;
  const std::string& file_;
  std::size_t position_ = 0;
};

/// `<f4`: byte order, kind, bytes.
ElementType type_of(const std::string& descr, const std::string& file) {
  const auto hint = [](std::string_view what) {
    return fmt::format("convert it: numpy.save(file, array.astype('{}'))", what);
  };
  constexpr std::string_view byte_orders = "<>=|";
  if (descr.size() < 3 || byte_orders.find(descr.front()) == std::string_view::npos) {
    throw InputError({file}, fmt::format("elements of the type '{}' cannot be read", descr), hint("<f4"));
  }
  const std::string kind = descr.substr(1);
  if (descr.front() == '>' && kind != "u1" && kind != "i1" && kind != "b1") {
    throw InputError({file}, fmt::format("the elements ('{}') are big endian", descr), hint("<" + kind));
  }
  for (const ElementType type :
       {ElementType::u8, ElementType::u16, ElementType::u32, ElementType::u64, ElementType::s8, ElementType::s16,
        ElementType::s32, ElementType::s64, ElementType::f16, ElementType::f32, ElementType::f64}) {
    const char letter = is_float(type) ? 'f' : is_signed(type) ? 'i' : 'u';
    if (kind == fmt::format("{}{}", letter, bytes_of(type))) return type;
  }
  if (kind == "b1") return ElementType::u8;
  throw InputError({file}, fmt::format("elements of the type '{}' cannot be read", descr),
                   hint(kind.front() == 'f' ? "<f8" : "<f4"));
}

std::string descr_of(ElementType type) {
  const char order = bytes_of(type) == 1 ? '|' : '<';
  const char kind = is_float(type) ? 'f' : is_signed(type) ? 'i' : 'u';
  return fmt::format("{}{}{}", order, kind, bytes_of(type));
}

/// The size of the shape in bytes; nothing if no memory could hold it.
std::optional<std::uint64_t> bytes_of_shape(ElementType type, std::span<const std::uint64_t> shape) {
  std::uint64_t bytes = bytes_of(type);
  for (const std::uint64_t extent : shape) {
    if (extent != 0 && bytes > std::numeric_limits<std::uint64_t>::max() / extent) return {};
    bytes *= extent;
  }
  return bytes;
}

/// Fills as much as the file has; returns that size.
using NextBytes = std::function<std::size_t(std::span<char>)>;

/// The header of a file of `size` bytes, and the header's size.
std::pair<Header, std::uint64_t> read_header(const NextBytes& next, std::uint64_t size, const std::string& file) {
  std::string prefix(prefix_bytes, '\0');
  if (next(prefix) != prefix.size() || !prefix.starts_with(magic)) {
    throw InputError({file}, "this is not a .npy file", "write it with numpy.save; raw bytes are read with `raw:`");
  }
  const unsigned version = static_cast<unsigned char>(prefix[6]);
  if (version < 1 || version > 3) {
    throw InputError({file}, fmt::format("the .npy file has the version {}", version), "versions 1, 2 and 3 are read");
  }
  std::array<char, 4> length_bytes{};
  const std::size_t length_size = version == 1 ? 2 : 4;
  const bool has_length = next(std::span(length_bytes).first(length_size)) == length_size;
  const auto length = std::bit_cast<std::uint32_t>(length_bytes);
  const std::uint64_t begin = prefix_bytes + length_size;
  if (!has_length || size - begin < length)
    throw InputError({file}, "the .npy file ends within its header", "it was cut off; write it again with numpy.save");
  std::string text(length, '\0');
  text.resize(next(text));
  return {HeaderParser(text, file).parse(), begin + length};
}

NpyArray read_array(const NextBytes& next, std::uint64_t size, const std::string& file) {
  const auto [header, header_bytes] = read_header(next, size, file);
  NpyArray array;
  array.type = type_of(header.descr, file);
  array.shape = header.shape;
  // With one dimension or none, both orders are the same.
  if (header.fortran_order && header.shape.size() > 1) {
    throw InputError({file}, "the array is in Fortran order (the first index runs fastest)",
                     "convert it: numpy.save(file, numpy.ascontiguousarray(array))");
  }
  const std::uint64_t data_bytes = size - header_bytes;
  if (const auto needed = bytes_of_shape(array.type, array.shape); needed != data_bytes) {
    throw InputError(
        {file},
        fmt::format("the .npy file holds {} bytes of data; {} elements of {} are {} bytes", data_bytes,
                    shape_text(array.shape), to_string(array.type), needed ? std::to_string(*needed) : "too many"),
        "it was cut off, or holds more than the array; write it again with numpy.save");
  }
  array.data.resize(data_bytes);
  if (next({reinterpret_cast<char*>(array.data.data()), array.data.size()}) != data_bytes) {
    throw InputError({file}, "the .npy file became shorter while it was read", "read it when it is complete");
  }
  return array;
}

}  // namespace

std::string shape_text(std::span<const std::uint64_t> shape) {
  return shape.empty() ? "a single number" : fmt::format("{}", fmt::join(shape, " x "));
}

NpyArray parse_npy(std::string_view bytes, const std::string& file) {
  std::string_view left = bytes;
  const auto next = [&left](std::span<char> into) {
    const std::size_t count = left.copy(into.data(), into.size());
    left.remove_prefix(count);
    return count;
  };
  return read_array(next, bytes.size(), file);
}

NpyArray read_npy(const std::filesystem::path& file) {
  InputFile input(file, input::array);
  return read_array([&input](std::span<char> into) { return input.read(into); }, input.size(), input.name());
}

std::string npy_header(ElementType type, std::span<const std::uint64_t> shape) {
  // In Python, a tuple of one item needs a comma.
  const std::string tuple = fmt::format("({}{})", fmt::join(shape, ", "), shape.size() == 1 ? "," : "");
  std::string header = fmt::format("{{'descr': '{}', 'fortran_order': False, 'shape': {}, }}", descr_of(type), tuple);
  const std::size_t begin = prefix_bytes + 2;
  const std::size_t unpadded = begin + header.size() + 1;
  header.append((header_alignment - unpadded % header_alignment) % header_alignment, ' ');
  header += '\n';
  std::string result(magic);
  result += {'\x01', '\x00', static_cast<char>(header.size() & 0xffU), static_cast<char>(header.size() >> 8U)};
  return result + header;
}

std::string npy_bytes(ElementType type, std::span<const std::uint64_t> shape, std::span<const std::byte> data) {
  return npy_header(type, shape).append(reinterpret_cast<const char*>(data.data()), data.size());
}

}  // namespace reconverge::launch
