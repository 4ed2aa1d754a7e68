#pragma once
/// The one entry of the front end: PTX in, a program ready to run out.

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "models/kernel/extension.hpp"
#include "models/kernel/program.hpp"

namespace reconverge::kernel {

/// The text of a PTX file. Throws InputError when it cannot be read, and for what is something else by its name or its
/// first bytes, such as CUDA C++, with what makes PTX of it.
std::string read_ptx(const std::filesystem::path& path);

/// A module that is read once for all of its kernels.
class KernelModule {
 public:
  /// Throws InputError when the front end does not accept the text. Messages use `name` as the file's name.
  KernelModule(std::string text, std::string_view name);
  /// Throws InputError also when the file cannot be read.
  explicit KernelModule(const std::filesystem::path& path);
  ~KernelModule();
  KernelModule(KernelModule&&) noexcept;
  KernelModule& operator=(KernelModule&&) noexcept;

  /// Names of the kernels, in order of appearance.
  std::vector<std::string> entries() const;

  /// Decode, control flow, register allocation. An empty `entry` takes the only kernel. Throws InputError when the
  /// kernel is not supported, which leaves the others usable, or the module has no such kernel (the message names the
  /// nearest).
  Program load(std::string_view entry, std::span<const ExtensionInstruction> extensions = {}) const;

 private:
  struct Parsed;
  std::unique_ptr<const Parsed> parsed_;
};

/// Loads the kernel `entry` of the PTX file `path`, as KernelModule does.
Program load_program(const std::filesystem::path& path, std::string_view entry,
                     std::span<const ExtensionInstruction> extensions = {});

/// The same from text; `name` stands for the file in messages.
Program load_program_text(std::string_view text, std::string_view name, std::string_view entry,
                          std::span<const ExtensionInstruction> extensions = {});

/// The variables of a module in global and constant memory, all of them, as Program::globals; nothing else is in it.
/// Texture references are left out. Throws InputError as load_program does, but for kernels.
Program load_variables(const std::filesystem::path& path);

/// Names of the kernels of a module, in order of appearance.
std::vector<std::string> entries(const std::filesystem::path& path);
std::vector<std::string> entries_of_text(std::string_view text, std::string_view name);

}  // namespace reconverge::kernel
