// SPDX-License-Identifier: Apache-2.0
#include "platforms/python/arguments.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

#include "models/core/error.hpp"
#include "models/core/quantity.hpp"
#include "models/kernel/inspect/inspect.hpp"
#include "platforms/launch/element_type.hpp"
#include "platforms/launch/read_arguments.hpp"

namespace reconverge::python {

namespace {

using launch::ElementType;

std::string type_name(py::handle value) { return py::str(py::type::handle_of(value).attr("__name__")); }

std::string text_of(py::handle value) { return py::str(value); }

/// The bytes of a contiguous array.
std::string_view bytes_of_array(const py::array& array) {
  return {static_cast<const char*>(array.data()), static_cast<std::size_t>(array.nbytes())};
}

/// What the device cannot use of an array; empty if it can. Else also what to do.
std::pair<std::string, std::string> problem_of(const py::array& array) {
  const py::dtype type = array.dtype();
  const std::string name = text_of(type);
  constexpr std::string_view plain = "biufcV";
  if (plain.find(type.kind()) == std::string_view::npos || type.attr("hasobject").cast<bool>())
    return {fmt::format("the array has elements of {}", name), "pass an array of numbers or of records"};
  const auto order = type.attr("byteorder").cast<std::string>();
  if (order == ">") return {"the array is big endian", "pass a.astype(a.dtype.newbyteorder('<'))"};
  if ((array.flags() & py::array::c_style) == 0)
    return {"the array is not C-contiguous", "pass numpy.ascontiguousarray(a), and read that array afterwards"};
  return {};
}

std::string all_parameters(const kernel::Program& program) {
  std::vector<std::string> texts;
  for (const kernel::KernelParameter& parameter : program.parameters) texts.push_back(kernel::describe(parameter));
  return texts.empty() ? "pass none" : fmt::format("they are {}", fmt::join(texts, ", "));
}

}  // namespace

DeviceBuffer::DeviceBuffer(std::shared_ptr<embedding::Device> device, const std::string& name, std::uint64_t bytes)
    : device_(std::move(device)), address_(device_->allocate(name, bytes)), bytes_(bytes) {}

DeviceBuffer::DeviceBuffer(std::shared_ptr<embedding::Device> device, const kernel::Program& variables,
                           std::string_view name)
    : device_(std::move(device)),
      address_(device_->variable(variables, name)),
      bytes_(device_->bytes_at(address_)),
      owned_(false) {}

DeviceBuffer::~DeviceBuffer() {
  if (!owned_) return;
  try {
    device_->release(address_);
  } catch (const InputError&) {
    // A progress function dropped it while a launch runs, and its memory is freed with the device.
    return;
  }
}

Arguments::Arguments(std::shared_ptr<embedding::Device> device, const kernel::Program& program, const py::tuple& values)
    : device_(std::move(device)), program_(program), parameters_(program.parameter_bytes) {
  if (values.size() != program.parameters.size()) {
    throw InputError(
        {program.file, 0, 0},
        fmt::format("kernel '{}' takes {} arguments, {} given", program.name, program.parameters.size(), values.size()),
        all_parameters(program));
  }
  for (const py::handle value : values) {
    parameter_ = &program.parameters[number_++];
    add(value);
  }
}

void Arguments::refuse(std::string_view problem, std::string_view hint) const {
  throw InputError(
      {program_.file, 0, 0},
      fmt::format("kernel '{}', argument {}, {}: {}", program_.name, number_, kernel::describe(*parameter_), problem),
      hint);
}

void Arguments::put(const void* bytes, std::size_t size) {
  std::memcpy(parameters_.data() + parameter_->offset, bytes, size);
}

void Arguments::put_address(DeviceAddress address, std::string_view what) {
  const std::size_t bytes = parameter_->address_bytes;
  if (bytes == 0 || parameter_->bytes != bytes)
    refuse(fmt::format("{} is passed by its address, and the parameter is no address", what), "pass a number");
  put(&address, bytes);
}

void Arguments::add(py::handle value) {
  if (py::isinstance<DeviceBuffer>(value)) return add_buffer(value.cast<const DeviceBuffer&>());
  if (py::isinstance<py::array>(value)) return add_array(py::reinterpret_borrow<py::array>(value));
  if (py::isinstance<py::bytes>(value)) return add_bytes(value.cast<std::string_view>());
  // Scalars of NumPy: a record as its bytes, a number as Python's.
  if (py::hasattr(value, "dtype") && py::hasattr(value, "item")) {
    const py::dtype type = value.attr("dtype");
    if (type.kind() == 'V') return add_bytes(py::bytes(value.attr("tobytes")()).cast<std::string_view>());
    return add_number(py::object(value.attr("item")()));
  }
  add_number(value);
}

void Arguments::add_number(py::handle value) {
  const std::optional<ElementType> type = launch::element_type_of(parameter_->type);
  if (!type || launch::bytes_of(*type) != parameter_->bytes) {
    refuse(fmt::format("{} is no value of its {} bytes", type_name(value), parameter_->bytes),
           "pass bytes of this size, or a record of NumPy");
  }
  const bool is_whole = PyLong_Check(value.ptr()) != 0;
  if (!is_whole && PyFloat_Check(value.ptr()) == 0)
    refuse(fmt::format("{} is neither a number nor an array", type_name(value)), "pass a number, or an array of NumPy");
  std::uint64_t bits = 0;
  if (launch::is_float(*type)) {
    const double number = PyFloat_AsDouble(value.ptr());
    if (PyErr_Occurred() != nullptr) throw py::error_already_set();
    bits = launch::float_bits(*type, number);
    if (std::isfinite(number) && std::isinf(launch::float_value(*type, bits)))
      refuse(fmt::format("{} is out of range of {}", number, launch::to_string(*type)),
             "pass a smaller number, or inf");
  } else {
    if (!is_whole) refuse(fmt::format("{} is a float", text_of(value)), "pass an int");
    // Compilers use these types also for `int`.
    const auto signedness = launch::is_signed(*type) ? launch::Signedness::strict : launch::Signedness::either;
    const std::string text = text_of(py::reinterpret_steal<py::object>(PyNumber_ToBase(value.ptr(), 10)));  // True: 1
    try {
      bits = launch::parse_element(*type, text, signedness);
    } catch (const QuantityError& error) {
      refuse(error.what(), error.hint());
    }
  }
  put(&bits, parameter_->bytes);
}

void Arguments::add_bytes(std::string_view bytes) {
  if (bytes.size() != parameter_->bytes) {
    refuse(fmt::format("{} bytes are given", bytes.size()),
           fmt::format("the parameter has {}; records of NumPy need align=True to be like structs of C",
                       parameter_->bytes));
  }
  put(bytes.data(), bytes.size());
}

void Arguments::add_buffer(const DeviceBuffer& buffer) {
  if (&buffer.device() != device_.get())
    refuse("the array is on another device", "run the kernel on the device of its arrays");
  put_address(buffer.address(), "an array");
}

std::shared_ptr<DeviceBuffer> Arguments::known_buffer(const py::array& array) const {
  const std::string_view bytes = bytes_of_array(array);
  for (const PassedArray& passed : arrays_) {
    const std::string_view other = bytes_of_array(passed.array);
    if (bytes.data() == other.data() && bytes.size() == other.size()) return passed.buffer;
    const bool apart = bytes.data() + bytes.size() <= other.data() || other.data() + other.size() <= bytes.data();
    if (!apart && (array.writeable() || passed.array.writeable()))
      refuse("the array overlaps an array of another argument", "pass a copy of one of them");
  }
  return nullptr;
}

void Arguments::add_array(const py::array& array) {
  const auto& [problem, hint] = problem_of(array);
  if (!problem.empty()) refuse(problem, hint);
  const std::string_view bytes = bytes_of_array(array);
  const std::optional<ElementType> type = launch::element_type_of(parameter_->type);
  const bool by_value = type && parameter_->bytes != launch::bytes_of(*type);
  if (by_value) {
    const auto item = static_cast<std::size_t>(array.itemsize());
    if (parameter_->type != kernel::DataType::b8 && item != launch::bytes_of(*type))
      refuse(fmt::format("the array has elements of {} bytes", item),
             fmt::format("pass elements of {}", launch::to_string(*type)));
    return add_bytes(bytes);
  }
  std::shared_ptr<DeviceBuffer> buffer = known_buffer(array);
  if (!buffer) {
    buffer = std::make_shared<DeviceBuffer>(device_, parameter_->name, bytes.size());
    std::ranges::copy(std::as_bytes(std::span(bytes)), buffer->memory().begin());
  }
  put_address(buffer->address(), "an array");
  arrays_.push_back({array, std::move(buffer)});
}

void Arguments::copy_back() {
  for (PassedArray& passed : arrays_) {
    if (!passed.array.writeable()) continue;
    std::ranges::copy(passed.buffer->memory(), static_cast<std::byte*>(passed.array.mutable_data()));
  }
}

}  // namespace reconverge::python
