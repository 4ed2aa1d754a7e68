// SPDX-License-Identifier: Apache-2.0
#include "platforms/embedding/kernel_source.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iomanip>

#include "models/core/error.hpp"
#include "models/core/host_error.hpp"
#include "models/core/suggestion.hpp"
#include "platforms/compile/compiler.hpp"
#include "platforms/embedding/loaded_plugins.hpp"
#include "platforms/machines/gpu/schemes.hpp"

namespace reconverge::embedding {

namespace {

namespace fs = std::filesystem;

/// The text without blanks and comments at its start.
std::string_view first_code(std::string_view text) {
  while (true) {
    text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
    const bool line = text.starts_with("//");
    if (!line && !text.starts_with("/*")) return text;
    const std::size_t end = text.find(line ? "\n" : "*/", 2);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + (line ? 1 : 2));
  }
}

bool is_ptx(const KernelSource& source) {
  if (source.language != Language::automatic) return source.language == Language::ptx;
  return first_code(source.text).starts_with(".version");
}

/// A folder that is removed with everything in it.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string path = (fs::temp_directory_path() / "reconverge-XXXXXX").string();
    if (mkdtemp(path.data()) == nullptr) throw HostError(fmt::format("cannot make a folder {}", path));
    path_ = path;
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

std::string compiled(const KernelSource& source, const std::string& name, const std::function<bool()>& interrupted) {
  const TemporaryFolder folder;
  const fs::path file = folder.path() / "kernel.cu";
  // Messages and line information name the text instead of the file.
  std::ofstream(file) << "#line 1 " << std::quoted(name) << '\n' << source.text;
  compile::CompileOptions options;
  options.level = source.level;
  options.include_folders = source.include_folders;
  options.definitions = source.definitions;
  options.quiet = true;
  compile::Compiled made = compile::compile(
      file, options, interrupted ? interrupted : [] { return false; });
  if (made.stopped) throw Interrupted(fmt::format("{}: the compilation was stopped", name));
  return std::move(made.text);
}

}  // namespace

Language language_of(std::string_view name) {
  constexpr std::array<std::string_view, 3> names{"automatic", "ptx", "cuda"};
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names.at(i) == name) return static_cast<Language>(i);
  }
  throw InputError({}, fmt::format("there is no language '{}' of kernels", name), suggest(name, names));
}

KernelText::KernelText(const KernelSource& source, const std::function<bool()>& interrupted)
    : name_(!source.name.empty() ? source.name
            : is_ptx(source)     ? "kernel.ptx"
                                 : "kernel.cu"),
      ptx_(is_ptx(source) ? source.text : compiled(source, name_, interrupted)),
      module_(std::make_unique<kernel::KernelModule>(ptx_, is_ptx(source) ? name_ : name_ + ".ptx")) {}

std::shared_ptr<const kernel::Program> KernelText::load(std::string_view kernel) const {
  return std::make_shared<const kernel::Program>(
      module_->load(kernel, extensions_of(loaded_plugins().kinds().schemes)));
}

}  // namespace reconverge::embedding
