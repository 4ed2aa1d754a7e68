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

/// The text of a PTX file. Throws InputError if it cannot be read, and for a file of another kind by its name or its
/// first bytes, such as CUDA C++; the message says how to make PTX of it.
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
  /// InputError if the kernel is not supported, which leaves the others usable, or if the module has no such kernel
  /// (the message names the nearest).
  Program load(std::string_view entry, std::span<const ExtensionInstruction> extensions = {}) const;

  /// All variables in global and constant memory, as Program::globals; the program has nothing else. Texture references
  /// are left out.
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

/// Those of a file, like KernelModule::variables. Throws InputError like load_program, except for kernels.
Program load_variables(const std::filesystem::path& path);

/// Names of the kernels of a module, in order of appearance.
std::vector<std::string> entries(const std::filesystem::path& path);
std::vector<std::string> entries_of_text(std::string_view text, std::string_view name);

}  // namespace reconverge::kernel
