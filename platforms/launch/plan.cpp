// SPDX-License-Identifier: Apache-2.0
#include "platforms/launch/plan.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <map>
#include <utility>

#include "models/core/printable.hpp"
#include "models/core/quantity.hpp"
#include "models/core/suggestion.hpp"
#include "models/execution/module_variables.hpp"
#include "models/execution/narrow_address.hpp"
#include "models/execution/program_image.hpp"
#include "models/kernel/analysis/call_graph.hpp"
#include "models/kernel/decode/load_program.hpp"
#include "platforms/launch/npy.hpp"
#include "platforms/launch/png.hpp"
#include "platforms/launch/read_arguments.hpp"
#include "platforms/launch/read_contents.hpp"
#include "platforms/machines/gpu/schemes.hpp"

namespace reconverge::launch {

namespace {

using configuration::Configuration;
using configuration::Section;

// The limit of make_launch.
constexpr std::uint64_t most_launch_threads = std::uint64_t{1} << 44U;

// CUDA C Programming Guide, table of technical specifications.
constexpr std::uint64_t most_threads = 1024;
constexpr std::uint64_t most_block_z = 64;
constexpr std::uint64_t most_grid_x = 0x7fffffff;
constexpr std::uint64_t most_grid_yz = 65535;

std::uint64_t product(const Value& value, const std::vector<std::uint64_t>& extents) {
  std::uint64_t result = 1;
  for (const std::uint64_t extent : extents) {
    if (__builtin_mul_overflow(result, extent, &result)) value.refuse("the elements do not fit in memory");
  }
  return result;
}

std::vector<std::uint64_t> shape_of(const Value& value) {
  std::vector<std::uint64_t> shape;
  for (const Value& item : value.items()) shape.push_back(item.whole());
  product(value, shape);
  return shape;
}

class PlanReader {
 public:
  PlanReader(const Configuration& configuration, std::span<const std::string> reserved, SchemeList schemes,
             const KernelTransformParameters& transform)
      : configuration_(configuration),
        reserved_(reserved),
        schemes_(schemes),
        extensions_(extensions_of(schemes)),
        transform_(transform) {}

  LaunchPlan read() {
    if (const auto buffers = section("buffers")) {
      for (const YamlEntry& entry : buffers->named()) read_buffer(*buffers, entry);
    }
    const auto launches = section("launches");
    if (!launches) throw InputError(place(), "there are no launches", "add a list `launches:`");
    for (const Value& item : launches->items()) read_item(item);
    if (plan_.launches.empty()) launches->refuse("there is no launch", "write at least one");
    check_variables(*launches);
    if (const auto outputs = section("outputs")) {
      for (const Value& output : outputs->items()) read_output(output);
    }
    if (const auto expected = section("expected")) {
      for (const Value& check : expected->items()) read_check(check);
    }
    plan_.files.insert(plan_.files.end(), scenes_.files().begin(), scenes_.files().end());
    std::sort(plan_.files.begin(), plan_.files.end());
    plan_.files.erase(std::unique(plan_.files.begin(), plan_.files.end()), plan_.files.end());
    return std::move(plan_);
  }

 private:
  /// For a file without launches.
  SourceLocation place() const {
    const auto sections = configuration_.sections();
    return sections.empty() ? SourceLocation{} : sections.front().location;
  }

  std::optional<Value> section(std::string_view name) const {
    const Section* section = configuration_.section(name);
    if (section == nullptr) return {};
    return Value(section->file, std::string(name), section->location, section->value);
  }

  void read_buffer(const Value& section, const YamlEntry& entry) {
    const Value value(section.file(), section.path() + '.' + entry.key, entry.location, entry.value);
    check_buffer_name(entry);
    const Fields fields = value.fields(buffer_keys());
    PlannedBuffer buffer;
    buffer.name = entry.key;
    buffer.location = entry.location;
    std::optional<ElementType> type;
    if (const auto word = fields.find("type")) {
      type = static_cast<ElementType>(index_of(*word, "type", element_type_names()));
    }
    std::optional<std::uint64_t> count;
    if (const auto given = fields.find("count")) count = read_count(*given, plan_.buffers);
    if (const auto given = fields.find("shape")) {
      buffer.shape = shape_of(*given);
      buffer.shape_given = true;
      const std::uint64_t elements = product(*given, buffer.shape);
      if (count && *count != elements)
        given->refuse(fmt::format("the shape has {} elements, the count is {}", elements, *count));
      count = elements;
    }
    if (fields.has("variable") || fields.has("program")) find_variable_of(fields, buffer, type, count);
    // Before the contents are made, if the size is known.
    const bool size_known = type && count;
    if (size_known) make_room(value, buffer, *type, *count);
    take(buffer, fields, contents_of(fields, type, count), type, count);
    if (!size_known) make_room(value, buffer, buffer.type, buffer.count);
    plan_.buffers.push_back(std::move(buffer));
  }

  /// Binds `buffer` to the variable that `fields` name; the variable's size gives the count.
  void find_variable_of(const Fields& fields, PlannedBuffer& buffer, std::optional<ElementType> type,
                        std::optional<std::uint64_t>& count) {
    const Value name = fields.at("variable");
    const std::string file = fields.at("program").existing_file();
    auto& module = modules_[file];
    if (!module) {
      module = fields.at("program").about(
          [&] { return std::make_shared<const kernel::Program>(kernel::load_variables(file)); });
      plan_.files.push_back(file);
    }
    buffer.variable = name.text();
    const kernel::GlobalVariable& variable =
        name.about([&]() -> const kernel::GlobalVariable& { return find_variable(*module, buffer.variable); });
    buffer.module = module;
    if (!taken_variables_.insert({file, buffer.variable}).second)
      name.refuse("another buffer is this variable already");
    if (!type) buffer_lacks(fields, "type", "one of u8 to u64, s8 to s64, f16, f32, f64");
    const std::uint64_t size = bytes_of(*type);
    const bool fits = variable.bytes % size == 0 && (!count || *count == variable.bytes / size);
    if (!fits) {
      const std::string wanted = count ? fmt::format("{} of them", *count) : std::string("a whole number of them");
      name.refuse(fmt::format("the variable has {} bytes, an element of type {} {}: these are not {}", variable.bytes,
                              to_string(*type), size, wanted),
                  "give the type of its elements, and leave the count out");
    }
    count = variable.bytes / size;
  }

  /// A name must not look like a number.
  static void check_buffer_name(const YamlEntry& entry) {
    const auto is_part = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
    const bool is_word = !entry.key.empty() && std::all_of(entry.key.begin(), entry.key.end(), is_part) &&
                         std::isdigit(static_cast<unsigned char>(entry.key.front())) == 0;
    if (is_word && entry.key != "nan" && entry.key != "inf" && entry.key != "infinity") return;
    throw InputError(entry.location, fmt::format("'{}' cannot name a buffer", entry.key),
                     "take letters, digits and underscores, no digit in front");
  }

  std::optional<Contents> contents_of(const Fields& fields, std::optional<ElementType> type,
                                      std::optional<std::uint64_t> count) {
    std::optional<Contents> contents = read_contents(fields, type, count, plan_.files);
    const auto scene = fields.has("scene") ? fields.find("scene") : fields.find("rays");
    if (!scene) {
      for (const std::string_view key :
           {"part", "kind", "bounce", "width", "height", "samples", "seed", "outside_files"}) {
        if (fields.has(key)) fields.at(key).refuse("this goes with a scene or rays only", "remove it");
      }
      return contents;
    }
    if (contents || (fields.has("scene") && fields.has("rays"))) {
      scene->refuse("other contents are given, too", "keep one of the two");
    }
    return scenes_.part(fields);
  }

  static void take(PlannedBuffer& buffer, const Fields& fields, std::optional<Contents> contents,
                   std::optional<ElementType> type, std::optional<std::uint64_t> count) {
    if (!contents) {
      if (!type) buffer_lacks(fields, "type", "one of u8 to u64, s8 to s64, f16, f32, f64");
      if (!count) buffer_lacks(fields, "count", "a number of elements");
      buffer.type = *type;
      buffer.count = *count;
    } else {
      if (type && contents->record != 1 && *type != contents->type) {
        fields.at("type").refuse(fmt::format("the elements are {}", to_string(contents->type)), "leave the type out");
      }
      if (count && *count != contents->count) {
        const std::string_view key = fields.has("count") ? "count" : fields.has("shape") ? "shape" : "variable";
        fields.at(key).refuse(fmt::format("{} elements are wanted, the contents have {}", *count, contents->count));
      }
      if (buffer.shape_given && contents->has_shape && buffer.shape != contents->shape) {
        fields.at("shape").refuse(fmt::format("the file holds an array of {}", shape_text(contents->shape)));
      }
      buffer.type = contents->type;
      buffer.count = contents->count;
      buffer.record = contents->record;
      buffer.contents = std::move(contents->bytes);
      if (contents->has_shape) {
        buffer.shape = std::move(contents->shape);
        buffer.shape_given = true;
      }
    }
    if (!buffer.shape_given) buffer.shape = {buffer.count};
  }

  /// Tries to place the buffer in a memory as large as the device's, without touching it. Throws InputError.
  void make_room(const Value& value, const PlannedBuffer& buffer, ElementType type, std::uint64_t count) {
    std::uint64_t bytes = 0;
    if (__builtin_mul_overflow(count, bytes_of(type), &bytes)) value.refuse("the elements do not fit in memory");
    room_addresses_.push_back(value.about([&] {
      PlannedBuffer sized = buffer;
      sized.type = type;
      sized.count = count;
      return sized.place_in(room_);
    }));
  }

  [[noreturn]] static void buffer_lacks(const Fields& fields, std::string_view key, std::string_view what) {
    fields.map().refuse(fmt::format("there is no {}", key), fmt::format("add `{}:`, {}", key, what));
  }

  /// A launch, or a group of launches that is repeated.
  void read_item(const Value& value) {
    const std::size_t first = plan_.launches.size();
    std::uint64_t times = 1;
    const auto is_of_group = [](const YamlEntry& entry) { return entry.key == "repeat" || entry.key == "launches"; };
    if (std::ranges::any_of(value.named(), is_of_group)) {
      const Fields group = value.fields(repeat_keys());
      const std::vector<Value> launches = group.at("launches").items();
      if (launches.empty()) group.at("launches").refuse("there is no launch", "write at least one");
      times = group.at("repeat").whole(1, most_runs);
      if (times * launches.size() > most_runs - plan_.order.size()) {
        group.at("repeat").refuse(fmt::format("{} times {} launches", times, launches.size()),
                                  fmt::format("a run has {} at most", most_runs));
      }
      for (const Value& launch : launches) read_launch(launch);
    } else {
      read_launch(value);
    }
    for (std::uint64_t i = 0; i < times; ++i) {
      for (std::size_t launch = first; launch < plan_.launches.size(); ++launch) plan_.order.push_back(launch);
    }
  }

  /// The report identifies launches by name; `total` is the sum of all.
  std::string distinct(const std::string& name) {
    std::uint64_t& bearers = bearers_[name];
    if (++bearers == 1) return name;
    for (;; ++bearers) {
      std::string other = fmt::format("{} ({})", name, bearers);
      if (bearers_.try_emplace(other, 1).second) return other;
    }
  }

  void read_launch(const Value& value) {
    const Fields fields = value.fields(launch_keys());
    PlannedLaunch launch;
    launch.location = value.location();
    launch.program = program_of(fields);
    launch.name = fields.has("name") ? fields.at("name").text() : launch.program->name;
    if (!is_printable_name(launch.name)) {
      fields.at("name").refuse(fmt::format("'{}' cannot name a launch", printable(launch.name)),
                               "leave out control characters");
    }
    launch.name = distinct(launch.name);
    launch.block = extents_of(fields.at("block"), {most_threads, most_threads, most_block_z});
    if (launch.block.count() > most_threads) {
      fields.at("block").refuse(fmt::format("{} threads a block", launch.block.count()),
                                fmt::format("at most {} are possible", most_threads));
    }
    check_declared_block(fields.at("block"), *launch.program, launch.block);
    launch.grid = grid_of(fields, launch.block);
    if (const auto bytes = fields.find("dynamic_shared")) {
      const std::uint64_t size = bytes->size();
      if (size > most_shared) bytes->refuse(fmt::format("{} bytes of shared memory", size), "no SM has that much");
      launch.dynamic_shared_bytes = static_cast<std::uint32_t>(size);
    }
    if (const auto bytes = fields.find("stack")) {
      const std::uint64_t size = bytes->size();
      if (size > most_stack) bytes->refuse(fmt::format("a stack of {} bytes", size), "give at most 512 KiB a thread");
      launch.stack_bytes = static_cast<std::uint32_t>(size);
    }
    if (const auto flag = fields.find("cooperative")) {
      launch.cooperative = flag->about([&] { return parse_flag(flag->text()); });
    }
    read_arguments(value, fields.find("arguments"), plan_.buffers, launch);
    check_narrow_addresses(fields, launch);
    const auto wanted = fields.find("transform");
    const bool may_be_transformed = !wanted || wanted->about([&] { return parse_flag(wanted->text()); });
    if (may_be_transformed && transforms(transform_)) transform(fields, launch);
    fields.at("program").about([&] { kernel::check_stack(*launch.program, launch.stack_bytes); });
    read_textures(value, fields.find("textures"), launch);
    // The module's variables take memory, too. An instruction that no lane can execute is refused here.
    if (tried_.insert(launch.program.get()).second) {
      fields.at("program").about([&] { ProgramImage(*launch.program, room_); });
    }
    plan_.launches.push_back(std::move(launch));
  }

  void check_narrow_addresses(const Fields& fields, const PlannedLaunch& launch) const {
    for (const AddressPlace& place : launch.addresses) {
      const PlannedBuffer& buffer = plan_.buffers[place.buffer];
      if (place.bytes == sizeof(DeviceAddress) || narrowed(room_addresses_[place.buffer], buffer.bytes())) continue;
      fields.at("arguments")
          .refuse(fmt::format("the buffer '{}' lies beyond the first 1792 MiB, which pointers of 32 bits reach",
                              buffer.name),
                  "use smaller buffers, or declare this one first");
    }
  }

  std::shared_ptr<const kernel::Program> program_of(const Fields& fields) {
    const Value program = fields.at("program");
    const auto kernel = fields.find("kernel");
    const std::string file = program.existing_file();
    const std::string entry = kernel ? kernel->text() : std::string();
    auto& known = programs_[{file, entry}];
    if (!known) {
      const Value& place = kernel ? *kernel : program;
      known = place.about(
          [&] { return std::make_shared<const kernel::Program>(module_of(file).load(entry, extensions_)); });
      plan_.files.push_back(file);
      for (const kernel::Warning& warning : known->warnings) plan_.warnings.push_back(to_string(*known, warning));
    }
    return known;
  }

  /// Each file is read once for all of its kernels.
  const kernel::KernelModule& module_of(const std::string& file) {
    return kernels_.try_emplace(file, std::filesystem::path(file)).first->second;
  }

  /// The launch runs the transformed kernel.
  void transform(const Fields& fields, PlannedLaunch& launch) {
    auto& known = made_of_[launch.program.get()];
    if (!known) {
      std::string file = launch.program->name + ".microkernels.ptx";
      for (unsigned i = 2; is_taken(file); ++i) file = fmt::format("{}.microkernels_{}.ptx", launch.program->name, i);
      known = fields.at("program").about([&] {
        return std::make_shared<const TransformedKernel>(
            transformed(*launch.program, transform_, std::move(file), schemes_));
      });
      const kernel::Program& program = known->program;
      for (const kernel::Warning& warning : program.warnings) plan_.warnings.push_back(to_string(program, warning));
      plan_.transformed.push_back(known);
      original_of_[&program] = launch.program;
    }
    launch.program = {known, &known->program};
    launch.parameters.resize(launch.program->parameter_bytes);
    launch.array_bytes = known->array_bytes * launch.grid.count() * launch.block.count();
    if (launch.array_bytes == 0) return;
    // Placed here to check that it fits; a run allocates it for each launch.
    fields.map().about([&] { return room_.allocate(launch.name + " local arrays", launch.array_bytes); });
  }

  /// Variables belong to a file, and a transformed kernel is a separate file. So no other launch may write variables
  /// that it reads, or read variables that it writes.
  void check_variables(const Value& launches) const {
    for (const auto& each : original_of_) {
      // References, because clang 14 does not allow lambdas to capture structured bindings.
      const auto& made = each.first;
      const auto& original = each.second;
      const auto is_variable = [](const kernel::GlobalVariable& one) { return !one.texture; };
      const auto variable = std::ranges::find_if(made->globals, is_variable);
      if (variable == made->globals.end()) continue;
      const auto is_of_file = [&](const auto& taken) { return taken.first == original->file; };
      const auto shares = [&](const PlannedLaunch& launch) {
        const auto own = original_of_.find(launch.program.get());
        const kernel::Program& written = own == original_of_.end() ? *launch.program : *own->second;
        return launch.program.get() != made && written.file == original->file && !written.globals.empty();
      };
      if (std::ranges::none_of(taken_variables_, is_of_file) && std::ranges::none_of(plan_.launches, shares)) continue;
      launches.refuse(fmt::format("kernel '{}' reads the variable '{}' of its module, which buffers or other launches "
                                  "use, too, but the transformed kernel has its own copy",
                                  original->name, variable->name),
                      "pass its address as an argument, or set `transform: false` for the launch");
    }
  }

  /// Binds texture references; a reference stays bound for all kernels of its module.
  void read_textures(const Value& launch_value, const std::optional<Value>& map, PlannedLaunch& launch) {
    const kernel::Program& program = *launch.program;
    std::vector<std::string_view> references;
    for (const kernel::GlobalVariable& variable : program.globals) {
      if (variable.texture) references.push_back(variable.name);
    }
    for (const YamlEntry& entry : map ? map->named() : std::vector<YamlEntry>()) {
      if (std::find(references.begin(), references.end(), entry.key) == references.end()) {
        throw InputError(
            entry.location,
            fmt::format("{}: kernel '{}' has no texture reference {}", map->path(), program.name, entry.key),
            suggest(entry.key, references));
      }
      const Value value(map->file(), map->path() + '.' + entry.key, entry.location, entry.value);
      PlannedTexture texture = read_texture(value.fields(texture_keys()), "buffer", plan_.buffers);
      texture.reference = entry.key;
      const TextureView view = view_of(texture, plan_.buffers[texture.buffer], room_addresses_[texture.buffer]);
      value.about([&] { bind_texture(room_, program, entry.key, view); });
      launch.textures.push_back(std::move(texture));
      bound_.insert({program.file, entry.key});
    }
    for (const std::string_view reference : references) {
      if (bound_.count({program.file, std::string(reference)}) != 0) continue;
      launch_value.refuse(fmt::format("kernel '{}' reads the texture reference {}", program.name, reference),
                          fmt::format("add `textures: {{{}: {{buffer: NAME}}}}`", reference));
    }
  }

  static Dim3 extents_of(const Value& value, const std::array<std::uint64_t, 3>& most) {
    std::array<std::uint64_t, 3> extents{1, 1, 1};
    if (value.node().is_list()) {
      const std::vector<Value> items = value.items();
      if (items.empty() || items.size() > extents.size())
        value.refuse("this is not one to three numbers", "write [x, y, z]");
      for (std::size_t i = 0; i < items.size(); ++i) extents.at(i) = items[i].whole(1, most.at(i));
    } else {
      extents[0] = value.whole(1, most[0]);
    }
    return {static_cast<std::uint32_t>(extents[0]), static_cast<std::uint32_t>(extents[1]),
            static_cast<std::uint32_t>(extents[2])};
  }

  /// Requirements of the kernel itself.
  static void check_declared_block(const Value& value, const kernel::Program& program, const Dim3& block) {
    const kernel::LaunchBounds& bounds = program.launch_bounds;
    const kernel::Extent given{block.x, block.y, block.z};
    const std::string place = to_string(SourceLocation{program.file, bounds.line, 0});
    if (bounds.required_block && given != *bounds.required_block) {
      value.refuse(fmt::format("kernel '{}' requires blocks of [{}] threads", program.name,
                               fmt::join(*bounds.required_block, ", ")),
                   fmt::format("its .reqntid is in {}", place));
    }
    if (bounds.maximum_block && block.count() > kernel::threads_of(*bounds.maximum_block)) {
      value.refuse(fmt::format("kernel '{}' allows blocks of {} threads at most, {} are given", program.name,
                               kernel::threads_of(*bounds.maximum_block), block.count()),
                   fmt::format("its .maxntid is in {}", place));
    }
  }

  Dim3 grid_of(const Fields& fields, const Dim3& block) const {
    const auto threads = fields.find("threads");
    if (!threads) {
      const Dim3 grid = extents_of(fields.at("grid"), {most_grid_x, most_grid_yz, most_grid_yz});
      if (grid.count() <= most_launch_threads / block.count()) return grid;
      fields.at("grid").refuse(fmt::format("{} blocks of {} threads", grid.count(), block.count()),
                               "at most 2^44 threads in all are possible");
    }
    if (fields.has("grid")) threads->refuse("grid is given, too", "keep one of the two");
    const std::uint64_t count = read_count(*threads, plan_.buffers);
    const std::uint64_t blocks = count / block.count() + (count % block.count() == 0 ? 0 : 1);
    if (blocks == 0 || blocks > most_grid_x) {
      threads->refuse(fmt::format("{} threads are {} blocks", count, blocks),
                      fmt::format("1 to {} are possible", most_grid_x));
    }
    return {static_cast<std::uint32_t>(blocks)};
  }

  std::size_t buffer_of(const Fields& fields) const {
    std::vector<std::string_view> names;
    for (const PlannedBuffer& buffer : plan_.buffers) names.push_back(buffer.name);
    return index_of(fields.at("buffer"), "buffer", names);
  }

  void read_output(const Value& value) {
    const Fields fields = value.fields(output_keys());
    PlannedOutput output;
    output.buffer = buffer_of(fields);
    constexpr std::array<std::string_view, 3> formats{"npy", "raw", "png"};  // as in OutputFormat
    const auto given = [&](std::string_view key) { return fields.has(key); };
    if (std::ranges::count_if(formats, given) != 1)
      value.refuse("none or several of npy, raw and png are given", "give one of them");
    const auto* const format = std::ranges::find_if(formats, given);
    output.format = static_cast<OutputFormat>(format - formats.begin());
    const Value name = fields.at(*format);
    output.file = name.text();
    check_output_name(name);
    const PlannedBuffer& buffer = plan_.buffers[output.buffer];
    output.shape = buffer.shape;
    if (const auto shape = fields.find("shape")) {
      if (output.format == OutputFormat::raw) shape->refuse("a file of bytes has no shape", "remove it, or write npy");
      output.shape = shape_of(*shape);
      if (product(*shape, output.shape) != buffer.count) {
        shape->refuse(
            fmt::format("the shape has {} elements, the buffer {}", product(*shape, output.shape), buffer.count));
      }
    }
    if (output.format == OutputFormat::png) name.about([&] { check_png(buffer.type, output.shape); });
    plan_.outputs.push_back(std::move(output));
  }

  /// A plain name that no other file of the report has.
  void check_output_name(const Value& name) const {
    const std::string file = name.text();
    if (file.empty() || file.front() == '.' || file.find('/') != std::string::npos || !is_printable_name(file)) {
      name.refuse(fmt::format("'{}' cannot name a file of the report", file),
                  "leave out '/', control characters and a dot in front");
    }
    if (is_taken(file)) name.refuse(fmt::format("another file of the report is called {}", file), "take another name");
  }

  bool is_taken(std::string_view file) const {
    const auto is_this = [&](const auto& other) { return other == file; };
    return std::ranges::any_of(reserved_, is_this) ||
           std::ranges::any_of(plan_.outputs, is_this, &PlannedOutput::file) ||
           std::ranges::any_of(plan_.transformed, [&](const auto& other) { return other->file == file; });
  }

  void read_check(const Value& value) {
    const Fields fields = value.fields(expected_keys());
    PlannedCheck check;
    check.buffer = buffer_of(fields);
    const PlannedBuffer& buffer = plan_.buffers[check.buffer];
    if (const auto first = fields.find("first")) check.first = first->whole(0, buffer.count);
    std::uint64_t count = buffer.count - check.first;
    if (const auto given = fields.find("count")) count = given->whole(0, count);
    std::optional<Contents> contents = read_contents(fields, buffer.type, count, plan_.files);
    if (!contents) value.refuse("nothing is expected", "give npy, raw, values, fill, range or random");
    if (contents->count != count) {
      value.refuse(fmt::format("{} elements of '{}' are expected, {} are given", count, buffer.name, contents->count),
                   "`first:` and `count:` choose a part of the buffer");
    }
    const bool whole = count == buffer.count;
    if (whole && buffer.shape_given && contents->has_shape && contents->shape != buffer.shape) {
      value.refuse(fmt::format("{} holds an array of {}, the buffer '{}' one of {}", contents->against,
                               shape_text(contents->shape), buffer.name, shape_text(buffer.shape)));
    }
    check.expected = std::move(contents->bytes);
    check.against = std::move(contents->against);
    check.tolerance = tolerance_of(fields, buffer.type);
    plan_.checks.push_back(std::move(check));
  }

  static Tolerance tolerance_of(const Fields& fields, ElementType type) {
    Tolerance tolerance;
    if (const auto absolute = fields.find("absolute")) tolerance.absolute = absolute->magnitude();
    if (const auto relative = fields.find("relative")) tolerance.relative = relative->magnitude();
    if (const auto ulps = fields.find("ulps")) {
      if (!is_float(type)) ulps->refuse(fmt::format("{} are no floats", to_string(type)), "give `absolute:` instead");
      tolerance.ulps = ulps->whole();
    }
    return tolerance;
  }

  static constexpr std::uint64_t most_runs = 1000000;
  static constexpr std::uint64_t most_shared = std::uint64_t{1} << 30;
  static constexpr std::uint64_t most_stack = std::uint64_t{512} << 10;  // CUDA's limit for a thread's local memory

  const Configuration& configuration_;
  std::span<const std::string> reserved_;
  SchemeList schemes_;
  std::vector<kernel::ExtensionInstruction> extensions_;
  const KernelTransformParameters& transform_;
  /// The source of each transformed program.
  std::map<const kernel::Program*, std::shared_ptr<const kernel::Program>> original_of_;
  /// The transformation result of each program.
  std::map<const kernel::Program*, std::shared_ptr<const TransformedKernel>> made_of_;
  SceneCache scenes_;
  DeviceMemory room_;
  std::vector<DeviceAddress> room_addresses_;                   ///< of the buffers
  std::map<std::string, std::uint64_t> bearers_{{"total", 1}};  ///< launches with each name
  std::set<const kernel::Program*> tried_;                      ///< programs placed in `room_`
  std::map<std::pair<std::string, std::string>, std::shared_ptr<const kernel::Program>> programs_;
  std::map<std::string, kernel::KernelModule> kernels_;                    ///< by file
  std::map<std::string, std::shared_ptr<const kernel::Program>> modules_;  ///< without kernels, by file
  std::set<std::pair<std::string, std::string>> taken_variables_;          ///< bound to buffers, by file
  std::set<std::pair<std::string, std::string>> bound_;  ///< texture references, by the file of their module
  LaunchPlan plan_;
};

}  // namespace

bool has_launches(const Configuration& configuration) { return configuration.section("launches") != nullptr; }

LaunchPlan read_plan(const Configuration& configuration, std::span<const std::string> reserved, SchemeList schemes,
                     const KernelTransformParameters& transform) {
  return PlanReader(configuration, reserved, schemes, transform).read();
}

}  // namespace reconverge::launch
