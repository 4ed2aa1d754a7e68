// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Python values as arguments of a kernel.

#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>

#include <cstddef>
#include <memory>
#include <string_view>
#include <vector>

#include "models/kernel/program.hpp"
#include "platforms/embedding/device.hpp"

namespace reconverge::python {

namespace py = pybind11;

/// A buffer on a device, which is freed with this object.
class DeviceBuffer {
 public:
  DeviceBuffer(std::shared_ptr<embedding::Device> device, const std::string& name, std::uint64_t bytes);
  /// The variable of a module, which lives as long as the device.
  DeviceBuffer(std::shared_ptr<embedding::Device> device, const kernel::Program& variables, std::string_view name);
  ~DeviceBuffer();
  DeviceBuffer(const DeviceBuffer&) = delete;
  DeviceBuffer& operator=(const DeviceBuffer&) = delete;

  const embedding::Device& device() const { return *device_; }
  DeviceAddress address() const { return address_; }
  std::uint64_t bytes() const { return bytes_; }
  std::span<std::byte> memory() { return device_->memory(address_, bytes_); }

 private:
  std::shared_ptr<embedding::Device> device_;
  DeviceAddress address_ = 0;
  std::uint64_t bytes_ = 0;
  bool owned_ = true;
};

/// Converts the arguments of one launch, and holds its temporary buffers. Each array gets a buffer with a copy of its
/// elements; an array that is given twice has one buffer. Needs Python's lock.
class Arguments {
 public:
  /// Throws InputError that names kernel and parameter: for a wrong number of values, a value out of the range of the
  /// parameter's type, and arrays that are no plain memory.
  Arguments(std::shared_ptr<embedding::Device> device, const kernel::Program& program, const py::tuple& values);

  const std::vector<std::byte>& parameters() const { return parameters_; }
  /// Copies the buffers of all writable arrays back.
  void copy_back();

 private:
  struct PassedArray {
    py::array array;
    std::shared_ptr<DeviceBuffer> buffer;
  };

  void add(py::handle value);
  void add_array(const py::array& array);
  void add_number(py::handle value);
  void add_bytes(std::string_view bytes);
  void add_buffer(const DeviceBuffer& buffer);
  void put_address(DeviceAddress address, std::string_view what);
  void put(const void* bytes, std::size_t size);
  /// The buffer of the same memory, if it was passed before. Refuses memory that overlaps other memory.
  std::shared_ptr<DeviceBuffer> known_buffer(const py::array& array) const;
  [[noreturn]] void refuse(std::string_view problem, std::string_view hint) const;

  std::shared_ptr<embedding::Device> device_;
  const kernel::Program& program_;
  const kernel::KernelParameter* parameter_ = nullptr;  ///< of the argument that is being added
  std::size_t number_ = 0;                              ///< of this argument, from 1
  std::vector<std::byte> parameters_;
  std::vector<PassedArray> arrays_;
};

}  // namespace reconverge::python
