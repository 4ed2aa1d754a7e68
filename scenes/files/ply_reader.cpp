// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstring>
#include <limits>
#include <sstream>
#include <vector>

#include "models/core/error.hpp"
#include "scenes/files/mesh_readers.hpp"

namespace reconverge::scenes {

namespace {

enum class Kind : std::uint8_t { none, s8, u8, s16, u16, s32, u32, f32, f64 };

struct TypeName {
  std::string_view name;
  Kind kind;
};
constexpr std::array<TypeName, 16> types{{{"char", Kind::s8},
                                          {"int8", Kind::s8},
                                          {"uchar", Kind::u8},
                                          {"uint8", Kind::u8},
                                          {"short", Kind::s16},
                                          {"int16", Kind::s16},
                                          {"ushort", Kind::u16},
                                          {"uint16", Kind::u16},
                                          {"int", Kind::s32},
                                          {"int32", Kind::s32},
                                          {"uint", Kind::u32},
                                          {"uint32", Kind::u32},
                                          {"float", Kind::f32},
                                          {"float32", Kind::f32},
                                          {"double", Kind::f64},
                                          {"float64", Kind::f64}}};

struct Property {
  std::string name;
  Kind length = Kind::none;  ///< of a list
  Kind kind = Kind::none;
};

struct Element {
  std::string name;
  std::uint64_t count = 0;
  std::vector<Property> properties;
};

class PlyReader {
 public:
  PlyReader(const SceneFile& file, LoadedMesh& into) : name_(file.name), bytes_(file.bytes), into_(into) {}

  void read() {
    read_header();
    for (const Element& element : elements_) read_element(element);
    const std::uint32_t material = add_material(into_.mesh, "default", {});
    std::size_t first = 0;
    for (const std::size_t end : face_ends_) {
      add_polygon(into_, std::span(corners_).subspan(first, end - first), material);
      first = end;
    }
  }

 private:
  enum class Format : std::uint8_t { none, text, little, big };

  [[noreturn]] void refuse(std::string_view message) const { throw InputError({name_, line_}, message); }
  [[noreturn]] void too_short() const { refuse("the PLY file is shorter than its header says"); }

  std::string header_line() {
    if (at_ >= bytes_.size()) refuse("the PLY header has no end_header");
    const std::size_t end = std::min(bytes_.find('\n', at_), bytes_.size());
    std::string text(bytes_.substr(at_, end - at_));
    if (text.ends_with('\r')) text.pop_back();
    if (text.find('\r') != std::string::npos) refuse("a PLY header line holds a carriage return");
    at_ = std::min(end + 1, bytes_.size());
    ++line_;
    return text;
  }

  void read_header() {
    if (header_line() != "ply") refuse("is not a PLY file: it must start with a line 'ply'");
    for (;;) {
      std::istringstream words(header_line());
      std::string word;
      words >> word;
      if (word == "end_header") break;
      if (word == "format") read_format(words);
      if (word == "element") read_element_line(words);
      if (word == "property") read_property(words);
    }
    if (format_ == Format::none) refuse("the PLY header has no format");
  }

  void read_format(std::istringstream& words) {
    std::string word;
    words >> word;
    if (word == "ascii") {
      format_ = Format::text;
    } else if (word == "binary_little_endian") {
      format_ = Format::little;
    } else if (word == "binary_big_endian") {
      format_ = Format::big;
    } else {
      refuse(fmt::format("the PLY format '{}' is not known", word));
    }
  }

  void read_element_line(std::istringstream& words) {
    Element element;
    if (!(words >> element.name >> element.count)) refuse("a PLY element needs a name and a number");
    elements_.push_back(std::move(element));
  }

  Kind kind_named(const std::string& name) const {
    const auto found = std::ranges::find(types, name, &TypeName::name);
    if (found == types.end()) refuse(fmt::format("the PLY type '{}' is not known", name));
    return found->kind;
  }

  void read_property(std::istringstream& words) {
    if (elements_.empty()) refuse("a PLY property stands before every element");
    Property property;
    std::string word;
    words >> word;
    if (word == "list") {
      std::string length;
      words >> length >> word;
      property.length = kind_named(length);
      if (property.length >= Kind::f32) refuse("a PLY list needs a whole number as its length");
    }
    property.kind = kind_named(word);
    if (!(words >> property.name) || words >> word) refuse("a PLY property has one name and its own line");
    elements_.back().properties.push_back(std::move(property));
  }

  /// Each property takes at least one byte, so reading the records checks their number against the file's size.
  void read_element(const Element& element) {
    if (element.properties.empty()) return;
    const bool is_vertex = element.name == "vertex";
    const bool is_face = element.name == "face";
    for (std::uint64_t i = 0; i < element.count; ++i) {
      Vec3 position;
      for (const Property& property : element.properties) {
        if (property.length != Kind::none) {
          read_list(property, is_face && (property.name == "vertex_indices" || property.name == "vertex_index"));
          continue;
        }
        const auto value = static_cast<float>(number(property.kind));
        if (property.name == "x") position.x = value;
        if (property.name == "y") position.y = value;
        if (property.name == "z") position.z = value;
      }
      if (is_vertex) into_.mesh.positions.push_back(position);
    }
  }

  void read_list(const Property& property, bool is_polygon) {
    const double length = number(property.length);
    if (!(length >= 0 && length == std::floor(length))) refuse("the length of a PLY list is no whole number");
    for (double i = 0; i < length; ++i) {
      const double value = number(property.kind);
      if (is_polygon)
        corners_.push_back(value >= 0 && value < no_corner ? static_cast<std::uint32_t>(value) : no_corner);
    }
    if (is_polygon) face_ends_.push_back(corners_.size());
  }

  double number(Kind kind) {
    if (format_ == Format::text) return word();
    switch (kind) {
      case Kind::s8:
        return raw<std::int8_t>();
      case Kind::u8:
        return raw<std::uint8_t>();
      case Kind::s16:
        return raw<std::int16_t>();
      case Kind::u16:
        return raw<std::uint16_t>();
      case Kind::s32:
        return raw<std::int32_t>();
      case Kind::u32:
        return raw<std::uint32_t>();
      case Kind::f32:
        return raw<float>();
      default:
        return raw<double>();
    }
  }

  template <typename T>
  double raw() {
    static_assert(std::endian::native == std::endian::little);
    if (bytes_.size() - at_ < sizeof(T)) too_short();
    std::array<char, sizeof(T)> bytes{};
    std::copy_n(bytes_.data() + at_, sizeof(T), bytes.data());
    at_ += sizeof(T);
    if (format_ == Format::big) std::ranges::reverse(bytes);
    return static_cast<double>(std::bit_cast<T>(bytes));
  }

  double word() {
    for (; at_ < bytes_.size() && is_blank(bytes_[at_]); ++at_) line_ += bytes_[at_] == '\n' ? 1 : 0;
    if (at_ >= bytes_.size()) too_short();
    std::size_t end = at_;
    while (end < bytes_.size() && !is_blank(bytes_[end])) ++end;
    std::string_view text = bytes_.substr(at_, end - at_);
    at_ = end;
    if (text.starts_with('+')) text.remove_prefix(1);
    double value = 0;
    const auto parsed = std::from_chars(text.data(), text.data() + text.size(), value);
    if (parsed.ptr != text.data() + text.size() || parsed.ec == std::errc::invalid_argument) {
      refuse(fmt::format("'{}' is not a number", text));
    }
    return parsed.ec == std::errc{} ? value : std::numeric_limits<double>::quiet_NaN();
  }

  static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

  std::string name_;
  std::string_view bytes_;
  LoadedMesh& into_;
  std::size_t at_ = 0;
  std::uint32_t line_ = 0;
  Format format_ = Format::none;
  std::vector<Element> elements_;
  std::vector<std::uint32_t> corners_;
  std::vector<std::size_t> face_ends_;
};

}  // namespace

void read_ply(const SceneFile& file, LoadedMesh& into) { PlyReader(file, into).read(); }

}  // namespace reconverge::scenes
