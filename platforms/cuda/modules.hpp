// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The device code of a CUDA program, and the host's names for its kernels and variables. Executables register them
/// before `main`, through calls that the compiler has written (registration.cpp).

#include <algorithm>
#include <cstddef>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "models/execution/device_memory.hpp"
#include "models/kernel/decode/load_program.hpp"

namespace reconverge::cuda {

/// A PTX module that is read when one of its symbols is first used.
class Module {
 public:
  /// `fat_binary` stays in memory as long as the module. `name` is its file's name in messages.
  Module(const void* fat_binary, std::string name) : fat_binary_(fat_binary), name_(std::move(name)) {}
  /// From PTX.
  Module(std::string ptx, std::string name) : name_(std::move(name)), ptx_(std::move(ptx)) {}

  const std::string& name() const { return name_; }
  /// Empty if the module was not used.
  const std::string& ptx() const { return ptx_; }

  /// Reads the module now. Throws InputError for text that is not PTX, and for programs without PTX.
  void load() { read(); }
  /// Throws InputError for unsupported code, with its PTX line.
  std::shared_ptr<const kernel::Program> kernel(const std::string& entry,
                                                std::span<const kernel::ExtensionInstruction> extensions);
  /// The address of the variable. Throws InputError if there is no variable of that name.
  DeviceAddress variable(std::string_view variable, DeviceMemory& memory);
  /// The same for a managed variable; `host`: its address on the host, or null.
  DeviceAddress managed_variable(std::string_view variable, DeviceMemory& memory, std::byte* host);

 private:
  const kernel::KernelModule& read();
  const kernel::Program& variables();

  const void* fat_binary_ = nullptr;
  std::string name_;
  std::string ptx_;
  std::optional<kernel::KernelModule> module_;
  std::optional<kernel::Program> variables_;
  std::map<std::string, std::shared_ptr<const kernel::Program>> kernels_;
};

/// A kernel, variable or texture reference that the host knows by an address.
struct DeviceName {
  Module* module = nullptr;
  std::string name;
  std::uint64_t bytes = 0;  ///< of a variable
  bool normalized = false;  ///< a texture reference whose integers read as fractions
};

/// A variable that is declared __managed__. The code of `reconverge build` has it in a separate section, and that of
/// nvcc reaches it through a pointer.
struct ManagedVariable {
  DeviceName name;
  std::byte* host = nullptr;
  void** pointer = nullptr;
};

class Modules {
 public:
  /// `fat_binary` as in Module.
  Module& add(const void* fat_binary);
  Module& add_ptx(std::string ptx);
  const std::deque<Module>& all() const { return modules_; }

  void name_kernel(const void* host, DeviceName kernel) { kernels_[host] = std::move(kernel); }
  void name_variable(const void* host, DeviceName variable) { variables_[host] = std::move(variable); }
  void name_managed(ManagedVariable variable) { managed_.push_back(std::move(variable)); }
  void name_texture(const void* host, DeviceName texture) { textures_[host] = std::move(texture); }
  /// Null if the host's address was not registered.
  const DeviceName* kernel(const void* host) const { return find(kernels_, host); }
  const DeviceName* variable(const void* host) const { return find(variables_, host); }
  const DeviceName* texture(const void* host) const { return find(textures_, host); }
  const std::vector<ManagedVariable>& managed() const { return managed_; }

  /// The section of managed variables of an executable or library.
  void add_managed_section(std::span<std::byte> section) { managed_sections_.push_back(section); }
  bool in_managed_section(const std::byte* host) const {
    return std::ranges::any_of(managed_sections_, [&](std::span<std::byte> section) {
      return host >= section.data() && host < section.data() + section.size();
    });
  }

 private:
  using Names = std::map<const void*, DeviceName>;
  static const DeviceName* find(const Names& names, const void* host) {
    const auto known = names.find(host);
    return known == names.end() ? nullptr : &known->second;
  }
  std::string next_name() const;

  std::deque<Module> modules_;
  Names kernels_;
  Names variables_;
  Names textures_;
  std::vector<ManagedVariable> managed_;
  std::vector<std::span<std::byte>> managed_sections_;
};

}  // namespace reconverge::cuda
