// SPDX-License-Identifier: Apache-2.0
#include "platforms/cuda/modules.hpp"

#include <fmt/format.h>

#include "models/execution/module_variables.hpp"
#include "platforms/cuda/fat_binary.hpp"
#include "platforms/cuda/program_name.hpp"

namespace reconverge::cuda {

namespace {

/// PTX for newer GPUs than this has instructions that no platform runs.
constexpr unsigned best_architecture = 75;

}  // namespace

const kernel::KernelModule& Module::read() {
  if (module_) return *module_;
  if (fat_binary_ != nullptr) ptx_ = ptx_of(fat_binary_, best_architecture, name_);
  return module_.emplace(ptx_, name_);
}

std::shared_ptr<const kernel::Program> Module::kernel(const std::string& entry,
                                                      std::span<const kernel::ExtensionInstruction> extensions) {
  const auto known = kernels_.find(entry);
  if (known != kernels_.end()) return known->second;
  return kernels_.emplace(entry, std::make_shared<const kernel::Program>(read().load(entry, extensions))).first->second;
}

const kernel::Program& Module::variables() {
  if (!variables_) variables_ = read().variables();
  return *variables_;
}

DeviceAddress Module::variable(std::string_view variable, DeviceMemory& memory) {
  return place_variable(variables(), variable, memory);
}

DeviceAddress Module::managed_variable(std::string_view variable, DeviceMemory& memory, std::byte* host) {
  return place_managed_variable(variables(), variable, memory, host);
}

std::string Modules::next_name() const {
  const std::string program = program_path().filename().string();
  return modules_.empty() ? program + ".ptx" : fmt::format("{}_{}.ptx", program, modules_.size() + 1);
}

Module& Modules::add(const void* fat_binary) { return modules_.emplace_back(fat_binary, next_name()); }

Module& Modules::add_ptx(std::string ptx) { return modules_.emplace_back(std::move(ptx), next_name()); }

}  // namespace reconverge::cuda
