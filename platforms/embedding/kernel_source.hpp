// SPDX-License-Identifier: Apache-2.0
#pragma once
/// Kernels from text in PTX or CUDA C++.

#include <cstdint>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "models/kernel/decode/load_program.hpp"
#include "models/kernel/program.hpp"

namespace reconverge::embedding {

enum class Language : std::uint8_t {
  automatic,  ///< PTX if the first directive is `.version`, otherwise CUDA C++
  ptx,
  cuda
};

/// Throws InputError, with the nearest name, unless it is `automatic`, `ptx` or `cuda`.
Language language_of(std::string_view name);

struct KernelSource {
  std::string text;
  std::string name;  ///< of the text in messages; empty: `kernel.ptx` or `kernel.cu`
  Language language = Language::automatic;
  std::string level = "2";  ///< optimisation of CUDA C++: 0, 1, 2 or 3
  std::vector<std::string> include_folders = {};
  std::vector<std::string> definitions = {};  ///< NAME or NAME=VALUE
};

/// A module whose kernels all devices can launch.
class KernelText {
 public:
  /// Compiles CUDA C++ as `reconverge compile` does; `interrupted` is polled meanwhile, and true ends it. Throws
  /// InputError, with file, line and column of the text, and Interrupted.
  explicit KernelText(const KernelSource& source, const std::function<bool()>& interrupted = {});

  const std::string& name() const { return name_; }
  const std::string& ptx() const { return ptx_; }
  std::vector<std::string> kernels() const { return module_->entries(); }
  /// The kernel; an empty name selects the only one. It lives as long as a copy of the pointer, and may use
  /// instructions of plugins that are loaded now. Throws InputError.
  std::shared_ptr<const kernel::Program> load(std::string_view kernel) const;
  /// The variables of the module, which its kernels share.
  kernel::Program variables() const { return module_->variables(); }

 private:
  std::string name_;
  std::string ptx_;
  std::unique_ptr<kernel::KernelModule> module_;
};

/// A host has stopped something that leaves no result.
class Interrupted : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace reconverge::embedding
