#pragma once
/// The one entry of the front end: PTX in, a program ready to run out.

#include <filesystem>
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

/// Loads the kernel `entry` of the PTX file `path`: parse, decode, control flow, register allocation.
/// An empty `entry` takes the only kernel of the module. Throws InputError when the file cannot be read, is no PTX
/// that this front end takes, or has no such kernel (the message names the nearest).
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
