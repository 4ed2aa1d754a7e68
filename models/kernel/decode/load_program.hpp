// SPDX-License-Identifier: Apache-2.0
#pragma once
/// The entry point of the front end: from PTX to a program that can run.

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "models/kernel/extension.hpp"
#include "models/kernel/program.hpp"

namespace reconverge::kernel {

/// The text of a PTX file. Throws InputError if it cannot be read, or if its name or first bytes show another kind of
/// file, such as CUDA C++; the message says how to make PTX of it.
std::string read_ptx(const std::filesystem::path& path);

/// A module that is parsed once for all of its kernels.
class KernelModule {
 public:
  /// Throws InputError if the front end does not accept the text. Messages use `name` as the file's name.
  KernelModule(std::string text, std::string_view name);
  /// Throws InputError also if the file cannot be read.
  explicit KernelModule(const std::filesystem::path& path);
  ~KernelModule();
  KernelModule(KernelModule&&) noexcept;
  KernelModule& operator=(KernelModule&&) noexcept;

  /// Names of the kernels, in order of appearance.
  std::vector<std::string> entries() const;

  /// Decodes a kernel, computes control flow and allocates registers. An empty `entry` selects the only kernel. Throws
  /// InputError if the kernel is not supported (the others remain usable) or if the module has no such kernel (the
  /// message names the most similar one).
  Program load(std::string_view entry, std::span<const ExtensionInstruction> extensions = {}) const;

  /// A program that contains only the variables in global and constant memory (Program::globals), without texture
  /// references.
  Program variables() const;

 private:
  struct Parsed;
  std::unique_ptr<const Parsed> parsed_;
};

/// Loads the kernel `entry` of the PTX file `path`, like KernelModule.
Program load_program(const std::filesystem::path& path, std::string_view entry,
                     std::span<const ExtensionInstruction> extensions = {});

/// The same from text; `name` is the file's name in messages.
Program load_program_text(std::string_view text, std::string_view name, std::string_view entry,
                          std::span<const ExtensionInstruction> extensions = {});

/// The variables of a file, like KernelModule::variables. Throws InputError like load_program, except for kernels.
Program load_variables(const std::filesystem::path& path);

/// Names of the kernels of a module, in order of appearance.
std::vector<std::string> entries(const std::filesystem::path& path);
std::vector<std::string> entries_of_text(std::string_view text, std::string_view name);

}  // namespace reconverge::kernel
