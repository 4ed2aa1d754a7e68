// SPDX-License-Identifier: Apache-2.0
#include "platforms/launch/read_arguments.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "models/core/quantity.hpp"
#include "models/core/suggestion.hpp"
#include "models/kernel/inspect/inspect.hpp"

namespace reconverge::launch {

using kernel::DataType;
using kernel::KernelParameter;

std::optional<ElementType> element_type_of(DataType type) {
  switch (type) {
    case DataType::b8:
    case DataType::u8:
      return ElementType::u8;
    case DataType::b16:
    case DataType::u16:
    case DataType::bf16:  // as its bits
      return ElementType::u16;
    case DataType::b32:
    case DataType::u32:
    case DataType::f16x2:
    case DataType::bf16x2:
      return ElementType::u32;
    case DataType::b64:
    case DataType::u64:
      return ElementType::u64;
    case DataType::s8:
      return ElementType::s8;
    case DataType::s16:
      return ElementType::s16;
    case DataType::s32:
      return ElementType::s32;
    case DataType::s64:
      return ElementType::s64;
    case DataType::f16:
      return ElementType::f16;
    case DataType::f32:
      return ElementType::f32;
    case DataType::f64:
      return ElementType::f64;
    default:
      return {};
  }
}

namespace {

/// The texture's name for elements of the type. Nothing for types that textures do not have.
std::optional<DataType> channel_of(ElementType type) {
  switch (type) {
    case ElementType::u8:
      return DataType::u8;
    case ElementType::s8:
      return DataType::s8;
    case ElementType::u16:
      return DataType::u16;
    case ElementType::s16:
      return DataType::s16;
    case ElementType::u32:
      return DataType::u32;
    case ElementType::s32:
      return DataType::s32;
    case ElementType::f32:
      return DataType::f32;
    default:
      return {};
  }
}

/// Whether the text can only be a name: no number begins with these letters.
bool is_name(const std::string& text) {
  if (text.empty() || (std::isalpha(static_cast<unsigned char>(text.front())) == 0 && text.front() != '_'))
    return false;
  std::string lower;
  for (const char c : text) lower += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return lower != "nan" && lower != "inf" && lower != "infinity";
}

std::vector<std::string_view> names_of(std::span<const PlannedBuffer> buffers) {
  std::vector<std::string_view> names;
  for (const PlannedBuffer& buffer : buffers) names.push_back(buffer.name);
  return names;
}

/// Writes one argument into the parameters.
class ArgumentWriter {
 public:
  ArgumentWriter(const KernelParameter& parameter, std::span<const PlannedBuffer> buffers, PlannedLaunch& launch)
      : parameter_(parameter), buffers_(buffers), launch_(launch) {}

  void write(const Value& value) {
    const std::optional<ElementType> type = element_type_of(parameter_.type);
    const bool is_array = !type || parameter_.bytes != bytes_of(*type);
    if (value.node().is_map()) return write_map(value);
    if (!type) refuse(value, "no number has this type", "write {u32: BITS}, or {fields: [...]}");
    if (is_array && !value.node().is_list()) {
      refuse(value, "one value is given",
             fmt::format("write a list of {} values, or {{fields: [...]}}", parameter_.bytes / bytes_of(*type)));
    }
    if (!is_array && value.node().is_list()) refuse(value, "a list is given", "write one value");
    begin();
    if (is_array) {
      for (const Value& item : value.items()) put(item, *type, Signedness::either);
    } else {
      put(value, *type, is_signed(*type) ? Signedness::strict : Signedness::either);
    }
    end(value);
  }

 private:
  [[noreturn]] void refuse(const Value& value, std::string_view problem, std::string_view hint) const {
    value.refuse(fmt::format("{}; this is for {}", problem, kernel::describe(parameter_)), hint);
  }

  void begin() { at_ = 0; }

  /// The size must be that of the parameter.
  void end(const Value& value) const {
    if (at_ != parameter_.bytes) {
      refuse(value, fmt::format("{} bytes are given", at_), fmt::format("the parameter has {}", parameter_.bytes));
    }
  }

  void write_map(const Value& value) {
    const std::vector<YamlEntry> keys = value.named();
    const std::string first = keys.empty() ? std::string() : keys.front().key;
    begin();
    if (first == "fields") {
      write_struct(value.fields(struct_keys()).at("fields"));
    } else {
      put_typed(value);
    }
    end(value);
  }

  /// Fields follow each other as in C: each is aligned to its size, the whole to the largest.
  void write_struct(const Value& list) {
    std::size_t largest = 1;
    for (const Value& field : list.items()) {
      const std::size_t size = size_of_field(field);
      at_ = (at_ + size - 1) / size * size;
      largest = std::max(largest, size);
      if (field.node().is_scalar()) {
        put_address(field, field.text(), 0);
      } else {
        put_typed(field);
      }
    }
    at_ = (at_ + largest - 1) / largest * largest;
  }

  /// The size of one element of the field, which is its alignment in C.
  std::size_t size_of_field(const Value& field) const {
    const std::size_t of_address = std::max<std::size_t>(parameter_.address_bytes, 1);
    if (field.node().is_scalar()) {
      if (!is_name(field.text())) field.refuse("a field needs a type", "write for instance {f32: 1.5}, or a buffer");
      return of_address;
    }
    const std::vector<YamlEntry> keys = field.named();
    if (keys.empty()) field.refuse("a field needs a type", "write for instance {f32: 1.5}");
    const std::string& key = keys.front().key;
    if (key == "buffer" || key == "offset") return of_address;
    const auto type = element_type(key);
    return bytes_of(type.value_or(ElementType::u64));
  }

  /// {TYPE: value}, {TYPE: [values]}, {buffer: NAME, offset: BYTES}, {count_of: NAME} or {contents_of: NAME}.
  void put_typed(const Value& value) {
    const std::vector<YamlEntry> keys = value.named();
    const std::string first = keys.empty() ? std::string() : keys.front().key;
    if (first == "buffer" || first == "offset") {
      const Fields fields = value.fields(address_keys());
      const auto offset = fields.find("offset");
      const Value name = fields.at("buffer");
      return put_address(name, name.text(), offset ? offset->size() : 0);
    }
    if (first == "count_of" || first == "times") {
      const std::uint64_t count = read_count(value, buffers_);
      const auto type = element_type_of(parameter_.type).value_or(ElementType::u32);
      return put_number(value, type, std::to_string(count), Signedness::strict);
    }
    if (first == "contents_of") return put_contents(value.fields(value_keys()).at("contents_of"));
    if (first == "texture") return put_texture(value);
    const auto type = element_type(first);
    if (!type || keys.size() != 1) {
      std::vector<std::string_view> known(element_type_names().begin(), element_type_names().end());
      for (const std::string_view other : {"fields", "buffer", "count_of", "contents_of", "texture"})
        known.push_back(other);
      refuse(value, keys.size() > 1 && type ? "one type is enough" : fmt::format("'{}' is no type", first),
             suggest(first, known));
    }
    const Value typed(value.file(), value.path() + '.' + first, keys.front().location, keys.front().value);
    if (typed.node().is_list()) {
      for (const Value& item : typed.items()) put(item, *type, Signedness::strict);
    } else {
      put(typed, *type, Signedness::strict);
    }
  }

  void put(const Value& value, ElementType type, Signedness signedness) {
    const std::string text = value.text();
    if (is_name(text)) return put_address(value, text, 0);
    put_number(value, type, text, signedness);
  }

  void put_number(const Value& value, ElementType type, const std::string& text, Signedness signedness) {
    try {
      put_bits(value, type, parse_element(type, text, signedness));
    } catch (const QuantityError& error) {
      refuse(value, error.what(), error.hint());
    }
  }

  void put_bits(const Value& value, ElementType type, std::uint64_t bits) {
    reserve(value, bytes_of(type));
    store_element(type, launch_.parameters.data() + parameter_.offset + at_, bits);
    at_ += bytes_of(type);
  }

  /// All bytes of the buffer's initial contents.
  void put_contents(const Value& name) {
    const PlannedBuffer& buffer = buffers_[index_of(name, "buffer", names_of(buffers_))];
    if (buffer.contents.empty())
      refuse(name, fmt::format("the buffer '{}' has no contents", buffer.name), "give it a file, values or a scene");
    reserve(name, buffer.contents.size());
    std::ranges::copy(buffer.contents,
                      launch_.parameters.begin() + static_cast<std::ptrdiff_t>(parameter_.offset + at_));
    at_ += buffer.contents.size();
  }

  void put_texture(const Value& value) {
    PlannedTexture texture = read_texture(value.fields(object_keys()), "texture", buffers_);
    if (check_holds_address(value, "a texture object is given by its handle") != bytes_of(ElementType::u64)) {
      refuse(value, "a texture object is given by its handle, which has 64 bits", "pass a buffer");
    }
    reserve(value, bytes_of(ElementType::u64));
    texture.offset = parameter_.offset + at_;
    launch_.textures.push_back(std::move(texture));
    at_ += bytes_of(ElementType::u64);
  }

  /// The number of bytes of an address in the parameter; refuses a parameter that cannot hold one.
  std::size_t check_holds_address(const Value& value, const std::string& what) const {
    const std::size_t bytes = parameter_.address_bytes;
    if (bytes == 0 || parameter_.bytes < bytes) {
      refuse(value, what + ", which has 64 bits",
             "write a number; {count_of: NAME} is the number of elements of a buffer");
    }
    return bytes;
  }

  void put_address(const Value& value, const std::string& name, std::uint64_t addend) {
    const std::vector<std::string_view> names = names_of(buffers_);
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) {
      refuse(value, fmt::format("there is no buffer '{}'", name),
             names.empty() ? "declare it in `buffers:`" : suggest(name, names));
    }
    const auto index = static_cast<std::size_t>(found - names.begin());
    if (addend > buffers_[index].bytes()) {
      refuse(value, fmt::format("the buffer '{}' has {} bytes", name, buffers_[index].bytes()),
             "give a smaller offset");
    }
    const std::size_t bytes = check_holds_address(value, fmt::format("the buffer '{}' is given by its address", name));
    reserve(value, bytes);
    launch_.addresses.push_back({parameter_.offset + at_, index, addend, bytes});
    at_ += bytes;
  }

  void reserve(const Value& value, std::size_t bytes) const {
    if (at_ + bytes > parameter_.bytes) {
      refuse(value, fmt::format("more than {} bytes are given", parameter_.bytes),
             fmt::format("the parameter has {} bytes", parameter_.bytes));
    }
  }

  const KernelParameter& parameter_;
  std::span<const PlannedBuffer> buffers_;
  PlannedLaunch& launch_;
  std::size_t at_ = 0;  ///< in the parameter
};

}  // namespace

std::uint64_t read_count(const Value& value, std::span<const PlannedBuffer> buffers) {
  if (!value.node().is_map()) return value.whole();
  const Fields fields = value.fields(count_keys());
  // Buffers further down have no count yet.
  const PlannedBuffer& buffer = buffers[index_of(fields.at("count_of"), "buffer above", names_of(buffers))];
  const std::uint64_t records = buffer.count / buffer.record;
  const auto times = fields.find("times");
  std::uint64_t result = 0;
  if (__builtin_mul_overflow(records, times ? times->whole() : 1, &result)) times->refuse("the product has no 64 bits");
  return result;
}

namespace {

/// Extents and modes of the texture.
void read_texture_modes(const Fields& fields, const PlannedBuffer& buffer, PlannedTexture& texture) {
  if (const auto size = fields.find("size")) {
    const std::vector<Value> extents = size->node().is_list() ? size->items() : std::vector<Value>{*size};
    if (extents.empty() || extents.size() > texture.size.size()) size->refuse("a texture has 1 to 3 dimensions");
    std::uint64_t elements = 1;
    const std::uint64_t all = buffer.count / texture.components;
    for (std::size_t i = 0; i < extents.size(); ++i) {
      texture.size.at(i) = extents[i].whole(1, all);
      if (__builtin_mul_overflow(elements, texture.size.at(i), &elements)) elements = all + 1;
      if (elements > all) {
        size->refuse(fmt::format("the texture has more elements than the buffer '{}', which has {}", buffer.name, all));
      }
    }
  }
  if (const auto filter = fields.find("filter")) {
    texture.filter = static_cast<kernel::TextureFilter>(index_of(*filter, "filter", texture_filters()));
    const bool floats = buffer.type == ElementType::f32 || texture.normalized;
    if (texture.filter == kernel::TextureFilter::linear && !floats) {
      filter->refuse("linear filtering makes floats, and these elements are integers", "add normalized: true");
    }
  }
  if (const auto flag = fields.find("normalized_coordinates")) {
    const std::string text = flag->text();
    texture.normalized_coordinates = flag->about([&] { return parse_flag(text); });
  }
  if (const auto addressing = fields.find("addressing")) {
    texture.addressing =
        static_cast<kernel::TextureAddressing>(index_of(*addressing, "addressing", texture_addressings()));
    if (texture.addressing >= kernel::TextureAddressing::wrap && !texture.normalized_coordinates) {
      addressing->refuse("wrap and mirror need normalized coordinates", "add normalized_coordinates: true");
    }
  }
}

}  // namespace

PlannedTexture read_texture(const Fields& fields, std::string_view name, std::span<const PlannedBuffer> buffers) {
  PlannedTexture texture;
  texture.buffer = index_of(fields.at(name), "buffer", names_of(buffers));
  const PlannedBuffer& buffer = buffers[texture.buffer];
  const std::optional<DataType> channel = channel_of(buffer.type);
  if (!channel) {
    fields.at(name).refuse(fmt::format("no texture reads elements of {}", to_string(buffer.type)),
                           "textures read u8, s8, u16, s16, u32, s32 and f32");
  }
  texture.channel = *channel;
  if (const auto components = fields.find("components")) {
    texture.components = static_cast<unsigned>(components->whole(1, 4));
    if (texture.components == 3) components->refuse("an element has 1, 2 or 4 numbers");
  }
  if (buffer.count % texture.components != 0) {
    fields.at(name).refuse(fmt::format("the {} numbers of '{}' are no whole number of elements of {}", buffer.count,
                                       buffer.name, texture.components));
  }
  if (const auto normalized = fields.find("normalized")) {
    const std::string text = normalized->text();
    texture.normalized = normalized->about([&] { return parse_flag(text); });
    if (texture.normalized && bytes_of(buffer.type) > 2) {
      normalized->refuse(fmt::format("elements of {} cannot be normalized", to_string(buffer.type)),
                         "only whole numbers of 8 and 16 bits can");
    }
  }
  read_texture_modes(fields, buffer, texture);
  return texture;
}

void read_arguments(const Value& launch_value, const std::optional<Value>& list, std::span<const PlannedBuffer> buffers,
                    PlannedLaunch& launch) {
  const kernel::Program& program = *launch.program;
  const std::vector<Value> arguments = list ? list->items() : std::vector<Value>();
  if (arguments.size() != program.parameters.size()) {
    std::string wanted;
    for (const KernelParameter& parameter : program.parameters) {
      wanted += (wanted.empty() ? "" : ", ") + kernel::describe(parameter);
    }
    (list ? *list : launch_value)
        .refuse(fmt::format("kernel '{}' takes {} arguments, {} given", program.name, program.parameters.size(),
                            arguments.size()),
                wanted.empty() ? "remove them" : fmt::format("they are {}", wanted));
  }
  launch.parameters.assign(program.parameter_bytes, std::byte{0});
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    ArgumentWriter(program.parameters[i], buffers, launch).write(arguments[i]);
  }
}

}  // namespace reconverge::launch
