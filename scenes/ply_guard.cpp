#include "scenes/ply_guard.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <span>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "models/core/error.hpp"

namespace reconverge::scenes {

namespace {

struct Type {
  std::string_view name;
  std::size_t size;
  bool whole;
};
constexpr std::array<Type, 16> types{{{"char", 1, true},
                                      {"uchar", 1, true},
                                      {"int8", 1, true},
                                      {"uint8", 1, true},
                                      {"short", 2, true},
                                      {"ushort", 2, true},
                                      {"int16", 2, true},
                                      {"uint16", 2, true},
                                      {"int", 4, true},
                                      {"uint", 4, true},
                                      {"int32", 4, true},
                                      {"uint32", 4, true},
                                      {"float", 4, false},
                                      {"float32", 4, false},
                                      {"double", 8, false},
                                      {"float64", 8, false}}};

struct Property {
  std::size_t count_size = 0;  ///< of a list's length; 0: one value
  std::size_t size = 0;
};

struct Element {
  std::uint64_t count = 0;
  std::vector<Property> properties;
};

class Guard {
 public:
  explicit Guard(const std::filesystem::path& file) : name_(file.string()) {
    std::ifstream in(file, std::ios::binary);
    bytes_.assign(std::istreambuf_iterator<char>(in), {});
  }

  void check() {
    if (line() != "ply") refuse("is not a PLY file: it must start with a line 'ply'");
    while (true) {
      if (at_ >= bytes_.size()) refuse("the PLY header has no end_header");
      std::istringstream words(line());
      std::string word;
      words >> word;
      if (word == "end_header") break;
      if (word == "format") words >> format_;
      if (word == "element") read_element(words);
      if (word == "property") read_property(words);
      // assimp ends header lines at a carriage return, and then counts other properties than stand there.
      if (words.str().find('\r') != std::string::npos) refuse("a PLY header line holds a carriage return");
    }
    if (format_ == "ascii") {
      check_lines();
    } else if (format_ == "binary_little_endian" || format_ == "binary_big_endian") {
      for (const Element& element : elements_) skip(element);
    } else {
      refuse(fmt::format("the PLY format '{}' is not known", format_));
    }
  }

 private:
  [[noreturn]] void refuse(const std::string& message) const {
    throw InputError({name_, static_cast<std::uint32_t>(lines_)}, message, "write the file again");
  }

  std::string line() {
    const std::size_t end = std::min(bytes_.find('\n', at_), bytes_.size());
    std::string text = bytes_.substr(at_, end - at_);
    if (!text.empty() && text.back() == '\r') text.pop_back();
    at_ = end + 1;
    ++lines_;
    return text;
  }

  void read_element(std::istringstream& words) {
    Element element;
    std::string kind;
    if (!(words >> kind >> element.count)) refuse("a PLY element needs a name and a number");
    elements_.push_back(element);
  }

  Type type(const std::string& name) const {
    const auto found = std::ranges::find(types, name, &Type::name);
    if (found == types.end()) refuse(fmt::format("the PLY type '{}' is not known", name));
    return *found;
  }

  void read_property(std::istringstream& words) {
    if (elements_.empty()) refuse("a PLY property stands before every element");
    std::string name;
    Property property;
    words >> name;
    if (name == "list") {
      std::string count;
      words >> count >> name;
      const Type length = type(count);
      if (!length.whole) refuse("a PLY list needs a whole number as its length");
      property.count_size = length.size;
    }
    property.size = type(name).size;
    elements_.back().properties.push_back(property);
  }

  void check_lines() const {
    std::uint64_t wanted = 0;
    for (const Element& element : elements_) {
      if (element.count > bytes_.size()) too_short();
      wanted += element.count;
    }
    std::istringstream body(bytes_.substr(std::min(at_, bytes_.size())));
    std::string text;
    std::uint64_t found = 0;
    while (std::getline(body, text)) found += text.find_first_not_of(" \t\r") != std::string::npos ? 1 : 0;
    if (found < wanted) too_short();
  }

  void skip(const Element& element) {
    const bool any_list = std::ranges::any_of(element.properties, [](const Property& p) { return p.count_size != 0; });
    if (!any_list) {
      std::uint64_t size = 0;
      for (const Property& property : element.properties) size += property.size;
      if (size != 0 && element.count > left() / size) too_short();
      at_ += element.count * size;
      return;
    }
    for (std::uint64_t i = 0; i < element.count; ++i) {
      for (const Property& property : element.properties) {
        const std::uint64_t values = property.count_size == 0 ? 1 : list_length(property.count_size);
        if (values > left() / property.size) too_short();
        at_ += values * property.size;
      }
    }
  }

  std::uint64_t list_length(std::size_t size) {
    if (left() < size) too_short();
    std::uint64_t length = 0;
    const bool big = format_ == "binary_big_endian";
    for (std::size_t i = 0; i < size; ++i) {
      const std::size_t byte = big ? size - 1 - i : i;
      length |= std::uint64_t{static_cast<unsigned char>(bytes_[at_ + byte])} << (8 * i);
    }
    at_ += size;
    return length;
  }

  std::uint64_t left() const { return at_ < bytes_.size() ? bytes_.size() - at_ : 0; }
  [[noreturn]] void too_short() const { refuse("the PLY file is shorter than its header says"); }

  std::string name_;
  std::string bytes_;
  std::size_t at_ = 0;
  std::size_t lines_ = 0;
  std::string format_;
  std::vector<Element> elements_;
};

}  // namespace

void check_ply(const std::filesystem::path& file) { Guard(file).check(); }

}  // namespace reconverge::scenes
